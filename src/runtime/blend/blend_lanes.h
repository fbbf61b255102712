// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blending, four joints at a time, over what a processor level does with a group of them. Included once by the file of
// each level, after
//   Quats, Group, Weights     rotations of four joints, all of their transforms, weights to go with them
//   join(q)                   Quats of four
//   load, store               a Group; what store writes for rotations may be anything
//   weighted, add             a Group times weights; and added, rotations on the side of a reference
//   even_weights, spread      the same for all joints, and four
//   unit                      store Quats with unit length; gives a bit for each that has a direction,
//   told_bits[joint],
//                             ALL_TOLD together
// Bringing sums to unit length waits for one result after the other, so it comes after the sums of many groups. The
// last four joints may overlap those before: they are done first, because out may be a layer's pose, and written last.

#ifndef GERTIE_RUNTIME_BLEND_BLEND_LANES_H
#define GERTIE_RUNTIME_BLEND_BLEND_LANES_H

enum {
    MAX_WAIT = 16 // groups
};

// Rotations that are summed up and have no unit length yet.
typedef struct Waiting {
    Quats sum;
    const GtTransform* rest;
    GtTransform* out;
} Waiting;

static void store_rest_rotations(const Waiting* waiting, int told)
{
    for (int i = 0; i < GROUP; ++i) {
        if (!(told & told_bits[i])) {
            waiting->out[i].rotation = waiting->rest[i].rotation;
        }
    }
}

// Unit quaternions, or those of rest where sums cancel out.
INLINE void finish(const Waiting* waiting)
{
    int told = unit(&waiting->sum, waiting->out);
    if (told != ALL_TOLD) {
        store_rest_rotations(waiting, told);
    }
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

// Rotations of each joint's heaviest part; GT_NONE for rest.
INLINE Quats load_references(const GtiBlendPlan* plan, int32_t first, const int32_t heaviest[GROUP])
{
    __m128 q[GROUP];
    for (int32_t i = 0; i < GROUP; ++i) {
        const GtTransform* pose = heaviest[i] == GT_NONE ? plan->rest : plan->parts[heaviest[i]].pose;
        q[i] = _mm_load_ps(&pose[first + i].rotation.x);
    }
    return join(q);
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
    Group sum = { 0 };
    for (int32_t k = 0; k < plan->count; ++k) {
        Weights weights = spread(_mm_mul_ps(masked_weights(&plan->parts[k], first), share));
        add(&sum, plan->parts[k].pose + first, &reference, &weights);
    }
    if (_mm_movemask_ps(_mm_cmpgt_ps(fill, zero)) != 0) {
        Weights weights = spread(_mm_mul_ps(fill, share));
        weights.of_q = spread(_mm_and_ps(_mm_mul_ps(fill, share), some)).of_q;
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

static void blend(const GtBlendJob* job, int32_t first, int32_t end)
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

#endif
