// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sets of numbers that are joined pair by pair: each number has a parent, and the smallest of a set is its own.

#ifndef GERTIE_GEOMETRY_JOIN_H
#define GERTIE_GEOMETRY_JOIN_H

#include <stdint.h>

// The smallest number of the set that `i` is in.
static inline uint32_t gti_join_find(uint32_t* parents, uint32_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// The smaller one stays, so that the result does not depend on the order.
static inline void gti_join(uint32_t* parents, uint32_t a, uint32_t b)
{
    a = gti_join_find(parents, a);
    b = gti_join_find(parents, b);
    parents[a < b ? b : a] = a < b ? a : b;
}

#endif
