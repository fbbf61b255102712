// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A pool of workers that take pieces of one range at a time from a shared counter. One call runs at a time; a second
// caller, or a piece that calls again, runs its range on its own thread, which is slower but never waits for itself.
// A worker joins a range only while it is open, and the caller closes it when no piece is left: so it waits for those
// who work, never for those who have yet to wake up.

#include "gertie/executor.h"

#include "base/fail.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

enum {
    MAX_THREADS = 256
};

struct GtThreadPool {
    GtAllocator allocator;
    pthread_t threads[MAX_THREADS];
    int32_t worker_count;
    pthread_mutex_t busy; // held by the caller whose range is running
    pthread_mutex_t lock; // guards what follows, but for `next`
    pthread_cond_t work;
    pthread_cond_t idle;
    bool quit;
    bool open;       // there may be pieces left of the range below
    uint64_t round;  // counts ranges; a worker joins each at most once
    int32_t working; // workers that have joined and not yet left
    GtRangeFn fn;
    void* data;
    int32_t count;
    int32_t grain;
    _Atomic int32_t next; // first item that nobody has taken
};

static void serial_run(void* user, int32_t count, int32_t grain, GtRangeFn fn, void* data)
{
    (void)user;
    (void)grain;
    fn(data, 0, count);
}

GtExecutor gt_serial_executor(void)
{
    return (GtExecutor){ serial_run, 1, NULL };
}

void gt_executor_run(const GtExecutor* executor, int32_t count, int32_t grain, GtRangeFn fn, void* data)
{
    if (count > 0) {
        executor->run(executor->user, count, grain > 0 ? grain : 1, fn, data);
    }
}

static void take_pieces(GtThreadPool* pool)
{
    int32_t first = atomic_load_explicit(&pool->next, memory_order_relaxed);
    while (first < pool->count) {
        int32_t left = pool->count - first;
        int32_t end = first + (left < pool->grain ? left : pool->grain);
        if (atomic_compare_exchange_weak_explicit(&pool->next, &first, end, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            pool->fn(pool->data, first, end);
            first = atomic_load_explicit(&pool->next, memory_order_relaxed);
        }
    }
}

static void* worker(void* argument)
{
    GtThreadPool* pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit) {
        if (!pool->open || pool->round == seen) {
            pthread_cond_wait(&pool->work, &pool->lock);
            continue;
        }
        seen = pool->round;
        ++pool->working;
        pthread_mutex_unlock(&pool->lock);
        take_pieces(pool);
        pthread_mutex_lock(&pool->lock);
        if (--pool->working == 0) {
            pthread_cond_signal(&pool->idle);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void start_range(GtThreadPool* pool, int32_t count, int32_t grain, GtRangeFn fn, void* data)
{
    pthread_mutex_lock(&pool->lock);
    pool->fn = fn;
    pool->data = data;
    pool->count = count;
    pool->grain = grain;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->open = true;
    ++pool->round;
    int32_t helpers = (count - 1) / grain; // one piece is the caller's
    for (int32_t i = 0; i < helpers && i < pool->worker_count; ++i) {
        pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void finish_range(GtThreadPool* pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->open = false;
    while (pool->working > 0) {
        pthread_cond_wait(&pool->idle, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void pool_run(void* user, int32_t count, int32_t grain, GtRangeFn fn, void* data)
{
    GtThreadPool* pool = user;
    if (count <= grain || pool->worker_count == 0 || pthread_mutex_trylock(&pool->busy) != 0) {
        fn(data, 0, count); // busy also when this is a piece that calls again
        return;
    }
    start_range(pool, count, grain, fn, data);
    take_pieces(pool);
    finish_range(pool);
    pthread_mutex_unlock(&pool->busy);
}

// Processors this process may use, which taskset and containers make fewer than there are.
static int32_t processor_count(void)
{
    long count = 0;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
#endif
    if (count < 1) {
        count = sysconf(_SC_NPROCESSORS_ONLN);
    }
    return count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (int32_t)count;
}

// Start workers until there are `wanted` or the system gives no more. Signals stay with the host program's threads.
static void start_workers(GtThreadPool* pool, int32_t wanted)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->worker_count < wanted && pthread_create(&pool->threads[pool->worker_count], NULL, worker, pool) == 0) {
        ++pool->worker_count;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

GtResult gt_thread_pool_create(GtAllocator allocator, int32_t thread_count, GtThreadPool** out, GtError* error)
{
    *out = NULL;
    if (thread_count < 0 || thread_count > MAX_THREADS) {
        return gti_fail(error, GT_ERROR_LIMIT, "%d threads asked for; give 1 to %d, or 0 for one a processor",
                        (int)thread_count, MAX_THREADS);
    }
    GtThreadPool* pool = allocator.allocate(allocator.user, sizeof *pool);
    if (!pool) {
        return gti_out_of_memory(error);
    }
    memset(pool, 0, sizeof *pool);
    pool->allocator = allocator;
    pthread_mutex_init(&pool->busy, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    start_workers(pool, (thread_count ? thread_count : processor_count()) - 1);
    int32_t started = pool->worker_count + 1;
    if (started < thread_count) {
        gt_thread_pool_destroy(pool);
        return gti_fail(error, GT_ERROR_LIMIT, "the system gave only %d of %d threads; ask for fewer", (int)started,
                        (int)thread_count);
    }
    *out = pool;
    return GT_OK;
}

void gt_thread_pool_destroy(GtThreadPool* pool)
{
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int32_t i = 0; i < pool->worker_count; ++i) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->busy);
    pool->allocator.release(pool->allocator.user, pool);
}

GtExecutor gt_thread_pool_executor(GtThreadPool* pool)
{
    return (GtExecutor){ pool_run, pool->worker_count + 1, pool };
}
