// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What frames need to hold the means of some vertices; src/runtime/harmonic/hold.h says how.

#ifndef GERTIE_HARMONIC_SOLVE_HANDLES_H
#define GERTIE_HARMONIC_SOLVE_HANDLES_H

#include "harmonic/solve/pack.h"

// Check the handles of a def and put them, and after them the anchor, into `head`.
// anchors: [anchor_count] vertices, anchor_weights: likewise, of sum 1
GtResult gti_handles_find(const GtHarmonicDef* def, const int32_t* anchors, const float* anchor_weights,
                          int32_t anchor_count, GtArena* arena, GtHarmonic* head, GtError* error);

// How vertices follow forces on the handles. Nothing is made where there is but the anchor.
// poisson: of gti_supernodes_make(); ground: place whose position is 0
// False when memory ran out.
bool gti_handles_solve(const GtiHarmonicPlan* plan, const double* poisson, int32_t ground, GtArena* arena,
                       GtHarmonic* head);

#endif
