// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Points of the skin, against the mesh of the same person: they lie on it, cover it, face as it does; and against a
// fuller person's mesh, towards which they grow.

#include "person/points.h"

#include "gertie/accessor.h"

#include "support/test.h"

typedef struct Skin {
    GtScene* scene;
    GtVec3* positions;
    GtVec3* normals;
    int32_t count;
    GtArena arena;
} Skin;

static GtPersonDef test_def(void)
{
    GtPersonDef def = gt_default_person_def();
    def.height_m = 1.0;
    def.triangle_count = 30000;
    return def;
}

static Skin make_skin(const GtPersonDef* def)
{
    Skin skin = { .arena = gt_arena_create(gt_default_allocator()) };
    GtContext context = gt_default_context();
    GtError error;
    GT_EXPECT_OK(gt_sample_person(&context, def, &skin.scene, NULL, &error));
    const GtPrimitive* primitive = &skin.scene->meshes[0].primitives[0];
    int32_t accessor = gt_primitive_find(primitive, "POSITION");
    skin.count = (int32_t)skin.scene->accessors[accessor].count;
    skin.positions = gt_arena_push_array(&skin.arena, (size_t)skin.count, sizeof *skin.positions);
    skin.normals = gt_arena_push_array(&skin.arena, (size_t)skin.count, sizeof *skin.normals);
    gt_accessor_read_floats(skin.scene, accessor, 0, (uint64_t)skin.count, &skin.positions[0].x);
    gt_accessor_read_floats(skin.scene, gt_primitive_find(primitive, "NORMAL"), 0, (uint64_t)skin.count,
                            &skin.normals[0].x);
    return skin;
}

static void destroy_skin(Skin* skin)
{
    gt_scene_destroy(skin->scene);
    gt_arena_destroy(&skin->arena);
}

static int32_t nearest(const GtVec3* points, int32_t count, GtVec3 p)
{
    int32_t best = 0;
    float least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        GtVec3 d = gt_vec3_sub(points[i], p);
        float away2 = gt_vec3_dot(d, d);
        if (away2 < least) {
            least = away2;
            best = i;
        }
    }
    return best;
}

static void test_points_lie_on_the_skin(void** state)
{
    (void)state;
    GtPersonDef def = test_def();
    Skin skin = make_skin(&def);
    GtiPersonPoints person;
    assert_true(gti_person_points(&def, 0.02f, &skin.arena, &person));
    assert_true(person.count > 1200 && person.count < 2600);
    int turned = 0;
    for (int32_t i = 0; i < person.count; ++i) {
        int32_t v = nearest(skin.positions, skin.count, person.points[i].position);
        GtVec3 d = gt_vec3_sub(person.points[i].position, skin.positions[v]);
        assert_true(gt_vec3_length(d) < 0.012f); // vertices are up to that far apart
        assert_true(fabsf(gt_vec3_dot(d, skin.normals[v])) < 0.003f);
        GT_EXPECT_NEAR(gt_vec3_length(person.points[i].normal), 1.0, 1e-4);
        turned += gt_vec3_dot(person.points[i].normal, skin.normals[v]) < 0.5f;
    }
    assert_true(turned < person.count / 50); // at lips, nostrils and between fingers
    destroy_skin(&skin);
}

static void test_points_cover_the_skin(void** state)
{
    (void)state;
    GtPersonDef def = test_def();
    Skin skin = make_skin(&def);
    GtiPersonPoints person;
    assert_true(gti_person_points(&def, 0.02f, &skin.arena, &person));
    GtVec3* places = gt_arena_push_array(&skin.arena, (size_t)person.count, sizeof *places);
    for (int32_t i = 0; i < person.count; ++i) {
        places[i] = person.points[i].position;
    }
    for (int32_t v = 0; v < skin.count; v += 5) {
        GtVec3 near = places[nearest(places, person.count, skin.positions[v])];
        assert_true(gt_vec3_length(gt_vec3_sub(near, skin.positions[v])) < 0.03f);
    }
    destroy_skin(&skin);
}

static void test_sides_mirror_and_weights_sum(void** state)
{
    (void)state;
    GtPersonDef def = test_def();
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiPersonPoints person;
    assert_true(gti_person_points(&def, 0.03f, &arena, &person));
    assert_int_equal(person.count % 2, 0);
    for (int32_t i = 0; i < person.count / 2; ++i) {
        const GtiPersonPoint* left = &person.points[i];
        const GtiPersonPoint* right = &person.points[person.count / 2 + i];
        assert_true(left->position.x > 0.0f);
        GT_EXPECT_NEAR(left->position.x, -right->position.x, 0.0);
        GT_EXPECT_NEAR(left->position.z, right->position.z, 0.0);
        float sum = 0.0f;
        for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
            sum += left->weights[k];
            assert_int_equal(gt_humanoid_mirror((GtHumanoidJoint)left->joints[k]), right->joints[k]);
        }
        GT_EXPECT_NEAR(sum, 1.0, 1e-5);
    }
    gt_arena_destroy(&arena);
}

// Where points have grown to lies nearer to the fuller skin than where they were.
static void test_flesh_grows(void** state)
{
    (void)state;
    GtPersonDef def = test_def();
    GtPersonDef heavy = def;
    heavy.build += 0.25;
    Skin skin = make_skin(&heavy);
    GtiPersonPoints person;
    assert_true(gti_person_points(&def, 0.03f, &skin.arena, &person));
    double before = 0.0;
    double after = 0.0;
    for (int32_t i = 0; i < person.count; ++i) {
        const GtiPersonPoint* point = &person.points[i];
        GtVec3 grown =
            gt_vec3_add(point->position, gt_vec3_scale(point->normal, 0.25f * point->growth[GTI_FLESH_BUILD]));
        int32_t v = nearest(skin.positions, skin.count, grown);
        before += fabs((double)gt_vec3_dot(gt_vec3_sub(point->position, skin.positions[v]), skin.normals[v]));
        after += fabs((double)gt_vec3_dot(gt_vec3_sub(grown, skin.positions[v]), skin.normals[v]));
    }
    assert_true(before / person.count > 5e-4);
    assert_true(after < 0.4 * before);
    destroy_skin(&skin);
}

static void test_out_of_memory(void** state)
{
    (void)state;
    GtPersonDef def = test_def();
    bool ok = false;
    int64_t allowed = 0;
    for (; !ok && allowed < 100; ++allowed) {
        TestAllocator counter = { .remaining = allowed };
        GtArena arena = gt_arena_create(test_allocator(&counter));
        GtiPersonPoints person;
        ok = gti_person_points(&def, 0.05f, &arena, &person);
        gt_arena_destroy(&arena);
        assert_int_equal(counter.alive, 0);
    }
    assert_true(ok && allowed > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_lie_on_the_skin),
        cmocka_unit_test(test_points_cover_the_skin),
        cmocka_unit_test(test_sides_mirror_and_weights_sum),
        cmocka_unit_test(test_flesh_grows),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
