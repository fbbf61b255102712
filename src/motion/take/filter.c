// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Butterworth low pass of second order, forwards and backwards (Winter, "Biomechanics and Motor Control of Human
// Movement", section 3.4.4.2): no delay, fourth order, the cutoff corrected for two passes. Ends are continued by point
// reflection. Rotations are filtered as paths on the unit sphere of quaternions, each of the sign nearest to the one
// before, and put back on it: that has no seam anywhere, while logarithms about a mean tear where a dancer turns half
// round. A joint that turns evenly is left as it is.

#include "motion/take/take.h"

#include "base/scalar.h"

#include "gertie/bake.h"

#include <math.h>
#include <stddef.h>

static const double cutoff_share = 0.4; // of the rate: where the correction for two passes would reach half of it

// A filter and room for one curve, padded at both ends.
typedef struct Filter {
    double a0, b1, b2;
    int32_t frame_count;
    int32_t pad;
    double* values; // [frame_count + 2 * pad]
} Filter;

static void design(Filter* filter, double cutoff_hz, double rate_hz)
{
    double correction = pow(sqrt(2.0) - 1.0, 0.25);
    double wc = tan(GTI_PI * cutoff_hz / correction / rate_hz);
    double k1 = sqrt(2.0) * wc;
    double k2 = wc * wc;
    filter->a0 = k2 / (1.0 + k1 + k2);
    double k3 = 2.0 * filter->a0 / k2;
    filter->b1 = -2.0 * filter->a0 + k3;
    filter->b2 = 1.0 - 2.0 * filter->a0 - k3;
}

// One pass in place, from `first` by `step`.
static void run_pass(const Filter* filter, double* first, ptrdiff_t step, int32_t count)
{
    double x1 = *first;
    double x2 = x1;
    double y1 = x1;
    double y2 = x1;
    for (int32_t i = 0; i < count; ++i) {
        double* at = first + i * step;
        double y = filter->a0 * (*at + 2.0 * x1 + x2) + filter->b1 * y1 + filter->b2 * y2;
        x2 = x1;
        x1 = *at;
        y2 = y1;
        y1 = y;
        *at = y;
    }
}

// Filter the curve that stands in the middle of the room.
static void run_filter(const Filter* filter)
{
    int32_t n = filter->frame_count;
    double* curve = filter->values + filter->pad;
    for (int32_t i = 1; i <= filter->pad; ++i) {
        curve[-i] = 2.0 * curve[0] - curve[i];
        curve[n - 1 + i] = 2.0 * curve[n - 1] - curve[n - 1 - i];
    }
    int32_t count = n + 2 * filter->pad;
    run_pass(filter, filter->values, 1, count);
    run_pass(filter, filter->values + count - 1, -1, count);
}

// The first frame's float of a node's transform at an offset in bytes.
static float* float_at(const GtTake* take, int32_t node, size_t offset)
{
    return (float*)(void*)((char*)&take->poses[node] + offset);
}

// Filter one number of every frame, `stride` floats apart.
static void filter_floats(const Filter* filter, float* first, size_t stride)
{
    double* curve = filter->values + filter->pad;
    for (int32_t f = 0; f < filter->frame_count; ++f) {
        curve[f] = (double)first[(size_t)f * stride];
    }
    run_filter(filter);
    for (int32_t f = 0; f < filter->frame_count; ++f) {
        first[(size_t)f * stride] = (float)curve[f];
    }
}

static void filter_rotation(const Filter* filter, GtTake* take, int32_t node)
{
    GtQuat before = gti_take_pose(take, 0)[node].rotation;
    for (int32_t f = 1; f < take->frame_count; ++f) {
        GtQuat* q = &gti_take_pose(take, f)[node].rotation;
        if (gt_quat_dot(before, *q) < 0.0f) {
            *q = gt_quat(-q->x, -q->y, -q->z, -q->w);
        }
        before = *q;
    }
    size_t stride = (size_t)take->node_count * sizeof(GtTransform) / sizeof(float);
    for (int k = 0; k < 4; ++k) {
        filter_floats(filter, float_at(take, node, offsetof(GtTransform, rotation)) + k, stride);
    }
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtQuat* q = &gti_take_pose(take, f)[node].rotation;
        *q = gt_quat_normalize(*q);
    }
}

static void filter_node(const Filter* filter, GtTake* take, int32_t node)
{
    size_t stride = (size_t)take->node_count * sizeof(GtTransform) / sizeof(float);
    for (int k = 0; k < 3; ++k) {
        if (take->paths[node] & GT_BAKE_TRANSLATION) {
            filter_floats(filter, float_at(take, node, offsetof(GtTransform, translation)) + k, stride);
        }
        if (take->paths[node] & GT_BAKE_SCALE) {
            filter_floats(filter, float_at(take, node, offsetof(GtTransform, scale)) + k, stride);
        }
    }
    if (take->paths[node] & GT_BAKE_ROTATION) {
        filter_rotation(filter, take, node);
    }
}

GtResult gt_take_filter(const GtContext* context, const GtTake* take, double cutoff_hz, GtTake** out, GtError* error)
{
    *out = NULL;
    if (take->frame_count > 1 && !(cutoff_hz > 0.0 && cutoff_hz < cutoff_share * take->rate_hz)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a cutoff of %g Hz does not fit frames at %g Hz; give less than %g",
                        cutoff_hz, take->rate_hz, cutoff_share * take->rate_hz);
    }
    GtResult result = gti_take_make(context, take, take->frame_count, out, error);
    if (result != GT_OK) {
        return result;
    }
    for (int32_t f = 0; f < take->frame_count; ++f) {
        gti_take_copy_frame(take, f, *out, f);
    }
    if (take->frame_count < 2) {
        return GT_OK;
    }
    double pad = fmin(ceil(3.0 * take->rate_hz / cutoff_hz), take->frame_count - 1.0);
    Filter filter = { .frame_count = take->frame_count, .pad = (int32_t)pad };
    GtArena scratch = gt_arena_create(context->allocator);
    filter.values = gt_arena_push_array(&scratch, (size_t)(filter.frame_count + 2 * filter.pad), sizeof(double));
    result = filter.values ? GT_OK : gti_out_of_memory(error);
    design(&filter, cutoff_hz, take->rate_hz);
    for (int32_t i = 0; result == GT_OK && i < take->node_count; ++i) {
        result = gti_progress(context, error, "filtering", (double)i / take->node_count);
        if (result == GT_OK && take->paths[i]) {
            filter_node(&filter, *out, i);
        }
    }
    for (int32_t i = 0; result == GT_OK && i < take->weight_count; ++i) {
        filter_floats(&filter, (*out)->weights + i, (size_t)take->weight_count);
    }
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_take_destroy(*out);
        *out = NULL;
    }
    return result;
}
