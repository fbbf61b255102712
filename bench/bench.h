// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How speed is measured here: as a ratio, in one run. Rounds are interleaved, so that a busy machine slows every case
// alike, and the lower quartile of the rounds counts, so that its hiccups do not.

#ifndef GERTIE_BENCH_BENCH_H
#define GERTIE_BENCH_BENCH_H

#include <stdbool.h>

// One thing to measure. The first of a list is what the others are compared with.
typedef struct BenchCase {
    const char* name;
    void (*run)(void* user); // the same work every time
    void* user;
} BenchCase;

// Measure and print: a title, then for each case its time as a multiple of the first's, and its time itself.
void bench_compare(const char* title, const BenchCase* cases, int count);

// How a case is counted.
typedef struct BenchCount {
    int parts;     // how many of what is measured one run does
    bool threaded; // by the clock on the wall, and compared by it, not by what the calling thread took of a processor
} BenchCount;

// As bench_compare(), where `counts` [count] are not all one part on one thread.
void bench_compare_counted(const char* title, const BenchCase* cases, const BenchCount* counts, int count);

// End the program when a call of Gertie failed, with the error's own words. Needs a `GtError error` in scope.
#define BENCH_OK(call)                                                                                                 \
    do {                                                                                                               \
        if ((call) != GT_OK) {                                                                                         \
            bench_fail(#call, &error);                                                                                 \
        }                                                                                                              \
    } while (0)

struct GtError;
_Noreturn void bench_fail(const char* call, const struct GtError* error);

#endif
