// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs that go through the body are brought out of it: arms out of head, trunk and legs, legs out of each other. Each
// frame is solved by itself, for shifts of elbows, wrists, knees and ankles; those are smoothed over time; then the
// limbs are turned. Frames near which nothing is wrong stay as they are, to the bit.

#ifndef GERTIE_MOTION_APART_APART_H
#define GERTIE_MOTION_APART_APART_H

#include "motion/apart/body.h"
#include "motion/retarget/plant.h"

// How far joints of a limb shall move.
typedef struct GtiLimbShift {
    GtVec3 middle; // elbow or knee
    GtVec3 end;    // wrist or ankle
} GtiLimbShift;

// Find how far the joints of a frame have to go. False where nothing is wrong.
// allowed: depths that are left as they are
// near: gti_limbs_near() of the frame or one like it: other arms and obstacles are not looked at
// holds: [GTI_LIMB_COUNT] from 0 to 1 for an end that stays where it is
bool gti_limbs_solve(const GtiLimbBody* body, const GtiLimbFrame* frame, const GtiLimbDepths* allowed, uint64_t near,
                     const float* holds, GtiLimbShift out[GTI_LIMB_COUNT]);

// A limb with its joints shifted, whose bones are as long as they were.
GtiLimbPoints gti_limb_shifted(const GtiLimbPoints* limb, const GtiLimbShift* shift);

// Turn a limb of a pose so that its joints come to where they are shifted to; its end keeps its rotation in the model.
// model, rotations: [nodes] of the pose before any limb was turned
void gti_limb_turn(const GtiLimbBody* body, int limb, const GtiLimbShift* shift, const GtMat34* model,
                   const GtQuat* rotations, GtTransform* pose);

// Frames of the target of a retarget.
typedef struct GtiApart {
    const GtContext* context;
    const GtRetarget* retarget;
    const GtiCarried* carried;
    const uint8_t* contacts;            // [frames of the motion] bits, or NULL where feet are not planted
    const float* holds[GTI_SIDE_COUNT]; // [frame_count] how much hands are kept where they are, or NULL
} GtiApart;

// Bring limbs out of the body. The report is added to.
GtResult gti_limbs_part(const GtiApart* apart, GtCollideReport* report, GtError* error);

#endif
