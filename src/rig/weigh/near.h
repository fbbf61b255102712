// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The nearest of many points.

#ifndef GERTIE_RIG_WEIGH_NEAR_H
#define GERTIE_RIG_WEIGH_NEAR_H

#include "gertie/memory.h"
#include "gertie/vec.h"

// A balanced k-d tree over someone's points; the middle of each range is its root.
typedef struct GtiNearTree {
    const GtVec3* points;
    int32_t* order; // [count]
    int32_t count;
} GtiNearTree;

// The points must outlive the tree, whose array is the arena's; false when memory ran out.
bool gti_near_tree_make(const GtVec3* points, int32_t count, GtArena* arena, GtiNearTree* out);

// Index of the nearest point, of equals any but always the same; GT_NONE where there are none.
// distance: receives how far it is; may be NULL
int32_t gti_near_tree_find(const GtiNearTree* tree, GtVec3 p, float* distance);

#endif
