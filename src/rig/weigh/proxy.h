// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin in few enough points to solve on: itself, or, where it is dense, clusters of its points.

#ifndef GERTIE_RIG_WEIGH_PROXY_H
#define GERTIE_RIG_WEIGH_PROXY_H

#include "gertie/context.h"

#include "geometry/laplacian.h"
#include "rig/body/body.h"

typedef struct GtiProxy {
    GtiTrimesh mesh;   // points that are the means of their clusters, and the triangles between three of them
    GtVec3* normals;   // [vertex_count] unit or zero
    int32_t* pieces;   // [vertex_count] of the body's surface
    int32_t* clusters; // [body's point_count] vertex that each point is of; GT_NONE for points of islands
    bool machine;      // large pieces, none of which is most of the body: a robot or armour
    bool all;          // islands are part of it, because it is a machine or there is no other skin
    bool whole;        // each vertex is one point
    GtiLaplacian laplacian;
} GtiProxy;

// Cluster the skin's points where there are more than `limit`; a cluster is a cell of a grid, of one piece and with
// normals of one octant, so that both sides of thin parts and of gaps stay apart. Arrays are the arena's.
GtResult gti_proxy_make(const GtContext* context, const GtiRigBody* body, int32_t limit, GtArena* arena, GtiProxy* out,
                        GtError* error);

// Some joints for each of many points, sparse rows of a matrix of weights.
typedef struct GtiProxyRows {
    int32_t width;
    uint16_t* joints; // [count * width] by descending weight, then 0
    float* weights;   // likewise
} GtiProxyRows;

bool gti_rows_push(GtArena* arena, int32_t count, int32_t width, GtiProxyRows* out);

// Put a joint that the row does not have into it, if it is among the largest.
void gti_row_insert(const GtiProxyRows* rows, int32_t row, uint16_t joint, float weight);

// The row of a place that is nearest to vertex `home`: the rows of that vertex and its neighbours, the nearer the more,
// into `out` [out's width].
void gti_proxy_blend(const GtiProxy* proxy, const GtiProxyRows* rows, int32_t home, GtVec3 p, const GtiProxyRows* out,
                     int32_t row);

#endif
