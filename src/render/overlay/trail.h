// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The path of a joint over a motion, as a thin tube with a knot every tenth of a second.

#ifndef GERTIE_RENDER_OVERLAY_TRAIL_H
#define GERTIE_RENDER_OVERLAY_TRAIL_H

#include "render/draw/performer.h"
#include "render/picture/shape.h"

typedef struct GtiTrails {
    GtiPaintedShape shape;
    int32_t count;
    int32_t sample_count; // of each
    double from_s, to_s;
} GtiTrails;

// Play the motion from `from_s` to `to_s` and follow nodes of the character. False when memory ran out.
bool gti_trails_create(GtArena* arena, GtiPerformer* performer, const int32_t* nodes, int32_t count, double from_s,
                       double to_s, float radius_m, GtiTrails* out);

// Indices of a trail up to a time, or after it.
void gti_trail_part(const GtiTrails* trails, int32_t trail, double time_s, bool after, int32_t* first, int32_t* count);

#endif
