// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Monotone cubics after Fritsch and Carlson, "Monotone Piecewise Cubic Interpolation" (1980), with the weighted
// harmonic mean of Fritsch and Butland as slope: between two knots of equal value a curve stays level, so that what is
// keyed to rest rests.

#include "motions/curve.h"

#include <math.h>

double gti_ease(double t, double start, double end)
{
    return gti_quintic_step((t - start) / (end - start));
}

// The integral of an ease from 0 to 1 over `ramp`.
static double ramp_integral(double t, double ramp)
{
    double s = gti_clamp(t / ramp, 0.0, 1.0);
    double within = ramp * s * s * s * s * (2.5 + s * (s - 3.0));
    return t > ramp ? within + t - ramp : within;
}

double gti_glide(double t, double start, double end, double ramp)
{
    double length = end - start;
    double s = gti_clamp(t - start, 0.0, length);
    double covered = s < 0.5 * length ? ramp_integral(s, ramp) : length - ramp - ramp_integral(length - s, ramp);
    return covered / (length - ramp);
}

// Slope in a knot between a piece of length h0 and slope d0 and one of h1 and d1.
static double knot_slope(double h0, double d0, double h1, double d1)
{
    if (d0 * d1 <= 0.0) {
        return 0.0;
    }
    double w0 = 2.0 * h1 + h0;
    double w1 = h1 + 2.0 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

static double cubic(GtiMotionKnot a, GtiMotionKnot b, double slope_a, double slope_b, double time)
{
    double h = b.time - a.time;
    double s = (time - a.time) / h;
    double r = 1.0 - s;
    return r * r * (1.0 + 2.0 * s) * a.value + s * s * (3.0 - 2.0 * s) * b.value +
           h * s * r * (r * slope_a - s * slope_b);
}

static double slope_of(GtiMotionKnot a, GtiMotionKnot b)
{
    return (b.value - a.value) / (b.time - a.time);
}

// The piece from b to c of a curve that comes from a and goes to d.
static double piece(GtiMotionKnot a, GtiMotionKnot b, GtiMotionKnot c, GtiMotionKnot d, double time)
{
    double middle = slope_of(b, c);
    double h = c.time - b.time;
    double at_b = b.time > a.time ? knot_slope(b.time - a.time, slope_of(a, b), h, middle) : 0.0;
    double at_c = d.time > c.time ? knot_slope(h, middle, d.time - c.time, slope_of(c, d)) : 0.0;
    return cubic(b, c, at_b, at_c, time);
}

double gti_through(const GtiMotionKnot* knots, int count, double time)
{
    if (time <= knots[0].time) {
        return knots[0].value;
    }
    for (int i = 1; i < count; ++i) {
        if (time < knots[i].time) {
            return piece(knots[i > 1 ? i - 2 : 0], knots[i - 1], knots[i], knots[i + 1 < count ? i + 1 : i], time);
        }
    }
    return knots[count - 1].value;
}

static GtiMotionKnot cycle_knot(const GtiMotionKnot* knots, int count, double period, int i)
{
    int turn = i < 0 ? -1 : i / count;
    GtiMotionKnot knot = knots[i - turn * count];
    knot.time += turn * period;
    return knot;
}

double gti_through_cycle(const GtiMotionKnot* knots, int count, double period, double time)
{
    time -= period * floor((time - knots[0].time) / period);
    int i = 0;
    while (i + 1 < count && time >= knots[i + 1].time) {
        ++i;
    }
    return piece(cycle_knot(knots, count, period, i - 1), knots[i], cycle_knot(knots, count, period, i + 1),
                 cycle_knot(knots, count, period, i + 2), time);
}

double gti_between(GtiState from, GtiState to, double duration, double t)
{
    double s = t / duration;
    double v0 = from.rate * duration;
    double v1 = to.rate * duration;
    double a0 = 0.5 * from.bend * duration * duration;
    double a1 = 0.5 * to.bend * duration * duration;
    double gap = to.value - from.value - v0 - a0; // what the last three powers make up for
    double rate_gap = v1 - v0 - 2.0 * a0;
    double bend_gap = a1 - a0;
    double c3 = 10.0 * gap - 4.0 * rate_gap + bend_gap;
    double c4 = -15.0 * gap + 7.0 * rate_gap - 2.0 * bend_gap;
    double c5 = 6.0 * gap - 3.0 * rate_gap + bend_gap;
    return from.value + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5))));
}
