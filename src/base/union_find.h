// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Disjoint sets of the numbers 0 to count - 1 (Tarjan 1975, with path halving). Each number has a parent that is no
// larger; the root of a set, its own parent, is the smallest number in it. So the result does not depend on the order
// in which sets are joined.

#ifndef GERTIE_BASE_UNION_FIND_H
#define GERTIE_BASE_UNION_FIND_H

#include <stdint.h>

// Make each number a set of its own.
static inline void gti_sets_start(int32_t* parents, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        parents[i] = i;
    }
}

// The smallest number of the set that holds `i`.
static inline int32_t gti_sets_root(int32_t* parents, int32_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// Join the sets that hold `a` and `b`; the root of the result.
static inline int32_t gti_sets_join(int32_t* parents, int32_t a, int32_t b)
{
    a = gti_sets_root(parents, a);
    b = gti_sets_root(parents, b);
    int32_t root = a < b ? a : b;
    parents[a] = parents[b] = root;
    return root;
}

// Replace each parent by the number of its set, counted from 0 in the order of the roots; how many sets there are.
static inline int32_t gti_sets_number(int32_t* parents, int32_t count)
{
    int32_t set_count = 0;
    for (int32_t i = 0; i < count; ++i) { // a parent comes first, and has been replaced already
        parents[i] = parents[i] == i ? set_count++ : parents[parents[i]];
    }
    return set_count;
}

#endif
