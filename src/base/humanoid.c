// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The VRM 1.0 humanoid vocabulary as one table.

#include "gertie/humanoid.h"

#include <string.h>

typedef struct Joint {
    const char* name;
    int32_t parent;
    GtHumanoidJoint mirror;
    bool required;
} Joint;

// clang-format off
static const Joint joints[GT_HUMANOID_JOINT_COUNT] = {
    [GT_HUMANOID_HIPS] = { "hips", GT_NONE, GT_HUMANOID_HIPS, true },
    [GT_HUMANOID_SPINE] = { "spine", GT_HUMANOID_HIPS, GT_HUMANOID_SPINE, true },
    [GT_HUMANOID_CHEST] = { "chest", GT_HUMANOID_SPINE, GT_HUMANOID_CHEST, false },
    [GT_HUMANOID_UPPER_CHEST] = { "upperChest", GT_HUMANOID_CHEST, GT_HUMANOID_UPPER_CHEST, false },
    [GT_HUMANOID_NECK] = { "neck", GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_NECK, false },
    [GT_HUMANOID_HEAD] = { "head", GT_HUMANOID_NECK, GT_HUMANOID_HEAD, true },
    [GT_HUMANOID_LEFT_EYE] = { "leftEye", GT_HUMANOID_HEAD, GT_HUMANOID_RIGHT_EYE, false },
    [GT_HUMANOID_RIGHT_EYE] = { "rightEye", GT_HUMANOID_HEAD, GT_HUMANOID_LEFT_EYE, false },
    [GT_HUMANOID_JAW] = { "jaw", GT_HUMANOID_HEAD, GT_HUMANOID_JAW, false },
    [GT_HUMANOID_LEFT_UPPER_LEG] = { "leftUpperLeg", GT_HUMANOID_HIPS, GT_HUMANOID_RIGHT_UPPER_LEG, true },
    [GT_HUMANOID_LEFT_LOWER_LEG] = { "leftLowerLeg", GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG, true },
    [GT_HUMANOID_LEFT_FOOT] = { "leftFoot", GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT, true },
    [GT_HUMANOID_LEFT_TOES] = { "leftToes", GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_RIGHT_TOES, false },
    [GT_HUMANOID_RIGHT_UPPER_LEG] = { "rightUpperLeg", GT_HUMANOID_HIPS, GT_HUMANOID_LEFT_UPPER_LEG, true },
    [GT_HUMANOID_RIGHT_LOWER_LEG] = { "rightLowerLeg", GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, true },
    [GT_HUMANOID_RIGHT_FOOT] = { "rightFoot", GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, true },
    [GT_HUMANOID_RIGHT_TOES] = { "rightToes", GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_LEFT_TOES, false },
    [GT_HUMANOID_LEFT_SHOULDER] = { "leftShoulder", GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_RIGHT_SHOULDER, false },
    [GT_HUMANOID_LEFT_UPPER_ARM] = { "leftUpperArm", GT_HUMANOID_LEFT_SHOULDER, GT_HUMANOID_RIGHT_UPPER_ARM, true },
    [GT_HUMANOID_LEFT_LOWER_ARM] = { "leftLowerArm", GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM, true },
    [GT_HUMANOID_LEFT_HAND] = { "leftHand", GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_HAND, true },
    [GT_HUMANOID_RIGHT_SHOULDER] = { "rightShoulder", GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_LEFT_SHOULDER, false },
    [GT_HUMANOID_RIGHT_UPPER_ARM] = { "rightUpperArm", GT_HUMANOID_RIGHT_SHOULDER, GT_HUMANOID_LEFT_UPPER_ARM, true },
    [GT_HUMANOID_RIGHT_LOWER_ARM] = { "rightLowerArm", GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, true },
    [GT_HUMANOID_RIGHT_HAND] = { "rightHand", GT_HUMANOID_RIGHT_LOWER_ARM, GT_HUMANOID_LEFT_HAND, true },
    [GT_HUMANOID_LEFT_THUMB_METACARPAL] = { "leftThumbMetacarpal", GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_THUMB_METACARPAL, false },
    [GT_HUMANOID_LEFT_THUMB_PROXIMAL] = { "leftThumbProximal", GT_HUMANOID_LEFT_THUMB_METACARPAL, GT_HUMANOID_RIGHT_THUMB_PROXIMAL, false },
    [GT_HUMANOID_LEFT_THUMB_DISTAL] = { "leftThumbDistal", GT_HUMANOID_LEFT_THUMB_PROXIMAL, GT_HUMANOID_RIGHT_THUMB_DISTAL, false },
    [GT_HUMANOID_LEFT_INDEX_PROXIMAL] = { "leftIndexProximal", GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_INDEX_PROXIMAL, false },
    [GT_HUMANOID_LEFT_INDEX_INTERMEDIATE] = { "leftIndexIntermediate", GT_HUMANOID_LEFT_INDEX_PROXIMAL, GT_HUMANOID_RIGHT_INDEX_INTERMEDIATE, false },
    [GT_HUMANOID_LEFT_INDEX_DISTAL] = { "leftIndexDistal", GT_HUMANOID_LEFT_INDEX_INTERMEDIATE, GT_HUMANOID_RIGHT_INDEX_DISTAL, false },
    [GT_HUMANOID_LEFT_MIDDLE_PROXIMAL] = { "leftMiddleProximal", GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL, false },
    [GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE] = { "leftMiddleIntermediate", GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, GT_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE, false },
    [GT_HUMANOID_LEFT_MIDDLE_DISTAL] = { "leftMiddleDistal", GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, GT_HUMANOID_RIGHT_MIDDLE_DISTAL, false },
    [GT_HUMANOID_LEFT_RING_PROXIMAL] = { "leftRingProximal", GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_RING_PROXIMAL, false },
    [GT_HUMANOID_LEFT_RING_INTERMEDIATE] = { "leftRingIntermediate", GT_HUMANOID_LEFT_RING_PROXIMAL, GT_HUMANOID_RIGHT_RING_INTERMEDIATE, false },
    [GT_HUMANOID_LEFT_RING_DISTAL] = { "leftRingDistal", GT_HUMANOID_LEFT_RING_INTERMEDIATE, GT_HUMANOID_RIGHT_RING_DISTAL, false },
    [GT_HUMANOID_LEFT_LITTLE_PROXIMAL] = { "leftLittleProximal", GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_LITTLE_PROXIMAL, false },
    [GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE] = { "leftLittleIntermediate", GT_HUMANOID_LEFT_LITTLE_PROXIMAL, GT_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, false },
    [GT_HUMANOID_LEFT_LITTLE_DISTAL] = { "leftLittleDistal", GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE, GT_HUMANOID_RIGHT_LITTLE_DISTAL, false },
    [GT_HUMANOID_RIGHT_THUMB_METACARPAL] = { "rightThumbMetacarpal", GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_LEFT_THUMB_METACARPAL, false },
    [GT_HUMANOID_RIGHT_THUMB_PROXIMAL] = { "rightThumbProximal", GT_HUMANOID_RIGHT_THUMB_METACARPAL, GT_HUMANOID_LEFT_THUMB_PROXIMAL, false },
    [GT_HUMANOID_RIGHT_THUMB_DISTAL] = { "rightThumbDistal", GT_HUMANOID_RIGHT_THUMB_PROXIMAL, GT_HUMANOID_LEFT_THUMB_DISTAL, false },
    [GT_HUMANOID_RIGHT_INDEX_PROXIMAL] = { "rightIndexProximal", GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_LEFT_INDEX_PROXIMAL, false },
    [GT_HUMANOID_RIGHT_INDEX_INTERMEDIATE] = { "rightIndexIntermediate", GT_HUMANOID_RIGHT_INDEX_PROXIMAL, GT_HUMANOID_LEFT_INDEX_INTERMEDIATE, false },
    [GT_HUMANOID_RIGHT_INDEX_DISTAL] = { "rightIndexDistal", GT_HUMANOID_RIGHT_INDEX_INTERMEDIATE, GT_HUMANOID_LEFT_INDEX_DISTAL, false },
    [GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL] = { "rightMiddleProximal", GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, false },
    [GT_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE] = { "rightMiddleIntermediate", GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL, GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, false },
    [GT_HUMANOID_RIGHT_MIDDLE_DISTAL] = { "rightMiddleDistal", GT_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE, GT_HUMANOID_LEFT_MIDDLE_DISTAL, false },
    [GT_HUMANOID_RIGHT_RING_PROXIMAL] = { "rightRingProximal", GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_LEFT_RING_PROXIMAL, false },
    [GT_HUMANOID_RIGHT_RING_INTERMEDIATE] = { "rightRingIntermediate", GT_HUMANOID_RIGHT_RING_PROXIMAL, GT_HUMANOID_LEFT_RING_INTERMEDIATE, false },
    [GT_HUMANOID_RIGHT_RING_DISTAL] = { "rightRingDistal", GT_HUMANOID_RIGHT_RING_INTERMEDIATE, GT_HUMANOID_LEFT_RING_DISTAL, false },
    [GT_HUMANOID_RIGHT_LITTLE_PROXIMAL] = { "rightLittleProximal", GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_LEFT_LITTLE_PROXIMAL, false },
    [GT_HUMANOID_RIGHT_LITTLE_INTERMEDIATE] = { "rightLittleIntermediate", GT_HUMANOID_RIGHT_LITTLE_PROXIMAL, GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE, false },
    [GT_HUMANOID_RIGHT_LITTLE_DISTAL] = { "rightLittleDistal", GT_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, GT_HUMANOID_LEFT_LITTLE_DISTAL, false },
};
// clang-format on

GtHumanoidMap gt_humanoid_map_empty(void)
{
    GtHumanoidMap map;
    for (int i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        map.nodes[i] = GT_NONE;
    }
    return map;
}

GtRetargetPose gt_retarget_pose_identity(void)
{
    GtRetargetPose pose;
    for (int i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        pose.rotations[i] = gt_quat_identity();
    }
    return pose;
}

const char* gt_humanoid_name(GtHumanoidJoint joint)
{
    return (unsigned)joint < GT_HUMANOID_JOINT_COUNT ? joints[joint].name : "";
}

int32_t gt_humanoid_find(const char* name)
{
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (strcmp(joints[i].name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

int32_t gt_humanoid_find_vrm0(const char* name)
{
    static const struct {
        const char* name;
        GtHumanoidJoint joint;
    } thumbs[] = {
        { "leftThumbProximal", GT_HUMANOID_LEFT_THUMB_METACARPAL },
        { "leftThumbIntermediate", GT_HUMANOID_LEFT_THUMB_PROXIMAL },
        { "rightThumbProximal", GT_HUMANOID_RIGHT_THUMB_METACARPAL },
        { "rightThumbIntermediate", GT_HUMANOID_RIGHT_THUMB_PROXIMAL },
    };
    for (size_t i = 0; i < sizeof thumbs / sizeof thumbs[0]; ++i) {
        if (strcmp(thumbs[i].name, name) == 0) {
            return (int32_t)thumbs[i].joint;
        }
    }
    return gt_humanoid_find(name);
}

int32_t gt_humanoid_parent(GtHumanoidJoint joint)
{
    return joints[joint].parent;
}

bool gt_humanoid_required(GtHumanoidJoint joint)
{
    return joints[joint].required;
}

GtHumanoidJoint gt_humanoid_mirror(GtHumanoidJoint joint)
{
    return joints[joint].mirror;
}
