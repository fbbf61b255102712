// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Ticks as in Heckbert, "Nice numbers for graph labels" (Graphics Gems, 1990), but inside the range rather than around
// it, and with labels from whole numbers. Invariant: low < high, and a tick's label times its power is the tick.

#include "render/plot/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double room_around = 0.06;    // of the range, above and below
static const double zero_is_near = 0.25;   // of the highest value
static const double float_noise = 1e-5;    // of the largest value: a few roundings of floats
static const double double_noise = 1e-9;   // likewise of times
static const double tick_tolerance = 1e-4; // of a step: float times just miss their round numbers

GtiScale gti_scale_of_values(double low, double high)
{
    double largest = fmax(fabs(low), fabs(high));
    double least = largest > 0.0 ? largest * float_noise : 0.0;
    if (!(high - low > least)) {
        double around = largest > 0.0 ? 0.1 * largest : 1.0;
        return (GtiScale){ .low = 0.5 * (low + high) - around, .high = 0.5 * (low + high) + around };
    }
    double room = (high - low) * room_around;
    bool from_zero = low >= 0.0 && low <= high * zero_is_near;
    return (GtiScale){ .low = from_zero ? 0.0 : low - room, .high = high + room };
}

GtiScale gti_scale_of_time(double from_s, double to_s)
{
    double largest = fmax(fabs(from_s), fabs(to_s));
    if (!(to_s - from_s > largest * double_noise)) {
        double around = fmax(0.5, largest * double_noise);
        return (GtiScale){ .low = from_s - around, .high = to_s + around };
    }
    return (GtiScale){ .low = from_s, .high = to_s };
}

static double step_of(const GtiScale* scale)
{
    return gti_scale_tick(scale, 1);
}

void gti_scale_choose_ticks(GtiScale* scale, double most)
{
    static const int32_t digits[] = { 1, 2, 5 };
    double wanted = (scale->high - scale->low) / fmax(most, 1.0);
    int i = 0;
    scale->exponent = (int32_t)floor(log10(wanted)) - 1; // one below, in case the logarithm was rounded up
    scale->digit = digits[0];
    while (step_of(scale) < wanted) {
        i = (i + 1) % 3;
        scale->exponent += i == 0;
        scale->digit = digits[i];
    }
    double step = step_of(scale);
    scale->first = (int64_t)ceil(scale->low / step - tick_tolerance);
    scale->last = (int64_t)floor(scale->high / step + tick_tolerance);

    int64_t largest = scale->first < 0 ? -scale->first : scale->first;
    largest = scale->last > largest ? scale->last : largest;
    int32_t leading = scale->exponent - 1; // power of ten of the largest label's first digit
    for (int64_t left = largest * scale->digit; left > 0; left /= 10) {
        ++leading;
    }
    bool has_zeros = leading >= 5 && scale->exponent >= 3; // which a power would spare
    bool is_plain = largest == 0 || (leading >= -3 && leading < 9 && !has_zeros);
    scale->power = is_plain ? 0 : leading - ((leading % 3) + 3) % 3;
}

double gti_scale_tick(const GtiScale* scale, int64_t tick)
{
    double steps = (double)(tick * scale->digit);
    return scale->exponent < 0 ? steps / pow(10.0, -scale->exponent) : steps * pow(10.0, scale->exponent);
}

double gti_scale_place(const GtiScale* scale, double value)
{
    return (value - scale->low) / (scale->high - scale->low);
}

void gti_scale_print(const GtiScale* scale, int64_t tick, char out[GTI_TICK_SIZE])
{
    int64_t number = tick * scale->digit;
    int zeros = scale->exponent - scale->power;
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)(number < 0 ? -number : number));
    if (number == 0) {
        snprintf(out, GTI_TICK_SIZE, "0");
        return;
    }
    const char* sign = number < 0 ? "\xE2\x88\x92" : ""; // a minus as long as a digit is wide
    if (zeros >= 0) {
        snprintf(out, GTI_TICK_SIZE, "%s%s%.*s", sign, digits, zeros, "00000000");
    } else if (length > -zeros) {
        snprintf(out, GTI_TICK_SIZE, "%s%.*s.%s", sign, length + zeros, digits, digits + length + zeros);
    } else {
        snprintf(out, GTI_TICK_SIZE, "%s0.%.*s%s", sign, -zeros - length, "0000000000000000", digits);
    }
}

void gti_scale_print_power(const GtiScale* scale, char out[GTI_TICK_SIZE])
{
    static const char* const raised[] = { "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                          "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                          "\xE2\x81\xB8", "\xE2\x81\xB9" };
    char digits[16];
    out[0] = 0;
    if (scale->power == 0) {
        return;
    }
    int length = snprintf(digits, sizeof digits, "%d", scale->power < 0 ? -scale->power : scale->power);
    size_t used = (size_t)snprintf(out, GTI_TICK_SIZE, "10%s", scale->power < 0 ? "\xE2\x81\xBB" : "");
    for (int i = 0; i < length; ++i) {
        used += (size_t)snprintf(out + used, GTI_TICK_SIZE - used, "%s", raised[digits[i] - '0']);
    }
}
