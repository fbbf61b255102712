// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From slots to the caller's vertices.

#ifndef GERTIE_RUNTIME_HARMONIC_WRITE_H
#define GERTIE_RUNTIME_HARMONIC_WRITE_H

#include "runtime/harmonic/hold.h"

// The solved frames of a batch, or one frame.
typedef struct GtiHarmonicResult {
    const GtHarmonic* harmonic;
    const GtiHarmonicCut* cut;
    float* points; // [slot_count] of GTI_BATCH frames, components one after the other; or of one, as x, y, z, w
    const GtHarmonicFrame* frames;
    int32_t frame_count;
    GtiHarmonicChoose choose; // of a batch, or NULL
    void* user;
} GtiHarmonicResult;

// Write positions, the anchor of each where its frame says, and normals where they are wanted.

void gti_harmonic_write_batch(const GtiHarmonicResult* result);
// Slots have the right side instead: what gti_harmonic_place() says.
void gti_harmonic_write_places(const GtiHarmonicResult* result, GtVec3* places);
void gti_harmonic_write_frame(const GtiHarmonicResult* result, const GtExecutor* executor);

#endif
