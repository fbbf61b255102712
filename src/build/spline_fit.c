// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Least squares with uniform cubic B-splines (de Boor, A Practical Guide to Splines, chapter XIV). The normal equations
// have seven diagonals; a trace of the squared second difference keeps them definite where few samples tell a
// coefficient.

#include "build/spline_fit.h"

#include <math.h>

static const double SMOOTHING = 1e-7; // of second differences, against samples
static const double END = 100.0;      // weight of the first and the last sample: splines meet there

void gti_spline_shares(double t, double shares[4])
{
    double u = 1.0 - t;
    shares[0] = u * u * u / 6.0;
    shares[1] = (4.0 + t * t * (3.0 * t - 6.0)) / 6.0;
    shares[2] = (4.0 + u * u * (3.0 * u - 6.0)) / 6.0;
    shares[3] = t * t * t / 6.0;
}

// First of the four coefficients that a sample depends on, and their shares.
static int32_t sample_shares(const GtiSplineFit* fit, int32_t sample, double shares[4])
{
    int32_t last = fit->coefficient_count - 4;
    int32_t interval = sample / fit->spacing;
    interval = interval < last ? interval : last;
    gti_spline_shares((double)sample / (double)fit->spacing - (double)interval, shares);
    return interval;
}

static double weight_of(const GtiSplineFit* fit, int32_t sample)
{
    return sample == 0 || sample == fit->sample_count - 1 ? END : 1.0;
}

bool gti_spline_fit_create(GtArena* arena, int32_t sample_count, int32_t spacing, GtiSplineFit* out)
{
    int32_t intervals = (sample_count - 1 + spacing - 1) / spacing;
    intervals = intervals ? intervals : 1;
    *out = (GtiSplineFit){ .sample_count = sample_count, .spacing = spacing, .coefficient_count = intervals + 3 };
    double(*a)[4] = gt_arena_push_array(arena, (size_t)out->coefficient_count, sizeof *a);
    if (!a) {
        return false;
    }
    static const double bend[3] = { 1.0, -2.0, 1.0 };
    for (int32_t i = 0; i + 2 < out->coefficient_count; ++i) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c <= r; ++c) {
                a[i + r][r - c] += SMOOTHING * bend[r] * bend[c];
            }
        }
    }
    for (int32_t i = 0; i < sample_count; ++i) {
        double shares[4];
        int32_t first = sample_shares(out, i, shares);
        for (int r = 0; r < 4; ++r) {
            for (int c = 0; c <= r; ++c) {
                a[first + r][r - c] += weight_of(out, i) * shares[r] * shares[c];
            }
        }
    }
    for (int32_t i = 0; i < out->coefficient_count; ++i) { // a becomes L with L L^T = a
        for (int d = i < 3 ? i : 3; d >= 0; --d) {
            double sum = a[i][d];
            for (int k = d + 1; k <= 3 && k <= i; ++k) {
                sum -= a[i][k] * a[i - d][k - d];
            }
            a[i][d] = d ? sum / a[i - d][0] : sqrt(sum);
        }
    }
    out->factor = a;
    return true;
}

void gti_spline_fit_solve(const GtiSplineFit* fit, const float* samples, int32_t stride, double* coefficients)
{
    const double(*l)[4] = (const double(*)[4])fit->factor;
    size_t step = (size_t)stride;
    int32_t count = fit->coefficient_count;
    for (int32_t i = 0; i < count; ++i) {
        coefficients[(size_t)i * step] = 0.0;
    }
    for (int32_t i = 0; i < fit->sample_count; ++i) {
        double shares[4];
        int32_t first = sample_shares(fit, i, shares);
        double sample = weight_of(fit, i) * (double)samples[(size_t)i * step];
        for (int k = 0; k < 4; ++k) {
            coefficients[(size_t)(first + k) * step] += shares[k] * sample;
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        double sum = coefficients[(size_t)i * step];
        for (int k = 1; k <= 3 && k <= i; ++k) {
            sum -= l[i][k] * coefficients[(size_t)(i - k) * step];
        }
        coefficients[(size_t)i * step] = sum / l[i][0];
    }
    for (int32_t i = count - 1; i >= 0; --i) {
        double sum = coefficients[(size_t)i * step];
        for (int k = 1; k <= 3 && i + k < count; ++k) {
            sum -= l[i + k][k] * coefficients[(size_t)(i + k) * step];
        }
        coefficients[(size_t)i * step] = sum / l[i][0];
    }
}
