// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs beside the caller: each is done once, before waiting for it ends, and none is left when all is put away.
// The thread is made by pthread_create() in ahead.c.

#include "render/film/ahead.h"

#include "support/test.h"

static void count(void* user)
{
    ++*(int*)user;
}

static void each_job_is_done_once(void** state)
{
    (void)state;
    GtiAhead ahead;
    int done = 0;
    gti_ahead_init(&ahead);
    gti_ahead_wait(&ahead);
    for (int i = 0; i < 1000; ++i) {
        gti_ahead_begin(&ahead, count, &done);
        if (i % 3 == 0) {
            gti_ahead_wait(&ahead);
        }
        gti_ahead_wait(&ahead);
        assert_int_equal(done, i + 1);
    }
    gti_ahead_destroy(&ahead);
}

static void work_under_way_is_waited_for(void** state)
{
    (void)state;
    for (int i = 0; i < 50; ++i) {
        GtiAhead ahead;
        int done = 0;
        gti_ahead_init(&ahead);
        gti_ahead_begin(&ahead, count, &done);
        gti_ahead_destroy(&ahead);
        assert_int_equal(done, 1);
    }
    GtiAhead idle;
    gti_ahead_init(&idle);
    gti_ahead_destroy(&idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_is_done_once),
        cmocka_unit_test(work_under_way_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
