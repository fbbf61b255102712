// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Random skeletons with random limits, asked for anything: numbers stay finite, bones keep their lengths, and nothing
// that is not asked to turn does.

#include "runtime/figure.h"

enum {
    MOST_NODES = 24,
    MOST_EFFECTORS = 5
};

typedef struct Skeleton {
    int32_t node_count;
    int32_t parents[MOST_NODES];
    GtTransform rest[MOST_NODES];
    GtCharacter* character;
} Skeleton;

static int32_t random_below(TestRandom* random, int32_t count)
{
    return (int32_t)(test_random_bits(random) % (uint64_t)count);
}

static Skeleton create_skeleton(TestRandom* random)
{
    Skeleton skeleton = { .node_count = 3 + random_below(random, MOST_NODES - 2) };
    for (int32_t i = 0; i < skeleton.node_count; ++i) {
        bool chain = random_below(random, 3) != 0;
        skeleton.parents[i] = i == 0 ? GT_NONE : chain ? i - 1 : random_below(random, i);
        skeleton.rest[i] = gt_transform_identity();
        skeleton.rest[i].rotation = random_below(random, 3) ? test_random_rotation(random) : gt_quat_identity();
        if (random_below(random, 10)) { // else on its parent
            skeleton.rest[i].translation = gt_vec3_scale(test_random_direction(random), 0.3f);
        }
    }
    float scale = test_random_float(random, 0.1f, 10.0f);
    skeleton.rest[0].scale = gt_vec3(random_below(random, 5) ? scale : -scale, scale, scale);
    GtCharacterDef def = gt_default_character_def();
    def.node_count = skeleton.node_count;
    def.parents = skeleton.parents;
    def.rest = skeleton.rest;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &skeleton.character, &error));
    return skeleton;
}

static float bone_length(const Skeleton* skeleton, const GtMat34* model, int32_t node)
{
    int32_t parent = skeleton->parents[node];
    return parent == GT_NONE ? 0.0f
                             : distance(gt_mat34_translation(&model[node]), gt_mat34_translation(&model[parent]));
}

// Only rotations have changed, and all bones are as long as they were.
static void expect_sound(const Skeleton* skeleton, const GtTransform* pose, bool top_may_move)
{
    GtMat34 before[MOST_NODES];
    GtMat34 after[MOST_NODES];
    gt_character_to_model(skeleton->character, skeleton->rest, before);
    gt_character_to_model(skeleton->character, pose, after);
    float scale = skeleton->rest[0].scale.y;
    for (int32_t i = 0; i < skeleton->node_count; ++i) {
        assert_memory_equal(&pose[i].scale, &skeleton->rest[i].scale, sizeof(GtVec3));
        GT_EXPECT_NEAR(gt_quat_length(pose[i].rotation), 1.0f, 1e-6f);
        const float* t = &pose[i].translation.x;
        assert_true(isfinite(t[0]) && isfinite(t[1]) && isfinite(t[2]));
        if (i > 0 || !top_may_move) {
            assert_memory_equal(&pose[i].translation, &skeleton->rest[i].translation, sizeof(GtVec3));
            float length = bone_length(skeleton, before, i);
            GT_EXPECT_NEAR(bone_length(skeleton, after, i), length, 1e-5f * scale);
        }
    }
}

static GtVec3 random_target(TestRandom* random)
{
    static const float odd[] = { 0.0f, NAN, INFINITY, -INFINITY, 1e30f, 1e-30f, -1e6f };
    GtVec3 target = gt_vec3_scale(test_random_direction(random), test_random_float(random, 0.0f, 12.0f));
    if (random_below(random, 20) == 0) {
        (&target.x)[random_below(random, 3)] = odd[random_below(random, 7)];
    }
    return target;
}

static GtIkJoint random_joint(TestRandom* random, int32_t node)
{
    GtIkJoint joint = gt_default_ik_joint();
    joint.node = node;
    joint.kind = (GtIkJointKind)random_below(random, 3);
    joint.stiffness = test_random_float(random, 0.05f, 20.0f);
    joint.axis = test_random_direction(random);
    joint.neutral = test_random_rotation(random);
    joint.min_turn_rad = test_random_float(random, -3.1f, 0.5f);
    joint.max_turn_rad = test_random_float(random, 0.5f, 3.1f);
    joint.max_swing_rad = test_random_float(random, 0.0f, 4.0f);
    return joint;
}

static void try_solver(const Skeleton* skeleton, TestRandom* random)
{
    GtIkEffector effectors[MOST_EFFECTORS];
    GtIkJoint joints[MOST_NODES];
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = effectors;
    def.effector_count = 1 + random_below(random, MOST_EFFECTORS);
    def.joints = joints;
    def.max_iterations = 12;
    def.max_turn_rad = random_below(random, 2) ? 0.1f : 4.0f;
    for (int32_t i = 0; i < skeleton->node_count; ++i) {
        if (random_below(random, 3) == 0) {
            joints[def.joint_count++] = random_joint(random, i);
        }
    }
    if (random_below(random, 2)) {
        def.top = 0;
        def.move_top = random_below(random, 2);
    }
    GtIkGoal goals[MOST_EFFECTORS];
    for (int32_t i = 0; i < def.effector_count; ++i) {
        effectors[i] = effector_at(random_below(random, skeleton->node_count));
        effectors[i].point = random_below(random, 2) ? test_random_vec3(random, -0.1f, 0.1f) : gt_vec3(0, 0, 0);
        goals[i] = gt_default_ik_goal();
        goals[i].position = random_target(random);
        goals[i].rotation = test_random_rotation(random);
        goals[i].rotation_weight = random_below(random, 2) ? test_random_float(random, 0.0f, 1.0f) : 0.0f;
    }
    GtTransform pose[MOST_NODES];
    memcpy(pose, skeleton->rest, sizeof pose);
    Solving solving = create_solving(skeleton->character, &def);
    for (int frame = 0; frame < 2; ++frame) {
        GtIkReport report;
        gt_ik_solve(solving.solver, goals, random_below(random, 2) ? skeleton->rest : NULL, pose, solving.scratch,
                    &report);
        assert_true(isfinite(report.miss_m) && isfinite(report.miss_rad) && report.iteration_count <= 12);
        expect_sound(skeleton, pose, def.move_top);
    }
    destroy_solving(&solving);
}

static void try_limb(const Skeleton* skeleton, TestRandom* random)
{
    GtIkLimb limb = gt_default_ik_limb();
    int32_t end = random_below(random, skeleton->node_count);
    for (int i = 2; i >= 0; --i) { // up by one or two
        limb.nodes[i] = end;
        for (int step = 0; end != GT_NONE && step <= random_below(random, 2); ++step) {
            end = skeleton->parents[end];
        }
        if (end == GT_NONE && i > 0) {
            return;
        }
    }
    limb.target = random_target(random);
    limb.pole = random_below(random, 2) ? random_target(random) : gt_vec3(0, 0, 0);
    limb.soft = test_random_float(random, 0.5f, 1.0f);
    limb.keep_end_turned = random_below(random, 2);
    GtTransform pose[MOST_NODES];
    GtMat34 model[MOST_NODES];
    memcpy(pose, skeleton->rest, sizeof pose);
    gt_character_to_model(skeleton->character, pose, model);
    gt_ik_limb(skeleton->character, &limb, pose, model);
    expect_sound(skeleton, pose, false);
}

static void try_aim_and_chain(const Skeleton* skeleton, TestRandom* random)
{
    int32_t nodes[2] = { 0, random_below(random, skeleton->node_count) };
    while (nodes[0] < nodes[1] && random_below(random, 2) == 0 && skeleton->parents[nodes[1]] != GT_NONE) {
        nodes[0] = skeleton->parents[nodes[1]];
    }
    GtIkAim aim = gt_default_ik_aim();
    aim.nodes = nodes[0] == nodes[1] ? &nodes[1] : nodes;
    aim.node_count = nodes[0] == nodes[1] ? 1 : 2;
    aim.axis = test_random_direction(random);
    aim.up = random_target(random);
    aim.target = random_target(random);
    aim.weight = test_random_float(random, -0.5f, 1.5f);
    aim.limit_rad = test_random_float(random, -0.5f, 4.0f);
    GtTransform pose[MOST_NODES];
    GtMat34 model[MOST_NODES];
    memcpy(pose, skeleton->rest, sizeof pose);
    gt_character_to_model(skeleton->character, pose, model);
    gt_ik_aim(skeleton->character, &aim, pose, model);
    expect_sound(skeleton, pose, false);
    GtIkChain chain = gt_default_ik_chain();
    GtIkJoint joint = random_joint(random, nodes[1]);
    chain.top = nodes[0];
    chain.end = nodes[1];
    chain.joints = &joint;
    chain.joint_count = 1;
    chain.target = random_target(random);
    chain.max_iterations = 8;
    gt_ik_chain(skeleton->character, &chain, pose, model);
    expect_sound(skeleton, pose, false);
}

static void test_ten_thousand_skeletons(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    for (int i = 0; i < 10000; ++i) {
        Skeleton skeleton = create_skeleton(&random);
        try_limb(&skeleton, &random);
        try_solver(&skeleton, &random);
        try_aim_and_chain(&skeleton, &random);
        gt_character_destroy(skeleton.character);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_thousand_skeletons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
