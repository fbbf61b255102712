// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How the surface lies about the axes of its limbs.

#ifndef GERTIE_HARMONIC_SOLVE_AXES_H
#define GERTIE_HARMONIC_SOLVE_AXES_H

#include "harmonic/solve/pack.h"

typedef struct GtiHarmonicAxes {
    GtVec3* axes;                  // [marker_count] unit, or 0; NULL where no marker has one
    float (*offsets)[2][4];        // [vertex_count] in elimination order, as in GtiHarmonicCut
    float (*cures)[GTI_CURE_SIZE]; // [triangle_count] as in GtHarmonic
} GtiHarmonicAxes;

// Axes of markers spread as rotations do, so that each vertex has one; held ones have their marker's own.
// laplace: of gti_supernodes_make(); sources: [marker_count]; extent: of the mesh
// False when memory ran out.
bool gti_harmonic_axes_make(const GtiHarmonicPlan* plan, const double* laplace, const GtiHarmonicWeights* weights,
                            const GtHarmonicDef* def, const GtiPatchSource* sources, double extent, GtArena* arena,
                            GtiHarmonicAxes* out);

// Offsets in the order of a cut's slots. False when memory ran out.
bool gti_harmonic_axes_cut(const GtiHarmonicAxes* axes, const GtiHarmonicPlan* plan, GtArena* arena,
                           GtiHarmonicCut* cut);

#endif
