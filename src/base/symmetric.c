// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Jacobi's rotations: each makes one pair of elements off the diagonal zero, and twenty rounds over the three pairs
// leave nothing there that a double shows.

#include "base/symmetric.h"

#include <math.h>

void gti_symmetric_axes(double a[3][3], double v[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            v[i][k] = i == k;
        }
    }
    for (int round = 0; round < 60; ++round) {
        int p = round % 3 == 2 ? 1 : 0;
        int q = round % 3 == 0 ? 1 : 2;
        if (fabs(a[p][q]) < 1e-300) {
            continue;
        }
        double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
        double c = 1.0 / sqrt(t * t + 1.0);
        double s = t * c;
        for (int i = 0; i < 3; ++i) {
            double ip = a[i][p];
            double iq = a[i][q];
            a[i][p] = c * ip - s * iq;
            a[i][q] = s * ip + c * iq;
        }
        for (int i = 0; i < 3; ++i) {
            double pi = a[p][i];
            double qi = a[q][i];
            a[p][i] = c * pi - s * qi;
            a[q][i] = s * pi + c * qi;
            double vp = v[i][p];
            double vq = v[i][q];
            v[i][p] = c * vp - s * vq;
            v[i][q] = s * vp + c * vq;
        }
    }
}
