// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "base/fail.h"
#include "support/test.h"

static void test_notes_and_warnings_arrive(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    gti_note(&context, "a.bvh", "joint 'Hips'", "units inferred: %s", "inches");
    gti_warn(&context, NULL, NULL, "%d frames missing", 3);
    assert_int_equal(log.note_count, 1);
    assert_int_equal(log.warning_count, 1);
    assert_string_equal(log.text, "note: joint 'Hips': units inferred: inches\nwarning: 3 frames missing\n");
    context.diagnose = NULL;
    gti_warn(&context, NULL, NULL, "nobody listens");
    assert_int_equal(log.warning_count, 1);
}

static void test_a_diagnostic_is_one_line(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    gti_warn(&context, "a\nb", "joint '\x1B[2J\n'", "name %s ", "\xFF\n");
    assert_string_equal(log.text, "warning: joint '?[2J?': name ?? \n");
}

static void test_strict_refuses_what_would_be_repaired(void** state)
{
    (void)state;
    TestLog log;
    GtError error;
    GtContext context = test_context(&log);
    GT_EXPECT_OK(gti_repair(&context, &error, "a.bvh", "line 5", "NaN held at %g", 1.0));
    assert_string_equal(log.text, "warning: line 5: NaN held at 1\n");
    context.strict = true;
    GT_EXPECT_ERROR(gti_repair(&context, &error, "a.bvh", "line 5", "NaN held at %g", 1.0), GT_ERROR_STRICT,
                    "a.bvh: line 5: NaN held at 1");
    assert_int_equal(log.warning_count, 1); // the error says it; no warning besides
    assert_int_equal(gti_repair(&context, NULL, NULL, NULL, "x"), GT_ERROR_STRICT);
}

typedef struct Progress {
    int32_t calls;
    double last;
} Progress;

static bool stop_at_half(void* user, const char* task, double fraction)
{
    Progress* progress = user;
    ++progress->calls;
    progress->last = fraction;
    assert_string_equal(task, "reading");
    return fraction < 0.5;
}

static void test_progress_can_cancel(void** state)
{
    (void)state;
    GtError error;
    Progress progress = { 0 };
    GtContext context = gt_default_context();
    GT_EXPECT_OK(gti_progress(&context, &error, "reading", 0.9));
    context.progress = stop_at_half;
    context.progress_user = &progress;
    GT_EXPECT_OK(gti_progress(&context, &error, "reading", 0.25));
    GT_EXPECT_ERROR(gti_progress(&context, &error, "reading", 0.75), GT_ERROR_CANCELLED, "cancelled while reading");
    assert_int_equal(progress.calls, 2);
    GT_EXPECT_NEAR(progress.last, 0.75, 0.0);
}

static void test_defaults(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    assert_int_equal(context.seed, 1);
    assert_false(context.strict);
    assert_null(context.diagnose);
    assert_null(context.progress);
    assert_int_equal(context.executor.thread_count, 1);
    void* block = context.allocator.allocate(context.allocator.user, 1);
    assert_int_equal((uintptr_t)block % GT_ALIGNMENT, 0);
    context.allocator.release(context.allocator.user, block);
    context.allocator.release(context.allocator.user, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_and_warnings_arrive),
        cmocka_unit_test(test_a_diagnostic_is_one_line),
        cmocka_unit_test(test_strict_refuses_what_would_be_repaired),
        cmocka_unit_test(test_progress_can_cancel),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
