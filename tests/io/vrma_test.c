// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// VRM animations: what a reader of the file computes from it, by the normalisation that the specification describes,
// is what forward kinematics of the scene says: rotation of each joint since the T-pose, and the place of the hips.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum {
    KEY_COUNT = 3,
};

static const float key_times[KEY_COUNT] = { 0.0f, 0.02f, 0.04f };

// A rotation that differs for every argument.
static GtQuat some_rotation(int32_t a, int32_t b, float angle_rad)
{
    GtVec3 axis = gt_vec3(sinf((float)(3 * a + b)), cosf((float)(a + 5 * b)), sinf((float)(a * b) + 0.5f));
    return gt_quat_from_axis_angle(gt_vec3_scale(axis, 1.0f / gt_vec3_length(axis)), angle_rad);
}

typedef struct MadeClip {
    GtAnimationSampler samplers[128];
    GtAnimationChannel channels[128];
    int32_t count;
    int32_t times;
} MadeClip;

static void add_keys(GtScene* scene, MadeClip* clip, int32_t node, GtAnimationPath path, const float* values)
{
    GtError error = { 0 };
    int32_t output = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3,
                                   GT_COMPONENT_FLOAT, values, KEY_COUNT, &output, NULL));
    clip->samplers[clip->count] = (GtAnimationSampler){ clip->times, output, GT_INTERPOLATION_LINEAR, { 0 } };
    clip->channels[clip->count] = (GtAnimationChannel){ .sampler = clip->count, .node = node, .path = path };
    ++clip->count;
}

static void add_rotations(GtScene* scene, MadeClip* clip, int32_t node)
{
    GtQuat keys[KEY_COUNT];
    for (int k = 0; k < KEY_COUNT; ++k) {
        keys[k] = gt_quat_mul(scene->nodes[node].local.rotation, some_rotation(node, k, 0.3f));
    }
    add_keys(scene, clip, node, GT_PATH_ROTATION, &keys[0].x);
}

// Where a joint is from its parent, in a space that its ancestors' rotations turn: the legs must be left and right.
static GtVec3 offset_of(int32_t joint)
{
    if (joint == GT_HUMANOID_HIPS) {
        return gt_vec3(0.0f, 100.0f, 0.0f);
    }
    bool left = strstr(gt_humanoid_name((GtHumanoidJoint)joint), "left") != NULL;
    bool right = strstr(gt_humanoid_name((GtHumanoidJoint)joint), "right") != NULL;
    return gt_vec3(left ? 20.0f : right ? -20.0f : 0.0f, 10.0f, 0.0f);
}

// The required joints in centimetres under an armature; the spine hangs on a node that is no joint.
static GtScene* make_scene(const GtContext* context, bool moved_between, bool own_tpose)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, NULL));
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    GtRetargetPose* pose = gt_scene_push(scene, 1, sizeof *pose);
    MadeClip* clip = gt_scene_push(scene, 1, sizeof *clip);
    assert_true(map && pose && clip);
    *map = gt_humanoid_map_empty();
    *pose = gt_retarget_pose_identity();
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, key_times, KEY_COUNT,
                                   &clip->times, NULL));
    GtNode armature = gt_default_node();
    armature.local.scale = gt_vec3(0.01f, 0.01f, 0.01f);
    armature.local.rotation = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), 0.4f);
    GT_EXPECT_OK(gt_scene_add_node(scene, &armature, NULL, NULL));
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (!gt_humanoid_required((GtHumanoidJoint)j)) {
            continue;
        }
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        while (parent != GT_NONE && map->nodes[parent] == GT_NONE) {
            parent = gt_humanoid_parent((GtHumanoidJoint)parent);
        }
        GtNode node = gt_default_node();
        node.parent = parent == GT_NONE ? 0 : map->nodes[parent];
        if (j == GT_HUMANOID_SPINE) {
            GtNode between = gt_default_node();
            between.parent = node.parent;
            between.local.rotation = some_rotation(7, 3, 0.5f);
            GT_EXPECT_OK(gt_scene_add_node(scene, &between, &node.parent, NULL));
            if (moved_between) {
                add_rotations(scene, clip, node.parent);
            }
        }
        node.local.translation = offset_of(j);
        node.local.rotation = some_rotation(j, 11, j == GT_HUMANOID_HIPS ? 0.2f : 1.0f);
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, &map->nodes[j], NULL));
        if (own_tpose) {
            pose->rotations[j] = some_rotation(j, 2, 0.1f);
        }
        if (j != GT_HUMANOID_HEAD) { // which keeps its rest pose
            add_rotations(scene, clip, map->nodes[j]);
        }
    }
    const float hips[KEY_COUNT][3] = { { 0, 100, 0 }, { 5, 90, 20 }, { 10, 110, 40 } };
    add_keys(scene, clip, map->nodes[GT_HUMANOID_HIPS], GT_PATH_TRANSLATION, hips[0]);
    if (moved_between) {
        const float root[KEY_COUNT][3] = { { 0, 0, 0 }, { 1, 0, 2 }, { 2, 0, 4 } };
        add_keys(scene, clip, 0, GT_PATH_TRANSLATION, root[0]);
    }
    GT_EXPECT_OK(gt_scene_add_animation(scene,
                                        &(GtAnimation){ .name = "dance",
                                                        .samplers = clip->samplers,
                                                        .sampler_count = clip->count,
                                                        .channels = clip->channels,
                                                        .channel_count = clip->count },
                                        NULL, NULL));
    scene->humanoid = map;
    scene->retarget_pose = own_tpose ? pose : NULL;
    return scene;
}

// The local transform of a node at a key; at rest with a negative key.
static GtTransform local_at(const GtScene* scene, int32_t node, int key)
{
    GtTransform local = scene->nodes[node].local;
    for (int32_t c = 0; key >= 0 && c < scene->animations[0].channel_count; ++c) {
        const GtAnimationChannel* channel = &scene->animations[0].channels[c];
        const GtAnimationSampler* sampler = &scene->animations[0].samplers[channel->sampler];
        if (channel->node != node) {
            continue;
        }
        uint64_t count = scene->accessors[sampler->output].count;
        uint64_t at = (uint64_t)key < count ? (uint64_t)key : count - 1;
        float value[4];
        gt_accessor_read_floats(scene, sampler->output, at, 1, value);
        if (channel->path == GT_PATH_ROTATION) {
            local.rotation = gt_quat(value[0], value[1], value[2], value[3]);
        } else {
            local.translation = gt_vec3(value[0], value[1], value[2]);
        }
    }
    return local;
}

// Rotation and place of a node in the model, from the node up.
static GtQuat rotation_at(const GtScene* scene, int32_t node, int key, const GtRetargetPose* tpose)
{
    GtQuat q = gt_quat_identity();
    for (; node != GT_NONE; node = scene->nodes[node].parent) {
        GtQuat local = local_at(scene, node, key).rotation;
        for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT && tpose; ++j) {
            if (scene->humanoid->nodes[j] == node) {
                local = gt_quat_mul(tpose->rotations[j], local);
            }
        }
        q = gt_quat_mul(local, q);
    }
    return q;
}

static GtVec3 place_at(const GtScene* scene, int32_t node, int key)
{
    GtVec3 p = gt_vec3(0.0f, 0.0f, 0.0f);
    for (; node != GT_NONE; node = scene->nodes[node].parent) {
        GtMat34 m = gt_mat34_from_transform(local_at(scene, node, key));
        p = gt_mat34_point(&m, p);
    }
    return p;
}

static void check_motion(bool moved_between, bool own_tpose)
{
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = make_scene(&context, moved_between, own_tpose);
    GtBlob* blob = NULL;
    GtScene* read = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "vrma", NULL, &blob, &error));
    GT_EXPECT_OK(
        gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), "a.vrma", NULL, &read, &error));
    assert_int_equal(log.warning_count, 0);
    assert_string_equal(read->source.file_format, "vrma");
    assert_string_equal(read->extensions_used[0], "VRMC_vrm_animation");
    assert_int_equal(read->extension_used_count, 1);
    assert_int_equal(read->node_count, 15);
    assert_int_equal(read->animation_count, 1);
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t from = scene->humanoid->nodes[j];
        int32_t to = read->humanoid->nodes[j];
        assert_true((from == GT_NONE) == (to == GT_NONE));
        for (int key = 0; key < KEY_COUNT && from != GT_NONE; ++key) {
            GtQuat expected = gt_quat_mul(rotation_at(scene, from, key, NULL),
                                          gt_quat_conjugate(rotation_at(scene, from, -1, scene->retarget_pose)));
            GtQuat found =
                gt_quat_mul(rotation_at(read, to, key, NULL), gt_quat_conjugate(rotation_at(read, to, -1, NULL)));
            GT_EXPECT_NEAR(gt_quat_angle_rad(expected, found), 0.0f, 2e-3f);
            assert_true(fabsf(gt_quat_dot(expected, found)) > 1.0f - 1e-5f);
        }
    }
    int32_t from = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    int32_t to = read->humanoid->nodes[GT_HUMANOID_HIPS];
    for (int key = -1; key < KEY_COUNT; ++key) {
        GtVec3 expected = place_at(scene, from, key);
        GtVec3 found = place_at(read, to, key);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(expected, found)), 0.0f, 1e-5f);
    }
    gt_scene_destroy(read);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_rotations_and_hips_are_those_of_the_scene(void** state)
{
    (void)state;
    check_motion(false, false);
    check_motion(false, true);
}

static void test_nodes_between_joints_are_folded_in(void** state)
{
    (void)state;
    check_motion(true, false);
    check_motion(true, true);
}

static void test_what_cannot_be_written(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* scene = make_scene(&context, false, false);
    GtHumanoidMap map = *scene->humanoid;
    map.nodes[GT_HUMANOID_HEAD] = map.nodes[GT_HUMANOID_LEFT_FOOT] = GT_NONE;
    scene->humanoid = &map;
    GT_EXPECT_ERROR(gt_scene_save_memory(&context, scene, "vrma", NULL, &blob, &error), GT_ERROR_UNSUPPORTED,
                    "head, leftFoot");
    scene->humanoid = NULL;
    GT_EXPECT_ERROR(gt_scene_save_memory(&context, scene, "vrma", NULL, &blob, &error), GT_ERROR_UNSUPPORTED,
                    "gertie map");
    gt_scene_destroy(scene);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext plain = gt_default_context();
    GtScene* scene = make_scene(&plain, true, true);
    int64_t needed = 0;
    for (GtResult result = GT_ERROR_OUT_OF_MEMORY; result != GT_OK; ++needed) {
        TestAllocator limited = { .remaining = needed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtBlob* blob = NULL;
        result = gt_scene_save_memory(&context, scene, "vrma", NULL, &blob, &(GtError){ 0 });
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !blob));
        gt_blob_release(blob);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(needed > 10);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotations_and_hips_are_those_of_the_scene),
        cmocka_unit_test(test_nodes_between_joints_are_folded_in),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
