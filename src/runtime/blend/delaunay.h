// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Delaunay's triangulation of a few points in one, two or three dimensions, exactly.

#ifndef GERTIE_RUNTIME_BLEND_DELAUNAY_H
#define GERTIE_RUNTIME_BLEND_DELAUNAY_H

#include "gertie/error.h"
#include "gertie/memory.h"

enum {
    GTI_DELAUNAY_UNIT = 1 << 20, // coordinates are 0 to this: determinants then fit into 128 bits
    GTI_DELAUNAY_APART = 32,     // two points are farther apart than this along some axis
    GTI_DELAUNAY_FLAT = 4        // what is not farther off a plane or a line than this lies in it
};

typedef struct GtiSimplex {
    int32_t corners[4];    // [dimension + 1]
    int32_t neighbours[4]; // [dimension + 1] across the face without that corner, or GT_NONE at the border
} GtiSimplex;

typedef struct GtiDelaunay {
    int32_t dimension; // of what the points span: 0 for a single one, 1 for a line, 2 for a plane
    int32_t simplex_count;
    GtiSimplex* simplices;
} GtiDelaunay;

// Triangulate points that are all apart. Ties, as in grids, are broken as if every point were lifted a little, the
// first most, so that the result is one triangulation whatever the order in which it is found. Planes and lines in
// space are triangulated as one of their projections.
// @param arena   receives the result, and scratch
// @param points  [count] coordinates; 0 in axes that there are not
GtResult gti_delaunay(GtArena* arena, const int32_t (*points)[3], int32_t count, GtiDelaunay* out, GtError* error);

#endif
