// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a curve is once made. Every law but steps, straight lines and the two of rotations alone becomes a Bezier cubic
// a segment, kept as offsets from the keys to the control points before and after them.

#ifndef GERTIE_RUNTIME_CURVE_CURVE_H
#define GERTIE_RUNTIME_CURVE_CURVE_H

#include "base/quat_double.h"

#include "gertie/curve.h"

typedef enum GtiCurveForm {
    GTI_CURVE_STEP,
    GTI_CURVE_LINEAR,
    GTI_CURVE_CUBIC,
    GTI_CURVE_SQUAD,    // rotations: in and out lead to the corners of the quadrangles
    GTI_CURVE_B_SPLINE, // rotations: in and out are the chords before and after each key
} GtiCurveForm;

struct GtCurve {
    GtAllocator allocator;
    GtCurveKind kind;
    GtiCurveForm form;
    int32_t component_count;
    int32_t direction_count; // components of in and out
    int32_t key_count;
    const float* times_s;
    float* values;     // [key_count * component_count]; unit quaternions, each on the side of the one before
    float* in;         // [key_count * direction_count], NULL for STEP and LINEAR
    float* out;        // likewise
    float* in_times_s; // [key_count] or NULL: control points at thirds of the segment
    float* out_times_s;
    const GtEase* eases; // [key_count - 1] or NULL
    bool closed;
    GtExtrapolation before;
    GtExtrapolation after;
};

// Keys that make the same curve, in its own memory.
GtCurveDef gti_curve_def(const GtCurve* curve);

// A place in a segment.
typedef struct GtiCurvePlace {
    int32_t key;   // the segment's first, key_count - 1 when there is one key only
    double d;      // its length in seconds
    double u;      // 0 to 1 along its cubic
    double rate_u; // derivative of u by time
} GtiCurvePlace;

// The index of a segment that may lie a few before the first or after the last: across the seam of a closed curve,
// mirrored at the ends of others.
static inline int32_t gti_curve_segment(int32_t segment, int32_t segment_count, bool closed)
{
    int32_t period = closed ? segment_count : 2 * segment_count;
    int32_t i = ((segment % period) + period) % period;
    return i < segment_count ? i : period - 1 - i;
}

static inline double gti_curve_duration(const float* times_s, int32_t key_count, int32_t segment, bool closed)
{
    int32_t i = gti_curve_segment(segment, key_count - 1, closed);
    return (double)times_s[i + 1] - (double)times_s[i];
}

// Of a cubic B-spline whose knots are the keys' times: how much of the control points before and after a key there is
// in the value at that key, and how much of the chords before and after it in the velocity there.
typedef struct GtiCurveKnot {
    double before;
    double after;
    double rate_before;
    double rate_after;
} GtiCurveKnot;

GtiCurveKnot gti_curve_knot(const float* times_s, int32_t key_count, int32_t key, bool closed);

// Fill in, out, and for B-splines of numbers values, of a curve of 2 or more keys. GT_ERROR_BAD_VALUE when something
// is beyond a float.
GtResult gti_curve_shape(GtCurve* curve, const GtCurveDef* def, GtError* error);

// A rotation at a place, and its angular velocity by u in the axes outside, which may be NULL.
GtiQuat gti_curve_rotation(const GtCurve* curve, const GtiCurvePlace* place, GtiVec* velocity);

static inline GtiQuat gti_curve_key(const GtCurve* curve, int32_t key)
{
    const float* v = &curve->values[4 * (size_t)key];
    return (GtiQuat){ (double)v[0], (double)v[1], (double)v[2], (double)v[3] };
}

static inline GtiVec gti_curve_direction(const float* directions, int32_t key)
{
    const float* v = &directions[3 * (size_t)key];
    return gti_vec((double)v[0], (double)v[1], (double)v[2]);
}

#endif
