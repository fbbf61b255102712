// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every byte against the C library's classes in the "C" locale.

#include "base/ascii.h"
#include "support/test.h"

#include <ctype.h>
#include <stdlib.h>

static void test_every_byte(void** state)
{
    (void)state;
    for (int i = 0; i < 256; ++i) {
        char c = (char)i;
        assert_int_equal(gti_is_digit(c), isdigit(i) != 0);
        assert_int_equal(gti_is_upper(c), isupper(i) != 0);
        assert_int_equal(gti_is_letter(c), isalpha(i) != 0);
        assert_true(gti_lower(c) == (char)tolower(i));
        const char text[2] = { c, 0 };
        assert_int_equal(gti_hex_digit(c), isxdigit(i) ? (int)strtol(text, NULL, 16) : -1);
    }
}

static void test_texts(void** state)
{
    (void)state;
    assert_true(gti_starts_with("TEXCOORD_0", "TEXCOORD_"));
    assert_true(gti_starts_with("same", "same") && gti_starts_with("any", ""));
    assert_false(gti_starts_with("TEX", "TEXCOORD_"));
    assert_false(gti_starts_with("texcoord_0", "TEXCOORD_"));
    const char copy[] = "one";
    assert_true(gti_same_text("one", copy) && gti_same_text(NULL, NULL));
    assert_false(gti_same_text("one", "One") || gti_same_text("one", NULL) || gti_same_text(NULL, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
