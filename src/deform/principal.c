// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The Gram matrix of the rows has the same eigenvalues as their covariance and is only as large as they are many.
// Jacobi's rotations find its eigenvectors to the last digit, small ones too.

#include "deform/principal.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = 1024, // products that are summed in single precision
    MOST_SWEEPS = 30
};

static double dot(const float* a, const float* b, size_t width)
{
    double sum = 0.0;
    for (size_t first = 0; first < width; first += CHUNK) {
        size_t end = first + CHUNK < width ? first + CHUNK : width;
        float parts[8] = { 0.0f };
        size_t i = first;
        for (; i + 8 <= end; i += 8) {
            for (size_t k = 0; k < 8; ++k) {
                parts[k] += a[i + k] * b[i + k];
            }
        }
        for (; i < end; ++i) {
            parts[0] += a[i] * b[i];
        }
        sum += (double)((parts[0] + parts[1]) + (parts[2] + parts[3])) +
               (double)((parts[4] + parts[5]) + (parts[6] + parts[7]));
    }
    return sum;
}

// Turn rows p and q of `a` and of the transposed eigenvectors, and columns p and q of `a`, so that a[p][q] becomes 0.
static void rotate(double* a, double* vectors, size_t count, size_t p, size_t q)
{
    double theta = (a[q * count + q] - a[p * count + p]) / (2.0 * a[p * count + q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;
    for (size_t i = 0; i < count; ++i) {
        double ap = a[p * count + i];
        double aq = a[q * count + i];
        a[p * count + i] = c * ap - s * aq;
        a[q * count + i] = s * ap + c * aq;
        double vp = vectors[p * count + i];
        double vq = vectors[q * count + i];
        vectors[p * count + i] = c * vp - s * vq;
        vectors[q * count + i] = s * vp + c * vq;
    }
    for (size_t i = 0; i < count; ++i) {
        double ap = a[i * count + p];
        double aq = a[i * count + q];
        a[i * count + p] = c * ap - s * aq;
        a[i * count + q] = s * ap + c * aq;
    }
}

static void diagonalise(double* a, double* vectors, size_t count)
{
    double trace = 0.0;
    for (size_t i = 0; i < count; ++i) {
        trace += a[i * count + i];
        vectors[i * count + i] = 1.0;
    }
    bool goes_on = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && goes_on; ++sweep) {
        goes_on = false;
        for (size_t p = 0; p < count; ++p) {
            for (size_t q = p + 1; q < count; ++q) {
                if (fabs(a[p * count + q]) > 1e-15 * trace) {
                    rotate(a, vectors, count, p, q);
                    goes_on = true;
                }
            }
        }
    }
}

bool gti_principal(const float* rows, int32_t row_count, size_t width, GtArena* arena, double* values, double* vectors)
{
    size_t count = (size_t)row_count;
    GtArenaMark mark = gt_arena_mark(arena);
    double* a = gt_arena_push_array(arena, count * count, sizeof *a);
    double* found = gt_arena_push_array(arena, count * count, sizeof *found);
    bool* is_taken = gt_arena_push_array(arena, count, sizeof *is_taken);
    if (!a || !found || !is_taken) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = i; k < count; ++k) {
            a[i * count + k] = a[k * count + i] = dot(rows + i * width, rows + k * width, width);
        }
    }
    diagonalise(a, found, count);
    for (size_t k = 0; k < count; ++k) {
        size_t best = count;
        for (size_t i = 0; i < count; ++i) {
            if (!is_taken[i] && (best == count || a[i * count + i] > a[best * count + best])) {
                best = i;
            }
        }
        is_taken[best] = true;
        values[k] = fmax(a[best * count + best], 0.0);
        for (size_t i = 0; i < count; ++i) {
            vectors[i * count + k] = found[best * count + i];
        }
    }
    gt_arena_reset(arena, mark);
    return true;
}

// Cholesky's factor in the lower half; columns of pivots that are rounding become 0.
static void factor(double* a, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; ++i) {
        largest = fmax(largest, a[i * count + i]);
    }
    for (size_t k = 0; k < count; ++k) {
        bool ok = a[k * count + k] > 1e-12 * largest;
        double pivot = ok ? sqrt(a[k * count + k]) : 0.0;
        a[k * count + k] = pivot;
        for (size_t i = k + 1; i < count; ++i) {
            a[i * count + k] = ok ? a[i * count + k] / pivot : 0.0;
        }
        for (size_t j = k + 1; j < count; ++j) {
            for (size_t i = j; i < count; ++i) {
                a[i * count + j] -= a[i * count + k] * a[j * count + k];
            }
        }
    }
}

static void add_scaled(float* to, const float* from, double by, size_t width)
{
    float factor_of = (float)by;
    for (size_t i = 0; i < width && by != 0.0; ++i) {
        to[i] += factor_of * from[i];
    }
}

static void scale_row(float* row, double by, size_t width)
{
    for (size_t i = 0; i < width; ++i) {
        row[i] *= (float)by;
    }
}

void gti_solve_rows(double* a, int32_t count, float* right, size_t width)
{
    size_t n = (size_t)count;
    factor(a, n);
    for (size_t k = 0; k < n; ++k) {
        for (size_t j = 0; j < k; ++j) {
            add_scaled(right + k * width, right + j * width, -a[k * n + j], width);
        }
        scale_row(right + k * width, a[k * n + k] > 0.0 ? 1.0 / a[k * n + k] : 0.0, width);
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; ++j) {
            add_scaled(right + k * width, right + j * width, -a[j * n + k], width);
        }
        scale_row(right + k * width, a[k * n + k] > 0.0 ? 1.0 / a[k * n + k] : 0.0, width);
    }
}
