// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs on their way from knots on spheres to joints.

#ifndef GERTIE_RIG_MEDIAL_REFINE_PARTS_H
#define GERTIE_RIG_MEDIAL_REFINE_PARTS_H

#include "rig/medial/refine.h"
#include "rig/medial/way.h"

typedef struct GtiRefinedLimb {
    GtiMedialWay way;
    int32_t girdle; // index in the chain of the joint next to the trunk, or GT_NONE
    float beyond;   // rest length from there to the end
    GtVec3 offset;  // of that joint from the fork, in the given skeleton
    float lateral;  // 0 to 1: how much that joint goes sideways with the size of the limb
    float scale;
    float* to_ends; // [chain_count] from the girdle on: how long before the end joints are
} GtiRefinedLimb;

typedef struct GtiRefiner {
    const GtiRefineDef* def;
    const GtiMedialTree* tree;
    GtiRigSkeleton* skeleton;
    GtiRefinedLimb limbs[GTI_KNOT_MOST];
    GtVec3 anchors[GTI_KNOT_MOST]; // where the body shows knots to be
    GtVec3 forks[GTI_KNOT_MOST];   // where knots are, but ends
} GtiRefiner;

// Where a joint of the chain that leads to a knot is in the given skeleton.
static inline GtVec3 gti_chain_rest(const GtiMedialTree* tree, const GtiMedialKnot* knot, int32_t i)
{
    return tree->rest[tree->chain[knot->chain_start + i]];
}

// Rest length of the chain from its joint i to the knot.
float gti_rest_to_end(const GtiMedialTree* tree, const GtiMedialKnot* knot, int32_t i);

// How surely a limb begins where it leaves the trunk, 0 to 1: a rod does, flesh goes on inside.
float gti_rod_share(const GtiMedialWay* way);

// Where on the way of each limb its joints are: to_ends. False when memory ran out.
bool gti_limbs_measure(GtiRefiner* r, GtArena* scratch);

#endif
