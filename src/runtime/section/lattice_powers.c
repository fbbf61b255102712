// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lattices as polynomials in powers. B-splines are one between each two knots; knots are evenly spaced, so that all
// spans are of one size. What each control point has to do with a power is found from four samples, which a polynomial
// of degree 3 goes through exactly.

#include "runtime/section/lattice.h"

#include <string.h>

enum {
    SIDE = 4
};

static int32_t spans_along(const GtLatticeDef* def, int axis)
{
    return def->counts[axis] > SIDE ? def->counts[axis] - SIDE + 1 : 1;
}

int32_t gti_lattice_span_count(const GtLatticeDef* def)
{
    int32_t count = spans_along(def, 0) * spans_along(def, 1) * spans_along(def, 2);
    bool cubic = !def->weights && (count == 1 || def->basis == GT_LATTICE_B_SPLINE);
    return cubic ? count : 0;
}

int32_t gti_lattice_span_at(const GtLatticeDef* def, GtVec3 box)
{
    const float x[3] = { box.x, box.y, box.z };
    int32_t index = 0;
    for (int axis = 2; axis >= 0; --axis) {
        int32_t count = spans_along(def, axis);
        float at = 0.5f * (x[axis] + 1.0f) * (float)count;
        int32_t span = at > 0.0f ? (at < (float)count ? (int32_t)at : count - 1) : 0; // not a number becomes 0
        index = index * count + span;
    }
    return index;
}

// Powers of a polynomial of degree 3 from its values at -3/4, -1/4, 1/4 and 3/4: even ones, and odd ones.
static void fit_powers(const double values[SIDE], float out[SIDE])
{
    double even = 0.5 * (values[2] + values[1]);
    double even_far = 0.5 * (values[3] + values[0]);
    double odd = 2.0 * (values[2] - values[1]); // over the place
    double odd_far = (values[3] - values[0]) / 1.5;
    double square = 2.0 * (even_far - even);
    double cube = 2.0 * (odd_far - odd);
    out[0] = (float)(even - square / 16.0);
    out[1] = (float)(odd - cube / 16.0);
    out[2] = (float)square;
    out[3] = (float)cube;
}

GtiLatticeSpan gti_lattice_span(const GtLatticeDef* def, int32_t index)
{
    GtiLattice lattice = gti_lattice_of(def, NULL, NULL);
    GtiLatticeSpan out;
    memset(&out, 0, sizeof out);
    for (int axis = 0; axis < 3; ++axis) {
        int32_t span_count = spans_along(def, axis);
        int32_t span = index % span_count;
        index /= span_count;
        double samples[SIDE][SIDE] = { { 0.0 } }; // [control point][sample]
        for (int i = 0; i < SIDE; ++i) {
            double local = -0.75 + 0.5 * i;
            GtiLatticeAxis felt;
            gti_lattice_axis(&lattice, axis, (span + 0.5 + 0.5 * local) / span_count, &felt);
            out.firsts[axis] = felt.first;
            out.counts[axis] = felt.count;
            for (int32_t p = 0; p < felt.count && p < SIDE; ++p) {
                samples[p][i] = felt.values[p];
            }
        }
        for (int p = 0; p < SIDE; ++p) {
            fit_powers(samples[p], out.tables[axis][p]);
        }
        out.span_from_box.m[axis][axis] = (float)span_count;
        out.span_from_box.m[axis][3] = (float)(span_count - 2 * span - 1);
    }
    return out;
}

// Along an axis whose neighbours are `step` floats apart, `runs` times.
static inline void change_basis(float* numbers, const float table[SIDE][SIDE], const int32_t step, const int32_t runs)
{
    for (int32_t r = 0; r < runs; ++r, numbers += SIDE * step) {
        for (int32_t n = 0; n < step; ++n) {
            float a = numbers[n];
            float b = numbers[step + n];
            float c = numbers[2 * step + n];
            float d = numbers[3 * step + n];
            for (int32_t power = 0; power < SIDE; ++power) {
                numbers[power * step + n] =
                    table[0][power] * a + table[1][power] * b + table[2][power] * c + table[3][power] * d;
            }
        }
    }
}

void gti_lattice_to_powers(const GtLatticeDef* def, const GtiLatticeSpan* span, const GtVec3* displacements,
                           const GtMat34* out_from_space, float out[3][64])
{
    enum {
        ROW = 3 * SIDE // x, y, z of its points
    };
    float numbers[64 * 3] = { 0.0f };
    for (int32_t k = 0; k < span->counts[2]; ++k) {
        for (int32_t j = 0; j < span->counts[1]; ++j) {
            int32_t from = gt_lattice_index(def, span->firsts[0], span->firsts[1] + j, span->firsts[2] + k);
            memcpy(&numbers[(k * SIDE + j) * ROW], &displacements[from],
                   (size_t)span->counts[0] * sizeof *displacements);
        }
    }
    change_basis(numbers, span->tables[0], 3, SIDE * SIDE);
    change_basis(numbers, span->tables[1], ROW, SIDE);
    change_basis(numbers, span->tables[2], SIDE * ROW, 1);
    for (int32_t c = 0; c < 3; ++c) {
        const float* m = out_from_space->m[c];
        for (int32_t n = 0; n < 64; ++n) {
            const float* v = &numbers[3 * n];
            out[c][n] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
        }
    }
}
