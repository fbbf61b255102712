// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Trunks that lean: closed forms, limits, and answers that do not jump.

#include "motion/touch/lean.h"
#include "support/test.h"

static const GtiTrunk upright = { .joint_count = 1,
                                  .joints = { { 0.0f, 1.0f, 0.0f } },
                                  .shoulders = { { 0.2f, 1.5f, 0.0f }, { -0.2f, 1.5f, 0.0f } } };

static GtiLeanGoal both(GtVec3 way, float left_m, float right_m)
{
    return (GtiLeanGoal){ .ways = { way, way }, .lacks_m = { left_m, right_m } };
}

static void nothing_is_done_for_nothing(void** state)
{
    (void)state;
    GtiLeanGoal goal = { 0 };
    GtVec3 turn = gti_lean(&upright, &goal);
    assert_true(gt_vec3_length(turn) == 0.0f);
}

// Ahead, about the axis to the left: sin(turn) is the way over the height. A little less is done, as turning costs.
static void shoulders_go_ahead_together(void** state)
{
    (void)state;
    GtiLeanGoal goal = both(gt_vec3(0.0f, 0.0f, 1.0f), 0.1f, 0.1f);
    GtVec3 turn = gti_lean(&upright, &goal);
    GT_EXPECT_NEAR(turn.x, asin(0.1 / 0.5), 0.01);
    GT_EXPECT_NEAR(turn.y, 0.0, 1e-6);
    GT_EXPECT_NEAR(turn.z, 0.0, 1e-6);
    GtiTrunk three = upright; // as far with three joints, each of which does a third
    three.joint_count = 3;
    three.joints[1] = gt_vec3(0.0f, 1.0f, 0.0f);
    three.joints[2] = gt_vec3(0.0f, 1.0f, 0.0f);
    GT_EXPECT_NEAR(gti_lean(&three, &goal).x, turn.x, 1e-3);
    GT_EXPECT_NEAR(gt_quat_angle_rad(gti_lean_share(&three, turn), gt_quat_identity()), turn.x / 3.0f, 1e-5);
}

static void one_shoulder_down_is_a_bend_to_its_side(void** state)
{
    (void)state;
    GtiLeanGoal goal = both(gt_vec3(0.0f, -1.0f, 0.0f), 0.06f, 0.0f);
    GtVec3 turn = gti_lean(&upright, &goal);
    assert_true(turn.z < -0.1f); // the left is +X
    GT_EXPECT_NEAR(turn.x, 0.0, 1e-6);
}

static void what_cannot_be_is_not_tried(void** state)
{
    (void)state;
    GtiLeanGoal down = both(gt_vec3(0.0f, -1.0f, 0.0f), 0.05f, 0.05f);
    assert_true(gt_vec3_length(gti_lean(&upright, &down)) < 0.01f);
    GtiLeanGoal far = both(gt_vec3(0.0f, 0.0f, 1.0f), 5.0f, 5.0f);
    float most = gt_vec3_length(gti_lean(&upright, &far));
    assert_true(most > 0.4f && most <= 0.6f);
}

// However two demands grow and change places, a millimetre more of one is a few mrad more at most.
static void answers_do_not_jump(void** state)
{
    (void)state;
    const GtVec3 ways[2] = { { 0.0f, -0.8f, 0.6f }, { 0.6f, 0.0f, 0.8f } };
    GtVec3 before = { 0.0f, 0.0f, 0.0f };
    for (int i = 0; i <= 400; ++i) {
        float t = 0.001f * (float)i;
        GtiLeanGoal goal = { .ways = { ways[0], ways[1] },
                             .lacks_m = { fmaxf(0.1f - fabsf(t - 0.1f), 0.0f), fmaxf(0.1f - fabsf(t - 0.2f), 0.0f) } };
        GtVec3 turn = gti_lean(&upright, &goal);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(turn, before)), 0.0, 0.015);
        before = turn;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_done_for_nothing),
        cmocka_unit_test(shoulders_go_ahead_together),
        cmocka_unit_test(one_shoulder_down_is_a_bend_to_its_side),
        cmocka_unit_test(what_cannot_be_is_not_tried),
        cmocka_unit_test(answers_do_not_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
