// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The pieces of the fit by themselves: nearest points against all points, the model against what its numbers mean,
// samples of a surface against its areas.

#include "rig/fit/grid.h"
#include "rig/fit/model.h"
#include "rig/fit/target.h"

#include "support/random.h"
#include "support/test.h"

enum {
    CLOUD = 700
};

static int32_t nearest_of_all(const GtVec3* points, const GtVec3* normals, GtVec3 p, GtVec3 n, float turn, float reach)
{
    int32_t found = GT_NONE;
    float best = INFINITY;
    for (int32_t i = 0; i < CLOUD; ++i) {
        GtVec3 d = gt_vec3_sub(points[i], p);
        GtVec3 m = gt_vec3_sub(normals[i], n);
        float value = gt_vec3_dot(d, d) + turn * turn * gt_vec3_dot(m, m);
        if (gt_vec3_length(d) <= reach && value < best) {
            best = value;
            found = i;
        }
    }
    return found;
}

static void test_nearest_is_that_of_all(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    GtVec3 points[CLOUD];
    GtVec3 normals[CLOUD];
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiPointGrid grid;
    assert_true(gti_point_grid_create(CLOUD, &arena, &grid));
    for (int32_t i = 0; i < CLOUD; ++i) {
        points[i] = gt_vec3_mul(test_random_vec3(&random, -1.0f, 1.0f), gt_vec3(0.5f, 1.0f, 0.1f));
        normals[i] = test_random_direction(&random);
    }
    gti_point_grid_fill(&grid, points, normals, CLOUD);
    int near = 0;
    for (int i = 0; i < 2000; ++i) {
        GtVec3 p = test_random_vec3(&random, -1.2f, 1.2f);
        GtVec3 n = test_random_direction(&random);
        float reach = test_random_float(&random, 0.02f, 0.6f);
        int32_t wanted = nearest_of_all(points, normals, p, n, 0.1f, reach);
        assert_int_equal(gti_point_grid_nearest(&grid, p, n, 0.1f, reach, i % CLOUD), wanted);
        near += wanted != GT_NONE;
    }
    assert_true(near > 300 && near < 1900);
    gti_point_grid_fill(&grid, points, normals, 0);
    assert_int_equal(gti_point_grid_nearest(&grid, points[0], normals[0], 0.1f, 1.0f, 0), GT_NONE);
    gt_arena_destroy(&arena);
}

typedef struct Posed {
    GtArena arena;
    GtiPersonModel model;
    GtiModelState state;
} Posed;

static void make_posed(Posed* posed)
{
    *posed = (Posed){ .arena = gt_arena_create(gt_default_allocator()) };
    assert_true(gti_person_model(0.05f, &posed->arena, &posed->model));
    assert_true(posed->model.param_count <= GTI_MODEL_MAX_PARAMS);
    gti_model_pose(&posed->model, &posed->state);
}

static GtVec3 place_of(const Posed* posed, GtHumanoidJoint joint)
{
    return gti_model_carry(&posed->state, joint, posed->model.person.skeleton.joints[joint]);
}

static void test_zeros_are_the_person(void** state)
{
    (void)state;
    static Posed posed;
    make_posed(&posed);
    for (int32_t i = 0; i < posed.model.person.count; ++i) {
        const GtiPersonPoint* point = &posed.model.person.points[i];
        GtVec3 rest = gti_model_rest(&posed.model, &posed.state, i);
        GtVec3 d = gt_vec3_sub(gti_model_place(&posed.state, point, rest), point->position);
        assert_true(gt_vec3_length(d) < 1e-5f);
        d = gt_vec3_sub(gti_model_normal(&posed.state, point), point->normal);
        assert_true(gt_vec3_length(d) < 1e-4f);
    }
    gt_arena_destroy(&posed.arena);
}

static void test_sizes_and_turns_mean_what_they_say(void** state)
{
    (void)state;
    static Posed posed;
    make_posed(&posed);
    GtVec3 elbow = place_of(&posed, GT_HUMANOID_LEFT_LOWER_ARM);
    GtVec3 wrist = place_of(&posed, GT_HUMANOID_LEFT_HAND);
    GtVec3 shoulder = place_of(&posed, GT_HUMANOID_LEFT_UPPER_ARM);
    float forearm = gt_vec3_length(gt_vec3_sub(wrist, elbow));
    posed.state.values[posed.model.first_size + GTI_SIZE_FOREARM] = logf(1.5f);
    gti_model_pose(&posed.model, &posed.state);
    GT_EXPECT_NEAR(place_of(&posed, GT_HUMANOID_LEFT_HAND).x, wrist.x + 0.5f * forearm, 1e-5);
    GT_EXPECT_NEAR(place_of(&posed, GT_HUMANOID_RIGHT_HAND).x, -wrist.x - 0.5f * forearm, 1e-5);
    GT_EXPECT_NEAR(place_of(&posed, GT_HUMANOID_LEFT_LOWER_ARM).x, elbow.x, 1e-6);
    for (int side = 0; side < 2; ++side) { // both arms down
        GtHumanoidJoint arm = side ? GT_HUMANOID_RIGHT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_ARM;
        posed.state.values[gti_model_turn(&posed.model, arm, 2)] = -1.57079633f;
    }
    posed.state.values[GTI_PARAM_SCALE] = logf(0.5f);
    gti_model_pose(&posed.model, &posed.state);
    for (int side = 0; side < 2; ++side) {
        GtVec3 hand = place_of(&posed, side ? GT_HUMANOID_RIGHT_HAND : GT_HUMANOID_LEFT_HAND);
        GT_EXPECT_NEAR(hand.x, (side ? -0.5f : 0.5f) * shoulder.x, 1e-4);
        GT_EXPECT_NEAR(hand.y, 0.5f * (shoulder.y - (elbow.x - shoulder.x) - 1.5f * forearm), 1e-4);
    }
    gt_arena_destroy(&posed.arena);
}

// A number that a bone does not list moves nothing of it.
static void test_lists_are_complete(void** state)
{
    (void)state;
    static Posed posed;
    static GtiModelSlopes slopes;
    make_posed(&posed);
    for (int32_t p = 0; p < posed.model.first_flesh; ++p) {
        posed.state.values[p] = 0.1f;
    }
    gti_model_pose(&posed.model, &posed.state);
    gti_model_slopes(&posed.model, &posed.state, &slopes);
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        for (int32_t p = 0; p < posed.model.first_flesh; ++p) {
            bool listed = false;
            for (int32_t i = 0; i < posed.model.list_counts[b]; ++i) {
                listed = listed || posed.model.lists[b][i] == p;
            }
            float most = 0.0f;
            for (int k = 0; k < 12; ++k) {
                most = fmaxf(most, fabsf(slopes.slopes[b][p].m[k / 4][k % 4]));
            }
            assert_true(listed ? most > 1e-3f : most == 0.0f);
        }
    }
    gt_arena_destroy(&posed.arena);
}

// Two squares, one four times as large as the other, in triangles of very different number.
static void test_samples_follow_areas(void** state)
{
    (void)state;
    enum {
        ROWS = 20
    };
    GtArena arena = gt_arena_create(gt_default_allocator());
    int32_t point_count = (ROWS + 1) * (ROWS + 1) + 4;
    GtiRigBody body = { .point_count = point_count };
    body.points = gt_arena_push_array(&arena, (size_t)point_count, sizeof *body.points);
    body.normals = gt_arena_push_array(&arena, (size_t)point_count, sizeof *body.normals);
    body.triangles = gt_arena_push_array(&arena, 2 * ROWS * ROWS + 2, sizeof *body.triangles);
    for (int32_t i = 0; i < (ROWS + 1) * (ROWS + 1); ++i) {
        body.points[i] = gt_vec3((float)(i % (ROWS + 1)) / ROWS, (float)(i / (ROWS + 1)) / ROWS, 0.0f);
    }
    for (int32_t i = 0; i < ROWS * ROWS; ++i) {
        int32_t a = i / ROWS * (ROWS + 1) + i % ROWS;
        const int32_t two[2][3] = { { a, a + 1, a + ROWS + 1 }, { a + 1, a + ROWS + 2, a + ROWS + 1 } };
        memcpy(body.triangles[2 * i], two, sizeof two);
    }
    int32_t first = (ROWS + 1) * (ROWS + 1);
    for (int32_t i = 0; i < 4; ++i) {
        body.points[first + i] = gt_vec3(2.0f * (float)(i & 1), 2.0f * (float)(i >> 1), 5.0f);
    }
    const int32_t large[2][3] = { { first, first + 1, first + 2 }, { first + 1, first + 3, first + 2 } };
    memcpy(body.triangles[2 * ROWS * ROWS], large, sizeof large);
    body.triangle_count = body.skin_triangle_count = 2 * ROWS * ROWS + 2;
    GtiFitTarget target;
    assert_true(gti_target_sample(&body, NULL, 1000, &arena, &target));
    assert_int_equal(target.count, 1000);
    for (int32_t part = 250; part <= 1000; part += 250) { // any first part is even
        int32_t on_small = 0;
        GtVec3 sum = { 0.0f, 0.0f, 0.0f };
        for (int32_t i = 0; i < part; ++i) {
            GT_EXPECT_NEAR(target.normals[i].z, 1.0, 1e-6); // of the triangle, where points have none
            on_small += target.points[i].z < 1.0f;
            sum = gt_vec3_add(sum, target.points[i]);
        }
        GT_EXPECT_NEAR((double)on_small / part, 0.2, 0.01);
        GT_EXPECT_NEAR(sum.x / (float)part, 0.2 * 0.5 + 0.8 * 1.0, 0.05);
        GT_EXPECT_NEAR(sum.y / (float)part, 0.2 * 0.5 + 0.8 * 1.0, 0.05);
    }
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_is_that_of_all),
        cmocka_unit_test(test_zeros_are_the_person),
        cmocka_unit_test(test_sizes_and_turns_mean_what_they_say),
        cmocka_unit_test(test_lists_are_complete),
        cmocka_unit_test(test_samples_follow_areas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
