// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Solids of surfaces, against formulas of balls and against winding numbers and distances by definition, triangle by
// triangle.

#include "geometry/nearest.h"
#include "geometry/orient.h"
#include "geometry/solid.h"
#include "geometry/solid_parts.h"

#include "support/random.h"
#include "support/test.h"

#define TEST_PI 3.14159265358979323846

enum {
    RINGS = 24,
    SECTORS = 40,
    BALL_POINTS = (RINGS - 1) * SECTORS + 2,
    BALL_TRIANGLES = 2 * (RINGS - 1) * SECTORS
};

typedef struct Surface {
    GtArena arena;
    GtiTrimesh mesh;
} Surface;

static Surface make_surface(void)
{
    Surface s = { gt_arena_create(gt_default_allocator()), { 0 } };
    s.mesh.positions = gt_arena_push(&s.arena, 8 * BALL_POINTS * sizeof(GtVec3));
    s.mesh.triangles = gt_arena_push(&s.arena, 8 * BALL_TRIANGLES * sizeof(int32_t[3]));
    return s;
}

static void add_triangle(GtiTrimesh* mesh, int32_t a, int32_t b, int32_t c)
{
    int32_t* t = mesh->triangles[mesh->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// Rings of a ball from the top (0) down to ring `end` (RINGS for all of it), outwards.
static void add_ball(GtiTrimesh* mesh, GtVec3 centre, float radius, int end)
{
    int32_t top = mesh->vertex_count;
    mesh->positions[mesh->vertex_count++] = gt_vec3_add(centre, gt_vec3(0, radius, 0));
    for (int ring = 1; ring < RINGS; ++ring) {
        double down = TEST_PI * ring / RINGS;
        for (int sector = 0; sector < SECTORS; ++sector) {
            double turn = 2.0 * TEST_PI * sector / SECTORS;
            GtVec3 out = gt_vec3((float)(sin(down) * cos(turn)), (float)cos(down), (float)(sin(down) * sin(turn)));
            mesh->positions[mesh->vertex_count++] = gt_vec3_add(centre, gt_vec3_scale(out, radius));
        }
    }
    int32_t bottom = mesh->vertex_count;
    mesh->positions[mesh->vertex_count++] = gt_vec3_add(centre, gt_vec3(0, -radius, 0));
    for (int ring = 0; ring < end; ++ring) {
        for (int sector = 0; sector < SECTORS; ++sector) {
            int next = (sector + 1) % SECTORS;
            int32_t above = top + 1 + (ring - 1) * SECTORS;
            int32_t below = above + SECTORS;
            if (ring == 0) {
                add_triangle(mesh, top, below + next, below + sector);
            } else if (ring == RINGS - 1) {
                add_triangle(mesh, bottom, above + sector, above + next);
            } else {
                add_triangle(mesh, above + sector, above + next, below + next);
                add_triangle(mesh, above + sector, below + next, below + sector);
            }
        }
    }
}

static void make_solid(const GtiTrimesh* mesh, float cell, GtArena* arena, GtiSolid* out)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GT_EXPECT_OK(gti_solid_make(&context, mesh, cell, 4 << 20, arena, out, &error));
    for (size_t i = 0; i < (size_t)out->counts[0] * (size_t)out->counts[1] * (size_t)out->counts[2]; ++i) {
        assert_true(isfinite(out->distances[i]));
    }
}

static void orient(GtiTrimesh* mesh, int32_t* turned)
{
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiEdges edges;
    assert_true(gti_edges_find(mesh, &arena, &edges));
    assert_true(gti_orient(mesh, &edges, gt_default_allocator(), turned));
    gt_arena_destroy(&arena);
}

// By definition: the sum of solid angles (van Oosterom and Strackee) over a whole turn.
static double winding_of(const GtiTrimesh* mesh, GtVec3 p)
{
    double sum = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        double v[3][3];
        double length[3];
        for (int k = 0; k < 3; ++k) {
            GtVec3 q = mesh->positions[mesh->triangles[i][k]];
            v[k][0] = (double)q.x - (double)p.x;
            v[k][1] = (double)q.y - (double)p.y;
            v[k][2] = (double)q.z - (double)p.z;
            length[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
        }
        double above = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                       v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                       v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        double below = length[0] * length[1] * length[2];
        for (int k = 0; k < 3; ++k) {
            int l = (k + 1) % 3;
            below += (v[k][0] * v[l][0] + v[k][1] * v[l][1] + v[k][2] * v[l][2]) * length[(k + 2) % 3];
        }
        sum += 2.0 * atan2(above, below);
    }
    return sum / (4.0 * TEST_PI);
}

static double distance_of(const GtiTrimesh* mesh, GtVec3 p)
{
    double least = INFINITY;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t* t = mesh->triangles[i];
        GtVec3 q = gti_nearest_on_triangle(p, mesh->positions[t[0]], mesh->positions[t[1]], mesh->positions[t[2]]);
        least = fmin(least, (double)gt_vec3_length(gt_vec3_sub(q, p)));
    }
    return least;
}

// Signs against winding numbers where those are clear, at every so manyth cell. How many were compared inside.
static int compare_signs(const GtiTrimesh* mesh, const GtiSolid* solid, int every, double clear)
{
    int inside_count = 0;
    int wrong = 0;
    for (int32_t z = 0; z < solid->counts[2]; z += every) {
        for (int32_t y = 0; y < solid->counts[1]; y += every) {
            for (int32_t x = 0; x < solid->counts[0]; x += every) {
                double w = winding_of(mesh, gti_solid_centre(solid, x, y, z));
                bool inside = solid->distances[gti_solid_index(solid, x, y, z)] < 0.0f;
                wrong += fabs(w - 0.5) > clear && inside != (w > 0.5);
                inside_count += inside;
            }
        }
    }
    assert_int_equal(wrong, 0);
    return inside_count;
}

static void test_a_ball(void** state)
{
    (void)state;
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(3, -2, 7), 0.5f, RINGS);
    GtiSolid solid;
    make_solid(&s.mesh, 0.02f, &s.arena, &solid);
    GT_EXPECT_NEAR(solid.cell, 0.02, 1e-7);
    int64_t inside = 0;
    double volume = gti_trimesh_shape(&s.mesh).volume_m3;
    for (int32_t z = 0; z < solid.counts[2]; ++z) {
        for (int32_t y = 0; y < solid.counts[1]; ++y) {
            for (int32_t x = 0; x < solid.counts[0]; ++x) {
                GtVec3 p = gti_solid_centre(&solid, x, y, z);
                double out = (double)gt_vec3_length(gt_vec3_sub(p, gt_vec3(3, -2, 7))) - 0.5;
                double d = (double)solid.distances[gti_solid_index(&solid, x, y, z)];
                inside += d < 0.0;
                // Facets are up to 0.003 within the ball.
                GT_EXPECT_NEAR(d, out, out < 0.036 ? 0.0035 : 0.003 + 0.5 * 0.02);
            }
        }
    }
    GT_EXPECT_NEAR((double)inside * pow(0.02, 3), volume, 0.01 * volume);
    TestRandom random = { 3 };
    for (int i = 0; i < 300; ++i) {
        GtVec3 p = gt_vec3_add(gt_vec3(3, -2, 7), test_random_vec3(&random, -0.5f, 0.5f));
        double d = distance_of(&s.mesh, p);
        double out = winding_of(&s.mesh, p) > 0.5 ? -d : d;
        if (fabs(d) < 0.4) { // the middle is a kink
            GT_EXPECT_NEAR(gti_solid_distance(&solid, p), out, 0.006);
        }
    }
    gt_arena_destroy(&s.arena);
}

static void test_questions(void** state)
{
    (void)state;
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(-0.6f, 0, 0), 0.5f, RINGS);
    add_ball(&s.mesh, gt_vec3(0.6f, 0, 0), 0.5f, RINGS);
    GtiSolid solid;
    make_solid(&s.mesh, 0.02f, &s.arena, &solid);
    GtVec3 g = gti_solid_gradient(&solid, gt_vec3(0.6f, 0.3f, 0));
    GT_EXPECT_NEAR(g.y, 1.0, 0.05);
    GT_EXPECT_NEAR(g.x, 0.0, 0.1);
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(0.6f, 10, 0)), 9.5, 0.1);
    assert_true(gti_solid_sees(&solid, gt_vec3(0.9f, 0, 0), gt_vec3(0.3f, 0, 0), 0.0f));
    assert_false(gti_solid_sees(&solid, gt_vec3(-0.6f, 0, 0), gt_vec3(0.6f, 0, 0), 0.0f));
    assert_true(gti_solid_sees(&solid, gt_vec3(-0.6f, 0, 0), gt_vec3(0.6f, 0, 0), 0.12f));
    assert_false(gti_solid_sees(&solid, gt_vec3(0.9f, 0, 0), gt_vec3(0.3f, 0, 0), -0.25f));
    assert_true(isfinite(gti_solid_distance(&solid, gt_vec3(0, 0, 1e30f))));
    gt_arena_destroy(&s.arena);
}

static void test_triangles_any_way_round_are_oriented(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    for (int end = RINGS / 2; end <= RINGS; end += RINGS / 2) { // a hemisphere without its floor, and a ball
        Surface s = make_surface();
        add_ball(&s.mesh, gt_vec3(3, 0, 0), 1.0f, end);
        add_ball(&s.mesh, gt_vec3(3, 0, 0), 0.5f, end); // its own outside counts, nested or not
        int32_t expected = 0;
        for (int32_t i = 0; i < s.mesh.triangle_count; ++i) {
            if (test_random_float(&random, 0.0f, 1.0f) < 0.7f) {
                int32_t* t = s.mesh.triangles[i];
                int32_t swap = t[0];
                t[0] = t[1];
                t[1] = swap;
                ++expected;
            }
        }
        int32_t turned = 0;
        orient(&s.mesh, &turned);
        assert_int_equal(turned, expected);
        for (int32_t i = 0; i < s.mesh.triangle_count; ++i) {
            const int32_t* t = s.mesh.triangles[i];
            GtVec3 a = gt_vec3_sub(s.mesh.positions[t[0]], gt_vec3(3, 0, 0));
            GtVec3 b = gt_vec3_sub(s.mesh.positions[t[1]], gt_vec3(3, 0, 0));
            GtVec3 c = gt_vec3_sub(s.mesh.positions[t[2]], gt_vec3(3, 0, 0));
            assert_true(gt_vec3_dot(gt_vec3_cross(a, b), c) > 0.0f);
        }
        gt_arena_destroy(&s.arena);
    }
}

// What the boundary adds to crossings is the winding number, for a shell with many holes of all sizes.
static void test_rims(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(0, 0, 0), 1.0f, 2 * RINGS / 3);
    for (int32_t i = 0; i < s.mesh.triangle_count; ++i) {
        if (test_random_float(&random, 0.0f, 1.0f) < 0.1f) {
            memcpy(s.mesh.triangles[i], s.mesh.triangles[--s.mesh.triangle_count], sizeof(int32_t[3]));
        }
    }
    GtiRim* rim = NULL;
    assert_true(gti_rim_make(&s.mesh, &s.arena, &rim));
    assert_non_null(rim);
    for (int i = 0; i < 2000; ++i) {
        GtVec3 p = test_random_vec3(&random, -1.3f, 1.3f);
        int64_t steps = 0;
        double added = (double)gti_rim_winding(rim, p, &steps);
        assert_true(steps > 0); // which gti_solid_fill() has a limit of
        double winding = winding_of(&s.mesh, p);
        double crossings = winding - added; // is a whole number
        GT_EXPECT_NEAR(crossings, round(crossings), 0.01);
        bool before = p.x < -1.0f || p.y * p.y + p.z * p.z > 1.0f;
        if (before) {
            GT_EXPECT_NEAR(crossings, 0.0, 0.01);
        }
    }
    Surface closed = make_surface();
    add_ball(&closed.mesh, gt_vec3(0, 0, 0), 1.0f, RINGS);
    assert_true(gti_rim_make(&closed.mesh, &closed.arena, &rim));
    assert_null(rim);
    gt_arena_destroy(&closed.arena);
    gt_arena_destroy(&s.arena);
}

static void test_open_shells_are_closed_by_films(void** state)
{
    (void)state;
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(0, 0, 0), 1.0f, RINGS / 2);
    GtiSolid solid;
    make_solid(&s.mesh, 0.05f, &s.arena, &solid);
    assert_true(compare_signs(&s.mesh, &solid, 4, 0.03) > 60);
    // The film over the floor of a hemisphere is flat in the middle, where the winding number of the dome is 1/2.
    float deepest = gti_solid_distance(&solid, gt_vec3(0, 0.3f, 0));
    assert_true(deepest < -0.15f && deepest > -0.6f);
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(0, -0.5f, 0)),
                   0.5f + gti_solid_distance(&solid, gt_vec3(0, 0, 0)), 0.1);
    gt_arena_destroy(&s.arena);
}

static void test_holes_everywhere(void** state)
{
    (void)state;
    TestRandom random = { 17 };
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(-0.4f, 0, 0), 0.7f, RINGS);
    add_ball(&s.mesh, gt_vec3(0.5f, 0.1f, 0), 0.6f, RINGS);
    for (int32_t i = 0; i < s.mesh.triangle_count; ++i) {
        if (test_random_float(&random, 0.0f, 1.0f) < 0.08f) {
            memcpy(s.mesh.triangles[i], s.mesh.triangles[--s.mesh.triangle_count], sizeof(int32_t[3]));
        }
    }
    GtiSolid solid;
    make_solid(&s.mesh, 0.04f, &s.arena, &solid);
    assert_true(compare_signs(&s.mesh, &solid, 5, 0.2) > 100);
    gt_arena_destroy(&s.arena);
}

// Walls within a solid do not count.
static void test_nested_and_overlapping(void** state)
{
    (void)state;
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(0, 0, 0), 1.0f, RINGS);
    add_ball(&s.mesh, gt_vec3(0, 0, 0), 0.5f, RINGS);
    add_ball(&s.mesh, gt_vec3(1.2f, 0, 0), 0.8f, RINGS);
    GtiSolid solid;
    make_solid(&s.mesh, 0.04f, &s.arena, &solid);
    assert_true(compare_signs(&s.mesh, &solid, 6, 0.1) > 60);
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(0, 0, 0)), -1.0, 0.08);
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(-0.5f, 0, 0)), -0.5, 0.02);
    // Between the balls, the nearest of the outside is the circle where they meet: at x = 0.75, 0.661 from the axis.
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(0.75f, 0, 0)), -0.661, 0.08);
    gt_arena_destroy(&s.arena);
}

static void test_odd_input(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    Surface s = make_surface();
    GtiSolid solid;
    s.mesh.positions[0] = gt_vec3(0, 0, 0);
    s.mesh.positions[1] = gt_vec3(1, 0, 0);
    s.mesh.positions[2] = gt_vec3(0.5f, 0, 0);
    s.mesh.positions[3] = gt_vec3(NAN, INFINITY, 3e38f); // of no triangle
    s.mesh.positions[4] = gt_vec3(0, 0, 1);
    s.mesh.vertex_count = 5;
    GT_EXPECT_ERROR(gti_solid_make(&context, &s.mesh, 0.1f, 1000, &s.arena, &solid, &error), GT_ERROR_BAD_VALUE,
                    "without triangles");
    add_triangle(&s.mesh, 0, 1, 2); // without area
    make_solid(&s.mesh, 0.05f, &s.arena, &solid);
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(1, 0.1f, 0)), 0.1, 0.03);
    add_triangle(&s.mesh, 0, 1, 4); // one that encloses nothing, thrice: a fin
    add_triangle(&s.mesh, 0, 1, 4);
    add_triangle(&s.mesh, 1, 0, 4);
    make_solid(&s.mesh, 0.05f, &s.arena, &solid);
    GT_EXPECT_NEAR(gti_solid_distance(&solid, gt_vec3(0.2f, 0.08f, 0.2f)), 0.08, 0.02);
    for (int i = 0; i < 5; ++i) {
        s.mesh.positions[i] = gt_vec3_scale(s.mesh.positions[i], 1e14f);
    }
    make_solid(&s.mesh, 1e-30f, &s.arena, &solid); // the limit of cells holds
    assert_true((int64_t)solid.counts[0] * solid.counts[1] * solid.counts[2] <= 4 << 20);
    gt_arena_destroy(&s.arena);
}

// Large triangles, many times over: the cell grows until there is little work.
static void test_work_is_bounded(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    enum {
        COUNT = 200000
    };
    GtVec3 points[4] = { { 0, 0, 0 }, { 1, 0.1f, 0 }, { 0, 1, 0.2f }, { 0.3f, 0.3f, 1 } };
    GtiTrimesh mesh = { points, 4, gt_arena_push(&arena, COUNT * sizeof(int32_t[3])), 0 };
    for (int i = 0; i < COUNT; ++i) {
        add_triangle(&mesh, i % 4, (i + 1) % 4, (i + 2) % 4);
    }
    GtiSolid solid;
    make_solid(&mesh, 1.0f / 256.0f, &arena, &solid);
    assert_true(solid.cell > 1.0f / 40.0f);
    gt_arena_destroy(&arena);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    Surface s = make_surface();
    add_ball(&s.mesh, gt_vec3(0, 0, 0), 1.0f, RINGS / 2);
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        assert_true(allowed < 200);
        TestAllocator allocator = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&allocator);
        GtArena arena = gt_arena_create(context.allocator);
        GtError error = { 0 };
        GtiSolid solid;
        GtResult result = gti_solid_make(&context, &s.mesh, 0.1f, 1 << 20, &arena, &solid, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        done = result == GT_OK;
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
    gt_arena_destroy(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_triangles_any_way_round_are_oriented),
        cmocka_unit_test(test_rims),
        cmocka_unit_test(test_open_shells_are_closed_by_films),
        cmocka_unit_test(test_holes_everywhere),
        cmocka_unit_test(test_nested_and_overlapping),
        cmocka_unit_test(test_odd_input),
        cmocka_unit_test(test_work_is_bounded),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
