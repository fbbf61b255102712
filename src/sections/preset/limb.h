// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A limb of a humanoid in its bind pose: what presets look at to place their sections.

#ifndef GERTIE_SECTIONS_PRESET_LIMB_H
#define GERTIE_SECTIONS_PRESET_LIMB_H

#include "sections/body.h"

// From a joint to the one it reaches to.
typedef struct GtiSculptLimb {
    GtHumanoidJoint joint;
    int32_t node;    // runtime
    GtVec3 from, to; // in the bind pose
    GtVec3 along;    // unit
    float length_m;
} GtiSculptLimb;

// False where the body lacks one of the joints, or they are in one place.
bool gti_sculpt_limb(const GtiSculptBody* body, GtHumanoidJoint joint, GtHumanoidJoint next, GtiSculptLimb* out);

// How much each point of the shell hangs on a joint with its helpers, or on these and all joints below.
// out: [point_count]
void gti_sculpt_shares(const GtiSculptBody* body, GtHumanoidJoint joint, bool below, float* out);

// Points with at least half a share, near a place on an axis: how far from it they are.
typedef struct GtiGirth {
    float mean_m;
    float most_m;
    int32_t count;
} GtiGirth;

GtiGirth gti_sculpt_girth(const GtiSculptBody* body, const float* shares, GtVec3 place, GtVec3 along, float near_m);

#endif
