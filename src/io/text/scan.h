// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Words and numbers of a line in a piece of text (text_pieces.h), whose room lets scanners look ahead. Inline: this is
// where a reader of text spends its time.

#ifndef GERTIE_IO_TEXT_SCAN_H
#define GERTIE_IO_TEXT_SCAN_H

#include "base/number_scan.h"
#include "io/text/pieces.h"

static inline bool gti_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// Whether a word ends here.
static inline bool gti_ends_word(char c)
{
    return (unsigned char)c <= ' ';
}

// Past blanks, and past a backslash at the end of a line, which is counted.
static inline const char* gti_skip_blanks(const char* p, int64_t* line)
{
    for (;;) {
        while (gti_is_blank(*p)) {
            ++p;
        }
        if (*p != '\\' || !(p[1] == '\n' || p[1] == '\r')) {
            return p;
        }
        p += p[1] == '\r' && p[2] == '\n' ? 3 : 2;
        ++*line;
    }
}

// Where a number's word ends that was parsed up to `after`: there, at a comment's '#', or behind "#QNAN" and "(ind)",
// which make the number NaN; NULL where the word is no number.
static inline const char* gti_end_number(const char* after, bool* nan)
{
    *nan = (*after == '#' && after[-1] == '.') || *after == '(';
    while (*nan && !gti_ends_word(*after)) {
        ++after;
    }
    return gti_ends_word(*after) || *after == '#' ? after : NULL;
}

// A number in single precision, rounded once; false where the word is none.
static inline bool gti_scan_float(const char** text, const char* end, float* out)
{
    const char* p = *text;
    uint64_t mantissa;
    double power;
    uint64_t length = gti_word_length(p);
    if (length < GTI_SCAN_ROOM && gti_scan_word(p, length, &mantissa, &power)) {
        *out = (float)((double)(int64_t)mantissa / power); // at most 14 digits: no float lies between the two roundings
        *text = p + length;
        return true;
    }
    bool nan = false;
    const char* after = gt_parse_float(p, end, out);
    after = after ? gti_end_number(after, &nan) : NULL;
    *out = nan ? __builtin_nanf("") : *out;
    *text = after ? after : p;
    return after != NULL;
}

// As gti_scan_float(), in double precision.
static inline bool gti_scan_double(const char** text, const char* end, double* out)
{
    bool nan = false;
    const char* after = gt_parse_double(*text, end, out);
    after = after ? gti_end_number(after, &nan) : NULL;
    *out = nan ? __builtin_nan("") : *out;
    *text = after ? after : *text;
    return after != NULL;
}

// A whole number with digits alone or a sign before them, as far as digits go; *out stays within +-2^62. False where
// there is no digit.
static inline bool gti_scan_integer(const char** text, int64_t* out)
{
    const char* p = *text;
    bool negative = *p == '-';
    p += negative || *p == '+';
    unsigned digit = (unsigned)(*p - '0');
    if (digit > 9) {
        return false;
    }
    int64_t value = 0;
    do {
        value = value < ((int64_t)1 << 58) ? value * 10 + (int64_t)digit : value;
        digit = (unsigned)(*++p - '0');
    } while (digit <= 9);
    *out = negative ? -value : value;
    *text = p;
    return true;
}

// The end of the line at `p`; `end` where that comes first.
static inline const char* gti_find_line_end(const char* p, const char* end)
{
#if defined(__SSE2__)
    for (; end - p >= 16; p += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i*)p);
        __m128i ends = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r'))),
            _mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
        unsigned mask = (unsigned)_mm_movemask_epi8(ends);
        if (mask) {
            return p + __builtin_ctz(mask);
        }
    }
#endif
    while (p < end && !gti_is_line_end(*p)) {
        ++p;
    }
    return p;
}

// Past the end of a line, which is counted. Zeros, which files are padded with, are one end all together.
static inline const char* gti_skip_line_end(const char* p, const char* end, int64_t* line)
{
    if (p >= end) {
        return end;
    }
    ++*line;
    if (*p == '\0') {
        uint64_t word = 0;
        for (; end - p >= 8; p += 8) {
            memcpy(&word, p, sizeof word);
            if (word) {
                break;
            }
        }
        while (p < end && *p == '\0') {
            ++p;
        }
        return p;
    }
    return p + (*p == '\r' && p[1] == '\n' && p + 1 < end ? 2 : 1);
}

// Whether the word at `p` is `word`, in this case.
static inline bool gti_word_is(const char* p, const char* word)
{
    size_t length = strlen(word);
    return strncmp(p, word, length) == 0 && gti_ends_word(p[length]);
}

#endif
