// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Curves of a scene's clip, played in double for writing them as frames. Each remembers where it was, so that going
// forward through a clip takes no search.

#ifndef GERTIE_IO_BVH_CURVE_H
#define GERTIE_IO_BVH_CURVE_H

#include "gertie/scene.h"

typedef struct GtiBvhCurve {
    const float* times;  // [key_count]
    const float* values; // [key_count * width], or three times as much for CUBICSPLINE
    int64_t key_count;
    int32_t width; // 4 for rotations, 3, or the number of weights
    bool is_rotation;
    GtInterpolation interpolation;
    int64_t key; // the last one asked for
} GtiBvhCurve;

// Open a sampler of a validated scene. Values that do not lie as floats in their blob are copied into `arena`.
GtResult gti_bvh_open_curve(GtArena* arena, const GtScene* scene, const GtAnimationSampler* sampler,
                            GtAnimationPath path, GtiBvhCurve* curve, GtError* error);

// The value at a time, held before the first key and after the last. Rotations have unit length.
void gti_bvh_play_curve(GtiBvhCurve* curve, double time_s, double out[4]);

#endif
