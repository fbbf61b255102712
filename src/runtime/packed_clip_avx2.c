// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Playing packed clips in AVX2 and FMA: the eight tracks of a group side by side, whatever their bits. A coefficient of
// a track lies within eight bytes; those of lanes 0, 1, 4, 5 and of 2, 3, 6, 7 are shifted in 64 bits, so that putting
// their lower halves together gives all lanes in order. CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/packed_clip.h"
#include "runtime/vertex_avx2.h"

enum {
    GROUPS = 1
};

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
    uint32_t stride[GROUPS];
} Bits;

INLINE Bits find_bits(const GtiPackedGroup* const groups[GROUPS])
{
    const __m128i all = _mm_loadu_si128((const __m128i*)groups[0]->widths);
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
    bits.stride[0] = ((uint32_t)_mm_extract_epi16(sum, 7) + 7) / 8;
    return bits;
}

// Add `share` of a coefficient, in steps, to each part.
INLINE void add_coefficient(const Bits* bits, const uint8_t* const from[GROUPS], Lane share, Lane v[4])
{
    const size_t* byte = bits->byte;
    const uint8_t* at = from[0];
    Wide word = { load_four(at + byte[0], at + byte[1], at + byte[4], at + byte[5]),
                  load_four(at + byte[2], at + byte[3], at + byte[6], at + byte[7]) };
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

INLINE LaneMask turning_lanes(const GtiPackedGroup* const groups[GROUPS])
{
    const __m256i lanes = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    __m256i turns = _mm256_and_si256(_mm256_set1_epi32((int)groups[0]->turns), lanes);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(turns, lanes));
}

INLINE Lane load_each(const GtiPackedGroup* const groups[GROUPS], size_t offset)
{
    return lane_load((const float*)((const char*)groups[0] + offset));
}

INLINE void store_places(float* to, const GtiPackedGroup* const groups[GROUPS], Lane v[4])
{
    const uint32_t* places = groups[0]->places;
    transpose_halves(v);
    for (int i = 0; i < 4; ++i) {
        store_halves(to + 4 * (size_t)places[i], to + 4 * (size_t)places[i + 4], v[i]);
    }
}

#include "runtime/packed_clip_lanes.h"

void gti_unpack_avx2(const GtiUnpackJob* job)
{
    unpack(job);
}

#else
typedef int gti_no_packed_clip_avx2; // a file must hold something
#endif
