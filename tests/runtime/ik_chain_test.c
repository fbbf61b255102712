// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Chains: a tail of many joints that meets what it can reach, within its limits.

#include "gertie/ik.h"

#include "support/random.h"
#include "support/test.h"

enum {
    NODE_COUNT = 13 // twelve bones of 0.1 m, straight up from the base
};

typedef struct Tail {
    GtCharacter* character;
    GtTransform rest[NODE_COUNT];
    GtTransform pose[NODE_COUNT];
    GtMat34 model[NODE_COUNT];
    GtIkJoint joints[NODE_COUNT];
    GtIkChain chain;
} Tail;

static void create_tail(Tail* tail, float scale)
{
    int32_t parents[NODE_COUNT];
    for (int i = 0; i < NODE_COUNT; ++i) {
        parents[i] = i - 1;
        tail->rest[i] = gt_transform_identity();
        tail->rest[i].translation = gt_vec3(0, i ? 0.1f : 1.0f, 0);
        tail->joints[i] = gt_default_ik_joint();
        tail->joints[i].node = i;
    }
    tail->rest[0].scale = gt_vec3(scale, fabsf(scale), fabsf(scale));
    memcpy(tail->pose, tail->rest, sizeof tail->rest);
    GtCharacterDef def = gt_default_character_def();
    def.node_count = NODE_COUNT;
    def.parents = parents;
    def.rest = tail->rest;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &tail->character, &error));
    gt_character_to_model(tail->character, tail->pose, tail->model);
    tail->chain = gt_default_ik_chain();
    tail->chain.top = 1;
    tail->chain.end = NODE_COUNT - 1;
}

static float miss(Tail* tail)
{
    gt_character_to_model(tail->character, tail->pose, tail->model);
    GtVec3 end = gt_mat34_point(&tail->model[tail->chain.end], tail->chain.point);
    return gt_vec3_length(gt_vec3_sub(end, tail->chain.target));
}

static void test_the_end_meets_what_it_can_reach(void** state)
{
    (void)state;
    TestRandom random = { 51 };
    const float scales[] = { 1.0f, 3.0f, -2.0f };
    enum {
        TRIALS = 600
    };
    int met = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        float scale = scales[trial % 3];
        float size = fabsf(scale);
        Tail tail;
        create_tail(&tail, scale);
        tail.chain.point = gt_vec3(0, 0.05f, 0);
        tail.chain.target =
            gt_vec3_scale(test_random_direction(&random), test_random_float(&random, 0.1f, 1.0f) * size);
        tail.chain.target.y += 1.0f + 0.1f * size;
        GtIkReport report = gt_ik_chain(tail.character, &tail.chain, tail.pose, tail.model);
        met += report.met;
        assert_true(report.miss_m < 0.01f * size);
        GT_EXPECT_NEAR(miss(&tail), report.miss_m, 1e-5f * size);
        for (int i = 0; i < NODE_COUNT; ++i) {
            assert_memory_equal(&tail.pose[i].translation, &tail.rest[i].translation, sizeof(GtVec3));
        }
        assert_memory_equal(&tail.pose[0], &tail.rest[0], sizeof(GtTransform));
        gt_character_destroy(tail.character);
    }
    assert_true(met >= TRIALS - 3); // cyclic descent is slow now and then, where depends on the last digits
}

static void test_limits_hold(void** state)
{
    (void)state;
    TestRandom random = { 52 };
    int met = 0;
    int limited = 0;
    enum {
        TRIALS = 300
    };
    for (int trial = 0; trial < TRIALS; ++trial) {
        Tail tail;
        create_tail(&tail, 1.0f);
        for (int i = 0; i < NODE_COUNT; ++i) {
            if (i % 4 == 3) {
                tail.joints[i].kind = GT_IK_HINGE;
                tail.joints[i].axis = gt_vec3(1, 0, 0);
                tail.joints[i].min_turn_rad = -0.2f;
                tail.joints[i].max_turn_rad = 0.6f;
            } else {
                tail.joints[i].max_swing_rad = 0.5f;
                tail.joints[i].min_turn_rad = -0.1f;
                tail.joints[i].max_turn_rad = 0.1f;
            }
        }
        tail.chain.joints = tail.joints;
        tail.chain.joint_count = NODE_COUNT;
        GtTransform other[NODE_COUNT]; // within limits, so that its end can be met
        memcpy(other, tail.rest, sizeof other);
        for (int i = 1; i < NODE_COUNT; ++i) {
            bool hinge = tail.joints[i].kind == GT_IK_HINGE;
            float angle = test_random_float(&random, 0.0f, 0.5f);
            GtVec3 axis = gt_vec3_normalize_or(gt_vec3(test_random_float(&random, -1, 1), 0, 1), gt_vec3(1, 0, 0));
            other[i].rotation = gt_quat_from_axis_angle(hinge ? gt_vec3(1, 0, 0) : axis, angle);
        }
        gt_character_to_model(tail.character, other, tail.model);
        tail.chain.target = gt_mat34_translation(&tail.model[tail.chain.end]);
        gt_character_to_model(tail.character, tail.pose, tail.model);
        GtIkReport report = gt_ik_chain(tail.character, &tail.chain, tail.pose, tail.model);
        met += report.met;
        limited += report.limited_count;
        for (int i = 1; i < NODE_COUNT; ++i) {
            GtQuat q = tail.pose[i].rotation;
            GtVec3 bone = gt_quat_rotate(q, gt_vec3(0, 1, 0));
            if (tail.joints[i].kind == GT_IK_HINGE) {
                float turn = 2.0f * atan2f(q.x, q.w);
                assert_true(turn > -0.2f - 1e-5f && turn < 0.6f + 1e-5f && fabsf(q.y) < 1e-6f && fabsf(q.z) < 1e-6f);
            } else {
                assert_true(atan2f(hypotf(bone.x, bone.z), bone.y) < 0.5f + 1e-5f);
                assert_true(fabsf(2.0f * atan2f(q.y, q.w)) < 0.1f + 1e-5f);
            }
        }
        gt_character_destroy(tail.character);
    }
    assert_true(limited > TRIALS / 10);
    assert_true(met >= TRIALS * 95 / 100); // descent along one joint at a time can come to rest between limits
}

static void test_a_straight_chain_bends_and_a_far_target_is_pointed_at(void** state)
{
    (void)state;
    Tail tail;
    create_tail(&tail, 1.0f);
    tail.chain.target = gt_vec3(0, 1.9f, 0); // on the line, nearer than the end, which is at 2.2 m
    GtIkReport report = gt_ik_chain(tail.character, &tail.chain, tail.pose, tail.model);
    assert_true(report.met);
    tail.chain.target = gt_vec3(3, 1.1f, 0); // 1.1 m of chain from its first joint
    report = gt_ik_chain(tail.character, &tail.chain, tail.pose, tail.model);
    assert_false(report.met);
    GT_EXPECT_NEAR(report.miss_m, 1.9f, 4e-3f); // the last bends go slowly: 200 passes, or 1e-4 nearer each
    tail.chain.target = gt_vec3(0, INFINITY, 0);
    GtTransform before[NODE_COUNT];
    memcpy(before, tail.pose, sizeof before);
    report = gt_ik_chain(tail.character, &tail.chain, tail.pose, tail.model);
    assert_int_equal(report.ignored_count, 1);
    assert_memory_equal(before, tail.pose, sizeof before);
    gt_character_destroy(tail.character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_end_meets_what_it_can_reach),
        cmocka_unit_test(test_limits_hold),
        cmocka_unit_test(test_a_straight_chain_bends_and_a_far_target_is_pointed_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
