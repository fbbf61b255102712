// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Order among numbers by counting how many are smaller.

#include "base/sort.h"
#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    MOST = 400
};

// In no order, in order, the other way round, with many that are equal.
static void make_values(TestRandom* random, int kind, int32_t count, float* values)
{
    for (int32_t i = 0; i < count; ++i) {
        values[i] = kind == 1   ? (float)i
                    : kind == 2 ? (float)-i
                    : kind == 3 ? (float)(test_random_bits(random) % 3)
                                : test_random_float(random, -1.0f, 1.0f);
    }
}

static int32_t count_below(const float* values, int32_t count, float limit)
{
    int32_t below = 0;
    for (int32_t i = 0; i < count; ++i) {
        below += values[i] < limit;
    }
    return below;
}

static void test_sorting(void** state)
{
    (void)state;
    TestRandom random = { 372 };
    for (int round = 0; round < 200; ++round) {
        int32_t count = 1 + (int32_t)(test_random_bits(&random) % MOST);
        float values[MOST], sorted[MOST];
        make_values(&random, round % 4, count, values);
        memcpy(sorted, values, (size_t)count * sizeof *values);
        gti_sort_floats(sorted, count);
        for (int32_t i = 0; i < count; ++i) {
            assert_true(i == 0 || sorted[i - 1] <= sorted[i]);
            assert_int_equal(count_below(values, count, sorted[i]), count_below(sorted, count, sorted[i]));
        }
    }
}

// Against sorting: rising, falling, to and fro, all the same, few values, and many that are anything.
static void test_percentiles_are_those_of_sorting(void** state)
{
    (void)state;
    enum {
        COUNT = 1001
    };
    static float values[COUNT], sorted[COUNT];
    uint32_t random = 1;
    for (int kind = 0; kind < 6; ++kind) {
        for (int share = 0; share <= 20; ++share) {
            for (int i = 0; i < COUNT; ++i) {
                random = random * 1664525u + 1013904223u;
                values[i] = (float)(kind == 0   ? i
                                    : kind == 1 ? -i
                                    : kind == 2 ? abs(COUNT / 2 - i)
                                    : kind == 3 ? 7
                                    : kind == 4 ? i * i % 5
                                                : (int)(random >> 8));
            }
            memcpy(sorted, values, sizeof sorted);
            gti_sort_floats(sorted, COUNT);
            float found = gti_percentile(values, COUNT, 0.05 * share);
            assert_true(found == sorted[(int)(0.05 * share * (COUNT - 1))]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorting),
        cmocka_unit_test(test_percentiles_are_those_of_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
