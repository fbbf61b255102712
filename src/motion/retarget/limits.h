// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How far wrists, fingers and toes of people go. Angles are of a joint's turn against the joint above it, both since
// the T-pose, in the axes of the T-pose; so they are the same for every rig.

#ifndef GERTIE_MOTION_RETARGET_LIMITS_H
#define GERTIE_MOTION_RETARGET_LIMITS_H

#include "motion/retarget/link.h"

enum {
    GTI_MOST_LIMITED = 34 // wrists, three joints of ten fingers, toes
};

// Axes of a joint in the T-pose, at right angles, for positive angles.
typedef struct GtiJointAxes {
    GtVec3 along; // its bone
    GtVec3 bend;  // to the palm; toes: up
    GtVec3 side;  // to the thumb; toes: about the vertical
} GtiJointAxes;

// False for joints other than hands, fingers and toes.
bool gti_joint_axes(int joint, GtiJointAxes* out);

typedef struct GtiLimitedJoint {
    int joint;           // GtHumanoidJoint
    int32_t node, above; // runtime nodes: its own, and that of the joint above it in the body
    GtQuat before;       // the turn is before * (rotations of the nodes from `above` to `node`) * after
    GtQuat after;
    GtiJointAxes axes;
} GtiLimitedJoint;

// A forearm without twist joints: a hand's twist beyond what its skin bears is shared with it.
typedef struct GtiForearm {
    int32_t lower, hand; // runtime nodes, or GT_NONE
    GtVec3 bone;         // from one to the other, in the axes of `lower`
    GtQuat before, after;
    GtVec3 along; // the bone in the T-pose
} GtiForearm;

typedef struct GtiLimits {
    GtiLimitedJoint joints[GTI_MOST_LIMITED];
    int count;
    GtiForearm forearms[2];
} GtiLimits;

// The limits of the joints of a humanoid that follow a motion.
void gti_limits_find(const GtiAlignedFigure* figure, const GtiLinks* links, GtiLimits* out);

// Bring a pose within its limits.
// rotations: [nodes] of the pose, in model space; those of feet are read
void gti_limits_apply(const GtiLimits* limits, const GtiAlignedFigure* figure, const GtQuat* rotations,
                      GtTransform* pose);

// Share the twist of a hand alone.
void gti_limits_share_twist(const GtiForearm* forearm, GtTransform* lower, GtTransform* hand);

// Leave wrists and forearms to who brings hands to what they touch.
void gti_limits_free_wrists(GtiLimits* limits);

#endif
