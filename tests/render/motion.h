// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips put together by hand, on the scenes of tests/build.

#ifndef GERTIE_TESTS_RENDER_MOTION_H
#define GERTIE_TESTS_RENDER_MOTION_H

#include "build/make_scene.h"

// One curve of a clip. Values are [key_count * components], times 3 for CUBICSPLINE.
typedef struct MotionCurve {
    int32_t node;
    GtAnimationPath path;
    GtInterpolation interpolation;
    int32_t key_count;
    const float* times_s;
    const float* values;
    int32_t weight_count; // of GT_PATH_WEIGHTS
} MotionCurve;

// Append a clip.
static inline int32_t make_clip(GtScene* scene, const MotionCurve* curves, int32_t count)
{
    GtError error;
    int32_t index = GT_NONE;
    GtAnimationSampler* samplers = gt_scene_push(scene, (size_t)count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, (size_t)count, sizeof *channels);
    assert_non_null(samplers);
    assert_non_null(channels);
    for (int32_t i = 0; i < count; ++i) {
        const MotionCurve* curve = &curves[i];
        uint64_t parts = curve->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1;
        uint64_t elements = curve->path == GT_PATH_WEIGHTS ? (uint64_t)curve->weight_count : 1;
        GtElementType type = curve->path == GT_PATH_WEIGHTS    ? GT_ELEMENT_SCALAR
                             : curve->path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4
                                                               : GT_ELEMENT_VEC3;
        samplers[i] = (GtAnimationSampler){
            .input = make_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, curve->times_s,
                               (uint64_t)curve->key_count),
            .output = make_data(scene, GT_USE_DATA, type, GT_COMPONENT_FLOAT, curve->values,
                                (uint64_t)curve->key_count * parts * elements),
            .interpolation = curve->interpolation,
        };
        channels[i] = (GtAnimationChannel){ .sampler = i, .node = curve->node, .path = curve->path };
    }
    GtAnimation animation = {
        .name = "clip",
        .samplers = samplers,
        .sampler_count = count,
        .channels = channels,
        .channel_count = count,
    };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &animation, &index, &error));
    return index;
}

#endif
