// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A hash table from (pointer, size) to an offset in the block to be. Every array starts at a multiple of 16.

#include "runtime/block.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum {
    FIRST_CAPACITY = 64
};

static size_t slot_of(const GtiKept* table, size_t capacity, const void* source, size_t size)
{
    size_t slot = (size_t)gti_hash_mix((uint64_t)(uintptr_t)source, (uint64_t)size << 32) & (capacity - 1);
    while (table[slot].source && (table[slot].source != source || table[slot].size != size)) {
        slot = (slot + 1) & (capacity - 1);
    }
    return slot;
}

static bool grow(GtiBlock* block)
{
    size_t capacity = block->capacity ? block->capacity * 2 : FIRST_CAPACITY;
    size_t bytes = 0;
    if (!gti_size_mul(capacity, sizeof(GtiKept), &bytes)) {
        return false;
    }
    GtiKept* table = block->allocator.allocate(block->allocator.user, bytes);
    if (!table) {
        return false;
    }
    memset(table, 0, bytes);
    for (size_t i = 0; i < block->capacity; ++i) {
        const GtiKept* kept = &block->table[i];
        if (kept->source) {
            table[slot_of(table, capacity, kept->source, kept->size)] = *kept;
        }
    }
    block->allocator.release(block->allocator.user, block->table);
    block->table = table;
    block->capacity = capacity;
    return true;
}

// SIZE_MAX when the block would outgrow memory.
static size_t take(GtiBlock* block, size_t size)
{
    size_t end = 0;
    if (!gti_size_add(size, 15, &end) || !gti_size_add(block->size, end & ~(size_t)15, &end)) {
        return SIZE_MAX;
    }
    size_t offset = block->size;
    block->size = end;
    return offset;
}

GtiBlock gti_block_create(GtAllocator allocator, size_t head_size)
{
    return (GtiBlock){ .allocator = allocator, .size = gti_round_up16(head_size) };
}

void gti_block_leave_in_place(GtiBlock* block, const GtiLasting* lasting, int32_t count)
{
    block->lasting = lasting;
    block->lasting_count = count;
}

// By bisection: a scene may have as many buffers as arrays.
static bool is_lasting(const GtiBlock* block, const void* source)
{
    int32_t low = 0; // the last range that does not begin behind the source is before `high`
    int32_t high = block->lasting_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((uintptr_t)block->lasting[middle].bytes <= (uintptr_t)source) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low < high && (uintptr_t)source - (uintptr_t)block->lasting[low].bytes < block->lasting[low].size;
}

void gti_block_destroy(GtiBlock* block)
{
    block->allocator.release(block->allocator.user, block->table);
    block->table = NULL;
    block->capacity = 0;
    block->count = 0;
}

GtiKept* gti_block_keep(GtiBlock* block, const void* source, size_t count, size_t element)
{
    size_t size = 0;
    if (!gti_size_mul(count, element, &size) || (block->count >= block->capacity / 2 && !grow(block))) {
        return NULL;
    }
    GT_ASSERT(size > 0);
    GtiKept* kept = &block->table[slot_of(block->table, block->capacity, source, size)];
    if (!kept->source) {
        bool lasting = is_lasting(block, source);
        size_t offset = lasting ? GTI_IN_PLACE : take(block, size);
        if (offset == SIZE_MAX && !lasting) {
            return NULL;
        }
        *kept = (GtiKept){ .source = source, .size = size, .offset = offset };
        ++block->count;
    }
    return kept;
}

GtiKept* gti_block_keep_text(GtiBlock* block, const char* text)
{
    return gti_block_keep(block, text, strlen(text) + 1, 1);
}

size_t gti_block_reserve(GtiBlock* block, size_t count, size_t element)
{
    size_t size = 0;
    return gti_size_mul(count, element, &size) ? take(block, size) : SIZE_MAX;
}

bool gti_block_allocate(GtiBlock* block)
{
    block->base = block->allocator.allocate(block->allocator.user, block->size);
    if (!block->base) {
        return false;
    }
    memset(block->base, 0, block->size);
    for (size_t i = 0; i < block->capacity; ++i) {
        const GtiKept* kept = &block->table[i];
        if (kept->source && kept->offset != GTI_IN_PLACE) {
            memcpy(block->base + kept->offset, kept->source, kept->size);
        }
    }
    return true;
}

void* gti_block_at(const GtiBlock* block, const void* source, size_t count, size_t element)
{
    if (!source || count == 0) {
        return NULL;
    }
    const GtiKept* kept = &block->table[slot_of(block->table, block->capacity, source, count * element)];
    GT_ASSERT(kept->source);
    return kept->offset == GTI_IN_PLACE ? (void*)kept->source : block->base + kept->offset;
}

char* gti_block_text_at(const GtiBlock* block, const char* text)
{
    return text ? gti_block_at(block, text, strlen(text) + 1, 1) : NULL;
}

void* gti_block_reserved(const GtiBlock* block, size_t offset)
{
    return block->base + offset;
}
