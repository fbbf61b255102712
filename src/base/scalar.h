// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers: circles, limits, steps and shades.

#ifndef GERTIE_BASE_SCALAR_H
#define GERTIE_BASE_SCALAR_H

#include <math.h>

#define GTI_PI     3.14159265358979323846
#define GTI_DEGREE (GTI_PI / 180.0) // in radians: gt_radians() for constants

// The number of [low, high] that is nearest to x; `low` where x is NaN.
static inline double gti_clamp(double x, double low, double high)
{
    return x > low ? x < high ? x : high : low;
}

static inline float gti_clampf(float x, float low, float high)
{
    return x > low ? x < high ? x : high : low;
}

static inline double gti_mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

// The time of a frame; of a single one the rate may be 0.
static inline double gti_frame_time_s(double start_s, double rate_hz, int frame)
{
    return start_s + (frame > 0 ? (double)frame / rate_hz : 0.0);
}

// From 0 at t = 0 to 1 at t = 1, and no further, with no speed at either.
static inline double gti_cubic_step(double t)
{
    t = gti_clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static inline float gti_cubic_stepf(float t)
{
    t = gti_clampf(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// The same with no acceleration at either, too.
static inline double gti_quintic_step(double t)
{
    t = gti_clamp(t, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

static inline float gti_quintic_stepf(float t)
{
    t = gti_clampf(t, 0.0f, 1.0f);
    return t * t * t * (t * (6.0f * t - 15.0f) + 10.0f);
}

// sRGB to linear light, and back, 0 to 1 (IEC 61966-2-1).
static inline double gti_linear_from_srgb(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static inline double gti_srgb_from_linear(double value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
}

#endif
