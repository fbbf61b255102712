// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Arenas: blocks from the allocator, cut from the front, each as large as a quarter of what is in use within limits, so
// that little of an arena is empty. Every piece is aligned to 16 bytes; a piece larger than a block gets one of its
// own.

#include "gertie/memory.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_BLOCK = 4 << 10,
    LARGEST_BLOCK = 64 << 10
};

struct GtArenaBlock {
    GtArenaBlock* next; // older
    size_t size;        // of the bytes behind the header
    size_t used;
};

enum {
    HEADER = (sizeof(GtArenaBlock) + 15) & ~15
};

static void* heap_allocate(void* user, size_t size)
{
    (void)user;
    if (size > SIZE_MAX - GT_ALIGNMENT) {
        return NULL;
    }
    return aligned_alloc(GT_ALIGNMENT, (size + GT_ALIGNMENT - 1) & ~(size_t)(GT_ALIGNMENT - 1));
}

static void heap_release(void* user, void* block)
{
    (void)user;
    free(block);
}

GtAllocator gt_default_allocator(void)
{
    return (GtAllocator){ heap_allocate, heap_release, NULL };
}

GtArena gt_arena_create(GtAllocator allocator)
{
    return (GtArena){ allocator, NULL, 0 };
}

void gt_arena_destroy(GtArena* arena)
{
    if (arena) {
        GtArena whole = *arena; // which may lie in its own memory
        *arena = gt_arena_create(whole.allocator);
        gt_arena_reset(&whole, (GtArenaMark){ NULL, 0, 0 });
    }
}

void gti_arena_destroy_owner(GtArena* arena, void* owner)
{
    GtAllocator allocator = arena->allocator;
    gt_arena_destroy(arena);
    allocator.release(allocator.user, owner);
}

static GtArenaBlock* add_block(GtArena* arena, size_t size)
{
    size_t wanted = arena->used / 4 < LARGEST_BLOCK ? arena->used / 4 : LARGEST_BLOCK;
    wanted = wanted > FIRST_BLOCK ? wanted : FIRST_BLOCK;
    if (wanted < size) {
        wanted = size;
    }
    if (wanted > SIZE_MAX - HEADER) {
        return NULL;
    }
    GtArenaBlock* block = arena->allocator.allocate(arena->allocator.user, HEADER + wanted);
    if (block) {
        *block = (GtArenaBlock){ arena->blocks, wanted, 0 };
        arena->blocks = block;
    }
    return block;
}

static size_t round_up(size_t size)
{
    return size ? gti_round_up16(size) : 16;
}

void* gt_arena_push(GtArena* arena, size_t size)
{
    if (size > SIZE_MAX - 15) {
        return NULL;
    }
    size_t rounded = round_up(size);
    GtArenaBlock* block = arena->blocks;
    if (!block || block->size - block->used < rounded) {
        block = add_block(arena, rounded);
        if (!block) {
            return NULL;
        }
    }
    void* piece = (char*)block + HEADER + block->used;
    block->used += rounded;
    arena->used += rounded;
    return piece;
}

void* gti_arena_resize(GtArena* arena, void* piece, size_t old_size, size_t new_size)
{
    GtArenaBlock* block = arena->blocks;
    size_t old_rounded = piece ? round_up(old_size) : 0;
    bool newest = piece && (char*)piece + old_rounded == (char*)block + HEADER + block->used;
    if (newest && new_size <= SIZE_MAX - 15 && round_up(new_size) - old_rounded <= block->size - block->used) {
        block->used += round_up(new_size) - old_rounded;
        arena->used += round_up(new_size) - old_rounded;
        return piece;
    }
    void* larger = gt_arena_push(arena, new_size);
    if (larger && piece) {
        memcpy(larger, piece, old_size);
        if (newest && block->used == old_rounded && arena->blocks->next == block) {
            arena->blocks->next = block->next;
            arena->used -= old_rounded;
            arena->allocator.release(arena->allocator.user, block);
        }
    }
    return larger;
}

void* gti_arena_grow(GtArena* arena, void* array, int32_t* capacity, int32_t first, size_t size)
{
    size_t more = *capacity ? 2 * (size_t)*capacity : (size_t)first;
    size_t new_size = 0;
    if (more > INT32_MAX || !gti_size_mul(more, size, &new_size)) {
        return NULL;
    }
    void* larger = gti_arena_resize(arena, array, (size_t)*capacity * size, new_size);
    *capacity = larger ? (int32_t)more : *capacity;
    return larger;
}

void* gti_reallocate(GtAllocator allocator, void* block, size_t used, size_t size)
{
    void* larger = allocator.allocate(allocator.user, size);
    if (!larger) {
        return NULL;
    }
    if (used) {
        memcpy(larger, block, used);
    }
    allocator.release(allocator.user, block);
    return larger;
}

bool gti_need(GtAllocator allocator, void** block, size_t* capacity, size_t size)
{
    if (size > *capacity) {
        allocator.release(allocator.user, *block);
        *block = allocator.allocate(allocator.user, size);
        *capacity = *block ? size : 0;
    }
    return size <= *capacity;
}

void* gt_arena_push_array(GtArena* arena, size_t count, size_t size)
{
    size_t bytes = 0;
    if (!gti_size_mul(count, size, &bytes)) {
        return NULL;
    }
    void* piece = gt_arena_push(arena, bytes);
    return piece ? memset(piece, 0, bytes) : NULL;
}

char* gt_arena_push_text(GtArena* arena, const char* text, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char* copy = gt_arena_push(arena, length + 1);
    if (copy) {
        if (length) {
            memcpy(copy, text, length);
        }
        copy[length] = 0;
    }
    return copy;
}

void* gti_arena_copy(GtArena* arena, const void* from, size_t count, size_t size, bool* ok)
{
    if (!from || !*ok) {
        return NULL;
    }
    void* to = gt_arena_push_array(arena, count, size);
    *ok = to != NULL;
    return to ? memcpy(to, from, count * size) : NULL;
}

char* gti_arena_copy_text(GtArena* arena, const char* text, bool* ok)
{
    return gti_arena_copy(arena, text, text ? strlen(text) + 1 : 0, 1, ok);
}

GtArenaMark gt_arena_mark(const GtArena* arena)
{
    return (GtArenaMark){ arena->blocks, arena->blocks ? arena->blocks->used : 0, arena->used };
}

void gt_arena_reset(GtArena* arena, GtArenaMark mark)
{
    while (arena->blocks != mark.block) {
        GtArenaBlock* next = arena->blocks->next;
        arena->allocator.release(arena->allocator.user, arena->blocks);
        arena->blocks = next;
    }
    if (arena->blocks) {
        arena->blocks->used = mark.block_used;
    }
    arena->used = mark.used;
}
