// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A bounding-volume tree over the triangles of a mesh. Its shape is found once, for some pose; for any other pose of
// the same mesh only the boxes are found again, which takes one pass over the triangles. The shape is immutable, so
// that threads share it, each with boxes of its own.

#ifndef GERTIE_COLLIDE_TREE_H
#define GERTIE_COLLIDE_TREE_H

#include "base/bounds.h"

#include "gertie/error.h"
#include "gertie/memory.h"

// A node after its parent. A leaf has triangles; any other node has two children, of which the first comes right after
// it.
typedef struct GtiTreeNode {
    int32_t first, count; // of the triangles in `order`; count is 0 where there are children
    int32_t second;       // the second child
} GtiTreeNode;

typedef struct GtiTree {
    const uint32_t* corners; // [3 * triangle_count] vertices, of the caller
    int32_t triangle_count;
    int32_t* order;     // [triangle_count] leaf by leaf
    GtiTreeNode* nodes; // [node_count] parents first
    int32_t node_count; // 0 without triangles
} GtiTree;

// The tree as a mesh is now.
typedef struct GtiPosedTree {
    const GtiTree* tree;
    const GtVec3* positions; // [vertices]
    GtBounds* boxes;         // [node_count]
} GtiPosedTree;

// Find the shape of the tree. Memory is of the arena.
// positions: [vertices] for which the tree is good, such as the bind pose; corners: must outlive the tree
GtResult gti_tree_build(GtArena* arena, const GtVec3* positions, const uint32_t* corners, int32_t triangle_count,
                        GtiTree* out, GtError* error);

// Find the boxes for posed->positions.
void gti_tree_refit(const GtiPosedTree* posed);

// The nearest point of some triangles.
typedef struct GtiTreeNearest {
    int32_t triangle; // or GT_NONE
    GtVec3 point;
    float distance_m;
} GtiTreeNearest;

// Whether a triangle counts, whose nearest point to the place asked for is `point`.
typedef bool (*GtiTreeFilter)(const void* user, int32_t triangle, GtVec3 point);

// Find the nearest point that is less than `most_m` away.
// counts: asked for triangles that are nearer than any that counted before, or NULL for all to count
GtiTreeNearest gti_tree_nearest(const GtiPosedTree* posed, GtVec3 from, float most_m, GtiTreeFilter counts,
                                const void* user);

// How many triangles a ray goes through from inside to outside, less those that it goes through the other way. From a
// point outside of a closed mesh it is 0; from inside 1; from inside of two parts of it 2.
int gti_tree_crossings(const GtiPosedTree* posed, GtVec3 from, GtVec3 way);

// The same for the middle one of three rays: holes and rays along an edge seldom fool two of them.
int gti_tree_winding(const GtiPosedTree* posed, GtVec3 from);

#endif
