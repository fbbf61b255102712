// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers: circles, limits and steps.

#ifndef GERTIE_BASE_SCALAR_H
#define GERTIE_BASE_SCALAR_H

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

#endif
