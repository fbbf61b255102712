// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What every test needs: cmocka in the order it wants its headers, and checks that say what they saw.

#ifndef GERTIE_TESTS_SUPPORT_TEST_H
#define GERTIE_TESTS_SUPPORT_TEST_H

#include "gertie/context.h"

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <string.h>

// The call succeeded; else the error is printed. Needs a `GtError error` in scope.
#define GT_EXPECT_OK(call)                                                                                             \
    do {                                                                                                               \
        if ((call) != GT_OK) {                                                                                         \
            char expect_text[1024];                                                                                    \
            gt_error_format(&error, expect_text, sizeof expect_text);                                                  \
            fail_msg("%s: %s", #call, expect_text);                                                                    \
        }                                                                                                              \
    } while (0)

// The call failed with `code`, and its message holds `text`. Needs a `GtError error` in scope.
#define GT_EXPECT_ERROR(call, expected_code, text)                                                                     \
    do {                                                                                                               \
        GtResult expect_result = (call);                                                                               \
        char expect_text[1024] = "";                                                                                   \
        if (expect_result != GT_OK) {                                                                                  \
            gt_error_format(&error, expect_text, sizeof expect_text);                                                  \
        }                                                                                                              \
        if (expect_result != (expected_code) || !strstr(expect_text, text)) {                                          \
            fail_msg("%s: got '%s' (%s), wanted '%s' with '%s'", #call, expect_text, gt_result_name(expect_result),    \
                     gt_result_name(expected_code), text);                                                             \
        }                                                                                                              \
    } while (0)

// |a - b| <= tolerance, written so that NaN fails.
#define GT_EXPECT_NEAR(a, b, tolerance)                                                                                \
    do {                                                                                                               \
        double expect_a = (double)(a);                                                                                 \
        double expect_b = (double)(b);                                                                                 \
        if (!(fabs(expect_a - expect_b) <= (double)(tolerance))) {                                                     \
            fail_msg("%s = %.9g, %s = %.9g: %.3g apart, %.3g allowed", #a, expect_a, #b, expect_b,                     \
                     fabs(expect_a - expect_b), (double)(tolerance));                                                  \
        }                                                                                                              \
    } while (0)

// Collects diagnostics, so that a test can ask what was said.
typedef struct TestLog {
    int note_count;
    int warning_count;
    char text[1 << 14]; // one line each: "warning: where: message"
} TestLog;

// A context whose diagnostics go to `log`, which is cleared.
GtContext test_context(TestLog* log);

// Fails after `remaining` allocations, and counts what is alive, so that tests can fail each allocation in turn.
typedef struct TestAllocator {
    int64_t remaining; // allocations still allowed; negative for no limit
    int64_t alive;     // blocks not yet released
    int64_t made;      // blocks handed out so far
} TestAllocator;

GtAllocator test_allocator(TestAllocator* state);

#endif
