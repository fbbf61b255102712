// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of eight floats, with AVX2 and FMA. For files that are compiled for it.

#ifndef GERTIE_RUNTIME_LANE_AVX2_H
#define GERTIE_RUNTIME_LANE_AVX2_H

#include <immintrin.h>

#define LANE_SIZE 8
#define REGISTERS 16

typedef __m256 Lane;

static inline Lane lane_load(const float* from)
{
    return _mm256_loadu_ps(from);
}

static inline void lane_store(float* to, Lane a)
{
    _mm256_storeu_ps(to, a);
}

static inline Lane lane_set(float a)
{
    return _mm256_set1_ps(a);
}

static inline Lane lane_add(Lane a, Lane b)
{
    return _mm256_add_ps(a, b);
}

static inline Lane lane_sub(Lane a, Lane b)
{
    return _mm256_sub_ps(a, b);
}

static inline Lane lane_mul(Lane a, Lane b)
{
    return _mm256_mul_ps(a, b);
}

static inline Lane lane_div(Lane a, Lane b)
{
    return _mm256_div_ps(a, b);
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return _mm256_fnmadd_ps(a, b, c);
}

#endif
