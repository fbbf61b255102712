// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clip of dense keys that is written frame by frame, in any order, so that its poses need not be in memory besides.

#ifndef GERTIE_BUILD_BAKING_H
#define GERTIE_BUILD_BAKING_H

#include "gertie/bake.h"
#include "gertie/context.h"

typedef struct GtiBaking {
    GtScene* scene;
    const GtBakeDef* def;
    struct GtiBakedTrack* tracks; // [track_count]
    int32_t track_count;
    GtArena arena; // of the tracks
} GtiBaking;

// Make the arrays of all keys. Poses of the def are not looked at; all else of it must last until the end.
// Discard it, or finish it, also on failure.
GtResult gti_baking_begin(const GtContext* context, GtScene* scene, const GtBakeDef* def, GtiBaking* out,
                          GtError* error);

// Write a frame, or read what was written: of `pose` [node_count of the def], the paths that are keyed.
void gti_baking_put(const GtiBaking* baking, int32_t frame, const GtTransform* pose);
void gti_baking_get(const GtiBaking* baking, int32_t frame, GtTransform* pose);

// Append the clip to the scene, once all frames are written.
GtResult gti_baking_finish(GtiBaking* baking, int32_t* animation, GtError* error);

void gti_baking_discard(GtiBaking* baking);

#endif
