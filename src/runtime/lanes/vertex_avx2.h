// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blocks of eight vertices, with AVX2 and FMA, from and to packed arrays. For files that are compiled for that level.

#ifndef GERTIE_RUNTIME_LANES_VERTEX_AVX2_H
#define GERTIE_RUNTIME_LANES_VERTEX_AVX2_H

#include "runtime/lanes/lane_avx2.h"

#include "runtime/lanes/vertex_lanes.h"

// Two vectors of four floats, one in each half.
INLINE Lane load_halves(const float* low, const float* high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

// Likewise, where eight floats can be read from `low` on and up to the end of `high`: choosing halves is cheaper than
// moving them.
INLINE Lane blend_halves(const float* low, const float* high)
{
    return _mm256_blend_ps(lane_load(low), lane_load(high - 4), 0xF0);
}

INLINE void store_halves(float* low, float* high, Lane a)
{
    _mm_storeu_ps(low, _mm256_castps256_ps128(a));
    _mm_storeu_ps(high, _mm256_extractf128_ps(a, 1));
}

// The 4x4 matrix in each half of r[0..3] becomes its transpose.
INLINE void transpose_halves(Lane r[4])
{
    Lane a = _mm256_unpacklo_ps(r[0], r[1]);
    Lane b = _mm256_unpackhi_ps(r[0], r[1]);
    Lane c = _mm256_unpacklo_ps(r[2], r[3]);
    Lane d = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(a, c, 0x44);
    r[1] = _mm256_shuffle_ps(a, c, 0xEE);
    r[2] = _mm256_shuffle_ps(b, d, 0x44);
    r[3] = _mm256_shuffle_ps(b, d, 0xEE);
}

// Eight rows of four floats, `step` floats apart, become four lanes.
INLINE void load_rows(const float* from, size_t step, Lane out[4])
{
    for (size_t i = 0; i < 4; ++i) {
        out[i] = blend_halves(from + i * step, from + (i + 4) * step);
    }
    transpose_halves(out);
}

// Rows of four floats, each a joint's: `size` floats from one joint to the next, `count` joints to the next vertex.
INLINE void load_joint_rows(const float* from, const size_t size, const uint16_t* joints, const int count, Lane out[4])
{
    for (int i = 0; i < 4; ++i) {
        out[i] = load_halves(from + size * joints[i * count], from + size * joints[(i + 4) * count]);
    }
    transpose_halves(out);
}

// Four lanes become eight rows of four floats, `step` floats apart.
INLINE void store_rows(float* to, size_t step, Lane rows[4])
{
    transpose_halves(rows);
    for (size_t i = 0; i < 4; ++i) {
        store_halves(to + i * step, to + (i + 4) * step, rows[i]);
    }
}

INLINE Lane3 load_vectors(const float* from)
{
    Lane a = blend_halves(from, from + 12);     // x0 y0 z0 x1
    Lane b = blend_halves(from + 4, from + 16); // y1 z1 x2 y2
    Lane c = blend_halves(from + 8, from + 20); // z2 x3 y3 z3
    Lane xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    Lane yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    return (Lane3){
        _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)),
        _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)),
        _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)),
    };
}

INLINE void store_vectors(float* to, Lane3 v)
{
    Lane xy = _mm256_shuffle_ps(v.x, v.y, _MM_SHUFFLE(2, 0, 2, 0)); // x0 x2 y0 y2
    Lane yz = _mm256_shuffle_ps(v.y, v.z, _MM_SHUFFLE(3, 1, 3, 1)); // y1 y3 z1 z3
    Lane zx = _mm256_shuffle_ps(v.z, v.x, _MM_SHUFFLE(3, 1, 2, 0)); // z0 z2 x1 x3
    store_halves(to, to + 12, _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)));
    store_halves(to + 4, to + 16, _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    store_halves(to + 8, to + 20, _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1)));
}

// Every `step`th float.
INLINE Lane load_strided(const float* from, const int step)
{
    __m256i at = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(step));
    return _mm256_i32gather_ps(from, at, sizeof *from);
}

INLINE bool all_same(const uint16_t numbers[BLOCK])
{
    __m128i all = _mm_loadu_si128((const __m128i*)numbers);
    return _mm_movemask_epi8(_mm_cmpeq_epi16(all, _mm_set1_epi16((short)numbers[0]))) == 0xFFFF;
}

// The twelve floats of a joint's matrix, to be blended for one vertex.
typedef struct Twelve {
    Lane upper;
    __m128 lower;
} Twelve;

enum {
    TWELVE_STEP = 12 // floats from one stored matrix to the next
};

INLINE Twelve twelve_scale(const float* from, Lane weight)
{
    return (Twelve){ lane_mul(weight, lane_load(from)),
                     _mm_mul_ps(_mm256_castps256_ps128(weight), _mm_loadu_ps(from + 8)) };
}

INLINE Twelve twelve_add(Twelve sum, const float* from, Lane weight)
{
    return (Twelve){ lane_mul_add(weight, lane_load(from), sum.upper),
                     _mm_fmadd_ps(_mm256_castps256_ps128(weight), _mm_loadu_ps(from + 8), sum.lower) };
}

INLINE void twelve_store(float* to, Twelve a)
{
    lane_store(to, a.upper);
    _mm_store_ps(to + 8, a.lower);
}

// Each of four floats in all lanes, with one load.
INLINE void spread_four(const float* from, Lane out[4])
{
    Lane four = _mm256_broadcast_ps((const __m128*)from);
    out[0] = _mm256_permute_ps(four, 0x00);
    out[1] = _mm256_permute_ps(four, 0x55);
    out[2] = _mm256_permute_ps(four, 0xAA);
    out[3] = _mm256_permute_ps(four, 0xFF);
}

#endif
