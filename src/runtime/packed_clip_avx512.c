// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Playing packed clips in AVX-512: two groups of eight tracks side by side, whatever their bits. A coefficient of a
// track lies within eight bytes; those of lanes 0, 1 and 2, 3 of every four are shifted in 64 bits, so that putting
// their lower halves together gives all lanes in order. An odd group is left to AVX2. CMake compiles this file for that
// level; elsewhere it is empty.

#if defined(__AVX512F__)

#include "runtime/packed_clip.h"
#include "runtime/vertex_avx512.h"

enum {
    GROUPS = 2
};

// Numbers of all lanes, as 64-bit shifts need them.
typedef struct Wide {
    __m512i outer; // lanes 0, 1 of every four
    __m512i inner; // lanes 2, 3
} Wide;

INLINE Wide widen(__m256i a)
{
    __m256i b = _mm256_permute4x64_epi64(_mm256_shuffle_epi32(a, _MM_SHUFFLE(3, 1, 2, 0)), _MM_SHUFFLE(3, 1, 2, 0));
    return (Wide){ _mm512_cvtepu16_epi64(_mm256_castsi256_si128(b)),
                   _mm512_cvtepu16_epi64(_mm256_extracti128_si256(b, 1)) };
}

INLINE Wide shift(Wide a, Wide by)
{
    return (Wide){ _mm512_srlv_epi64(a.outer, by.outer), _mm512_srlv_epi64(a.inner, by.inner) };
}

// Eight bytes from each of two places a quarter.
INLINE __m512i load_pairs(const uint8_t* const from[GROUPS], const uint16_t* byte)
{
    __m512i all = _mm512_setzero_si512();
    for (int i = 0; i < 4; ++i) {
        const uint8_t* at = from[i / 2];
        __m128i low = _mm_loadl_epi64((const __m128i*)(at + byte[4 * i]));
        __m128i pair = _mm_unpacklo_epi64(low, _mm_loadl_epi64((const __m128i*)(at + byte[4 * i + 1])));
        all = _mm512_mask_broadcast_i32x4(all, (__mmask16)(0xF << 4 * i), pair);
    }
    return all;
}

// Where the groups' bits are.
typedef struct Bits {
    Wide start;               // bit of the first byte
    Wide widths[GTI_PARTS];   // of each part
    __m512i masks[GTI_PARTS]; // and as many ones
    uint16_t byte[LANE_SIZE];
    uint32_t stride[GROUPS];
} Bits;

INLINE Bits find_bits(const GtiPackedGroup* const groups[GROUPS])
{
    const __m256i one_width = _mm256_set1_epi16(31);
    const __m512i one = _mm512_set1_epi32(1);
    __m256i all = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i*)groups[0]->widths)),
                                          _mm_loadu_si128((const __m128i*)groups[1]->widths), 1);
    Bits bits;
    __m256i total = _mm256_setzero_si256();
    for (int part = 0; part < GTI_PARTS; ++part) {
        __m256i width = _mm256_and_si256(_mm256_srli_epi16(all, 5 * part), one_width);
        total = _mm256_add_epi16(total, width);
        bits.masks[part] = _mm512_sub_epi32(_mm512_sllv_epi32(one, _mm512_cvtepu16_epi32(width)), one);
        bits.widths[part] = widen(width);
    }
    __m256i sum = _mm256_add_epi16(total, _mm256_slli_si256(total, 2)); // of this lane and those before it in its group
    sum = _mm256_add_epi16(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi16(sum, _mm256_slli_si256(sum, 8));
    __m256i start = _mm256_sub_epi16(sum, total);
    bits.start = widen(_mm256_and_si256(start, _mm256_set1_epi16(7)));
    _mm256_storeu_si256((__m256i*)bits.byte, _mm256_srli_epi16(start, 3));
    bits.stride[0] = ((uint32_t)_mm256_extract_epi16(sum, 7) + 7) / 8;
    bits.stride[1] = ((uint32_t)_mm256_extract_epi16(sum, 15) + 7) / 8;
    return bits;
}

INLINE void add_coefficient(const Bits* bits, const uint8_t* const from[GROUPS], Lane share, Lane v[4])
{
    Wide word = { load_pairs(from, bits->byte), load_pairs(from, bits->byte + 2) };
    word = shift(word, bits->start);
    for (int part = 0; part < GTI_PARTS; ++part) {
        Lane lower = _mm512_shuffle_ps(_mm512_castsi512_ps(word.outer), _mm512_castsi512_ps(word.inner), 0x88);
        Lane value = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_castps_si512(lower), bits->masks[part]));
        v[part] = lane_mul_add(share, value, v[part]);
        if (part + 1 < GTI_PARTS) {
            word = shift(word, bits->widths[part]);
        }
    }
}

INLINE LaneMask turning_lanes(const GtiPackedGroup* const groups[GROUPS])
{
    return (LaneMask)((groups[0]->turns & 0xFF) | (groups[1]->turns & 0xFF) << GTI_LANES);
}

INLINE Lane load_each(const GtiPackedGroup* const groups[GROUPS], size_t offset)
{
    const float* low = (const float*)((const char*)groups[0] + offset);
    const float* high = (const float*)((const char*)groups[1] + offset);
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(low)), _mm256_loadu_ps(high), 1);
}

INLINE void store_places(float* to, const GtiPackedGroup* const groups[GROUPS], Lane v[4])
{
    const uint32_t* a = groups[0]->places;
    const uint32_t* b = groups[1]->places;
    transpose_quarters(v);
    for (int i = 0; i < 4; ++i) {
        store_quarters(to + 4 * (size_t)a[i], to + 4 * (size_t)a[i + 4], to + 4 * (size_t)b[i],
                       to + 4 * (size_t)b[i + 4], v[i]);
    }
}

#include "runtime/packed_clip_lanes.h"

void gti_unpack_avx512(const GtiUnpackJob* job)
{
    GtiUnpackJob last = *job;
    last.groups = unpack(job);
    if (job->layer->group_count % GROUPS) {
        GtiPackedLayer layer = *job->layer;
        layer.group_count = 1;
        last.layer = &layer;
        gti_unpack_avx2(&last);
    }
}

#else
typedef int gti_no_packed_clip_avx512; // a file must hold something
#endif
