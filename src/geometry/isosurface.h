// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The zero level of a field as triangles.

#ifndef GERTIE_GEOMETRY_ISOSURFACE_H
#define GERTIE_GEOMETRY_ISOSURFACE_H

#include "geometry/field.h"
#include "geometry/trimesh.h"

// Planes of a box of cells, ascending; they need not be evenly spaced.
typedef struct GtiGrid {
    const float* lines[3];
    int32_t counts[3]; // 2 or more
} GtiGrid;

// Polygonise the part of the zero level that hangs together with `seed`, a point on it or near it: the nearest cell
// that it crosses along +y is where following starts. Of what comes closer together than a cell, the largest piece is
// kept. The mesh is a 2-manifold by construction, oriented outwards, with
// a boundary only where the surface leaves the box. `mesh` is empty when no crossing was found.
// false when memory ran out.
bool gti_isosurface(const GtiField* field, const GtiGrid* grid, GtVec3 seed, GtArena* arena, GtiTrimesh* mesh);

#endif
