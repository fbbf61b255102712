// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sizes that cannot overflow, and arrays that grow.

#ifndef GERTIE_BASE_MEMORY_H
#define GERTIE_BASE_MEMORY_H

#include "gertie/memory.h"

// a * b and a + b; false, with *out untouched, when the result does not fit.
static inline bool gti_size_mul(size_t a, size_t b, size_t* out)
{
    if (b && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}

static inline bool gti_size_add(size_t a, size_t b, size_t* out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}

// Destroy an arena that lies in `owner`, a block from the same allocator, and release that.
void gti_arena_destroy_owner(GtArena* arena, void* owner);

// `size`, rounded up to a multiple of 16; it is not near SIZE_MAX.
static inline size_t gti_round_up16(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

// A copy of `count` elements of `size` bytes; NULL for NULL. *ok becomes false when memory ran out, and where it is
// false before, nothing is copied.
void* gti_arena_copy(GtArena* arena, const void* from, size_t count, size_t size, bool* ok);
char* gti_arena_copy_text(GtArena* arena, const char* text, bool* ok);

// Make `piece`, pushed with `old_size` (NULL and 0 for none yet), hold `new_size` >= old_size bytes; NULL, with the
// piece as it was, when memory ran out. The newest piece grows in place where there is room, and a piece with a block
// of its own moves to another; what lies before others is copied and left. No mark taken since the piece was pushed may
// be gone back to.
void* gti_arena_resize(GtArena* arena, void* piece, size_t old_size, size_t new_size);

// Double an array of *capacity elements of `size` bytes, which this function alone has made, or give it its `first`
// elements (NULL and 0 for none yet); what is new is not cleared. NULL, with array and capacity as they were, when
// memory ran out or more than INT32_MAX elements are wanted. As for gti_arena_resize(), mind the marks.
void* gti_arena_grow(GtArena* arena, void* array, int32_t* capacity, int32_t first, size_t size);

// A block of `size` bytes that begins with the first `used` bytes of `block`, which is released and may be NULL; NULL,
// with the block as it was, when memory ran out.
void* gti_reallocate(GtAllocator allocator, void* block, size_t used, size_t size);

// Make *block, of *capacity bytes (NULL and 0 for none yet), hold `size` bytes; what was in it may be lost. False, with
// no block, when memory ran out.
bool gti_need(GtAllocator allocator, void** block, size_t* capacity, size_t size);

#endif
