// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blending with AVX2, four joints at a time. They are 192 bytes, six registers, t translations, q rotations, s scales:
//
//     0 [t0 q0]   1 [s0 t1]   2 [q1 s1]   3 [t2 q2]   4 [s2 t3]   5 [q3 s3]
//
// Taking the upper half of one and the lower of another costs little, unlike moving numbers within a register: so
// [t0 s1] and [s0 t1] are summed up as they lie in memory. Rotations [q1 q0] and [q3 q2] are mixed by one shuffle into
// [x1 y1 z3 w3 | x0 y0 z2 w2] and [z1 w1 x3 y3 | z0 w0 x2 y2], whose products with their like sum up to four scalar
// products with one more. Bringing sums to unit length waits for one result after the other, so it comes after the
// sums of many groups. The last four joints may overlap those before: they are done first, because out may be a
// layer's pose, and written last.
// CMake compiles this file for that level; elsewhere it is empty.

#include "runtime/blend.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    GROUP = 4,    // joints
    MAX_WAIT = 16 // groups
};

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

// Rotations that are summed up and have no unit length yet.
typedef struct Waiting {
    Quats sum;
    const GtTransform* rest;
    GtTransform* out;
} Waiting;

// Weights of four joints, to go with a Group.
typedef struct Weights {
    __m256 of01, of23;
    __m256 of_q;
} Weights;

INLINE Quats mix(__m256 q10, __m256 q32)
{
    return (Quats){ _mm256_blend_ps(q10, q32, 0xCC), _mm256_shuffle_ps(q10, q32, _MM_SHUFFLE(1, 0, 3, 2)) };
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

static void store_rest_rotations(const Waiting* waiting, int told)
{
    static const int bits[GROUP] = { 1 << 4, 1 << 0, 1 << 6, 1 << 2 };
    for (int i = 0; i < GROUP; ++i) {
        if (!(told & bits[i])) {
            waiting->out[i].rotation = waiting->rest[i].rotation;
        }
    }
}

// Unit quaternions, or those of rest where sums cancel out.
INLINE void finish(const Waiting* waiting)
{
    const Quats* sum = &waiting->sum;
    __m256 square = dot(sum, sum);
    __m256 s = _mm256_rsqrt_ps(square); // 12 bits; a step of Newton's makes them 23
    __m256 left = _mm256_fnmadd_ps(_mm256_mul_ps(square, s), s, _mm256_set1_ps(3.0f));
    s = _mm256_mul_ps(_mm256_mul_ps(s, _mm256_set1_ps(0.5f)), left);
    __m256 xy_zw = _mm256_mul_ps(sum->xy_zw, s);
    __m256 zw_xy = _mm256_mul_ps(sum->zw_xy, s);
    __m256 q10 = _mm256_shuffle_ps(xy_zw, zw_xy, _MM_SHUFFLE(1, 0, 1, 0));
    __m256 q32 = _mm256_shuffle_ps(zw_xy, xy_zw, _MM_SHUFFLE(3, 2, 3, 2));
    _mm_store_ps(&waiting->out[0].rotation.x, _mm256_extractf128_ps(q10, 1));
    _mm_store_ps(&waiting->out[1].rotation.x, _mm256_castps256_ps128(q10));
    _mm_store_ps(&waiting->out[2].rotation.x, _mm256_extractf128_ps(q32, 1));
    _mm_store_ps(&waiting->out[3].rotation.x, _mm256_castps256_ps128(q32));
    int told = _mm256_movemask_ps(_mm256_cmp_ps(square, _mm256_set1_ps(GTI_BLEND_CANCELLED), _CMP_GT_OQ));
    if (told != 0xFF) {
        store_rest_rotations(waiting, told);
    }
}

INLINE Weights even_weights(const GtiBlendPart* part)
{
    __m256 w = _mm256_broadcast_ss(&part->weight);
    return (Weights){ w, w, w };
}

INLINE Group sum_evenly(const GtiBlendPlan* plan, int32_t first)
{
    Weights weights = even_weights(&plan->parts[0]);
    Group heaviest = load(plan->parts[0].pose + first);
    Group sum = weighted(&heaviest, &weights);
    for (int32_t k = 1; k < plan->count; ++k) {
        weights = even_weights(&plan->parts[k]);
        add(&sum, plan->parts[k].pose + first, &heaviest.q, &weights);
    }
    return sum;
}

// What is not above 0, NaN too, counts as 0.
INLINE __m128 masked_weights(const GtiBlendPart* part, int32_t first)
{
    __m128 weight = _mm_broadcast_ss(&part->weight);
    return part->mask ? _mm_mul_ps(weight, _mm_max_ps(_mm_loadu_ps(part->mask + first), _mm_setzero_ps())) : weight;
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

// Rotations of each joint's heaviest part; GT_NONE for rest.
INLINE Quats load_references(const GtiBlendPlan* plan, int32_t first, const int32_t heaviest[GROUP])
{
    __m128 q[GROUP];
    for (int32_t i = 0; i < GROUP; ++i) {
        const GtTransform* pose = heaviest[i] == GT_NONE ? plan->rest : plan->parts[heaviest[i]].pose;
        q[i] = _mm_load_ps(&pose[first + i].rotation.x);
    }
    return mix(_mm256_set_m128(q[0], q[1]), _mm256_set_m128(q[2], q[3]));
}

// Sums of weights, and for each joint the rotation of its heaviest layer.
INLINE __m128 weigh(const GtiBlendPlan* plan, int32_t first, Quats* reference)
{
    __m128 heaviest = _mm_setzero_ps();
    __m128 at = _mm_castsi128_ps(_mm_set1_epi32(GT_NONE));
    __m128 total = heaviest;
    for (int32_t k = 0; k < plan->count; ++k) {
        __m128 w = masked_weights(&plan->parts[k], first);
        at = _mm_blendv_ps(at, _mm_castsi128_ps(_mm_set1_epi32(k)), _mm_cmpgt_ps(w, heaviest));
        heaviest = _mm_max_ps(w, heaviest);
        total = _mm_add_ps(total, w);
    }
    int32_t parts[GROUP];
    _mm_storeu_ps((float*)parts, at);
    *reference = load_references(plan, first, parts);
    return total;
}

// Joints without any weight become as rest, whose rotations are left to finish().
INLINE Group sum_masked(const GtiBlendPlan* plan, int32_t first)
{
    __m128 zero = _mm_setzero_ps();
    Quats reference;
    __m128 total = weigh(plan, first, &reference);
    __m128 fill = _mm_max_ps(_mm_sub_ps(_mm_set1_ps(plan->threshold), total), zero);
    total = _mm_add_ps(total, fill);
    __m128 some = _mm_cmpgt_ps(total, zero);
    fill = _mm_blendv_ps(_mm_set1_ps(1.0f), fill, some);
    __m128 share = _mm_blendv_ps(_mm_set1_ps(1.0f), _mm_div_ps(_mm_set1_ps(1.0f), total), some);
    Group sum = { .ts01 = _mm256_setzero_ps() };
    for (int32_t k = 0; k < plan->count; ++k) {
        Weights weights = spread(_mm_mul_ps(masked_weights(&plan->parts[k], first), share));
        add(&sum, plan->parts[k].pose + first, &reference, &weights);
    }
    if (_mm_movemask_ps(_mm_cmpgt_ps(fill, zero)) != 0) {
        Weights weights = spread(_mm_mul_ps(fill, share));
        weights.of_q = _mm256_and_ps(weights.of_q, spread(some).of_q);
        add(&sum, plan->rest + first, &reference, &weights);
    }
    return sum;
}

static void finish_all(const Waiting* waiting, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        finish(&waiting[i]);
    }
}

void gti_blend_avx2(const GtBlendJob* job, int32_t first, int32_t end)
{
    GtiBlendPlan plan;
    if (end - first < GROUP || !gti_blend_plan(job, &plan)) {
        gti_blend_scalar(job, first, end);
        return;
    }
    Waiting waiting[MAX_WAIT];
    GtTransform last[GROUP];
    int32_t whole = first + (end - first) / GROUP * GROUP;
    int32_t count = 0;
    for (int32_t i = whole < end ? end - GROUP : first; i<whole; i = i + GROUP> whole ? first : i + GROUP) {
        GtTransform* out = i + GROUP > whole ? last : job->out + i;
        Group sum = plan.masked ? sum_masked(&plan, i) : sum_evenly(&plan, i);
        store(&sum, out);
        waiting[count++] = (Waiting){ sum.q, job->rest + i, out };
        if (count == MAX_WAIT) {
            finish_all(waiting, count);
            count = 0;
        }
    }
    finish_all(waiting, count);
    for (int32_t i = whole; i < end; ++i) {
        job->out[i] = last[i - end + GROUP];
    }
}

#else
typedef int gti_no_blend_avx2; // a file must hold something
#endif
