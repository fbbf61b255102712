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
    int parts;     // how many of what is measured one run does; 0 for one
    bool threaded; // measure and compare by the clock on the wall, not by what the calling thread took of a processor
} BenchCase;

// Measure and print: a title, then for each case its time as a multiple of the first's, and its time itself.
void bench_compare(const char* title, const BenchCase* cases, int count);

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
