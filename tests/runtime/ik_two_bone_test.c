// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Two bones against what they must keep: lengths, the target within reach, the pole's side, and no jumps.

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

// The turns themselves bring the limb to where it is said to lie.
static void expect_turns(const GtTwoBone* limb, const GtTwoBoneTurns* turns)
{
    float size = distance(limb->root, limb->middle) + distance(limb->middle, limb->end);
    GtVec3 middle = turned(turns->root_turn, limb->root, limb->middle);
    GtVec3 end = turned(turns->middle_turn, middle, turned(turns->root_turn, limb->root, limb->end));
    GT_EXPECT_NEAR(distance(middle, turns->middle), 0.0f, 2e-6f * size);
    GT_EXPECT_NEAR(distance(end, turns->end), 0.0f, 3e-6f * size);
    GT_EXPECT_NEAR(distance(turns->end, limb->target), turns->miss_m, 1e-6f * (size + turns->miss_m));
    GT_EXPECT_NEAR(gt_quat_length(turns->root_turn), 1.0f, 1e-6f);
    GT_EXPECT_NEAR(gt_quat_length(turns->middle_turn), 1.0f, 1e-6f);
    GT_EXPECT_NEAR(distance(limb->root, turns->middle), distance(limb->root, limb->middle), 1e-6f * size);
    GT_EXPECT_NEAR(distance(turns->middle, turns->end), distance(limb->middle, limb->end), 1e-6f * size);
}

static GtTwoBone random_limb(TestRandom* random)
{
    GtTwoBone limb = { .soft = 1.0f };
    limb.root = test_random_vec3(random, -0.5f, 0.5f);
    limb.middle = gt_vec3_add(limb.root, gt_vec3_scale(test_random_direction(random), 0.45f));
    limb.end = gt_vec3_add(limb.middle, gt_vec3_scale(test_random_direction(random), 0.4f));
    limb.target =
        gt_vec3_add(limb.root, gt_vec3_scale(test_random_direction(random), test_random_float(random, 0.06f, 0.84f)));
    return limb;
}

static void test_targets_within_reach_are_met(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int i = 0; i < 20000; ++i) {
        GtTwoBone limb = random_limb(&random);
        if (i % 2) {
            limb.pole = gt_vec3_scale(test_random_direction(&random), test_random_float(&random, 0.01f, 100.0f));
        }
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        expect_turns(&limb, &turns);
        GT_EXPECT_NEAR(turns.miss_m, 0.0f, 1e-6f);
    }
}

// Off the line from root to end, to where the middle bends.
static GtVec3 bend_of(GtVec3 root, GtVec3 middle, GtVec3 end)
{
    GtVec3 line = gt_vec3_normalize_or(gt_vec3_sub(end, root), gt_vec3(0, 0, 0));
    GtVec3 upper = gt_vec3_sub(middle, root);
    return gt_vec3_sub(upper, gt_vec3_scale(line, gt_vec3_dot(line, upper)));
}

static void test_the_middle_bends_to_the_pole(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int i = 0; i < 5000; ++i) {
        GtTwoBone limb = random_limb(&random);
        limb.pole = test_random_direction(&random);
        GtVec3 line = gt_vec3_normalize_or(gt_vec3_sub(limb.target, limb.root), gt_vec3(0, 1, 0));
        GtVec3 across = gt_vec3_sub(limb.pole, gt_vec3_scale(line, gt_vec3_dot(line, limb.pole)));
        if (gt_vec3_length(across) < 0.06f) {
            continue;
        }
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        GtVec3 bend = bend_of(limb.root, turns.middle, turns.end);
        float cosine = gt_vec3_dot(bend, across) / (gt_vec3_length(bend) * gt_vec3_length(across));
        GT_EXPECT_NEAR(cosine, 1.0f, 1e-4f);
    }
}

// A joint that is a hinge before is a hinge after: root and middle turn the hinge alike.
static void test_the_middle_stays_a_hinge(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int i = 0; i < 5000; ++i) {
        GtTwoBone limb = random_limb(&random);
        GtVec3 hinge = gt_vec3_cross(gt_vec3_sub(limb.middle, limb.root), gt_vec3_sub(limb.end, limb.middle));
        GtVec3 bend = bend_of(limb.root, limb.middle, limb.end);
        if (gt_vec3_length(bend) < 0.03f) {
            continue; // all but straight
        }
        hinge = gt_vec3_normalize_or(hinge, gt_vec3(0, 0, 0));
        limb.pole = i % 2 ? test_random_direction(&random) : gt_vec3(0, 0, 0);
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        GtVec3 after_root = gt_quat_rotate(turns.root_turn, hinge);
        GtVec3 after_both = gt_quat_rotate(turns.middle_turn, after_root);
        GT_EXPECT_NEAR(distance(after_root, after_both), 0.0f, 2e-5f);
        GtVec3 new_hinge = gt_vec3_cross(gt_vec3_sub(turns.middle, limb.root), gt_vec3_sub(turns.end, turns.middle));
        float off = gt_vec3_length(bend_of(limb.root, turns.middle, turns.end));
        if (off > 0.01f) {
            GT_EXPECT_NEAR(distance(gt_vec3_normalize_or(new_hinge, hinge), after_root), 0.0f, 1e-3f);
        }
    }
}

static void test_a_limb_on_its_target_stays(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    for (int i = 0; i < 1000; ++i) {
        GtTwoBone limb = random_limb(&random);
        limb.target = limb.end;
        if (distance(limb.root, limb.end) > 0.84f) {
            continue;
        }
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        GT_EXPECT_NEAR(gt_quat_angle_rad(turns.root_turn, gt_quat_identity()), 0.0f, 2e-6f);
        GT_EXPECT_NEAR(gt_quat_angle_rad(turns.middle_turn, gt_quat_identity()), 0.0f, 2e-6f);
    }
}

// A leg that hangs, its knee slightly ahead.
static GtTwoBone leg(float knee_ahead_m)
{
    return (GtTwoBone){
        .root = gt_vec3(0, 0.9f, 0),
        .middle = gt_vec3(0, 0.9f - sqrtf(0.45f * 0.45f - knee_ahead_m * knee_ahead_m), knee_ahead_m),
        .end = gt_vec3(0, 0.9f - 2.0f * sqrtf(0.45f * 0.45f - knee_ahead_m * knee_ahead_m), 0),
        .target = gt_vec3(0, 0.1f, 0),
        .soft = 1.0f,
    };
}

static void test_the_soft_zone_is_smooth_and_exact_below(void** state)
{
    (void)state;
    GtTwoBone limb = leg(0.1f);
    limb.soft = 0.95f;
    double before[3] = { 0 };
    const double step = 1e-3;
    for (int i = 0; i <= 1200; ++i) { // 0.5 m to 1.7 m away; the soft zone begins at 0.855 m
        double away = 0.5 + step * i;
        limb.target = gt_vec3(0, (float)(0.9 - away), 0);
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        expect_turns(&limb, &turns);
        double reach = 0.9 - (double)turns.end.y;
        if (away <= 0.855) {
            GT_EXPECT_NEAR(turns.miss_m, 0.0f, 1e-6f);
        } else {
            double closed = 0.855 + 0.045 * (1.0 - exp(-(away - 0.855) / 0.045));
            GT_EXPECT_NEAR(reach, closed, 1e-6f);
            assert_true(reach <= 0.9 + 1e-6);
        }
        if (i >= 2) { // speeds of neighbours differ by less than the bend of the exponential: no kink
            double change = (reach - before[0]) - (before[0] - before[1]);
            GT_EXPECT_NEAR(change / (step * step), 0.0, 1.0 / 0.045 + 1.0);
        }
        before[1] = before[0];
        before[0] = reach;
    }
}

// The knee's angle over a target that moves through the limit of reach.
static double worst_knee_step(float soft)
{
    GtTwoBone limb = leg(0.1f);
    limb.soft = soft;
    double worst = 0.0;
    double before = -1.0;
    for (int i = 0; i <= 4000; ++i) {
        limb.target = gt_vec3(0, 0.9f - 0.7f - 1e-4f * (float)i, 0);
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        double half = (double)gt_vec3_length(bend_of(limb.root, turns.middle, turns.end)) / 0.45;
        double knee = 2.0 * asin(fmin(half, 1.0));
        worst = before < 0.0 ? worst : fmax(worst, fabs(knee - before));
        before = knee;
    }
    return worst;
}

static void test_no_knee_pops(void** state)
{
    (void)state;
    double hard = worst_knee_step(1.0f);
    double soft = worst_knee_step(0.95f);
    assert_true(hard > 0.02);   // up to sqrt(8 * 1e-4 / 0.9): the last tenth of a millimetre
    assert_true(soft < 0.0008); // as fast as where the zone begins: 1e-4 / (0.45 sin(acos(0.95)))
}

// The answer for a limb that moves through straight, and overextends, changes by little.
static void test_bends_are_continuous_through_the_straight_limb(void** state)
{
    (void)state;
    for (int with_target = 0; with_target < 2; ++with_target) {
        GtTwoBoneTurns before = { 0 };
        for (int i = -100; i <= 100; ++i) {
            GtTwoBone limb = leg(1e-5f * (float)i); // 1 mm ahead to 1 mm behind: 0.25 degrees
            limb.pole = gt_vec3(0.1f, 0, 1);
            limb.target = with_target ? gt_vec3(0.05f, 0.3f, 0.2f) : gt_vec3(0.0f, -0.5f, 0.0f);
            GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
            expect_turns(&limb, &turns);
            if (i > -100) {
                assert_true(gt_quat_angle_rad(before.root_turn, turns.root_turn) < 2e-3f);
                assert_true(gt_quat_angle_rad(before.middle_turn, turns.middle_turn) < 2e-3f);
            }
            before = turns;
        }
    }
}

static void test_answers_follow_target_and_pole(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int i = 0; i < 2000; ++i) {
        GtTwoBone limb = leg(test_random_float(&random, 0.02f, 0.3f));
        limb.soft = 0.95f;
        GtVec3 direction = test_random_direction(&random);
        direction.y = -fabsf(direction.y) - 0.3f;
        direction = gt_vec3_normalize_or(direction, gt_vec3(0, -1, 0));
        limb.target = gt_vec3_add(limb.root, gt_vec3_scale(direction, test_random_float(&random, 0.2f, 1.2f)));
        limb.pole = gt_vec3(test_random_float(&random, -0.5f, 0.5f), 0.0f, 1.0f);
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        limb.target = gt_vec3_add(limb.target, gt_vec3_scale(test_random_direction(&random), 1e-4f));
        limb.pole = gt_vec3_add(limb.pole, gt_vec3_scale(test_random_direction(&random), 1e-4f));
        GtTwoBoneTurns near = gt_ik_two_bone(&limb);
        assert_true(gt_quat_angle_rad(turns.root_turn, near.root_turn) < 5e-3f);
        assert_true(gt_quat_angle_rad(turns.middle_turn, near.middle_turn) < 5e-3f);
    }
}

static void expect_finite(const GtTwoBoneTurns* turns)
{
    const float* values = &turns->root_turn.x;
    for (size_t i = 0; i < sizeof *turns / sizeof(float); ++i) {
        assert_true(isfinite(values[i]));
    }
}

static void test_degenerate_limbs_give_finite_answers(void** state)
{
    (void)state;
    const GtVec3 o = gt_vec3(0, 0, 0);
    const GtVec3 points[] = { o,
                              gt_vec3(0, 1, 0),
                              gt_vec3(0, 2, 0),
                              gt_vec3(0, 0.5f, 0),
                              gt_vec3(1, 1, 0),
                              gt_vec3(0, -1, 0),
                              gt_vec3(0, 0, 1),
                              gt_vec3(1e-10f, 0, 0),
                              gt_vec3(1e15f, -1e15f, 1e15f) };
    enum {
        COUNT = sizeof points / sizeof points[0]
    };
    for (int i = 0; i < COUNT * COUNT * COUNT * COUNT * 2; ++i) {
        GtTwoBone limb = { .root = i % 2 ? o : gt_vec3(3, 4, 5), .soft = 1.0f };
        limb.middle = gt_vec3_add(limb.root, points[i / 2 % COUNT]);
        limb.end = gt_vec3_add(limb.root, points[i / 2 / COUNT % COUNT]);
        limb.target = gt_vec3_add(limb.root, points[i / 2 / COUNT / COUNT % COUNT]);
        limb.pole = points[i / 2 / COUNT / COUNT / COUNT % COUNT];
        GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
        expect_finite(&turns);
        expect_turns(&limb, &turns);
    }
}

static void test_targets_in_the_root_fold_the_limb(void** state)
{
    (void)state;
    GtTwoBone limb = leg(0.1f);
    limb.target = limb.root;
    GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
    expect_turns(&limb, &turns);
    GT_EXPECT_NEAR(turns.miss_m, 0.0f, 1e-6f); // equal bones
    limb.end = gt_vec3(0, 0.2f, 0);            // 0.25 m below the knee, which is 0.45 m below the hip
    limb.middle = gt_vec3(0, 0.45f, 0);
    turns = gt_ik_two_bone(&limb);
    expect_turns(&limb, &turns);
    GT_EXPECT_NEAR(turns.miss_m, 0.2f, 1e-6f);
}

static void test_what_is_not_finite_is_ignored(void** state)
{
    (void)state;
    GtTwoBone sound = leg(0.1f);
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 2; ++j) {
            GtTwoBone limb = sound;
            (&limb.root.x)[i] = j ? NAN : -INFINITY;
            GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
            assert_true(turns.root_turn.w == 1.0f && turns.middle_turn.w == 1.0f && turns.miss_m == INFINITY);
        }
    }
    GtTwoBoneTurns plain = gt_ik_two_bone(&sound);
    GtTwoBone limb = sound;
    limb.pole = gt_vec3(0, NAN, 1);
    limb.soft = NAN;
    GtTwoBoneTurns turns = gt_ik_two_bone(&limb);
    assert_memory_equal(&turns, &plain, sizeof plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets_within_reach_are_met),
        cmocka_unit_test(test_the_middle_bends_to_the_pole),
        cmocka_unit_test(test_the_middle_stays_a_hinge),
        cmocka_unit_test(test_a_limb_on_its_target_stays),
        cmocka_unit_test(test_the_soft_zone_is_smooth_and_exact_below),
        cmocka_unit_test(test_no_knee_pops),
        cmocka_unit_test(test_bends_are_continuous_through_the_straight_limb),
        cmocka_unit_test(test_answers_follow_target_and_pole),
        cmocka_unit_test(test_degenerate_limbs_give_finite_answers),
        cmocka_unit_test(test_targets_in_the_root_fold_the_limb),
        cmocka_unit_test(test_what_is_not_finite_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
