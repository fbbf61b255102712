// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of sixteen floats, with AVX-512. For files that are compiled for it.

#ifndef GERTIE_RUNTIME_LANES_LANE_AVX512_H
#define GERTIE_RUNTIME_LANES_LANE_AVX512_H

#include <immintrin.h>
#include <stdbool.h>

#define LANE_SIZE 16
#define REGISTERS 32

typedef __m512 Lane;
typedef __mmask16 LaneMask; // a bit a lane

#include "runtime/lanes/lane.h"

static inline Lane lane_set(float a)
{
    return _mm512_set1_ps(a);
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return _mm512_fnmadd_ps(a, b, c);
}

// a b - c.
static inline Lane lane_mul_less(Lane a, Lane b, Lane c)
{
    return _mm512_fmsub_ps(a, b, c);
}

static inline Lane lane_min(Lane a, Lane b)
{
    return _mm512_min_ps(a, b);
}

static inline Lane lane_max(Lane a, Lane b)
{
    return _mm512_max_ps(a, b);
}

static inline Lane lane_root(Lane a)
{
    return _mm512_sqrt_ps(a);
}

// 1 / sqrt(a) within 2 ulp or so, for what is neither tiny nor huge: an estimate and one Newton step.
static inline Lane lane_inverse_root(Lane a)
{
    Lane r = _mm512_rsqrt14_ps(a);
    Lane half = lane_mul(lane_mul(a, lane_set(0.5f)), r);
    return lane_mul(r, lane_mul_sub(half, r, lane_set(1.5f)));
}

static inline LaneMask lane_greater(Lane a, Lane b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}

// above < a <= most.
static inline LaneMask lane_within(Lane a, float above, float most)
{
    return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(a, lane_set(above), _CMP_GT_OQ), a, lane_set(most), _CMP_LE_OQ);
}

static inline Lane lane_select(LaneMask mask, Lane yes, Lane no)
{
    return _mm512_mask_blend_ps(mask, no, yes);
}

// -a where the mask is set.
static inline Lane lane_negate(LaneMask mask, Lane a)
{
    return _mm512_mask_xor_ps(a, mask, a, lane_set(-0.0f));
}

static inline bool lane_all(LaneMask mask)
{
    return mask == 0xFFFF;
}

// Whether no bit is set in any lane.
static inline bool lane_empty(Lane a)
{
    __m512i bits = _mm512_castps_si512(a);
    return _mm512_test_epi32_mask(bits, bits) == 0;
}

#endif
