// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Nearest points against the best of many points of the same segment or triangle.

#include "geometry/nearest.h"
#include "support/random.h"
#include "support/test.h"

enum {
    STEPS = 60
};

static double distance_to(GtVec3 p, GtVec3 q)
{
    return (double)gt_vec3_length(gt_vec3_sub(p, q));
}

static void test_segments(void** state)
{
    (void)state;
    TestRandom random = { 381 };
    for (int round = 0; round < 500; ++round) {
        GtVec3 a = test_random_vec3(&random, -1.0f, 1.0f);
        GtVec3 b = round % 10 ? test_random_vec3(&random, -1.0f, 1.0f) : a; // also of no length
        GtVec3 p = test_random_vec3(&random, -2.0f, 2.0f);
        GtVec3 near = gti_nearest_on_segment(p, a, b);
        double best = (double)INFINITY;
        for (int i = 0; i <= STEPS; ++i) {
            best = fmin(best, distance_to(p, gt_vec3_lerp(a, b, (float)i / STEPS)));
        }
        assert_true(distance_to(p, near) <= best + 1e-6);                                     // none is nearer,
        GT_EXPECT_NEAR(distance_to(a, near) + distance_to(near, b), distance_to(a, b), 1e-6); // and it is one of them
    }
}

static void test_triangles(void** state)
{
    (void)state;
    TestRandom random = { 382 };
    for (int round = 0; round < 500; ++round) {
        GtVec3 c[3];
        for (int k = 0; k < 3; ++k) {
            c[k] = test_random_vec3(&random, -1.0f, 1.0f);
        }
        GtVec3 p = test_random_vec3(&random, -2.0f, 2.0f);
        GtVec3 near = gti_nearest_on_triangle(p, c[0], c[1], c[2]);
        double best = (double)INFINITY;
        double nearest_sample = (double)INFINITY; // to the answer: that it is of the triangle
        for (int i = 0; i <= STEPS; ++i) {
            for (int j = 0; i + j <= STEPS; ++j) {
                GtVec3 q = gt_vec3_add(
                    gt_vec3_scale(c[0], (float)(STEPS - i - j) / STEPS),
                    gt_vec3_add(gt_vec3_scale(c[1], (float)i / STEPS), gt_vec3_scale(c[2], (float)j / STEPS)));
                best = fmin(best, distance_to(p, q));
                nearest_sample = fmin(nearest_sample, distance_to(near, q));
            }
        }
        assert_true(distance_to(p, near) <= best + 1e-6);
        assert_true(nearest_sample < 4.0 / STEPS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
