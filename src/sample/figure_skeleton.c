// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sample/figure_skeleton.h"

#include "base/fail.h"

#include <string.h>

// clang-format off
const GtiSampleJoint gti_sample_joints[GTI_SAMPLE_JOINT_COUNT] = {
    { GT_HUMANOID_HIPS,            GT_NONE, {  0.000f, 0.530f,  0.000f } },
    { GT_HUMANOID_SPINE,           0,       {  0.000f, 0.585f, -0.005f } },
    { GT_HUMANOID_CHEST,           1,       {  0.000f, 0.655f, -0.008f } },
    { GT_HUMANOID_UPPER_CHEST,     2,       {  0.000f, 0.735f, -0.008f } },
    { GT_HUMANOID_NECK,            3,       {  0.000f, 0.830f, -0.005f } },
    { GT_HUMANOID_HEAD,            4,       {  0.000f, 0.880f,  0.000f } },
    { GT_HUMANOID_LEFT_SHOULDER,   3,       {  0.025f, 0.805f,  0.000f } },
    { GT_HUMANOID_LEFT_UPPER_ARM,  6,       {  0.115f, 0.812f, -0.005f } },
    { GT_HUMANOID_LEFT_LOWER_ARM,  7,       {  0.301f, 0.812f, -0.005f } },
    { GT_HUMANOID_LEFT_HAND,       8,       {  0.447f, 0.812f, -0.005f } },
    { GT_HUMANOID_RIGHT_SHOULDER,  3,       { -0.025f, 0.805f,  0.000f } },
    { GT_HUMANOID_RIGHT_UPPER_ARM, 10,      { -0.115f, 0.812f, -0.005f } },
    { GT_HUMANOID_RIGHT_LOWER_ARM, 11,      { -0.301f, 0.812f, -0.005f } },
    { GT_HUMANOID_RIGHT_HAND,      12,      { -0.447f, 0.812f, -0.005f } },
    { GT_HUMANOID_LEFT_UPPER_LEG,  0,       {  0.052f, 0.515f,  0.000f } },
    { GT_HUMANOID_LEFT_LOWER_LEG,  14,      {  0.052f, 0.285f,  0.003f } },
    { GT_HUMANOID_LEFT_FOOT,       15,      {  0.052f, 0.045f, -0.006f } },
    { GT_HUMANOID_LEFT_TOES,       16,      {  0.056f, 0.016f,  0.072f } },
    { GT_HUMANOID_RIGHT_UPPER_LEG, 0,       { -0.052f, 0.515f,  0.000f } },
    { GT_HUMANOID_RIGHT_LOWER_LEG, 18,      { -0.052f, 0.285f,  0.003f } },
    { GT_HUMANOID_RIGHT_FOOT,      19,      { -0.052f, 0.045f, -0.006f } },
    { GT_HUMANOID_RIGHT_TOES,      20,      { -0.056f, 0.016f,  0.072f } },
};
// clang-format on

int32_t gti_sample_joint_index(GtHumanoidJoint joint)
{
    for (int32_t i = 0; i < GTI_SAMPLE_JOINT_COUNT; ++i) {
        if (gti_sample_joints[i].joint == joint) {
            return i;
        }
    }
    return GT_NONE;
}

void gti_sample_rest(double height_m, GtTransform rest[GTI_SAMPLE_JOINT_COUNT])
{
    for (int32_t i = 0; i < GTI_SAMPLE_JOINT_COUNT; ++i) {
        const GtiSampleJoint* joint = &gti_sample_joints[i];
        GtVec3 offset = joint->position;
        if (joint->parent != GT_NONE) {
            offset = gt_vec3_sub(offset, gti_sample_joints[joint->parent].position);
        }
        rest[i] = gt_transform_identity();
        rest[i].translation = gt_vec3_scale(offset, (float)height_m);
    }
}

GtResult gti_sample_add_skeleton(GtScene* scene, double height_m, GtError* error)
{
    GtTransform rest[GTI_SAMPLE_JOINT_COUNT];
    gti_sample_rest(height_m, rest);
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    int32_t* roots = gt_scene_push(scene, 1, sizeof *roots);
    if (!map || !roots) {
        return gti_out_of_memory(error);
    }
    *map = gt_humanoid_map_empty();
    for (int32_t i = 0; i < GTI_SAMPLE_JOINT_COUNT; ++i) {
        GtNode node = gt_default_node();
        node.name = gt_humanoid_name(gti_sample_joints[i].joint);
        node.parent = gti_sample_joints[i].parent;
        node.local = rest[i];
        GtResult result = gt_scene_add_node(scene, &node, &map->nodes[gti_sample_joints[i].joint], error);
        if (result != GT_OK) {
            return result;
        }
    }
    scene->humanoid = map;
    roots[0] = map->nodes[GT_HUMANOID_HIPS];
    GtStage stage = { .name = "Scene", .nodes = roots, .node_count = 1 };
    return gt_scene_add_stage(scene, &stage, &scene->default_stage, error);
}

GtResult gti_sample_check_height(double height_m, GtError* error)
{
    if (!(height_m >= 0.2 && height_m <= 10.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a height of %g m is out of range; give 0.2 to 10", height_m);
    }
    return GT_OK;
}
