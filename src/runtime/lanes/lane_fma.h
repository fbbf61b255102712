// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of four floats, with FMA. For files that are compiled for it.

#ifndef GERTIE_RUNTIME_LANES_LANE_FMA_H
#define GERTIE_RUNTIME_LANES_LANE_FMA_H

#include <immintrin.h>

#define LANE_SIZE 4
#define REGISTERS 16

typedef __m128 Lane;

#include "runtime/lanes/lane.h"

static inline Lane lane_set(float a)
{
    return _mm_set1_ps(a);
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
