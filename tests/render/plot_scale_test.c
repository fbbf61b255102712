// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Axes of every size: ticks are 1, 2 or 5 times a power of ten, lie where their labels say, and are neither too many
// nor too few.

#include "support/random.h"
#include "support/test.h"

#include "render/plot/scale.h"

#include <float.h>
#include <stdlib.h>

static const double most = 8.0;

// The number that a label shows, with the power that the axis' name shows.
static double read_label(const GtiScale* scale, int64_t tick)
{
    char label[GTI_TICK_SIZE];
    char plain[GTI_TICK_SIZE + 16];
    gti_scale_print(scale, tick, label);
    bool negative = strncmp(label, "\xE2\x88\x92", 3) == 0;
    snprintf(plain, sizeof plain, "%s%se%d", negative ? "-" : "", negative ? label + 3 : label, (int)scale->power);
    char* end = NULL;
    double value = strtod(plain, &end);
    assert_true(*end == 0 && end != plain);
    return value;
}

static void check_ticks(const GtiScale* scale)
{
    assert_true(scale->low < scale->high);
    assert_true(scale->digit == 1 || scale->digit == 2 || scale->digit == 5);
    double span = scale->high - scale->low;
    double step = gti_scale_tick(scale, 1);
    int64_t count = scale->last - scale->first + 1;
    assert_true(count >= 2 && (double)count <= most + 1.0);
    assert_true(step >= span / most * (1.0 - 1e-9) && step <= 2.5 * span / most * (1.0 + 1e-9)); // the finest that fits
    for (int64_t tick = scale->first; tick <= scale->last; ++tick) {
        double value = gti_scale_tick(scale, tick);
        double place = gti_scale_place(scale, value);
        assert_true(place >= -1e-3 && place <= 1.0 + 1e-3);
        GT_EXPECT_NEAR(read_label(scale, tick) / step, value / step, 1e-6);
    }
}

static void test_ticks_fit_any_range(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int i = 0; i < 20000; ++i) {
        double magnitude = pow(10.0, (double)test_random_float(&random, -40.0f, 38.0f));
        double a = (double)test_random_float(&random, -1.0f, 1.0f) * magnitude;
        double b = a + (double)test_random_float(&random, 2e-5f, 2.0f) * magnitude;
        GtiScale scale = gti_scale_of_values(a, b);
        assert_true(scale.low <= a && scale.high >= b);
        gti_scale_choose_ticks(&scale, most);
        check_ticks(&scale);
    }
}

static void test_labels_are_what_people_write(void** state)
{
    (void)state;
    static const struct {
        double low, high;
        const char* labels;
        const char* power;
    } cases[] = {
        { 0.0, 1.0, "0 0.2 0.4 0.6 0.8 1.0", "" },
        { -1.0, 1.0,
          "\xE2\x88\x92"
          "1.0 \xE2\x88\x92"
          "0.5 0 0.5 1.0",
          "" },
        { 0.0, 30.0, "0 5 10 15 20 25 30", "" },
        { 99.9, 100.1, "99.90 99.95 100.00 100.05 100.10", "" },
        { 0.0, 12000.0, "0 2000 4000 6000 8000 10000 12000", "" },
        { 0.0, 5e-9, "0 1 2 3 4 5", "10\xE2\x81\xBB\xE2\x81\xB9" },
        { 0.0, 2e9, "0 0.5 1.0 1.5 2.0", "10\xE2\x81\xB9" },
        { 1e6, 1e6 + 1.0, "1000000.0 1000000.2 1000000.4 1000000.6 1000000.8 1000001.0", "" },
        { 0.0, 3e5, "0 50 100 150 200 250 300", "10\xC2\xB3" },
        { 0.0, 0.99999998, "0 0.2 0.4 0.6 0.8 1.0", "" }, // a float that just misses its round number
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtiScale scale = gti_scale_of_time(cases[i].low, cases[i].high);
        gti_scale_choose_ticks(&scale, 6.5);
        char text[256] = "";
        char power[GTI_TICK_SIZE];
        for (int64_t tick = scale.first; tick <= scale.last; ++tick) {
            char label[GTI_TICK_SIZE];
            gti_scale_print(&scale, tick, label);
            strcat(strcat(text, text[0] ? " " : ""), label);
        }
        assert_string_equal(text, cases[i].labels);
        gti_scale_print_power(&scale, power);
        assert_string_equal(power, cases[i].power);
    }
}

static void test_ranges_show_what_is_there(void** state)
{
    (void)state;
    GtiScale scale = gti_scale_of_values(0.01, 4.0); // near zero: from zero
    GT_EXPECT_NEAR(scale.low, 0.0, 0);
    scale = gti_scale_of_values(3.0, 4.0);
    assert_true(scale.low < 3.0 && scale.low > 2.9 && scale.high > 4.0 && scale.high < 4.1);
    static const double constants[] = { 0.0, 1.0, -1e9, 1e-9, FLT_MAX, -FLT_MIN };
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; ++i) {
        double c = constants[i];
        scale = gti_scale_of_values(c, c); // in the middle
        GT_EXPECT_NEAR(gti_scale_place(&scale, c), 0.5, 1e-9);
        gti_scale_choose_ticks(&scale, most);
        check_ticks(&scale);
        scale = gti_scale_of_values(c, c * (1.0 + 2e-7)); // and so is what rounding makes of it
        GT_EXPECT_NEAR(gti_scale_place(&scale, c), 0.5, 1e-5);
        scale = gti_scale_of_time(c, c);
        gti_scale_choose_ticks(&scale, most);
        check_ticks(&scale);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks_fit_any_range),
        cmocka_unit_test(test_labels_are_what_people_write),
        cmocka_unit_test(test_ranges_show_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
