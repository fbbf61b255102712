// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Eigenvectors by what defines them: they are orthonormal, X X' takes each to its multiple, values descend.

#include "support/random.h"
#include "support/test.h"

#include "harmonic/bake/principal.h"

enum {
    WIDTH = 60
};

// rank: the rows are sums of so many
static void expect_principal(int32_t count, int32_t rank)
{
    GtContext context = gt_default_context();
    GtArena arena = gt_arena_create(context.allocator);
    TestRandom random = { (uint64_t)count };
    size_t n = (size_t)count;
    float* rows = gt_arena_push_array(&arena, n * WIDTH, sizeof *rows);
    double* values = gt_arena_push_array(&arena, n, sizeof *values);
    double* vectors = gt_arena_push_array(&arena, n * n, sizeof *vectors);
    for (size_t i = 0; i < n * WIDTH; ++i) {
        rows[i] = (int32_t)(i / WIDTH) < rank ? test_random_float(&random, -1.0f, 1.0f) : 0.0f;
    }
    for (int32_t i = rank; i < count; ++i) {
        for (size_t k = 0; k < (size_t)rank * WIDTH; ++k) {
            rows[(size_t)i * WIDTH + k % WIDTH] += rows[k] * (float)((i * 7 + (int32_t)(k / WIDTH) * 3) % 5 - 2);
        }
    }
    assert_true(gti_principal(rows, count, WIDTH, &arena, values, vectors));
    for (int32_t k = 0; k < count; ++k) {
        double sums[WIDTH] = { 0.0 };
        for (size_t i = 0; i < n * WIDTH; ++i) {
            sums[i % WIDTH] += vectors[i / WIDTH * n + (size_t)k] * (double)rows[i];
        }
        for (size_t i = 0; i < n; ++i) {
            double product = 0.0;
            for (size_t c = 0; c < WIDTH; ++c) {
                product += sums[c] * (double)rows[i * WIDTH + c];
            }
            GT_EXPECT_NEAR(product, values[k] * vectors[i * n + (size_t)k], 1e-6 * (values[0] + 1.0));
        }
        for (int32_t other = 0; other < count; ++other) {
            double product = 0.0;
            for (size_t i = 0; i < n; ++i) {
                product += vectors[i * n + (size_t)k] * vectors[i * n + (size_t)other];
            }
            GT_EXPECT_NEAR(product, k == other ? 1.0 : 0.0, 1e-12);
        }
        assert_true(values[k] >= 0.0 && (k == 0 || values[k] <= values[k - 1]));
        assert_true(k < rank || values[k] < 1e-6 * values[0] || values[0] == 0.0);
    }
    gt_arena_destroy(&arena);
}

static void vectors_are_what_defines_them(void** state)
{
    (void)state;
    expect_principal(1, 1);
    expect_principal(2, 2);
    expect_principal(40, 40);
    expect_principal(50, 7);
    expect_principal(5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(vectors_are_what_defines_them) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
