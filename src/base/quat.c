// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The parts of quaternions and dual quaternions that are too long to be inline.

#include "gertie/dual_quat.h"

#include <math.h>

static float distance(GtQuat a, GtQuat b)
{
    return gt_quat_length(gt_quat(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w));
}

// sin(t angle) / sin(angle) for t from 0 to 1, by the first terms of its series in the square of the angle: up to
// NEAR_ANGLE the next term is less than a float can tell.
static const float NEAR_ANGLE = 0.2f;

static float near_weight(float t, float squared)
{
    float u = t * t;
    return t * (1.0f + squared * (1.0f - u) * (1.0f / 6.0f + squared * (7.0f - 3.0f * u) * (1.0f / 360.0f)));
}

GtQuat gt_quat_slerp(GtQuat a, GtQuat b, float t)
{
    if (gt_quat_dot(a, b) < 0.0f) {
        b = gt_quat(-b.x, -b.y, -b.z, -b.w);
    }
    // From chords, because the arc cosine of a dot product near 1 loses half its digits.
    GtQuat chord = gt_quat(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
    float squared = gt_quat_dot(chord, chord);
    float wa, wb;
    if (squared < NEAR_ANGLE * NEAR_ANGLE) { // from one frame to the next, nearly always
        squared *= 1.0f + squared * (1.0f / 12.0f + squared * (1.0f / 90.0f)); // of the arc
        wa = near_weight(1.0f - t, squared);
        wb = near_weight(t, squared);
    } else {
        float angle = 2.0f * atan2f(sqrtf(squared), distance(a, gt_quat(-b.x, -b.y, -b.z, -b.w)));
        float s = 1.0f / sinf(angle);
        wa = sinf((1.0f - t) * angle) * s;
        wb = sinf(t * angle) * s;
    }
    return gt_quat_normalize(
        gt_quat(wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w));
}

// Half a turn about some axis across `from`.
static GtQuat half_turn_across(GtVec3 from)
{
    GtVec3 helper = fabsf(from.x) < 0.7f ? gt_vec3(1.0f, 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3_cross(from, helper), gt_vec3(0.0f, 0.0f, 1.0f));
    return gt_quat(axis.x, axis.y, axis.z, 0.0f);
}

GtQuat gt_quat_between(GtVec3 from, GtVec3 to)
{
    // In double: near half a turn both the cross product and 1 + cos are differences of almost equal numbers.
    double f[3] = { (double)from.x, (double)from.y, (double)from.z };
    double t[3] = { (double)to.x, (double)to.y, (double)to.z };
    double dot = f[0] * t[0] + f[1] * t[1] + f[2] * t[2];
    double size = sqrt((f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) * (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
    double x = f[1] * t[2] - f[2] * t[1];
    double y = f[2] * t[0] - f[0] * t[2];
    double z = f[0] * t[1] - f[1] * t[0];
    double w = size + dot;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (!(size > 0.0) || !isfinite(size)) {
        return gt_quat_identity();
    }
    if (!(length > 1e-7 * size)) {
        return half_turn_across(from);
    }
    return gt_quat((float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length));
}

GtDualQuat gt_dual_quat_normalize(GtDualQuat d)
{
    float length = gt_quat_length(d.real);
    if (!(length > 1e-20f && length <= 3e38f)) { // written so that NaN takes the fallback
        GtDualQuat identity = { gt_quat_identity(), { 0.0f, 0.0f, 0.0f, 0.0f } };
        return identity;
    }
    float s = 1.0f / length;
    GtDualQuat r = { gt_quat(d.real.x * s, d.real.y * s, d.real.z * s, d.real.w * s),
                     gt_quat(d.dual.x * s, d.dual.y * s, d.dual.z * s, d.dual.w * s) };
    return r;
}
