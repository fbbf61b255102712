// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skin that goes into skin from which it is apart in the bind pose.

#ifndef GERTIE_MEASURE_SELF_H
#define GERTIE_MEASURE_SELF_H

#include "collide/tree.h"
#include "measure/skin.h"

// Zones that do not go into each other: one part of a limb, all of the trunk. Where they are cut off they have lids.
typedef struct GtiSelfGroup {
    uint32_t* corners;      // [3 * tree.triangle_count] vertices, or lids after all vertices; the skin comes first
    int32_t skin_triangles; // of them that are skin
    int32_t above;          // the group that it hangs from, or GT_NONE
    GtiTree tree;
    int32_t first_box;    // of its nodes in the boxes of all groups
    GtBounds* rest_boxes; // [nodes] in the bind pose
} GtiSelfGroup;

// Points of the skin that are looked at: all, or evenly chosen ones of many.
typedef struct GtiSelf {
    const GtiMeasuredSkin* skin;
    GtiSelfGroup* groups; // [group_count]
    int32_t group_count;
    int32_t* zone_groups; // [zone_count]
    int32_t* zone_lids;   // [zone_count] first lid of each
    int32_t lid_count;    // of all zones
    float* lid_shares;    // [lid_count] of each end of a rim in the middle of its lid
    GtVec3* rest;         // [vertex_count + lid_count] in the bind pose
    int32_t box_count;
    int32_t* vertices; // [count] one of each point
    int32_t count;
    float apart_m; // in the bind pose
    float least_m; // what is shallower may be the coarseness of the mesh
    int outward;   // 1 where triangles face outwards, -1 in a mesh that is inside out
} GtiSelf;

// What was found at one frame.
typedef struct GtiSelfFrame {
    float depth_m;         // 0 for none
    float clash_m;         // the same without folds around joints
    int32_t vertex, other; // or GT_NONE
    int32_t clash_vertex, clash_other;
    int32_t inside_count; // points inside
} GtiSelfFrame;

// Memory is of the arena.
GtResult gti_self_open(GtArena* arena, const GtiMeasuredSkin* skin, GtiSelf* out, GtError* error);

// Measure a frame.
// positions: [vertex_count + lid_count] of which the vertices are filled in
// boxes: [box_count] scratch
void gti_self_measure(const GtiSelf* self, GtVec3* positions, GtBounds* boxes, GtiSelfFrame* out);

#endif
