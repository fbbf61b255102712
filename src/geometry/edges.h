// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The edges of a triangle mesh, whatever its topology: half-edges that join the same two vertices, side by side.

#ifndef GERTIE_GEOMETRY_EDGES_H
#define GERTIE_GEOMETRY_EDGES_H

#include "geometry/trimesh.h"

// Half-edge 3 * triangle + i goes from vertex i of the triangle to the next one.
typedef struct GtiEdges {
    int32_t* halves; // [3 * triangle_count] by edges; of one edge, ascending
    int32_t* firsts; // [edge_count + 1] where the half-edges of each edge start
    int32_t edge_count;
} GtiEdges;

static inline int32_t gti_half_start(const GtiTrimesh* mesh, int32_t half)
{
    return mesh->triangles[half / 3][half % 3];
}

static inline int32_t gti_half_end(const GtiTrimesh* mesh, int32_t half)
{
    return mesh->triangles[half / 3][half % 3 == 2 ? 0 : half % 3 + 1];
}

// Whether it goes from the lower to the higher of its vertices: two triangles of an edge wind alike when their
// half-edges differ in this.
static inline bool gti_half_rises(const GtiTrimesh* mesh, int32_t half)
{
    return gti_half_start(mesh, half) < gti_half_end(mesh, half);
}

// Time is in proportion to the triangles, but for vertices of thousands of them. No triangle uses a vertex twice.
// Edges are ordered by their lower and then by their higher vertices. false when memory ran out.
bool gti_edges_find(const GtiTrimesh* mesh, GtArena* arena, GtiEdges* out);

#endif
