// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inside of a clip: tracks with their keys, or the bytes of a packed one.

#ifndef GERTIE_RUNTIME_CLIP_CLIP_H
#define GERTIE_RUNTIME_CLIP_CLIP_H

#include "gertie/clip.h"

#include "runtime/block.h"
#include "runtime/clip/packed_clip.h"

struct GtClip {
    GtAllocator allocator;
    const char* name;
    const GtTrackDef* tracks;
    int32_t track_count;
    int32_t node_count;
    int32_t weight_count;
    double start_s;
    double end_s;
    const GtiPackedHead* packed; // or NULL: tracks are what is played
};

// A clip that plays packed bytes, checked, which must outlive it; `name` is copied and may be NULL.
GtResult gti_clip_of_bytes(GtAllocator allocator, const GtiPackedHead* bytes, const char* name, GtClip** out,
                           GtError* error);

// gt_clip_create(), but arrays and texts in lasting bytes stay there, and the bytes must outlive the clip.
// lasting: [count] by increasing address, apart from each other or the same
GtResult gti_clip_create_over(GtAllocator allocator, const GtClipDef* def, const GtiLasting* lasting, int32_t count,
                              GtClip** out, GtError* error);

#endif
