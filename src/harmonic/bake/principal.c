// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The Gram matrix of the rows has the same eigenvalues as their covariance and is only as large as they are many.
// Householder's reflections make it tridiagonal, and QL steps with implicit shifts diagonal (Bowdler, Martin, Reinsch
// and Wilkinson, The QR and QL algorithms for symmetric matrices, 1968). Vectors lie in rows, so that all loops run
// along memory.

#include "harmonic/bake/principal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    FOUR = 4,
    CHUNK = 512,    // products that are summed in single precision
    MOST_STEPS = 50 // a value
};

typedef float Four __attribute__((vector_size(16)));

static Four load(const float* from)
{
    Four a;
    memcpy(&a, from, sizeof a);
    return a;
}

// Products of a row with `count` others, at most FOUR, over at most CHUNK numbers.
static inline __attribute__((always_inline)) void add_products(const float* row, const float* others, size_t stride,
                                                               size_t width, const size_t count, double* sums)
{
    Four parts[FOUR] = { { 0.0f } };
    size_t i = 0;
    for (; i + FOUR <= width; i += FOUR) {
        Four a = load(row + i);
        for (size_t k = 0; k < count; ++k) {
            parts[k] += a * load(others + k * stride + i);
        }
    }
    for (size_t k = 0; k < count; ++k) {
        float rest = 0.0f;
        for (size_t t = i; t < width; ++t) {
            rest += row[t] * others[k * stride + t];
        }
        sums[k] += (double)((parts[k][0] + parts[k][1]) + (parts[k][2] + parts[k][3])) + (double)rest;
    }
}

// a: [count * count] all products of rows; a chunk of all rows at a time, which stays in cache
static void multiply_rows(const float* rows, size_t count, size_t width, double* a)
{
    for (size_t first = 0; first < width; first += CHUNK) {
        size_t size = width - first < CHUNK ? width - first : CHUNK;
        for (size_t i = 0; i < count; ++i) {
            const float* row = rows + i * width + first;
            size_t k = i;
            for (; k + FOUR <= count; k += FOUR) {
                add_products(row, rows + k * width + first, width, size, FOUR, a + i * count + k);
            }
            for (; k < count; ++k) {
                add_products(row, rows + k * width + first, width, size, 1, a + i * count + k);
            }
        }
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < i; ++k) {
            a[i * count + k] = a[k * count + i];
        }
    }
}

// Reflect rows and columns [0, i] so that row i has nothing left of column i - 1; the vector of the reflection stays in
// row i, `scaled` receives it by half its square. False where there is nothing to reflect.
static bool reflect(double* a, size_t count, size_t i, double* off_diagonal, double* scaled)
{
    double* row = a + i * count;
    double squares = 0.0;
    for (size_t k = 0; k < i; ++k) {
        squares += row[k] * row[k];
    }
    double length = row[i - 1] > 0.0 ? -sqrt(squares) : sqrt(squares);
    double half = squares - row[i - 1] * length;
    if (!(squares - row[i - 1] * row[i - 1] > 0.0) || !(half > 0.0)) {
        *off_diagonal = row[i - 1];
        return false;
    }
    *off_diagonal = length;
    row[i - 1] -= length;
    double along = 0.0;
    for (size_t j = 0; j < i; ++j) {
        scaled[j] = 0.0;
        for (size_t k = 0; k < i; ++k) {
            scaled[j] += a[j * count + k] * row[k];
        }
        scaled[j] /= half;
        along += scaled[j] * row[j];
    }
    for (size_t j = 0; j < i; ++j) {
        scaled[j] -= 0.5 * along / half * row[j];
    }
    for (size_t j = 0; j < i; ++j) {
        for (size_t k = 0; k < i; ++k) {
            a[j * count + k] -= row[j] * scaled[k] + scaled[j] * row[k];
        }
    }
    for (size_t k = 0; k < i; ++k) {
        scaled[k] = row[k] / half;
    }
    return true;
}

static void add_row(double* to, const double* from, double by, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        to[i] += by * from[i];
    }
}

// vectors: receives the rows of Q for which Q A Q' is tridiagonal
// scratch: [2 * count]
static void tridiagonalise(double* a, double* vectors, size_t count, double* diagonal, double* off, double* scratch)
{
    double* scaled = scratch;
    double* sums = scratch + count;
    memset(vectors, 0, count * count * sizeof *vectors);
    for (size_t i = 0; i < count; ++i) {
        vectors[i * count + i] = 1.0;
        off[i] = 0.0;
    }
    for (size_t i = count; i-- > 1;) {
        if (reflect(a, count, i, &off[i], scaled)) {
            memset(sums, 0, count * sizeof *sums);
            for (size_t k = 0; k < i; ++k) {
                add_row(sums, vectors + k * count, a[i * count + k], count);
            }
            for (size_t k = 0; k < i; ++k) {
                add_row(vectors + k * count, sums, -scaled[k], count);
            }
        }
        diagonal[i] = a[i * count + i];
    }
    diagonal[0] = count > 0 ? a[0] : 0.0;
}

static void turn_rows(double* p, double* q, double c, double s, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        double x = p[i];
        double y = q[i];
        p[i] = c * x - s * y;
        q[i] = s * x + c * y;
    }
}

// One QL step on rows [first, last], with a shift that is nearly the first eigenvalue.
static void step_ql(double* diagonal, double* off, double* vectors, size_t count, size_t first, size_t last)
{
    double g = (diagonal[first + 1] - diagonal[first]) / (2.0 * off[first + 1]);
    double r = hypot(g, 1.0);
    g = diagonal[last] - diagonal[first] + off[first + 1] / (g + (g < 0.0 ? -r : r));
    double s = 1.0;
    double c = 1.0;
    double p = 0.0;
    for (size_t i = last; i-- > first;) {
        double f = s * off[i + 1];
        double b = c * off[i + 1];
        r = hypot(f, g);
        if (i + 1 < last) {
            off[i + 2] = r;
        }
        if (r == 0.0) {
            diagonal[i + 1] -= p;
            return;
        }
        s = f / r;
        c = g / r;
        g = diagonal[i + 1] - p;
        r = (diagonal[i] - g) * s + 2.0 * c * b;
        p = s * r;
        diagonal[i + 1] = g + p;
        g = c * r - b;
        turn_rows(vectors + i * count, vectors + (i + 1) * count, c, s, count);
    }
    diagonal[first] -= p;
    off[first + 1] = g;
}

// off[i] is between i - 1 and i.
static void diagonalise(double* diagonal, double* off, double* vectors, size_t count)
{
    for (size_t first = 0; first < count; ++first) {
        for (int step = 0; step < MOST_STEPS; ++step) {
            size_t last = first;
            while (last + 1 < count &&
                   fabs(off[last + 1]) > DBL_EPSILON * (fabs(diagonal[last]) + fabs(diagonal[last + 1]))) {
                ++last;
            }
            if (last == first) {
                break;
            }
            step_ql(diagonal, off, vectors, count, first, last);
        }
    }
}

bool gti_principal(const float* rows, int32_t row_count, size_t width, GtArena* arena, double* values, double* vectors)
{
    size_t count = (size_t)row_count;
    GtArenaMark mark = gt_arena_mark(arena);
    double* a = gt_arena_push_array(arena, count * count, sizeof *a);
    double* found = gt_arena_push_array(arena, count * count, sizeof *found);
    double* diagonal = gt_arena_push_array(arena, 4 * count, sizeof *diagonal);
    bool* is_taken = gt_arena_push_array(arena, count, sizeof *is_taken);
    if (!a || !found || !diagonal || !is_taken) {
        return false;
    }
    multiply_rows(rows, count, width, a);
    tridiagonalise(a, found, count, diagonal, diagonal + count, diagonal + 2 * count);
    diagonalise(diagonal, diagonal + count, found, count);
    for (size_t k = 0; k < count; ++k) {
        size_t best = count;
        for (size_t i = 0; i < count; ++i) {
            if (!is_taken[i] && (best == count || diagonal[i] > diagonal[best])) {
                best = i;
            }
        }
        is_taken[best] = true;
        values[k] = fmax(diagonal[best], 0.0);
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
