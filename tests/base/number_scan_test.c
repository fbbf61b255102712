// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inline scanner against gt_parse_double(): where it answers, bit for bit the same, and it answers what files hold.

#include "base/number_scan.h"
#include "support/test.h"

static bool same_as_parsed(const char* text, size_t size)
{
    double scanned = 0.0;
    double parsed = 0.0;
    const char* after = gti_scan_short(text, &scanned);
    if (!after || (*after | 0x20) == 'e') {
        return true;
    }
    return after == gt_parse_double(text, text + size, &parsed) && memcmp(&scanned, &parsed, sizeof parsed) == 0;
}

static void test_plain_decimals_are_taken(void** state)
{
    (void)state;
    static const char* const numbers[] = { "0",        "-0",      "7",        "-1234567",   "0.0000", "-18.0446",
                                           ".5",       "-.00833", "3.255159", "-22.199421", "5.",     "1234567.1234567",
                                           "-0.000000" };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        char text[40];
        int length = snprintf(text, sizeof text, "%s                  ", numbers[i]);
        double value = 0.0;
        assert_ptr_equal(gti_scan_short(text, &value), text + strlen(numbers[i]));
        assert_true(same_as_parsed(text, (size_t)length));
    }
}

static void test_random_text_agrees(void** state)
{
    (void)state;
    static const char letters[] = "0123456789.-+eE \t\nn\xFF";
    uint64_t seed = 1;
    for (int round = 0; round < 400000; ++round) {
        char text[GTI_SCAN_ROOM + 4];
        for (size_t i = 0; i < sizeof text; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t draw = seed >> 40;
            text[i] = draw % 4 ? (char)('0' + draw / 4 % 10) : letters[draw / 4 % (sizeof letters - 1)];
        }
        if (!same_as_parsed(text, sizeof text)) {
            fail_msg("'%.*s' is scanned otherwise than parsed", (int)sizeof text, text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_decimals_are_taken),
        cmocka_unit_test(test_random_text_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
