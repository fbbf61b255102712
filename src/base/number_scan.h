// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The short way through gt_parse_double(), inline for readers of many numbers: plain decimals of up to seven digits
// before and after the point, eight bytes at a time. Find where the digits stop, close the gap of the point, and sum
// all digits with two multiplications. Mantissa and power of ten are exact doubles, so one division rounds correctly
// (Clinger 1990).

#ifndef GERTIE_BASE_NUMBER_SCAN_H
#define GERTIE_BASE_NUMBER_SCAN_H

#include "gertie/number.h"

#include <string.h>

enum {
    GTI_SCAN_ROOM = 18 // bytes that gti_scan_short() may look at
};

#define GTI_EACH_BYTE(byte) ((uint64_t)(byte)*0x0101010101010101)

// The number of eight digits (0 to 9, not '0' to '9'), the first in the lowest byte.
static inline uint64_t gti_sum_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000FF000000FF) * 0x000F424000000064 +
            ((digits >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
           32;
}

// The top bit of every byte of `digits` that is no digit. Bytes after the first of them may be wrong where the text is
// not ASCII.
static inline uint64_t gti_digit_stops(uint64_t digits)
{
    return ((digits + GTI_EACH_BYTE(0x76)) | digits) & GTI_EACH_BYTE(0x80);
}

// The rest of gti_scan_short() for a number that runs on past the eighth byte.
// @param whole   the digits before the point
// @param point   8 * their count + 7
// @param powers  signed powers of ten, from the second on
static inline const char* gti_scan_fraction(const char* text, uint64_t whole, unsigned point, const double* powers,
                                            double* out)
{
    uint64_t digits;
    memcpy(&digits, text + (point >> 3) + 1, sizeof digits);
    digits ^= GTI_EACH_BYTE('0');
    uint64_t stops = gti_digit_stops(digits);
    if (!stops || point < 8) {
        return NULL;
    }
    unsigned end = (unsigned)__builtin_ctzll(stops);
    if (end < 8) {
        return NULL;
    }
    uint64_t fraction = gti_sum_digits(digits << (71 - end));
    double power = powers[(end >> 3) + 1];
    uint64_t scale = (uint64_t)(power < 0.0 ? -power : power);
    *out = (double)(gti_sum_digits(whole << (71 - point)) * scale + fraction) / power;
    return text + (point >> 3) + 1 + (end >> 3);
}

// Parse "12", "-3.25", ".5" at `text`, which must have GTI_SCAN_ROOM bytes.
// @return first byte after the digits, or NULL for all that gt_parse_double() must see. An exponent may follow, which
//         is the caller's to notice; without one, both give the same double.
static inline const char* gti_scan_short(const char* text, double* out)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const double powers[2][9] = { { 1e0, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7 },
                                         { -1e0, -1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7 } };
    uint64_t negative = *text == '-';
    uint64_t bytes;
    uint64_t from_second;
    memcpy(&bytes, text, sizeof bytes);
    memcpy(&from_second, text + 1, sizeof bytes);
    bytes ^= (bytes ^ from_second) & (0 - negative); // no branch: signs cannot be predicted
    uint64_t digits = bytes ^ GTI_EACH_BYTE('0');
    uint64_t stops = gti_digit_stops(digits);
    if (!stops) {
        return NULL;
    }
    text += negative;
    unsigned end = (unsigned)__builtin_ctzll(stops); // 8 * digits + 7
    unsigned point = end;
    if (text[end >> 3] == '.') {
        uint64_t whole = ((stops & (0 - stops)) >> 7) - 1; // the bytes before the point
        stops &= stops - 1;
        if (!stops) {
            return gti_scan_fraction(text, digits & whole, end, powers[negative], out);
        }
        digits = (digits & whole) | ((digits >> 8) & ~whole);
        end = (unsigned)__builtin_ctzll(stops) - 8;
        point -= 8;
    }
    if (end < 8) {
        return NULL;
    }
    *out = (double)gti_sum_digits(digits << (71 - end)) / powers[negative][(end - point) >> 3];
    return text + (end >> 3) + (end != point);
#else
    (void)text;
    (void)out;
    return NULL;
#endif
}

#endif
