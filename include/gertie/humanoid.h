// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: the humanoid joints of VRM 1.0.
///
/// The humanoid vocabulary: the 55 joints of VRM 1.0, and which nodes of a scene or a character they are.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_HUMANOID_H
#define GERTIE_HUMANOID_H

#include "gertie/quat.h"

GT_EXTERN_C_BEGIN

/// Joints of a humanoid, parents before children.
typedef enum GtHumanoidJoint {
    GT_HUMANOID_HIPS,
    GT_HUMANOID_SPINE,
    GT_HUMANOID_CHEST,
    GT_HUMANOID_UPPER_CHEST,
    GT_HUMANOID_NECK,
    GT_HUMANOID_HEAD,
    GT_HUMANOID_LEFT_EYE,
    GT_HUMANOID_RIGHT_EYE,
    GT_HUMANOID_JAW,
    GT_HUMANOID_LEFT_UPPER_LEG,
    GT_HUMANOID_LEFT_LOWER_LEG,
    GT_HUMANOID_LEFT_FOOT,
    GT_HUMANOID_LEFT_TOES,
    GT_HUMANOID_RIGHT_UPPER_LEG,
    GT_HUMANOID_RIGHT_LOWER_LEG,
    GT_HUMANOID_RIGHT_FOOT,
    GT_HUMANOID_RIGHT_TOES,
    GT_HUMANOID_LEFT_SHOULDER,
    GT_HUMANOID_LEFT_UPPER_ARM,
    GT_HUMANOID_LEFT_LOWER_ARM,
    GT_HUMANOID_LEFT_HAND,
    GT_HUMANOID_RIGHT_SHOULDER,
    GT_HUMANOID_RIGHT_UPPER_ARM,
    GT_HUMANOID_RIGHT_LOWER_ARM,
    GT_HUMANOID_RIGHT_HAND,
    GT_HUMANOID_LEFT_THUMB_METACARPAL,
    GT_HUMANOID_LEFT_THUMB_PROXIMAL,
    GT_HUMANOID_LEFT_THUMB_DISTAL,
    GT_HUMANOID_LEFT_INDEX_PROXIMAL,
    GT_HUMANOID_LEFT_INDEX_INTERMEDIATE,
    GT_HUMANOID_LEFT_INDEX_DISTAL,
    GT_HUMANOID_LEFT_MIDDLE_PROXIMAL,
    GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE,
    GT_HUMANOID_LEFT_MIDDLE_DISTAL,
    GT_HUMANOID_LEFT_RING_PROXIMAL,
    GT_HUMANOID_LEFT_RING_INTERMEDIATE,
    GT_HUMANOID_LEFT_RING_DISTAL,
    GT_HUMANOID_LEFT_LITTLE_PROXIMAL,
    GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE,
    GT_HUMANOID_LEFT_LITTLE_DISTAL,
    GT_HUMANOID_RIGHT_THUMB_METACARPAL,
    GT_HUMANOID_RIGHT_THUMB_PROXIMAL,
    GT_HUMANOID_RIGHT_THUMB_DISTAL,
    GT_HUMANOID_RIGHT_INDEX_PROXIMAL,
    GT_HUMANOID_RIGHT_INDEX_INTERMEDIATE,
    GT_HUMANOID_RIGHT_INDEX_DISTAL,
    GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL,
    GT_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE,
    GT_HUMANOID_RIGHT_MIDDLE_DISTAL,
    GT_HUMANOID_RIGHT_RING_PROXIMAL,
    GT_HUMANOID_RIGHT_RING_INTERMEDIATE,
    GT_HUMANOID_RIGHT_RING_DISTAL,
    GT_HUMANOID_RIGHT_LITTLE_PROXIMAL,
    GT_HUMANOID_RIGHT_LITTLE_INTERMEDIATE,
    GT_HUMANOID_RIGHT_LITTLE_DISTAL,
    GT_HUMANOID_JOINT_COUNT ///< 55
} GtHumanoidJoint;

/// Which node of a scene or a character each humanoid joint is.
typedef struct GtHumanoidMap {
    int32_t nodes[GT_HUMANOID_JOINT_COUNT]; ///< node index, or GT_NONE
} GtHumanoidMap;

/// Rotations that bring a character from its rest pose into the VRM T-pose, in the space of each joint's parent; the
/// character's own rest transforms stay as they are.
typedef struct GtRetargetPose {
    GtQuat rotations[GT_HUMANOID_JOINT_COUNT]; ///< applied after the rest rotation
} GtRetargetPose;

/// A map in which nothing is mapped.
GT_API GtHumanoidMap gt_humanoid_map_empty(void);

/// A retarget pose in which nothing turns.
GT_API GtRetargetPose gt_retarget_pose_identity(void);

/// VRM 1.0 name, such as "leftUpperArm"; "" for a value that is no joint.
GT_API const char* gt_humanoid_name(GtHumanoidJoint joint);

/// The joint of that VRM 1.0 name, or GT_NONE.
GT_API int32_t gt_humanoid_find(const char* name);

/// The joint of that VRM 0 name, whose thumb names are shifted by one, or GT_NONE.
GT_API int32_t gt_humanoid_find_vrm0(const char* name);

/// Parent in the vocabulary, or GT_NONE for the hips.
GT_API int32_t gt_humanoid_parent(GtHumanoidJoint joint);

/// Whether VRM 1.0 requires the joint (15 do).
GT_API bool gt_humanoid_required(GtHumanoidJoint joint);

/// The same joint on the other side; the joint itself on the middle line.
GT_API GtHumanoidJoint gt_humanoid_mirror(GtHumanoidJoint joint);

GT_EXTERN_C_END

#endif
