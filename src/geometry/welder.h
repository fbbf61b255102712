// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Equal positions joined one by one as they come, for triangles without a topology. What gt_weld_vertices() does with a
// tolerance of 0.

#ifndef GERTIE_GEOMETRY_WELDER_H
#define GERTIE_GEOMETRY_WELDER_H

#include "gertie/memory.h"
#include "gertie/vec.h"

// Start with all but the allocator zero.
typedef struct GtiWelder {
    GtAllocator allocator;
    GtVec3* points; // [count], each once, in order of appearance
    uint32_t count;
    uint32_t capacity;
    uint32_t* slots; // [1 << bits] point + 1, or 0; at most half are taken
    uint32_t bits;
} GtiWelder;

// The point at a position, which is added where it is new; GT_NONE when memory ran out. -0 is 0.
int32_t gti_welder_add(GtiWelder* welder, GtVec3 position);

void gti_welder_release(GtiWelder* welder);

#endif
