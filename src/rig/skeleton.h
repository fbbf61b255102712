// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton that is being put into a body.

#ifndef GERTIE_RIG_SKELETON_H
#define GERTIE_RIG_SKELETON_H

#include "gertie/humanoid.h"
#include "gertie/vec.h"

typedef struct GtiRigJoint {
    int32_t parent;         // an earlier joint, or GT_NONE
    int32_t humanoid;       // GtHumanoidJoint, or GT_NONE
    int32_t mirror;         // the joint on the other side, or itself
    GtVec3 position;        // in body space
    GtVec3 tip;             // where its bone ends: the child it leads to, or the end of head, toes, finger
    bool fixed;             // given by the user: proposers may not move it
    const char* no_fingers; // of a hand without fingers: why it has none, where that is known; else NULL
} GtiRigJoint;

typedef struct GtiRigSkeleton {
    GtiRigJoint* joints; // parents first
    int32_t joint_count;
} GtiRigSkeleton;

#endif
