// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Handles: means of some vertices that frames hold where they want them.
//
// The Poisson equation leaves open where the mesh is, and what pulls at it: with forces f on the means m of the
// handles, the anchor being one of them, its solution is x = y + t + W f, where W = L^-1 m has been made beforehand,
// and the forces add up to 0. A handle that is held with a compliance c comes to m x + c f = p. With A = m W that is a
// small system, (A + C) f + t = p - m y, of those handles that a frame holds: whichever these are, nothing is factored
// anew.

#ifndef GERTIE_RUNTIME_HARMONIC_HOLD_H
#define GERTIE_RUNTIME_HARMONIC_HOLD_H

#include "runtime/harmonic/harmonic.h"

enum {
    GTI_MOST_HOLDS = GT_HARMONIC_MAX_HANDLES + 1 // with the anchor, which is the last
};

// What is done to a frame so that it holds.
typedef struct GtiHarmonicPull {
    GtVec3 shift;
    double forces[GTI_MOST_HOLDS][3];
} GtiHarmonicPull;

// Whether a frame holds any handle but the anchor.
bool gti_harmonic_holds(const GtHarmonic* harmonic, const GtHarmonicFrame* frame);

// means: [handle_count + 1] of ways from the rest pose, as the frame was solved; of the anchor alone where the frame
//        holds nothing else
void gti_harmonic_pull(const GtHarmonic* harmonic, const GtHarmonicFrame* frame, const double (*means)[3],
                       GtiHarmonicPull* out);

// Where a frame's handles are when it is pulled.
// places: [handle_count]
void gti_harmonic_pulled(const GtHarmonic* harmonic, const double (*means)[3], const GtiHarmonicPull* pull,
                         GtVec3* places);

// Told where the handles of a frame are as its holds have them, a caller may change these before it is written.
// frame:  of those that are baked
// places: [handle_count]
typedef void (*GtiHarmonicChoose)(void* user, const GtHarmonicFrame* frame, const GtVec3* places);

// gt_harmonic_bake() with a choice, on the calling thread; none where `choose` is NULL.
void gti_harmonic_bake(const GtHarmonic* harmonic, const GtHarmonicFrame* frames, int32_t frame_count,
                       GtiHarmonicChoose choose, void* user, void* scratch);

// Where handles are in frames, without solving for vertices: m y = (L^-1 m) u = W u for the right side u.
// frames: whose positions are not needed
// places: [frame_count * handle_count]
// scratch: as of gt_harmonic_bake()
void gti_harmonic_place(const GtHarmonic* harmonic, const GtHarmonicFrame* frames, int32_t frame_count, GtVec3* places,
                        void* scratch);

#endif
