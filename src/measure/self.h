// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skin that goes into skin from which it is apart in the bind pose.

#ifndef GERTIE_MEASURE_SELF_H
#define GERTIE_MEASURE_SELF_H

#include "measure/skin.h"

// Points of the skin that are looked at: all, or evenly chosen ones of many.
typedef struct GtiSelf {
    const GtiMeasuredSkin* skin;
    int32_t* vertices; // [count] one of each point
    int32_t count;
    int32_t bucket_count; // of the hash grid, a power of two
    float reach_m;        // deepest that is found
    float apart_m;        // in the bind pose
    float least_m;        // what is shallower may be the coarseness of the mesh
    float outward;        // 1 where triangles face outwards, -1 in a mesh that is inside out
} GtiSelf;

// A point in the grid.
typedef struct GtiSelfPoint {
    GtVec3 place;
    int32_t vertex;
} GtiSelfPoint;

// Room for one thread.
typedef struct GtiSelfRoom {
    int32_t* starts;      // [bucket_count + 1] of each bucket in the points
    GtiSelfPoint* points; // [count] bucket by bucket
    GtVec3* normals;      // [point_count] of the skin as it is
} GtiSelfRoom;

// What was found at one frame.
typedef struct GtiSelfFrame {
    float depth_m;         // 0 for none
    int32_t vertex, other; // or GT_NONE
    int32_t inside_count;  // points inside
} GtiSelfFrame;

GtResult gti_self_open(GtArena* arena, const GtiMeasuredSkin* skin, GtiSelf* out, GtError* error);
bool gti_self_push_room(GtArena* arena, const GtiSelf* self, GtiSelfRoom* out);
void gti_self_measure(const GtiSelf* self, const GtVec3* positions, GtiSelfRoom* room, GtiSelfFrame* out);

#endif
