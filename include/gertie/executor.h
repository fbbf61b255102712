// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: who runs parallel work: this thread, Gertie's own pool, or the host program's job system.
///
/// **Threads.** An executor may be used by several threads at once; each call returns when its own work is done. A pool
/// is destroyed by one thread, when no call uses it any more.

#ifndef GERTIE_EXECUTOR_H
#define GERTIE_EXECUTOR_H

#include "gertie/error.h"
#include "gertie/memory.h"

GT_EXTERN_C_BEGIN

/// Work on items [first, end). Called from any thread of the executor, several at a time.
typedef void (*GtRangeFn)(void* data, int32_t first, int32_t end);

/// Runs ranges of work. A host program fills one in to lend its own threads.
typedef struct GtExecutor {
    /// Call fn over all of [0, count) in pieces of at least `grain` items (the last may be shorter); return when all
    /// are done. Pieces may run in any order and on any thread; results must not depend on how work is cut.
    void (*run)(void* user, int32_t count, int32_t grain, GtRangeFn fn, void* data);
    int32_t thread_count; ///< how many pieces can run at once, 1 or more
    void* user;
} GtExecutor;

/// Runs everything on the calling thread.
GT_API GtExecutor gt_serial_executor(void);

/// Worker threads that sleep until there is work. Destroy it only when no call is using it.
typedef struct GtThreadPool GtThreadPool;

/// Start a pool. The calling thread works too, so `thread_count` 4 starts 3 threads.
/// @param thread_count  1 to 256, or 0 for one a processor
/// @param out           receives the pool, or NULL on failure; free with gt_thread_pool_destroy()
/// @param error         may be NULL
GT_API GtResult gt_thread_pool_create(GtAllocator allocator, int32_t thread_count, GtThreadPool** out, GtError* error);

/// Stop the workers and free the pool; `pool` may be NULL.
GT_API void gt_thread_pool_destroy(GtThreadPool* pool);

/// An executor that runs on the pool. While it is busy, further calls, from inside a piece or from another thread, run
/// on the thread they come from.
GT_API GtExecutor gt_thread_pool_executor(GtThreadPool* pool);

/// Run fn over [0, count) on the executor; nothing when count is 0.
GT_API void gt_executor_run(const GtExecutor* executor, int32_t count, int32_t grain, GtRangeFn fn, void* data);

GT_EXTERN_C_END

#endif
