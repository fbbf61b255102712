// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How far a baked clip is from what it was baked of, as a viewer plays it: between frames, too.

#ifndef GERTIE_SECTIONS_BAKE_ERROR_H
#define GERTIE_SECTIONS_BAKE_ERROR_H

#include "sections/play/player.h"

typedef struct GtiBakeErrorDef {
    const GtSculptPlayer* player;
    const GtScene* baked;
    int32_t animation; // of it
    double start_s;
    double rate_hz; // of its frames; 0 for a single one
    int32_t frame_count;
    double moved_share; // of all vertices, those that may be off
} GtiBakeErrorDef;

// Distances over all moments: frames, and three between each two.
typedef struct GtiBakeError {
    double rms_m;
    double max_m;
    double time_s;        // when that is
    double frame_rms_m;   // of the worst frame
    double between_rms_m; // of the worst moment between frames
} GtiBakeError;

GtResult gti_bake_error(const GtContext* context, const GtiBakeErrorDef* def, GtiBakeError* out, GtError* error);

#endif
