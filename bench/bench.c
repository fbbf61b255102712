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

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_runs(const BenchCase* bench, int repeats)
{
    double start_s = now_s();
    for (int i = 0; i < repeats; ++i) {
        bench->run(bench->user);
    }
    return now_s() - start_s;
}

static int calibrate(const BenchCase* bench)
{
    int repeats = 1;
    while (time_runs(bench, repeats) < MIN_ROUND_S && repeats < (1 << 24)) {
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

void bench_compare(const char* title, const BenchCase* cases, int count)
{
    static double times_s[MAX_CASES][ROUNDS];
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
            times_s[i][round] = time_runs(&cases[i], repeats[i]) / repeats[i];
        }
    }
    printf("%s\n", title);
    double first_s = 0.0;
    for (int i = 0; i < count; ++i) {
        qsort(times_s[i], ROUNDS, sizeof times_s[i][0], compare_doubles);
        double quartile_s = times_s[i][ROUNDS / 4];
        first_s = i == 0 ? quartile_s : first_s;
        printf("  %8.2fx  %-44s %10.3f us\n", quartile_s / first_s, cases[i].name, quartile_s * 1e6);
    }
}

void bench_fail(const char* call, const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "bench: %s: %s\n", call, text);
    exit(1);
}
