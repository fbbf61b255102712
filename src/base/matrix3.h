// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Matrices of 3x3 doubles, m[row][column].

#ifndef GERTIE_BASE_MATRIX3_H
#define GERTIE_BASE_MATRIX3_H

#include "base/quat_double.h"

#include "gertie/mat34.h"

// The linear part of a matrix.
static inline void gti_mat34_linear(const GtMat34* a, double linear[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            linear[i][j] = (double)a->m[i][j];
        }
    }
}

// The matrix of cofactors: m^-1 is its transpose, divided by the determinant, which is returned.
static inline double gti_cofactors3(double m[3][3], double cofactors[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            int i1 = (i + 1) % 3;
            int i2 = (i + 2) % 3;
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            cofactors[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
    return m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
}

static inline double gti_determinant3(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static inline GtiVec gti_times3(double m[3][3], GtiVec v)
{
    return gti_vec(m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                   m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z);
}

// The x with m x = b, by Cramer's rule; zero where m is singular.
static inline GtiVec gti_solve3(double m[3][3], GtiVec b)
{
    double c[3][3];
    double determinant = gti_cofactors3(m, c);
    if (!(fabs(determinant) > 1e-300)) { // written so that NaN is singular
        return gti_vec(0.0, 0.0, 0.0);
    }
    return gti_vec((c[0][0] * b.x + c[1][0] * b.y + c[2][0] * b.z) / determinant,
                   (c[0][1] * b.x + c[1][1] * b.y + c[2][1] * b.z) / determinant,
                   (c[0][2] * b.x + c[1][2] * b.y + c[2][2] * b.z) / determinant);
}

// The x with m x = b for a symmetric and positive m, by Cholesky's factorisation m = L L^T, which keeps more digits
// where m is nearly singular.
static inline GtiVec gti_solve3_positive(double m[3][3], GtiVec b)
{
    double l[3][3] = { { 0.0 } };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = m[i][j];
            for (int k = 0; k < j; ++k) {
                sum -= l[i][k] * l[j][k];
            }
            l[i][j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / l[j][j];
        }
    }
    double x = b.x / l[0][0];
    double y = (b.y - l[1][0] * x) / l[1][1];
    double z = (b.z - l[2][0] * x - l[2][1] * y) / l[2][2];
    z = z / l[2][2];
    y = (y - l[2][1] * z) / l[1][1];
    x = (x - l[1][0] * y - l[2][0] * z) / l[0][0];
    return gti_vec(x, y, z);
}

// The matrix of a unit quaternion.
static inline void gti_rotation_from_quat(GtiQuat q, double m[3][3])
{
    m[0][0] = 1.0 - 2.0 * (q.y * q.y + q.z * q.z);
    m[0][1] = 2.0 * (q.x * q.y - q.w * q.z);
    m[0][2] = 2.0 * (q.x * q.z + q.w * q.y);
    m[1][0] = 2.0 * (q.x * q.y + q.w * q.z);
    m[1][1] = 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    m[1][2] = 2.0 * (q.y * q.z - q.w * q.x);
    m[2][0] = 2.0 * (q.x * q.z - q.w * q.y);
    m[2][1] = 2.0 * (q.y * q.z + q.w * q.x);
    m[2][2] = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
}

#endif
