// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The short way through gt_parse_double(), inline for readers of many numbers between blanks: plain decimals of up to
// 15 digits, of which 7 may follow the point. Where a word ends is found first and apart, so that the processor works
// on several words at a time. Its last bytes are taken as one integer; the gap of the point is closed, and all digits
// are summed with two multiplications. Mantissa and power of ten are exact doubles, so one division rounds correctly
// (Clinger 1990); gti_divide_scanned() makes many of them at once.

#ifndef GERTIE_BASE_NUMBER_SCAN_H
#define GERTIE_BASE_NUMBER_SCAN_H

#include "gertie/number.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    GTI_SCAN_ROOM = 16 // bytes that must be readable from a word's start on, and back from its end
};

#define GTI_EACH_BYTE(byte) ((uint64_t)(byte)*0x0101010101010101)

// Bytes of the word at `text`, up to a blank, a control character or a byte that is not ASCII; at most GTI_SCAN_ROOM.
static inline uint64_t gti_word_length(const char* text)
{
#if defined(__SSE2__)
    __m128i above = _mm_cmpgt_epi8(_mm_loadu_si128((const __m128i*)text), _mm_set1_epi8(' '));
    return (uint64_t)__builtin_ctz(~(unsigned)_mm_movemask_epi8(above));
#else
    uint64_t length = 0;
    while (length < GTI_SCAN_ROOM && (signed char)text[length] > ' ') {
        ++length;
    }
    return length;
#endif
}

// The number of eight digits (0 to 9, not '0' to '9'), the first in the lowest byte.
static inline uint64_t gti_sum_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000FF000000FF) * 0x000F424000000064 +
            ((digits >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
           32;
}

static inline bool gti_all_digits(uint64_t digits)
{
    return !(((digits + GTI_EACH_BYTE(0x76)) | digits) & GTI_EACH_BYTE(0x80));
}

// The bit of the first point among digits, or 0.
static inline uint64_t gti_find_point(uint64_t digits)
{
    uint64_t other = digits ^ GTI_EACH_BYTE('.' ^ '0');
    uint64_t zeros =
        (other - GTI_EACH_BYTE(1)) & ~other & GTI_EACH_BYTE(0x80); // the lowest is right, others may not be
    return zeros & (0 - zeros);
}

// gti_scan_word() for nine to fourteen digits and point: the last eight of them, and those before.
static inline bool gti_scan_long_word(const char* end, uint64_t count, uint64_t* mantissa, uint64_t* decimals)
{
    uint64_t low;
    uint64_t high;
    memcpy(&low, end - 8, sizeof low);
    memcpy(&high, end - 16, sizeof high);
    low ^= GTI_EACH_BYTE('0');
    high = (high ^ GTI_EACH_BYTE('0')) & ~(uint64_t)0 << (128 - 8 * count);
    uint64_t point = gti_find_point(low);
    if (point) {
        uint64_t before = low & ((point >> 7) - 1);
        low = (low & (0 - (point << 1))) | before << 8 | high >> 56;
        high <<= 8;
        *decimals = (uint64_t)__builtin_clzll(point) / 8;
    }
    *mantissa = gti_sum_digits(high) * 100000000 + gti_sum_digits(low);
    return gti_all_digits(low) && gti_all_digits(high);
}

// Scan a whole word such as "12", "-3.25" or ".5": the number is *mantissa / *power, which is the double that
// gt_parse_double() gives. False for all that gt_parse_double() must see.
static inline bool gti_scan_word(const char* word, uint64_t length, uint64_t* mantissa, double* power)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const double powers[2][8] = { { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7 },
                                         { -1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7 } };
    uint64_t negative = *word == '-';
    uint64_t count = length - negative; // of digits and the point
    uint64_t decimals = 0;
    if (count - 1 >= 8) {
        if (count - 1 >= 14 || !gti_scan_long_word(word + length, count, mantissa, &decimals)) {
            return false;
        }
        *power = powers[negative][decimals];
        return true;
    }
    uint64_t digits; // at the end of eight bytes, zeros before them
    memcpy(&digits, word + length - 8, sizeof digits);
    digits = (digits ^ GTI_EACH_BYTE('0')) & ~(uint64_t)0 << (64 - 8 * count);
    uint64_t point = gti_find_point(digits);
    if (point) {
        uint64_t before = digits & ((point >> 7) - 1);
        digits = (digits & (0 - (point << 1))) | before << 8;
        decimals = (uint64_t)__builtin_clzll(point) / 8;
        if (count == 1) {
            return false;
        }
    }
    *mantissa = gti_sum_digits(digits);
    *power = powers[negative][decimals];
    return gti_all_digits(digits);
#else
    (void)word;
    (void)length;
    (void)mantissa;
    (void)power;
    return false;
#endif
}

// out[i] = mantissas[i] / powers[i], for mantissas that gti_scan_word() gave: below 2^52, so that they are the low bits
// of a double between 2^52 and 2^53.
static inline void gti_divide_scanned(const uint64_t* mantissas, const double* powers, size_t count, double* out)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits = mantissas[i] | 0x4330000000000000;
        double shifted;
        memcpy(&shifted, &bits, sizeof bits);
        out[i] = (shifted - 4503599627370496.0) / powers[i];
    }
}

#endif
