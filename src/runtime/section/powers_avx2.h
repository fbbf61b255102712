// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Polynomials of degree 3 along each of three axes at the places of eight vertices or sixteen, by Horner's rule: 63
// multiply-adds, 123 with all derivatives; and how vertices get to these places. For files that are compiled for AVX2
// and FMA.

#ifndef GERTIE_RUNTIME_SECTION_POWERS_AVX2_H
#define GERTIE_RUNTIME_SECTION_POWERS_AVX2_H

#include "runtime/lanes/vertex_avx2.h"

INLINE Lane3 move(const GtMat34* m, Lane3 p)
{
    Lane moved[3];
    for (int i = 0; i < 3; ++i) {
        moved[i] = lane_mul_add(lane_set(m->m[i][2]), p.z, lane_set(m->m[i][3]));
        moved[i] = lane_mul_add(lane_set(m->m[i][1]), p.y, moved[i]);
        moved[i] = lane_mul_add(lane_set(m->m[i][0]), p.x, moved[i]);
    }
    return (Lane3){ moved[0], moved[1], moved[2] };
}

INLINE Lane3 into_box(Lane3 p)
{
    Lane low = lane_set(-1.0f);
    Lane high = lane_set(1.0f);
    return (Lane3){ lane_min(lane_max(p.x, low), high), lane_min(lane_max(p.y, low), high),
                    lane_min(lane_max(p.z, low), high) };
}

INLINE Lane3 spread(const float v[3])
{
    return (Lane3){ lane_set(v[0]), lane_set(v[1]), lane_set(v[2]) };
}

INLINE Lane3 scaled(Lane scale, Lane3 a)
{
    return (Lane3){ lane_mul(scale, a.x), lane_mul(scale, a.y), lane_mul(scale, a.z) };
}

// a + scale b
INLINE Lane3 add_scaled(Lane3 a, Lane scale, Lane3 b)
{
    return (Lane3){ lane_mul_add(scale, b.x, a.x), lane_mul_add(scale, b.y, a.y), lane_mul_add(scale, b.z, a.z) };
}

enum {
    SIDE = 4,
    LAYER = SIDE * SIDE,
};

// Two blocks, a and b, at places x, y, z of a box: one coordinate of what a lattice does to them.
typedef struct Two {
    Lane a;
    Lane b;
} Two;

INLINE Two two_add(Two value, Two x, Two next)
{
    return (Two){ lane_mul_add(value.a, x.a, next.a), lane_mul_add(value.b, x.b, next.b) };
}

INLINE Two two_set(float a)
{
    Lane both = lane_set(a);
    return (Two){ both, both };
}

// Two rows along s side by side, so that neither waits for itself, and the step along t between them.
INLINE Two eval_rows(const float* c, Two s, Two t)
{
    Two high = two_add(two_set(c[SIDE + 3]), s, two_set(c[SIDE + 2]));
    Two low = two_add(two_set(c[3]), s, two_set(c[2]));
    high = two_add(high, s, two_set(c[SIDE + 1]));
    low = two_add(low, s, two_set(c[1]));
    high = two_add(high, s, two_set(c[SIDE]));
    low = two_add(low, s, two_set(c[0]));
    return two_add(high, t, low);
}

INLINE Two eval_layer(const float* c, Two s, Two t, Two square)
{
    Two high = eval_rows(c + 2 * SIDE, s, t);
    return two_add(high, square, eval_rows(c, s, t));
}

INLINE Two eval(const float c[SIDE * LAYER], Two s, Two t, Two square, Two u)
{
    Two value = two_set(0.0f);
    const float* layer = c + (SIDE - 1) * LAYER;
    for (int k = 0; k < SIDE; ++k, layer -= LAYER) {
        value = two_add(value, u, eval_layer(layer, s, t, square));
    }
    return value;
}

// A polynomial and its derivative.
typedef struct Slope {
    Lane value;
    Lane slope;
} Slope;

INLINE Slope slope_add(Slope a, Lane x, Lane next)
{
    return (Slope){ lane_mul_add(a.value, x, next), lane_mul_add(a.slope, x, a.value) };
}

INLINE Slope slope_first(Lane last, Lane x, Lane next)
{
    return (Slope){ lane_mul_add(last, x, next), last };
}

// A value and its derivatives along s, t and u.
typedef struct Slopes {
    Lane value;
    Lane s;
    Lane t;
    Lane u;
} Slopes;

// Two rows along s side by side, and a step along t.
typedef struct Rows {
    Lane value;
    Lane s;
    Lane t; // derivative along t: the upper row
} Rows;

INLINE Rows slopes_rows(const float* c, Lane s, Lane t)
{
    Slope high = slope_first(lane_set(c[SIDE + 3]), s, lane_set(c[SIDE + 2]));
    Slope low = slope_first(lane_set(c[3]), s, lane_set(c[2]));
    high = slope_add(high, s, lane_set(c[SIDE + 1]));
    low = slope_add(low, s, lane_set(c[1]));
    high = slope_add(high, s, lane_set(c[SIDE]));
    low = slope_add(low, s, lane_set(c[0]));
    return (Rows){ lane_mul_add(high.value, t, low.value), lane_mul_add(high.slope, t, low.slope), high.value };
}

// A layer of a coordinate: (a + b t) t^2 + (c + d t), whose derivative along t is b t^2 + 2 t (a + b t) + d.
INLINE Slopes slopes_layer(const float* c, Lane s, Lane t, Lane square, Lane twice)
{
    Rows high = slopes_rows(c + 2 * SIDE, s, t);
    Rows low = slopes_rows(c, s, t);
    return (Slopes){
        .value = lane_mul_add(high.value, square, low.value),
        .s = lane_mul_add(high.s, square, low.s),
        .t = lane_mul_add(high.t, square, lane_mul_add(high.value, twice, low.t)),
    };
}

INLINE Slopes eval_slopes(const float c[SIDE * LAYER], Lane3 x)
{
    Lane square = lane_mul(x.y, x.y);
    Lane twice = lane_add(x.y, x.y);
    Lane zero = _mm256_setzero_ps();
    Slopes sum = { zero, zero, zero, zero };
    const float* from = c + (SIDE - 1) * LAYER;
    for (int k = 0; k < SIDE; ++k, from -= LAYER) {
        Slopes layer = slopes_layer(from, x.x, x.y, square, twice);
        sum.u = lane_mul_add(sum.u, x.z, sum.value);
        sum.value = lane_mul_add(sum.value, x.z, layer.value);
        sum.s = lane_mul_add(sum.s, x.z, layer.s);
        sum.t = lane_mul_add(sum.t, x.z, layer.t);
    }
    return sum;
}

#endif
