// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Uniform cubic B-splines that come nearest to evenly spaced samples in the sense of least squares.

#ifndef GERTIE_BUILD_SPLINE_FIT_H
#define GERTIE_BUILD_SPLINE_FIT_H

#include "gertie/memory.h"

// The normal equations of one spacing, factored: for any number of channels that have the same samples.
typedef struct GtiSplineFit {
    int32_t sample_count;
    int32_t spacing; // samples from one coefficient to the next
    int32_t coefficient_count;
    double (*factor)[4]; // [coefficient_count] rows of the Cholesky factor: the diagonal and three before it
} GtiSplineFit;

// Shares of four coefficients at t in [0, 1] of an interval.
void gti_spline_shares(double t, double shares[4]);

// Factor. False when memory ran out.
bool gti_spline_fit_create(GtArena* arena, int32_t sample_count, int32_t spacing, GtiSplineFit* out);

// Coefficients of one channel: samples[i * stride] to coefficients[i * stride].
void gti_spline_fit_solve(const GtiSplineFit* fit, const float* samples, int32_t stride, double* coefficients);

#endif
