// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blending with AVX2, eight joints at a time. They are 384 bytes, twelve registers, which are summed up as they lie in
// memory, without sorting components:
//
//     0 [t0 q0]   1 [s0 t1]   2 [q1 s1]   3 [t2 q2] ... 11 [q7 s7]
//
// Rotations, whose signs depend on all four components, are sorted, x of eight joints beside each other and so on, and
// summed up apart; what the twelve hold in their place is never used. The last eight joints may overlap those before:
// they are done first, because out may be a layer's pose, and written last.
// CMake compiles this file for that level; elsewhere it is empty.

#include "runtime/blend.h"

#if defined(__AVX2__)

#include <immintrin.h>

enum {
    GROUP = 8,      // joints
    REGISTERS = 12, // a group
    MAX_PARTS = 64  // more are left to plain C
};

// A layer that takes part, or rest.
typedef struct Part {
    const GtTransform* pose;
    const float* mask; // or NULL
    float weight;
} Part;

// Without masks the heaviest layer is the first part, weights sum to 1, and rest is one of the parts where it has to
// fill up.
typedef struct Plan {
    Part parts[MAX_PARTS];
    int32_t count;
    bool masked;             // one of them at least
    float threshold;         // up to which rest fills, with masks
    const GtTransform* rest; // likewise
} Plan;

// Quaternions of eight joints.
typedef struct Quats {
    __m256 x, y, z, w;
} Quats;

// Weights of eight joints where there are masks.
typedef struct Masked {
    __m256 total;
    __m256 fill;
} Masked;

static inline __m256 pair(const float* low, const float* high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(low)), _mm_load_ps(high), 1);
}

// Four by four in each lane: rows become columns.
static inline Quats transpose(__m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256d ab_low = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
    __m256d ab_high = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
    __m256d cd_low = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
    __m256d cd_high = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
    return (Quats){
        _mm256_castpd_ps(_mm256_unpacklo_pd(ab_low, cd_low)),
        _mm256_castpd_ps(_mm256_unpackhi_pd(ab_low, cd_low)),
        _mm256_castpd_ps(_mm256_unpacklo_pd(ab_high, cd_high)),
        _mm256_castpd_ps(_mm256_unpackhi_pd(ab_high, cd_high)),
    };
}

// In the order 1 3 5 7 0 2 4 6, so that sorted back they lie as in the twelve registers.
static inline Quats load_rotations(const GtTransform* t)
{
    return transpose(pair(&t[1].rotation.x, &t[0].rotation.x), pair(&t[3].rotation.x, &t[2].rotation.x),
                     pair(&t[5].rotation.x, &t[4].rotation.x), pair(&t[7].rotation.x, &t[6].rotation.x));
}

// A number for each joint, in that order.
static inline __m256 as_rotations(__m256 joints)
{
    return _mm256_permutevar8x32_ps(joints, _mm256_setr_epi32(1, 3, 5, 7, 0, 2, 4, 6));
}

static inline __m256 dot(const Quats* a, const Quats* b)
{
    __m256 two = _mm256_fmadd_ps(a->x, b->x, _mm256_mul_ps(a->y, b->y));
    return _mm256_fmadd_ps(a->z, b->z, _mm256_fmadd_ps(a->w, b->w, two));
}

static inline void add_rotations(Quats* sum, const GtTransform* pose, const Quats* reference, __m256 weights)
{
    Quats q = load_rotations(pose);
    __m256 turned = _mm256_xor_ps(weights, _mm256_and_ps(dot(&q, reference), _mm256_set1_ps(-0.0f)));
    sum->x = _mm256_fmadd_ps(q.x, turned, sum->x);
    sum->y = _mm256_fmadd_ps(q.y, turned, sum->y);
    sum->z = _mm256_fmadd_ps(q.z, turned, sum->z);
    sum->w = _mm256_fmadd_ps(q.w, turned, sum->w);
}

// What is not above 0, NaN too, counts as 0.
static inline __m256 masked_weights(const Part* part, int32_t first)
{
    __m256 weight = _mm256_broadcast_ss(&part->weight);
    return part->mask ? _mm256_mul_ps(weight, _mm256_max_ps(_mm256_loadu_ps(part->mask + first), _mm256_setzero_ps()))
                      : weight;
}

// Rotations of each joint's heaviest part; GT_NONE for rest.
static inline Quats load_references(const Plan* plan, int32_t first, const int32_t heaviest[GROUP])
{
    const float* q[GROUP];
    for (int32_t i = 0; i < GROUP; ++i) {
        q[i] = &(heaviest[i] == GT_NONE ? plan->rest : plan->parts[heaviest[i]].pose)[first + i].rotation.x;
    }
    return transpose(pair(q[1], q[0]), pair(q[3], q[2]), pair(q[5], q[4]), pair(q[7], q[6]));
}

// Sums of weights, and for each joint the rotation of its heaviest layer.
static inline Masked weigh(const Plan* plan, int32_t first, Quats* reference)
{
    __m256 heaviest = _mm256_setzero_ps();
    __m256i at = _mm256_set1_epi32(GT_NONE);
    Masked m = { .total = heaviest };
    for (int32_t k = 0; k < plan->count; ++k) {
        __m256 w = masked_weights(&plan->parts[k], first);
        __m256i heavier = _mm256_castps_si256(_mm256_cmp_ps(w, heaviest, _CMP_GT_OQ));
        at = _mm256_blendv_epi8(at, _mm256_set1_epi32(k), heavier);
        heaviest = _mm256_max_ps(w, heaviest);
        m.total = _mm256_add_ps(m.total, w);
    }
    int32_t parts[GROUP];
    _mm256_storeu_si256((__m256i*)parts, at);
    *reference = load_references(plan, first, parts);
    m.fill = _mm256_max_ps(_mm256_sub_ps(_mm256_set1_ps(plan->threshold), m.total), _mm256_setzero_ps());
    m.total = _mm256_add_ps(m.total, m.fill);
    return m;
}

// Unit quaternions, sorted back: [q1 q0] [q3 q2] [q5 q4] [q7 q6]. False where one is not told by its sum.
static inline bool finish_rotations(const Quats* sum, __m256 least, __m256 out[4])
{
    __m256 square = dot(sum, sum);
    __m256 s = _mm256_rsqrt_ps(square); // 12 bits; a step of Newton's makes them 23
    __m256 half = _mm256_mul_ps(_mm256_mul_ps(square, s), _mm256_mul_ps(s, _mm256_set1_ps(0.5f)));
    s = _mm256_mul_ps(s, _mm256_sub_ps(_mm256_set1_ps(1.5f), half));
    Quats rows = transpose(_mm256_mul_ps(sum->x, s), _mm256_mul_ps(sum->y, s), _mm256_mul_ps(sum->z, s),
                           _mm256_mul_ps(sum->w, s));
    out[0] = rows.x;
    out[1] = rows.y;
    out[2] = rows.z;
    out[3] = rows.w;
    return _mm256_movemask_ps(_mm256_cmp_ps(square, least, _CMP_GT_OQ)) == 0xFF;
}

static inline void store(__m256 sum[REGISTERS], const __m256 q[4], GtTransform* out)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        sum[3 * i] = _mm256_blend_ps(sum[3 * i], q[i], 0xF0);
        sum[3 * i + 2] = _mm256_blend_ps(sum[3 * i + 2], q[i], 0x0F);
    }
#pragma GCC unroll 12
    for (int i = 0; i < REGISTERS; ++i) {
        _mm256_storeu_ps((float*)out + 8 * i, sum[i]);
    }
}

// False where plain C has to look after a joint without weight or with rotations that cancel out.
static inline bool blend_evenly(const Plan* plan, int32_t first, GtTransform* out)
{
    __m256 w = _mm256_broadcast_ss(&plan->parts[0].weight);
    Quats reference = load_rotations(plan->parts[0].pose + first);
    Quats rotations = { _mm256_mul_ps(reference.x, w), _mm256_mul_ps(reference.y, w), _mm256_mul_ps(reference.z, w),
                        _mm256_mul_ps(reference.w, w) };
    for (int32_t k = 1; k < plan->count; ++k) {
        add_rotations(&rotations, plan->parts[k].pose + first, &reference, _mm256_broadcast_ss(&plan->parts[k].weight));
    }
    __m256 q[4];
    if (!finish_rotations(&rotations, _mm256_set1_ps(GTI_BLEND_CANCELLED), q)) {
        return false;
    }
    __m256 sum[REGISTERS];
    const float* heaviest = (const float*)(plan->parts[0].pose + first);
#pragma GCC unroll 12
    for (int i = 0; i < REGISTERS; ++i) {
        sum[i] = _mm256_mul_ps(_mm256_loadu_ps(heaviest + 8 * i), w);
    }
    for (int32_t k = 1; k < plan->count; ++k) {
        const float* f = (const float*)(plan->parts[k].pose + first);
        w = _mm256_broadcast_ss(&plan->parts[k].weight);
#pragma GCC unroll 12
        for (int i = 0; i < REGISTERS; ++i) {
            sum[i] = _mm256_fmadd_ps(_mm256_loadu_ps(f + 8 * i), w, sum[i]);
        }
    }
    store(sum, q, out);
    return true;
}

// Numbers for each joint, on the twelve registers: three for two joints.
static inline void add_weighted(const float* joints, const float weights[GROUP], __m256 sum[REGISTERS])
{
#pragma GCC unroll 4
    for (int i = 0; i < GROUP / 2; ++i) {
        __m256 even = _mm256_broadcast_ss(&weights[2 * i]);
        __m256 odd = _mm256_broadcast_ss(&weights[2 * i + 1]);
        __m256* s = &sum[3 * i];
        s[0] = _mm256_fmadd_ps(_mm256_loadu_ps(joints + 24 * i), even, s[0]);
        s[1] = _mm256_fmadd_ps(_mm256_loadu_ps(joints + 24 * i + 8), _mm256_blend_ps(even, odd, 0xF0), s[1]);
        s[2] = _mm256_fmadd_ps(_mm256_loadu_ps(joints + 24 * i + 16), odd, s[2]);
    }
}

static inline bool blend_masked(const Plan* plan, int32_t first, GtTransform* out)
{
    __m256 zero = _mm256_setzero_ps();
    Quats rotations = { zero, zero, zero, zero };
    Quats reference;
    Masked m = weigh(plan, first, &reference);
    __m256 share = _mm256_div_ps(_mm256_set1_ps(1.0f), m.total);
    bool fills = _mm256_movemask_ps(_mm256_cmp_ps(m.fill, zero, _CMP_GT_OQ)) != 0;
    __m256 sum[REGISTERS];
#pragma GCC unroll 12
    for (int i = 0; i < REGISTERS; ++i) {
        sum[i] = zero;
    }
    for (int32_t k = 0; k < plan->count + fills; ++k) {
        bool filling = k == plan->count;
        const GtTransform* pose = (filling ? plan->rest : plan->parts[k].pose) + first;
        __m256 w = _mm256_mul_ps(filling ? m.fill : masked_weights(&plan->parts[k], first), share);
        float weights[GROUP];
        _mm256_storeu_ps(weights, w);
        add_rotations(&rotations, pose, &reference, as_rotations(w));
        add_weighted((const float*)pose, weights, sum);
    }
    __m256 q[4];
    if (!finish_rotations(&rotations, _mm256_set1_ps(GTI_BLEND_CANCELLED), q)) {
        return false;
    }
    store(sum, q, out);
    return true;
}

static void blend_group(const GtBlendJob* job, const Plan* plan, int32_t first, GtTransform* out)
{
    if (plan->masked ? blend_masked(plan, first, out) : blend_evenly(plan, first, out)) {
        return;
    }
    GtTransform each[GROUP]; // out may be where they come from
    for (int32_t i = 0; i < GROUP; ++i) {
        each[i] = gti_blend_joint(job, first + i);
    }
    for (int32_t i = 0; i < GROUP; ++i) {
        out[i] = each[i];
    }
}

static void normalize(Plan* plan, int32_t heaviest, float total)
{
    for (int32_t k = 0; k < plan->count; ++k) {
        plan->parts[k].weight /= total;
    }
    Part first = plan->parts[heaviest];
    plan->parts[heaviest] = plan->parts[0];
    plan->parts[0] = first;
}

// False where there is nothing to do for wide registers.
static bool make_plan(const GtBlendJob* job, Plan* plan)
{
    float total = 0.0f;
    int32_t heaviest = 0;
    plan->rest = job->rest;
    plan->threshold = job->threshold;
    plan->masked = false;
    plan->count = 0;
    for (int32_t k = 0; k < job->layer_count; ++k) {
        const GtBlendLayer* layer = &job->layers[k];
        if (!gti_blend_takes_part(layer)) {
            continue;
        }
        if (plan->count == MAX_PARTS - 1) { // rest may come on top
            return false;
        }
        heaviest = plan->count && layer->weight > plan->parts[heaviest].weight ? plan->count : heaviest;
        plan->parts[plan->count++] = (Part){ layer->pose, layer->mask, layer->weight };
        plan->masked = plan->masked || layer->mask;
        total += layer->weight;
    }
    if (!plan->masked && job->threshold > total) {
        plan->parts[plan->count++] = (Part){ job->rest, NULL, job->threshold - total };
        total = job->threshold;
    }
    if (!plan->masked && plan->count) {
        normalize(plan, heaviest, total);
    }
    return plan->count > 0;
}

void gti_blend_avx2(const GtBlendJob* job, int32_t first, int32_t end)
{
    Plan plan;
    if (end - first < GROUP || !make_plan(job, &plan)) {
        gti_blend_scalar(job, first, end);
        return;
    }
    GtTransform last[GROUP];
    int32_t whole = first + (end - first) / GROUP * GROUP;
    if (whole < end) {
        blend_group(job, &plan, end - GROUP, last);
    }
    for (int32_t i = first; i < whole; i += GROUP) {
        blend_group(job, &plan, i, job->out + i);
    }
    for (int32_t i = whole; i < end; ++i) {
        job->out[i] = last[i - end + GROUP];
    }
}

#else
typedef int gti_no_blend_avx2; // a file must hold something
#endif
