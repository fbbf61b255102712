// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: packing clips.
///
/// Packing clips: keys in, a small clip out that plays at the same cost at any time and is nowhere farther from its
/// source than asked.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_CLIP_PACK_H
#define GERTIE_CLIP_PACK_H

#include "gertie/character.h"
#include "gertie/clip.h"
#include "gertie/context.h"
#include "gertie/field.h"

GT_EXTERN_C_BEGIN

/// How a clip is packed. Start from gt_default_clip_pack_def().
typedef struct GtClipPackDef {
    float tolerance_m; ///< farthest that a point may be from where the source has it, in model space; above 0
    float shell_m;     ///< distance from each joint, in metres at rest, up to which any point is; farther where the
                       ///< joint moves vertices that are
    float weight_tolerance; ///< farthest that a morph weight may be; above 0
} GtClipPackDef;

/// 1 mm, 10 cm from each joint, and 0.002 of a morph weight.
GT_API GtClipPackDef gt_default_clip_pack_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_clip_pack_def_fields(void);

/// What gt_clip_pack() did and measured.
typedef struct GtClipPackReport {
    double rate_hz; ///< of the frames that it was measured at
    int32_t frame_count;
    int32_t span_count;     ///< pieces of time that it was cut into
    int32_t constant_count; ///< tracks that do not change
    int32_t spline_count;   ///< tracks that do
    int32_t worst_node;     ///< where the largest error is
    double worst_time_s;
    float max_error_m;
    float max_weight_error;
    size_t source_size; ///< bytes of its frames, 40 a node
    size_t packed_size;
} GtClipPackReport;

/// Pack a clip for its character. Every track becomes a constant or a spline with as few numbers and bits as its
/// place in the hierarchy allows; the result is decoded, and at every frame of the source and three times between
/// frames compared with the source, until every point around each joint is within the tolerance, and so every vertex of
/// a linear skin. A packed clip is returned only when that is so.
///
/// Frames are the grid that all keys lie on; where there is none up to 1,000 Hz, 240 Hz. Tracks that jump (STEP) need a
/// grid. Fails with GT_ERROR_LIMIT where a tolerance cannot be kept: play such a clip as keys, or ask for less.
/// @param report  may be NULL
/// @param out     receives the clip, or NULL on failure; free with gt_clip_destroy()
GT_API GtResult gt_clip_pack(const GtContext* context, const GtClip* clip, const GtCharacter* character,
                             const GtClipPackDef* def, GtClip** out, GtClipPackReport* report, GtError* error);

GT_EXTERN_C_END

#endif
