// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of eight floats, with AVX2 and FMA. For files that are compiled for it.

#ifndef GERTIE_RUNTIME_LANES_LANE_AVX2_H
#define GERTIE_RUNTIME_LANES_LANE_AVX2_H

#include <immintrin.h>
#include <stdbool.h>

#define LANE_SIZE 8
#define REGISTERS 16

typedef __m256 Lane;
typedef __m256 LaneMask; // all bits of a lane, or none

#include "runtime/lanes/lane.h"

static inline Lane lane_set(float a)
{
    return _mm256_set1_ps(a);
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return _mm256_fnmadd_ps(a, b, c);
}

// a b - c.
static inline Lane lane_mul_less(Lane a, Lane b, Lane c)
{
    return _mm256_fmsub_ps(a, b, c);
}

static inline Lane lane_min(Lane a, Lane b)
{
    return _mm256_min_ps(a, b);
}

static inline Lane lane_max(Lane a, Lane b)
{
    return _mm256_max_ps(a, b);
}

static inline Lane lane_root(Lane a)
{
    return _mm256_sqrt_ps(a);
}

// 1 / sqrt(a) within 2 ulp or so, for what is neither tiny nor huge: an estimate and one Newton step.
static inline Lane lane_inverse_root(Lane a)
{
    Lane r = _mm256_rsqrt_ps(a);
    Lane half = lane_mul(lane_mul(a, lane_set(0.5f)), r);
    return lane_mul(r, lane_mul_sub(half, r, lane_set(1.5f)));
}

static inline LaneMask lane_greater(Lane a, Lane b)
{
    return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}

// above < a <= most.
static inline LaneMask lane_within(Lane a, float above, float most)
{
    return _mm256_and_ps(_mm256_cmp_ps(a, lane_set(above), _CMP_GT_OQ), _mm256_cmp_ps(a, lane_set(most), _CMP_LE_OQ));
}

static inline Lane lane_select(LaneMask mask, Lane yes, Lane no)
{
    return _mm256_blendv_ps(no, yes, mask);
}

// -a where the mask is set.
static inline Lane lane_negate(LaneMask mask, Lane a)
{
    return _mm256_xor_ps(a, _mm256_and_ps(mask, lane_set(-0.0f)));
}

static inline bool lane_all(LaneMask mask)
{
    return _mm256_movemask_ps(mask) == 0xFF;
}

// Whether no bit is set in any lane.
static inline bool lane_empty(Lane a)
{
    return _mm256_testz_si256(_mm256_castps_si256(a), _mm256_castps_si256(a));
}

#endif
