// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Directions against all there is to choose from, rotation vectors against those in double.

#include "base/direction.h"
#include "base/quat_double.h"
#include "support/random.h"
#include "support/test.h"

static void test_angles_between_vectors(void** state)
{
    (void)state;
    TestRandom random = { 361 };
    for (int round = 0; round < 1000; ++round) {
        GtVec3 a = test_random_direction(&random);
        GtVec3 across =
            gt_vec3_normalize_or(gt_vec3_cross(a, test_random_direction(&random)), gt_vec3(0.0f, 0.0f, 0.0f));
        float angle = test_random_float(&random, 0.0f, 3.14159f);
        GtVec3 b = gt_vec3_add(gt_vec3_scale(a, cosf(angle)), gt_vec3_scale(across, sinf(angle)));
        GT_EXPECT_NEAR(gti_angle_between(gt_vec3_scale(a, 3.0f), gt_vec3_scale(b, 1e-3f)), angle, 1e-6);
    }
    assert_true(gti_square_between(gt_vec3(1.0f, 2.0f, 3.0f), gt_vec3(3.0f, 5.0f, -3.0f)) == 49.0f);
    assert_true(gti_angle_between(gt_vec3(0.0f, 0.0f, 0.0f), gt_vec3(1.0f, 0.0f, 0.0f)) == 0.0f);
}

static void test_the_nearest_axis_is_the_best_of_six(void** state)
{
    (void)state;
    TestRandom random = { 362 };
    for (int round = 0; round < 1000; ++round) {
        GtVec3 v = test_random_vec3(&random, -2.0f, 2.0f);
        GtVec3 axis = gti_nearest_axis(v);
        assert_true(gt_vec3_length(axis) == 1.0f && fabsf(axis.x) + fabsf(axis.y) + fabsf(axis.z) == 1.0f);
        const float along[6] = { v.x, -v.x, v.y, -v.y, v.z, -v.z };
        for (int i = 0; i < 6; ++i) {
            assert_true(gt_vec3_dot(axis, v) >= along[i]);
        }
    }
}

static void test_rotation_vectors(void** state)
{
    (void)state;
    TestRandom random = { 363 };
    for (int round = 0; round < 1000; ++round) {
        float angle =
            round % 2 ? test_random_float(&random, 0.0f, 3.1f) : 1e-6f * test_random_float(&random, 0.0f, 1.0f);
        GtVec3 v = gt_vec3_scale(test_random_direction(&random), angle);
        GtQuat q = gti_quat_from_vector(v);
        GtiQuat exact = gti_quat_exp(gti_vec_from(v));
        GT_EXPECT_NEAR(q.x, exact.x, 2e-7);
        GT_EXPECT_NEAR(q.y, exact.y, 2e-7);
        GT_EXPECT_NEAR(q.z, exact.z, 2e-7);
        GT_EXPECT_NEAR(q.w, exact.w, 2e-7);
        GtVec3 back = gti_vector_from_quat(round % 3 ? q : gt_quat(-q.x, -q.y, -q.z, -q.w));
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(back, v)), 0.0, 4e-6 * (double)angle + 1e-12);
    }
    assert_true(gti_quat_from_vector(gt_vec3(0.0f, 0.0f, 0.0f)).w == 1.0f);
    assert_true(gt_vec3_length(gti_vector_from_quat(gt_quat_identity())) == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angles_between_vectors),
        cmocka_unit_test(test_the_nearest_axis_is_the_best_of_six),
        cmocka_unit_test(test_rotation_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
