// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A user's own skeleton, to be put into a body in place of the built-in one.

#ifndef GERTIE_RIG_EMBED_OWN_SKELETON_H
#define GERTIE_RIG_EMBED_OWN_SKELETON_H

#include "gertie/context.h"
#include "gertie/scene.h"

#include "rig/skeleton.h"

typedef struct GtiOwnSkeleton {
    GtiRigSkeleton skeleton; // as the file has it: upright, along z, facing +Z where it is a humanoid, of height 1;
                             // then in the body
    GtVec3* rest;            // [joint_count] positions as the file has them, likewise
    GtVec3* rest_tips;
    GtQuat* rotations; // of the joints in the world, in the rest pose; then in the body
    const char** names;
    bool is_humanoid;
} GtiOwnSkeleton;

// Read the joints of the scene's first skin, or all nodes without a mesh where there is none.
GtResult gti_own_skeleton_read(const GtContext* context, const GtScene* scene, GtArena* arena, GtiOwnSkeleton* out,
                               GtError* error);

// Take over where the joints of an embedded humanoid are. Joints of no humanoid between them keep their share of the
// way; those that hang from them, such as a tail, turn and grow with the bone they hang from.
void gti_own_skeleton_follow(GtiOwnSkeleton* own, const GtiRigSkeleton* humanoid);

// After the joints were placed: turn them as their bones turned, so that a bone keeps its direction in its joint.
void gti_own_skeleton_turn(GtiOwnSkeleton* own);

#endif
