// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the lanes of every processor level do alike. Included after the type Lane and LANE_SIZE.

#ifndef GERTIE_RUNTIME_LANES_LANE_H
#define GERTIE_RUNTIME_LANES_LANE_H

#include <string.h>

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

#if LANE_SIZE == 4
// Rows become columns.
static inline void lane_transpose(Lane m[4])
{
    Lane a = __builtin_shufflevector(m[0], m[1], 0, 4, 1, 5);
    Lane b = __builtin_shufflevector(m[0], m[1], 2, 6, 3, 7);
    Lane c = __builtin_shufflevector(m[2], m[3], 0, 4, 1, 5);
    Lane d = __builtin_shufflevector(m[2], m[3], 2, 6, 3, 7);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    m[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#endif

#endif
