// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of sixteen floats, with AVX-512. For files that are compiled for it.

#ifndef GERTIE_RUNTIME_LANE_AVX512_H
#define GERTIE_RUNTIME_LANE_AVX512_H

#include <immintrin.h>

#define LANE_SIZE 16
#define REGISTERS 32

typedef __m512 Lane;

static inline Lane lane_load(const float* from)
{
    return _mm512_loadu_ps(from);
}

static inline void lane_store(float* to, Lane a)
{
    _mm512_storeu_ps(to, a);
}

static inline Lane lane_set(float a)
{
    return _mm512_set1_ps(a);
}

static inline Lane lane_add(Lane a, Lane b)
{
    return _mm512_add_ps(a, b);
}

static inline Lane lane_sub(Lane a, Lane b)
{
    return _mm512_sub_ps(a, b);
}

static inline Lane lane_mul(Lane a, Lane b)
{
    return _mm512_mul_ps(a, b);
}

static inline Lane lane_div(Lane a, Lane b)
{
    return _mm512_div_ps(a, b);
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return _mm512_fnmadd_ps(a, b, c);
}

#endif
