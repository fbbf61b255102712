// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

#include "gertie/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    ROUNDS = 25,
    MAX_CASES = 16,
};

static const double MIN_ROUND_S = 0.002; // long against the clock, short against a time slice

// By the clock on the wall, and what the calling thread took of a processor.
typedef struct Time {
    double wall_s, thread_s;
} Time;

static double read_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Time time_runs(const BenchCase* bench, int repeats)
{
    Time start = { read_s(CLOCK_MONOTONIC), read_s(CLOCK_THREAD_CPUTIME_ID) };
    for (int i = 0; i < repeats; ++i) {
        bench->run(bench->user);
    }
    return (Time){ read_s(CLOCK_MONOTONIC) - start.wall_s, read_s(CLOCK_THREAD_CPUTIME_ID) - start.thread_s };
}

static int calibrate(const BenchCase* bench)
{
    int repeats = 1;
    while (time_runs(bench, repeats).wall_s < MIN_ROUND_S && repeats < (1 << 24)) {
        repeats *= 2;
    }
    return repeats;
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

void bench_compare_counted(const char* title, const BenchCase* cases, const BenchCount* counts, int count)
{
    static double walls_s[MAX_CASES][ROUNDS];
    static double threads_s[MAX_CASES][ROUNDS];
    int repeats[MAX_CASES];
    if (count > MAX_CASES) {
        fprintf(stderr, "bench: %d cases, at most %d\n", count, MAX_CASES);
        exit(1);
    }
    for (int i = 0; i < count; ++i) {
        repeats[i] = calibrate(&cases[i]);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < count; ++i) {
            Time time = time_runs(&cases[i], repeats[i]);
            double done = (double)repeats[i] * counts[i].parts;
            walls_s[i][round] = time.wall_s / done;
            threads_s[i][round] = time.thread_s / done;
        }
    }
    printf("%s\n", title);
    for (int i = 0; i < count; ++i) {
        qsort(walls_s[i], ROUNDS, sizeof walls_s[i][0], compare_doubles);
        qsort(threads_s[i], ROUNDS, sizeof threads_s[i][0], compare_doubles);
        const double* times_s = counts[i].threaded ? walls_s[i] : threads_s[i];
        const double* first_s = counts[i].threaded ? walls_s[0] : threads_s[0];
        printf("  %8.3fx  %-44s %10.3f us\n", times_s[ROUNDS / 4] / first_s[ROUNDS / 4], cases[i].name,
               times_s[ROUNDS / 4] * 1e6);
    }
}

void bench_compare(const char* title, const BenchCase* cases, int count)
{
    BenchCount counts[MAX_CASES];
    for (int i = 0; i < MAX_CASES; ++i) {
        counts[i] = (BenchCount){ 1, false };
    }
    bench_compare_counted(title, cases, counts, count);
}

void bench_fail(const char* call, const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "bench: %s: %s\n", call, text);
    exit(1);
}
