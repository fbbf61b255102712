// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames of a clip, posed many at a time on all threads.

#ifndef GERTIE_HARMONIC_CLIP_POSE_H
#define GERTIE_HARMONIC_CLIP_POSE_H

#include "gertie/harmonic_clip.h"

enum {
    GTI_MAX_POSER_SLOTS = 8
};

// GtHarmonicFrame.anchor_give of bodies: hips go along with feet that are held.
extern const float gti_anchor_give;

typedef struct GtiPoser {
    const GtHarmonicClip* clip;
    const GtExecutor* executor;
    int32_t slot_count;                                              // batches that are posed side by side
    int32_t frame_count;                                             // of the last call
    const int32_t* list;                                             // likewise
    GtHarmonicFrame frames[GTI_MAX_POSER_SLOTS * GT_HARMONIC_BATCH]; // positions are [point_count]
    GtVec3* kept;   // [frame_count of the clip * point_count] where frames go to, or NULL for places of the poser's
    GtVec3* places; // [frames of all slots * handle_count]
    void* scratch[GTI_MAX_POSER_SLOTS];

    // Told where the handles of a frame of the clip are, it may change what the clip holds in it, before the frame is
    // posed; on any thread. May be NULL.
    void (*choose)(void* user, int32_t frame, const GtVec3* places);
    void* user;
} GtiPoser;

// frame_count: the most that are posed in a call, where that is less than there are threads for
bool gti_poser_open(const GtContext* context, const GtHarmonicClip* clip, int32_t frame_count, GtVec3* kept,
                    GtArena* arena, GtiPoser* out);

// Pose as many frames of a list as there is room for; their number is returned.
int32_t gti_poser_pose(GtiPoser* poser, const int32_t* frames, int32_t frame_count);

// Likewise find where their handles are, and nothing else, in `places`: in half the time.
int32_t gti_poser_place(GtiPoser* poser, const int32_t* frames, int32_t frame_count);

#endif
