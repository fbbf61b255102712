// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: rigid motions as dual quaternions.
///
/// Rigid motions as unit dual quaternions (Kavan, Collins, Zara, O'Sullivan 2008), which blend without collapse.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_DUAL_QUAT_H
#define GERTIE_DUAL_QUAT_H

#include "gertie/quat.h"

GT_EXTERN_C_BEGIN

/// real + epsilon dual; a unit one is a rotation and a translation.
typedef struct GtDualQuat {
    GtQuat real;
    GtQuat dual; ///< half the translation, as a pure quaternion, times real
} GtDualQuat;

static inline GtDualQuat gt_dual_quat(GtQuat rotation, GtVec3 translation)
{
    GtQuat t = gt_quat(0.5f * translation.x, 0.5f * translation.y, 0.5f * translation.z, 0.0f);
    GtDualQuat d = { rotation, gt_quat_mul(t, rotation) };
    return d;
}

/// Motion `b` first, then `a`.
static inline GtDualQuat gt_dual_quat_mul(GtDualQuat a, GtDualQuat b)
{
    GtQuat p = gt_quat_mul(a.real, b.dual);
    GtQuat q = gt_quat_mul(a.dual, b.real);
    GtDualQuat d = { gt_quat_mul(a.real, b.real), gt_quat(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w) };
    return d;
}

/// Divide by the length of the real part; the identity when it has none.
GT_API GtDualQuat gt_dual_quat_normalize(GtDualQuat d);

/// Translation of a unit dual quaternion.
static inline GtVec3 gt_dual_quat_translation(GtDualQuat d)
{
    GtQuat t = gt_quat_mul(d.dual, gt_quat_conjugate(d.real));
    return gt_vec3(2.0f * t.x, 2.0f * t.y, 2.0f * t.z);
}

/// Move a point by a unit dual quaternion.
static inline GtVec3 gt_dual_quat_point(GtDualQuat d, GtVec3 p)
{
    return gt_vec3_add(gt_quat_rotate(d.real, p), gt_dual_quat_translation(d));
}

GT_EXTERN_C_END

#endif
