// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/json.h"
#include "support/test.h"

#include <float.h>

static void write_example(GtJsonWriter* writer)
{
    gt_json_begin_object(writer);
    gt_json_key(writer, "asset");
    gt_json_begin_object(writer);
    gt_json_key(writer, "version");
    gt_json_string(writer, "2.0");
    gt_json_end_object(writer);
    gt_json_key(writer, "nodes");
    gt_json_begin_array(writer);
    for (int i = 0; i < 2; ++i) {
        gt_json_begin_object(writer);
        gt_json_key(writer, "translation");
        gt_json_begin_array(writer);
        gt_json_float(writer, 0.1f);
        gt_json_number(writer, 0.1);
        gt_json_integer(writer, INT64_MIN);
        gt_json_end_array(writer);
        gt_json_end_object(writer);
    }
    gt_json_end_array(writer);
    gt_json_key(writer, "empty");
    gti_json_float_list(writer, NULL, 0);
    gt_json_key(writer, "none");
    gt_json_begin_object(writer);
    gt_json_end_object(writer);
    gt_json_key(writer, "extras");
    gt_json_raw(writer, "{\"kept\":[1 ,2]}");
    gt_json_raw_members(writer, "");
    gt_json_raw_members(writer, "\"a\":1,\"b\":2");
    gt_json_key(writer, "flags");
    gt_json_begin_array(writer);
    gt_json_bool(writer, true);
    gt_json_bool(writer, false);
    gt_json_null(writer);
    gt_json_number(writer, (double)NAN);
    gt_json_float(writer, -INFINITY);
    gti_json_float_list(writer, (const float[]){ 0.5f, NAN }, 2);
    gt_json_integer(writer, 7);
    gt_json_end_array(writer);
    gt_json_end_object(writer);
}

static void test_one_line(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtJsonWriter writer = gt_json_create(&arena, 0);
    write_example(&writer);
    assert_string_equal(gt_text_finish(&writer.text),
                        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
                        "{\"translation\":[0.1,0.1,-9223372036854775808]},"
                        "{\"translation\":[0.1,0.1,-9223372036854775808]}],"
                        "\"empty\":[],\"none\":{},\"extras\":{\"kept\":[1 ,2]},\"a\":1,\"b\":2,"
                        "\"flags\":[true,false,null,null,null,[0.5,null],7]}");
    gt_arena_destroy(&arena);
}

static void test_indented(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtJsonWriter writer = gt_json_create(&arena, 2);
    write_example(&writer);
    assert_string_equal(gt_text_finish(&writer.text), "{\n"
                                                      "  \"asset\": {\n"
                                                      "    \"version\": \"2.0\"\n"
                                                      "  },\n"
                                                      "  \"nodes\": [\n"
                                                      "    {\n"
                                                      "      \"translation\": [0.1, 0.1, -9223372036854775808]\n"
                                                      "    },\n"
                                                      "    {\n"
                                                      "      \"translation\": [0.1, 0.1, -9223372036854775808]\n"
                                                      "    }\n"
                                                      "  ],\n"
                                                      "  \"empty\": [],\n"
                                                      "  \"none\": {},\n"
                                                      "  \"extras\": {\"kept\":[1 ,2]},\n"
                                                      "  \"a\":1,\"b\":2,\n"
                                                      "  \"flags\": [true, false, null, null, null,\n"
                                                      "    [0.5, null],\n"
                                                      "    7]\n"
                                                      "}");
    gt_arena_destroy(&arena);
}

// A row is on one line, whatever is in it; so is text that is JSON already.
static void test_rows(void** state)
{
    (void)state;
    GtJsonWriter writer = gt_json_create(NULL, 2);
    gt_json_begin_object(&writer);
    gt_json_member_array(&writer, "rows");
    for (int i = 0; i < 2; ++i) {
        gt_json_next_is_row(&writer);
        gt_json_begin_object(&writer);
        gt_json_member_integer(&writer, "id", i);
        gt_json_member_string(&writer, "name", i ? "b" : NULL);
        gt_json_member_array(&writer, "place");
        gt_json_begin_array(&writer);
        gt_json_float(&writer, 0.5f);
        gt_json_end_array(&writer);
        gt_json_integer(&writer, 2);
        gt_json_end_array(&writer);
        gt_json_end_object(&writer);
    }
    gt_json_raw(&writer, "{\"kept\": 1}");
    gt_json_raw(&writer, "{\"kept\": 2}");
    gt_json_end_array(&writer);
    gt_json_member_bool(&writer, "ok", true);
    gt_json_member_number(&writer, "gap", (double)NAN);
    gt_json_member_float(&writer, "rate", 30.0f);
    gt_json_end_object(&writer);
    assert_string_equal(gt_text_finish(&writer.text), "{\n"
                                                      "  \"rows\": [\n"
                                                      "    {\"id\": 0, \"name\": null, \"place\": [[0.5], 2]},\n"
                                                      "    {\"id\": 1, \"name\": \"b\", \"place\": [[0.5], 2]},\n"
                                                      "    {\"kept\": 1},\n"
                                                      "    {\"kept\": 2}\n"
                                                      "  ],\n"
                                                      "  \"ok\": true,\n"
                                                      "  \"gap\": null,\n"
                                                      "  \"rate\": 30\n"
                                                      "}");
    gt_json_destroy(&writer);
}

// What the reader gives back is what went in; bytes that are no UTF-8 are replaced one by one.
static void test_strings_come_back(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "", "" },
        { "\"\\/\b\f\n\r\t\x0B\x01\x1F\x7F", "\"\\/\b\f\n\r\t\x0B\x01\x1F\x7F" },
        { "H\xC3\xBC"
          "fte \xE8\x85\xB0 \xF0\x9F\x92\x80",
          "H\xC3\xBC"
          "fte \xE8\x85\xB0 \xF0\x9F\x92\x80" },
        { "a\xC3", "a\xEF\xBF\xBD" },
        { "\xFF"
          "b\xED\xA0\x80",
          "\xEF\xBF\xBD"
          "b\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
        { "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtJsonWriter writer = gt_json_create(&arena, 0);
        gt_json_string(&writer, cases[i][0]);
        const char* text = gt_text_finish(&writer.text);
        const GtiJson* root = NULL;
        GT_EXPECT_OK(gti_json_parse(&arena, text, strlen(text), &root, &error));
        assert_string_equal(gti_json_copy(&arena, root, NULL), cases[i][1]);
        gt_arena_destroy(&arena);
    }
}

static void test_numbers_come_back(void** state)
{
    (void)state;
    static const double values[] = { 0.0, -0.0, 1.0 / 3.0, 1e300, 5e-324, DBL_MAX, 123456789012345678.0, -1e-7 };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtJsonWriter writer = gt_json_create(&arena, 0);
        gt_json_number(&writer, values[i]);
        const GtiJson* root = NULL;
        const char* text = gt_text_finish(&writer.text);
        GT_EXPECT_OK(gti_json_parse(&arena, text, writer.text.size, &root, &error));
        double back = NAN;
        assert_true(gti_json_double(root, &back));
        assert_memory_equal(&back, &values[i], sizeof back);
        gt_arena_destroy(&arena);
    }
}

// A text of 40 MB: the arena must not keep every half-sized predecessor, nor may growing be quadratic.
static void test_large_text_takes_little_more_than_itself(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    GtText text = { .arena = &arena };
    for (int i = 0; i < 4000000; ++i) {
        gt_text_add(&text, "0123456789", 10);
    }
    const char* whole = gt_text_finish(&text);
    assert_int_equal(text.size, 40000000);
    assert_memory_equal(whole + 39999990, "0123456789", 11);
    assert_memory_equal(whole, "0123456789012", 13);
    assert_true(arena.used < 2 * text.size + (4 << 20));
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    for (int limit = 0;; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtArena arena = gt_arena_create(test_allocator(&failing));
        GtJsonWriter writer = gt_json_create(&arena, 2);
        gt_json_begin_array(&writer);
        for (int i = 0; i < 2000; ++i) {
            write_example(&writer);
        }
        gt_json_end_array(&writer);
        const char* text = gt_text_finish(&writer.text);
        bool ran_out = failing.remaining == 0 && text == NULL;
        gt_arena_destroy(&arena);
        assert_int_equal(failing.alive, 0);
        if (!ran_out) {
            assert_non_null(text);
            assert_true(limit > 3);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_indented),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_strings_come_back),
        cmocka_unit_test(test_numbers_come_back),
        cmocka_unit_test(test_large_text_takes_little_more_than_itself),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
