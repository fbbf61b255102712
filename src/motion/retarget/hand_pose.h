// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What hands do whose fingers a motion does not move.

#ifndef GERTIE_MOTION_RETARGET_HAND_POSE_H
#define GERTIE_MOTION_RETARGET_HAND_POSE_H

#include "motion/retarget/aligned_figure.h"

// A finger joint that is held.
typedef struct GtiHeldJoint {
    int32_t node;    // runtime
    GtQuat rotation; // against its parent
} GtiHeldJoint;

// Rotations of the fingers of a hand in a pose, for those joints that the figure has; thumb and fingers of any number
// of joints from one to three, tips that are not mapped stay straight. hand: GT_HUMANOID_LEFT_HAND or its mirror out:
// [15] from the metacarpal of the thumb to the tip of the little finger returns: how many
int gti_hand_pose_find(const GtiAlignedFigure* figure, GtHandPose pose, int hand, GtiHeldJoint out[15]);

#endif
