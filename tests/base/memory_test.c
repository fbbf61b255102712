// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

static void test_reset_gives_back_what_came_after_the_mark(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    char* kept = gt_arena_push_text(&arena, "kept", 4);
    GtArenaMark mark = gt_arena_mark(&arena);
    for (int i = 0; i < 1000; ++i) {
        uint8_t* piece = gt_arena_push_array(&arena, 1, 1000);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % 16, 0);
        assert_int_equal(piece[999], 0);
    }
    gt_arena_reset(&arena, mark);
    assert_string_equal(kept, "kept");
    assert_int_equal(counting.alive, 1);
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
}

static void test_sizes_that_overflow_are_refused(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    assert_null(gt_arena_push(&arena, SIZE_MAX));
    assert_null(gt_arena_push_array(&arena, SIZE_MAX / 2, 3));
    assert_non_null(gt_arena_push(&arena, 0));
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset_gives_back_what_came_after_the_mark),
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
