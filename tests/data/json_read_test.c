// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/json.h"
#include "support/test.h"

static GtResult parse(GtArena* arena, const char* text, const GtiJson** root, GtError* error)
{
    return gti_json_parse(arena, text, strlen(text), root, error);
}

static void test_document_order_and_own_bytes(void** state)
{
    (void)state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    GT_EXPECT_OK(parse(&arena, " {\"a\" : [1, [ ] ,{\"b\":null}], \"c\":\"x\\u0041\"} ", &root, &error));
    assert_int_equal(root->type, GTI_JSON_OBJECT);
    assert_int_equal(root->count, 2);
    assert_int_equal(root->size, 7);
    const GtiJson* a = gti_json_find(root, "a");
    assert_ptr_equal(a, gti_json_first(root));
    assert_int_equal(a->count, 3);
    assert_int_equal(a->text_length, strlen("[1, [ ] ,{\"b\":null}]"));
    assert_memory_equal(a->text, "[1, [ ] ,{\"b\":null}]", a->text_length);
    const GtiJson* c = gti_json_next(a);
    assert_true(gti_json_key_is(c, "c"));
    assert_true(gti_json_equals(c, "xA"));
    assert_false(gti_json_equals(c, "x"));
    assert_false(gti_json_equals(c, "xAB"));
    assert_string_equal(gti_json_copy(&arena, c, NULL), "xA");
    char path[64];
    gti_json_path(root, gti_json_find(gti_json_next(a + 2), "b"), path, sizeof path);
    assert_string_equal(path, "a[2].b");
    assert_null(gti_json_find(root, "none"));
    assert_null(gti_json_find(a, "b"));
    assert_null(gti_json_find(NULL, "b"));
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document_order_and_own_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
