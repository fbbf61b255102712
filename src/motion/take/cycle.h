// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Motions that end as they began, but for the way they have gone. What looks at a moment and those around it, looks
// across the seam: the frames are continued at both ends.

#ifndef GERTIE_MOTION_TAKE_CYCLE_H
#define GERTIE_MOTION_TAKE_CYCLE_H

#include "gertie/context.h"
#include "gertie/transform.h"

typedef struct GtiCycle {
    int32_t count; // frames; the last is the first again
    const float* times;
    const GtTransform* poses; // [count * stride]
    int32_t stride;
    int32_t carrier;           // column of the node that carries way and heading
    GtMat34 model_from_parent; // of that node
} GtiCycle;

// Whether the last frame is the first, but for way and heading of the carrier. Its first and last frame are enough.
bool gti_cycle_closes(const GtiCycle* cycle);

// Move a pose [stride] by a cycle: back where `lap` is below 0, else ahead.
void gti_cycle_travel(const GtiCycle* cycle, int32_t lap, GtTransform* pose);

// Frames before the first and after the last that continue it.
typedef struct GtiContinued {
    int32_t before, after; // how many
    int32_t count;         // with the cycle itself
    float* times;          // [count]
    GtTransform* poses;    // [count * stride]
    int32_t* frames;       // [count] of the cycle that each is
} GtiContinued;

// Continue a cycle by up to 1.5 s at either end, as far as feet that stand look around themselves. Memory is of the
// arena; false where it ran out.
bool gti_cycle_continue(const GtiCycle* cycle, GtArena* arena, GtiContinued* out);

// Bits of frames, continued likewise. The first frame and the last, which are the same, get those of both.
// @param bits  [count] of the cycle
// @param out   [more->count]
void gti_cycle_continue_bits(int32_t count, const GtiContinued* more, const uint8_t* bits, uint8_t* out);

#endif
