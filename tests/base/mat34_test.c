// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Matrices, their polar decomposition and transforms, on matrices built from known rotations and scales.

#include "gertie/transform.h"
#include "support/random.h"
#include "support/test.h"

enum {
    ROUNDS = 2000
};

static float random_sign(TestRandom* random)
{
    return test_random_bits(random) >> 63 ? 1.0f : -1.0f;
}

// A length between 10^-decades and 10^decades.
static float random_scale(TestRandom* random, float decades)
{
    return powf(10.0f, test_random_float(random, -decades, decades));
}

// rotation * symmetric, with S = Q diag(s) Q^T.
static void random_symmetric(TestRandom* random, GtVec3 s, double out[3][3])
{
    GtMat34 q = gt_mat34_from_transform(
        gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), test_random_rotation(random), gt_vec3(1.0f, 1.0f, 1.0f)));
    double d[3] = { (double)s.x, (double)s.y, (double)s.z };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] = 0.0;
            for (int k = 0; k < 3; ++k) {
                out[i][j] += (double)q.m[i][k] * d[k] * (double)q.m[j][k];
            }
        }
    }
}

static GtMat34 rotation_times(GtQuat rotation, double s[3][3])
{
    GtMat34 r = gt_mat34_from_transform(gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), rotation, gt_vec3(1.0f, 1.0f, 1.0f)));
    GtMat34 a = { 0 };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) {
                sum += (double)r.m[i][k] * s[k][j];
            }
            a.m[i][j] = (float)sum;
        }
    }
    return a;
}

// linear = R * S, to rounding, and R is a rotation.
static void expect_factors(const GtMat34* a, GtQuat q, const float stretch[9], double size)
{
    GT_EXPECT_NEAR(gt_quat_length(q), 1.0, 3e-7);
    GtMat34 r = gt_mat34_from_transform(gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), q, gt_vec3(1.0f, 1.0f, 1.0f)));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) {
                sum += (double)r.m[i][k] * (double)stretch[k * 3 + j];
            }
            GT_EXPECT_NEAR(sum, a->m[i][j], 1e-6 * size);
        }
    }
}

static void test_polar_finds_the_rotation_and_the_stretch(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtVec3 scale = gt_vec3(random_scale(&random, 1.0f), random_scale(&random, 1.0f), random_scale(&random, 1.0f));
        scale = gt_vec3_scale(scale, random_scale(&random, 6.0f));
        double size = fmax(fmax((double)scale.x, (double)scale.y), (double)scale.z);
        double smallest = fmin(fmin((double)scale.x, (double)scale.y), (double)scale.z);
        double s[3][3];
        random_symmetric(&random, scale, s);
        GtQuat rotation = test_random_rotation(&random);
        GtMat34 a = rotation_times(rotation, s);
        float stretch[9];
        GtQuat q = gt_mat34_polar(&a, stretch);
        // Rounding the matrix to float turns its short axes by size / smallest roundings.
        GT_EXPECT_NEAR(gt_quat_angle_rad(q, rotation), 0.0, 1e-6 * size / smallest);
        expect_factors(&a, q, stretch, size);
        for (int k = 0; k < 9; ++k) {
            GT_EXPECT_NEAR(stretch[k], s[k / 3][k % 3], 2e-6 * size);
        }
    }
}

static void test_polar_puts_a_mirror_into_the_stretch(void** state)
{
    (void)state;
    TestRandom random = { 22 };
    GtQuat last = gt_quat_identity();
    for (int i = 0; i < ROUNDS; ++i) {
        double s[3][3];
        random_symmetric(&random, gt_vec3(-random_scale(&random, 0.5f), 1.0f, random_scale(&random, 0.5f)), s);
        GtMat34 a = rotation_times(test_random_rotation(&random), s);
        GtMat34 negative = a;
        for (int k = 0; k < 9; ++k) {
            negative.m[k / 3][k % 3] = -a.m[k / 3][k % 3];
        }
        float stretch[9];
        GtQuat q = gt_mat34_polar(&a, stretch);
        expect_factors(&a, q, stretch, 4.0);
        GT_EXPECT_NEAR(gt_quat_angle_rad(q, gt_mat34_polar(&negative, NULL)), 0.0, 1e-6);
    }
    // Smooth: a mirrored joint of even scale that turns a little must turn a little.
    for (int i = 0; i < 1000; ++i) {
        GtQuat turned = gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), 1e-3f * (float)i);
        GtMat34 a =
            gt_mat34_from_transform(gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), turned, gt_vec3(-1.0f, 1.0f, 1.0f)));
        GtQuat q = gt_mat34_polar(&a, NULL);
        if (i > 0) {
            GT_EXPECT_NEAR(gt_quat_angle_rad(last, q), 1e-3, 1e-5);
        }
        last = q;
    }
}

static GtMat34 diagonal(float x, float y, float z)
{
    GtMat34 a = { { { x, 0, 0, 0 }, { 0, y, 0, 0 }, { 0, 0, z, 0 } } };
    return a;
}

static void test_polar_of_singular_matrices(void** state)
{
    (void)state;
    TestRandom random = { 23 };
    for (int flat = 1; flat < 8; ++flat) { // each axis flat or not, in every combination
        for (int i = 0; i < 200; ++i) {
            GtVec3 scale =
                gt_vec3(flat & 1 ? 0.0f : random_scale(&random, 3.0f), flat & 2 ? 0.0f : random_scale(&random, 3.0f),
                        flat & 4 ? 0.0f : random_scale(&random, 3.0f));
            GtMat34 a =
                gt_mat34_from_transform(gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), test_random_rotation(&random), scale));
            double size = fmax(fmax((double)scale.x, (double)scale.y), (double)scale.z);
            float stretch[9];
            GtQuat q = gt_mat34_polar(&a, stretch);
            expect_factors(&a, q, stretch, size);
        }
    }
    GtMat34 one = diagonal(5.0f, 0.0f, 0.0f);
    GtQuat q = gt_mat34_polar(&one, NULL);
    GT_EXPECT_NEAR(gt_quat_angle_rad(q, gt_quat_identity()), 0.0, 1e-7);
    static const float bad[] = { 0.0f, NAN, INFINITY };
    for (int i = 0; i < 3; ++i) {
        GtMat34 none = diagonal(bad[i], bad[i], bad[i]);
        q = gt_mat34_polar(&none, NULL);
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
    }
    GtMat34 tiny = diagonal(1e-30f, 2e-30f, 3e-30f);
    q = gt_mat34_polar(&tiny, NULL);
    GT_EXPECT_NEAR(gt_quat_angle_rad(q, gt_quat_identity()), 0.0, 1e-7);
    GtMat34 huge = diagonal(1e38f, 1e38f, 1e38f);
    q = gt_mat34_polar(&huge, NULL);
    GT_EXPECT_NEAR(gt_quat_angle_rad(q, gt_quat_identity()), 0.0, 1e-7);
}

static GtMat34 random_matrix(TestRandom* random, float decades)
{
    GtVec3 scale = gt_vec3(random_sign(random) * random_scale(random, decades),
                           random_sign(random) * random_scale(random, decades),
                           random_sign(random) * random_scale(random, decades));
    return gt_mat34_from_transform(
        gt_transform(test_random_vec3(random, -5.0f, 5.0f), test_random_rotation(random), scale));
}

static void test_inverse(void** state)
{
    (void)state;
    TestRandom random = { 24 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtMat34 a = gt_mat34_mul(random_matrix(&random, 0.5f), random_matrix(&random, 0.5f)); // with shear
        bool ok = false;
        GtMat34 inverse = gt_mat34_inverse(&a, &ok);
        assert_true(ok);
        for (int k = 0; k < 12; ++k) { // a * inverse is the identity but for the rounding of the inverse's entries
            int row = k / 4;
            int column = k % 4;
            double sum = column == 3 ? (double)a.m[row][3] : 0.0;
            double rounding = fabs(sum);
            for (int m = 0; m < 3; ++m) {
                double product = (double)a.m[row][m] * (double)inverse.m[m][column];
                sum += product;
                rounding += fabs(product);
            }
            GT_EXPECT_NEAR(sum, row == column ? 1.0 : 0.0, 6e-8 * rounding);
        }
    }
    for (float scale = 1e-12f; scale < 1e13f; scale *= 10.0f) {
        GtMat34 a = diagonal(scale, -scale, scale);
        a.m[0][3] = 3.0f * scale;
        bool ok = false;
        GtMat34 inverse = gt_mat34_inverse(&a, &ok);
        assert_true(ok);
        GT_EXPECT_NEAR(inverse.m[1][1] * scale, -1.0, 1e-6);
        GT_EXPECT_NEAR(inverse.m[0][3], -3.0, 1e-6);
    }
}

static void test_inverse_of_what_has_none(void** state)
{
    (void)state;
    GtMat34 rows = { { { 1, 2, 3, 9 }, { 2, 4, 6, 9 }, { 0, 1, 5, 9 } } };
    GtMat34 cases[] = { diagonal(1.0f, 0.0f, 1.0f),     diagonal(0.0f, 0.0f, 0.0f),   diagonal(NAN, 1.0f, 1.0f), rows,
                        diagonal(INFINITY, 1.0f, 1.0f), diagonal(1e-39f, 1.0f, 1.0f), diagonal(1.0f, 1.0f, 1.0f) };
    cases[6].m[0][3] = INFINITY;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        bool ok = true;
        GtMat34 inverse = gt_mat34_inverse(&cases[i], &ok);
        GtMat34 identity = gt_mat34_identity();
        assert_false(ok);
        assert_memory_equal(&inverse, &identity, sizeof inverse);
        gt_mat34_inverse(&cases[i], NULL);
    }
}

static void test_determinant(void** state)
{
    (void)state;
    TestRandom random = { 25 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtVec3 s = gt_vec3(random_sign(&random) * random_scale(&random, 1.0f), random_scale(&random, 1.0f),
                           random_scale(&random, 1.0f));
        GtMat34 a = gt_mat34_from_transform(
            gt_transform(test_random_vec3(&random, -5.0f, 5.0f), test_random_rotation(&random), s));
        double expected = (double)s.x * (double)s.y * (double)s.z;
        GT_EXPECT_NEAR(gt_mat34_determinant(&a), expected, 2e-6 * fabs(expected));
    }
}

// A normal stays across its surface, and on the side it was, whatever the matrix does.
static void test_normals_stay_across_their_surface(void** state)
{
    (void)state;
    TestRandom random = { 26 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtMat34 a = gt_mat34_mul(random_matrix(&random, 0.3f), random_matrix(&random, 0.3f));
        GtVec3 u = test_random_direction(&random);
        GtVec3 v = test_random_direction(&random);
        GtVec3 n = gt_vec3_cross(u, v);
        GtVec3 moved = gt_vec3_normalize_or(gt_mat34_normal(&a, n), gt_vec3(0.0f, 0.0f, 0.0f));
        GtVec3 au = gt_vec3_normalize_or(gt_mat34_vector(&a, u), gt_vec3(0.0f, 0.0f, 0.0f));
        GtVec3 av = gt_vec3_normalize_or(gt_mat34_vector(&a, v), gt_vec3(0.0f, 0.0f, 0.0f));
        GT_EXPECT_NEAR(gt_vec3_dot(moved, au), 0.0, 5e-5);
        GT_EXPECT_NEAR(gt_vec3_dot(moved, av), 0.0, 5e-5);
        assert_true(gt_vec3_dot(gt_mat34_vector(&a, n), gt_mat34_normal(&a, n)) > 0.0f);
    }
    GtMat34 flat = diagonal(2.0f, 3.0f, 0.0f);
    GtVec3 up = gt_mat34_normal(&flat, gt_vec3(0.3f, 0.3f, 0.9f));
    assert_true(up.x == 0.0f && up.y == 0.0f && up.z > 0.0f);
}

static void test_columns(void** state)
{
    (void)state;
    TestRandom random = { 27 };
    GtMat34 a = random_matrix(&random, 1.0f);
    float columns[16];
    gt_mat34_to_columns(&a, columns);
    assert_true(columns[12] == a.m[0][3] && columns[14] == a.m[2][3] && columns[1] == a.m[1][0]);
    assert_true(columns[3] == 0.0f && columns[7] == 0.0f && columns[11] == 0.0f && columns[15] == 1.0f);
    GtMat34 b = gt_mat34_from_columns(columns);
    assert_memory_equal(&a, &b, sizeof a);
}

static void test_product_applies_right_first(void** state)
{
    (void)state;
    TestRandom random = { 28 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtMat34 a = random_matrix(&random, 0.3f);
        GtMat34 b = random_matrix(&random, 0.3f);
        GtMat34 ab = gt_mat34_mul(a, b);
        GtVec3 p = test_random_vec3(&random, -1.0f, 1.0f);
        GtVec3 expected = gt_mat34_point(&a, gt_mat34_point(&b, p));
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(gt_mat34_point(&ab, p), expected)), 0.0, 3e-5);
    }
}

static void test_transforms_come_back(void** state)
{
    (void)state;
    TestRandom random = { 29 };
    for (int i = 0; i < ROUNDS; ++i) {
        GtVec3 scale = gt_vec3(random_sign(&random) * random_scale(&random, 3.0f), random_scale(&random, 3.0f),
                               random_scale(&random, 3.0f));
        GtTransform t = gt_transform(test_random_vec3(&random, -9.0f, 9.0f), test_random_rotation(&random), scale);
        GtMat34 a = gt_mat34_from_transform(t);
        float shear = 1.0f;
        GtTransform back = gt_transform_from_mat34(&a, &shear);
        GT_EXPECT_NEAR(shear, 0.0, 1e-6);
        GT_EXPECT_NEAR(gt_quat_angle_rad(t.rotation, back.rotation), 0.0, 1e-6);
        GT_EXPECT_NEAR(back.scale.x / scale.x, 1.0, 1e-6);
        GT_EXPECT_NEAR(back.scale.y / scale.y, 1.0, 1e-6);
        GT_EXPECT_NEAR(back.scale.z / scale.z, 1.0, 1e-6);
        assert_memory_equal(&back.translation, &t.translation, sizeof t.translation);
        assert_true(back.pad0 == 0.0f && back.pad1 == 0.0f);
    }
}

static void test_transform_of_flat_and_sheared_matrices(void** state)
{
    (void)state;
    TestRandom random = { 30 };
    for (int i = 0; i < 200; ++i) {
        GtVec3 scale = gt_vec3(1.0f, 0.0f, i & 1 ? 0.0f : 2.0f);
        GtMat34 a =
            gt_mat34_from_transform(gt_transform(gt_vec3(0.0f, 0.0f, 0.0f), test_random_rotation(&random), scale));
        float shear = 1.0f;
        gt_transform_from_mat34(&a, &shear);
        GT_EXPECT_NEAR(shear, 0.0, 1e-6); // what is left is rendered exactly
    }
    GtMat34 sheared = gt_mat34_identity();
    sheared.m[0][1] = 0.5f;
    float shear = 0.0f;
    gt_transform_from_mat34(&sheared, &shear);
    assert_true(shear > 0.1f && shear < 0.5f);
    GtMat34 nothing = diagonal(0.0f, 0.0f, 0.0f);
    GtTransform t = gt_transform_from_mat34(&nothing, &shear);
    assert_true(t.scale.x == 0.0f && t.rotation.w == 1.0f && shear == 0.0f);
    GtMat34 small = diagonal(-1e-16f, 1e-16f, 1e-16f); // its determinant is no float
    assert_true(gt_transform_from_mat34(&small, &shear).scale.x == -1e-16f);
}

static void test_lerp(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    GtTransform a = gt_transform(test_random_vec3(&random, -1.0f, 1.0f), test_random_rotation(&random),
                                 test_random_vec3(&random, 0.5f, 2.0f));
    GtTransform b = gt_transform(test_random_vec3(&random, -1.0f, 1.0f), test_random_rotation(&random),
                                 test_random_vec3(&random, 0.5f, 2.0f));
    GtTransform half = gt_transform_lerp(a, b, 0.5f);
    GT_EXPECT_NEAR(half.translation.y, 0.5 * ((double)a.translation.y + (double)b.translation.y), 1e-6);
    GT_EXPECT_NEAR(half.scale.z, 0.5 * ((double)a.scale.z + (double)b.scale.z), 1e-6);
    GT_EXPECT_NEAR(gt_quat_angle_rad(a.rotation, half.rotation), gt_quat_angle_rad(half.rotation, b.rotation), 1e-6);
    GT_EXPECT_NEAR(gt_quat_angle_rad(a.rotation, half.rotation), 0.5f * gt_quat_angle_rad(a.rotation, b.rotation),
                   1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polar_finds_the_rotation_and_the_stretch),
        cmocka_unit_test(test_polar_puts_a_mirror_into_the_stretch),
        cmocka_unit_test(test_polar_of_singular_matrices),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_inverse_of_what_has_none),
        cmocka_unit_test(test_determinant),
        cmocka_unit_test(test_normals_stay_across_their_surface),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_product_applies_right_first),
        cmocka_unit_test(test_transforms_come_back),
        cmocka_unit_test(test_transform_of_flat_and_sheared_matrices),
        cmocka_unit_test(test_lerp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
