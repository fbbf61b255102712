// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "support/random.h"
#include "support/test.h"

static void test_reset_gives_back_what_came_after_the_mark(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    char* kept = gt_arena_push_text(&arena, "kept", 4);
    GtArenaMark mark = gt_arena_mark(&arena);
    for (int i = 0; i < 1000; ++i) {
        uint8_t* piece = gt_arena_push_array(&arena, 1, 1000);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % 16, 0);
        assert_int_equal(piece[999], 0);
    }
    gt_arena_reset(&arena, mark);
    assert_string_equal(kept, "kept");
    assert_int_equal(counting.alive, 1);
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
}

static void test_sizes_that_overflow_are_refused(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    assert_null(gt_arena_push(&arena, SIZE_MAX));
    assert_null(gt_arena_push_array(&arena, SIZE_MAX / 2, 3));
    assert_non_null(gt_arena_push(&arena, 0));
    gt_arena_destroy(&arena);
}

static void test_pieces_do_not_overlap(void** state)
{
    (void)state;
    enum {
        PIECES = 2000
    };
    TestRandom random = { 51 };
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    static uint8_t* pieces[PIECES];
    static size_t sizes[PIECES];
    for (int i = 0; i < PIECES; ++i) {
        sizes[i] = test_random_bits(&random) % (i % 100 == 0 ? 3000000 : 300);
        pieces[i] = gt_arena_push(&arena, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], i & 0xFF, sizes[i]);
    }
    for (int i = 0; i < PIECES; ++i) {
        for (size_t k = 0; k < sizes[i]; ++k) {
            assert_true(pieces[i][k] == (i & 0xFF));
        }
    }
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
    assert_int_equal(arena.used, 0);
    assert_non_null(gt_arena_push(&arena, 5)); // usable again
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
}

static void test_marks_nest(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    GtArenaMark empty = gt_arena_mark(&arena);
    char* a = gt_arena_push_text(&arena, "a", 1);
    GtArenaMark outer = gt_arena_mark(&arena);
    gt_arena_push(&arena, 10000);
    GtArenaMark inner = gt_arena_mark(&arena);
    size_t used = arena.used;
    gt_arena_push(&arena, 5000000);
    gt_arena_reset(&arena, inner);
    assert_int_equal(arena.used, used);
    gt_arena_reset(&arena, outer);
    char* b = gt_arena_push_text(&arena, "b", 1);
    assert_string_equal(a, "a");
    assert_ptr_equal(b, a + 16); // the room is used again
    gt_arena_reset(&arena, empty);
    assert_int_equal(counting.alive, 0);
}

static void test_resize_keeps_what_was_written(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    size_t size = 1;
    char* text = gti_arena_resize(&arena, NULL, 0, size);
    text[0] = 'x';
    char* neighbour = NULL;
    for (int i = 0; i < 22; ++i) {
        if (i == 5) {
            neighbour = gt_arena_push_text(&arena, "neighbour", 9);
        }
        text = gti_arena_resize(&arena, text, size, size * 2);
        assert_non_null(text);
        memset(text + size, 'x', size);
        size *= 2;
    }
    for (size_t i = 0; i < size; ++i) {
        assert_true(text[i] == 'x');
    }
    assert_string_equal(neighbour, "neighbour");
    assert_true(counting.alive <= 4); // blocks that held nothing but the text are gone
    assert_true(arena.used < size + (1 << 21));
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
}

static void test_resize_that_fails_changes_nothing(void** state)
{
    (void)state;
    TestAllocator failing = { .remaining = 1 };
    GtArena arena = gt_arena_create(test_allocator(&failing));
    char* text = gt_arena_push_text(&arena, "kept", 4);
    size_t used = arena.used;
    assert_null(gti_arena_resize(&arena, text, 5, 1 << 20));
    assert_null(gti_arena_resize(&arena, text, 5, SIZE_MAX));
    assert_string_equal(text, "kept");
    assert_int_equal(arena.used, used);
    assert_ptr_equal(gti_arena_resize(&arena, text, 5, 1000), text); // in place, so without the allocator
    gt_arena_destroy(&arena);
}

static void test_arrays_double(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    int32_t* arrays[2] = { NULL, NULL }; // grown in turn, so that each has to move
    int32_t capacities[2] = { 0, 0 };
    for (int32_t i = 0; i < 10000; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (i == capacities[k]) {
                arrays[k] = gti_arena_grow(&arena, arrays[k], &capacities[k], 3, sizeof *arrays[k]);
                assert_non_null(arrays[k]);
                assert_int_equal(capacities[k], i ? 2 * i : 3);
            }
            arrays[k][i] = k ? -i : i;
        }
    }
    for (int32_t i = 0; i < 10000; ++i) {
        assert_true(arrays[0][i] == i && arrays[1][i] == -i);
    }
    int32_t most = INT32_MAX / 2 + 1;
    assert_null(gti_arena_grow(&arena, arrays[0], &most, 1, sizeof *arrays[0])); // nobody could count that far
    counting.remaining = 0;
    int32_t before = 0;
    for (int32_t* grown = arrays[1]; grown;) { // while the last block lasts
        arrays[1] = grown;
        before = capacities[1];
        grown = gti_arena_grow(&arena, arrays[1], &capacities[1], 3, sizeof *arrays[1]);
    }
    assert_int_equal(capacities[1], before);
    assert_int_equal(arrays[1][9999], -9999);
    gt_arena_destroy(&arena);
    assert_int_equal(counting.alive, 0);
}

static void test_copies(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = 1 };
    GtArena arena = gt_arena_create(test_allocator(&counting));
    const double numbers[3] = { 1.0, -2.0, 3.5 };
    bool ok = true;
    double* copy = gti_arena_copy(&arena, numbers, 3, sizeof *numbers, &ok);
    assert_true(ok && copy != numbers);
    assert_memory_equal(copy, numbers, sizeof numbers);
    assert_string_equal(gti_arena_copy_text(&arena, "word", &ok), "word");
    assert_true(!gti_arena_copy_text(&arena, NULL, &ok) && ok);
    static const char large[1 << 20];
    assert_true(!gti_arena_copy(&arena, large, sizeof large, 1, &ok) && !ok);
    assert_null(gti_arena_copy_text(&arena, "word", &ok)); // once is enough
    gt_arena_destroy(&arena);
}

static void test_blocks_are_reallocated(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = 2 };
    GtAllocator allocator = test_allocator(&counting);
    char* block = gti_reallocate(allocator, NULL, 0, 5);
    memcpy(block, "abcd", 5);
    block = gti_reallocate(allocator, block, 3, 100);
    assert_int_equal(memcmp(block, "abc", 3), 0);
    assert_int_equal(counting.alive, 1);
    assert_null(gti_reallocate(allocator, block, 3, 200));
    assert_int_equal(memcmp(block, "abc", 3), 0);
    allocator.release(allocator.user, block);
    assert_int_equal(counting.alive, 0);
}

static void test_scratch_grows_where_needed(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = 2 };
    GtAllocator allocator = test_allocator(&counting);
    void* block = NULL;
    size_t capacity = 0;
    assert_true(gti_need(allocator, &block, &capacity, 100) && capacity == 100);
    void* first = block;
    assert_true(gti_need(allocator, &block, &capacity, 50) && block == first && capacity == 100);
    assert_true(gti_need(allocator, &block, &capacity, 200) && capacity == 200);
    assert_int_equal(counting.alive, 1);
    assert_false(gti_need(allocator, &block, &capacity, 300));
    assert_true(!block && capacity == 0);
    assert_int_equal(counting.alive, 0);
}

static void test_an_arena_goes_with_its_owner(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtAllocator allocator = test_allocator(&counting);
    struct Owner {
        GtArena arena;
    }* owner = allocator.allocate(allocator.user, sizeof *owner);
    owner->arena = gt_arena_create(allocator);
    assert_non_null(gt_arena_push(&owner->arena, 1 << 20));
    assert_int_equal(counting.alive, 2);
    gti_arena_destroy_owner(&owner->arena, owner);
    assert_int_equal(counting.alive, 0);
}

static void test_sizes(void** state)
{
    (void)state;
    size_t out = 7;
    assert_true(gti_size_mul(SIZE_MAX, 1, &out) && out == SIZE_MAX);
    assert_true(gti_size_mul(SIZE_MAX, 0, &out) && out == 0);
    assert_true(gti_size_mul(0, SIZE_MAX, &out) && out == 0);
    assert_false(gti_size_mul(SIZE_MAX / 2 + 1, 2, &out));
    assert_true(gti_size_add(SIZE_MAX - 1, 1, &out) && out == SIZE_MAX);
    assert_false(gti_size_add(SIZE_MAX, 1, &out));
    for (size_t size = 0; size < 100; ++size) {
        size_t up = gti_round_up16(size);
        assert_true(up % 16 == 0 && up >= size && up < size + 16);
    }
    assert_int_equal(out, SIZE_MAX);
}

// A struct that is the first thing in its arena; sanitizers see what is read after it is gone.
static void test_an_arena_may_lie_in_itself(void** state)
{
    (void)state;
    TestAllocator counted = { .remaining = INT64_MAX };
    GtArena arena = gt_arena_create(test_allocator(&counted));
    GtArena* inside = gt_arena_push_array(&arena, 1, sizeof *inside);
    assert_non_null(gt_arena_push_array(&arena, 1 << 20, 1)); // a second block
    *inside = arena;
    gt_arena_destroy(inside);
    assert_int_equal(counted.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_arena_may_lie_in_itself),
        cmocka_unit_test(test_reset_gives_back_what_came_after_the_mark),
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
        cmocka_unit_test(test_pieces_do_not_overlap),
        cmocka_unit_test(test_marks_nest),
        cmocka_unit_test(test_resize_keeps_what_was_written),
        cmocka_unit_test(test_resize_that_fails_changes_nothing),
        cmocka_unit_test(test_arrays_double),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_blocks_are_reallocated),
        cmocka_unit_test(test_scratch_grows_where_needed),
        cmocka_unit_test(test_an_arena_goes_with_its_owner),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
