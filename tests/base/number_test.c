// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers against the C library, which rounds correctly: strtod and strtof for parsing, and for the shortest text
// printf rounded down and up, which between them give every decimal of a length that could read back.

#include "gertie/number.h"
#include "support/random.h"
#include "support/test.h"

#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <stdlib.h>

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void expect_float_comes_back(float value)
{
    char text[GT_NUMBER_SIZE];
    int length = gt_print_float(value, text);
    float back = 0.0f;
    if (length != (int)strlen(text) || gt_parse_float(text, text + length, &back) != text + length || back != value ||
        signbit(back) != signbit(value) || strtof(text, NULL) != value) {
        fail_msg("%a was printed as '%s', which reads back as %a", (double)value, text, (double)back);
    }
}

static void expect_double_comes_back(double value)
{
    char text[GT_NUMBER_SIZE];
    int length = gt_print_double(value, text);
    double back = 0.0;
    if (length != (int)strlen(text) || gt_parse_double(text, text + length, &back) != text + length || back != value ||
        signbit(back) != signbit(value) || strtod(text, NULL) != value) {
        fail_msg("%a was printed as '%s', which reads back as %a", value, text, back);
    }
}

static void test_floats_come_back(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (uint32_t exponent = 0; exponent < 255; ++exponent) {
        expect_float_comes_back(float_of_bits(exponent << 23));
        expect_float_comes_back(float_of_bits(exponent << 23 | 1));
        expect_float_comes_back(-float_of_bits(exponent << 23 | 0x7FFFFF));
        for (int i = 0; i < 2000; ++i) {
            expect_float_comes_back(float_of_bits(exponent << 23 | (uint32_t)(test_random_bits(&random) >> 41)));
        }
    }
    for (int i = 0; i < 5000000; ++i) { // what files are full of
        expect_float_comes_back(test_random_float(&random, -1.0f, 1.0f) * (i & 1 ? 1.0f : 1000.0f));
    }
    expect_float_comes_back(0.0f);
    expect_float_comes_back(-0.0f);
}

static void test_doubles_come_back(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (uint64_t exponent = 0; exponent < 2047; ++exponent) {
        expect_double_comes_back(double_of_bits(exponent << 52));
        expect_double_comes_back(-double_of_bits(exponent << 52 | 0xFFFFFFFFFFFFF));
        for (int i = 0; i < 50; ++i) {
            expect_double_comes_back(double_of_bits(exponent << 52 | test_random_bits(&random) >> 12));
        }
    }
    for (int i = 0; i < 100000; ++i) {
        expect_double_comes_back((double)(int64_t)test_random_bits(&random) / 1e6);
        expect_double_comes_back((double)(test_random_bits(&random) >> 40) / 1000.0);
    }
    expect_double_comes_back(0.0);
    expect_double_comes_back(-0.0);
}

static int count_digits(const char* text)
{
    int count = 0;
    int zeros = 0;
    for (; *text && *text != 'e'; ++text) {
        if (*text == '0') {
            zeros += count > 0;
        } else if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

// Whether some decimal of `digits` digits reads back as the number.
static bool reads_back(double value, bool single, int digits)
{
    static const int modes[] = { FE_DOWNWARD, FE_UPWARD };
    for (int i = 0; i < 2; ++i) {
        char text[64];
        fesetround(modes[i]);
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        fesetround(FE_TONEAREST);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) {
            return true;
        }
    }
    return false;
}

static void expect_shortest(double value, bool single)
{
    char text[GT_NUMBER_SIZE];
    single ? gt_print_float((float)value, text) : gt_print_double(value, text);
    int digits = count_digits(text);
    if (digits > 1 && reads_back(value, single, digits - 1)) {
        fail_msg("%a was printed as '%s', but %d digits are enough", value, text, digits - 1);
    }
}

static void test_no_shorter_text_reads_back(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (uint32_t exponent = 0; exponent < 255; ++exponent) {
        expect_shortest((double)float_of_bits(exponent << 23 | (exponent == 0)), true);
        for (int i = 0; i < 200; ++i) {
            uint32_t bits = exponent << 23 | (uint32_t)(test_random_bits(&random) >> 41);
            expect_shortest((double)float_of_bits(bits | 1), true);
        }
    }
    for (uint64_t exponent = 0; exponent < 2047; ++exponent) {
        expect_shortest(double_of_bits(exponent << 52 | (exponent == 0)), false);
        for (int i = 0; i < 10; ++i) {
            expect_shortest(double_of_bits(exponent << 52 | test_random_bits(&random) >> 12 | 1), false);
        }
    }
    for (int i = 1; i <= 52; ++i) { // denormals with few bits need few digits
        expect_shortest(double_of_bits(test_random_bits(&random) >> (64 - i) | 1), false);
    }
    for (int i = 1; i <= 23; ++i) {
        expect_shortest((double)float_of_bits((uint32_t)(test_random_bits(&random) >> (64 - i)) | 1), true);
    }
}

static void test_how_numbers_look(void** state)
{
    (void)state;
    static const struct {
        double value;
        const char* text;
    } cases[] = {
        { 0.0, "0" },
        { -0.0, "-0" },
        { 1.0, "1" },
        { -1.5, "-1.5" },
        { 0.1, "0.1" },
        { 100.0, "100" },
        { 1e9, "1e+9" },
        { 123456789.0, "123456789" },
        { 1e20, "1e+20" },
        { 0.0001, "0.0001" },
        { 0.00001, "1e-5" },
        { 1.25e-7, "1.25e-7" },
        { 5e-324, "5e-324" },
        { DBL_MAX, "1.7976931348623157e+308" },
        { 9007199254740992.0, "9.007199254740992e+15" },
    };
    char text[GT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(gt_print_double(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    gt_print_float(FLT_MAX, text);
    assert_string_equal(text, "3.4028235e+38");
    gt_print_float(float_of_bits(1), text);
    assert_string_equal(text, "1e-45");
    gt_print_float(16777216.0f, text);
    assert_string_equal(text, "16777216");
    gt_print_float(0.1f, text);
    assert_string_equal(text, "0.1");
    gt_print_float(NAN, text);
    assert_string_equal(text, "nan");
    gt_print_float(INFINITY, text);
    assert_string_equal(text, "inf");
    gt_print_double(-(double)INFINITY, text);
    assert_string_equal(text, "-inf");
}

static void expect_parses_as_library(const char* text)
{
    const char* end = text + strlen(text);
    double expected = strtod(text, NULL);
    float expected_single = strtof(text, NULL);
    double value = 0.0;
    float single = 0.0f;
    if (gt_parse_double(text, end, &value) != end || memcmp(&value, &expected, sizeof value) != 0) {
        fail_msg("'%.100s' read as %a, not %a", text, value, expected);
    }
    if (gt_parse_float(text, end, &single) != end || memcmp(&single, &expected_single, sizeof single) != 0) {
        fail_msg("'%.100s' read as float %a, not %a", text, (double)single, (double)expected_single);
    }
}

// Digits of any number, a point anywhere or nowhere, an exponent or none.
static void make_text(TestRandom* random, char* text, int max_digits)
{
    int digits = 1 + (int)(test_random_bits(random) % (uint64_t)max_digits);
    int point = (int)(test_random_bits(random) % (uint64_t)(digits + 10));
    char* p = text;
    *p = '-';
    p += test_random_bits(random) >> 63;
    for (int i = 0; i < digits; ++i) {
        if (i == point) {
            *p++ = '.';
        }
        *p++ = (char)('0' + test_random_bits(random) % 10);
    }
    if (test_random_bits(random) & 1 << 20) {
        p += sprintf(p, "e%d", (int)(test_random_bits(random) % 700) - 350);
    }
    *p = 0;
}

static void test_random_texts(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    char text[2048];
    for (int i = 0; i < 500000; ++i) {
        make_text(&random, text, 25);
        expect_parses_as_library(text);
    }
    for (int i = 0; i < 5000; ++i) {
        make_text(&random, text, 1200);
        expect_parses_as_library(text);
    }
}

// All digits of the middle between two numbers; then so long that the C library cannot be given the text as it is; then
// a trifle above the middle.
static void expect_halfway_parses(char* text)
{
    expect_parses_as_library(text);
    char* exponent = strchr(text, 'e');
    memmove(exponent + 400, exponent, strlen(exponent) + 1);
    memset(exponent, '0', 400);
    expect_parses_as_library(text);
    exponent[399] = '1';
    expect_parses_as_library(text);
}

static void test_halfway_texts(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    char text[2000];
    for (int i = 0; i < 5000; ++i) {
        uint32_t bits = (uint32_t)(test_random_bits(&random) % 0x7F000000);
        snprintf(text, sizeof text, "%.160e", 0.5 * ((double)float_of_bits(bits) + (double)float_of_bits(bits + 1)));
        expect_halfway_parses(text);
    }
#if LDBL_MANT_DIG >= 64 // else no type holds the middle of two doubles
    for (int i = 0; i < 5000; ++i) {
        uint64_t bits = test_random_bits(&random) % 0x7FE0000000000000;
        long double middle = 0.5L * ((long double)double_of_bits(bits) + (long double)double_of_bits(bits + 1));
        snprintf(text, sizeof text, "%.800Le", middle);
        expect_halfway_parses(text);
    }
#endif
}

// Doubles near 1 and at the ends, whose halfway points are known by heart.
static void test_famous_texts(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "1.00000000000000011102230246251565404236316680908203125", // between 1 and the next
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000033306690738754696212708950042724609375", // between the next two
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000000000000000000000000000000000000000000000001",
        "9007199254740992.99999999999999999999999999999999999999999999999999999999999999999999999999",
        "2.2250738585072011e-308", // made PHP and Java hang
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "4.9406564584124654e-324",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "1.797693134862315808e308",
        "1e308",
        "1e309",
        "-1e309",
        "1e-323",
        "1e-324",
        "1e-400",
        "3.4028235e38",
        "3.4028235677973366e38", // between the largest float and what would follow
        "3.4028235677973365e38",
        "1.4012984643248170e-45",
        "7.0064923216240853e-46",
        "7.0064923216240854e-46",
        "1.1754943508222875e-38",
        "16777217",
        "16777219",
        "33554434.5",
        "0.1",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000001",
        "17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863276687817154045895"
        "3"
        "51438246423432132688946418276846754670353751698604991057655128207624549009038932894407586850845513394230458323"
        "6"
        "903222948165808559332123347747979",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0e99999999999999999999",
        "-0.0e-5",
        "00000000000000000000000000000000000000000000000000000000000000000001.5",
        ".5",
        "5.",
        "+7",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        expect_parses_as_library(texts[i]);
    }
}

// Millions of zeros on one side, taken back by an exponent on the other; no C library call sees the text.
static void test_long_zeros(void** state)
{
    (void)state;
    const size_t zeros = 2000000;
    char* text = malloc(zeros + 64);
    double value = 0.0;
    float single = 0.0f;
    memset(text, '0', zeros + 2);
    text[1] = '.';
    size_t length = zeros + 2;
    length += (size_t)sprintf(text + length, "125e%d", (int)zeros + 3);
    assert_ptr_equal(gt_parse_double(text, text + length, &value), text + length);
    assert_true(value == 125.0);
    assert_ptr_equal(gt_parse_float(text, text + length, &single), text + length);
    assert_true(single == 125.0f);
    memset(text, '0', zeros + 3);
    memcpy(text, "125", 3);
    length = zeros + 3;
    length += (size_t)sprintf(text + length, "e-%d", (int)zeros);
    assert_ptr_equal(gt_parse_double(text, text + length, &value), text + length);
    assert_true(value == 125.0);
    length = zeros + 3;
    assert_ptr_equal(gt_parse_double(text, text + length, &value), text + length);
    assert_true(isinf(value));
    free(text);
}

static void test_what_is_no_number_and_where_one_ends(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int length; // of the number; -1 for none
    } cases[] = {
        { "", -1 },     { "-", -1 },        { "+", -1 },    { ".", -1 },   { "-.", -1 },      { "e5", -1 },
        { ".e5", -1 },  { " 1", -1 },       { "abc", -1 },  { "in", -1 },  { "na", -1 },      { "1e", 1 },
        { "1e+", 1 },   { "1e5x", 3 },      { "1.2.3", 3 }, { "1,5", 1 },  { "1 2", 1 },      { "0x10", 1 },
        { "--1", -1 },  { "nanometre", 3 }, { "NaN", 3 },   { "-inf", 4 }, { "Infinity", 8 }, { "infinit", 3 },
        { "1e5.5", 3 }, { "5.e1", 4 },      { "1_0", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char* text = cases[i].text;
        double value = 42.0;
        float single = 42.0f;
        const char* end = gt_parse_double(text, text + strlen(text), &value);
        const char* single_end = gt_parse_float(text, text + strlen(text), &single);
        assert_ptr_equal(end, cases[i].length < 0 ? NULL : text + cases[i].length);
        assert_ptr_equal(single_end, end);
        assert_true(cases[i].length >= 0 || (value == 42.0 && single == 42.0f)); // untouched
    }
    static const char digits[] = "123";
    double value = 42.0;
    assert_null(gt_parse_double(digits, digits, &value)); // an empty range
    assert_ptr_equal(gt_parse_double(digits, digits + 2, &value), digits + 2);
    assert_true(value == 12.0);
}

static void test_integers(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int length;
        int64_t value;
    } cases[] = {
        { "0", 1, 0 },
        { "-0", 2, 0 },
        { "+12x", 3, 12 },
        { "9223372036854775807", 19, INT64_MAX },
        { "-9223372036854775808", 20, INT64_MIN },
        { "000000000000000000000000000007", 30, 7 },
        { "9223372036854775808", -1, 0 },
        { "-9223372036854775809", -1, 0 },
        { "99999999999999999999999", -1, 0 },
        { "", -1, 0 },
        { "-", -1, 0 },
        { "x", -1, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char* text = cases[i].text;
        int64_t value = 0;
        const char* end = gt_parse_int64(text, text + strlen(text), &value);
        assert_ptr_equal(end, cases[i].length < 0 ? NULL : text + cases[i].length);
        assert_true(value == cases[i].value);
    }
}

static void test_locale_changes_nothing(void** state)
{
    (void)state;
    static const char* const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8" };
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; ++i) {
        found = setlocale(LC_ALL, names[i]) != NULL;
    }
    char comma[16];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    if (!found || strcmp(comma, "0,5") != 0) {
        setlocale(LC_ALL, "C");
        print_message("no locale with a decimal comma is installed: skipped\n");
        skip();
    }
    char text[GT_NUMBER_SIZE];
    double value = 0.0;
    float single = 0.0f;
    gt_print_double(1.2345678901234567e-200, text);
    static const char long_text[] = "1.2345678901234567890123e-200";
    gt_parse_double(long_text, long_text + sizeof long_text - 1, &value);
    static const char float_text[] = "16777217.0000000000000000001";
    gt_parse_float(float_text, float_text + sizeof float_text - 1, &single);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1.2345678901234567e-200");
    assert_true(value == strtod(long_text, NULL));
    assert_true(single == 16777218.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats_come_back),
        cmocka_unit_test(test_doubles_come_back),
        cmocka_unit_test(test_no_shorter_text_reads_back),
        cmocka_unit_test(test_how_numbers_look),
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_halfway_texts),
        cmocka_unit_test(test_famous_texts),
        cmocka_unit_test(test_long_zeros),
        cmocka_unit_test(test_what_is_no_number_and_where_one_ends),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
