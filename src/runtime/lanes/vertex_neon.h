// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blocks of four vertices, with NEON, from and to packed arrays.

#ifndef GERTIE_RUNTIME_LANES_VERTEX_NEON_H
#define GERTIE_RUNTIME_LANES_VERTEX_NEON_H

#include "runtime/lanes/lane_neon.h"

#include "runtime/lanes/vertex_lanes.h"

INLINE void transpose(Lane r[4])
{
    float32x4x2_t a = vzipq_f32(r[0], r[2]);
    float32x4x2_t b = vzipq_f32(r[1], r[3]);
    float32x4x2_t c = vzipq_f32(a.val[0], b.val[0]);
    float32x4x2_t d = vzipq_f32(a.val[1], b.val[1]);
    r[0] = c.val[0];
    r[1] = c.val[1];
    r[2] = d.val[0];
    r[3] = d.val[1];
}

// Four rows of four floats, `step` floats apart, become four lanes.
INLINE void load_rows(const float* from, size_t step, Lane out[4])
{
    for (size_t i = 0; i < 4; ++i) {
        out[i] = lane_load(from + i * step);
    }
    transpose(out);
}

// Rows of four floats, each a joint's: `size` floats from one joint to the next, `count` joints to the next vertex.
INLINE void load_joint_rows(const float* from, const size_t size, const uint16_t* joints, const int count, Lane out[4])
{
    for (int i = 0; i < 4; ++i) {
        out[i] = lane_load(from + size * joints[i * count]);
    }
    transpose(out);
}

// Four lanes become four rows of four floats, `step` floats apart.
INLINE void store_rows(float* to, size_t step, Lane rows[4])
{
    transpose(rows);
    for (size_t i = 0; i < 4; ++i) {
        lane_store(to + i * step, rows[i]);
    }
}

INLINE Lane3 load_vectors(const float* from)
{
    float32x4x3_t v = vld3q_f32(from);
    return (Lane3){ v.val[0], v.val[1], v.val[2] };
}

INLINE void store_vectors(float* to, Lane3 v)
{
    vst3q_f32(to, (float32x4x3_t){ { v.x, v.y, v.z } });
}

// Every `step`th float.
INLINE Lane load_strided(const float* from, const int step)
{
    return (Lane){ from[0], from[step], from[2 * step], from[3 * step] };
}

INLINE bool all_same(const uint16_t numbers[BLOCK])
{
    return numbers[0] == numbers[1] && numbers[0] == numbers[2] && numbers[0] == numbers[3];
}

// The twelve floats of a joint's matrix, to be blended for one vertex.
typedef struct Twelve {
    Lane row[3];
} Twelve;

enum {
    TWELVE_STEP = 12 // floats from one stored matrix to the next
};

INLINE Twelve twelve_scale(const float* from, Lane weight)
{
    return (Twelve){ { lane_mul(weight, lane_load(from)), lane_mul(weight, lane_load(from + 4)),
                       lane_mul(weight, lane_load(from + 8)) } };
}

INLINE Twelve twelve_add(Twelve sum, const float* from, Lane weight)
{
    return (Twelve){ { lane_mul_add(weight, lane_load(from), sum.row[0]),
                       lane_mul_add(weight, lane_load(from + 4), sum.row[1]),
                       lane_mul_add(weight, lane_load(from + 8), sum.row[2]) } };
}

INLINE void twelve_store(float* to, Twelve a)
{
    for (int i = 0; i < 3; ++i) {
        lane_store(to + 4 * i, a.row[i]);
    }
}

// Each of four floats in all lanes, with one load.
INLINE void spread_four(const float* from, Lane out[4])
{
    Lane four = lane_load(from);
    out[0] = vdupq_laneq_f32(four, 0);
    out[1] = vdupq_laneq_f32(four, 1);
    out[2] = vdupq_laneq_f32(four, 2);
    out[3] = vdupq_laneq_f32(four, 3);
}

#endif
