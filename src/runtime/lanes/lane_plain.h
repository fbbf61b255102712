// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of plain C: four floats that every processor adds and multiplies one way or another.

#ifndef GERTIE_RUNTIME_LANES_LANE_PLAIN_H
#define GERTIE_RUNTIME_LANES_LANE_PLAIN_H

#include <string.h>

#define LANE_SIZE 4
#define REGISTERS 16

typedef float Lane __attribute__((vector_size(16)));

static inline Lane lane_load(const float* from)
{
    Lane a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline void lane_store(float* to, Lane a)
{
    memcpy(to, &a, sizeof a);
}

static inline Lane lane_set(float a)
{
    return (Lane){ a, a, a, a };
}

static inline Lane lane_add(Lane a, Lane b)
{
    return a + b;
}

static inline Lane lane_sub(Lane a, Lane b)
{
    return a - b;
}

static inline Lane lane_mul(Lane a, Lane b)
{
    return a * b;
}

static inline Lane lane_div(Lane a, Lane b)
{
    return a / b;
}

static inline Lane lane_mul_add(Lane a, Lane b, Lane c)
{
    return a * b + c;
}

static inline Lane lane_mul_sub(Lane a, Lane b, Lane c)
{
    return c - a * b;
}

#endif
