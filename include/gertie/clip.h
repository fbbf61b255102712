// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: clips.
///
/// A motion ready to play: tracks over the nodes and morph weights of one character, as keys or packed. Immutable.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_CLIP_H
#define GERTIE_CLIP_H

#include "gertie/error.h"
#include "gertie/interpolation.h"
#include "gertie/memory.h"
#include "gertie/transform.h"

GT_EXTERN_C_BEGIN

/// Tracks. Immutable after creation, so any thread may read it.
typedef struct GtClip GtClip;

/// What a track drives.
typedef enum GtTrackKind {
    GT_TRACK_TRANSLATION, ///< 3 components, metres
    GT_TRACK_ROTATION,    ///< 4 components, unit quaternion
    GT_TRACK_SCALE,       ///< 3 components
    GT_TRACK_WEIGHTS,     ///< any number of morph weights in a row
} GtTrackKind;

/// One keyed curve. Before the first key the first value holds, after the last the last; of keys at the same time the
/// last counts, with a jump. Rotations go the shorter way and always come out with unit length: keys need not have it,
/// and one without a direction is the identity. Start from gt_default_track_def().
typedef struct GtTrackDef {
    GtTrackKind kind;
    int32_t target;          ///< node, or first weight
    int32_t component_count; ///< 3, 4, 3, or the number of weights
    GtInterpolation interpolation;
    int32_t key_count;    ///< 1 or more
    const float* times_s; ///< [key_count] not decreasing
    const float* values;  ///< [key_count * component_count], times 3 for CUBICSPLINE
} GtTrackDef;

/// Linear keys of the translation of node 0; no keys yet.
GT_API GtTrackDef gt_default_track_def(void);

/// Everything a clip is made of. Start from gt_default_clip_def().
typedef struct GtClipDef {
    const char* name; ///< or NULL
    int32_t track_count;
    const GtTrackDef* tracks;
    int32_t node_count; ///< of the character: targets are checked against them
    int32_t weight_count;
} GtClipDef;

/// No tracks yet, and no nodes and weights for them.
GT_API GtClipDef gt_default_clip_def(void);

/// Create a clip. Everything in `def` is checked and copied; arrays that are the same pointer, as times often are, are
/// kept once.
/// @param out    receives the clip, or NULL on failure; free with gt_clip_destroy()
/// @param error  may be NULL; names the track at fault
GT_API GtResult gt_clip_create(GtAllocator allocator, const GtClipDef* def, GtClip** out, GtError* error);

/// The bytes of a packed clip (see gertie/clip_pack.h), which live as long as it: write them to a file or send them;
/// NULL and 0 for a clip of keys.
GT_API const void* gt_clip_bytes(const GtClip* clip, size_t* size);

/// Create a clip from the bytes of a packed one. They are checked, checksum first, and copied; what is damaged, cut
/// short or of another version is refused.
/// @param bytes  [size] aligned to 16
/// @param name   or NULL; copied
/// @param out    receives the clip, or NULL on failure; free with gt_clip_destroy()
GT_API GtResult gt_clip_from_bytes(GtAllocator allocator, const void* bytes, size_t size, const char* name,
                                   GtClip** out, GtError* error);

/// Free a clip; `clip` may be NULL.
GT_API void gt_clip_destroy(GtClip* clip);

/// Name, or NULL.
GT_API const char* gt_clip_name(const GtClip* clip);

/// Times of the first and the last key of all tracks, in seconds; 0 and 0 for a clip without tracks.
GT_API double gt_clip_start_s(const GtClip* clip);
GT_API double gt_clip_end_s(const GtClip* clip);

/// Write the clip's values at `time_s` into a pose; what it has no track for stays as it is. Never allocates. A track
/// of keys costs one bisection of them; a packed clip costs the same at any time, whatever was sampled before. A time
/// that is NaN counts as before the first key.
/// @param pose     [node_count]
/// @param weights  [weight_count], or NULL to leave morphs alone
GT_API void gt_clip_sample(const GtClip* clip, double time_s, GtTransform* pose, float* weights);

GT_EXTERN_C_END

#endif
