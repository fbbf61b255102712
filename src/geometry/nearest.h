// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The nearest point of a segment, and of a triangle.

#ifndef GERTIE_GEOMETRY_NEAREST_H
#define GERTIE_GEOMETRY_NEAREST_H

#include "base/scalar.h"

#include "gertie/vec.h"

// The nearest point between `a` and `b`, which may be one.
static inline GtVec3 gti_nearest_on_segment(GtVec3 p, GtVec3 a, GtVec3 b)
{
    GtVec3 ab = gt_vec3_sub(b, a);
    float square = gt_vec3_dot(ab, ab);
    float t = square > 0.0f ? gt_vec3_dot(gt_vec3_sub(p, a), ab) / square : 0.0f;
    return gt_vec3_add(a, gt_vec3_scale(ab, gti_clampf(t, 0.0f, 1.0f)));
}

// Ericson, Real-Time Collision Detection (2005), 5.1.5: by the region of the triangle's plane that `p` lies over.
// A triangle without area has a nearest point, too, if not always the nearest.
static inline GtVec3 gti_nearest_on_triangle(GtVec3 p, GtVec3 a, GtVec3 b, GtVec3 c)
{
    GtVec3 ab = gt_vec3_sub(b, a);
    GtVec3 ac = gt_vec3_sub(c, a);
    GtVec3 ap = gt_vec3_sub(p, a);
    float d1 = gt_vec3_dot(ab, ap);
    float d2 = gt_vec3_dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f) {
        return a;
    }
    GtVec3 bp = gt_vec3_sub(p, b);
    float d3 = gt_vec3_dot(ab, bp);
    float d4 = gt_vec3_dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3) {
        return b;
    }
    GtVec3 cp = gt_vec3_sub(p, c);
    float d5 = gt_vec3_dot(ab, cp);
    float d6 = gt_vec3_dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6) {
        return c;
    }
    float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) {
        return gt_vec3_add(a, gt_vec3_scale(ab, d1 / (d1 - d3)));
    }
    float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) {
        return gt_vec3_add(a, gt_vec3_scale(ac, d2 / (d2 - d6)));
    }
    float va = d3 * d6 - d5 * d4;
    if (va <= 0.0f && d4 >= d3 && d5 >= d6) {
        return gt_vec3_lerp(b, c, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    float sum = va + vb + vc;
    if (!(sum > 0.0f)) {
        return a;
    }
    return gt_vec3_add(a, gt_vec3_add(gt_vec3_scale(ab, vb / sum), gt_vec3_scale(ac, vc / sum)));
}

#endif
