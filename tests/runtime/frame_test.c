// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frame calls never allocate; with sanitizers, which bring allocators of their own, that test is skipped.

#include "runtime/puppet.h"

#include "gertie/crowd.h"

#include "support/allocations.h"

static void test_frames_allocate_nothing(void** state)
{
    (void)state;
    if (!COUNTS_ALLOCATIONS) {
        skip();
    }
    static const float times[2] = { 0, 1 };
    static const float turns[24] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0 };
    static const float shapes[2] = { 0, 1 };
    const GtTrackDef tracks[4] = {
        { GT_TRACK_ROTATION, 2, 4, GT_INTERPOLATION_LINEAR, 2, times, turns },
        { GT_TRACK_ROTATION, 3, 4, GT_INTERPOLATION_CUBICSPLINE, 2, times, turns },
        { GT_TRACK_SCALE, 4, 3, GT_INTERPOLATION_STEP, 2, times, turns + 6 },
        { GT_TRACK_WEIGHTS, 0, 1, GT_INTERPOLATION_LINEAR, 2, times, shapes },
    };
    uint64_t random = 31;
    for (int method = 0; method < GT_SKIN_METHOD_COUNT; ++method) {
        Puppet puppet;
        GtError error;
        GtClip* clip = NULL;
        GtClipDef def = { .tracks = tracks, .track_count = 4, .node_count = PUPPET_NODES, .weight_count = 1 };
        fill_puppet(&puppet, (GtSkinMethod)method, 4, &random);
        GtCharacter* character = create_puppet(&puppet);
        GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &clip, &error));
        long before_instance = allocation_count;
        GtInstance* instance = create_instance(character);
        assert_true(allocation_count > before_instance); // the counter works
        GtExecutor executor = gt_serial_executor();
        long before_frames = allocation_count;
        for (int frame = 0; frame < 12; ++frame) {
            GtCrowdMember member = { instance, clip, frame / 10.0 };
            gt_crowd_update(&executor, &member, 1);
            gt_instance_reset(instance);
            gt_clip_sample(clip, frame / 10.0, instance->pose, instance->weights);
            gt_instance_update(instance);
            for (int32_t m = 0; m < 2; ++m) {
                gt_instance_deform(instance, m, puppet.v.out_positions, puppet.v.out_normals, puppet.v.out_tangents);
            }
        }
        assert_int_equal(allocation_count, before_frames);
        gt_clip_destroy(clip);
        gt_instance_destroy(instance);
        gt_character_destroy(character);
    }
}

static void test_a_chain_of_100000_joints_moves_a_mesh(void** state)
{
    (void)state;
    enum {
        NODES = 100000,
        JOINTS = 60000
    };
    int32_t* parents = calloc(NODES, sizeof *parents);
    GtTransform* rest = aligned_alloc(16, NODES * sizeof *rest);
    int32_t* joints = calloc(JOINTS, sizeof *joints);
    GtMat34* joint_from_mesh = aligned_alloc(16, JOINTS * sizeof *joint_from_mesh);
    for (int32_t i = 0; i < NODES; ++i) {
        parents[i] = i - 1;
        rest[i] = gt_transform_identity();
        rest[i].translation.x = 1.0f;
    }
    for (int32_t j = 0; j < JOINTS; ++j) {
        joints[j] = NODES - 1 - j;
        joint_from_mesh[j] = gt_mat34_identity();
    }
    static const uint16_t joint[1] = { JOINTS - 1 };
    static const float weight[1] = { 1 };
    GtVec3 position = gt_vec3(0, 0.5f, 0);
    GtSkinDef skin = { joints, JOINTS, joint_from_mesh };
    GtMeshDef mesh = {
        .vertex_count = 1, .positions = &position, .influence_count = 1, .joints = joint, .weights = weight
    };
    GtCharacterDef def = {
        .node_count = NODES,
        .parents = parents,
        .rest = rest,
        .skin_count = 1,
        .skins = &skin,
        .mesh_count = 1,
        .meshes = &mesh,
    };
    GtError error;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    GtInstance* instance = create_instance(character);
    GtVec3 out;
    gt_instance_deform(instance, 0, &out, NULL, NULL);
    GT_EXPECT_NEAR(out.x, NODES - JOINTS + 1, 0);
    GT_EXPECT_NEAR(out.y, 0.5, 0);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    free(parents);
    free(rest);
    free(joints);
    free(joint_from_mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_allocate_nothing),
        cmocka_unit_test(test_a_chain_of_100000_joints_moves_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
