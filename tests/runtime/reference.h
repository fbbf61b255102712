// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Double-precision twins of the runtime's mathematics, written from the papers and not from the code, and random data
// that is the same on every run.

#ifndef GERTIE_TESTS_RUNTIME_REFERENCE_H
#define GERTIE_TESTS_RUNTIME_REFERENCE_H

#include "support/test.h"

#include "gertie/mat34.h"

typedef struct RefVec {
    double v[3];
} RefVec;

// Rows of a 3x4 matrix.
typedef struct RefMat {
    double m[3][4];
} RefMat;

// x, y, z, w.
typedef struct RefQuat {
    double q[4];
} RefQuat;

// Uniform in [-1, 1).
static inline double ref_random(uint64_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / (double)((uint64_t)1 << 52) - 1.0;
}

static inline GtVec3 ref_random_vec3(uint64_t* state, double size)
{
    float x = (float)(size * ref_random(state));
    float y = (float)(size * ref_random(state));
    float z = (float)(size * ref_random(state));
    return gt_vec3(x, y, z);
}

static inline RefQuat ref_random_quat(uint64_t* state)
{
    for (;;) {
        RefQuat r;
        double square = 0.0;
        for (int i = 0; i < 4; ++i) {
            r.q[i] = ref_random(state);
            square += r.q[i] * r.q[i];
        }
        if (square > 0.01 && square < 1.0) {
            for (int i = 0; i < 4; ++i) {
                r.q[i] /= sqrt(square);
            }
            return r;
        }
    }
}

static inline double ref_quat_dot(RefQuat a, RefQuat b)
{
    return a.q[0] * b.q[0] + a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3];
}

static inline RefQuat ref_quat_mul(RefQuat a, RefQuat b)
{
    const double* p = a.q;
    const double* q = b.q;
    return (RefQuat){ {
        p[3] * q[0] + q[3] * p[0] + p[1] * q[2] - p[2] * q[1],
        p[3] * q[1] + q[3] * p[1] + p[2] * q[0] - p[0] * q[2],
        p[3] * q[2] + q[3] * p[2] + p[0] * q[1] - p[1] * q[0],
        p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
    } };
}

// The rotation matrix of a unit quaternion, with a translation.
static inline RefMat ref_matrix(RefQuat r, RefVec translation)
{
    double x = r.q[0], y = r.q[1], z = r.q[2], w = r.q[3];
    const double* t = translation.v;
    return (RefMat){ {
        { w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), t[0] },
        { 2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x), t[1] },
        { 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z, t[2] },
    } };
}

static inline RefMat ref_mul(const RefMat* a, const RefMat* b)
{
    RefMat r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = j == 3 ? a->m[i][3] : 0.0;
            for (int k = 0; k < 3; ++k) {
                r.m[i][j] += a->m[i][k] * b->m[k][j];
            }
        }
    }
    return r;
}

static inline RefVec ref_apply(const RefMat* a, GtVec3 p, double w)
{
    RefVec r;
    for (int i = 0; i < 3; ++i) {
        r.v[i] = a->m[i][0] * (double)p.x + a->m[i][1] * (double)p.y + a->m[i][2] * (double)p.z + a->m[i][3] * w;
    }
    return r;
}

static inline double ref_determinant(const RefMat* a)
{
    const double(*m)[4] = a->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static inline RefVec ref_unit(RefVec a)
{
    double length = sqrt(a.v[0] * a.v[0] + a.v[1] * a.v[1] + a.v[2] * a.v[2]);
    return (RefVec){ { a.v[0] / length, a.v[1] / length, a.v[2] / length } };
}

// A normal by its definition: the x that solves transpose(A) x = n (Cramer's rule), so that it stays across every
// tangent that A moves. Unit length.
static inline RefVec ref_normal(const RefMat* a, GtVec3 n)
{
    RefVec r;
    const double rhs[3] = { (double)n.x, (double)n.y, (double)n.z };
    for (int column = 0; column < 3; ++column) {
        RefMat replaced;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                replaced.m[i][j] = j == column ? rhs[i] : a->m[j][i];
            }
        }
        r.v[column] = ref_determinant(&replaced) / ref_determinant(a);
    }
    return ref_unit(r);
}

// A random symmetric matrix with eigenvalues between 0.3 and 2; all negative when mirrored.
static inline RefMat ref_random_stretch(uint64_t* state, bool mirrored)
{
    RefMat turn = ref_matrix(ref_random_quat(state), (RefVec){ { 0, 0, 0 } });
    RefMat r = { { { 0 } } };
    for (int k = 0; k < 3; ++k) {
        double scale = 1.15 + 0.85 * ref_random(state);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                r.m[i][j] += (mirrored ? -scale : scale) * turn.m[i][k] * turn.m[j][k];
            }
        }
    }
    return r;
}

static inline GtMat34 ref_to_mat34(const RefMat* a)
{
    GtMat34 r;
    for (int i = 0; i < 12; ++i) {
        r.m[i / 4][i % 4] = (float)a->m[i / 4][i % 4];
    }
    return r;
}

static inline RefMat ref_from_mat34(const GtMat34* a)
{
    RefMat r;
    for (int i = 0; i < 12; ++i) {
        r.m[i / 4][i % 4] = (double)a->m[i / 4][i % 4];
    }
    return r;
}

static inline void ref_expect_vec(GtVec3 actual, RefVec expected, double tolerance)
{
    GT_EXPECT_NEAR(actual.x, expected.v[0], tolerance);
    GT_EXPECT_NEAR(actual.y, expected.v[1], tolerance);
    GT_EXPECT_NEAR(actual.z, expected.v[2], tolerance);
}

#endif
