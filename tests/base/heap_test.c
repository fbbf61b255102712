// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A heap against a list that is searched from end to end.

#include "base/heap.h"
#include "support/random.h"
#include "support/test.h"

enum {
    ITEMS = 61,
    ROUNDS = 20000
};

static double random_key(TestRandom* random)
{
    return (double)(test_random_bits(random) % 100); // many keys are equal
}

static void test_entries_come_out_by_key(void** state)
{
    (void)state;
    TestRandom random = { 311 };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiHeap heap;
    assert_true(gti_heap_make(&arena, ITEMS, false, &heap));
    GtiHeapEntry list[ITEMS];
    int32_t count = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        bool adds = count == 0 || (count < ITEMS && test_random_bits(&random) % 2);
        if (adds) {
            list[count] = (GtiHeapEntry){ random_key(&random), round % 7, round };
            gti_heap_push(&heap, list[count++]);
            continue;
        }
        GtiHeapEntry top = gti_heap_pop(&heap);
        int32_t at = GT_NONE;
        for (int32_t i = 0; i < count; ++i) {
            assert_true(top.key <= list[i].key);
            at = list[i].tag == top.tag ? i : at;
        }
        assert_true(at != GT_NONE && list[at].key == top.key && list[at].item == top.item); // out once, as it went in
        list[at] = list[--count];
        assert_int_equal(heap.count, count);
    }
    gt_arena_destroy(&arena);
}

static void test_keys_of_items_may_be_lowered(void** state)
{
    (void)state;
    TestRandom random = { 312 };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiHeap heap;
    assert_true(gti_heap_make(&arena, ITEMS, true, &heap));
    double keys[ITEMS];
    for (int32_t i = 0; i < ITEMS; ++i) {
        keys[i] = (double)INFINITY; // outside
    }
    for (int round = 0; round < ROUNDS; ++round) {
        int32_t item = (int32_t)(test_random_bits(&random) % ITEMS);
        double key = random_key(&random);
        if (test_random_bits(&random) % 3 && key <= keys[item]) {
            keys[item] = key;
            gti_heap_lower(&heap, item, key);
        } else if (heap.count > 0) {
            GtiHeapEntry top = gti_heap_pop(&heap);
            assert_true(keys[top.item] == top.key);
            for (int32_t i = 0; i < ITEMS; ++i) {
                assert_true(top.key <= keys[i]);
            }
            keys[top.item] = (double)INFINITY;
        }
        for (int32_t i = 0; i < ITEMS; ++i) {
            int32_t at = heap.places[i];
            assert_int_equal(at == GT_NONE, isinf(keys[i]) != 0);
            assert_true(at == GT_NONE || heap.entries[at].item == i);
        }
    }
    gt_arena_destroy(&arena);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    for (int64_t limit = 0; limit < 2; ++limit) { // both arrays are larger than a block
        TestAllocator counting = { .remaining = limit };
        GtArena arena = gt_arena_create(test_allocator(&counting));
        GtiHeap heap;
        assert_false(gti_heap_make(&arena, 1 << 20, true, &heap));
        gt_arena_destroy(&arena);
        assert_int_equal(counting.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_come_out_by_key),
        cmocka_unit_test(test_keys_of_items_may_be_lowered),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
