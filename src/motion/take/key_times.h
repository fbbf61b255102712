// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The times that a clip is looked at: even ones, or those of its curve that has the most keys, evened out to 60 a
// second where they are uneven and denser.

#ifndef GERTIE_MOTION_TAKE_KEY_TIMES_H
#define GERTIE_MOTION_TAKE_KEY_TIMES_H

#include "gertie/scene.h"

typedef struct GtiKeyTimesDef {
    const GtScene* scene;
    int32_t animation;
    double start_s, end_s; // of the motion
    double step_s;         // between even times; 0 for those of keys
} GtiKeyTimesDef;

// times: receives [count] seconds, increasing; 1 or more
GtResult gti_key_times(const GtiKeyTimesDef* def, GtArena* arena, float** times, int32_t* count, GtError* error);

#endif
