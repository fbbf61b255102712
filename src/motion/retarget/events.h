// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Named moments of a clip, for programs that play a sound or puff up dust when a foot comes down: in the extras of the
// animation, as docs/verbs/retarget.md says.

#ifndef GERTIE_MOTION_RETARGET_EVENTS_H
#define GERTIE_MOTION_RETARGET_EVENTS_H

#include "gertie/scene.h"

typedef struct GtiClipEvent {
    int32_t frame;
    const char* name; // static
    const char* on;   // what a hand touches, static; or NULL
} GtiClipEvent;

typedef struct GtiClipEvents {
    GtArena* arena; // of the events
    GtiClipEvent* of;
    int32_t count, capacity;
} GtiClipEvents;

// A hand that touches something in these frames. What lasts from before the clip or to after it does not begin or end.
// False when memory ran out.
bool gti_events_add_touch(GtiClipEvents* events, int32_t frame_count, int side, const char* on, int32_t first,
                          int32_t last);

// Feet that come down and go up: whole feet, be it on heel or toes.
// bits: [frame_count] of contacts
// loops: the last frame goes before the first
bool gti_events_add_feet(GtiClipEvents* events, const uint8_t* bits, int32_t frame_count, bool loops);

// Write events by time.
// times_s: [frame_count] of the clip
// out: receives the JSON, which lives as long as the scene; NULL where there are no events
GtResult gti_events_write(GtScene* scene, const GtiClipEvents* events, const float* times_s, const char** out,
                          GtError* error);

#endif
