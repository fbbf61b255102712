// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Directions and rotation vectors, which are axes times angles in radians.

#ifndef GERTIE_BASE_DIRECTION_H
#define GERTIE_BASE_DIRECTION_H

#include "gertie/quat.h"

// Angle between two vectors of any length, 0 to pi; 0 where one has none.
static inline float gti_angle_between(GtVec3 a, GtVec3 b)
{
    return atan2f(gt_vec3_length(gt_vec3_cross(a, b)), gt_vec3_dot(a, b));
}

// The square of the distance between two points.
static inline float gti_square_between(GtVec3 a, GtVec3 b)
{
    GtVec3 way = gt_vec3_sub(b, a);
    return gt_vec3_dot(way, way);
}

// The unit vector along the axis that `v` is nearest to; of axes equally near the first.
static inline GtVec3 gti_nearest_axis(GtVec3 v)
{
    float x = fabsf(v.x), y = fabsf(v.y), z = fabsf(v.z);
    if (x >= y && x >= z) {
        return gt_vec3(copysignf(1.0f, v.x), 0.0f, 0.0f);
    }
    return y >= z ? gt_vec3(0.0f, copysignf(1.0f, v.y), 0.0f) : gt_vec3(0.0f, 0.0f, copysignf(1.0f, v.z));
}

static inline GtQuat gti_quat_from_vector(GtVec3 v)
{
    return gt_quat_from_axis_angle(gt_vec3_normalize_or(v, gt_vec3(1.0f, 0.0f, 0.0f)), gt_vec3_length(v));
}

// The shorter way round.
static inline GtVec3 gti_vector_from_quat(GtQuat q)
{
    GtVec3 axis = gt_vec3(q.x, q.y, q.z);
    float sine = gt_vec3_length(axis);
    float angle = 2.0f * atan2f(sine, fabsf(q.w));
    float scale = sine > 1e-12f ? angle / sine : 2.0f;
    return gt_vec3_scale(axis, q.w < 0.0f ? -scale : scale);
}

#endif
