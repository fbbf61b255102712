// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs of characters: twist joints in between, scaled, mirrored and sheared parents, and all that must stay.

#include "gertie/ik.h"

#include "support/random.h"
#include "support/test.h"

enum {
    HIPS,
    THIGH,
    THIGH_TWIST,
    SHANK,
    SHANK_TWIST,
    FOOT,
    TOES,
    OTHER, // a node that hangs from the hips
    NODE_COUNT
};

typedef struct Leg {
    GtCharacter* character;
    GtTransform pose[NODE_COUNT];
    GtTransform before[NODE_COUNT];
    GtMat34 model[NODE_COUNT];
    GtIkLimb limb;
} Leg;

static Leg create_leg(TestRandom* random, GtVec3 root_scale)
{
    static const int32_t parents[NODE_COUNT] = { GT_NONE, HIPS, THIGH, THIGH_TWIST, SHANK, SHANK_TWIST, FOOT, HIPS };
    Leg leg;
    for (int i = 0; i < NODE_COUNT; ++i) {
        leg.pose[i] = gt_transform_identity();
        leg.pose[i].rotation = test_random_rotation(random);
        leg.pose[i].translation = test_random_vec3(random, -0.3f, 0.3f);
    }
    leg.pose[HIPS].scale = root_scale;
    memcpy(leg.before, leg.pose, sizeof leg.pose);
    GtCharacterDef def = gt_default_character_def();
    def.node_count = NODE_COUNT;
    def.parents = parents;
    def.rest = leg.pose;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &leg.character, &error));
    gt_character_to_model(leg.character, leg.pose, leg.model);
    leg.limb = gt_default_ik_limb();
    leg.limb.nodes[0] = THIGH;
    leg.limb.nodes[1] = SHANK;
    leg.limb.nodes[2] = FOOT;
    leg.limb.soft = 1.0f;
    return leg;
}

static GtVec3 place(const Leg* leg, int node)
{
    return gt_mat34_translation(&leg->model[node]);
}

static float distance(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

// Matrices are those of the pose, and nothing but rotations of the limb has changed.
static void expect_consistent(const Leg* leg)
{
    GtMat34 model[NODE_COUNT];
    gt_character_to_model(leg->character, leg->pose, model);
    assert_memory_equal(model, leg->model, sizeof model);
    for (int i = 0; i < NODE_COUNT; ++i) {
        GtTransform expected = leg->before[i];
        if (i == THIGH || i == SHANK || (i == FOOT && leg->limb.keep_end_turned)) {
            expected.rotation = leg->pose[i].rotation;
        }
        assert_memory_equal(&expected, &leg->pose[i], sizeof expected);
    }
}

static void test_the_end_meets_the_target(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    const GtVec3 scales[] = { { 1, 1, 1 }, { 2, 2, 2 }, { -1, 1, 1 }, { -0.5f, -0.5f, -0.5f } };
    for (int i = 0; i < 400; ++i) {
        GtVec3 scale = scales[i % 4];
        Leg leg = create_leg(&random, scale);
        float size = fabsf(scale.x);
        float upper = distance(place(&leg, THIGH), place(&leg, SHANK));
        float lower = distance(place(&leg, SHANK), place(&leg, FOOT));
        float away = fabsf(upper - lower) + test_random_float(&random, 0.01f, 0.99f) * 2.0f * fminf(upper, lower);
        leg.limb.target =
            gt_vec3_add(place(&leg, THIGH), gt_vec3_scale(test_random_direction(&random), fminf(away, upper + lower)));
        leg.limb.pole = i % 3 ? test_random_direction(&random) : gt_vec3(0, 0, 0);
        leg.limb.keep_end_turned = i % 2;
        GtQuat foot_before = gt_mat34_polar(&leg.model[FOOT], NULL);
        GtTwoBoneTurns turns = gt_ik_limb(leg.character, &leg.limb, leg.pose, leg.model);
        expect_consistent(&leg);
        GT_EXPECT_NEAR(distance(place(&leg, FOOT), leg.limb.target), 0.0f, 2e-6f * size);
        GT_EXPECT_NEAR(turns.miss_m, distance(place(&leg, FOOT), leg.limb.target), 1e-6f * size);
        GT_EXPECT_NEAR(distance(place(&leg, SHANK), turns.middle), 0.0f, 2e-6f * size);
        GT_EXPECT_NEAR(distance(place(&leg, THIGH), place(&leg, SHANK)), upper, 2e-6f * size);
        GtQuat turned = gt_quat_mul(gt_quat_mul(turns.middle_turn, turns.root_turn), foot_before);
        GtQuat foot = gt_mat34_polar(&leg.model[FOOT], NULL);
        GT_EXPECT_NEAR(gt_quat_angle_rad(foot, leg.limb.keep_end_turned ? foot_before : turned), 0.0f, 3e-6f);
        gt_character_destroy(leg.character);
    }
}

// Under uneven scale bones change their length as they turn; the end still meets what the limb can reach.
static void test_uneven_scale_is_solved_in_rounds(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    int met = 0;
    enum {
        COUNT = 200
    };
    for (int i = 0; i < COUNT; ++i) {
        Leg leg = create_leg(&random, gt_vec3(1.0f, 1.3f, 0.8f));
        GtTransform goal[NODE_COUNT];
        memcpy(goal, leg.pose, sizeof goal); // where another pose of the limb puts its end, so that it can be met
        goal[THIGH].rotation = gt_quat_slerp(goal[THIGH].rotation, test_random_rotation(&random), 0.3f);
        goal[SHANK].rotation = gt_quat_slerp(goal[SHANK].rotation, test_random_rotation(&random), 0.3f);
        GtMat34 model[NODE_COUNT];
        gt_character_to_model(leg.character, goal, model);
        leg.limb.target = gt_mat34_translation(&model[FOOT]);
        GtTwoBoneTurns turns = gt_ik_limb(leg.character, &leg.limb, leg.pose, leg.model);
        expect_consistent(&leg);
        met += turns.miss_m < 1e-4f;
        gt_character_destroy(leg.character);
    }
    assert_true(met >= COUNT * 9 / 10); // the rest: folded limbs, whose least distance changes with their plane
}

static void test_a_target_that_is_not_finite_leaves_the_pose(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    Leg leg = create_leg(&random, gt_vec3(1, 1, 1));
    leg.limb.target = gt_vec3(0, NAN, 0);
    leg.limb.keep_end_turned = true;
    GtTwoBoneTurns turns = gt_ik_limb(leg.character, &leg.limb, leg.pose, leg.model);
    assert_true(turns.miss_m == INFINITY);
    for (int i = 0; i < NODE_COUNT; ++i) {
        GT_EXPECT_NEAR(gt_quat_angle_rad(leg.pose[i].rotation, leg.before[i].rotation), 0.0f, 1e-6f);
    }
    gt_character_destroy(leg.character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_end_meets_the_target),
        cmocka_unit_test(test_uneven_scale_is_solved_in_rounds),
        cmocka_unit_test(test_a_target_that_is_not_finite_leaves_the_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
