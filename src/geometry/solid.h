// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inside of a surface that need not be closed: cells of a grid with the distance to the surface, negative inside.

#ifndef GERTIE_GEOMETRY_SOLID_H
#define GERTIE_GEOMETRY_SOLID_H

#include "gertie/context.h"

#include "geometry/trimesh.h"

typedef struct GtiSolid {
    GtVec3 origin; // centre of cell 0, 0, 0
    float cell;
    int32_t counts[3];
    float* distances; // [counts 0 * 1 * 2], x fastest, at centres of cells; negative inside
} GtiSolid;

// Inside is where the generalised winding number (Jacobson et al. 2013) is above 1/2: holes are closed as a film would,
// pieces that overlap are one solid, and walls inside it do not count. Distances are those to the nearest
// triangles inside and within two cells outside, and less than half a cell off further out. Gaps thinner than a cell
// may close.
// @param mesh        welded and oriented, see gti_orient(); no triangle uses a vertex twice; finite
// @param cell        wished for; larger where the grid would be of more than cell_limit cells, or the triangles would
//                    cover too many of them
// @param cell_limit  1,000 or more
GtResult gti_solid_make(const GtContext* context, const GtiTrimesh* mesh, float cell, int64_t cell_limit,
                        GtArena* arena, GtiSolid* out, GtError* error);

// Trilinear; outside the grid, the distance to its border is added.
float gti_solid_distance(const GtiSolid* solid, GtVec3 p);

// Where the distance grows fastest, of about unit length, from differences over a cell; zero where it is level.
GtVec3 gti_solid_gradient(const GtiSolid* solid, GtVec3 p);

// Whether all between two points, ends left out, has a distance under `margin`.
bool gti_solid_sees(const GtiSolid* solid, GtVec3 from, GtVec3 to, float margin);

static inline size_t gti_solid_index(const GtiSolid* solid, int32_t x, int32_t y, int32_t z)
{
    return ((size_t)z * (size_t)solid->counts[1] + (size_t)y) * (size_t)solid->counts[0] + (size_t)x;
}

static inline GtVec3 gti_solid_centre(const GtiSolid* solid, int32_t x, int32_t y, int32_t z)
{
    return gt_vec3(solid->origin.x + solid->cell * (float)x, solid->origin.y + solid->cell * (float)y,
                   solid->origin.z + solid->cell * (float)z);
}

#endif
