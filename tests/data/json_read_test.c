// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/json.h"
#include "support/test.h"

#include <stdlib.h>
#include <time.h>

// A literal with its length, so that it may hold a 0 byte.
#define TEXT(literal)                                                                                                  \
    {                                                                                                                  \
        literal, sizeof(literal) - 1                                                                                   \
    }

typedef struct Text {
    const char* bytes;
    size_t length;
} Text;

static const Text accepted[] = {
    TEXT("null"),
    TEXT("true"),
    TEXT("false"),
    TEXT("0"),
    TEXT("-0"),
    TEXT("123"),
    TEXT("-1.5e+10"),
    TEXT("1E5"),
    TEXT("1e-5"),
    TEXT("0e1"),
    TEXT("0.1"),
    TEXT("-0.0e-0"),
    TEXT("1e9999"),
    TEXT("123456789012345678901234567890"),
    TEXT("\"\""),
    TEXT("\"a\""),
    TEXT("[]"),
    TEXT("{}"),
    TEXT("[[]]"),
    TEXT("[{}]"),
    TEXT("{\"\":0}"),
    TEXT("{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"e\"}"),
    TEXT(" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n"),
    TEXT("{ \"a\" : 1 , \"b\" : 2 }"),
    TEXT("{\"a\":1,\"a\":2}"),
    TEXT("\xEF\xBB\xBF{}"),
    TEXT("\xEF\xBB\xBF 1"),
    TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
    TEXT("\"\\u0000\\uFFFF\\uabCD\""),
    TEXT("\"\\uD83D\\uDC80\""),
    TEXT("\"\\ud800\\udc00\\udbff\\udfff\""),
    TEXT("\"\\\\u0000\""),
    TEXT("\"\x7F\""),
    TEXT("\"\xC2\x80\""),
    TEXT("\"\xDF\xBF\""),
    TEXT("\"\xE0\xA0\x80\""),
    TEXT("\"\xED\x9F\xBF\""),
    TEXT("\"\xEE\x80\x80\""),
    TEXT("\"\xEF\xBF\xBF\""),
    TEXT("\"\xF0\x90\x80\x80\""),
    TEXT("\"\xF4\x8F\xBF\xBF\""),
    TEXT("\"\xE2\x80\xA8\""),
    TEXT("\"12345678\xC3\xBC"
         "87654321\""),
    TEXT("[1,\"a\",null,true,false,{},[]]"),
};

// With where each must be found wrong: "line:column".
static const struct {
    Text text;
    const char* place;
} refused[] = {
    { TEXT(""), "1:1" },
    { TEXT(" \n "), "2:2" },
    { TEXT("\xEF\xBB\xBF"), "1:1" },
    { TEXT(" \xEF\xBB\xBF{}"), "1:2" },
    { TEXT("\xEF\xBB{}"), "1:1" },
    { TEXT("nul"), "1:1" },
    { TEXT("nulL"), "1:1" },
    { TEXT("True"), "1:1" },
    { TEXT("nullx"), "1:5" },
    { TEXT("NaN"), "1:1" },
    { TEXT("Infinity"), "1:1" },
    { TEXT("-Infinity"), "1:2" },
    { TEXT("+1"), "1:1" },
    { TEXT("01"), "1:1" },
    { TEXT("-01"), "1:1" },
    { TEXT("-"), "1:2" },
    { TEXT("--1"), "1:2" },
    { TEXT(".5"), "1:1" },
    { TEXT("1."), "1:3" },
    { TEXT("1.e5"), "1:3" },
    { TEXT("-.5"), "1:2" },
    { TEXT("1e"), "1:3" },
    { TEXT("1e+"), "1:4" },
    { TEXT("1e5.5"), "1:4" },
    { TEXT("0x10"), "1:2" },
    { TEXT("1 2"), "1:3" },
    { TEXT("1,"), "1:2" },
    { TEXT("1_000"), "1:2" },
    { TEXT("\xEF\xBC\x91"), "1:1" },
    { TEXT("["), "1:2" },
    { TEXT("[1"), "1:3" },
    { TEXT("[1,"), "1:4" },
    { TEXT("[,]"), "1:2" },
    { TEXT("[1,]"), "1:4" },
    { TEXT("[1,,2]"), "1:4" },
    { TEXT("[1 2]"), "1:4" },
    { TEXT("[1}"), "1:3" },
    { TEXT("]"), "1:1" },
    { TEXT("[]]"), "1:3" },
    { TEXT("[\"a\":1]"), "1:5" },
    { TEXT("{"), "1:2" },
    { TEXT("{]"), "1:2" },
    { TEXT("{\"a\""), "1:5" },
    { TEXT("{\"a\":"), "1:6" },
    { TEXT("{\"a\":1"), "1:7" },
    { TEXT("{\"a\":1,}"), "1:8" },
    { TEXT("{,}"), "1:2" },
    { TEXT("{a:1}"), "1:2" },
    { TEXT("{'a':1}"), "1:2" },
    { TEXT("{1:1}"), "1:2" },
    { TEXT("{\"a\" 1}"), "1:6" },
    { TEXT("{\"a\"::1}"), "1:6" },
    { TEXT("{\"a\":1 \"b\":2}"), "1:8" },
    { TEXT("{\"a\":1]"), "1:7" },
    { TEXT("{\"a\":1,,\"b\":2}"), "1:8" },
    { TEXT("{}}"), "1:3" },
    { TEXT("{}{}"), "1:3" },
    { TEXT("{\"a\":/*comment*/1}"), "1:6" },
    { TEXT("//c\n1"), "1:1" },
    { TEXT("#c\n1"), "1:1" },
    { TEXT("\""), "1:1" },
    { TEXT("\"a"), "1:1" },
    { TEXT("[\"a]"), "1:2" },
    { TEXT("\"\\"), "1:2" },
    { TEXT("\"\\\""), "1:1" },
    { TEXT("\"\\a\""), "1:2" },
    { TEXT("\"\\'\""), "1:2" },
    { TEXT("\"\\x41\""), "1:2" },
    { TEXT("\"\\u\""), "1:2" },
    { TEXT("\"\\u123\""), "1:2" },
    { TEXT("\"\\u123g\""), "1:2" },
    { TEXT("\"\\u-123\""), "1:2" },
    { TEXT("\"\\U0041\""), "1:2" },
    { TEXT("\"\\u12"), "1:2" },
    { TEXT("\"\\\0\""), "1:2" },
    { TEXT("\"\\uD800\""), "1:2" },
    { TEXT("\"\\uDC00\""), "1:2" },
    { TEXT("\"\\uD800\\uE000\""), "1:2" },
    { TEXT("\"\\uD800x\""), "1:2" },
    { TEXT("\"\\uD800\\n\""), "1:2" },
    { TEXT("\"\\uD800\\uD800\""), "1:2" },
    { TEXT("\"\\uD800\\u0041\""), "1:2" },
    { TEXT("\"\\uDC00\\uD800\""), "1:2" },
    { TEXT("\"a\tb\""), "1:3" },
    { TEXT("\"a\nb\""), "1:3" },
    { TEXT("\"\0\""), "1:2" },
    { TEXT("\"\x1F\""), "1:2" },
    { TEXT("\0"), "1:1" },
    { TEXT("1\0"), "1:2" },
    { TEXT("[\x0C]"), "1:2" },
    { TEXT("[\xC2\xA0]"), "1:2" },
    { TEXT("\"\x80\""), "1:2" },
    { TEXT("\"\xBF\""), "1:2" },
    { TEXT("\"\xC0\x80\""), "1:2" },
    { TEXT("\"\xC1\xBF\""), "1:2" },
    { TEXT("\"\xC3\""), "1:2" },
    { TEXT("\"\xC3("), "1:2" },
    { TEXT("\"\xE0\x9F\xBF\""), "1:2" },
    { TEXT("\"\xE2\x82\""), "1:2" },
    { TEXT("\"\xED\xA0\x80\""), "1:2" },
    { TEXT("\"\xED\xBF\xBF\""), "1:2" },
    { TEXT("\"\xF0\x8F\xBF\xBF\""), "1:2" },
    { TEXT("\"\xF0\x9F\x92\""), "1:2" },
    { TEXT("\"\xF4\x90\x80\x80\""), "1:2" },
    { TEXT("\"\xF5\x80\x80\x80\""), "1:2" },
    { TEXT("\"\xFE\""), "1:2" },
    { TEXT("\"\xFF\xFF\""), "1:2" },
    { TEXT("\"\xFC\x80\x80\x80\x80\x80\""), "1:2" },
    { TEXT("\"abcdefgh\x01\""), "1:10" },
    { TEXT("\"abcdefghij\xFFklmnop\""), "1:12" },
    { TEXT("{\n  \"a\": [1,\n    x]\n}"), "3:5" },
    { TEXT("[\"\xC3\xBC\xE8\x85\xB0\", y]"), "1:8" },
    { TEXT("[\r\n1\r\n2]"), "3:1" },
    { TEXT("f\0\0\0\0"), "1:1" },
};

static GtResult parse(GtArena* arena, const char* text, const GtiJson** root, GtError* error)
{
    return gti_json_parse(arena, text, strlen(text), root, error);
}

// A copy without terminator at the very end of its block, so that a sanitizer sees a byte read too far.
static char* exact_copy(Text text)
{
    char* copy = malloc(text.length ? text.length : 1);
    memcpy(copy, text.bytes, text.length);
    return copy;
}

static void test_accepted(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; ++i) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        const GtiJson* root = NULL;
        char* text = exact_copy(accepted[i]);
        GT_EXPECT_OK(gti_json_parse(&arena, text, accepted[i].length, &root, &error));
        free(text);
        gt_arena_destroy(&arena);
    }
}

static void test_refused_with_the_place(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        GtError error;
        TestAllocator counting = { .remaining = -1 };
        GtArena arena = gt_arena_create(test_allocator(&counting));
        const GtiJson* root = NULL;
        char* text = exact_copy(refused[i].text);
        GtResult result = gti_json_parse(&arena, text, refused[i].text.length, &root, &error);
        int line = 0;
        int column = 0;
        char place[32];
        sscanf(error.where, "line %d, column %d", &line, &column);
        snprintf(place, sizeof place, "%d:%d", line, column);
        if (result != GT_ERROR_BAD_FILE || strcmp(place, refused[i].place) != 0) {
            fail_msg("%s: %s at %s, wanted a refusal at %s", refused[i].text.bytes, gt_result_name(result), place,
                     refused[i].place);
        }
        assert_null(root);
        assert_int_equal(counting.made, 0); // bad text costs no memory
        free(text);
    }
}

// Every prefix of a valid document is refused, and reads no byte too far.
static void test_every_prefix_is_refused(void** state)
{
    (void)state;
    static const char whole[] = "{\"k\\n\":[-12.5e+3,\"\\uD83D\\uDC80\xF0\x9F\x92\x80\",true,null,false,{}]}";
    for (size_t length = 0; length < sizeof whole - 1; ++length) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        const GtiJson* root = NULL;
        char* text = exact_copy((Text){ whole, length });
        assert_int_equal(gti_json_parse(&arena, text, length, &root, &error), GT_ERROR_BAD_FILE);
        free(text);
    }
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
    assert_int_equal(a->size, 5);
    assert_int_equal(a->text_length, strlen("[1, [ ] ,{\"b\":null}]"));
    assert_memory_equal(a->text, "[1, [ ] ,{\"b\":null}]", a->text_length);
    assert_null(gti_json_first(a + 2));
    const GtiJson* c = gti_json_next(a);
    assert_true(gti_json_key_is(c, "c"));
    assert_false(gti_json_key_is(c, ""));
    assert_false(gti_json_key_is(root, "c"));
    assert_int_equal(c->text_length, 9);
    assert_null(gti_json_find(root, "none"));
    assert_null(gti_json_find(a, "b"));
    assert_null(gti_json_find(NULL, "b"));
    assert_null(gti_json_first(NULL));
    gt_arena_destroy(&arena);
}

static void test_last_of_equal_keys_counts(void** state)
{
    (void)state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    int64_t value = 0;
    GT_EXPECT_OK(parse(&arena, "{\"a\":[1,{\"a\":9}],\"\\u0061\":2,\"b\":3,\"aa\":4,\"\":5}", &root, &error));
    assert_true(gti_json_int64(gti_json_find(root, "a"), &value));
    assert_int_equal(value, 2);
    assert_true(gti_json_int64(gti_json_find(root, ""), &value));
    assert_int_equal(value, 5);
    gt_arena_destroy(&arena);
}

static void test_numbers(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        bool is_integer;
        int64_t integer;
        double number; // NAN where it does not fit
        bool fits_float;
    } cases[] = {
        { "0", true, 0, 0.0, true },
        { "-0", true, 0, -0.0, true },
        { "3.0", true, 3, 3.0, true },
        { "3e0", true, 3, 3.0, true },
        { "-1.5e1", true, -15, -15.0, true },
        { "3.5", false, 0, 3.5, true },
        { "9007199254740991.0", true, 9007199254740991, 9007199254740991.0, true },
        { "9007199254740993.0", false, 0, 9007199254740992.0, true }, // no double: which integer would it be?
        { "9223372036854775807", true, INT64_MAX, 9223372036854775807.0, true },
        { "-9223372036854775808", true, INT64_MIN, -9223372036854775808.0, true },
        { "9223372036854775808", false, 0, 9223372036854775808.0, true },
        { "1e15", true, 1000000000000000, 1e15, true },
        { "1e19", false, 0, 1e19, true },
        { "1e39", false, 0, 1e39, false },
        { "1e309", false, 0, (double)NAN, false },
        { "-1e309", false, 0, (double)NAN, false },
        { "1e-400", true, 0, 0.0, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        const GtiJson* root = NULL;
        GT_EXPECT_OK(parse(&arena, cases[i].text, &root, &error));
        int64_t integer = 0;
        double number = 1234.0;
        float single = 1234.0f;
        assert_int_equal(gti_json_int64(root, &integer), cases[i].is_integer);
        assert_true(integer == cases[i].integer);
        assert_int_equal(gti_json_double(root, &number), !isnan(cases[i].number));
        assert_true(number == (isnan(cases[i].number) ? 1234.0 : cases[i].number));
        assert_int_equal(gti_json_float(root, &single), cases[i].fits_float);
        assert_true(single == (cases[i].fits_float ? (float)cases[i].number : 1234.0f));
        gt_arena_destroy(&arena);
    }
    GtiJson text = { .type = GTI_JSON_STRING, .text = "\"1\"", .text_length = 3 };
    double number = 0.0;
    float single = 0.0f;
    int64_t integer = 0;
    assert_false(gti_json_double(&text, &number) || gti_json_float(&text, &single) || gti_json_int64(&text, &integer));
    assert_false(gti_json_double(NULL, &number) || gti_json_float(NULL, &single) || gti_json_int64(NULL, &integer));
}

static void test_strings(void** state)
{
    (void)state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    static const char source[] =
        "[\"plain\",\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u00fc\\u8170\\ud83d\\udc80\",\"a\\u0000b\",\"\"]";
    GT_EXPECT_OK(parse(&arena, source, &root, &error));
    const GtiJson* plain = gti_json_first(root);
    const GtiJson* escapes = plain + 1;
    const GtiJson* unicode = plain + 2;
    const GtiJson* zero = plain + 3;
    const GtiJson* empty = plain + 4;
    size_t length = 0;
    assert_ptr_equal(gti_json_view(&arena, plain, &length), source + 2); // no copy
    assert_int_equal(length, 5);
    assert_true(gti_json_equals(plain, "plain"));
    assert_false(gti_json_equals(plain, "plai"));
    assert_string_equal(gti_json_copy(&arena, plain, NULL), "plain");
    assert_string_equal(gti_json_copy(&arena, escapes, &length), "\"\\/\b\f\n\r\t");
    assert_int_equal(length, 8);
    assert_true(gti_json_equals(escapes, "\"\\/\b\f\n\r\t"));
    assert_false(gti_json_equals(escapes, "\"\\/\b\f\n\r\t+"));
    assert_false(gti_json_equals(escapes, "\"\\/\b\f\n\r"));
    assert_string_equal(gti_json_view(&arena, unicode, &length), "\xC3\xBC\xE8\x85\xB0\xF0\x9F\x92\x80");
    assert_int_equal(length, 9);
    assert_true(gti_json_equals(unicode, "\xC3\xBC\xE8\x85\xB0\xF0\x9F\x92\x80"));
    assert_false(gti_json_equals(unicode, "\xC3\xBC\xE8\x85\xB0\xF0\x9F\x92"));
    assert_false(gti_json_equals(unicode, "\xC3"));
    assert_memory_equal(gti_json_copy(&arena, zero, &length), "a\0b", 4);
    assert_int_equal(length, 3);
    assert_false(gti_json_equals(zero, "a"));
    assert_string_equal(gti_json_copy(&arena, empty, &length), "");
    assert_int_equal(length, 0);
    assert_true(gti_json_equals(empty, ""));
    assert_false(gti_json_equals(root, ""));
    assert_false(gti_json_equals(NULL, ""));
    gt_arena_destroy(&arena);
}

static void test_path(void** state)
{
    (void)state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    GT_EXPECT_OK(parse(&arena, "{\"a\":[0,[],{\"my key\":{\"\":[7]}}],\"KHR_x\":{\"2\":8}}", &root, &error));
    static const char* const paths[] = { "",
                                         "a",
                                         "a[0]",
                                         "a[1]",
                                         "a[2]",
                                         "a[2][\"my key\"]",
                                         "a[2][\"my key\"][\"\"]",
                                         "a[2][\"my key\"][\"\"][0]",
                                         "KHR_x",
                                         "KHR_x[\"2\"]" };
    assert_int_equal(root->size, sizeof paths / sizeof paths[0]);
    for (uint32_t i = 0; i < root->size; ++i) {
        char path[64];
        gti_json_path(root, root + i, path, sizeof path);
        assert_string_equal(path, paths[i]);
        char small[10];
        memset(small, '!', sizeof small);
        gti_json_path(root, root + i, small, 9);
        assert_int_equal(strncmp(small, paths[i], strlen(small)), 0); // the start of it
        assert_int_equal(small[9], '!');
        gti_json_path(root, root + i, small, 0);
    }
    gt_arena_destroy(&arena);
}

static void test_path_shortens_long_keys(void** state)
{
    (void)state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    char text[256];
    char path[96];
    static const char long_key[] = "a2345678901234567890123456789012345678901234567"; // 47 bytes
    snprintf(text, sizeof text, "{\"%s8\":{\"%s89\":{\"%s\xC3\xBC\":0}}}", long_key, long_key, long_key);
    GT_EXPECT_OK(parse(&arena, text, &root, &error));
    gti_json_path(root, root + 1, path, sizeof path);
    assert_string_equal(path, "a23456789012345678901234567890123456789012345678"); // 48 fit
    gti_json_path(root + 1, root + 2, path, sizeof path);
    assert_string_equal(path, "a23456789012345678901234567890123456789012345678...");
    gti_json_path(root + 2, root + 3, path, sizeof path);
    assert_string_equal(path, "[\"a2345678901234567890123456789012345678901234567...\"]"); // between characters
    gt_arena_destroy(&arena);
}

static char* repeat(const char* text, size_t count)
{
    size_t length = strlen(text);
    char* all = malloc(length * count + 1);
    for (size_t i = 0; i < count; ++i) {
        memcpy(all + i * length, text, length);
    }
    all[length * count] = 0;
    return all;
}

static void test_depth_is_limited(void** state)
{
    (void)state;
    static const char* const opens[] = { "[", "{\"a\":", "[{\"a\":" };
    for (int i = 0; i < 3; ++i) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        const GtiJson* root = NULL;
        char* bomb = repeat(opens[i], 1000000);
        GT_EXPECT_ERROR(parse(&arena, bomb, &root, &error), GT_ERROR_LIMIT, "deeper than 128");
        free(bomb);
    }
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    char text[2 * GTI_JSON_MAX_DEPTH + 3];
    memset(text, '[', GTI_JSON_MAX_DEPTH);
    memset(text + GTI_JSON_MAX_DEPTH, ']', GTI_JSON_MAX_DEPTH);
    GT_EXPECT_OK(gti_json_parse(&arena, text, sizeof text - 3, &root, &error));
    assert_int_equal(root->size, GTI_JSON_MAX_DEPTH);
    gt_arena_destroy(&arena);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_parse(const char* piece, size_t count)
{
    char* pieces = repeat(piece, count);
    size_t size = strlen(pieces) + 2;
    char* text = malloc(size);
    snprintf(text, size, "[%s]", pieces + 1); // without the first comma
    free(pieces);
    double best = 1e30;
    for (int i = 0; i < 3; ++i) {
        GtError error;
        GtArena arena = gt_arena_create(gt_default_allocator());
        const GtiJson* root = NULL;
        double start = seconds();
        GT_EXPECT_OK(gti_json_parse(&arena, text, strlen(text), &root, &error));
        best = fmin(best, seconds() - start);
        assert_int_equal(root->count, count);
        assert_true(arena.used <= root->size * sizeof(GtiJson) + 64); // 32 bytes a value and nothing else
        gt_arena_destroy(&arena);
    }
    free(text);
    return best;
}

// A million elements must take about ten times as long as a hundred thousand: a quadratic reader takes a hundred times.
static void test_large_arrays_take_linear_time(void** state)
{
    (void)state;
    double small = 0.0;
    double large = 0.0;
    static const char* const pieces[] = { ",1", ",\"ab\"", ",[]", ",{\"a\":1}" };
    for (int i = 0; i < 4; ++i) {
        small += time_parse(pieces[i], 100000);
        large += time_parse(pieces[i], 1000000);
    }
    assert_true(large < 40.0 * small + 0.1);
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    char* piece = repeat("{\"k\\n\":[1,2]},", 1000);
    char* text = malloc(strlen(piece) + 8);
    snprintf(text, strlen(piece) + 8, "[%s0]", piece);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int limit = 0;
    for (; result != GT_OK; ++limit) {
        GtError error;
        TestAllocator failing = { .remaining = limit };
        GtArena arena = gt_arena_create(test_allocator(&failing));
        const GtiJson* root = NULL;
        result = parse(&arena, text, &root, &error);
        if (result != GT_OK) {
            assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
            assert_null(root);
            assert_int_equal(failing.alive, 0); // what was begun was given back
        }
        gt_arena_destroy(&arena);
        assert_int_equal(failing.alive, 0);
    }
    assert_true(limit > 2);
    free(text);
    free(piece);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_refused_with_the_place),
        cmocka_unit_test(test_every_prefix_is_refused),
        cmocka_unit_test(test_document_order_and_own_bytes),
        cmocka_unit_test(test_last_of_equal_keys_counts),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_path_shortens_long_keys),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_large_arrays_take_linear_time),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
