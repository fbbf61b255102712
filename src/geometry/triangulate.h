// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Polygons become triangles: in their own plane, concave ones too, with diagonals that avoid slivers.

#ifndef GERTIE_GEOMETRY_TRIANGULATE_H
#define GERTIE_GEOMETRY_TRIANGULATE_H

#include "gertie/memory.h"
#include "gertie/vec.h"

// Cut a quad into out[6], corners 0 to 3: along its shorter diagonal, or the one inside it where it is concave.
void gti_triangulate_quad(const GtVec3 corners[4], uint32_t out[6]);

// Bytes of scratch that gti_triangulate() needs for `count` corners, aligned to 8.
size_t gti_triangulate_scratch_size(uint32_t count);

// Cut a polygon of count >= 3 corners into count - 2 triangles that wind as it does. A polygon that crosses itself, or
// lies on a line, is cut somehow. The time is bounded: what is left of a polygon that takes too many looks is cut into
// a fan.
// @param out  [3 * (count - 2)] corners, 0 to count - 1
void gti_triangulate(const GtVec3* corners, uint32_t count, void* scratch, uint32_t* out);

#endif
