// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Differences added with AVX2, eight joints at a time. Translations and scales are changed as they lie in memory, in
// twelve registers
//
//     0 [t0 q0]   1 [s0 t1]   2 [q1 s1]   3 [t2 q2] ... 11 [q7 s7]
//
// and rotations are sorted, x of eight joints beside each other and so on, in the order 1 3 5 7 0 2 4 6. The last eight
// joints may overlap those before: they are done first and written last.

#include "runtime/blend/blend.h"

#include "runtime/lanes/lane_avx2.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    GROUP = LANE_SIZE // joints
};

// Rotations of eight joints.
typedef struct Quats {
    Lane x, y, z, w;
} Quats;

// Four by four in each half: rows become columns.
INLINE Quats transpose(Lane a, Lane b, Lane c, Lane d)
{
    Lane ab_low = _mm256_unpacklo_ps(a, b);
    Lane ab_high = _mm256_unpackhi_ps(a, b);
    Lane cd_low = _mm256_unpacklo_ps(c, d);
    Lane cd_high = _mm256_unpackhi_ps(c, d);
    return (Quats){
        _mm256_shuffle_ps(ab_low, cd_low, 0x44),
        _mm256_shuffle_ps(ab_low, cd_low, 0xEE),
        _mm256_shuffle_ps(ab_high, cd_high, 0x44),
        _mm256_shuffle_ps(ab_high, cd_high, 0xEE),
    };
}

// [q1 q0] of the two joints that start there.
INLINE Lane load_pair(const float* joints)
{
    return _mm256_blend_ps(lane_load(joints), lane_load(joints + 16), 0x0F);
}

INLINE Quats load_rotations(const float* joints)
{
    return transpose(load_pair(joints), load_pair(joints + 24), load_pair(joints + 48), load_pair(joints + 72));
}

// From the identity towards rotations, backwards for a negative weight, not of unit length.
INLINE Quats part_of(const Quats* q, Lane weight)
{
    Lane sign_bit = lane_set(-0.0f);
    Lane one = lane_set(1.0f);
    Lane turned = _mm256_xor_ps(weight, _mm256_and_ps(q->w, sign_bit));
    Lane less = lane_sub(_mm256_andnot_ps(sign_bit, q->w), one);
    return (Quats){
        lane_mul(turned, q->x),
        lane_mul(turned, q->y),
        lane_mul(turned, q->z),
        lane_mul_add(_mm256_andnot_ps(sign_bit, weight), less, one),
    };
}

INLINE Quats multiply(const Quats* a, const Quats* b)
{
    return (Quats){
        lane_mul_sub(a->z, b->y, lane_mul_add(a->y, b->z, lane_mul_add(a->x, b->w, lane_mul(a->w, b->x)))),
        lane_mul_sub(a->x, b->z, lane_mul_add(a->z, b->x, lane_mul_add(a->y, b->w, lane_mul(a->w, b->y)))),
        lane_mul_sub(a->y, b->x, lane_mul_add(a->x, b->y, lane_mul_add(a->z, b->w, lane_mul(a->w, b->z)))),
        lane_mul_sub(a->z, b->z, lane_mul_sub(a->y, b->y, lane_mul_sub(a->x, b->x, lane_mul(a->w, b->w)))),
    };
}

// Unit quaternions, as [q1 q0] [q3 q2] [q5 q4] [q7 q6]. False where one has no direction to speak of.
INLINE bool turn(const float* difference, Lane weight, const float* joints, Quats* out)
{
    Quats d = load_rotations(difference);
    Quats by = part_of(&d, weight);
    Quats from = load_rotations(joints);
    Quats q = multiply(&from, &by);
    Lane square = lane_mul_add(q.x, q.x, lane_mul_add(q.y, q.y, lane_mul_add(q.z, q.z, lane_mul(q.w, q.w))));
    Lane s = lane_inverse_root(square);
    *out = transpose(lane_mul(q.x, s), lane_mul(q.y, s), lane_mul(q.z, s), lane_mul(q.w, s));
    return lane_all(lane_within(square, 1e-6f, 1e6f));
}

// Two joints, of whose rotations only the result is given.
INLINE void add_pair(const float* difference, Lane weight, Lane q10, const float* joints, float* out)
{
    Lane t0 = lane_mul_add(lane_load(difference), weight, lane_load(joints));
    Lane both = lane_load(joints + 8); // [s0 t1]
    Lane by = lane_load(difference + 8);
    Lane change = _mm256_blend_ps(by, lane_mul_less(both, by, both), 0x0F);
    Lane scale = lane_load(joints + 16);
    Lane s1 = lane_mul_add(lane_mul_less(scale, lane_load(difference + 16), scale), weight, scale);
    lane_store(out, _mm256_blend_ps(t0, q10, 0xF0));
    lane_store(out + 8, lane_mul_add(change, weight, both));
    lane_store(out + 16, _mm256_blend_ps(s1, q10, 0x0F));
}

INLINE Lane pair_weight(const float* weights)
{
    return _mm256_set_m128(_mm_broadcast_ss(weights + 1), _mm_broadcast_ss(weights));
}

// What is not above 0 in a mask, NaN too, counts as 0.
INLINE Lane load_weights(const GtBlendLayer* layer, int32_t first)
{
    Lane weight = lane_set(layer->weight);
    return layer->mask ? lane_mul(weight, lane_max(lane_load(layer->mask + first), lane_set(0.0f))) : weight;
}

// Add to eight joints. False, and nothing done, where plain C has to look after a rotation.
INLINE bool add_group(const GtBlendLayer* layer, int32_t first, const GtTransform* joints, GtTransform* out)
{
    const float* d = (const float*)(layer->pose + first);
    const float* from = (const float*)joints;
    float* to = (float*)out;
    float weights[GROUP];
    Lane weight = load_weights(layer, first);
    lane_store(weights, weight);
    Quats q;
    if (!turn(d, _mm256_permutevar8x32_ps(weight, _mm256_setr_epi32(1, 3, 5, 7, 0, 2, 4, 6)), from, &q)) {
        return false;
    }
    add_pair(d, pair_weight(weights), q.x, from, to);
    add_pair(d + 24, pair_weight(weights + 2), q.y, from + 24, to + 24);
    add_pair(d + 48, pair_weight(weights + 4), q.z, from + 48, to + 48);
    add_pair(d + 72, pair_weight(weights + 6), q.w, from + 72, to + 72);
    return true;
}

static void add_last(const GtBlendLayer* layer, int32_t first, const GtTransform* joints, GtTransform* out)
{
    if (!add_group(layer, first, joints, out)) {
        const GtBlendLayer part = { layer->pose + first, layer->weight, layer->mask ? layer->mask + first : NULL };
        memcpy(out, joints, GROUP * sizeof *out);
        gti_add_scalar(&part, 0, GROUP, out);
    }
}

void gti_add_avx2(const GtBlendLayer* layer, int32_t first, int32_t end, GtTransform* out)
{
    if (end - first < GROUP) {
        gti_add_scalar(layer, first, end, out);
        return;
    }
    GtTransform last[GROUP];
    int32_t rest = (end - first) % GROUP;
    if (rest) {
        add_last(layer, end - GROUP, out + end - GROUP, last);
    }
    for (int32_t i = first; i < end - rest; i += GROUP) {
        if (!add_group(layer, i, out + i, out + i)) {
            gti_add_scalar(layer, i, i + GROUP, out);
        }
    }
    for (int32_t i = end - rest; i < end; ++i) {
        out[i] = last[i - end + GROUP];
    }
}
