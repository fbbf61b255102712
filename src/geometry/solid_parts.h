// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Steps of gti_solid_make().

#ifndef GERTIE_GEOMETRY_SOLID_PARTS_H
#define GERTIE_GEOMETRY_SOLID_PARTS_H

#include "geometry/solid.h"

// What is left of a surface's winding number once crossings are counted along lines: closed loops of its boundary, cut
// into short ones, under a tree.
typedef struct GtiRim GtiRim;

// `out` receives NULL where the surface is closed. false when memory ran out.
bool gti_rim_make(const GtiTrimesh* mesh, GtArena* arena, GtiRim** out);

// What to add to the crossings that are counted from `p` towards -x, entering ones less leaving ones. The work that it
// took is added to `steps`.
float gti_rim_winding(const GtiRim* rim, GtVec3 p, int64_t* steps);

// Which cells are inside, 1 or 0, and whether the surface has a boundary. `inside` is zeroed. false when memory ran
// out.
bool gti_solid_fill(const GtiTrimesh* mesh, const GtiSolid* solid, GtAllocator allocator, uint8_t* inside, bool* open);

// Fill in the distances. false when memory ran out.
bool gti_solid_measure(const GtiTrimesh* mesh, const uint8_t* inside, bool open, GtAllocator allocator,
                       GtiSolid* solid);

#endif
