// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: three-component float vectors, and boxes along the axes.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_VEC_H
#define GERTIE_VEC_H

#include "gertie/api.h"

#include <math.h>

/// A point or a direction.
typedef struct GtVec3 {
    float x, y, z;
} GtVec3;

/// A box along the axes; empty when low.x > high.x.
typedef struct GtBounds {
    GtVec3 low, high;
} GtBounds;

static inline GtVec3 gt_vec3(float x, float y, float z)
{
    GtVec3 v = { x, y, z };
    return v;
}

static inline GtVec3 gt_vec3_add(GtVec3 a, GtVec3 b)
{
    return gt_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline GtVec3 gt_vec3_sub(GtVec3 a, GtVec3 b)
{
    return gt_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// Component-wise product.
static inline GtVec3 gt_vec3_mul(GtVec3 a, GtVec3 b)
{
    return gt_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline GtVec3 gt_vec3_scale(GtVec3 a, float s)
{
    return gt_vec3(a.x * s, a.y * s, a.z * s);
}

/// The smaller of each component; that of `a` where the one of `b` is NaN.
static inline GtVec3 gt_vec3_min(GtVec3 a, GtVec3 b)
{
    return gt_vec3(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}

/// The larger of each component; that of `a` where the one of `b` is NaN.
static inline GtVec3 gt_vec3_max(GtVec3 a, GtVec3 b)
{
    return gt_vec3(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z);
}

static inline float gt_vec3_dot(GtVec3 a, GtVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline GtVec3 gt_vec3_cross(GtVec3 a, GtVec3 b)
{
    return gt_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float gt_vec3_length(GtVec3 a)
{
    return sqrtf(gt_vec3_dot(a, a));
}

/// Whether no component is infinite or NaN.
static inline bool gt_vec3_is_finite(GtVec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline GtVec3 gt_vec3_lerp(GtVec3 a, GtVec3 b, float t)
{
    return gt_vec3_add(a, gt_vec3_scale(gt_vec3_sub(b, a), t));
}

/// Unit vector along `a`, or `fallback` when `a` is too short to have a direction (or not finite).
static inline GtVec3 gt_vec3_normalize_or(GtVec3 a, GtVec3 fallback)
{
    float length = gt_vec3_length(a);
    if (!(length > 1e-20f && length <= 3e38f)) { // written so that NaN takes the fallback
        return fallback;
    }
    return gt_vec3_scale(a, 1.0f / length);
}

#endif
