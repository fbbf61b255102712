// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: rotations as unit quaternions, components in glTF's order x, y, z, w.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_QUAT_H
#define GERTIE_QUAT_H

#include "gertie/vec.h"

GT_EXTERN_C_BEGIN

/// A rotation; q and -q are the same one.
typedef struct GtQuat {
    float x, y, z, w;
} GtQuat;

static inline GtQuat gt_quat(float x, float y, float z, float w)
{
    GtQuat q = { x, y, z, w };
    return q;
}

static inline GtQuat gt_quat_identity(void)
{
    return gt_quat(0.0f, 0.0f, 0.0f, 1.0f);
}

static inline GtQuat gt_quat_conjugate(GtQuat q)
{
    return gt_quat(-q.x, -q.y, -q.z, q.w);
}

static inline float gt_quat_dot(GtQuat a, GtQuat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline float gt_quat_length(GtQuat q)
{
    return sqrtf(gt_quat_dot(q, q));
}

/// Unit quaternion along `q`, or the identity when `q` has no direction (or is not finite).
static inline GtQuat gt_quat_normalize(GtQuat q)
{
    float length = gt_quat_length(q);
    if (!(length > 1e-20f && length <= 3e38f)) { // written so that NaN takes the fallback
        return gt_quat_identity();
    }
    float s = 1.0f / length;
    return gt_quat(q.x * s, q.y * s, q.z * s, q.w * s);
}

/// Rotation `b` first, then `a`.
static inline GtQuat gt_quat_mul(GtQuat a, GtQuat b)
{
    return gt_quat(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, //
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, //
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, //
                   a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

/// Turn `v` by the unit quaternion `q`.
static inline GtVec3 gt_quat_rotate(GtQuat q, GtVec3 v)
{
    GtVec3 axis = gt_vec3(q.x, q.y, q.z);
    GtVec3 t = gt_vec3_scale(gt_vec3_cross(axis, v), 2.0f);
    return gt_vec3_add(gt_vec3_add(v, gt_vec3_scale(t, q.w)), gt_vec3_cross(axis, t));
}

/// Angles are radians in every struct and function of Gertie, and degrees in files and pages for people.
static inline double gt_degrees(double angle_rad)
{
    return angle_rad * 57.29577951308232;
}

static inline double gt_radians(double angle_deg)
{
    return angle_deg * 0.017453292519943295;
}

/// Rotation by `angle_rad` about the unit vector `axis`.
static inline GtQuat gt_quat_from_axis_angle(GtVec3 axis, float angle_rad)
{
    float s = sinf(0.5f * angle_rad);
    return gt_quat(axis.x * s, axis.y * s, axis.z * s, cosf(0.5f * angle_rad));
}

/// Angle of the rotation between two unit quaternions, 0 to pi.
static inline float gt_quat_angle_rad(GtQuat a, GtQuat b)
{
    GtQuat d = gt_quat_mul(gt_quat_conjugate(a), b);
    return 2.0f * atan2f(gt_vec3_length(gt_vec3(d.x, d.y, d.z)), fabsf(d.w));
}

/// Constant-speed rotation from unit `a` (t = 0) to unit `b` (t = 1) along the shorter way.
GT_API GtQuat gt_quat_slerp(GtQuat a, GtQuat b, float t);

/// Smallest rotation that turns unit `from` into unit `to`; for opposite vectors, half a turn about some axis across.
GT_API GtQuat gt_quat_between(GtVec3 from, GtVec3 to);

GT_EXTERN_C_END

#endif
