// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames of a clip, posed many at a time on all threads.

#ifndef GERTIE_DEFORM_CLIP_POSE_H
#define GERTIE_DEFORM_CLIP_POSE_H

#include "gertie/harmonic_clip.h"

enum {
    GTI_MAX_POSER_SLOTS = 8
};

typedef struct GtiPoser {
    const GtHarmonicClip* clip;
    const GtExecutor* executor;
    int32_t slot_count;                                              // batches that are posed side by side
    int32_t frame_count;                                             // of the last call
    GtHarmonicFrame frames[GTI_MAX_POSER_SLOTS * GT_HARMONIC_BATCH]; // positions are [point_count]
    void* scratch[GTI_MAX_POSER_SLOTS];
} GtiPoser;

// frame_count: the most that are posed in a call, where that is less than there are threads for
bool gti_poser_open(const GtContext* context, const GtHarmonicClip* clip, int32_t frame_count, GtArena* arena,
                    GtiPoser* out);

// Pose as many frames of a list as there is room for; their number is returned.
int32_t gti_poser_pose(GtiPoser* poser, const int32_t* frames, int32_t frame_count);

#endif
