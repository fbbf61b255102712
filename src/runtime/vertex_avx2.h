// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Eight vertices side by side, with AVX2 and FMA: three lanes a vector, read from and written to packed arrays. For
// files that are compiled for that level. A block is read whole before it is written, so that it may lie in place.

#ifndef GERTIE_RUNTIME_VERTEX_AVX2_H
#define GERTIE_RUNTIME_VERTEX_AVX2_H

#include "runtime/kernels.h"
#include "runtime/lane_avx2.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    BLOCK = LANE_SIZE // vertices at a time
};

typedef struct Lane3 {
    Lane x;
    Lane y;
    Lane z;
} Lane3;

// Rows of a 3x3 matrix for each vertex.
typedef struct Lane33 {
    Lane3 row[3];
} Lane33;

// Two vectors of four floats, one in each half.
INLINE Lane load_halves(const float* low, const float* high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
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
        out[i] = load_halves(from + i * step, from + (i + 4) * step);
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
    Lane a = load_halves(from, from + 12);     // x0 y0 z0 x1
    Lane b = load_halves(from + 4, from + 16); // y1 z1 x2 y2
    Lane c = load_halves(from + 8, from + 20); // z2 x3 y3 z3
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

INLINE Lane3 cross(Lane3 a, Lane3 b)
{
    return (Lane3){
        _mm256_fmsub_ps(a.y, b.z, lane_mul(a.z, b.y)),
        _mm256_fmsub_ps(a.z, b.x, lane_mul(a.x, b.z)),
        _mm256_fmsub_ps(a.x, b.y, lane_mul(a.y, b.x)),
    };
}

INLINE Lane dot(Lane3 a, Lane3 b)
{
    return lane_mul_add(a.x, b.x, lane_mul_add(a.y, b.y, lane_mul(a.z, b.z)));
}

INLINE Lane3 multiply(const Lane33* m, Lane3 v)
{
    return (Lane3){ dot(m->row[0], v), dot(m->row[1], v), dot(m->row[2], v) };
}

// As gt_mat34_normal().
INLINE Lane3 turn_normal(const Lane33* m, Lane3 n)
{
    Lane33 cofactors = { {
        cross(m->row[1], m->row[2]),
        cross(m->row[2], m->row[0]),
        cross(m->row[0], m->row[1]),
    } };
    Lane determinant = dot(m->row[0], cofactors.row[0]);
    Lane negative = _mm256_and_ps(_mm256_cmp_ps(determinant, _mm256_setzero_ps(), _CMP_LT_OQ), lane_set(-0.0f));
    Lane3 r = multiply(&cofactors, n);
    return (Lane3){ _mm256_xor_ps(r.x, negative), _mm256_xor_ps(r.y, negative), _mm256_xor_ps(r.z, negative) };
}

// 1 / sqrt(a) within 2 ulp or so, for what is neither tiny nor huge: an estimate and one Newton step.
INLINE Lane inverse_root(Lane a)
{
    Lane r = _mm256_rsqrt_ps(a);
    Lane half = lane_mul(lane_mul(a, lane_set(0.5f)), r);
    return lane_mul(r, lane_mul_sub(half, r, lane_set(1.5f)));
}

INLINE Lane select_lanes(Lane mask, Lane yes, Lane no)
{
    return _mm256_blendv_ps(no, yes, mask);
}

// As gti_unit().
INLINE Lane3 unit_vectors(Lane3 v)
{
    Lane squared = dot(v, v);
    Lane usual = _mm256_and_ps(_mm256_cmp_ps(squared, lane_set(1e-30f), _CMP_GE_OQ),
                               _mm256_cmp_ps(squared, lane_set(1e30f), _CMP_LE_OQ));
    Lane scale = inverse_root(squared);
    Lane3 r = { lane_mul(v.x, scale), lane_mul(v.y, scale), lane_mul(v.z, scale) };
    if (__builtin_expect(_mm256_movemask_ps(usual) != 0xFF, 0)) {
        Lane length = _mm256_sqrt_ps(squared);
        Lane some = _mm256_and_ps(_mm256_cmp_ps(length, lane_set(1e-20f), _CMP_GT_OQ),
                                  _mm256_cmp_ps(length, lane_set(3e38f), _CMP_LE_OQ));
        Lane slow = lane_div(lane_set(1.0f), length);
        Lane zero = _mm256_setzero_ps();
        r.x = select_lanes(usual, r.x, select_lanes(some, lane_mul(v.x, slow), zero));
        r.y = select_lanes(usual, r.y, select_lanes(some, lane_mul(v.y, slow), lane_set(1.0f)));
        r.z = select_lanes(usual, r.z, select_lanes(some, lane_mul(v.z, slow), zero));
    }
    return r;
}

// Vertices of a block that is cut short by the end of the work, the last one repeated, and where to put the result.
typedef struct Spare {
    GtiVertexSource in;
    GtiVertexTarget out;
    float from[10 * BLOCK];
    float to[10 * BLOCK];
    float weights[GT_MAX_INFLUENCES * BLOCK];
    uint16_t joints[GT_MAX_INFLUENCES * BLOCK];
} Spare;

// Copy `count` rows of `size` bytes, then repeat the last up to a whole block.
static inline void spare_rows(void* to, const void* from, size_t size, int32_t count)
{
    for (int32_t i = 0; i < BLOCK; ++i) {
        int32_t source = i < count ? i : count - 1;
        memcpy((char*)to + (size_t)i * size, (const char*)from + (size_t)source * size, size);
    }
}

// The `count` < BLOCK vertices from `first` on, as a whole block whose arrays start at 0.
static inline void spare_fill(Spare* spare, const GtiVertexSource* in, const GtiVertexTarget* out, int32_t first,
                              int32_t count)
{
    size_t at = (size_t)first;
    spare_rows(spare->from, &in->positions[at], sizeof(GtVec3), count);
    if (out->normals) {
        spare_rows(spare->from + 3 * BLOCK, &in->normals[at], sizeof(GtVec3), count);
    }
    if (out->tangents) {
        spare_rows(spare->from + 6 * BLOCK, &in->tangents[4 * at], 4 * sizeof(float), count);
    }
    spare->in = (GtiVertexSource){ (const GtVec3*)spare->from, (const GtVec3*)(spare->from + 3 * BLOCK),
                                   spare->from + 6 * BLOCK };
    spare->out = (GtiVertexTarget){ (GtVec3*)spare->to, out->normals ? (GtVec3*)(spare->to + 3 * BLOCK) : NULL,
                                    out->tangents ? spare->to + 6 * BLOCK : NULL };
}

// Likewise for their influences.
static inline void spare_fill_influences(Spare* spare, const uint16_t* joints, const float* weights,
                                         int32_t influence_count, int32_t first, int32_t count)
{
    size_t at = (size_t)first * (size_t)influence_count;
    spare_rows(spare->joints, joints + at, (size_t)influence_count * sizeof *joints, count);
    spare_rows(spare->weights, weights + at, (size_t)influence_count * sizeof *weights, count);
}

static inline void spare_write(const Spare* spare, const GtiVertexTarget* out, int32_t first, int32_t count)
{
    size_t vertices = (size_t)count;
    memcpy(&out->positions[first], spare->to, vertices * sizeof(GtVec3));
    if (out->normals) {
        memcpy(&out->normals[first], spare->to + 3 * BLOCK, vertices * sizeof(GtVec3));
    }
    if (out->tangents) {
        memcpy(&out->tangents[4 * (size_t)first], spare->to + 6 * BLOCK, vertices * 4 * sizeof(float));
    }
}

#endif
