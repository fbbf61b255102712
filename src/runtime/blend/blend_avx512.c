// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blending with AVX-512. Four joints are three registers, t translations, q rotations, s scales:
//
//     0 [t0 q0 s0 t1]   1 [q1 s1 t2 q2]   2 [s2 t3 q3 s3]
//
// which are summed up as they lie in memory. Rotations are summed up once more, with their signs, as [q1 q0 q3 q2]:
// every quarter of that lies where it lies in one of the three, so that taking it moves nothing.

#include "runtime/blend/blend.h"

#include "runtime/lanes/lane_avx512.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    GROUP = 4,        // joints
    ALL_TOLD = 0xFFFF // bits of joints 1, 0, 3, 2, four each
};

static const int told_bits[GROUP] = { 1 << 4, 1 << 0, 1 << 12, 1 << 8 };

typedef Lane Quats; // [q1 q0 q3 q2]

// Transforms of four joints.
typedef struct Group {
    Lane r[3];
    Quats q;
} Group;

// Weights of four joints, to go with a Group.
typedef struct Weights {
    Lane of_r[3];
    Lane of_q;
} Weights;

INLINE Quats join(const __m128 q[GROUP])
{
    Quats all = _mm512_insertf32x4(_mm512_castps128_ps512(q[1]), q[0], 1);
    return _mm512_insertf32x4(_mm512_insertf32x4(all, q[3], 2), q[2], 3);
}

INLINE Group load(const GtTransform* joints)
{
    const float* f = (const float*)joints;
    Group group = { { lane_load(f), lane_load(f + LANE_SIZE), lane_load(f + 2 * LANE_SIZE) }, lane_set(0.0f) };
    group.q = lane_select(0x0F00, group.r[2], lane_select(0x00F0, group.r[0], group.r[1]));
    return group;
}

INLINE void store(const Group* group, GtTransform* joints)
{
    for (int i = 0; i < 3; ++i) {
        lane_store((float*)joints + i * LANE_SIZE, group->r[i]);
    }
}

// Four times d1, d0, d3, d2.
INLINE Lane dot(Quats a, Quats b)
{
    Lane four = lane_mul(a, b);
    Lane two = lane_add(four, _mm512_permute_ps(four, _MM_SHUFFLE(2, 3, 0, 1)));
    return lane_add(two, _mm512_permute_ps(two, _MM_SHUFFLE(1, 0, 3, 2)));
}

INLINE Group weighted(const Group* group, const Weights* weights)
{
    return (Group){ { lane_mul(group->r[0], weights->of_r[0]), lane_mul(group->r[1], weights->of_r[1]),
                      lane_mul(group->r[2], weights->of_r[2]) },
                    lane_mul(group->q, weights->of_q) };
}

INLINE void add(Group* sum, const GtTransform* joints, const Quats* reference, const Weights* weights)
{
    Group group = load(joints);
    Lane sign = _mm512_and_ps(dot(group.q, *reference), lane_set(-0.0f));
    for (int i = 0; i < 3; ++i) {
        sum->r[i] = lane_mul_add(group.r[i], weights->of_r[i], sum->r[i]);
    }
    sum->q = lane_mul_add(group.q, _mm512_xor_ps(weights->of_q, sign), sum->q);
}

INLINE int unit(const Quats* sum, GtTransform* out)
{
    Lane square = dot(*sum, *sum);
    Lane q = lane_mul(*sum, lane_inverse_root(square));
    _mm_store_ps(&out[0].rotation.x, _mm512_extractf32x4_ps(q, 1));
    _mm_store_ps(&out[1].rotation.x, _mm512_castps512_ps128(q));
    _mm_store_ps(&out[2].rotation.x, _mm512_extractf32x4_ps(q, 3));
    _mm_store_ps(&out[3].rotation.x, _mm512_extractf32x4_ps(q, 2));
    return lane_greater(square, lane_set(GTI_BLEND_CANCELLED));
}

INLINE Weights even_weights(const GtiBlendPart* part)
{
    Lane w = lane_set(part->weight);
    return (Weights){ { w, w, w }, w };
}

INLINE Weights spread(__m128 of_joints)
{
    Lane w = _mm512_broadcast_f32x4(of_joints);
    return (Weights){
        { _mm512_permutevar_ps(w, _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)),
          _mm512_permutevar_ps(w, _mm512_setr_epi32(1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2)),
          _mm512_permutevar_ps(w, _mm512_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3)) },
        _mm512_permutevar_ps(w, _mm512_setr_epi32(1, 1, 1, 1, 0, 0, 0, 0, 3, 3, 3, 3, 2, 2, 2, 2)),
    };
}

#include "runtime/blend/blend_lanes.h"

void gti_blend_avx512(const GtBlendJob* job, int32_t first, int32_t end)
{
    blend(job, first, end);
}
