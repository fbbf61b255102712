// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cholesky's factorisation, plain for what damping makes positive, and with diagonal pivoting (Higham, Accuracy and
// Stability of Numerical Algorithms, section 10.3), which tells the rank: of a Gram matrix J W J^T a pivot is the
// square of what a row adds to the rows before it.

#include "runtime/ik/dense.h"

#include <math.h>

// A row that adds less than 1e-5 of the largest adds rounding: squared, as pivots are.
#define LEAST_PIVOT 1e-10

static double dot(const double* a, const double* b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

void gti_dense_cholesky(const double* a, int32_t n, double shift, double* factor)
{
    for (int32_t i = 0; i < n; ++i) {
        double* row = &factor[(size_t)i * n];
        for (int32_t j = 0; j < i; ++j) {
            const double* other = &factor[(size_t)j * n];
            row[j] = (a[(size_t)i * n + j] - dot(row, other, j)) * other[j]; // the diagonal holds reciprocals
        }
        double pivot = a[(size_t)i * n + i] + shift - dot(row, row, i);
        row[i] = 1.0 / sqrt(fmax(pivot, 0.5 * shift)); // in exact arithmetic at least `shift`
    }
}

void gti_dense_solve(const double* factor, int32_t n, double* x)
{
    for (int32_t i = 0; i < n; ++i) {
        const double* row = &factor[(size_t)i * n];
        x[i] = (x[i] - dot(row, x, i)) * row[i];
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        const double* row = &factor[(size_t)i * n];
        x[i] *= row[i];
        for (int32_t j = 0; j < i; ++j) {
            x[j] -= row[j] * x[i];
        }
    }
}

// Rows of `factor` are in the matrix's order until the end: row order[k] holds its first k + 1 numbers.
int32_t gti_dense_pivoted_cholesky(const double* a, int32_t n, double* factor, int32_t* order)
{
    double largest = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        order[i] = i;
        largest = fmax(largest, a[(size_t)i * n + i]);
    }
    for (int32_t k = 0; k < n; ++k) {
        int32_t best = k;
        double best_left = -1.0;
        for (int32_t i = k; i < n; ++i) {
            size_t row = (size_t)order[i] * n;
            double left = a[row + order[i]] - dot(&factor[row], &factor[row], k);
            if (left > best_left) {
                best_left = left;
                best = i;
            }
        }
        if (!(best_left > LEAST_PIVOT * largest)) {
            return k;
        }
        int32_t pivot = order[best];
        order[best] = order[k];
        order[k] = pivot;
        double* pivot_row = &factor[(size_t)pivot * n];
        pivot_row[k] = sqrt(best_left);
        for (int32_t i = k + 1; i < n; ++i) {
            double* row = &factor[(size_t)order[i] * n];
            row[k] = (a[(size_t)order[i] * n + pivot] - dot(row, pivot_row, k)) / pivot_row[k];
        }
    }
    return n;
}

void gti_dense_solve_pivoted(const double* factor, int32_t n, int32_t rank, const int32_t* order, double* x,
                             double* scratch)
{
    for (int32_t k = 0; k < rank; ++k) {
        const double* row = &factor[(size_t)order[k] * n];
        scratch[k] = (x[order[k]] - dot(row, scratch, k)) / row[k];
    }
    for (int32_t i = 0; i < n; ++i) {
        x[i] = 0.0;
    }
    for (int32_t k = rank - 1; k >= 0; --k) {
        const double* row = &factor[(size_t)order[k] * n];
        double value = scratch[k] / row[k];
        x[order[k]] = value;
        for (int32_t j = 0; j < k; ++j) {
            scratch[j] -= row[j] * value;
        }
    }
}
