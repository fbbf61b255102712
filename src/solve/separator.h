// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Separators made smaller, vertex by vertex.

#ifndef GERTIE_SOLVE_SEPARATOR_H
#define GERTIE_SOLVE_SEPARATOR_H

#include "base/heap.h"
#include "solve/graph.h"

// Scratch for graphs of up to `capacity` vertices.
typedef struct GtiSeparatorWork {
    GtiHeap heaps[2];       // separator vertices by what a move to each side would cost
    int64_t (*beside)[2];   // [capacity] price of a separator vertex's neighbours on each side
    int32_t* moved;         // [capacity] vertices that moved in this pass, in order
    int32_t* pulled;        // [2 * capacity] vertices that these moves took into the separator
    int32_t* pulled_starts; // [capacity + 1] where each move's begin
    uint8_t* locked;        // [capacity] whether a vertex has moved in this pass
} GtiSeparatorWork;

// False when memory ran out.
bool gti_separator_work_make(GtArena* arena, int32_t capacity, GtiSeparatorWork* out);

// Make the separator between the sides cheaper, and neither side too heavy. Returns the price of the separator, to
// which the weight is added that a side has too much.
int64_t gti_separator_refine(GtiSeparatorWork* refiner, const GtiGraph* graph, uint8_t* sides);

#endif
