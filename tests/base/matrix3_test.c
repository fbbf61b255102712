// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Systems of three rows by what is left of them, in long double; matrices of rotations by what they do to the axes.

#include "base/matrix3.h"
#include "support/random.h"
#include "support/test.h"

static void random_matrix(TestRandom* random, double m[3][3])
{
    for (int i = 0; i < 9; ++i) {
        m[i / 3][i % 3] = test_random_double(random, -1.0, 1.0);
    }
}

static void expect_solution(double m[3][3], GtiVec x, GtiVec b, double tolerance)
{
    const double right[3] = { b.x, b.y, b.z };
    for (int i = 0; i < 3; ++i) {
        long double sum = (long double)m[i][0] * x.x + (long double)m[i][1] * x.y + (long double)m[i][2] * x.z;
        GT_EXPECT_NEAR(sum, right[i], tolerance);
    }
}

static void test_solutions_leave_nothing(void** state)
{
    (void)state;
    TestRandom random = { 341 };
    int solved = 0;
    for (int round = 0; round < 1000; ++round) {
        double m[3][3];
        random_matrix(&random, m);
        GtiVec b = gti_vec(test_random_double(&random, -1.0, 1.0), test_random_double(&random, -1.0, 1.0),
                           test_random_double(&random, -1.0, 1.0));
        if (fabs(gti_determinant3(m)) < 0.05) {
            continue; // the residual says little
        }
        expect_solution(m, gti_solve3(m, b), b, 2e-14);
        ++solved;
    }
    assert_true(solved > 500);
}

// A A^T + 0.01 I is positive.
static void test_positive_systems_leave_nothing(void** state)
{
    (void)state;
    TestRandom random = { 344 };
    for (int round = 0; round < 1000; ++round) {
        double a[3][3], m[3][3];
        random_matrix(&random, a);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                m[i][j] = a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2] + (i == j ? 0.01 : 0.0);
            }
        }
        GtiVec b = gti_vec(test_random_double(&random, -1.0, 1.0), test_random_double(&random, -1.0, 1.0),
                           test_random_double(&random, -1.0, 1.0));
        expect_solution(m, gti_solve3_positive(m, b), b, 1e-13);
    }
}

static void test_singular_systems_give_zero(void** state)
{
    (void)state;
    double flat[3][3] = { { 1.0, 2.0, 3.0 }, { 2.0, 4.0, 6.0 }, { 0.0, 1.0, 0.0 } };
    double strange[3][3] = { { 1.0, 2.0, 3.0 }, { 2.0, (double)NAN, 6.0 }, { 0.0, 1.0, 0.0 } };
    assert_true(gti_vec_length(gti_solve3(flat, gti_vec(1.0, 1.0, 1.0))) == 0.0);
    assert_true(gti_vec_length(gti_solve3(strange, gti_vec(1.0, 1.0, 1.0))) == 0.0);
}

// m C^T is the determinant times the identity; the determinant of a known matrix is known.
static void test_cofactors_and_determinants(void** state)
{
    (void)state;
    double known[3][3] = { { 2.0, 0.0, 1.0 }, { -1.0, 3.0, 4.0 }, { 5.0, 1.0, -2.0 } };
    assert_true(gti_determinant3(known) == -36.0);
    TestRandom random = { 342 };
    for (int round = 0; round < 1000; ++round) {
        double m[3][3], c[3][3];
        random_matrix(&random, m);
        double determinant = gti_cofactors3(m, c);
        assert_true(determinant == gti_determinant3(m)); // to the bit: files are written with one or the other
        for (int i = 0; i < 9; ++i) {
            const double* row = m[i / 3];
            const double* other = c[i % 3];
            long double sum =
                (long double)row[0] * other[0] + (long double)row[1] * other[1] + (long double)row[2] * other[2];
            GT_EXPECT_NEAR(sum, i % 4 == 0 ? determinant : 0.0, 1e-15);
        }
    }
}

static void test_columns_of_a_rotation_are_turned_axes(void** state)
{
    (void)state;
    TestRandom random = { 343 };
    for (int round = 0; round < 1000; ++round) {
        GtiQuat q =
            gti_quat_unit((GtiQuat){ test_random_double(&random, -1.0, 1.0), test_random_double(&random, -1.0, 1.0),
                                     test_random_double(&random, -1.0, 1.0), test_random_double(&random, -1.0, 1.0) });
        double m[3][3];
        gti_rotation_from_quat(q, m);
        for (int j = 0; j < 3; ++j) {
            GtiVec axis = gti_vec(j == 0, j == 1, j == 2);
            GtiVec column = gti_vec(m[0][j], m[1][j], m[2][j]);
            GT_EXPECT_NEAR(gti_vec_length(gti_vec_sub(gti_quat_rotate(q, axis), column)), 0.0, 1e-15);
            GT_EXPECT_NEAR(gti_vec_length(gti_vec_sub(gti_times3(m, axis), column)), 0.0, 0.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions_leave_nothing),
        cmocka_unit_test(test_positive_systems_leave_nothing),
        cmocka_unit_test(test_singular_systems_give_zero),
        cmocka_unit_test(test_cofactors_and_determinants),
        cmocka_unit_test(test_columns_of_a_rotation_are_turned_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
