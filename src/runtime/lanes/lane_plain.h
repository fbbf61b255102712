// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of plain C: four floats that every processor adds and multiplies one way or another.

#ifndef GERTIE_RUNTIME_LANES_LANE_PLAIN_H
#define GERTIE_RUNTIME_LANES_LANE_PLAIN_H

#define LANE_SIZE 4
#define REGISTERS 16

typedef float Lane __attribute__((vector_size(16)));

#include "runtime/lanes/lane.h"

static inline Lane lane_set(float a)
{
    return (Lane){ a, a, a, a };
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
