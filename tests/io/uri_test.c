// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "io/uri.h"
#include "support/test.h"

static void test_base64_of_rfc_4648(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* bytes;
    } cases[] = {
        { "", "" },
        { "Zg==", "f" },
        { "Zm8=", "fo" },
        { "Zm9v", "foo" },
        { "Zm9vYg==", "foob" },
        { "Zm9vYmE=", "fooba" },
        { "Zm9vYmFy", "foobar" },
        { "+/+/", "\xFB\xFF\xBF" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint8_t out[16];
        size_t size = 0;
        memset(out, 0xCD, sizeof out);
        assert_true(gti_base64_size(cases[i].text, strlen(cases[i].text), &size));
        assert_int_equal(size, strlen(cases[i].bytes));
        assert_true(gti_base64_decode(cases[i].text, strlen(cases[i].text), out));
        assert_memory_equal(out, cases[i].bytes, size);
        assert_int_equal(out[size], 0xCD);
    }
}

static void test_what_is_no_base64(void** state)
{
    (void)state;
    static const char* const cases[] = { "A",    "AA",     "AAA",  "====",     "A===", "=AAA",
                                         "AA=A", "Zm9v\n", "Zm-_", "Zm9=Zm9v", "Zm 9" };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint8_t out[16];
        assert_false(gti_base64_decode(cases[i], strlen(cases[i]), out));
    }
}

static void test_kinds(void** state)
{
    (void)state;
    static const struct {
        const char* uri;
        GtiUriKind kind;
    } cases[] = {
        { "a.bin", GTI_URI_FILE },
        { "../a/b.bin", GTI_URI_FILE },
        { "a b:c.bin", GTI_URI_FILE },
        { "", GTI_URI_FILE },
        { "DATA:x", GTI_URI_DATA },
        { "/a.bin", GTI_URI_OUTSIDE },
        { "\\\\server\\a.bin", GTI_URI_OUTSIDE },
        { "http://a/b", GTI_URI_OUTSIDE },
        { "C:\\a.bin", GTI_URI_OUTSIDE },
        { "x-y+z.1:a", GTI_URI_OUTSIDE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(gti_uri_kind(cases[i].uri, strlen(cases[i].uri)), cases[i].kind);
    }
}

static void test_names_come_back(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    char name[256] = "";
    for (int c = 1; c < 256; ++c) {
        name[c - 1] = (char)c;
    }
    const char* uri = gti_uri_encode(&arena, name);
    assert_string_equal(gti_uri_decode(&arena, uri, strlen(uri)), name);
    assert_null(strpbrk(uri, " #?\"<>\\^`{|}:"));
    assert_string_equal(gti_uri_decode(&arena, "100%", 4), "100%");
    assert_string_equal(gti_uri_decode(&arena, "%4", 2), "%4");
    assert_string_equal(gti_uri_decode(&arena, "%zz%41", 6), "%zzA");
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64_of_rfc_4648),
        cmocka_unit_test(test_what_is_no_base64),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_names_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
