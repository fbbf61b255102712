// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles over shared vertices, and what one can measure on them.

#ifndef GERTIE_GEOMETRY_TRIMESH_H
#define GERTIE_GEOMETRY_TRIMESH_H

#include "base/bounds.h"

#include "gertie/memory.h"

// Arrays are someone's arena's. Triangles turn counter-clockwise seen from outside.
typedef struct GtiTrimesh {
    GtVec3* positions;
    int32_t vertex_count;
    int32_t (*triangles)[3];
    int32_t triangle_count;
} GtiTrimesh;

static inline GtBounds gti_triangle_bounds(const GtiTrimesh* mesh, int32_t triangle)
{
    const int32_t* t = mesh->triangles[triangle];
    const GtVec3 corners[3] = { mesh->positions[t[0]], mesh->positions[t[1]], mesh->positions[t[2]] };
    return gti_bounds_of(corners, 3);
}

// How triangles are shaped.
typedef struct GtiTriangleShape {
    double min_angle_rad;
    double mean_min_angle_rad; // mean over the triangles of their smallest angles
    double sliver_share;       // of triangles with an angle under 15 degrees
    double area_m2;
    double volume_m3; // enclosed, where the mesh is closed
} GtiTriangleShape;

GtiTriangleShape gti_trimesh_shape(const GtiTrimesh* mesh);

// Number of pairs of triangles that cut each other; triangles that share a corner are tested beyond that corner.
// Negative when memory ran out. `marks` [triangle_count] receives 1 for triangles that cut, 0 for others; may be NULL.
int64_t gti_trimesh_self_intersections(const GtiTrimesh* mesh, GtAllocator allocator, uint8_t* marks);

#endif
