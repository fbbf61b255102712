// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From factors in double precision to what the frames read.

#ifndef GERTIE_HARMONIC_SOLVE_PACK_H
#define GERTIE_HARMONIC_SOLVE_PACK_H

#include "harmonic/solve/system.h"
#include "runtime/harmonic/harmonic.h"
#include "solve/supernodes.h"

// Triangles and ties in elimination order, and how the tree of groups hangs together.
typedef struct GtiHarmonicPlan {
    const GtiSupernodes* supernodes;
    int32_t* places;         // [vertex_count] where each vertex is eliminated
    int32_t* node_of;        // [vertex_count] group of each place
    int32_t* parents;        // [node_count] group, or GT_NONE
    GtiHarmonicNode* packed; // [node_count + 1]
    int32_t (*corners)[3];   // [triangle_count] places; triangles by the groups of their first eliminated corners
    float (*vectors)[6];     // [triangle_count] what corners 0 and 1 add to the right side at rest
    float (*shares)[4];      // [triangle_count] its part of the matrix: the diagonal at corners 0 and 1, and what is
                             // between them, all positive; and its area, of ties 0
    int32_t triangle_count;
} GtiHarmonicPlan;

// False when memory ran out.
bool gti_harmonic_plan_make(const GtiTrimesh* mesh, const GtiIslands* islands, const GtiSupernodes* supernodes,
                            GtArena* arena, GtiHarmonicPlan* out);

// Weights of markers in panels of columns.
typedef struct GtiHarmonicWeights {
    int32_t* starts;            // [panel_count + 1]
    int32_t* markers;           // [starts[panel_count]] ascending in each panel
    float (*values)[GTI_PANEL]; // likewise
} GtiHarmonicWeights;

// -D^-1 M^-1 times the right side of the Laplace equation.
// laplace: of gti_supernodes_make()
GtResult gti_harmonic_weights_make(const GtiHarmonicPlan* plan, const double* laplace, const GtiHarmonicRight* right,
                                   int32_t marker_count, GtArena* arena, GtiHarmonicWeights* out, GtError* error);

// Cut the tree into pieces as large as `limit` allows; cost[s] is what counts against it of group s alone.
// False when memory ran out.
bool gti_harmonic_cut_make(const GtiHarmonicPlan* plan, const int64_t* costs, int64_t limit, GtArena* arena,
                           GtiHarmonicCut* out);

// All in one block. `head` has the fields that are known and arrays to be copied; those of the factors, the triangles
// and the nodes come from the rest.
// ground: place whose position is 0; cures: [triangle_count], read where head->has_axes
GtResult gti_harmonic_pack(const GtiHarmonicPlan* plan, const double* laplace, const double* poisson, int32_t ground,
                           const float (*cures)[GTI_CURE_SIZE], const GtHarmonic* head, GtHarmonic** out,
                           GtHarmonicReport* report, GtError* error);

#endif
