// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A pose of the person's skeleton, where it puts the joints, and the centre of mass with the segment masses of Winter,
// "Biomechanics and Motor Control of Human Movement" (table 4.1).

#ifndef GERTIE_MOTIONS_POSE_H
#define GERTIE_MOTIONS_POSE_H

#include "person/skeleton.h"

// Rotations are parent_from_joint; none in the T-pose.
typedef struct GtiPose {
    GtVec3 hips; // where the hips are in model space
    GtQuat turns[GT_HUMANOID_JOINT_COUNT];
} GtiPose;

// Every joint in model space.
typedef struct GtiPlaces {
    GtVec3 points[GT_HUMANOID_JOINT_COUNT];
    GtQuat turns[GT_HUMANOID_JOINT_COUNT];
} GtiPlaces;

// The joint on a side of one that is named for the left.
GtHumanoidJoint gti_side_joint(GtHumanoidJoint left, int side);

// 1 on the left, -1 on the right: the way out from the middle.
static inline double gti_side_sign(int side)
{
    return side == GTI_LEFT ? 1.0 : -1.0;
}

// Turn about z first, then x, then y, in degrees.
GtQuat gti_turn(double x_deg, double y_deg, double z_deg);

// The joint's place in the T-pose as seen from its parent.
GtVec3 gti_offset(const GtiSkeleton* skeleton, GtHumanoidJoint joint);

// The T-pose.
GtiPose gti_pose_rest(const GtiSkeleton* skeleton);

void gti_pose_places(const GtiSkeleton* skeleton, const GtiPose* pose, GtiPlaces* out);

// Where a point of the T-pose that belongs to `joint` is now.
GtVec3 gti_place_of(const GtiSkeleton* skeleton, const GtiPlaces* places, GtHumanoidJoint joint, GtVec3 rest_point);

GtVec3 gti_center_of_mass(const GtiSkeleton* skeleton, const GtiPlaces* places);

#endif
