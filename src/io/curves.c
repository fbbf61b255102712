// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One buffer, one view and one accessor a curve; the accessor of the blob's start is the times of all of them.

#include "io/curves.h"

#include "base/fail.h"

// The buffer takes over the blob. *accessor becomes that of the times, without its bounds.
static GtResult add_times(GtScene* scene, GtBlob** blob, int64_t frame_count, GtAccessor* accessor, int32_t* times,
                          GtError* error)
{
    const float* data = (const float*)(const void*)gt_blob_bytes(*blob);
    GtBuffer buffer = { .blob = *blob };
    GtBufferView whole = { .size = gt_blob_size(*blob) };
    double* bounds = gt_scene_push(scene, 2, sizeof *bounds);
    if (!bounds) {
        return gti_out_of_memory(error);
    }
    bounds[0] = data[0];
    bounds[1] = data[frame_count - 1];
    *blob = NULL;
    GtResult result = gt_scene_add_buffer(scene, &buffer, &whole.buffer, error);
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(scene, &whole, &accessor->view, error);
    }
    *accessor = (GtAccessor){ .view = accessor->view,
                              .component_type = GT_COMPONENT_FLOAT,
                              .element_type = GT_ELEMENT_SCALAR,
                              .count = (uint64_t)frame_count,
                              .min = &bounds[0],
                              .max = &bounds[1] };
    if (result == GT_OK) {
        result = gt_scene_add_accessor(scene, accessor, times, error);
    }
    accessor->min = accessor->max = NULL;
    return result;
}

GtResult gti_add_curves(GtScene* scene, GtBlob** blob, int64_t frame_count, const GtiCurve* curves, int32_t curve_count,
                        const GtAnimation* animation, GtError* error)
{
    GtAnimationSampler* samplers = gt_scene_push(scene, (size_t)curve_count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, (size_t)curve_count, sizeof *channels);
    GtAnimation added = *animation;
    added.samplers = samplers;
    added.channels = channels;
    added.sampler_count = added.channel_count = curve_count;
    if (!samplers || !channels) {
        return gti_out_of_memory(error);
    }
    GtAccessor accessor = { 0 };
    int32_t times = GT_NONE;
    GtResult result = add_times(scene, blob, frame_count, &accessor, &times, error);
    for (int32_t i = 0; i < curve_count && result == GT_OK; ++i) {
        samplers[i] = (GtAnimationSampler){ .input = times, .interpolation = GT_INTERPOLATION_LINEAR };
        channels[i] = (GtAnimationChannel){ .sampler = i, .node = curves[i].node, .path = curves[i].path };
        accessor.offset = curves[i].first * sizeof(float);
        accessor.element_type = curves[i].path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3;
        result = gt_scene_add_accessor(scene, &accessor, &samplers[i].output, error);
    }
    return result == GT_OK ? gt_scene_add_animation(scene, &added, NULL, error) : result;
}
