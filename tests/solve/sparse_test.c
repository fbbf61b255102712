// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracles: the residual A x - b, a grid whose eigenvectors are known, the same solve on several threads.

#include "solve/sparse.h"

#include "support/random.h"
#include "support/test.h"

// The five-point Laplacian of a square of side * side cells plus `extra` on the diagonal, which has the eigenvector
// sin(pi x / (side + 1)) sin(pi y / (side + 1)) of eigenvalue 4 - 4 cos(pi / (side + 1)) + extra.
static GtiSparse grid(GtArena* arena, int32_t side, double extra)
{
    GtiSparse matrix;
    assert_true(gti_sparse_push(arena, side * side, (int64_t)side * side * 3, &matrix));
    int32_t count = 0;
    for (int32_t i = 0; i < side * side; ++i) {
        matrix.starts[i] = count;
        matrix.rows[count] = i;
        matrix.values[count++] = 4.0 + extra;
        if (i % side + 1 < side) {
            matrix.rows[count] = i + 1;
            matrix.values[count++] = -1.0;
        }
        if (i / side + 1 < side) {
            matrix.rows[count] = i + side;
            matrix.values[count++] = -1.0;
        }
    }
    matrix.starts[side * side] = count;
    return matrix;
}

static void an_eigenvector_is_divided_by_its_eigenvalue(void** state)
{
    (void)state;
    enum {
        SIDE = 40,
        COLUMNS = 3
    };
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtiSparse matrix = grid(&arena, SIDE, 0.25);
    GtiFactor factor;
    GT_EXPECT_OK(gti_factor_make(&context, &matrix, &arena, &factor, &error));
    static double values[SIDE * SIDE][COLUMNS];
    double step = acos(-1.0) / (SIDE + 1);
    double eigenvalue = 4.25 - 4.0 * cos(step);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double b = sin(step * (i % SIDE + 1)) * sin(step * (i / SIDE + 1));
        for (int c = 0; c < COLUMNS; ++c) {
            values[i][c] = b * (c + 1);
        }
    }
    GT_EXPECT_OK(gti_factor_solve(&context, &factor, COLUMNS, values[0], &error));
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double b = sin(step * (i % SIDE + 1)) * sin(step * (i / SIDE + 1));
        for (int c = 0; c < COLUMNS; ++c) {
            GT_EXPECT_NEAR(values[i][c], b * (c + 1) / eigenvalue, 1e-10);
        }
    }
    gt_arena_destroy(&arena);
}

// More columns than go through the factor at a time, and not a multiple of it.
static void many_columns_solve_on_any_threads(void** state)
{
    (void)state;
    enum {
        SIDE = 23,
        SIZE = SIDE * SIDE,
        COLUMNS = 21
    };
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtiSparse matrix = grid(&arena, SIDE, 1e-3);
    GtiFactor factor;
    GT_EXPECT_OK(gti_factor_make(&context, &matrix, &arena, &factor, &error));
    static double right[SIZE][COLUMNS], one[SIZE][COLUMNS], three[SIZE][COLUMNS];
    TestRandom random = { 11 };
    for (int i = 0; i < SIZE * COLUMNS; ++i) {
        right[i / COLUMNS][i % COLUMNS] = (double)test_random_float(&random, -1.0f, 1.0f);
    }
    memcpy(one, right, sizeof one);
    memcpy(three, right, sizeof three);
    GT_EXPECT_OK(gti_factor_solve(&context, &factor, COLUMNS, one[0], &error));
    GtThreadPool* pool;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, 3, &pool, &error));
    context.executor = gt_thread_pool_executor(pool);
    GT_EXPECT_OK(gti_factor_solve(&context, &factor, COLUMNS, three[0], &error));
    gt_thread_pool_destroy(pool);
    assert_memory_equal(one, three, sizeof one);
    for (int32_t j = 0; j < SIZE; ++j) {
        for (int32_t k = matrix.starts[j]; k < matrix.starts[j + 1]; ++k) {
            for (int c = 0; c < COLUMNS; ++c) {
                right[matrix.rows[k]][c] -= matrix.values[k] * one[j][c];
                right[j][c] -= matrix.rows[k] == j ? 0.0 : matrix.values[k] * one[matrix.rows[k]][c];
            }
        }
    }
    for (int i = 0; i < SIZE * COLUMNS; ++i) {
        GT_EXPECT_NEAR(right[i / COLUMNS][i % COLUMNS], 0.0, 1e-9);
    }
    gt_arena_destroy(&arena);
}

static void an_indefinite_system_is_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtiFactor factor;
    GtiSparse matrix = grid(&arena, 5, -4.5);
    GT_EXPECT_ERROR(gti_factor_make(&context, &matrix, &arena, &factor, &error), GT_ERROR_BAD_VALUE,
                    "not positive definite at row");
    matrix = grid(&arena, 5, NAN);
    GT_EXPECT_ERROR(gti_factor_make(&context, &matrix, &arena, &factor, &error), GT_ERROR_BAD_VALUE,
                    "not positive definite at row");
    gt_arena_destroy(&arena);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena kept = gt_arena_create(context.allocator);
    GtiSparse matrix = grid(&kept, 4, 1.0);
    bool solved = false;
    for (int64_t allowed = 0; !solved; ++allowed) {
        assert_true(allowed < 100);
        TestAllocator allocator = { .remaining = allowed };
        context.allocator = test_allocator(&allocator);
        GtArena arena = gt_arena_create(context.allocator);
        GtiFactor factor;
        double values[16] = { 1.0 };
        GtResult result = gti_factor_make(&context, &matrix, &arena, &factor, &error);
        if (result == GT_OK) {
            result = gti_factor_solve(&context, &factor, 1, values, &error);
        }
        solved = result == GT_OK;
        assert_true(solved || result == GT_ERROR_OUT_OF_MEMORY);
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
    gt_arena_destroy(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eigenvector_is_divided_by_its_eigenvalue),
        cmocka_unit_test(many_columns_solve_on_any_threads),
        cmocka_unit_test(an_indefinite_system_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
