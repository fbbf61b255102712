// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The two systems of a harmonic deformation, on one pattern.

#ifndef GERTIE_HARMONIC_SOLVE_SYSTEM_H
#define GERTIE_HARMONIC_SOLVE_SYSTEM_H

#include "harmonic/markers/islands.h"
#include "harmonic/markers/patches.h"
#include "solve/sparse.h"

// Of mean edges; what cotangents of slivers are kept from exceeding.
#define GTI_HARMONIC_SLACK 1e-5

// Weight of a tie in both systems: that of a well-shaped edge.
#define GTI_HARMONIC_TIE 1.0

// Entries of the Laplace equation's right side: vertex by marker, as columns of markers.
typedef struct GtiHarmonicRight {
    int32_t* starts;   // [marker_count + 1]
    int32_t* vertices; // [starts[marker_count]]
    double* values;    // likewise
} GtiHarmonicRight;

typedef struct GtiHarmonicSystem {
    GtiSparse laplace; // quaternions: held vertices are rows of the identity
    GtiSparse poisson; // positions: the ground is a row of the identity
    GtiHarmonicRight right;
} GtiHarmonicSystem;

// What the systems are made of.
typedef struct GtiHarmonicParts {
    const GtiLaplacian* laplacian;
    const GtiIslands* islands;
    const bool* spreads;    // [component_count - 1] whether rotations spread over a tie
    const int32_t* holders; // [vertex_count] marker that holds each vertex, or GT_NONE
    int32_t marker_count;
    int32_t ground; // vertex
} GtiHarmonicParts;

// False when memory ran out.
bool gti_harmonic_system_make(const GtiHarmonicParts* parts, GtArena* arena, GtiHarmonicSystem* out);

#endif
