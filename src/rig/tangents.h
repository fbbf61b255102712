// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Two directions across a third.

#ifndef GERTIE_RIG_TANGENTS_H
#define GERTIE_RIG_TANGENTS_H

#include "gertie/vec.h"

#include <math.h>

// n: unit; a and b are unit, too, and at right angles to it and to each other
static inline void gti_tangents(GtVec3 n, GtVec3* a, GtVec3* b)
{
    GtVec3 other = fabsf(n.x) < 0.7f ? gt_vec3(1.0f, 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    *a = gt_vec3_normalize_or(gt_vec3_cross(n, other), other);
    *b = gt_vec3_cross(n, *a);
}

#endif
