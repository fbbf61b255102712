// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of four floats, with FMA. For files that are compiled for it.

#ifndef GERTIE_RUNTIME_LANES_LANE_FMA_H
#define GERTIE_RUNTIME_LANES_LANE_FMA_H

#include <immintrin.h>

#define LANE_SIZE 4
#define REGISTERS 16

typedef __m128 Lane;

static inline Lane lane_load(const float* from)
{
    return _mm_loadu_ps(from);
}

static inline void lane_store(float* to, Lane a)
{
    _mm_storeu_ps(to, a);
}

static inline Lane lane_set(float a)
{
    return _mm_set1_ps(a);
}

static inline Lane lane_add(Lane a, Lane b)
{
    return _mm_add_ps(a, b);
}

static inline Lane lane_sub(Lane a, Lane b)
{
    return _mm_sub_ps(a, b);
}

static inline Lane lane_mul(Lane a, Lane b)
{
    return _mm_mul_ps(a, b);
}

static inline Lane lane_div(Lane a, Lane b)
{
    return _mm_div_ps(a, b);
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return _mm_fmadd_ps(a, b, c);
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return _mm_fnmadd_ps(a, b, c);
}

#endif
