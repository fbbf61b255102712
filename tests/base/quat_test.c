// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Quaternions and dual quaternions against rotation matrices in double (Rodrigues' formula), which share nothing with
// them but the convention.

#include "gertie/dual_quat.h"
#include "support/random.h"
#include "support/test.h"

enum {
    ROUNDS = 2000
};

// R = I + sin(angle) K + (1 - cos(angle)) K^2, with K the cross product by `axis`.
static void rodrigues(GtVec3 axis, double angle, double r[3][3])
{
    double k[3] = { (double)axis.x, (double)axis.y, (double)axis.z };
    double length = sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
    double s = sin(angle);
    double c = cos(angle);
    for (int i = 0; i < 3; ++i) {
        k[i] /= length;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[i][j] = (1.0 - c) * k[i] * k[j] + (i == j ? c : 0.0);
        }
    }
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        int last = (i + 2) % 3;
        r[next][i] += s * k[last];
        r[last][i] -= s * k[next];
    }
}

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
}

static void expect_rotates_as(GtQuat q, double r[3][3], TestRandom* random)
{
    GtVec3 v = test_random_vec3(random, -2.0f, 2.0f);
    GtVec3 got = gt_quat_rotate(q, v);
    double x = (double)v.x;
    double y = (double)v.y;
    double z = (double)v.z;
    GT_EXPECT_NEAR(got.x, r[0][0] * x + r[0][1] * y + r[0][2] * z, 2e-6);
    GT_EXPECT_NEAR(got.y, r[1][0] * x + r[1][1] * y + r[1][2] * z, 2e-6);
    GT_EXPECT_NEAR(got.z, r[2][0] * x + r[2][1] * y + r[2][2] * z, 2e-6);
}

static void expect_same_rotation(GtQuat a, GtQuat b, double tolerance_rad)
{
    GT_EXPECT_NEAR(gt_quat_angle_rad(a, b), 0.0, tolerance_rad);
    GT_EXPECT_NEAR(gt_quat_length(a), 1.0, 3e-7);
}

static void test_products_are_matrix_products(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtVec3 axis_a = test_random_direction(&random);
        GtVec3 axis_b = test_random_direction(&random);
        float angle_a = test_random_float(&random, -7.0f, 7.0f);
        float angle_b = test_random_float(&random, -7.0f, 7.0f);
        double a[3][3];
        double b[3][3];
        double ab[3][3];
        rodrigues(axis_a, (double)angle_a, a);
        rodrigues(axis_b, (double)angle_b, b);
        multiply(a, b, ab);
        GtQuat qa = gt_quat_from_axis_angle(axis_a, angle_a);
        GtQuat qb = gt_quat_from_axis_angle(axis_b, angle_b);
        expect_rotates_as(qa, a, &random);
        expect_rotates_as(gt_quat_mul(qa, qb), ab, &random);
        GtQuat back = gt_quat_mul(gt_quat_mul(qa, qb), gt_quat_conjugate(qb));
        GT_EXPECT_NEAR(gt_quat_angle_rad(back, qa), 0.0, 1e-6);
    }
}

static void test_slerp_has_constant_speed(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtVec3 axis = test_random_direction(&random);
        GtQuat a = test_random_rotation(&random);
        // Angles of every size, from a thousandth of a degree to almost half a turn.
        float angle = 3.1f * powf(10.0f, -5.0f * test_random_float(&random, 0.0f, 1.0f));
        float t = test_random_float(&random, 0.0f, 1.0f);
        GtQuat b = gt_quat_mul(gt_quat_from_axis_angle(axis, angle), a);
        if (i & 1) {
            b = gt_quat(-b.x, -b.y, -b.z, -b.w); // the same rotation, so the same way
        }
        GtQuat expected = gt_quat_mul(gt_quat_from_axis_angle(axis, t * angle), a);
        expect_same_rotation(gt_quat_slerp(a, b, t), expected, 1e-6);
    }
}

static void test_slerp_ends_and_special_cases(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtQuat a = test_random_rotation(&random);
        GtQuat b = test_random_rotation(&random);
        expect_same_rotation(gt_quat_slerp(a, b, 0.0f), a, 1e-6);
        expect_same_rotation(gt_quat_slerp(a, b, 1.0f), b, 1e-6);
        expect_same_rotation(gt_quat_slerp(a, a, 0.3f), a, 1e-6);
        expect_same_rotation(gt_quat_slerp(a, b, 0.3f), gt_quat_slerp(b, a, 0.7f), 1e-6);
    }
    // Half a turn apart there are two shortest ways; one of them must be taken.
    GtQuat half = gt_quat_slerp(gt_quat_identity(), gt_quat(0.0f, 1.0f, 0.0f, 0.0f), 0.5f);
    GT_EXPECT_NEAR(fabsf(half.y), sqrt(0.5), 1e-6);
    GT_EXPECT_NEAR(half.w, sqrt(0.5), 1e-6);
    GtQuat none = gt_quat_slerp(gt_quat(NAN, 0.0f, 0.0f, 1.0f), gt_quat_identity(), 0.5f);
    assert_true(none.x == 0.0f && none.w == 1.0f);
}

static void test_between_turns_one_into_the_other_the_short_way(void** state)
{
    (void)state;
    TestRandom random = { 14 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtVec3 from = test_random_direction(&random);
        GtVec3 across = gt_vec3_normalize_or(gt_vec3_cross(from, test_random_direction(&random)), from);
        // Angles that crowd towards 0 or towards half a turn.
        double small = pow(10.0, -8.0 * (double)test_random_float(&random, 0.0f, 1.0f));
        double angle = i & 1 ? 3.14159265358979 - small : small;
        double r[3][3];
        rodrigues(across, angle, r);
        GtVec3 to = gt_vec3((float)(r[0][0] * (double)from.x + r[0][1] * (double)from.y + r[0][2] * (double)from.z),
                            (float)(r[1][0] * (double)from.x + r[1][1] * (double)from.y + r[1][2] * (double)from.z),
                            (float)(r[2][0] * (double)from.x + r[2][1] * (double)from.y + r[2][2] * (double)from.z));
        GtQuat q = gt_quat_between(from, to);
        GtVec3 turned = gt_quat_rotate(q, from);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(turned, to)), 0.0, 1e-6);
        GT_EXPECT_NEAR(gt_quat_angle_rad(q, gt_quat_identity()), angle, 1e-6);
    }
    static const GtVec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
    for (int i = 0; i < 6; ++i) {
        GtQuat half = gt_quat_between(axes[i], gt_vec3_scale(axes[i], -1.0f));
        GtVec3 turned = gt_quat_rotate(half, axes[i]);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_add(turned, axes[i])), 0.0, 1e-6);
    }
    GtQuat nothing = gt_quat_between(gt_vec3(0.0f, 0.0f, 0.0f), gt_vec3(1.0f, 0.0f, 0.0f));
    assert_true(nothing.w == 1.0f);
    GtQuat bad = gt_quat_between(gt_vec3(NAN, 0.0f, 0.0f), gt_vec3(1.0f, 0.0f, 0.0f));
    assert_true(bad.w == 1.0f && bad.x == 0.0f);
}

static void test_angle_keeps_its_digits_when_small(void** state)
{
    (void)state;
    for (float angle = 3.0f; angle > 1e-6f; angle *= 0.5f) {
        GtQuat q = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), angle);
        GT_EXPECT_NEAR(gt_quat_angle_rad(gt_quat_identity(), q), angle, 4e-7f * angle);
        GT_EXPECT_NEAR(gt_quat_angle_rad(gt_quat(0.0f, 0.0f, 0.0f, -1.0f), q), angle, 4e-7f * angle);
    }
}

static void test_normalize_never_gives_nan(void** state)
{
    (void)state;
    static const GtQuat bad[] = { { 0, 0, 0, 0 }, { NAN, 0, 0, 1 }, { INFINITY, 0, 0, 1 }, { 3e38f, 3e38f, 3e38f, 0 } };
    for (int i = 0; i < 4; ++i) {
        GtQuat q = gt_quat_normalize(bad[i]);
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
        GtDualQuat d = gt_dual_quat_normalize((GtDualQuat){ bad[i], gt_quat(1.0f, 2.0f, 3.0f, 4.0f) });
        assert_true(d.real.w == 1.0f && d.real.x == 0.0f && d.dual.x == 0.0f && d.dual.w == 0.0f);
    }
}

static void test_dual_quaternions_move_as_matrices_do(void** state)
{
    (void)state;
    TestRandom random = { 15 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtQuat rotation_a = test_random_rotation(&random);
        GtQuat rotation_b = test_random_rotation(&random);
        GtVec3 shift_a = test_random_vec3(&random, -3.0f, 3.0f);
        GtVec3 shift_b = test_random_vec3(&random, -3.0f, 3.0f);
        GtVec3 point = test_random_vec3(&random, -3.0f, 3.0f);
        GtDualQuat a = gt_dual_quat(rotation_a, shift_a);
        GtDualQuat b = gt_dual_quat(rotation_b, shift_b);
        GtVec3 by_b = gt_vec3_add(gt_quat_rotate(rotation_b, point), shift_b);
        GtVec3 expected = gt_vec3_add(gt_quat_rotate(rotation_a, by_b), shift_a);
        GtVec3 got = gt_dual_quat_point(gt_dual_quat_mul(a, b), point);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(got, expected)), 0.0, 1e-5);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(gt_dual_quat_translation(a), shift_a)), 0.0, 3e-6);
        float s = test_random_float(&random, 0.1f, 10.0f);
        GtDualQuat scaled = { gt_quat(a.real.x * s, a.real.y * s, a.real.z * s, a.real.w * s),
                              gt_quat(a.dual.x * s, a.dual.y * s, a.dual.z * s, a.dual.w * s) };
        GtVec3 by_a = gt_vec3_add(gt_quat_rotate(rotation_a, point), shift_a);
        GtVec3 again = gt_dual_quat_point(gt_dual_quat_normalize(scaled), point);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(again, by_a)), 0.0, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_are_matrix_products),
        cmocka_unit_test(test_slerp_has_constant_speed),
        cmocka_unit_test(test_slerp_ends_and_special_cases),
        cmocka_unit_test(test_between_turns_one_into_the_other_the_short_way),
        cmocka_unit_test(test_angle_keeps_its_digits_when_small),
        cmocka_unit_test(test_normalize_never_gives_nan),
        cmocka_unit_test(test_dual_quaternions_move_as_matrices_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
