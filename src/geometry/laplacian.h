// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The cotangent Laplacian of any triangles: holes, edges of three triangles, slivers and triangles without area too.

#ifndef GERTIE_GEOMETRY_LAPLACIAN_H
#define GERTIE_GEOMETRY_LAPLACIAN_H

#include "geometry/trimesh.h"

// Cotangents of the angles at the corners of the triangles, and mixed Voronoi areas of the vertices. Angles are those
// of lengths mollified as Sharp and Crane 2020 do: one length, which is 0 for a mesh without slivers, is added to every
// edge so that each triangle inequality holds with `slack` mean edges to spare (1e-5 is good). The corners are all
// finite, and the energy of each triangle stays positive, so that sums over any triangles do.
// cotangents: [triangle_count], may be NULL; areas: [vertex_count], may be NULL; 0 for vertices of no triangle
void gti_laplacian_corners(const GtiTrimesh* mesh, double slack, double (*cotangents)[3], double* areas);

// -L as a graph: at each vertex its neighbours and half the sum of the cotangents that face the edge between.
typedef struct GtiLaplacian {
    int32_t vertex_count;
    int32_t* starts;     // [vertex_count + 1] where each vertex's neighbours begin
    int32_t* neighbours; // [starts[vertex_count]] ascending, each once, never the vertex itself
    double* weights;     // likewise; negative where the angles that face an edge are obtuse
    double* areas;       // [vertex_count] mixed Voronoi areas
} GtiLaplacian;

// Arrays are the arena's; `slack` as above. False when memory ran out (more than 2^31 / 6 triangles count as that).
bool gti_laplacian_make(const GtiTrimesh* mesh, double slack, GtArena* arena, GtiLaplacian* out);

#endif
