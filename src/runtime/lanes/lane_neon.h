// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of four floats, with NEON of 64-bit ARM.

#ifndef GERTIE_RUNTIME_LANES_LANE_NEON_H
#define GERTIE_RUNTIME_LANES_LANE_NEON_H

#include <arm_neon.h>
#include <stdbool.h>

#define LANE_SIZE 4

typedef float32x4_t Lane;
typedef uint32x4_t LaneMask; // all bits of a lane, or none

#include "runtime/lanes/lane.h"

static inline Lane lane_set(float a)
{
    return vdupq_n_f32(a);
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return vfmaq_f32(c, a, b);
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return vfmsq_f32(c, a, b);
}

// a b - c.
static inline Lane lane_mul_less(Lane a, Lane b, Lane c)
{
    return vfmaq_f32(vnegq_f32(c), a, b);
}

static inline Lane lane_min(Lane a, Lane b)
{
    return vminnmq_f32(a, b);
}

static inline Lane lane_max(Lane a, Lane b)
{
    return vmaxnmq_f32(a, b);
}

static inline Lane lane_root(Lane a)
{
    return vsqrtq_f32(a);
}

static inline Lane lane_inverse_root(Lane a)
{
    return vdivq_f32(vdupq_n_f32(1.0f), vsqrtq_f32(a));
}

static inline LaneMask lane_greater(Lane a, Lane b)
{
    return vcgtq_f32(a, b);
}

// above < a <= most.
static inline LaneMask lane_within(Lane a, float above, float most)
{
    return vandq_u32(vcgtq_f32(a, lane_set(above)), vcleq_f32(a, lane_set(most)));
}

static inline Lane lane_select(LaneMask mask, Lane yes, Lane no)
{
    return vbslq_f32(mask, yes, no);
}

// -a where the mask is set.
static inline Lane lane_negate(LaneMask mask, Lane a)
{
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), vshlq_n_u32(mask, 31)));
}

static inline bool lane_all(LaneMask mask)
{
    return vminvq_u32(mask) != 0;
}

// Whether no bit is set in any lane.
static inline bool lane_empty(Lane a)
{
    return vmaxvq_u32(vreinterpretq_u32_f32(a)) == 0;
}

#endif
