// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Transforms to matrices and back. The scale of a matrix is the length of its columns; its rotation the one nearest to
// the columns without their lengths, so that a little shear is shared evenly between the axes.

#include "gertie/transform.h"

#include "base/rotation.h"

#include <math.h>

GtMat34 gt_mat34_from_transform(GtTransform t)
{
    GtQuat q = t.rotation;
    float x2 = q.x + q.x;
    float y2 = q.y + q.y;
    float z2 = q.z + q.z;
    GtMat34 r = { {
        { (1.0f - (q.y * y2 + q.z * z2)) * t.scale.x, (q.x * y2 - q.w * z2) * t.scale.y,
          (q.x * z2 + q.w * y2) * t.scale.z, t.translation.x },
        { (q.x * y2 + q.w * z2) * t.scale.x, (1.0f - (q.x * x2 + q.z * z2)) * t.scale.y,
          (q.y * z2 - q.w * x2) * t.scale.z, t.translation.y },
        { (q.x * z2 - q.w * y2) * t.scale.x, (q.y * z2 + q.w * x2) * t.scale.y,
          (1.0f - (q.x * x2 + q.y * y2)) * t.scale.z, t.translation.z },
    } };
    return r;
}

// Largest difference between the linear parts, relative to the largest scale.
static float relative_difference(const GtMat34* a, const GtMat34* b, double largest)
{
    double worst = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            worst = fmax(worst, fabs((double)a->m[i][j] - (double)b->m[i][j]));
        }
    }
    return largest > 0.0 ? (float)(worst / largest) : 0.0f;
}

GtTransform gt_transform_from_mat34(const GtMat34* a, float* shear)
{
    double r[3][3];
    double scale[3];
    double largest = 0.0;
    gti_mat34_linear(a, r);
    double sign = gti_determinant3(r) < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < 3; ++j) {
        scale[j] = sqrt(r[0][j] * r[0][j] + r[1][j] * r[1][j] + r[2][j] * r[2][j]);
        largest = fmax(largest, scale[j]);
    }
    scale[0] *= sign;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[i][j] = scale[j] != 0.0 ? r[i][j] / scale[j] : 0.0;
        }
    }
    gti_nearest_rotation(r);
    GtTransform t = gt_transform(gt_mat34_translation(a), gti_quat_from_rotation(r),
                                 gt_vec3((float)scale[0], (float)scale[1], (float)scale[2]));
    if (shear) {
        GtMat34 again = gt_mat34_from_transform(t);
        *shear = relative_difference(&again, a, largest);
    }
    return t;
}

GtTransform gt_transform_lerp(GtTransform a, GtTransform b, float t)
{
    return gt_transform(gt_vec3_lerp(a.translation, b.translation, t), gt_quat_slerp(a.rotation, b.rotation, t),
                        gt_vec3_lerp(a.scale, b.scale, t));
}
