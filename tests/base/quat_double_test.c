// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Rotations in double against Rodrigues' formula in long double, and what is derived from them against its closed form.

#include "base/quat_double.h"
#include "support/random.h"
#include "support/test.h"

enum {
    ROUNDS = 1000
};

static GtiVec random_vec(TestRandom* random)
{
    return gti_vec(test_random_double(random, -1.0, 1.0), test_random_double(random, -1.0, 1.0),
                   test_random_double(random, -1.0, 1.0));
}

static GtiVec random_unit(TestRandom* random)
{
    return gti_vec_unit_or(random_vec(random), gti_vec(1.0, 0.0, 0.0));
}

static void expect_near(GtiVec a, GtiVec b, double tolerance)
{
    GT_EXPECT_NEAR(gti_vec_length(gti_vec_sub(a, b)), 0.0, tolerance);
}

// v cos + (k x v) sin + k (k . v) (1 - cos)
static GtiVec turned(GtiVec k, double angle_rad, GtiVec v)
{
    long double c = cosl((long double)angle_rad);
    long double s = sinl((long double)angle_rad);
    long double along = ((long double)k.x * v.x + (long double)k.y * v.y + (long double)k.z * v.z) * (1.0L - c);
    return gti_vec((double)(v.x * c + ((long double)k.y * v.z - (long double)k.z * v.y) * s + k.x * along),
                   (double)(v.y * c + ((long double)k.z * v.x - (long double)k.x * v.z) * s + k.y * along),
                   (double)(v.z * c + ((long double)k.x * v.y - (long double)k.y * v.x) * s + k.z * along));
}

static void test_rotations_follow_rodrigues(void** state)
{
    (void)state;
    TestRandom random = { 331 };
    for (int round = 0; round < ROUNDS; ++round) {
        GtiVec axes[2] = { random_unit(&random), random_unit(&random) };
        double angles[2] = { test_random_double(&random, -3.1, 3.1), test_random_double(&random, -3.1, 3.1) };
        GtiVec v = random_vec(&random);
        GtiQuat first = gti_quat_about(axes[0], angles[0]);
        GtiQuat second = gti_quat_about(axes[1], angles[1]);
        GtiVec once = turned(axes[0], angles[0], v);
        expect_near(gti_quat_rotate(first, v), once, 3e-15);
        expect_near(gti_quat_rotate(gti_quat_mul(second, first), v), turned(axes[1], angles[1], once), 5e-15);
        expect_near(gti_quat_rotate(gti_quat_conjugate(first), once), v, 5e-15);
    }
}

static void test_logarithms_are_axis_times_angle(void** state)
{
    (void)state;
    TestRandom random = { 332 };
    for (int round = 0; round < ROUNDS; ++round) {
        GtiVec axis = random_unit(&random);
        double angle =
            round % 2 ? test_random_double(&random, 0.0, 3.1) : pow(10.0, test_random_double(&random, -18.0, -3.0));
        GtiVec v = gti_vec_scale(axis, angle);
        expect_near(gti_quat_log(gti_quat_about(axis, angle)), v, 1e-14 * angle);
        expect_near(gti_quat_log(gti_quat_exp(v)), v, 1e-14 * angle);
        GtiQuat q = gti_quat_exp(v);
        expect_near(gti_quat_log((GtiQuat){ -q.x, -q.y, -q.z, -q.w }), v, 1e-14 * angle); // the same rotation
    }
}

static void test_rotations_between_directions(void** state)
{
    (void)state;
    TestRandom random = { 333 };
    for (int round = 0; round < ROUNDS; ++round) {
        GtiVec from = random_unit(&random);
        GtiVec to = round % 4 ? random_unit(&random) : gti_vec_scale(from, round % 8 ? 1.0 : -1.0);
        GtiQuat q = gti_quat_between(from, to, random_vec(&random));
        double angle = 2.0 * atan2(gti_vec_length(gti_vec_sub(to, from)), gti_vec_length(gti_vec_add(to, from)));
        expect_near(gti_quat_rotate(q, from), to, 1e-13);
        GT_EXPECT_NEAR(gti_vec_length(gti_quat_log(q)), angle, 1e-7); // there is none smaller
    }
}

static void test_points_of_floats_lose_nothing(void** state)
{
    (void)state;
    const GtVec3 a = { 1.0f, -16777216.0f, 0.25f };
    const GtVec3 b = { 1.0f + 0x1p-23f, 1.0f, 0.25f }; // 16777217 is no float
    GtiVec way = gti_vec_between(a, b);
    assert_true(way.x == 0x1p-23 && way.y == 16777217.0 && way.z == 0.0);
    GT_EXPECT_NEAR(gti_distance(a, b), hypot(way.x, way.y), 1e-8);
    assert_true(gti_distance(gt_vec3(1.0f, 2.0f, 3.0f), gt_vec3(3.0f, 5.0f, -3.0f)) == 7.0);
}

static void test_what_has_no_direction_has_a_fallback(void** state)
{
    (void)state;
    const GtiVec fallback = { 0.0, 0.0, 1.0 };
    expect_near(gti_vec_unit_or(gti_vec(0.0, 0.0, 0.0), fallback), fallback, 0.0);
    expect_near(gti_vec_unit_or(gti_vec(0.0, (double)NAN, 0.0), fallback), fallback, 0.0);
    assert_true(gti_quat_unit((GtiQuat){ 0.0, 0.0, 0.0, 0.0 }).w == 1.0);
    assert_true(gti_quat_unit((GtiQuat){ (double)NAN, 0.0, 0.0, 0.0 }).w == 1.0);
    GtiQuat q = gti_quat_unit((GtiQuat){ 0.0, 3.0, 0.0, -4.0 });
    assert_true(q.y == 3.0 * 0.2 && q.w == -4.0 * 0.2);
    assert_false(gti_vec_is_finite(gti_vec(0.0, (double)INFINITY, 0.0)));
    assert_true(gti_vec_is_finite(gti_vec(0.0, -1e30, 0.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotations_follow_rodrigues),
        cmocka_unit_test(test_logarithms_are_axis_times_angle),
        cmocka_unit_test(test_rotations_between_directions),
        cmocka_unit_test(test_points_of_floats_lose_nothing),
        cmocka_unit_test(test_what_has_no_direction_has_a_fallback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
