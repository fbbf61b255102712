// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that no locale changes. Parsing: up to 19 digits are gathered in an integer; where it and the power of ten
// are exact doubles (Clinger 1990), one multiplication or division rounds correctly. A float may also be read from
// bounds around such a product, where both round to the same one. The rest goes to the C library under the "C" locale.
// Printing: lengths are tried from the shortest, and each text is parsed back; the first that returns the same number
// is the answer, so that a wrong guess on the way costs time, never the value.

#include "gertie/number.h"

#include "base/ascii.h"
#include "base/format.h"

#include <float.h>
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
    // Between two doubles lies a decimal of at most 767 digits; of a longer number only whether more follows matters.
    MAX_DIGITS = 768,
    LONG_NUMBER = MAX_DIGITS + 32
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

int gti_format_v(char* out, size_t out_size, const char* format, va_list arguments)
{
    locale_t plain = get_c_locale(); // a constant of every C library we know, for which there is always memory
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int length = vsnprintf(out, out_size, format, arguments);
    if (before) {
        uselocale(before);
    }
    return length;
}

int gti_format(char* out, size_t out_size, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = gti_format_v(out, out_size, format, arguments);
    va_end(arguments);
    return length;
}

// A decimal number as read: mantissa * 10^exponent, exact unless digits were dropped.
typedef struct Decimal {
    uint64_t mantissa;
    int64_t exponent;
    bool negative;
    bool inexact;
    const char* end;
} Decimal;

static bool scan_digits(const char** text, const char* end, Decimal* d, int64_t exponent_step)
{
    const char* p = *text;
    for (; p < end && gti_is_digit(*p); ++p) {
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
    if (q == end || !gti_is_digit(*q)) {
        return p; // "1e" is the number 1 followed by a letter
    }
    int64_t value = 0;
    for (; q < end && gti_is_digit(*q); ++q) {
        value = value < INT64_MAX / 100 ? value * 10 + (*q - '0') : value;
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

// A number as the C library wants it: terminated, and no longer than any rounding can see.
static void copy_number(const Decimal* d, const char* text, char copy[LONG_NUMBER])
{
    size_t length = (size_t)(d->end - text);
    if (length < LONG_NUMBER) {
        memcpy(copy, text, length);
        copy[length] = 0;
        return;
    }
    // Significant digits as an integer, with a 1 for all that is cut off, times a power of ten.
    char* out = copy;
    if (d->negative) {
        *out++ = '-';
    }
    int64_t exponent = 0;
    int digit_count = 0;
    bool point = false;
    bool more = false;
    const char* p = text + (*text == '-' || *text == '+');
    for (; p < d->end && (gti_is_digit(*p) || *p == '.'); ++p) {
        point |= *p == '.';
        if (*p == '.' || (*p == '0' && digit_count == 0)) {
            exponent -= *p == '0' && point;
            continue;
        }
        if (digit_count < MAX_DIGITS) {
            *out++ = *p;
            ++digit_count;
            exponent -= point;
        } else {
            more |= *p != '0';
            exponent += !point;
        }
    }
    if (more) {
        *out++ = '1';
        --exponent;
    }
    Decimal written = { .exponent = exponent };
    scan_exponent(p, d->end, &written);
    int64_t limit = 100000; // far beyond what 769 digits can bring back
    exponent = written.exponent > limit ? limit : written.exponent < -limit ? -limit : written.exponent;
    snprintf(out, 16, "e%d", (int)exponent);
}

const char* gt_parse_double(const char* text, const char* end, double* out)
{
    Decimal d;
    if (!scan_decimal(text, end, &d)) {
        return parse_word(text, end, out);
    }
    if (!convert_exact(&d, out)) {
        char copy[LONG_NUMBER];
        copy_number(&d, text, copy);
        *out = strtod_l(copy, NULL, get_c_locale());
    }
    return d.end;
}

// Round to float by way of a double that is off by less than one part in 2^51 (two roundings and the digits beyond the
// 19th): sure where both bounds give the same float.
static bool convert_float(const Decimal* d, float* out)
{
    if (d->mantissa == 0) {
        *out = d->negative ? -0.0f : 0.0f;
        return true;
    }
    if (d->exponent < -MAX_EXACT_POWER || d->exponent > MAX_EXACT_POWER) {
        return false;
    }
    double value = (double)d->mantissa;
    value = d->exponent < 0 ? value / powers_of_ten[-d->exponent] : value * powers_of_ten[d->exponent];
    if (value > 3e38) {
        return false;
    }
    float low = (float)(value * (1.0 - 0x1p-51));
    float high = (float)(value * (1.0 + 0x1p-51));
    *out = d->negative ? -low : low;
    return low == high; // and no denormal, for the smallest value here is 1e-22
}

const char* gt_parse_float(const char* text, const char* end, float* out)
{
    Decimal d;
    if (!scan_decimal(text, end, &d)) {
        double value = 0.0;
        const char* after = parse_word(text, end, &value);
        if (after) {
            *out = (float)value;
        }
        return after;
    }
    if (!convert_float(&d, out)) {
        char copy[LONG_NUMBER];
        copy_number(&d, text, copy);
        *out = strtof_l(copy, NULL, get_c_locale());
    }
    return d.end;
}

const char* gt_parse_int64(const char* text, const char* end, int64_t* out)
{
    const char* p = text;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) {
        ++p;
    }
    if (p == end || !gti_is_digit(*p)) {
        return NULL;
    }
    uint64_t limit = negative ? (uint64_t)1 << 63 : (uint64_t)INT64_MAX;
    uint64_t value = 0;
    for (; p < end && gti_is_digit(*p); ++p) {
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
    char digits[20]; // from the end, as they come
    int count = 0;
    for (; mantissa; mantissa /= 10) {
        char digit = (char)('0' + mantissa % 10);
        if (digit == '0' && count == 0) {
            ++exponent;
        } else {
            digits[sizeof digits - (size_t)++count] = digit;
        }
    }
    return lay_out(negative, digits + sizeof digits - count, count, count + exponent, out);
}

// A number to be printed.
typedef struct Printed {
    double value;
    bool single;       // it is a float
    bool power_of_two; // its lower neighbour is nearer than its upper one
} Printed;

// Print mantissa * 10^exponent; its length if that reads back as the number, else 0. At a power of two the nearest
// decimal may lie too far below where the next one above still reads back.
static int try_digits(const Printed* number, uint64_t mantissa, int exponent, char* out)
{
    for (int above = 0; above <= number->power_of_two; ++above) {
        int length = print_digits(signbit(number->value) != 0, mantissa + (uint64_t)above, exponent, out);
        float back_single = 0.0f;
        double back = 0.0;
        if (number->single) {
            gt_parse_float(out, out + length, &back_single);
            back = (double)back_single;
        } else {
            gt_parse_double(out, out + length, &back);
        }
        if (back == number->value) {
            return length;
        }
    }
    return 0;
}

static double times_power(double value, int exponent)
{
    return exponent < 0 ? value / powers_of_ten[-exponent] : value * powers_of_ten[exponent];
}

// `precision` digits by one multiplication; -1 where the power of ten is no exact double.
static int try_product(const Printed* number, int precision, char* out)
{
    double size = fabs(number->value);
    int two = 0;
    frexp(size, &two);
    int exponent = (int)floor((two - 1) * 0.30102999566398120) + 1 - precision; // at most one too small
    for (int attempt = 0; attempt < 2; ++attempt, ++exponent) {
        if (exponent < -MAX_EXACT_POWER || exponent > MAX_EXACT_POWER) {
            return -1;
        }
        double scaled = times_power(size, -exponent);
        if (scaled < powers_of_ten[precision]) {
            double digits = floor(scaled + 0.5);
            bool hopeless = number->single && !number->power_of_two &&
                            (float)times_power(digits, exponent) != (float)size; // spares the printing
            return hopeless ? 0 : try_digits(number, (uint64_t)digits, exponent, out);
        }
    }
    return 0;
}

static int try_library(const Printed* number, int precision, char* out)
{
    char text[GT_NUMBER_SIZE];
    locale_t before = uselocale(get_c_locale());
    snprintf(text, sizeof text, "%.*e", precision - 1, number->value);
    uselocale(before);
    Decimal d;
    scan_decimal(text, text + strlen(text), &d);
    return try_digits(number, d.mantissa, (int)d.exponent, out);
}

// The shortest: `first` digits or more, by products up to `last_product` digits, by the library up to `last`. Of
// `first` or fewer digits at most one decimal reads back as a given number, and it is found with its zeros trimmed.
static int print_shortest(const Printed* number, int first, int last_product, int last, char* out)
{
    int length = 0;
    int precision = first;
    for (; precision <= last_product && length == 0; ++precision) {
        length = try_product(number, precision, out);
    }
    for (precision = length < 0 ? precision - 1 : first; precision <= last && length <= 0; ++precision) {
        length = try_library(number, precision, out);
    }
    return length;
}

int gt_print_float(float value, char* out)
{
    if (!isfinite(value)) {
        return print_special((double)value, out);
    }
    if (value == 0.0f) {
        return snprintf(out, GT_NUMBER_SIZE, signbit(value) ? "-0" : "0");
    }
    int exponent = 0;
    Printed number = { (double)value, true, fabsf(frexpf(value, &exponent)) == 0.5f };
    if (fabsf(value) < FLT_MIN) {
        return print_shortest(&number, 1, 0, FLT_DECIMAL_DIG, out);
    }
    return print_shortest(&number, FLT_DIG, FLT_DECIMAL_DIG, FLT_DECIMAL_DIG, out);
}

int gt_print_double(double value, char* out)
{
    if (!isfinite(value)) {
        return print_special(value, out);
    }
    if (value == 0.0) {
        return snprintf(out, GT_NUMBER_SIZE, signbit(value) ? "-0" : "0");
    }
    int exponent = 0;
    Printed number = { value, false, fabs(frexp(value, &exponent)) == 0.5 };
    if (fabs(value) < DBL_MIN) {
        return print_shortest(&number, 1, 0, DBL_DECIMAL_DIG, out);
    }
    return print_shortest(&number, DBL_DIG, DBL_DIG, DBL_DECIMAL_DIG, out); // more digits are beyond a product
}
