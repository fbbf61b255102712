// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs with a hinge: what they must keep, and that they neither turn round nor jump where a captured knee is straight.

#include "gertie/ik.h"

#include "support/random.h"
#include "support/test.h"

static float distance(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

static GtVec3 turned(GtQuat turn, GtVec3 pivot, GtVec3 point)
{
    return gt_vec3_add(pivot, gt_quat_rotate(turn, gt_vec3_sub(point, pivot)));
}

// A leg of 0.45 and 0.4 m that hangs down, its knee bent by an angle about +X, negative for the wrong way.
static GtHingeLimb leg_bent(float bend_rad)
{
    GtVec3 shank =
        gt_quat_rotate(gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), bend_rad), gt_vec3(0.0f, -0.4f, 0.0f));
    GtHingeLimb limb = { .root = gt_vec3(0.1f, 0.9f, 0.0f), .hinge = gt_vec3(2.0f, 0.0f, 0.0f), .soft = 1.0f };
    limb.middle = gt_vec3_add(limb.root, gt_vec3(0.0f, -0.45f, 0.0f));
    limb.end = gt_vec3_add(limb.middle, shank);
    limb.target = limb.end;
    return limb;
}

static void test_targets_within_reach_are_met(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int i = 0; i < 20000; ++i) {
        GtHingeLimb limb = leg_bent(test_random_float(&random, -0.1f, 2.5f));
        float reach = test_random_float(&random, 0.06f, 0.849f);
        limb.target = gt_vec3_add(limb.root, gt_vec3_scale(test_random_direction(&random), reach));
        GtTwoBoneTurns turns = gt_ik_hinge(&limb);
        GtVec3 middle = turned(turns.root_turn, limb.root, limb.middle);
        GtVec3 end = turned(turns.middle_turn, middle, turned(turns.root_turn, limb.root, limb.end));
        GT_EXPECT_NEAR(distance(middle, turns.middle), 0.0f, 1e-6f);
        GT_EXPECT_NEAR(distance(end, turns.end), 0.0f, 2e-6f);
        GT_EXPECT_NEAR(turns.miss_m, 0.0f, 1e-6f);
        GT_EXPECT_NEAR(distance(turns.middle, turns.end), 0.4f, 1e-6f);
    }
}

static void test_a_limb_in_its_place_stays_as_it_is(void** state)
{
    (void)state;
    for (float bend_rad = 0.0f; bend_rad < 2.6f; bend_rad += 0.01f) {
        GtHingeLimb limb = leg_bent(bend_rad);
        GtTwoBoneTurns turns = gt_ik_hinge(&limb);
        GT_EXPECT_NEAR(gt_quat_angle_rad(turns.root_turn, gt_quat_identity()), 0.0f, 1e-3f);
        GT_EXPECT_NEAR(gt_quat_angle_rad(turns.middle_turn, gt_quat_identity()), 0.0f, 2e-3f);
    }
}

// The knee of a capture goes through straight and a little beyond, while the foot has to be 5 mm higher.
static void test_a_knee_that_goes_through_straight_does_not_turn_round(void** state)
{
    (void)state;
    GtTwoBoneTurns before = { 0 };
    for (int frame = 0; frame <= 200; ++frame) {
        GtHingeLimb limb = leg_bent(0.1f * cosf(0.05f * (float)frame)); // 0.1 to -0.1 rad and back
        limb.target.y += 0.005f;
        GtTwoBoneTurns turns = gt_ik_hinge(&limb);
        GT_EXPECT_NEAR(turns.miss_m, 0.0f, 1e-6f);
        assert_true(turns.middle.z > limb.root.z + 0.01f); // ahead of hip and ankle, where knees go
        assert_true(gt_quat_angle_rad(turns.root_turn, gt_quat_identity()) < 0.3f);
        if (frame > 0) {
            assert_true(distance(before.middle, turns.middle) < 0.006f);
        }
        before = turns;
    }
}

static void test_out_of_reach_it_points_there_and_softness_slows_it_down(void** state)
{
    (void)state;
    for (float soft = 0.9f; soft <= 1.0f; soft += 0.05f) {
        float before = 0.0f;
        for (float far = 0.6f; far < 1.2f; far += 0.001f) {
            GtHingeLimb limb = leg_bent(0.3f);
            limb.soft = soft;
            limb.target = gt_vec3_add(limb.root, gt_vec3(0.0f, -0.6f * far, 0.8f * far));
            GtTwoBoneTurns turns = gt_ik_hinge(&limb);
            float reach = distance(limb.root, turns.end);
            assert_true(reach <= 0.850001f);
            assert_true(reach >= before - 1e-6f);
            GT_EXPECT_NEAR(distance(limb.root, turns.middle), 0.45f, 1e-6f);
            GtVec3 line = gt_vec3_sub(turns.end, limb.root);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_cross(line, gt_vec3(0.0f, -0.6f, 0.8f))), 0.0f, 1e-5f);
            before = reach;
        }
    }
}

static void test_what_is_not_finite_leaves_it_alone(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        GtHingeLimb limb = leg_bent(0.5f);
        limb.target.x = i == 0 ? NAN : limb.target.x;
        limb.hinge.y = i == 1 ? INFINITY : limb.hinge.y;
        limb.root.z = i == 2 ? NAN : limb.root.z;
        GtTwoBoneTurns turns = gt_ik_hinge(&limb);
        GT_EXPECT_NEAR(gt_quat_angle_rad(turns.root_turn, gt_quat_identity()), 0.0f, 0.0f);
        assert_true(isinf(turns.miss_m));
    }
    GtHingeLimb none = { .soft = 0.5f }; // no bones, no hinge
    GtTwoBoneTurns turns = gt_ik_hinge(&none);
    assert_true(isfinite(turns.end.x) && isfinite(turns.miss_m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets_within_reach_are_met),
        cmocka_unit_test(test_a_limb_in_its_place_stays_as_it_is),
        cmocka_unit_test(test_a_knee_that_goes_through_straight_does_not_turn_round),
        cmocka_unit_test(test_out_of_reach_it_points_there_and_softness_slows_it_down),
        cmocka_unit_test(test_what_is_not_finite_leaves_it_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
