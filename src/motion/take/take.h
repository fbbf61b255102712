// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the operators on takes share.

#ifndef GERTIE_MOTION_TAKE_TAKE_H
#define GERTIE_MOTION_TAKE_TAKE_H

#include "gertie/take.h"

#include "base/fail.h"
#include "base/scalar.h"

// A new take of another length with all that is not frames copied; its frames are zero.
GtResult gti_take_make(const GtContext* context, const GtTake* like, int64_t frame_count, GtTake** out, GtError* error);

static inline GtTransform* gti_take_pose(const GtTake* take, int32_t frame)
{
    return take->poses + (size_t)frame * (size_t)take->node_count;
}

static inline float* gti_take_weights(const GtTake* take, int32_t frame)
{
    return take->weights + (size_t)frame * (size_t)take->weight_count;
}

// Copy a frame of one take to one of another.
void gti_take_copy_frame(const GtTake* from, int32_t frame, GtTake* to, int32_t to_frame);

// Write the motion at a time, counted in frames, into a frame of another take; held beyond the ends.
void gti_take_sample(const GtTake* from, double at, GtTake* to, int32_t to_frame);

// Replace a frame by the blend from itself (0) to a frame of another take (1).
void gti_take_blend(GtTake* take, int32_t frame, const GtTake* other, int32_t other_frame, float share);

// Where the root is in the model, and moving and turning it there: by `turn` about the vertical through `pivot`, then
// by `way`.
GtVec3 gti_take_root_place(const GtTake* take, int32_t frame);
void gti_take_move_root(GtTake* take, int32_t frame, GtQuat turn, GtVec3 pivot, GtVec3 way);

// 0 to 1 and back to level at both ends.
static inline float gti_smooth_step(double t)
{
    return (float)gti_quintic_step(t);
}

#endif
