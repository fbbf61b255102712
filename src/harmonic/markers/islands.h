// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Components of a surface, and ties that make them one.

#ifndef GERTIE_HARMONIC_MARKERS_ISLANDS_H
#define GERTIE_HARMONIC_MARKERS_ISLANDS_H

#include "geometry/laplacian.h"
#include "geometry/trimesh.h"

// An edge between two components.
typedef struct GtiTie {
    int32_t island; // vertex of the smaller component
    int32_t shore;  // vertex of the larger one
    double length;
} GtiTie;

typedef struct GtiIslands {
    int32_t component_count;
    int32_t* components; // [vertex_count] 0 for the largest by area; equal areas by their first vertices
    GtiTie* ties;        // [component_count - 1] of component i + 1, to the nearest vertex of any before it
} GtiIslands;

// False when memory ran out.
bool gti_islands_make(const GtiTrimesh* mesh, const GtiLaplacian* laplacian, GtArena* arena, GtiIslands* out);

#endif
