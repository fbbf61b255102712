// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Playing packed clips in AVX2 and FMA: the eight tracks of a group side by side, whatever their bits. A coefficient of
// a track lies within eight bytes; those of lanes 0, 1, 4, 5 and of 2, 3, 6, 7 are shifted in 64 bits, so that putting
// their lower halves together gives all lanes in order.

#include "runtime/clip/packed_clip.h"
#include "runtime/lanes/vertex_avx2.h"

// Numbers of all lanes, as 64-bit shifts need them.
typedef struct Wide {
    __m256i outer; // lanes 0, 1, 4, 5
    __m256i inner; // lanes 2, 3, 6, 7
} Wide;

INLINE Wide widen(__m128i a)
{
    __m128i b = _mm_shuffle_epi32(a, _MM_SHUFFLE(3, 1, 2, 0));
    return (Wide){ _mm256_cvtepu16_epi64(b), _mm256_cvtepu16_epi64(_mm_unpackhi_epi64(b, b)) };
}

INLINE Wide shift(Wide a, Wide by)
{
    return (Wide){ _mm256_srlv_epi64(a.outer, by.outer), _mm256_srlv_epi64(a.inner, by.inner) };
}

INLINE __m128i load_two(const uint8_t* a, const uint8_t* b)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i*)a), _mm_loadl_epi64((const __m128i*)b));
}

INLINE __m256i load_four(const uint8_t* a, const uint8_t* b, const uint8_t* c, const uint8_t* d)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load_two(a, b)), load_two(c, d), 1);
}

// Where a group's bits are.
typedef struct Bits {
    Wide start;               // bit of the first byte
    Wide widths[GTI_PARTS];   // of each part
    __m256i masks[GTI_PARTS]; // and as many ones
    size_t byte[GTI_LANES];
    uint32_t stride;
} Bits;

INLINE Bits find_bits(__m128i all)
{
    const __m128i one_width = _mm_set1_epi16(31);
    Bits bits;
    __m128i total = _mm_setzero_si128();
    for (int part = 0; part < GTI_PARTS; ++part) {
        __m128i width = _mm_and_si128(_mm_srli_epi16(all, 5 * part), one_width);
        total = _mm_add_epi16(total, width);
        __m256i one = _mm256_set1_epi32(1);
        bits.masks[part] = _mm256_sub_epi32(_mm256_sllv_epi32(one, _mm256_cvtepu16_epi32(width)), one);
        bits.widths[part] = widen(width);
    }
    __m128i sum = _mm_add_epi16(total, _mm_slli_si128(total, 2)); // of this lane and those before it
    sum = _mm_add_epi16(sum, _mm_slli_si128(sum, 4));
    sum = _mm_add_epi16(sum, _mm_slli_si128(sum, 8));
    __m128i start = _mm_sub_epi16(sum, total);
    bits.start = widen(_mm_and_si128(start, _mm_set1_epi16(7)));
    __m128i byte = _mm_srli_epi16(start, 3);
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(byte);
    uint64_t high = (uint64_t)_mm_extract_epi64(byte, 1);
    for (int i = 0; i < 4; ++i) {
        bits.byte[i] = (low >> (16 * i)) & 0xFFFF;
        bits.byte[i + 4] = (high >> (16 * i)) & 0xFFFF;
    }
    bits.stride = ((uint32_t)_mm_extract_epi16(sum, 7) + 7) / 8;
    return bits;
}

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
INLINE void make_turns(Lane v[4], Lane turns)
{
    Lane one = lane_set(1.0f);
    Lane n = dot((Lane3){ v[0], v[1], v[2] }, (Lane3){ v[0], v[1], v[2] });
    Lane inverse = lane_div(one, lane_add(one, n));
    Lane twice = lane_add(inverse, inverse);
    for (int i = 0; i < 3; ++i) {
        v[i] = lane_select(turns, lane_mul(v[i], twice), v[i]);
    }
    v[3] = _mm256_and_ps(turns, lane_mul(lane_sub(one, n), inverse));
}

INLINE Lane turning_lanes(const GtiPackedGroup* group)
{
    const __m256i lanes = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    __m256i turns = _mm256_and_si256(_mm256_set1_epi32((int)group->turns), lanes);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(turns, lanes));
}

INLINE void put_lanes(const GtiUnpackJob* job, const GtiPackedGroup* group, Lane v[4])
{
    transpose_halves(v);
    if (group->lane_count == GTI_LANES && job->layer->kind == GTI_PACKED_POSE) {
        for (int i = 0; i < 4; ++i) {
            store_halves(job->out + 4 * (size_t)group->places[i], job->out + 4 * (size_t)group->places[i + 4], v[i]);
        }
        return;
    }
    float rows[GTI_LANES][4];
    for (int i = 0; i < 4; ++i) {
        store_halves(rows[i], rows[i + 4], v[i]);
    }
    for (uint32_t i = 0; i < group->lane_count; ++i) {
        gti_unpack_put(job, group, i, rows[i]);
    }
}

// Add `share` of a coefficient, in steps, to each part.
INLINE void add_coefficient(const Bits* bits, const uint8_t* from, Lane share, Lane v[4])
{
    const size_t* byte = bits->byte;
    Wide word = { load_four(from + byte[0], from + byte[1], from + byte[4], from + byte[5]),
                  load_four(from + byte[2], from + byte[3], from + byte[6], from + byte[7]) };
    word = shift(word, bits->start);
    for (int part = 0; part < GTI_PARTS; ++part) {
        __m256i lower = _mm256_castps_si256(
            _mm256_shuffle_ps(_mm256_castsi256_ps(word.outer), _mm256_castsi256_ps(word.inner), 0x88));
        Lane value = _mm256_cvtepi32_ps(_mm256_and_si256(lower, bits->masks[part]));
        v[part] = lane_mul_add(share, value, v[part]);
        if (part + 1 < GTI_PARTS) {
            word = shift(word, bits->widths[part]);
        }
    }
}

INLINE void scale_steps(const GtiPackedGroup* group, Lane v[4])
{
    Lane steps = lane_load(group->steps);
    for (int part = 0; part < GTI_PARTS; ++part) {
        v[part] = lane_mul_add(v[part], steps, lane_load(group->bases[part]));
    }
}

// Between two coefficients: rotations turn evenly, the rest moves straight.
INLINE void mix(const GtiUnpackJob* job, const GtiPackedGroup* group, const Slerp* slerp, Lane v[4], Lane next[4])
{
    Lane turning = turning_lanes(group);
    make_turns(v, turning);
    make_turns(next, turning);
    Lane cosine = _mm256_setzero_ps();
    for (int i = 0; i < 4; ++i) {
        cosine = lane_mul_add(v[i], next[i], cosine);
    }
    Lane sign = _mm256_and_ps(_mm256_and_ps(cosine, lane_set(-0.0f)), turning);
    Lane less = lane_sub(_mm256_andnot_ps(lane_set(-0.0f), cosine), lane_set(1.0f));
    Lane first = lane_select(turning, slerp_share(slerp->first, less, job->shares[0]), lane_set(job->shares[0]));
    Lane last = lane_select(turning, slerp_share(slerp->last, less, job->shares[1]), lane_set(job->shares[1]));
    last = _mm256_xor_ps(last, sign);
    for (int i = 0; i < 4; ++i) {
        v[i] = lane_mul_add(last, next[i], lane_mul(first, v[i]));
    }
    Lane squared = lane_mul_add(v[3], v[3], dot((Lane3){ v[0], v[1], v[2] }, (Lane3){ v[0], v[1], v[2] }));
    Lane scale = lane_select(turning, lane_inverse_root(squared), lane_set(1.0f));
    for (int i = 0; i < 4; ++i) {
        v[i] = lane_mul(v[i], scale);
    }
}

// Unpack a group; gives the next one.
INLINE const GtiPackedGroup* unpack_group(const GtiUnpackJob* job, const GtiPackedGroup* group, const Slerp* slerp,
                                          const int order, const bool even)
{
    Bits bits = find_bits(_mm_loadu_si128((const __m128i*)group->widths));
    const uint8_t* data = (const uint8_t*)(group + 1);
    const uint8_t* from = data + (size_t)job->first * bits.stride;
    Lane zero = _mm256_setzero_ps();
    Lane v[4] = { zero, zero, zero, zero };
    if (order == 2 && even) {
        Lane next[4] = { zero, zero, zero, zero };
        add_coefficient(&bits, from, lane_set(1.0f), v);
        add_coefficient(&bits, from + bits.stride, lane_set(1.0f), next);
        scale_steps(group, v);
        scale_steps(group, next);
        mix(job, group, slerp, v, next);
    } else {
        for (int c = 0; c < order; ++c, from += bits.stride) {
            add_coefficient(&bits, from, lane_set(job->shares[c]), v);
        }
        scale_steps(group, v);
        if (job->layer->kind == GTI_PACKED_POSE) {
            make_turns(v, turning_lanes(group));
        }
    }
    put_lanes(job, group, v);
    return (const GtiPackedGroup*)((const char*)group + gti_packed_group_size(job->layer, bits.stride));
}

INLINE void unpack(const GtiUnpackJob* job, const int order, const bool even)
{
    const GtiPackedGroup* group = job->groups;
    Slerp slerp = even ? slerp_terms(job->shares) : (Slerp){ { 0.0f }, { 0.0f } };
    for (uint32_t g = 0; g < job->layer->group_count; ++g) {
        group = unpack_group(job, group, &slerp, order, even);
    }
}

void gti_unpack_avx2(const GtiUnpackJob* job)
{
    if (job->layer->order == 4) {
        unpack(job, 4, false);
    } else if (job->layer->mix == GTI_PACKED_EVEN && job->layer->kind == GTI_PACKED_POSE) {
        unpack(job, 2, true);
    } else {
        unpack(job, 2, false);
    }
}
