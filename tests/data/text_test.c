// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/text.h"
#include "support/test.h"

#include <locale.h>

static void test_grows_in_memory_of_its_own(void** state)
{
    (void)state;
    GtText text = { 0 };
    assert_string_equal(gt_text_finish(&text), "");
    for (int i = 0; i < 1000; ++i) {
        gt_text_addf(&text, "%03d,", i);
    }
    assert_int_equal(text.size, 4000);
    assert_memory_equal(text.bytes + 3992, "998,999,", 9); // and its end
    gt_text_destroy(&text);
    assert_null(text.bytes);
    gt_text_adds(&text, "again");
    assert_string_equal(text.bytes, "again");
    gt_text_destroy(&text);
}

// Control characters of ASCII and C1, broken UTF-8 and a surrogate, between text that is kept.
static void test_untrusted_text_is_made_safe(void** state)
{
    (void)state;
    const char* untrusted = "a\x1B[31m\t\xC2\x9B"
                            "b\xFF\xED\xA0\x80 H\xC3\xBC"
                            "fte";
    GtText text = { 0 };
    gt_text_add_printable(&text, untrusted);
    assert_string_equal(text.bytes, "a?[31m??b???? H\xC3\xBC"
                                    "fte");
    gt_text_destroy(&text);
    gti_text_add_markup(&text, "<b>\"R&D\"</b>\x01\xEF\xBF\xBF");
    assert_string_equal(text.bytes, "&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt;\xEF\xBF\xBD\xEF\xBF\xBD");
    gt_text_destroy(&text);
}

static void test_numbers_do_not_depend_on_the_locale(void** state)
{
    (void)state;
    static const char* const commas[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR" };
    size_t i = 0;
    while (i < sizeof commas / sizeof commas[0] && !setlocale(LC_ALL, commas[i])) {
        ++i;
    }
    GtText text = { 0 };
    gt_text_addf(&text, "%.1f", 1.5);
    assert_string_equal(text.bytes, "1.5");
    gt_text_destroy(&text);
    setlocale(LC_ALL, "C");
    if (i == sizeof commas / sizeof commas[0]) {
        skip(); // no locale with a decimal comma is installed
    }
}

static void test_fixed_text_leaves_out_what_does_not_fit(void** state)
{
    (void)state;
    char buffer[8];
    GtText text = gt_text_in(buffer, sizeof buffer);
    assert_string_equal(gt_text_finish(&text), "");
    gt_text_adds(&text, "1234");
    gt_text_addf(&text, "%d", 567); // seven, and the terminator
    assert_string_equal(text.bytes, "1234567");
    assert_false(text.failed);
    gt_text_adds(&text, "8");
    assert_true(text.failed);
    assert_ptr_equal(text.bytes, buffer);
    assert_string_equal(buffer, "1234567");
    gt_text_destroy(&text); // the buffer is the caller's
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_in_memory_of_its_own),
        cmocka_unit_test(test_untrusted_text_is_made_safe),
        cmocka_unit_test(test_numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(test_fixed_text_leaves_out_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
