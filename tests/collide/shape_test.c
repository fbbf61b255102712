// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Balls, whose depths are known, and capsules against all pairs of their balls.

#include "collide/shape.h"
#include "support/random.h"
#include "support/test.h"

enum {
    POINTS = 4000,
    STEPS = 100
};

static void a_hull_of_a_ball_is_as_deep_as_the_ball(void** state)
{
    (void)state;
    static GtVec3 points[POINTS];
    GtiHullNormals normals;
    GtVec3 middle = gt_vec3(0.3f, -0.1f, 2.0f);
    TestRandom random = { 5 };
    gti_hull_normals(&normals);
    for (int i = 0; i < POINTS; ++i) {
        points[i] = gt_vec3_add(middle, gt_vec3_scale(test_random_direction(&random), 0.5f));
    }
    GtiHull hull = gti_hull_fit(&normals, points, POINTS);
    GT_EXPECT_NEAR(hull.radius, 0.5f, 0.02f);
    for (int round = 0; round < 300; ++round) {
        GtVec3 way = test_random_direction(&random);
        float far = 0.6f * test_random_float(&random, 0.1f, 1.0f), radius = 0.1f;
        GtVec3 at = gt_vec3_add(middle, gt_vec3_scale(way, far));
        GtiBall ball = { at, radius };
        GtiDepth depth = gti_balls_in_hull(&normals, &ball, 1, &hull);
        GT_EXPECT_NEAR(depth.depth_m, 0.5f + radius - far, 0.015f);
        assert_true(gt_vec3_dot(depth.way, way) > 0.9f || far < 0.15f);
        ball.at = gt_vec3_add(ball.at, gt_vec3_scale(depth.way, depth.depth_m)); // moved that far it is out
        GT_EXPECT_NEAR(gti_balls_in_hull(&normals, &ball, 1, &hull).depth_m, 0.0f, 1e-5f);
    }
    GtiHull nothing = gti_hull_fit(&normals, NULL, 0);
    assert_true(nothing.radius < 0.0f);
    GtiBall ball = { middle, 1.0f };
    assert_true(gti_balls_in_hull(&normals, &ball, 1, &nothing).depth_m < 0.0f);
}

static void capsules_are_as_deep_as_their_deepest_balls(void** state)
{
    (void)state;
    TestRandom random = { 6 };
    for (int round = 0; round < 200; ++round) {
        GtiCapsule a = { test_random_vec3(&random, -1, 1), test_random_vec3(&random, -1, 1), 0.2f, 0.2f };
        GtiCapsule b = { test_random_vec3(&random, -1, 1), test_random_vec3(&random, -1, 1), 0.3f, 0.3f };
        float deepest = -INFINITY, at, other_at;
        for (int i = 0; i <= STEPS; ++i) {
            for (int k = 0; k <= STEPS; ++k) {
                GtVec3 p = gt_vec3_lerp(a.a, a.b, (float)i / STEPS), q = gt_vec3_lerp(b.a, b.b, (float)k / STEPS);
                deepest = fmaxf(deepest, 0.5f - gt_vec3_length(gt_vec3_sub(p, q)));
            }
        }
        GtiDepth depth = gti_capsule_in_capsule(&a, &b, &at, &other_at);
        assert_true(depth.depth_m >= deepest - 1e-5f && depth.depth_m < deepest + 0.02f);
        GtVec3 way = gt_vec3_sub(gt_vec3_lerp(a.a, a.b, at), gt_vec3_lerp(b.a, b.b, other_at));
        GT_EXPECT_NEAR(gt_vec3_length(way), 0.5f - depth.depth_m, 1e-5f);
        GT_EXPECT_NEAR(gt_vec3_length(depth.way), 1.0f, 1e-5f);
    }
}

static void a_capsule_fits_a_cone(void** state)
{
    (void)state;
    static GtVec3 points[POINTS];
    TestRandom random = { 7 };
    GtVec3 a = gt_vec3(0.0f, 0.0f, 0.0f), b = gt_vec3(0.0f, 2.0f, 0.0f);
    for (int i = 0; i < POINTS; ++i) {
        float t = test_random_float(&random, -0.3f, 1.3f), turn = test_random_float(&random, 0.0f, 6.2831853f);
        float radius = 0.3f - 0.2f * t + (t < 0.0f ? 1.0f : 0.0f); // beyond its ends it may be anything
        points[i] = gt_vec3(radius * sinf(turn), 2.0f * t, radius * cosf(turn));
    }
    GtiCapsule capsule;
    assert_true(gti_capsule_fit(points, POINTS, a, b, &capsule));
    GT_EXPECT_NEAR(capsule.radius_a, 0.3f, 1e-4f);
    GT_EXPECT_NEAR(capsule.radius_b, 0.1f, 1e-4f);
    assert_false(gti_capsule_fit(points, 3, a, b, &capsule));
    assert_false(gti_capsule_fit(points, POINTS, a, a, &capsule));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_of_a_ball_is_as_deep_as_the_ball),
        cmocka_unit_test(capsules_are_as_deep_as_their_deepest_balls),
        cmocka_unit_test(a_capsule_fits_a_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
