// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Locale-free numbers. Parsing: up to 19 digits are gathered in an integer; where it and the power of ten are exact
// doubles (Clinger 1990), one multiplication or division rounds correctly; the rest goes to the C library under the
// "C" locale. Printing a float: digits from a double product, each length checked by parsing it back, so the first that
// returns the same float is the shortest.

#include "gertie/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

enum {
    MAX_EXACT_POWER = 22,
    LONG_NUMBER = 64
};

static const double powers_of_ten[MAX_EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t get_c_locale(void)
{
    pthread_once(&c_locale_once, make_c_locale);
    return c_locale;
}

// A decimal number as read: mantissa * 10^exponent, exact unless digits were dropped.
typedef struct Decimal {
    uint64_t mantissa;
    int32_t exponent;
    bool negative;
    bool inexact;
    const char* end;
} Decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool scan_digits(const char** text, const char* end, Decimal* d, int32_t exponent_step)
{
    const char* p = *text;
    for (; p < end && is_digit(*p); ++p) {
        if (d->mantissa < (UINT64_MAX - 9) / 10) {
            d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
            d->exponent -= exponent_step;
        } else {
            d->inexact |= *p != '0';
            d->exponent += 1 - exponent_step;
        }
    }
    bool any = p > *text;
    *text = p;
    return any;
}

static const char* scan_exponent(const char* p, const char* end, Decimal* d)
{
    if (p == end || (*p != 'e' && *p != 'E')) {
        return p;
    }
    const char* q = p + 1;
    bool negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+')) {
        ++q;
    }
    if (q == end || !is_digit(*q)) {
        return p; // "1e" is the number 1 followed by a letter
    }
    int32_t value = 0;
    for (; q < end && is_digit(*q); ++q) {
        value = value < 100000 ? value * 10 + (*q - '0') : value;
    }
    d->exponent += negative ? -value : value;
    return q;
}

static bool scan_decimal(const char* text, const char* end, Decimal* d)
{
    *d = (Decimal){ 0 };
    const char* p = text;
    if (p < end && (*p == '-' || *p == '+')) {
        d->negative = *p++ == '-';
    }
    bool any = scan_digits(&p, end, d, 0);
    if (p < end && *p == '.') {
        ++p;
        any |= scan_digits(&p, end, d, 1);
    }
    if (!any) {
        return false;
    }
    d->end = scan_exponent(p, end, d);
    return true;
}

static bool matches(const char* p, const char* end, const char* word)
{
    for (; *word; ++p, ++word) {
        if (p == end || (*p | 0x20) != *word) {
            return false;
        }
    }
    return true;
}

static const char* parse_word(const char* text, const char* end, double* out)
{
    const char* p = text;
    double sign = 1.0;
    if (p < end && (*p == '-' || *p == '+')) {
        sign = *p++ == '-' ? -1.0 : 1.0;
    }
    if (matches(p, end, "nan")) {
        *out = NAN;
        return p + 3;
    }
    if (matches(p, end, "inf")) {
        *out = sign * (double)INFINITY;
        return p + (matches(p, end, "infinity") ? 8 : 3);
    }
    return NULL;
}

static bool convert_exact(const Decimal* d, double* out)
{
    if (d->inexact || d->mantissa > (1ULL << 53)) {
        return false;
    }
    double value = (double)d->mantissa;
    if (d->mantissa != 0) {
        if (d->exponent < -MAX_EXACT_POWER || d->exponent > MAX_EXACT_POWER) {
            return false;
        }
        value = d->exponent < 0 ? value / powers_of_ten[-d->exponent] : value * powers_of_ten[d->exponent];
    }
    *out = d->negative ? -value : value;
    return true;
}

// The C library needs a terminated text; numbers of absurd length are cut where no rounding can see it.
static void copy_number(const Decimal* d, const char* text, char* copy, size_t copy_size)
{
    size_t length = (size_t)(d->end - text);
    if (length < copy_size) {
        memcpy(copy, text, length);
        copy[length] = 0;
        return;
    }
    snprintf(copy, copy_size, "%s%llu%se%d", d->negative ? "-" : "", (unsigned long long)d->mantissa,
             d->inexact ? "1" : "", (int)(d->inexact ? d->exponent - 1 : d->exponent));
}

const char* gt_parse_double(const char* text, const char* end, double* out)
{
    Decimal d;
    if (!scan_decimal(text, end, &d)) {
        return parse_word(text, end, out);
    }
    if (!convert_exact(&d, out)) {
        char copy[LONG_NUMBER];
        copy_number(&d, text, copy, sizeof copy);
        *out = strtod_l(copy, NULL, get_c_locale());
    }
    return d.end;
}

const char* gt_parse_float(const char* text, const char* end, float* out)
{
    Decimal d;
    double value = 0.0;
    if (!scan_decimal(text, end, &d)) {
        const char* after = parse_word(text, end, &value);
        if (after) {
            *out = (float)value;
        }
        return after;
    }
    if (convert_exact(&d, &value)) {
        // Rounding twice errs only where the double lies exactly between two floats (or among denormals).
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        double size = fabs(value);
        if ((bits & 0x1FFFFFFF) != 0x10000000 && (size == 0.0 || (size > 1.2e-38 && size < 3.4e38))) {
            *out = (float)value;
            return d.end;
        }
    }
    char copy[LONG_NUMBER];
    copy_number(&d, text, copy, sizeof copy);
    *out = strtof_l(copy, NULL, get_c_locale());
    return d.end;
}

const char* gt_parse_int64(const char* text, const char* end, int64_t* out)
{
    const char* p = text;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) {
        ++p;
    }
    if (p == end || !is_digit(*p)) {
        return NULL;
    }
    uint64_t limit = negative ? (uint64_t)1 << 63 : (uint64_t)INT64_MAX;
    uint64_t value = 0;
    for (; p < end && is_digit(*p); ++p) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (limit - digit) / 10) {
            return NULL;
        }
        value = value * 10 + digit;
    }
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return p;
}

static int print_special(double value, char* out)
{
    const char* text = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return snprintf(out, GT_NUMBER_SIZE, "%s", text);
}

// Digits d1 d2 d3... times 10^(point - digit_count) as people write it: plain between 1e-4 and 1e9, else with exponent.
static int lay_out(bool negative, const char* digits, int digit_count, int point, char* out)
{
    char* p = out;
    if (negative) {
        *p++ = '-';
    }
    if (point > -4 && point <= 9) {
        if (point <= 0) {
            *p++ = '0';
            *p++ = '.';
            for (int i = point; i < 0; ++i) {
                *p++ = '0';
            }
        }
        for (int i = 0; i < digit_count || i < point; ++i) {
            if (i == point && point > 0) {
                *p++ = '.';
            }
            *p++ = i < digit_count ? digits[i] : '0';
        }
        *p = 0;
        return (int)(p - out);
    }
    *p++ = digits[0];
    if (digit_count > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, (size_t)(digit_count - 1));
        p += digit_count - 1;
    }
    p += snprintf(p, 8, "e%+d", point - 1);
    return (int)(p - out);
}

static int print_digits(bool negative, uint64_t mantissa, int exponent, char* out)
{
    char digits[24];
    while (mantissa && mantissa % 10 == 0) {
        mantissa /= 10;
        ++exponent;
    }
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)mantissa);
    return lay_out(negative, digits, count, count + exponent, out);
}

// Digits of `value` by the C library, for numbers whose power of ten is no exact double.
static int print_by_library(double value, int first_precision, int last_precision, bool single, char* out)
{
    locale_t before = uselocale(get_c_locale());
    char text[GT_NUMBER_SIZE + 8] = "";
    for (int precision = first_precision; precision <= last_precision; ++precision) {
        snprintf(text, sizeof text, "%.*e", precision - 1, value);
        const char* end = text + strlen(text);
        double back = 0.0;
        float back_single = 0.0f;
        gt_parse_double(text, end, &back);
        gt_parse_float(text, end, &back_single);
        if (single ? back_single == (float)value : back == value) {
            break;
        }
    }
    uselocale(before);
    Decimal d;
    scan_decimal(text, text + strlen(text), &d);
    return print_digits(d.negative, d.mantissa, d.exponent, out);
}

int gt_print_float(float value, char* out)
{
    if (!isfinite(value)) {
        return print_special((double)value, out);
    }
    if (value == 0.0f) {
        return snprintf(out, GT_NUMBER_SIZE, signbit(value) ? "-0" : "0");
    }
    double size = fabs((double)value);
    int point =
        (int)floor(log10(size)) + 1; // digits before the decimal point; a wrong guess costs a digit, not the value
    for (int precision = 1; precision <= 9; ++precision) {
        int exponent = point - precision;
        if (exponent < -MAX_EXACT_POWER || exponent > MAX_EXACT_POWER) {
            break;
        }
        double scaled = exponent < 0 ? size * powers_of_ten[-exponent] : size / powers_of_ten[exponent];
        double mantissa = floor(scaled + 0.5);
        double back = exponent < 0 ? mantissa / powers_of_ten[-exponent] : mantissa * powers_of_ten[exponent];
        if ((float)back == (float)size) {
            char text[GT_NUMBER_SIZE];
            int length = print_digits(signbit(value) != 0, (uint64_t)mantissa, exponent, text);
            float again = 0.0f;
            gt_parse_float(text, text + length, &again); // the proof: this very text is the number
            if (again == value) {
                memcpy(out, text, (size_t)length + 1);
                return length;
            }
        }
    }
    return print_by_library((double)value, 1, 9, true, out);
}

int gt_print_double(double value, char* out)
{
    if (!isfinite(value)) {
        return print_special(value, out);
    }
    if (value == 0.0) {
        return snprintf(out, GT_NUMBER_SIZE, signbit(value) ? "-0" : "0");
    }
    if (fabs(value) < 1e15 && value == floor(value)) {
        return print_digits(value < 0, (uint64_t)fabs(value), 0, out);
    }
    return print_by_library(value, 15, 17, false, out);
}
