// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Disjoint sets against labels that are rewritten one by one with every join.

#include "base/union_find.h"
#include "support/random.h"
#include "support/test.h"

enum {
    COUNT = 97
};

typedef struct Sets {
    int32_t parents[COUNT];
    int32_t labels[COUNT]; // the oracle: the smallest number of each number's set
} Sets;

static void join(Sets* sets, int32_t a, int32_t b)
{
    int32_t x = sets->labels[a];
    int32_t y = sets->labels[b];
    int32_t least = x < y ? x : y;
    for (int32_t i = 0; i < COUNT; ++i) {
        if (sets->labels[i] == x || sets->labels[i] == y) {
            sets->labels[i] = least;
        }
    }
    assert_int_equal(gti_sets_join(sets->parents, a, b), least);
}

static void start(Sets* sets)
{
    gti_sets_start(sets->parents, COUNT);
    for (int32_t i = 0; i < COUNT; ++i) {
        sets->labels[i] = i;
    }
}

static void test_roots_are_the_smallest_of_their_sets(void** state)
{
    (void)state;
    TestRandom random = { 301 };
    for (int round = 0; round < 200; ++round) {
        Sets sets;
        start(&sets);
        for (int joins = round; joins > 0; --joins) {
            join(&sets, (int32_t)(test_random_bits(&random) % COUNT), (int32_t)(test_random_bits(&random) % COUNT));
        }
        for (int32_t i = 0; i < COUNT; ++i) {
            assert_int_equal(gti_sets_root(sets.parents, i), sets.labels[i]);
        }
    }
}

static void test_sets_are_numbered_by_their_first_members(void** state)
{
    (void)state;
    TestRandom random = { 302 };
    for (int round = 0; round < 200; ++round) {
        Sets sets;
        start(&sets);
        for (int joins = round / 2; joins > 0; --joins) {
            join(&sets, (int32_t)(test_random_bits(&random) % COUNT), (int32_t)(test_random_bits(&random) % COUNT));
        }
        int32_t numbers[COUNT];
        int32_t set_count = 0;
        for (int32_t i = 0; i < COUNT; ++i) {
            numbers[i] = sets.labels[i] == i ? set_count++ : numbers[sets.labels[i]];
        }
        assert_int_equal(gti_sets_number(sets.parents, COUNT), set_count);
        assert_memory_equal(sets.parents, numbers, sizeof numbers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots_are_the_smallest_of_their_sets),
        cmocka_unit_test(test_sets_are_numbered_by_their_first_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
