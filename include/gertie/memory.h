// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: where memory comes from: an allocator the host may replace, and arenas on top of it.
///
/// **Threads.** An allocator's functions are called from any thread. An arena is one thread's at a time.

#ifndef GERTIE_MEMORY_H
#define GERTIE_MEMORY_H

#include "gertie/api.h"

GT_EXTERN_C_BEGIN

/// Alignment of every block an allocator gives, in bytes.
#define GT_ALIGNMENT 64

/// A source of memory. Both functions may be called from any thread.
typedef struct GtAllocator {
    /// Give `size` > 0 bytes aligned to GT_ALIGNMENT, or NULL.
    void* (*allocate)(void* user, size_t size);
    /// Take back what allocate() gave; `block` may be NULL.
    void (*release)(void* user, void* block);
    void* user;
} GtAllocator;

/// The C library's memory.
GT_API GtAllocator gt_default_allocator(void);

typedef struct GtArenaBlock GtArenaBlock;

/// Memory that is given back all at once. Not for two threads at a time.
typedef struct GtArena {
    GtAllocator allocator;
    GtArenaBlock* blocks; ///< newest first
    size_t used;          ///< bytes handed out, for reports
} GtArena;

/// A place in an arena to go back to; see gt_arena_mark().
typedef struct GtArenaMark {
    GtArenaBlock* block;
    size_t block_used;
    size_t used;
} GtArenaMark;

/// An empty arena; allocates nothing until it is used. Free with gt_arena_destroy().
GT_API GtArena gt_arena_create(GtAllocator allocator);

/// Give back everything. The arena is empty afterwards and may be used again; `arena` may be NULL, or lie in memory of
/// its own, as a struct does that is the first thing in its arena.
GT_API void gt_arena_destroy(GtArena* arena);

/// `size` bytes aligned to 16, not cleared, or NULL when memory ran out; never NULL for size 0.
GT_API void* gt_arena_push(GtArena* arena, size_t size);

/// An array of count * size zeroed bytes; NULL when memory ran out or the product overflows.
GT_API void* gt_arena_push_array(GtArena* arena, size_t count, size_t size);

/// A terminated copy of `length` bytes of text, or NULL when memory ran out.
GT_API char* gt_arena_push_text(GtArena* arena, const char* text, size_t length);

/// Remember how full the arena is.
GT_API GtArenaMark gt_arena_mark(const GtArena* arena);

/// Give back everything pushed since `mark`.
GT_API void gt_arena_reset(GtArena* arena, GtArenaMark mark);

GT_EXTERN_C_END

#endif
