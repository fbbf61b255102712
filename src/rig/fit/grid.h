// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Points of a surface in cells, to find the one that is nearest and faces the same way.

#ifndef GERTIE_RIG_FIT_GRID_H
#define GERTIE_RIG_FIT_GRID_H

#include "gertie/memory.h"
#include "gertie/vec.h"

typedef struct GtiPointGrid {
    const GtVec3* points;
    const GtVec3* normals;
    int32_t count;
    GtVec3 low;
    float cell;
    int32_t counts[3];
    int32_t* first; // [cells + 1] into `order`
    int32_t* order; // [count]
} GtiPointGrid;

// Room for a grid over `count` points, to be filled as often as points move. false when memory ran out.
bool gti_point_grid_create(int32_t count, GtArena* arena, GtiPointGrid* out);

// Put points into the cells; the arrays stay the caller's.
void gti_point_grid_fill(GtiPointGrid* grid, const GtVec3* points, const GtVec3* normals, int32_t count);

// The point for which |p - q|^2 + turn^2 |n - m|^2 is least among those within `reach` of p, or GT_NONE.
// @param hint  a point that may be near, which makes it faster
int32_t gti_point_grid_nearest(const GtiPointGrid* grid, GtVec3 p, GtVec3 n, float turn, float reach, int32_t hint);

#endif
