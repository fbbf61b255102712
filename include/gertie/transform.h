// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: translation, rotation and scale: the local transform of a node, and what poses are made of.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_TRANSFORM_H
#define GERTIE_TRANSFORM_H

#include "gertie/mat34.h"

GT_EXTERN_C_BEGIN

/// Scale first, then rotate, then translate. 48 bytes, 16-aligned; the padding is always 0.
typedef struct GtTransform {
    GT_ALIGN16 GtVec3 translation;
    float pad0;
    GtQuat rotation;
    GtVec3 scale;
    float pad1;
} GtTransform;

static inline GtTransform gt_transform(GtVec3 translation, GtQuat rotation, GtVec3 scale)
{
    GtTransform t = { translation, 0.0f, rotation, scale, 0.0f };
    return t;
}

static inline GtTransform gt_transform_identity(void)
{
    return gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), gt_quat_identity(), gt_vec3(1.0f, 1.0f, 1.0f));
}

/// The matrix of a transform whose rotation has unit length.
GT_API GtMat34 gt_mat34_from_transform(GtTransform t);

/// Translation, rotation and scale of a matrix. A mirror becomes a negative scale in x; shear is lost.
/// @param shear  receives the largest entry of the difference to the matrix relative to its scale; may be NULL
GT_API GtTransform gt_transform_from_mat34(const GtMat34* a, float* shear);

/// From `a` (t = 0) to `b` (t = 1): rotations by slerp, the rest linearly.
GT_API GtTransform gt_transform_lerp(GtTransform a, GtTransform b, float t);

GT_EXTERN_C_END

#endif
