// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Playing curves: STEP, LINEAR (spherical for rotations) and CUBICSPLINE, as glTF 2.0, appendix C, has them.

#include "io/bvh/curve.h"

#include "base/fail.h"
#include "gertie/accessor.h"

#include <math.h>

static GtResult open_floats(GtArena* arena, const GtScene* scene, int32_t accessor, const float** out, GtError* error)
{
    *out = gt_accessor_floats_in_place(scene, accessor);
    if (*out) {
        return GT_OK;
    }
    uint64_t count = scene->accessors[accessor].count;
    int32_t width = gt_element_components(scene->accessors[accessor].element_type);
    float* copy = gt_arena_push_array(arena, count, (size_t)width * sizeof *copy);
    if (!copy) {
        return gti_out_of_memory(error);
    }
    gt_accessor_read_floats(scene, accessor, 0, count, copy);
    *out = copy;
    return GT_OK;
}

GtResult gti_bvh_open_curve(GtArena* arena, const GtScene* scene, const GtAnimationSampler* sampler,
                            GtAnimationPath path, GtiBvhCurve* curve, GtError* error)
{
    *curve = (GtiBvhCurve){
        .key_count = (int64_t)scene->accessors[sampler->input].count,
        .width = path == GT_PATH_ROTATION ? 4 : 3,
        .is_rotation = path == GT_PATH_ROTATION,
        .interpolation = sampler->interpolation,
    };
    if (path == GT_PATH_WEIGHTS && curve->key_count > 0) {
        bool cubic = sampler->interpolation == GT_INTERPOLATION_CUBICSPLINE;
        curve->width = (int32_t)((int64_t)scene->accessors[sampler->output].count / curve->key_count / (cubic ? 3 : 1));
    }
    GtResult result = open_floats(arena, scene, sampler->input, &curve->times, error);
    return result == GT_OK ? open_floats(arena, scene, sampler->output, &curve->values, error) : result;
}

static const float* value_at(const GtiBvhCurve* curve, int64_t key)
{
    bool cubic = curve->interpolation == GT_INTERPOLATION_CUBICSPLINE;
    return curve->values + (size_t)(cubic ? 3 * key + 1 : key) * (size_t)curve->width;
}

// The last key at or before `time_s`, or 0.
static int64_t find_key(GtiBvhCurve* curve, double time_s)
{
    int64_t key = curve->key;
    while (key > 0 && curve->times[key] > time_s) { // one step back as a rule
        --key;
    }
    while (key + 1 < curve->key_count && curve->times[key + 1] <= time_s) {
        ++key;
    }
    curve->key = key;
    return key;
}

static void mix(const float* a, const float* b, double s, double t, int32_t width, double* out)
{
    for (int32_t i = 0; i < width; ++i) {
        out[i] = s * a[i] + t * b[i];
    }
}

static void mix_rotations(const float* a, const float* b, double t, double* out)
{
    double dot = 0.0;
    for (int i = 0; i < 4; ++i) {
        dot += (double)a[i] * b[i];
    }
    double sign = dot < 0.0 ? -1.0 : 1.0;
    dot = fabs(dot);
    if (dot > 0.9999999) { // too near for a division by the sine of the angle
        mix(a, b, 1.0 - t, sign * t, 4, out);
        return;
    }
    double angle = acos(dot);
    mix(a, b, sin((1.0 - t) * angle) / sin(angle), sign * sin(t * angle) / sin(angle), 4, out);
}

static void mix_cubic(const GtiBvhCurve* curve, int64_t key, double t, double step_s, double* out)
{
    int32_t width = curve->width;
    const float* from = value_at(curve, key);
    const float* to = value_at(curve, key + 1);
    double t2 = t * t;
    double t3 = t2 * t;
    for (int32_t i = 0; i < width; ++i) {
        double out_tangent = from[width + i];
        double in_tangent = to[i - width];
        out[i] = (2.0 * t3 - 3.0 * t2 + 1.0) * from[i] + step_s * (t3 - 2.0 * t2 + t) * out_tangent +
                 (-2.0 * t3 + 3.0 * t2) * to[i] + step_s * (t3 - t2) * in_tangent;
    }
}

static void normalize(double quat[4])
{
    double length = sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
    for (int i = 0; i < 4; ++i) {
        quat[i] = length > 1e-20 ? quat[i] / length : (i == 3 ? 1.0 : 0.0);
    }
}

void gti_bvh_play_curve(GtiBvhCurve* curve, double time_s, double out[4])
{
    int64_t key = find_key(curve, time_s);
    const float* from = value_at(curve, key);
    double start = curve->times[key];
    bool inside = time_s > start && key + 1 < curve->key_count;
    if (!inside || curve->interpolation == GT_INTERPOLATION_STEP) {
        mix(from, from, 1.0, 0.0, curve->width, out);
    } else {
        double step = curve->times[key + 1] - start;
        double t = (time_s - start) / step;
        if (curve->interpolation == GT_INTERPOLATION_CUBICSPLINE) {
            mix_cubic(curve, key, t, step, out);
        } else if (curve->is_rotation) {
            mix_rotations(from, value_at(curve, key + 1), t, out);
        } else {
            mix(from, value_at(curve, key + 1), 1.0 - t, t, curve->width, out);
        }
    }
    if (curve->is_rotation) {
        normalize(out);
    }
}
