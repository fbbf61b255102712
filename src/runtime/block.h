// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Builds an object that lives in one block of memory. Arrays are announced first (gti_block_keep), then the block is
// allocated with all of them copied into it (gti_block_allocate), then each is found by its source (gti_block_at).
// An array that is announced twice, by the same pointer and size, is copied once: characters that show one mesh at many
// nodes, and clips whose tracks share their times, stay as small as their source. Arrays that lie in bytes which will
// outlive the block (gti_block_leave_in_place) are announced and found like the others, but not copied.

#ifndef GERTIE_RUNTIME_BLOCK_H
#define GERTIE_RUNTIME_BLOCK_H

#include "gertie/error.h"
#include "gertie/memory.h"

#define GTI_IN_PLACE SIZE_MAX

// An announced array, with room for what a caller found out about it, so that shared arrays are checked once.
typedef struct GtiKept {
    const void* source;
    size_t size;
    size_t offset;      // in the block; GTI_IN_PLACE for what stays where it is
    int32_t checked_as; // which check it has passed; 0 for none
    uint32_t largest;   // largest index in it, where the check looked for that
} GtiKept;

// Bytes that outlive a block.
typedef struct GtiLasting {
    const void* bytes;
    size_t size;
} GtiLasting;

typedef struct GtiBlock {
    GtAllocator allocator;
    GtiKept* table; // open addressing, capacity a power of two
    size_t capacity;
    size_t count;
    size_t size;               // bytes so far, with the head
    char* base;                // NULL until allocated
    const GtiLasting* lasting; // [lasting_count]
    int32_t lasting_count;
} GtiBlock;

// Start with a head of `head_size` bytes, which gti_block_allocate() gives zeroed.
GtiBlock gti_block_create(GtAllocator allocator, size_t head_size);

// Say, before the first array, that arrays in these bytes stay there.
// lasting: [count] by increasing address, apart from each other or the same; must outlive the announcements
void gti_block_leave_in_place(GtiBlock* block, const GtiLasting* lasting, int32_t count);

// Free the table of sources; the block itself, once allocated, is the caller's.
void gti_block_destroy(GtiBlock* block);

// Announce an array of count * element > 0 bytes. NULL when memory ran out or the size overflows; else valid until the
// next call.
GtiKept* gti_block_keep(GtiBlock* block, const void* source, size_t count, size_t element);

// Announce a terminated text.
GtiKept* gti_block_keep_text(GtiBlock* block, const char* text);

// Room for count * element zeroed bytes that are copied from nowhere; an offset for gti_block_reserved(), or SIZE_MAX.
size_t gti_block_reserve(GtiBlock* block, size_t count, size_t element);

// Allocate the block and copy all arrays into it. False when memory ran out.
bool gti_block_allocate(GtiBlock* block);

// Where an announced array now lies; NULL for one of no bytes.
void* gti_block_at(const GtiBlock* block, const void* source, size_t count, size_t element);
char* gti_block_text_at(const GtiBlock* block, const char* text);
void* gti_block_reserved(const GtiBlock* block, size_t offset);

#endif
