// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vectors and rotations in double, for solves whose results are floats.

#ifndef GERTIE_BASE_QUAT_DOUBLE_H
#define GERTIE_BASE_QUAT_DOUBLE_H

#include "gertie/mat34.h"

typedef struct GtiVec {
    double x, y, z;
} GtiVec;

typedef struct GtiQuat {
    double x, y, z, w;
} GtiQuat;

static inline GtiVec gti_vec(double x, double y, double z)
{
    return (GtiVec){ x, y, z };
}

static inline GtiVec gti_vec_from(GtVec3 a)
{
    return gti_vec((double)a.x, (double)a.y, (double)a.z);
}

// The way from one point to another, without rounding.
static inline GtiVec gti_vec_between(GtVec3 from, GtVec3 to)
{
    return gti_vec((double)to.x - (double)from.x, (double)to.y - (double)from.y, (double)to.z - (double)from.z);
}

static inline GtVec3 gti_vec_to_float(GtiVec a)
{
    return gt_vec3((float)a.x, (float)a.y, (float)a.z);
}

static inline GtiVec gti_vec_add(GtiVec a, GtiVec b)
{
    return gti_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline GtiVec gti_vec_sub(GtiVec a, GtiVec b)
{
    return gti_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline GtiVec gti_vec_scale(GtiVec a, double s)
{
    return gti_vec(a.x * s, a.y * s, a.z * s);
}

static inline GtiVec gti_vec_divide(GtiVec a, double s)
{
    return gti_vec(a.x / s, a.y / s, a.z / s);
}

// s a, as three numbers.
static inline void gti_vec_put(double out[3], GtiVec a, double s)
{
    out[0] = s * a.x;
    out[1] = s * a.y;
    out[2] = s * a.z;
}

// a + s b
static inline GtiVec gti_vec_add_scaled(GtiVec a, GtiVec b, double s)
{
    return gti_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double gti_vec_dot(GtiVec a, GtiVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline GtiVec gti_vec_cross(GtiVec a, GtiVec b)
{
    return gti_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double gti_vec_length(GtiVec a)
{
    return sqrt(gti_vec_dot(a, a));
}

static inline double gti_distance(GtVec3 a, GtVec3 b)
{
    return gti_vec_length(gti_vec_between(a, b));
}

// Written so that NaN is not finite, and that lengths of what is do not overflow.
static inline bool gti_vec_is_finite(GtiVec a)
{
    return fabs(a.x) <= 1e38 && fabs(a.y) <= 1e38 && fabs(a.z) <= 1e38;
}

static inline GtiVec gti_vec_unit_or(GtiVec a, GtiVec fallback)
{
    double length = gti_vec_length(a);
    return length > 1e-30 ? gti_vec_scale(a, 1.0 / length) : fallback;
}

// What of `a` is across the unit vector `axis`.
static inline GtiVec gti_vec_across(GtiVec a, GtiVec axis)
{
    return gti_vec_add_scaled(a, axis, -gti_vec_dot(a, axis));
}

static inline GtiQuat gti_quat_identity(void)
{
    return (GtiQuat){ 0.0, 0.0, 0.0, 1.0 };
}

static inline GtiQuat gti_quat_from(GtQuat q)
{
    return (GtiQuat){ (double)q.x, (double)q.y, (double)q.z, (double)q.w };
}

static inline GtQuat gti_quat_to_float(GtiQuat q)
{
    return gt_quat((float)q.x, (float)q.y, (float)q.z, (float)q.w);
}

static inline GtiQuat gti_quat_conjugate(GtiQuat q)
{
    return (GtiQuat){ -q.x, -q.y, -q.z, q.w };
}

static inline GtiQuat gti_quat_mul(GtiQuat a, GtiQuat b)
{
    return (GtiQuat){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

// Unit quaternion along `q`; the identity when it has no direction.
static inline GtiQuat gti_quat_unit(GtiQuat q)
{
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 1e-150 && length < 1e150)) {
        return gti_quat_identity();
    }
    double s = 1.0 / length;
    return (GtiQuat){ q.x * s, q.y * s, q.z * s, q.w * s };
}

static inline GtiVec gti_quat_rotate(GtiQuat q, GtiVec v)
{
    GtiVec axis = gti_vec(q.x, q.y, q.z);
    GtiVec t = gti_vec_scale(gti_vec_cross(axis, v), 2.0);
    return gti_vec_add(gti_vec_add_scaled(v, t, q.w), gti_vec_cross(axis, t));
}

static inline GtiQuat gti_quat_about(GtiVec unit_axis, double angle_rad)
{
    double s = sin(0.5 * angle_rad);
    return (GtiQuat){ unit_axis.x * s, unit_axis.y * s, unit_axis.z * s, cos(0.5 * angle_rad) };
}

// Smallest rotation between unit vectors; of opposite ones half a turn about `across`, as far as that is across.
static inline GtiQuat gti_quat_between(GtiVec from, GtiVec to, GtiVec across)
{
    double w = 1.0 + gti_vec_dot(from, to);
    if (!(w > 1e-14)) {
        GtiVec axis = gti_vec_across(across, from);
        GtiVec helper = fabs(from.x) < 0.7 ? gti_vec(1.0, 0.0, 0.0) : gti_vec(0.0, 1.0, 0.0);
        axis = gti_vec_unit_or(axis, gti_vec_unit_or(gti_vec_cross(from, helper), gti_vec(0.0, 0.0, 1.0)));
        return (GtiQuat){ axis.x, axis.y, axis.z, 0.0 };
    }
    GtiVec axis = gti_vec_cross(from, to);
    return gti_quat_unit((GtiQuat){ axis.x, axis.y, axis.z, w });
}

// A rotation as its axis times its angle, the shorter way round, and back.
static inline GtiVec gti_quat_log(GtiQuat q)
{
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    GtiVec v = gti_vec(sign * q.x, sign * q.y, sign * q.z);
    double length = gti_vec_length(v);
    double scale = length > 1e-12 ? 2.0 * atan2(length, sign * q.w) / length : 2.0;
    return gti_vec_scale(v, scale);
}

static inline GtiQuat gti_quat_exp(GtiVec v)
{
    double angle = gti_vec_length(v);
    double s = angle > 1e-12 ? sin(0.5 * angle) / angle : 0.5;
    return (GtiQuat){ v.x * s, v.y * s, v.z * s, cos(0.5 * angle) };
}

#endif
