// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/files.h"
#include "support/test.h"

static void test_join(void** state)
{
    (void)state;
    static const char* const cases[][3] = {
        { "a/b", "c.glb", "a/b/c.glb" },
        { "a/", "c", "a/c" },
        { "/", "c", "/c" },
        { "", "c", "c" },
        { NULL, "c", "c" },
        { "a", "/c", "/c" },
        { "a", "../c", "a/../c" },
    };
    GtArena arena = gt_arena_create(gt_default_allocator());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_string_equal(gti_path_join(&arena, cases[i][0], cases[i][1]), cases[i][2]);
    }
    gt_arena_destroy(&arena);
    TestAllocator none = { .remaining = 0 };
    GtArena empty = gt_arena_create(test_allocator(&none));
    assert_null(gti_path_join(&empty, "a", "b"));
    assert_null(gti_path_join(&empty, NULL, "b"));
}

static void test_directory_length(void** state)
{
    (void)state;
    assert_int_equal(gti_path_directory_length("x"), 0);
    assert_int_equal(gti_path_directory_length(""), 0);
    assert_int_equal(gti_path_directory_length("/x"), 1);
    assert_int_equal(gti_path_directory_length("a/x"), 1);
    assert_int_equal(gti_path_directory_length("/a/b/x"), 4);
    assert_int_equal(gti_path_directory_length("a/b/"), 3);
}

static void test_extension(void** state)
{
    (void)state;
    assert_true(gti_path_has_extension("a/b.glb", "glb"));
    assert_true(gti_path_has_extension("B.GlB", "glb"));
    assert_false(gti_path_has_extension("b.glb.txt", "glb"));
    assert_false(gti_path_has_extension("bglb", "glb"));
    assert_false(gti_path_has_extension("glb", "glb"));
    assert_false(gti_path_has_extension("", "glb"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_directory_length),
        cmocka_unit_test(test_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
