// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A motion whose curves all have the same key times becomes one animation of a scene.

#ifndef GERTIE_IO_CURVES_H
#define GERTIE_IO_CURVES_H

#include "gertie/scene.h"

// One curve, LINEAR.
typedef struct GtiCurve {
    int32_t node;
    GtAnimationPath path; // translation or rotation
    size_t first;         // where its values begin in the blob, in floats
} GtiCurve;

// Add an animation.
// @param blob         times [frame_count] and then the curves, all floats; *blob becomes NULL when the scene takes it
//                     over, and the caller releases what is left there
// @param frame_count  at least 1
// @param curves       [curve_count]
// @param animation    name and extra are set, and in the scene's memory
GtResult gti_add_curves(GtScene* scene, GtBlob** blob, int64_t frame_count, const GtiCurve* curves, int32_t curve_count,
                        const GtAnimation* animation, GtError* error);

#endif
