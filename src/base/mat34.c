// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The parts of 3x4 matrices that are too long to be inline.

#include "gertie/mat34.h"

#include "base/rotation.h"

#include <math.h>

static GtVec3 row(const GtMat34* a, int i)
{
    return gt_vec3(a->m[i][0], a->m[i][1], a->m[i][2]);
}

float gt_mat34_determinant(const GtMat34* a)
{
    double m[3][3];
    gti_mat34_linear(a, m);
    return (float)gti_determinant3(m);
}

GtMat34 gt_mat34_inverse(const GtMat34* a, bool* ok)
{
    // By cofactors, in double, because scales of 0.01 leave a determinant of 1e-6.
    double m[3][3];
    double c[3][3];
    double size = 1.0;
    gti_mat34_linear(a, m);
    double determinant = gti_cofactors3(m, c);
    for (int i = 0; i < 3; ++i) {
        size *= sqrt(m[i][0] * m[i][0] + m[i][1] * m[i][1] + m[i][2] * m[i][2]);
    }
    bool good = fabs(determinant) > 1e-14 * size; // else it is rounding; NaN and infinities fail too
    GtMat34 r = gt_mat34_identity();
    for (int i = 0; i < 3 && good; ++i) {
        double t = 0.0;
        for (int j = 0; j < 3; ++j) {
            double entry = c[j][i] / determinant;
            r.m[i][j] = (float)entry;
            t -= entry * (double)a->m[j][3];
            good &= isfinite(r.m[i][j]) != 0;
        }
        r.m[i][3] = (float)t;
        good &= isfinite(r.m[i][3]) != 0;
    }
    if (ok) {
        *ok = good;
    }
    return good ? r : gt_mat34_identity();
}

GtVec3 gt_mat34_normal(const GtMat34* a, GtVec3 n)
{
    GtVec3 x = gt_vec3_cross(row(a, 1), row(a, 2));
    GtVec3 y = gt_vec3_cross(row(a, 2), row(a, 0));
    GtVec3 z = gt_vec3_cross(row(a, 0), row(a, 1));
    GtVec3 r = gt_vec3(gt_vec3_dot(x, n), gt_vec3_dot(y, n), gt_vec3_dot(z, n));
    return gt_vec3_dot(row(a, 0), x) < 0.0f ? gt_vec3_scale(r, -1.0f) : r;
}

GtMat34 gt_mat34_from_columns(const float columns[16])
{
    GtMat34 r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = columns[j * 4 + i];
        }
    }
    return r;
}

void gt_mat34_to_columns(const GtMat34* a, float columns[16])
{
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 3; ++i) {
            columns[j * 4 + i] = a->m[i][j];
        }
        columns[j * 4 + 3] = j == 3 ? 1.0f : 0.0f;
    }
}

GtQuat gt_mat34_polar(const GtMat34* a, float stretch[9])
{
    double m[3][3];
    double r[3][3];
    gti_mat34_linear(a, m);
    gti_mat34_linear(a, r);
    gti_nearest_rotation(r);
    for (int i = 0; i < 9 && stretch; ++i) {
        int row_index = i / 3;
        int column = i % 3;
        stretch[i] =
            (float)(r[0][row_index] * m[0][column] + r[1][row_index] * m[1][column] + r[2][row_index] * m[2][column]);
    }
    return gti_quat_from_rotation(r);
}
