// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every item of a range is worked on exactly once, on any number of threads, from inside pieces and from two callers at
// a time. cmocka's checks stay on the main thread: workers only count.

#include "gertie/executor.h"
#include "support/random.h"
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    ITEMS = 10007 // a prime, so that no grain divides it
};

typedef struct Work {
    _Atomic int32_t* visits; // [ITEMS]
    _Atomic int32_t wrong;   // pieces outside the range, or too small
    int32_t grain;
    const GtExecutor* executor; // for nested work
} Work;

static void visit(void* data, int32_t first, int32_t end)
{
    Work* work = data;
    bool short_piece = end - first < work->grain && end != ITEMS;
    if (first < 0 || end > ITEMS || first >= end || short_piece) {
        atomic_fetch_add(&work->wrong, 1);
        return;
    }
    for (int32_t i = first; i < end; ++i) {
        atomic_fetch_add(&work->visits[i], 1);
    }
}

static void expect_each_visited(const Work* work, int32_t times)
{
    assert_int_equal(work->wrong, 0);
    for (int32_t i = 0; i < ITEMS; ++i) {
        assert_int_equal(work->visits[i], times);
    }
}

static void test_threads_take_every_item_once(void** state)
{
    (void)state;
    static const int32_t grains[] = { 1, 2, 7, 1000, ITEMS - 1, ITEMS, ITEMS + 1, INT32_MAX };
    for (int32_t threads = 1; threads <= 8; ++threads) {
        GtError error;
        GtThreadPool* pool = NULL;
        GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), threads, &pool, &error));
        GtExecutor executor = gt_thread_pool_executor(pool);
        assert_int_equal(executor.thread_count, threads);
        for (size_t i = 0; i < sizeof grains / sizeof grains[0]; ++i) {
            Work work = { calloc(ITEMS, sizeof(_Atomic int32_t)), 0, grains[i], NULL };
            gt_executor_run(&executor, ITEMS, grains[i], visit, &work);
            expect_each_visited(&work, 1);
            free(work.visits);
        }
        gt_thread_pool_destroy(pool);
    }
}

static void test_serial_and_empty(void** state)
{
    (void)state;
    GtExecutor serial = gt_serial_executor();
    assert_int_equal(serial.thread_count, 1);
    Work work = { calloc(ITEMS, sizeof(_Atomic int32_t)), 0, 1, NULL };
    gt_executor_run(&serial, 0, 1, visit, &work);
    gt_executor_run(&serial, -5, 1, visit, &work);
    expect_each_visited(&work, 0);
    gt_executor_run(&serial, ITEMS, 0, visit, &work);
    expect_each_visited(&work, 1);
    free(work.visits);
}

typedef struct Sums {
    float values[ITEMS];
    double out[ITEMS];
} Sums;

// A result that rounding would betray if it depended on how work is cut.
static void sum_window(void* data, int32_t first, int32_t end)
{
    Sums* sums = data;
    for (int32_t i = first; i < end; ++i) {
        double sum = 0.0;
        for (int32_t k = 0; k < 50; ++k) {
            sum += (double)sums->values[(i + k * 97) % ITEMS];
        }
        sums->out[i] = sum;
    }
}

static void test_results_do_not_depend_on_threads(void** state)
{
    (void)state;
    Sums* sums = calloc(1, sizeof *sums);
    double* expected = malloc(sizeof sums->out);
    TestRandom random = { 41 };
    for (int i = 0; i < ITEMS; ++i) {
        sums->values[i] = test_random_float(&random, -1.0f, 1.0f);
    }
    GtExecutor serial = gt_serial_executor();
    gt_executor_run(&serial, ITEMS, 1, sum_window, sums);
    memcpy(expected, sums->out, sizeof sums->out);
    for (int32_t threads = 1; threads <= 8; ++threads) {
        GtError error;
        GtThreadPool* pool = NULL;
        GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), threads, &pool, &error));
        GtExecutor executor = gt_thread_pool_executor(pool);
        memset(sums->out, 0xCD, sizeof sums->out);
        gt_executor_run(&executor, ITEMS, 13, sum_window, sums);
        assert_memory_equal(sums->out, expected, sizeof sums->out);
        gt_thread_pool_destroy(pool);
    }
    free(expected);
    free(sums);
}

static void visit_nested(void* data, int32_t first, int32_t end)
{
    Work* work = data;
    for (int32_t i = first; i < end; ++i) {
        gt_executor_run(work->executor, ITEMS, work->grain, visit, work);
    }
}

static void test_a_piece_may_run_more_on_the_same_threads(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 4, &pool, &error));
    GtExecutor executor = gt_thread_pool_executor(pool);
    Work work = { calloc(ITEMS, sizeof(_Atomic int32_t)), 0, 100, &executor };
    gt_executor_run(&executor, 20, 1, visit_nested, &work);
    expect_each_visited(&work, 20);
    gt_executor_run(&executor, ITEMS, 100, visit, &work); // and the pool is whole afterwards
    expect_each_visited(&work, 21);
    free(work.visits);
    gt_thread_pool_destroy(pool);
}

static void* call_often(void* argument)
{
    Work* work = argument;
    for (int i = 0; i < 200; ++i) {
        gt_executor_run(work->executor, ITEMS, work->grain, visit, work);
    }
    return NULL;
}

static void test_two_threads_may_call_at_a_time(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 3, &pool, &error));
    GtExecutor executor = gt_thread_pool_executor(pool);
    Work works[2];
    pthread_t callers[2];
    for (int i = 0; i < 2; ++i) {
        works[i] = (Work){ calloc(ITEMS, sizeof(_Atomic int32_t)), 0, 64, &executor };
        assert_int_equal(pthread_create(&callers[i], NULL, call_often, &works[i]), 0);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(callers[i], NULL);
        expect_each_visited(&works[i], 200);
        free(works[i].visits);
    }
    gt_thread_pool_destroy(pool);
}

static void add_one(void* data, int32_t first, int32_t end)
{
    atomic_fetch_add((_Atomic int32_t*)data, end - first);
}

// Ranges so short that workers wake up late, when their range, and the next one, are over.
static void test_many_short_ranges_on_threads(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 8, &pool, &error));
    GtExecutor executor = gt_thread_pool_executor(pool);
    for (int32_t i = 0; i < 20000; ++i) {
        _Atomic int32_t count = 0; // gone when the call returns: a straggler would be seen by a sanitizer
        gt_executor_run(&executor, 2 + i % 7, 1, add_one, &count);
        assert_int_equal(count, 2 + i % 7);
    }
    gt_thread_pool_destroy(pool);
}

typedef struct Meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int32_t here;
} Meeting;

// Each piece waits until as many pieces as threads are running: only a pool that really uses them all gets through.
static void meet(void* data, int32_t first, int32_t end)
{
    (void)first;
    (void)end;
    Meeting* meeting = data;
    pthread_mutex_lock(&meeting->lock);
    if (++meeting->here == 4) {
        pthread_cond_broadcast(&meeting->changed);
    }
    while (meeting->here < 4) {
        pthread_cond_wait(&meeting->changed, &meeting->lock);
    }
    pthread_mutex_unlock(&meeting->lock);
}

static void test_all_threads_work_at_once(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 4, &pool, &error));
    GtExecutor executor = gt_thread_pool_executor(pool);
    for (int i = 0; i < 100; ++i) {
        Meeting meeting = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
        gt_executor_run(&executor, 4, 1, meet, &meeting);
        assert_int_equal(meeting.here, 4);
    }
    gt_thread_pool_destroy(pool);
}

typedef struct Host {
    int32_t calls;
    int32_t count;
    int32_t grain;
} Host;

static void host_run(void* user, int32_t count, int32_t grain, GtRangeFn fn, void* data)
{
    Host* host = user;
    ++host->calls;
    host->count = count;
    host->grain = grain;
    for (int32_t end = count; end > 0;) { // back to front, in pieces of its own size
        int32_t first = end > 3 * grain ? end - 3 * grain : 0;
        fn(data, first, end);
        end = first;
    }
}

static void test_host_lends_its_threads(void** state)
{
    (void)state;
    Host host = { 0 };
    GtContext context = gt_default_context();
    context.executor = (GtExecutor){ host_run, 2, &host };
    Work work = { calloc(ITEMS, sizeof(_Atomic int32_t)), 0, 1, NULL };
    gt_executor_run(&context.executor, ITEMS, 50, visit, &work);
    expect_each_visited(&work, 1);
    assert_int_equal(host.calls, 1);
    assert_int_equal(host.count, ITEMS);
    assert_int_equal(host.grain, 50);
    gt_executor_run(&context.executor, 0, 50, visit, &work);
    assert_int_equal(host.calls, 1); // nothing to do is not worth a call
    free(work.visits);
}

static void test_counts_that_cannot_be(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_ERROR(gt_thread_pool_create(gt_default_allocator(), -1, &pool, &error), GT_ERROR_LIMIT, "-1 threads");
    assert_null(pool);
    GT_EXPECT_ERROR(gt_thread_pool_create(gt_default_allocator(), 257, &pool, &error), GT_ERROR_LIMIT, "1 to 256");
    TestAllocator none = { .remaining = 0 };
    GT_EXPECT_ERROR(gt_thread_pool_create(test_allocator(&none), 2, &pool, &error), GT_ERROR_OUT_OF_MEMORY, "memory");
    assert_null(pool);
    gt_thread_pool_destroy(NULL);
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 0, &pool, &error));
    assert_true(gt_thread_pool_executor(pool).thread_count >= 1);
    gt_thread_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_take_every_item_once),
        cmocka_unit_test(test_serial_and_empty),
        cmocka_unit_test(test_results_do_not_depend_on_threads),
        cmocka_unit_test(test_a_piece_may_run_more_on_the_same_threads),
        cmocka_unit_test(test_two_threads_may_call_at_a_time),
        cmocka_unit_test(test_many_short_ranges_on_threads),
        cmocka_unit_test(test_all_threads_work_at_once),
        cmocka_unit_test(test_host_lends_its_threads),
        cmocka_unit_test(test_counts_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
