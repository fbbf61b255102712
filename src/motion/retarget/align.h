// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From a posture to the canonical one, the VRM T-pose.

#ifndef GERTIE_MOTION_RETARGET_ALIGN_H
#define GERTIE_MOTION_RETARGET_ALIGN_H

#include "motion/retarget/head.h"
#include "motion/retarget/posture.h"

// The sole of one foot, as the mesh shows it.
typedef struct GtiFigureSole {
    bool found;
    float yaw_rad;   // of the foot's long axis against ahead, to the left; of use where there are no toes
    float pitch_rad; // of the sole against the floor, heel up; holds also where no mesh was found
    float depth_m;   // of the lowest vertex under the ankle, once the sole is flat
} GtiFigureSole;

// Turns in model space that bring each joint from a posture into the T-pose, whose left, up and forward are X, Y and Z.
typedef struct GtiAlignment {
    GtQuat turns[GT_HUMANOID_JOINT_COUNT];
    float max_limb_turn_rad; // of arms and legs, beyond that of the body
} GtiAlignment;

// The yaw of a foot by its toes, else by its sole.
float gti_foot_yaw(const GtiPosture* posture, const int32_t* joints, GtQuat canonical_from_model, int side,
                   const GtiFigureSole* sole);

// What of a posture its joints do not show.
typedef struct GtiAlignHints {
    GtiFigureSole soles[2]; // left and right
    GtiHeadHold head;
    float gaze_rad; // how far down the head looks
} GtiAlignHints;

// joints: runtime nodes of the humanoid's joints.
void gti_align(const GtCharacterDef* def, const GtiPosture* posture, const int32_t* joints, const GtiBodyAxes* axes,
               const GtiAlignHints* hints, GtiAlignment* out);

#endif
