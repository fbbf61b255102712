// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "base/fail.h"
#include "base/utf8.h"
#include "support/test.h"

static void expect_clean(const char* text)
{
    const char* end = text + strlen(text);
    while (text < end) {
        size_t length = gti_utf8_length(text, end);
        assert_true(length > 0);
        assert_true((unsigned char)*text >= 0x20 && *text != 0x7F);
        text += length;
    }
}

static void test_parts_that_are_empty_are_left_out(void** state)
{
    (void)state;
    GtError error;
    char text[64];
    assert_int_equal(gti_fail(&error, GT_ERROR_BAD_VALUE, "weight %g", 1.5), GT_ERROR_BAD_VALUE);
    assert_int_equal(error.code, GT_ERROR_BAD_VALUE);
    assert_int_equal(gt_error_format(&error, text, sizeof text), 10);
    assert_string_equal(text, "weight 1.5");
    gti_fail_at(&error, GT_ERROR_BAD_FILE, "line 3", "no number");
    gt_error_format(&error, text, sizeof text);
    assert_string_equal(text, "line 3: no number");
    gti_error_set_file(&error, "a.bvh");
    gti_error_set_file(&error, "b.bvh"); // the first who knows the file names it
    assert_int_equal(gt_error_format(&error, text, sizeof text), 24);
    assert_string_equal(text, "a.bvh: line 3: no number");
    assert_int_equal(gt_error_format(&error, text, 10), 24);
    assert_string_equal(text, "a.bvh: li");
    assert_int_equal(gt_error_format(&error, NULL, 0), 24);
    assert_int_equal(gti_fail(NULL, GT_ERROR_IO, "nobody listens"), GT_ERROR_IO);
    gti_error_set_file(NULL, "x");
    gti_error_set_file(&error, NULL);
}

// The message may quote the error it replaces.
static void test_error_in_its_own_message(void** state)
{
    (void)state;
    GtError error;
    gti_fail_at(&error, GT_ERROR_BAD_FILE, "line 3", "no number");
    gti_fail_at(&error, GT_ERROR_BAD_VALUE, error.where, "in %s: %s", "x.gltf", error.message);
    assert_string_equal(error.message, "in x.gltf: no number");
    assert_string_equal(error.where, "line 3");
}

static void test_one_line_whatever_comes(void** state)
{
    (void)state;
    GtError error;
    gti_fail_at(&error, GT_ERROR_BAD_FILE, "joint '\x1B[2J'",
                "a\nb\tc\x7F \xC2\x9B[31m \xFF\xC3 \xED\xA0\x80 H\xC3\xBC"
                "fte \xF0\x9F\x92\x80");
    gti_error_set_file(&error, "evil\r\nname");
    assert_string_equal(error.where, "joint '?[2J'");
    assert_string_equal(error.message, "a?b?c? ??[31m ?? ??? H\xC3\xBC"
                                       "fte \xF0\x9F\x92\x80");
    assert_string_equal(error.file, "evil??name");
}

// Characters of 1 to 4 bytes, shifted a byte at a time across every place where a text is cut.
static void test_cuts_fall_between_characters(void** state)
{
    (void)state;
    static const char* const characters[] = { "a", "\xC3\xBC", "\xE8\x85\xB0", "\xF0\x9F\x92\x80" };
    for (int i = 0; i < 4; ++i) {
        for (int shift = 0; shift < 4; ++shift) {
            char text[2000] = "";
            memset(text, '-', (size_t)shift);
            for (int k = 0; k < 400; ++k) {
                strcat(text, characters[i]);
            }
            memset(text + strlen(text), '+', (size_t)shift);
            GtError error;
            gti_fail_at(&error, GT_ERROR_IO, text, "%s", text);
            gti_error_set_file(&error, text);
            expect_clean(error.message);
            expect_clean(error.where);
            expect_clean(error.file);
            assert_null(strchr(error.message, '?'));
            assert_null(strchr(error.where, '?'));
            assert_null(strchr(error.file, '?'));
            // As much as fits: of the message the start, of the others the end.
            size_t least = strlen(characters[i]) - 1;
            assert_true(strlen(text) < sizeof error.message ||
                        strlen(error.message) + 1 + least >= sizeof error.message);
            assert_int_equal(strncmp(error.message, text, strlen(error.message)), 0);
            assert_true(strlen(error.where) + 1 + least >= sizeof error.where);
            assert_string_equal(text + strlen(text) - strlen(error.where), error.where);
            assert_true(strlen(error.file) + 1 + least >= sizeof error.file);
            assert_string_equal(text + strlen(text) - strlen(error.file), error.file);
            for (size_t size = 1; size < 40; ++size) {
                char small[40];
                memset(small, '!', sizeof small);
                gt_error_format(&error, small, size);
                assert_true(strlen(small) < size && strlen(small) + 1 + least >= size);
                expect_clean(small);
            }
        }
    }
}

static void test_every_result_has_a_name(void** state)
{
    (void)state;
    for (int i = 0; i <= GT_ERROR_CANCELLED; ++i) {
        assert_string_not_equal(gt_result_name((GtResult)i), "unknown");
        for (int k = 0; k < i; ++k) {
            assert_string_not_equal(gt_result_name((GtResult)i), gt_result_name((GtResult)k));
        }
    }
    assert_string_equal(gt_result_name((GtResult)99), "unknown");
    assert_string_equal(gt_version(), GT_VERSION_STRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_that_are_empty_are_left_out), cmocka_unit_test(test_error_in_its_own_message),
        cmocka_unit_test(test_one_line_whatever_comes),           cmocka_unit_test(test_cuts_fall_between_characters),
        cmocka_unit_test(test_every_result_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
