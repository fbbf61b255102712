// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Byte strings, each kept once under a number in order of appearance: names, and keys made of numbers.

#ifndef GERTIE_IO_INTERN_H
#define GERTIE_IO_INTERN_H

#include "gertie/memory.h"

typedef struct GtiInterned {
    const void* bytes; // a 0 follows them
    uint32_t size;
    uint32_t hash;
} GtiInterned;

// Start with all but the arena zero.
typedef struct GtiIntern {
    GtArena* arena;
    GtiInterned* items;
    int32_t count;
    int32_t capacity;
    int32_t* slots; // [slot_count] item + 1, or 0
    uint32_t slot_count;
} GtiIntern;

// The number of a string, which is copied when it is new; GT_NONE when memory ran out.
int32_t gti_intern(GtiIntern* intern, const void* bytes, size_t size);

// The number of a string, or GT_NONE where it is not known.
int32_t gti_intern_find(const GtiIntern* intern, const void* bytes, size_t size);

#endif
