// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inline scanner against gt_parse_double(): where it answers, bit for bit the same, and it answers what files hold.

#include "base/number_scan.h"
#include "support/test.h"

enum {
    PADDING = GTI_SCAN_ROOM // blanks before and after a word
};

// Whether the scanner takes the word in the middle of `text`, and if so, takes it for what it is.
static bool scan(const char* text, const char* end, bool* same)
{
    const char* word = text + PADDING;
    uint64_t length = gti_word_length(word);
    uint64_t mantissa = 0;
    double power = 0.0;
    double scanned = 0.0;
    double parsed = 0.0;
    *same = true;
    if (!gti_scan_word(word, length, &mantissa, &power)) {
        return false;
    }
    gti_divide_scanned(&mantissa, &power, 1, &scanned);
    *same = gt_parse_double(word, end, &parsed) == word + length && memcmp(&scanned, &parsed, sizeof parsed) == 0;
    return true;
}

static void test_plain_decimals_are_taken(void** state)
{
    (void)state;
    static const char* const numbers[] = {
        "0",   "-0", "7",        "-12345678",  "0.0000",         "-18.0446",  ".5",
        "-.0", "5.", "3.255159", "-22.199421", "123456.1234567", "-0.000000", "12345678901234",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        char text[3 * PADDING + 1];
        bool same = false;
        snprintf(text, sizeof text, "%*s%-*s", PADDING, "", 2 * PADDING, numbers[i]);
        if (!scan(text, text + 3 * PADDING, &same) || !same) {
            fail_msg("'%s' is not scanned, or otherwise than parsed", numbers[i]);
        }
    }
}

static void test_other_words_are_left(void** state)
{
    (void)state;
    static const char* const words[] = { "",           "-",   ".",     "-.",   "+5",
                                         "1e5",        "nan", "1.2.3", "1-2",  "--5",
                                         "0x1",        "1,5", "5.-",   "1..2", "1234567890123456",
                                         "0.12345678", "12a" };
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        char text[3 * PADDING + 1];
        bool same = false;
        snprintf(text, sizeof text, "%*s%-*s", PADDING, "", 2 * PADDING, words[i]);
        if (scan(text, text + 3 * PADDING, &same)) {
            fail_msg("'%s' is scanned", words[i]);
        }
    }
}

static void test_random_text_agrees(void** state)
{
    (void)state;
    static const char letters[] = "0123456789..--+eE \t\nn\xFF";
    uint64_t seed = 1;
    int taken = 0;
    for (int round = 0; round < 400000; ++round) {
        char text[3 * PADDING];
        for (size_t i = 0; i < sizeof text; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t draw = seed >> 40;
            text[i] = draw % 4 ? (char)('0' + draw / 4 % 10) : letters[draw / 4 % (sizeof letters - 1)];
        }
        bool same = false;
        taken += scan(text, text + sizeof text, &same);
        if (!same) {
            fail_msg("'%.*s' is scanned otherwise than parsed", 2 * PADDING, text + PADDING);
        }
    }
    assert_true(taken > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_decimals_are_taken),
        cmocka_unit_test(test_other_words_are_left),
        cmocka_unit_test(test_random_text_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
