// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Smooth curves of one number over time: what motions are drawn with.

#ifndef GERTIE_MOTIONS_CURVE_H
#define GERTIE_MOTIONS_CURVE_H

#include "base/scalar.h"

// A value at a time.
typedef struct GtiMotionKnot {
    double time, value;
} GtiMotionKnot;

// A state of motion: value, speed and acceleration.
typedef struct GtiState {
    double value, rate, bend;
} GtiState;

// From 0 to 1 while t goes from `start` to `end`, with no speed and no acceleration at either.
double gti_ease(double t, double start, double end);

// From 0 to 1 likewise, at an even rate in between; `ramp` is how long it takes to speed up and to slow down.
double gti_glide(double t, double start, double end, double ramp);

// Through the knots, whose times increase: cubic pieces that never overshoot a knot (Fritsch and Carlson 1980), level
// at the ends and beyond.
double gti_through(const GtiMotionKnot* knots, int count, double time);

// The same through knots that repeat after `period`; times increase within one period.
double gti_through_cycle(const GtiMotionKnot* knots, int count, double period, double time);

// The quintic from one state to another over `duration`; t from 0 to `duration`.
double gti_between(GtiState from, GtiState to, double duration, double t);

#endif
