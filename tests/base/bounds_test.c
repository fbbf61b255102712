// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Boxes around points against fminf() and fmaxf() of the C library, one coordinate at a time.

#include "base/bounds.h"
#include "support/random.h"
#include "support/test.h"

enum {
    COUNT = 257
};

static void make_points(uint64_t seed, GtVec3* points)
{
    TestRandom random = { seed };
    for (int32_t i = 0; i < COUNT; ++i) {
        points[i] = gt_vec3(test_random_float(&random, -3.0f, 5.0f), test_random_float(&random, -1e30f, 1e30f),
                            test_random_float(&random, 2.0f, 2.5f));
    }
}

static void expect_bounds(GtBounds bounds, const GtVec3* points, int32_t count)
{
    const float* values = &points[0].x;
    float low[3] = { NAN, NAN, NAN };
    float high[3] = { NAN, NAN, NAN };
    for (int32_t i = 0; i < 3 * count; ++i) {
        low[i % 3] = fminf(low[i % 3], values[i]);
        high[i % 3] = fmaxf(high[i % 3], values[i]);
    }
    assert_memory_equal(&bounds.low, low, sizeof low);
    assert_memory_equal(&bounds.high, high, sizeof high);
}

static void test_bounds_are_the_extremes_of_each_coordinate(void** state)
{
    (void)state;
    GtVec3 points[COUNT];
    make_points(321, points);
    GtBounds united = gti_bounds_empty();
    for (int32_t cut = 1; cut < COUNT; cut += 50) {
        GtBounds all = gti_bounds_of(points, COUNT);
        GtBounds before = gti_bounds_of(points, cut);
        GtBounds behind = gti_bounds_of(points + cut, COUNT - cut);
        expect_bounds(all, points, COUNT);
        expect_bounds(before, points, cut);
        gti_bounds_unite(&before, &behind);
        assert_memory_equal(&before, &all, sizeof all);
        gti_bounds_unite(&united, &before);
        assert_memory_equal(&united, &all, sizeof all);
    }
}

static void test_what_is_no_number_does_not_count(void** state)
{
    (void)state;
    GtVec3 points[COUNT];
    make_points(322, points);
    points[0].x = points[7].y = points[COUNT - 1].z = NAN;
    expect_bounds(gti_bounds_of(points, COUNT), points, COUNT);
}

static void test_what_is_finite(void** state)
{
    (void)state;
    assert_true(gt_vec3_is_finite(gt_vec3(-3e38f, 0.0f, 1e-45f)));
    for (int k = 0; k < 3; ++k) {
        float v[2][3] = { { 0.0f }, { 0.0f } };
        v[0][k] = NAN;
        v[1][k] = -INFINITY;
        assert_false(gt_vec3_is_finite(gt_vec3(v[0][0], v[0][1], v[0][2])));
        assert_false(gt_vec3_is_finite(gt_vec3(v[1][0], v[1][1], v[1][2])));
    }
}

static void test_sizes_of_boxes(void** state)
{
    (void)state;
    const GtBounds box = { { -1.0f, 2.0f, 0.5f }, { 1.0f, 5.0f, 6.5f } };
    GtVec3 size = gti_bounds_size(box);
    assert_true(size.x == 2.0f && size.y == 3.0f && size.z == 6.0f);
    assert_true(gti_bounds_diagonal(box) == 7.0f);
    assert_true(gti_bounds_longest(box) == 6.0f);
    assert_true(gti_bounds_empty().low.x > gti_bounds_empty().high.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_are_the_extremes_of_each_coordinate),
        cmocka_unit_test(test_what_is_no_number_does_not_count),
        cmocka_unit_test(test_what_is_finite),
        cmocka_unit_test(test_sizes_of_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
