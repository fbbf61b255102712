// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The rotation nearest to a matrix: Newton's iteration R <- (R + R^-T) / 2 for the orthogonal polar factor (Higham
// 1986), which doubles its correct digits each step, scaled by the determinant so that uneven scales cost few steps.

#include "base/rotation.h"

#include <math.h>
#include <string.h>

// Below this part of the largest entry a determinant, or what is left of a column, is rounding.
static const double SINGULAR = 1e-12;

static void set_identity(double m[3][3])
{
    for (int i = 0; i < 9; ++i) {
        m[i / 3][i % 3] = i % 4 == 0;
    }
}

// Scale `m` so that its largest entry is 1; false when it has none or is not finite.
static bool scale_to_one(double m[3][3])
{
    double size = 0.0;
    bool finite = true;
    for (int i = 0; i < 9; ++i) {
        finite &= isfinite(m[i / 3][i % 3]) != 0;
        size = fmax(size, fabs(m[i / 3][i % 3]));
    }
    if (!finite || !(size > 0.0)) {
        return false;
    }
    for (int i = 0; i < 9; ++i) {
        m[i / 3][i % 3] /= size;
    }
    return true;
}

static double column_dot(double m[3][3], int i, int j)
{
    return m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
}

// Make column `j` of unit length across the unit column `i`; false, without a change, where nothing of it is across.
static bool make_across(double m[3][3], int i, int j)
{
    double along = column_dot(m, i, j);
    double across[3];
    double length = 0.0;
    for (int k = 0; k < 3; ++k) {
        across[k] = m[k][j] - along * m[k][i];
        length += across[k] * across[k];
    }
    length = sqrt(length);
    if (!(length > SINGULAR)) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        m[k][j] = across[k] / length;
    }
    return true;
}

// Make column `j` a unit vector across the unit column `i`, its own axis if that has anything across.
static void fill_across(double m[3][3], int i, int j)
{
    for (int axis = j; axis < j + 2; ++axis) {
        for (int k = 0; k < 3; ++k) {
            m[k][j] = k == axis % 3;
        }
        if (make_across(m, i, j)) {
            return;
        }
    }
}

// Gram-Schmidt on the columns of a singular matrix whose largest entry is 1: the longest stays, then what has a
// direction of its own, then any; the last by a cross product, so that the result is right-handed.
static void orthonormalize(double m[3][3])
{
    double lengths[3];
    for (int j = 0; j < 3; ++j) {
        lengths[j] = sqrt(column_dot(m, j, j));
    }
    int first = lengths[0] >= lengths[1] && lengths[0] >= lengths[2] ? 0 : lengths[1] >= lengths[2] ? 1 : 2;
    int second = (first + 1) % 3;
    int third = (first + 2) % 3;
    for (int k = 0; k < 3; ++k) {
        m[k][first] /= lengths[first];
    }
    if (lengths[third] > lengths[second]) {
        second = third;
    }
    if (!make_across(m, first, second)) {
        second = 3 - first - second;
        if (!make_across(m, first, second)) {
            fill_across(m, first, second);
        }
    }
    third = 3 - first - second;
    int a = (third + 1) % 3;
    int b = (third + 2) % 3;
    for (int k = 0; k < 3; ++k) {
        int k1 = (k + 1) % 3;
        int k2 = (k + 2) % 3;
        m[k][third] = m[k1][a] * m[k2][b] - m[k2][a] * m[k1][b];
    }
}

// One step of Newton's iteration; how far the largest change went.
static double newton_step(double m[3][3], bool scaled)
{
    double cofactors[3][3];
    double determinant = gti_cofactors3(m, cofactors);
    double gamma = scaled && fabs(determinant - 1.0) > 1e-3 ? 1.0 / cbrt(determinant) : 1.0;
    double change = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double next = 0.5 * (gamma * m[i][j] + cofactors[i][j] / (determinant * gamma));
            change = fmax(change, fabs(next - m[i][j]));
            m[i][j] = next;
        }
    }
    return change;
}

void gti_nearest_rotation(double m[3][3])
{
    if (!scale_to_one(m)) {
        set_identity(m);
        return;
    }
    double determinant = gti_determinant3(m);
    if (!(fabs(determinant) > SINGULAR)) {
        orthonormalize(m);
        return;
    }
    if (determinant < 0.0) {
        for (int i = 0; i < 9; ++i) {
            m[i / 3][i % 3] = -m[i / 3][i % 3];
        }
    }
    for (int iteration = 0; iteration < 64; ++iteration) {
        if (newton_step(m, iteration < 8) < 1e-14) {
            break;
        }
    }
}

GtQuat gti_quat_from_rotation(double r[3][3])
{
    double x, y, z, w;
    double trace = r[0][0] + r[1][1] + r[2][2];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(trace + 1.0);
        w = 0.25 * s;
        x = (r[2][1] - r[1][2]) / s;
        y = (r[0][2] - r[2][0]) / s;
        z = (r[1][0] - r[0][1]) / s;
    } else if (r[0][0] > r[1][1] && r[0][0] > r[2][2]) {
        double s = 2.0 * sqrt(1.0 + r[0][0] - r[1][1] - r[2][2]);
        w = (r[2][1] - r[1][2]) / s;
        x = 0.25 * s;
        y = (r[0][1] + r[1][0]) / s;
        z = (r[0][2] + r[2][0]) / s;
    } else if (r[1][1] > r[2][2]) {
        double s = 2.0 * sqrt(1.0 + r[1][1] - r[0][0] - r[2][2]);
        w = (r[0][2] - r[2][0]) / s;
        x = (r[0][1] + r[1][0]) / s;
        y = 0.25 * s;
        z = (r[1][2] + r[2][1]) / s;
    } else {
        double s = 2.0 * sqrt(1.0 + r[2][2] - r[0][0] - r[1][1]);
        w = (r[1][0] - r[0][1]) / s;
        x = (r[0][2] + r[2][0]) / s;
        y = (r[1][2] + r[2][1]) / s;
        z = 0.25 * s;
    }
    return gt_quat_normalize(gt_quat((float)x, (float)y, (float)z, (float)w));
}
