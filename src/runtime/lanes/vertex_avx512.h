// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blocks of sixteen vertices, with AVX-512, from and to packed arrays. For files that are compiled for that level.

#ifndef GERTIE_RUNTIME_LANES_VERTEX_AVX512_H
#define GERTIE_RUNTIME_LANES_VERTEX_AVX512_H

#include "runtime/lanes/lane_avx512.h"

#include "runtime/lanes/vertex_lanes.h"

// Four vectors of four floats, one in each quarter.
INLINE Lane load_quarters(const float* a, const float* b, const float* c, const float* d)
{
    Lane r = _mm512_castps128_ps512(_mm_loadu_ps(a));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(b), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(c), 2);
    return _mm512_insertf32x4(r, _mm_loadu_ps(d), 3);
}

INLINE void store_quarters(float* a, float* b, float* c, float* d, Lane from)
{
    _mm_storeu_ps(a, _mm512_castps512_ps128(from));
    _mm_storeu_ps(b, _mm512_extractf32x4_ps(from, 1));
    _mm_storeu_ps(c, _mm512_extractf32x4_ps(from, 2));
    _mm_storeu_ps(d, _mm512_extractf32x4_ps(from, 3));
}

// The 4x4 matrix in each quarter of r[0..3] becomes its transpose.
INLINE void transpose_quarters(Lane r[4])
{
    Lane a = _mm512_unpacklo_ps(r[0], r[1]);
    Lane b = _mm512_unpackhi_ps(r[0], r[1]);
    Lane c = _mm512_unpacklo_ps(r[2], r[3]);
    Lane d = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = _mm512_shuffle_ps(a, c, 0x44);
    r[1] = _mm512_shuffle_ps(a, c, 0xEE);
    r[2] = _mm512_shuffle_ps(b, d, 0x44);
    r[3] = _mm512_shuffle_ps(b, d, 0xEE);
}

// Sixteen rows of four floats, `step` floats apart, become four lanes.
INLINE void load_rows(const float* from, size_t step, Lane out[4])
{
    for (size_t i = 0; i < 4; ++i) {
        const float* row = from + i * step;
        out[i] = load_quarters(row, row + 4 * step, row + 8 * step, row + 12 * step);
    }
    transpose_quarters(out);
}

// Rows of four floats, each a joint's: `size` floats from one joint to the next, `count` joints to the next vertex.
INLINE void load_joint_rows(const float* from, const size_t size, const uint16_t* joints, const int count, Lane out[4])
{
    for (int i = 0; i < 4; ++i) {
        const uint16_t* joint = joints + i * count;
        out[i] = load_quarters(from + size * joint[0], from + size * joint[4 * count], from + size * joint[8 * count],
                               from + size * joint[12 * count]);
    }
    transpose_quarters(out);
}

// Four lanes become sixteen rows of four floats, `step` floats apart.
INLINE void store_rows(float* to, size_t step, Lane rows[4])
{
    transpose_quarters(rows);
    for (size_t i = 0; i < 4; ++i) {
        float* row = to + i * step;
        store_quarters(row, row + 4 * step, row + 8 * step, row + 12 * step, rows[i]);
    }
}

// Of the 48 floats of a block, the 16 that `at` says. One index serves both permutations, which look at five and at
// four bits of it; `last`: the lanes that are in the third register.
INLINE Lane pick(const Lane from[3], __m512i at, __mmask16 last)
{
    return _mm512_mask_permutexvar_ps(_mm512_permutex2var_ps(from[0], at, from[1]), last, at, from[2]);
}

INLINE Lane3 load_vectors(const float* from)
{
    const Lane all[3] = { lane_load(from), lane_load(from + 16), lane_load(from + 32) };
    __m512i x = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45);
    __m512i y = _mm512_add_epi32(x, _mm512_set1_epi32(1));
    __m512i z = _mm512_add_epi32(x, _mm512_set1_epi32(2));
    return (Lane3){ pick(all, x, 0xF800), pick(all, y, 0xF800), pick(all, z, 0xFC00) };
}

// The other way: the number of a vertex, and 16 more for its y.
INLINE void store_vectors(float* to, Lane3 v)
{
    const Lane all[3] = { v.x, v.y, v.z };
    __m512i a = _mm512_setr_epi32(0, 16, 0, 1, 17, 1, 2, 18, 2, 3, 19, 3, 4, 20, 4, 5);
    __m512i b = _mm512_setr_epi32(21, 5, 6, 22, 6, 7, 23, 7, 8, 24, 8, 9, 25, 9, 10, 26);
    __m512i c = _mm512_setr_epi32(10, 11, 27, 11, 12, 28, 12, 13, 29, 13, 14, 30, 14, 15, 31, 15);
    lane_store(to, pick(all, a, 0x4924));
    lane_store(to + 16, pick(all, b, 0x2492));
    lane_store(to + 32, pick(all, c, 0x9249));
}

// Every `step`th float.
INLINE Lane load_strided(const float* from, const int step)
{
    __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_i32gather_ps(_mm512_mullo_epi32(lanes, _mm512_set1_epi32(step)), from, sizeof *from);
}

INLINE bool all_same(const uint16_t numbers[BLOCK])
{
    __m256i all = _mm256_loadu_si256((const __m256i*)numbers);
    return _mm256_cmpeq_epi16_mask(all, _mm256_set1_epi16((short)numbers[0])) == 0xFFFF;
}

// The twelve floats of a joint's matrix, to be blended for one vertex; four lanes hold nothing.
typedef Lane Twelve;

enum {
    TWELVE = 0x0FFF, // lanes
    TWELVE_STEP = 16 // floats from one stored matrix to the next
};

INLINE Twelve twelve_scale(const float* from, Lane weight)
{
    return lane_mul(weight, _mm512_maskz_loadu_ps(TWELVE, from));
}

INLINE Twelve twelve_add(Twelve sum, const float* from, Lane weight)
{
    return lane_mul_add(weight, _mm512_maskz_loadu_ps(TWELVE, from), sum);
}

INLINE void twelve_store(float* to, Twelve a)
{
    lane_store(to, a); // whole: what is read back at once must not come from a store with holes
}

// Each of four floats in all lanes, with one load.
INLINE void spread_four(const float* from, Lane out[4])
{
    Lane four = _mm512_broadcast_f32x4(_mm_loadu_ps(from));
    out[0] = _mm512_permute_ps(four, 0x00);
    out[1] = _mm512_permute_ps(four, 0x55);
    out[2] = _mm512_permute_ps(four, 0xAA);
    out[3] = _mm512_permute_ps(four, 0xFF);
}

#endif
