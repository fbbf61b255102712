// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limits against fmin() and fmax() of the C library; steps against their other forms in long double.

#include "base/scalar.h"
#include "support/random.h"
#include "support/test.h"

static void test_constants(void** state)
{
    (void)state;
    assert_true(GTI_PI == (double)acosl(-1.0L));
    assert_true(GTI_DEGREE == (double)(acosl(-1.0L) / 180.0L));
}

static void test_limits_are_kept(void** state)
{
    (void)state;
    TestRandom random = { 351 };
    for (int round = 0; round < 1000; ++round) {
        double low = test_random_double(&random, -2.0, 1.0);
        double high = low + test_random_double(&random, 0.0, 2.0);
        double x = round == 0 ? (double)NAN : round == 1 ? (double)INFINITY : test_random_double(&random, -3.0, 4.0);
        assert_true(gti_clamp(x, low, high) == fmin(fmax(x, low), high));
        assert_true(gti_clampf((float)x, (float)low, (float)high) == fminf(fmaxf((float)x, (float)low), (float)high));
        GT_EXPECT_NEAR(gti_mix(low, high, 0.25), 0.75 * low + 0.25 * high, 1e-15);
    }
}

// The integrals of 6 t (1 - t) and 30 t^2 (1 - t)^2, which are 0 at both ends, the second with its slope.
static void test_steps(void** state)
{
    (void)state;
    for (int i = -20; i <= 120; ++i) {
        long double t = i < 0 ? 0.0L : i > 100 ? 1.0L : i / 100.0L;
        long double cubic = 3.0L * t * t - 2.0L * t * t * t;
        long double quintic = 10.0L * t * t * t - 15.0L * t * t * t * t + 6.0L * t * t * t * t * t;
        GT_EXPECT_NEAR(gti_cubic_step(i / 100.0), cubic, 1e-15);
        GT_EXPECT_NEAR(gti_cubic_stepf((float)i / 100.0f), cubic, 2e-7);
        GT_EXPECT_NEAR(gti_quintic_step(i / 100.0), quintic, 4e-15);
        GT_EXPECT_NEAR(gti_quintic_stepf((float)i / 100.0f), quintic, 1e-6);
    }
    assert_true(gti_cubic_step(1.0) == 1.0 && gti_quintic_step(1.0) == 1.0);
    assert_true(gti_cubic_stepf(1.0f) == 1.0f && gti_quintic_stepf(1.0f) == 1.0f);
}

static void test_times_of_frames(void** state)
{
    (void)state;
    assert_true(gti_frame_time_s(0.5, 30.0, 15) == 1.0);
    assert_true(gti_frame_time_s(0.5, 0.0, 0) == 0.5); // one frame alone
}

// The standard's own corner values, and there and back.
static void test_shades(void** state)
{
    (void)state;
    assert_true(gti_linear_from_srgb(0.0) == 0.0 && gti_srgb_from_linear(0.0) == 0.0);
    GT_EXPECT_NEAR(gti_linear_from_srgb(1.0), 1.0, 1e-15);
    GT_EXPECT_NEAR(gti_linear_from_srgb(0.04045), 0.0031308, 1e-7);
    GT_EXPECT_NEAR(gti_linear_from_srgb(0.5), 0.21404114, 1e-8);
    for (int i = 0; i <= 255; ++i) {
        GT_EXPECT_NEAR(gti_srgb_from_linear(gti_linear_from_srgb(i / 255.0)), i / 255.0, 1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),       cmocka_unit_test(test_limits_are_kept), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_times_of_frames), cmocka_unit_test(test_shades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
