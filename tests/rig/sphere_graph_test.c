// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Spheres in tubes, whose middle lines and lengths are known.

#include "rig/medial/way.h"

#include "rig/tubes.h"

#define CELL 0.01f

typedef struct Fixture {
    GtContext context;
    GtArena arena;
    GtiSolid solid;
    GtiSpherePacking packing;
    GtiSphere* spheres; // of the packing
    int32_t count;
    GtiSphereGraph graph;
} Fixture;

static Fixture make(const Tube* tubes, int tube_count)
{
    Fixture f = { .context = gt_default_context(), .arena = gt_arena_create(gt_default_allocator()) };
    GtError error = { 0 };
    f.solid = make_tubes(tubes, tube_count, CELL, &f.arena);
    GT_EXPECT_OK(gti_medial_pack(&f.context, &f.solid, GTI_SPHERE_MOST, &f.arena, &f.packing, &error));
    GT_EXPECT_OK(gti_sphere_graph_make(&f.context, &f.solid, &f.packing, 0, &f.arena, &f.graph, &error));
    f.spheres = f.packing.spheres;
    f.count = f.packing.count;
    return f;
}

static int32_t nearest_sphere(const Fixture* f, GtVec3 p)
{
    int32_t best = 0;
    for (int32_t i = 1; i < f->count; ++i) {
        float d = gt_vec3_length(gt_vec3_sub(f->spheres[i].center, p));
        best = d < gt_vec3_length(gt_vec3_sub(f->spheres[best].center, p)) ? i : best;
    }
    return best;
}

static float graph_distance(const Fixture* f, int32_t a, int32_t b)
{
    return f->graph.distances[a * f->count + b];
}

static void test_spheres_fill_a_tube(void** state)
{
    (void)state;
    Tube tube = { { -0.4f, 0.1f, 0.0f }, { 0.4f, 0.3f, 0.2f }, 0.07f };
    Fixture f = make(&tube, 1);
    assert_true(f.count >= 5);
    float length = gt_vec3_length(gt_vec3_sub(tube.b, tube.a));
    for (int32_t i = 0; i < f.count; ++i) {
        const GtiSphere* s = &f.spheres[i];
        GT_EXPECT_NEAR(tube_distance(&tube, s->center), -s->radius, 1e-6); // a sphere touches the surface
        for (int32_t k = 0; k < i; ++k) {
            assert_true(f.spheres[k].radius >= s->radius - 2.0f * tube.radius / 1024);
            float apart = gt_vec3_length(gt_vec3_sub(s->center, f.spheres[k].center));
            assert_true(apart > f.spheres[k].radius - CELL); // no center in another sphere, but for cells' corners
        }
    }
    int32_t left = nearest_sphere(&f, tube.a);
    int32_t right = nearest_sphere(&f, tube.b);
    GT_EXPECT_NEAR(graph_distance(&f, left, right), length, 0.1 * (double)length);
    GT_EXPECT_NEAR(f.spheres[0].radius, 0.07, CELL);
    gt_arena_destroy(&f.arena);
}

// Spheres come by their size, and yet a limit does not cost the thinnest limb: all keep farther apart instead, and ways
// still lead to its end.
static void test_a_limit_keeps_thin_limbs(void** state)
{
    (void)state;
    Tube tubes[2] = { { { 0, 0, 0 }, { 0, 0.5f, 0 }, 0.1f }, { { 0, 0.5f, 0 }, { 0.5f, 0.6f, 0.1f }, 0.012f } };
    Fixture f = make(tubes, 2);
    GtError error = { 0 };
    GtiSpherePacking few;
    GT_EXPECT_OK(gti_medial_pack(&f.context, &f.solid, 18, &f.arena, &few, &error));
    assert_true(few.count < 18 && few.count < f.count && few.spacing > f.packing.spacing);
    GtiSphereGraph graph;
    GT_EXPECT_OK(gti_sphere_graph_make(&f.context, &f.solid, &few, 0, &f.arena, &graph, &error));
    float farthest = 0.0f;
    for (int32_t i = 0; i < few.count; ++i) {
        GtVec3 p = few.spheres[i].center;
        farthest = p.x > farthest ? p.x : farthest;
        float straight = gt_vec3_length(gt_vec3_sub(p, few.spheres[0].center));
        assert_true(graph.distances[i] < 1.3f * straight + 0.02f); // over a gap it would be three times as long
    }
    assert_true(farthest > 0.5f - few.spacing);
    gt_arena_destroy(&f.arena);
}

static void test_ways_go_along_tubes(void** state)
{
    (void)state;
    Tube tubes[3] = {
        { { -0.1f, 0.5f, 0 }, { -0.1f, 0, 0 }, 0.05f },
        { { -0.1f, 0, 0 }, { 0.1f, 0, 0 }, 0.05f },
        { { 0.1f, 0, 0 }, { 0.1f, 0.5f, 0 }, 0.05f },
    };
    Fixture f = make(tubes, 3);
    int32_t left = nearest_sphere(&f, tubes[0].a);
    int32_t right = nearest_sphere(&f, tubes[2].b);
    assert_true(graph_distance(&f, left, right) > 0.95f); // 1.2 around the bend, corners cut; 0.2 across
    GT_EXPECT_NEAR(graph_distance(&f, left, right), graph_distance(&f, right, left), 1e-5);
    for (int32_t i = 0; i < f.count; ++i) { // the triangle inequality
        assert_true(graph_distance(&f, left, right) <=
                    graph_distance(&f, left, i) + graph_distance(&f, i, right) + 1e-5f);
    }
    GT_EXPECT_NEAR(f.graph.beyonds[left * f.count + right], 0.0, 0.03); // an end
    int32_t halfway = right;
    while (graph_distance(&f, left, halfway) > 0.6f) {
        halfway = f.graph.befores[left * f.count + halfway];
    }
    assert_true(f.graph.beyonds[left * f.count + halfway] > 0.3f); // none
    assert_int_equal(f.graph.befores[left * f.count + left], -1);

    GtiMedialWay way;
    assert_true(gti_medial_way_make(&f.solid, &f.graph, left, right, &f.arena, &way));
    assert_true(way.length > 0.9f);
    for (int32_t i = 0; i < way.count; ++i) { // drawn to the middle, but where it cuts a corner
        float deepest = -tubes_distance(tubes, 3, way.points[i]);
        assert_true(deepest > 0.03f);
        GT_EXPECT_NEAR(way.radii[i], deepest, CELL);
    }
    GtVec3 points[1] = { { 0.1f, 0.55f, 0 } };
    float before = way.length;
    assert_true(gti_medial_way_reach(&f.solid, points, 1, 0.1f, &f.arena, &way));
    GT_EXPECT_NEAR(way.points[way.count - 1].y, 0.55, 0.005);
    assert_true(way.length > before);
    GtVec3 back = gti_medial_way_from_end(&way, 0.3f);
    GT_EXPECT_NEAR(back.y, 0.25, 0.01);
    GT_EXPECT_NEAR(back.x, 0.1, 0.01);
    gt_arena_destroy(&f.arena);
}

static void test_parts_are_linked_across_gaps(void** state)
{
    (void)state;
    Tube near[2] = { { { 0, 0, 0 }, { 0.3f, 0, 0 }, 0.05f }, { { 0.45f, 0, 0 }, { 0.6f, 0, 0 }, 0.04f } };
    Fixture f = make(near, 2);
    float over = graph_distance(&f, nearest_sphere(&f, near[0].a), nearest_sphere(&f, near[1].b));
    assert_true(over > 0.6f && over < 1.0f); // the gap of 0.06 counts more than its width
    gt_arena_destroy(&f.arena);

    Tube far[2] = { { { 0, 0, 0 }, { 0.3f, 0, 0 }, 0.05f }, { { 0.6f, 0, 0 }, { 0.8f, 0, 0 }, 0.04f } };
    f = make(far, 2);
    int32_t first = nearest_sphere(&f, far[0].a);
    int32_t last = nearest_sphere(&f, far[1].b);
    assert_true(isinf(graph_distance(&f, first, last)));
    assert_int_equal(f.graph.befores[first * f.count + last], -1);

    GtiSphere spheres[GTI_SPHERE_MOST + 1]; // where the user wants a joint, a way leads
    memcpy(spheres, f.spheres, (size_t)f.count * sizeof *spheres);
    spheres[f.count] = (GtiSphere){ { 0.0f, 0.5f, 0.0f }, 0.01f };
    GtiSpherePacking pinned = { spheres, f.count + 1, f.packing.spacing };
    GtiSphereGraph graph;
    GtError error = { 0 };
    GT_EXPECT_OK(gti_sphere_graph_make(&f.context, &f.solid, &pinned, 1, &f.arena, &graph, &error));
    assert_true(graph.distances[first * graph.count + f.count] < INFINITY);
    gt_arena_destroy(&f.arena);
}

static void test_nothing_inside(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    Tube tube = { { 0, 0, 0 }, { 0.2f, 0, 0 }, 0.0f };
    GtiSolid solid = make_tubes(&tube, 1, CELL, &arena);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiSpherePacking packing = { .count = -1 };
    GT_EXPECT_OK(gti_medial_pack(&context, &solid, 10, &arena, &packing, &error));
    assert_int_equal(packing.count, 0);
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_fill_a_tube), cmocka_unit_test(test_a_limit_keeps_thin_limbs),
        cmocka_unit_test(test_ways_go_along_tubes), cmocka_unit_test(test_parts_are_linked_across_gaps),
        cmocka_unit_test(test_nothing_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
