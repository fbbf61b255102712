// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Two legs, two arms and a head in a tree of joints.

#ifndef GERTIE_MAP_BODY_H
#define GERTIE_MAP_BODY_H

#include "map/limb.h"

enum {
    GTI_SPINE_MOST = 32
};

typedef struct GtiMapBody {
    GtVec3 up;
    GtiMapLimb legs[2], arms[2]; // the one and the other side; which is which is not known yet
    int32_t leg_trunk, arm_trunk;
    int32_t hips;
    int32_t spine[GTI_SPINE_MOST]; // from the hips up, without them and without the neck
    int32_t spine_count;
    int32_t neck, head; // or GT_NONE
    float leg_m, arm_m; // lengths, hip to ankle and shoulder to wrist
    float score;        // 0 to about 2; above GTI_BODY_LEAST it is a body
} GtiMapBody;

#define GTI_BODY_LEAST 0.33f

// Find the best body of a tree, with `up` upwards; its score is -1 when there is none at all. False when memory ran
// out.
bool gti_body_find(const GtiMapTree* tree, GtVec3 up, GtArena* arena, GtiMapBody* out);

#endif
