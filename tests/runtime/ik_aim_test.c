// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Aiming against what looking means: the axis through the point meets the target, up is up, and nothing jumps.

#include "runtime/figure.h"

static const int32_t lookers[3] = { SPINE, CHEST, HEAD };
static const float shares[3] = { 1.0f, 2.0f, 7.0f };

static GtIkAim head_aim(void)
{
    GtIkAim aim = gt_default_ik_aim();
    aim.nodes = lookers;
    aim.node_count = 3;
    aim.shares = shares;
    aim.point = gt_vec3(0, 0.08f, 0.1f);
    return aim;
}

// Measured anew from the pose: the angle from the axis to the target.
static float angle_off(Figure* figure, const GtIkAim* aim)
{
    figure_place(figure, HEAD);
    const GtMat34* head = &figure->model[HEAD];
    GtVec3 way = gt_vec3_sub(aim->target, gt_mat34_point(head, aim->point));
    GtVec3 axis = gt_mat34_vector(head, aim->axis);
    return atan2f(gt_vec3_length(gt_vec3_cross(axis, way)), gt_vec3_dot(axis, way));
}

static void expect_only_lookers_turned(const Figure* figure, const GtTransform* before)
{
    for (int i = 0; i < FIGURE_NODES; ++i) {
        GtTransform expected = before[i];
        if (i == SPINE || i == CHEST || i == HEAD) {
            expected.rotation = figure->pose[i].rotation;
        }
        assert_memory_equal(&expected, &figure->pose[i], sizeof expected);
    }
}

static void test_the_axis_meets_the_target(void** state)
{
    (void)state;
    TestRandom random = { 41 };
    Figure figure = create_figure();
    for (int trial = 0; trial < 500; ++trial) {
        GtTransform before[FIGURE_NODES];
        memcpy(figure.pose, figure.rest, sizeof figure.pose);
        figure_bend(figure.pose, &random, 0.3f);
        figure.pose[WORLD].scale = trial % 2 ? gt_vec3(-1, 1, 1) : gt_vec3(1, 1, 1);
        memcpy(before, figure.pose, sizeof before);
        GtIkAim aim = head_aim();
        GtVec3 head = figure_place(&figure, HEAD);
        GtVec3 direction = test_random_direction(&random);
        aim.target = gt_vec3_add(head, gt_vec3_scale(direction, test_random_float(&random, 1.0f, 50.0f)));
        float left = gt_ik_aim(figure.character, &aim, figure.pose, figure.model);
        expect_only_lookers_turned(&figure, before);
        GtMat34 model[FIGURE_NODES];
        gt_character_to_model(figure.character, figure.pose, model);
        assert_memory_equal(model, figure.model, sizeof model);
        GT_EXPECT_NEAR(left, angle_off(&figure, &aim), 1e-4f);
        GT_EXPECT_NEAR(left, 0.0f, 2e-4f);
        GtVec3 way = gt_vec3_normalize_or(gt_vec3_sub(aim.target, gt_mat34_point(&model[HEAD], aim.point)), head);
        if (fabsf(way.y) < 0.9f) { // upright: the side of the head is level, its top above
            GtVec3 side = gt_mat34_vector(&model[HEAD], gt_vec3(1, 0, 0));
            GtVec3 top = gt_mat34_vector(&model[HEAD], gt_vec3(0, 1, 0));
            GT_EXPECT_NEAR(side.y, 0.0f, 2e-4f);
            assert_true(top.y > 0.0f);
        }
    }
    gt_character_destroy(figure.character);
}

static void test_nodes_take_their_shares(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkAim aim = head_aim();
    aim.target = gt_vec3_add(figure_place(&figure, HEAD), gt_vec3(100, 8, 100));
    gt_ik_aim(figure.character, &aim, figure.pose, figure.model);
    float turns[3];
    for (int i = 0; i < 3; ++i) {
        turns[i] = gt_quat_angle_rad(figure.pose[lookers[i]].rotation, gt_quat_identity());
    }
    GT_EXPECT_NEAR(turns[1] / turns[0], 2.0f, 1e-3f);
    GT_EXPECT_NEAR(turns[2] / turns[0], 7.0f, 1e-3f);
    gt_character_destroy(figure.character);
}

static void test_weights_scale_the_turn(void** state)
{
    (void)state;
    const float weights[] = { 0.0f, 0.25f, 1.0f };
    for (int i = 0; i < 3; ++i) {
        Figure figure = create_figure();
        GtIkAim aim = head_aim();
        aim.target = gt_vec3_add(figure_place(&figure, HEAD), gt_vec3(1e4f, 0, 0)); // 90 degrees to the left
        aim.weight = weights[i];
        float left = gt_ik_aim(figure.character, &aim, figure.pose, figure.model);
        GT_EXPECT_NEAR(left, 1.5707963f * (1.0f - weights[i]), 1e-3f);
        gt_character_destroy(figure.character);
    }
}

// A target that goes all the way round, behind and across: turns stay within the limit and never jump.
static void test_limits_are_smooth_all_round(void** state)
{
    (void)state;
    const float limit = 1.0f;
    float largest = 0.0f;
    GtQuat before = gt_quat_identity();
    for (int i = 0; i <= 3600; ++i) {
        Figure figure = create_figure();
        GtIkAim aim = head_aim();
        float angle = 0.1f * 0.017453293f * (float)i;
        GtVec3 way = gt_vec3(30.0f * sinf(angle), 0.3f, 30.0f * cosf(angle));
        aim.target = gt_vec3_add(figure_place(&figure, HEAD), way);
        aim.limit_rad = limit;
        gt_ik_aim(figure.character, &aim, figure.pose, figure.model);
        GtQuat turned = gt_mat34_polar(&figure.model[HEAD], NULL);
        float turn = gt_quat_angle_rad(turned, gt_quat_identity());
        assert_true(turn <= limit + 1e-5f);
        if (i < 400 || i > 3200) { // 40 degrees are within 0.8 of the limit
            GT_EXPECT_NEAR(angle_off(&figure, &aim), 0.0f, 2e-4f);
        }
        largest = fmaxf(largest, turn);
        if (i > 0) { // 0.1 degrees a step: behind, where it goes back, it is faster
            assert_true(gt_quat_angle_rad(before, turned) < 0.01f);
        }
        before = turned;
        gt_character_destroy(figure.character);
    }
    assert_true(largest > 0.9f * limit);
}

static void test_what_is_not_finite_turns_nothing(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkAim aim = head_aim();
    aim.target = gt_vec3(0, NAN, 0);
    assert_true(gt_ik_aim(figure.character, &aim, figure.pose, figure.model) == INFINITY);
    assert_memory_equal(figure.pose, figure.rest, sizeof figure.rest);
    aim.target = gt_vec3(0, 1, 5);
    aim.up = gt_vec3(INFINITY, 0, 0);
    assert_true(gt_ik_aim(figure.character, &aim, figure.pose, figure.model) < 1e-3f);
    aim.target = figure_place(&figure, HEAD);
    aim.point = gt_vec3(0, 0, 0);
    assert_true(isfinite(gt_ik_aim(figure.character, &aim, figure.pose, figure.model))); // at the eye itself
    gt_character_destroy(figure.character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_axis_meets_the_target),        cmocka_unit_test(test_nodes_take_their_shares),
        cmocka_unit_test(test_weights_scale_the_turn),           cmocka_unit_test(test_limits_are_smooth_all_round),
        cmocka_unit_test(test_what_is_not_finite_turns_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
