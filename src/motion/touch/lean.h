// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How far a trunk leans for hands that arms alone do not bring to what they touch.

#ifndef GERTIE_MOTION_TOUCH_LEAN_H
#define GERTIE_MOTION_TOUCH_LEAN_H

#include "figure/figure.h"

enum {
    GTI_SPINE_JOINTS = 3
};

// A spine of ball joints, the lowest first, and the shoulders that it carries. Model space.
typedef struct GtiTrunk {
    int joint_count;
    GtVec3 joints[GTI_SPINE_JOINTS];
    GtVec3 shoulders[GTI_SIDE_COUNT];
} GtiTrunk;

// Ways that shoulders shall go: at least `lacks_m` in the direction `ways`, unit; or zero, for one that goes wherever
// the other takes it.
typedef struct GtiLeanGoal {
    GtVec3 ways[GTI_SIDE_COUNT];
    float lacks_m[GTI_SIDE_COUNT];
} GtiLeanGoal;

// The smallest turn of the trunk that does so, as a rotation vector in model space: each joint takes an even share of
// it. It changes smoothly with everything given, and no trunk turns by more than 34 degrees.
GtVec3 gti_lean(const GtiTrunk* trunk, const GtiLeanGoal* goal);

// The rotation that each joint adds, for a turn of the trunk.
GtQuat gti_lean_share(const GtiTrunk* trunk, GtVec3 turn);

#endif
