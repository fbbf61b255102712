// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracle: the residual A x - b of a solve that goes through the groups as the header describes them.

#include "solve/supernodes.h"

#include "support/random.h"
#include "support/test.h"

enum {
    SIDE = 37,
    SIZE = SIDE * SIDE
};

// Five-point differences with random weights; `extra` on the diagonal.
static GtiSparse grid(GtArena* arena, uint64_t seed, double extra)
{
    TestRandom random = { seed };
    GtiSparse matrix;
    assert_true(gti_sparse_push(arena, SIZE, SIZE * 3, &matrix));
    int32_t count = 0;
    double sums[SIZE] = { 0.0 };
    for (int32_t i = 0; i < SIZE; ++i) {
        matrix.starts[i] = count;
        matrix.rows[count++] = i;
        for (int way = 0; way < 2; ++way) {
            if (way == 0 ? i % SIDE + 1 < SIDE : i / SIDE + 1 < SIDE) {
                double weight = (double)test_random_float(&random, 0.1f, 2.0f);
                matrix.rows[count] = i + (way == 0 ? 1 : SIDE);
                sums[i] += weight;
                sums[matrix.rows[count]] += weight;
                matrix.values[count++] = -weight;
            }
        }
    }
    matrix.starts[SIZE] = count;
    for (int32_t i = 0; i < SIZE; ++i) {
        matrix.values[matrix.starts[i]] = sums[i] + extra;
    }
    return matrix;
}

static void solve(const GtiSupernodes* nodes, const double* values, double* x)
{
    double y[SIZE];
    for (int32_t i = 0; i < SIZE; ++i) {
        y[i] = x[nodes->order[i]];
    }
    for (int32_t s = 0; s < nodes->count; ++s) {
        int32_t width = nodes->columns[s + 1] - nodes->columns[s];
        const double* m = &values[nodes->value_starts[s] + width * width];
        for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r, m += width) {
            for (int32_t j = 0; j < width; ++j) {
                y[nodes->rows[r]] -= m[j] * y[nodes->columns[s] + j];
            }
        }
    }
    for (int32_t s = nodes->count - 1; s >= 0; --s) {
        int32_t width = nodes->columns[s + 1] - nodes->columns[s];
        const double* d = &values[nodes->value_starts[s]];
        double divided[SIZE];
        for (int32_t i = 0; i < width; ++i) {
            divided[i] = 0.0;
            for (int32_t j = 0; j < width; ++j) {
                divided[i] += d[i * width + j] * y[nodes->columns[s] + j];
            }
        }
        const double* m = &d[width * width];
        for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r, m += width) {
            for (int32_t j = 0; j < width; ++j) {
                divided[j] -= m[j] * y[nodes->rows[r]];
            }
        }
        memcpy(&y[nodes->columns[s]], divided, (size_t)width * sizeof *y);
    }
    for (int32_t i = 0; i < SIZE; ++i) {
        x[nodes->order[i]] = y[i];
    }
}

static double residual(const GtiSparse* matrix, const double* x, const double* b)
{
    double sums[SIZE] = { 0.0 };
    for (int32_t j = 0; j < SIZE; ++j) {
        for (int32_t k = matrix->starts[j]; k < matrix->starts[j + 1]; ++k) {
            int32_t i = matrix->rows[k];
            sums[i] += matrix->values[k] * x[j];
            sums[j] += i != j ? matrix->values[k] * x[i] : 0.0;
        }
    }
    double largest = 0.0;
    for (int32_t i = 0; i < SIZE; ++i) {
        largest = fmax(largest, fabs(sums[i] - b[i]));
    }
    return largest;
}

static void one_analysis_solves_both_matrices(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    const GtiSparse matrices[2] = { grid(&arena, 3, 0.01), grid(&arena, 4, 1.0) };
    GtiSupernodes nodes;
    double* values[2];
    GT_EXPECT_OK(gti_supernodes_make(&context, matrices, 2, GTI_ORDERING_QUICK, &arena, &nodes, values, &error));
    assert_int_equal(nodes.size, SIZE);
    assert_int_equal(nodes.columns[nodes.count], SIZE);
    TestRandom random = { 5 };
    for (int k = 0; k < 2; ++k) {
        double b[SIZE];
        double x[SIZE];
        for (int32_t i = 0; i < SIZE; ++i) {
            b[i] = x[i] = (double)test_random_float(&random, -1.0f, 1.0f);
        }
        solve(&nodes, values[k], x);
        GT_EXPECT_NEAR(residual(&matrices[k], x, b), 0.0, 1e-11);
    }
    gt_arena_destroy(&arena);
}

// A group comes after those it depends on, and these lie right before it.
static void groups_are_in_postorder(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtiSparse matrix = grid(&arena, 6, 0.5);
    GtiSupernodes nodes;
    double* values;
    GT_EXPECT_OK(gti_supernodes_make(&context, &matrix, 1, GTI_ORDERING_BUSHY, &arena, &nodes, &values, &error));
    int32_t group_of[SIZE];
    int32_t begins[SIZE];
    int32_t joined = 0;
    for (int32_t s = 0; s < nodes.count; ++s) {
        begins[s] = s;
        joined += nodes.columns[s + 1] - nodes.columns[s] > 1;
        for (int32_t i = nodes.columns[s]; i < nodes.columns[s + 1]; ++i) {
            group_of[i] = s;
        }
    }
    assert_true(joined > 0);
    for (int32_t s = 0; s < nodes.count; ++s) {
        if (nodes.row_starts[s] < nodes.row_starts[s + 1]) {
            int32_t parent = group_of[nodes.rows[nodes.row_starts[s]]];
            assert_true(parent > s);
            begins[parent] = begins[s] < begins[parent] ? begins[s] : begins[parent];
        }
        for (int64_t r = nodes.row_starts[s] + 1; r < nodes.row_starts[s + 1]; ++r) {
            assert_true(nodes.rows[r - 1] < nodes.rows[r]);
        }
    }
    for (int32_t s = 0; s < nodes.count;
         ++s) { // whatever lies in a subtree's range has its parent in it or is its root
        for (int32_t i = begins[s]; i < s; ++i) {
            assert_true(nodes.row_starts[i] < nodes.row_starts[i + 1]);
            assert_true(group_of[nodes.rows[nodes.row_starts[i]]] <= s);
        }
    }
    gt_arena_destroy(&arena);
}

static void a_matrix_that_is_not_positive_definite_is_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena arena = gt_arena_create(context.allocator);
    GtiSparse matrix = grid(&arena, 3, -1.0);
    GtiSupernodes nodes;
    double* values;
    GT_EXPECT_ERROR(gti_supernodes_make(&context, &matrix, 1, GTI_ORDERING_BUSHY, &arena, &nodes, &values, &error),
                    GT_ERROR_BAD_VALUE, "not positive definite");
    gt_arena_destroy(&arena);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena kept = gt_arena_create(context.allocator);
    const GtiSparse matrices[2] = { grid(&kept, 3, 0.01), grid(&kept, 4, 1.0) };
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        assert_true(allowed < 1000);
        TestAllocator allocator = { .remaining = allowed };
        context.allocator = test_allocator(&allocator);
        GtArena arena = gt_arena_create(context.allocator);
        GtiSupernodes nodes;
        double* values[2];
        result = gti_supernodes_make(&context, matrices, 2, GTI_ORDERING_BUSHY, &arena, &nodes, values, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
    gt_arena_destroy(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_analysis_solves_both_matrices),
        cmocka_unit_test(groups_are_in_postorder),
        cmocka_unit_test(a_matrix_that_is_not_positive_definite_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
