// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Playing packed clips, all tracks of a group or of two side by side. Included once by the file of each processor
// level, after its vertices and
//   GROUPS                    groups at a time
//   Bits, find_bits           where their bits are, and stride[group], bytes from one coefficient to the next
//   add_coefficient           add a share of one, in steps, to each part
//   turning_lanes             those that are rotations
//   load_each                 eight floats of each group
//   store_places              rows to the pose

#ifndef GERTIE_RUNTIME_PACKED_CLIP_LANES_H
#define GERTIE_RUNTIME_PACKED_CLIP_LANES_H

#include "runtime/packed_clip.h"

#include <stddef.h>

// Even turns between unit quaternions in lanes (Eberly, A Fast and Accurate Algorithm for Computing SLERP, 2011): the
// shares' series in the cosine, of which all lanes have the same coefficients.
enum {
    TERMS = 6
};

typedef struct Slerp {
    float first[TERMS];
    float last[TERMS];
} Slerp;

INLINE Slerp slerp_terms(const float shares[4])
{
    const float correction =
        1.82f; // of the last term, for all that are left out: 1e-4 at half a turn, 1e-8 at 60 degrees
    Slerp slerp;
    for (int i = 1; i <= TERMS; ++i) {
        float scale = i == TERMS ? correction : 1.0f;
        float u = scale / (float)(i * (2 * i + 1));
        float v = scale * (float)i / (float)(2 * i + 1);
        slerp.first[i - 1] = u * shares[0] * shares[0] - v;
        slerp.last[i - 1] = u * shares[1] * shares[1] - v;
    }
    return slerp;
}

INLINE Lane slerp_share(const float terms[TERMS], Lane cosine_less_one, float share)
{
    Lane one = lane_set(1.0f);
    Lane sum = lane_mul_add(lane_set(terms[TERMS - 1]), cosine_less_one, one);
    for (int i = TERMS - 2; i >= 0; --i) {
        sum = lane_mul_add(lane_mul(lane_set(terms[i]), cosine_less_one), sum, one);
    }
    return lane_mul(lane_set(share), sum);
}

// Unit quaternions of modified Rodrigues parameters.
INLINE void make_turns(Lane v[4], LaneMask turns)
{
    Lane one = lane_set(1.0f);
    Lane n = dot((Lane3){ v[0], v[1], v[2] }, (Lane3){ v[0], v[1], v[2] });
    Lane inverse = lane_div(one, lane_add(one, n));
    Lane twice = lane_add(inverse, inverse);
    for (int i = 0; i < 3; ++i) {
        v[i] = lane_select(turns, lane_mul(v[i], twice), v[i]);
    }
    v[3] = lane_select(turns, lane_mul(lane_sub(one, n), inverse), lane_set(0.0f));
}

INLINE void put_lanes(const GtiUnpackJob* job, const GtiPackedGroup* const groups[GROUPS], Lane v[4])
{
    bool whole = job->layer->kind == GTI_PACKED_POSE;
    for (int g = 0; g < GROUPS; ++g) {
        whole = whole && groups[g]->lane_count == GTI_LANES;
    }
    if (whole) {
        store_places(job->out, groups, v);
        return;
    }
    float rows[LANE_SIZE][4];
    store_rows(rows[0], 4, v);
    for (int g = 0; g < GROUPS; ++g) {
        for (uint32_t i = 0; i < groups[g]->lane_count; ++i) {
            gti_unpack_put(job, groups[g], i, rows[(uint32_t)g * GTI_LANES + i]);
        }
    }
}

INLINE void scale_steps(const GtiPackedGroup* const groups[GROUPS], Lane v[4])
{
    Lane steps = load_each(groups, offsetof(GtiPackedGroup, steps));
    for (size_t part = 0; part < GTI_PARTS; ++part) {
        Lane base = load_each(groups, offsetof(GtiPackedGroup, bases) + part * sizeof(float[GTI_LANES]));
        v[part] = lane_mul_add(v[part], steps, base);
    }
}

// Between two coefficients: rotations turn evenly, the rest moves straight.
INLINE void mix(const GtiUnpackJob* job, LaneMask turning, const Slerp* slerp, Lane v[4], Lane next[4])
{
    make_turns(v, turning);
    make_turns(next, turning);
    Lane cosine = lane_set(0.0f);
    for (int i = 0; i < 4; ++i) {
        cosine = lane_mul_add(v[i], next[i], cosine);
    }
    LaneMask opposite = lane_greater(lane_set(0.0f), cosine);
    Lane less = lane_sub(lane_negate(opposite, cosine), lane_set(1.0f));
    Lane first = lane_select(turning, slerp_share(slerp->first, less, job->shares[0]), lane_set(job->shares[0]));
    Lane last = lane_negate(opposite, slerp_share(slerp->last, less, job->shares[1]));
    last = lane_select(turning, last, lane_set(job->shares[1]));
    for (int i = 0; i < 4; ++i) {
        v[i] = lane_mul_add(last, next[i], lane_mul(first, v[i]));
    }
    Lane squared = lane_mul_add(v[3], v[3], dot((Lane3){ v[0], v[1], v[2] }, (Lane3){ v[0], v[1], v[2] }));
    Lane scale = lane_select(turning, lane_inverse_root(squared), lane_set(1.0f));
    for (int i = 0; i < 4; ++i) {
        v[i] = lane_mul(v[i], scale);
    }
}

// Add shares of the coefficients from `first` on.
INLINE void add_coefficients(const Bits* bits, const GtiPackedGroup* const groups[GROUPS], uint32_t first,
                             const float* shares, const int count, Lane v[4])
{
    const uint8_t* from[GROUPS];
    for (int g = 0; g < GROUPS; ++g) {
        from[g] = (const uint8_t*)(groups[g] + 1) + (size_t)first * bits->stride[g];
    }
    for (int c = 0; c < count; ++c) {
        add_coefficient(bits, from, lane_set(shares[c]), v);
        for (int g = 0; g < GROUPS; ++g) {
            from[g] += bits->stride[g];
        }
    }
    scale_steps(groups, v);
}

INLINE void unpack_groups(const GtiUnpackJob* job, const Bits* bits, const GtiPackedGroup* const groups[GROUPS],
                          const Slerp* slerp, const int order, const bool even)
{
    const float whole = 1.0f;
    Lane zero = lane_set(0.0f);
    Lane v[4] = { zero, zero, zero, zero };
    if (order == 2 && even) {
        Lane next[4] = { zero, zero, zero, zero };
        add_coefficients(bits, groups, job->first, &whole, 1, v);
        add_coefficients(bits, groups, job->first + 1, &whole, 1, next);
        mix(job, turning_lanes(groups), slerp, v, next);
    } else {
        add_coefficients(bits, groups, job->first, job->shares, order, v);
        if (job->layer->kind == GTI_PACKED_POSE) {
            make_turns(v, turning_lanes(groups));
        }
    }
    put_lanes(job, groups, v);
}

// Bytes of a coefficient, as gti_packed_stride() gives them.
INLINE uint32_t find_stride(const GtiPackedGroup* group)
{
    const __m128i one_width = _mm_set1_epi16(31);
    __m128i all = _mm_loadu_si128((const __m128i*)group->widths);
    __m128i total = _mm_and_si128(all, one_width);
    total = _mm_add_epi16(total, _mm_and_si128(_mm_srli_epi16(all, 5), one_width));
    total = _mm_add_epi16(total, _mm_and_si128(_mm_srli_epi16(all, 10), one_width));
    __m128i sums = _mm_sad_epu8(total, _mm_setzero_si128()); // of four lanes each, which are less than a byte holds
    return ((uint32_t)_mm_cvtsi128_si32(sums) + (uint32_t)_mm_extract_epi16(sums, 4) + 7) / 8;
}

INLINE const GtiPackedGroup* group_after(const GtiUnpackJob* job, const GtiPackedGroup* group, uint32_t stride)
{
    return (const GtiPackedGroup*)((const char*)group + gti_packed_group_size(job->layer, stride));
}

// Gives the first group that is left.
INLINE const GtiPackedGroup* unpack_layer(const GtiUnpackJob* job, const int order, const bool even)
{
    const GtiPackedGroup* groups[GROUPS] = { job->groups };
    Slerp slerp = even ? slerp_terms(job->shares) : (Slerp){ { 0.0f }, { 0.0f } };
    for (uint32_t g = 0; g + GROUPS <= job->layer->group_count; g += GROUPS) {
        for (int i = 1; i < GROUPS; ++i) {
            groups[i] = group_after(job, groups[i - 1], find_stride(groups[i - 1]));
        }
        Bits bits = find_bits(groups);
        unpack_groups(job, &bits, groups, &slerp, order, even);
        groups[0] = group_after(job, groups[GROUPS - 1], bits.stride[GROUPS - 1]);
    }
    return groups[0];
}

static const GtiPackedGroup* unpack(const GtiUnpackJob* job)
{
    if (job->layer->order == 4) {
        return unpack_layer(job, 4, false);
    }
    if (job->layer->mix == GTI_PACKED_EVEN && job->layer->kind == GTI_PACKED_POSE) {
        return unpack_layer(job, 2, true);
    }
    return unpack_layer(job, 2, false);
}

#endif
