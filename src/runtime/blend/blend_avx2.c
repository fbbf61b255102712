// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blending with AVX2. Four joints are 192 bytes, six registers, t translations, q rotations, s scales:
//
//     0 [t0 q0]   1 [s0 t1]   2 [q1 s1]   3 [t2 q2]   4 [s2 t3]   5 [q3 s3]
//
// Taking the upper half of one and the lower of another costs little, unlike moving numbers within a register: so
// [t0 s1] and [s0 t1] are summed up as they lie in memory. Rotations [q1 q0] and [q3 q2] are mixed by one shuffle into
// [x1 y1 z3 w3 | x0 y0 z2 w2] and [z1 w1 x3 y3 | z0 w0 x2 y2], whose products with their like sum up to four scalar
// products with one more.

#include "runtime/blend/blend.h"

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    GROUP = 4,      // joints
    ALL_TOLD = 0xFF // bits of joints 1, 3, 0, 2, two each
};

static const int told_bits[GROUP] = { 1 << 4, 1 << 0, 1 << 6, 1 << 2 };

// Rotations of four joints, mixed.
typedef struct Quats {
    __m256 xy_zw; // joints 1 and 3, 0 and 2
    __m256 zw_xy;
} Quats;

// Transforms of four joints.
typedef struct Group {
    __m256 ts01, st01; // [t0 s1] [s0 t1]
    __m256 ts23, st23;
    Quats q;
} Group;

// Weights of four joints, to go with a Group.
typedef struct Weights {
    __m256 of01, of23;
    __m256 of_q;
} Weights;

INLINE Quats mix(__m256 q10, __m256 q32)
{
    return (Quats){ _mm256_blend_ps(q10, q32, 0xCC), _mm256_shuffle_ps(q10, q32, _MM_SHUFFLE(1, 0, 3, 2)) };
}

INLINE Quats join(const __m128 q[GROUP])
{
    return mix(_mm256_set_m128(q[0], q[1]), _mm256_set_m128(q[2], q[3]));
}

INLINE Group load(const GtTransform* joints)
{
    const float* f = (const float*)joints;
    __m256 r0 = _mm256_loadu_ps(f);
    __m256 r2 = _mm256_loadu_ps(f + 16);
    __m256 r3 = _mm256_loadu_ps(f + 24);
    __m256 r5 = _mm256_loadu_ps(f + 40);
    return (Group){
        .ts01 = _mm256_blend_ps(r0, r2, 0xF0),
        .st01 = _mm256_loadu_ps(f + 8),
        .ts23 = _mm256_blend_ps(r3, r5, 0xF0),
        .st23 = _mm256_loadu_ps(f + 32),
        .q = mix(_mm256_blend_ps(r0, r2, 0x0F), _mm256_blend_ps(r3, r5, 0x0F)),
    };
}

// All but rotations, which become anything.
INLINE void store(const Group* group, GtTransform* joints)
{
    float* f = (float*)joints;
    _mm256_storeu_ps(f, group->ts01);
    _mm256_storeu_ps(f + 16, group->ts01);
    _mm256_storeu_ps(f + 8, group->st01);
    _mm256_storeu_ps(f + 24, group->ts23);
    _mm256_storeu_ps(f + 40, group->ts23);
    _mm256_storeu_ps(f + 32, group->st23);
}

// d1 d1 d3 d3 | d0 d0 d2 d2
INLINE __m256 dot(const Quats* a, const Quats* b)
{
    __m256 two = _mm256_fmadd_ps(a->xy_zw, b->xy_zw, _mm256_mul_ps(a->zw_xy, b->zw_xy));
    return _mm256_add_ps(two, _mm256_permute_ps(two, _MM_SHUFFLE(2, 3, 0, 1)));
}

INLINE Group weighted(const Group* group, const Weights* weights)
{
    return (Group){
        .ts01 = _mm256_mul_ps(group->ts01, weights->of01),
        .st01 = _mm256_mul_ps(group->st01, weights->of01),
        .ts23 = _mm256_mul_ps(group->ts23, weights->of23),
        .st23 = _mm256_mul_ps(group->st23, weights->of23),
        .q = { _mm256_mul_ps(group->q.xy_zw, weights->of_q), _mm256_mul_ps(group->q.zw_xy, weights->of_q) },
    };
}

// Rotations on the side of the reference.
INLINE void add(Group* sum, const GtTransform* joints, const Quats* reference, const Weights* weights)
{
    Group group = load(joints);
    __m256 sign = _mm256_and_ps(dot(&group.q, reference), _mm256_set1_ps(-0.0f));
    __m256 turned = _mm256_xor_ps(weights->of_q, sign);
    sum->ts01 = _mm256_fmadd_ps(group.ts01, weights->of01, sum->ts01);
    sum->st01 = _mm256_fmadd_ps(group.st01, weights->of01, sum->st01);
    sum->ts23 = _mm256_fmadd_ps(group.ts23, weights->of23, sum->ts23);
    sum->st23 = _mm256_fmadd_ps(group.st23, weights->of23, sum->st23);
    sum->q.xy_zw = _mm256_fmadd_ps(group.q.xy_zw, turned, sum->q.xy_zw);
    sum->q.zw_xy = _mm256_fmadd_ps(group.q.zw_xy, turned, sum->q.zw_xy);
}

INLINE int unit(const Quats* sum, GtTransform* out)
{
    __m256 square = dot(sum, sum);
    __m256 s = _mm256_rsqrt_ps(square); // 12 bits; a step of Newton's makes them 23
    __m256 left = _mm256_fnmadd_ps(_mm256_mul_ps(square, s), s, _mm256_set1_ps(3.0f));
    s = _mm256_mul_ps(_mm256_mul_ps(s, _mm256_set1_ps(0.5f)), left);
    __m256 xy_zw = _mm256_mul_ps(sum->xy_zw, s);
    __m256 zw_xy = _mm256_mul_ps(sum->zw_xy, s);
    __m256 q10 = _mm256_shuffle_ps(xy_zw, zw_xy, _MM_SHUFFLE(1, 0, 1, 0));
    __m256 q32 = _mm256_shuffle_ps(zw_xy, xy_zw, _MM_SHUFFLE(3, 2, 3, 2));
    _mm_store_ps(&out[0].rotation.x, _mm256_extractf128_ps(q10, 1));
    _mm_store_ps(&out[1].rotation.x, _mm256_castps256_ps128(q10));
    _mm_store_ps(&out[2].rotation.x, _mm256_extractf128_ps(q32, 1));
    _mm_store_ps(&out[3].rotation.x, _mm256_castps256_ps128(q32));
    return _mm256_movemask_ps(_mm256_cmp_ps(square, _mm256_set1_ps(GTI_BLEND_CANCELLED), _CMP_GT_OQ));
}

INLINE Weights even_weights(const GtiBlendPart* part)
{
    __m256 w = _mm256_broadcast_ss(&part->weight);
    return (Weights){ w, w, w };
}

INLINE Weights spread(__m128 of_joints)
{
    __m256 w = _mm256_set_m128(of_joints, of_joints);
    return (Weights){
        _mm256_permutevar_ps(w, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
        _mm256_permutevar_ps(w, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3)),
        _mm256_permutevar_ps(w, _mm256_setr_epi32(1, 1, 3, 3, 0, 0, 2, 2)),
    };
}

#include "runtime/blend/blend_lanes.h"

void gti_blend_avx2(const GtBlendJob* job, int32_t first, int32_t end)
{
    blend(job, first, end);
}
