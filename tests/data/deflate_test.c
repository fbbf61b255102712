// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is compressed comes back through the decompressor, whatever it is and however long; what should shrink does.

#include "data/deflate.h"
#include "data/inflate.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST = 300000
};

// Compress, decompress, compare; the size of the stream.
static size_t round_trip(const uint8_t* data, size_t size)
{
    GtAllocator allocator = gt_default_allocator();
    GtiDeflater* deflater = gti_deflater_create(allocator);
    size_t capacity = size + size / 8 + 4096;
    uint8_t* packed = malloc(capacity);
    uint8_t* back = malloc(size + 1);
    size_t packed_size = gti_deflate_zlib(deflater, data, size, packed, capacity);
    assert_true(packed_size > 0);
    const char* wrong = gti_inflate_zlib(packed, packed_size, back, size);
    if (wrong) {
        fail_msg("%zu bytes: %s", size, wrong);
    }
    assert_memory_equal(back, data, size);
    if (size > 0) { // a stream that does not fit is refused, and nothing is written behind its place
        uint8_t* cut = malloc(packed_size);
        cut[packed_size - 1] = 0xCD;
        assert_int_equal(gti_deflate_zlib(deflater, data, size, cut, packed_size - 1), 0);
        assert_int_equal(cut[packed_size - 1], 0xCD);
        free(cut);
    }
    gti_deflater_destroy(allocator, deflater);
    free(packed);
    free(back);
    return packed_size;
}

static uint32_t next_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void test_comes_back(void** state)
{
    (void)state;
    uint8_t* data = malloc(MOST);
    uint32_t seed = 1;
    for (int kind = 0; kind < 6; ++kind) {
        for (size_t size = 0; size <= MOST; size = size < 300 ? size + 1 : size * 7 / 2) {
            for (size_t i = 0; i < size; ++i) {
                uint32_t random = next_random(&seed);
                data[i] = (uint8_t)(kind == 0   ? 0
                                    : kind == 1 ? random
                                    : kind == 2 ? random % 3
                                    : kind == 3 ? i % 7
                                    : kind == 4 ? i >> 8
                                                : (random % 1000 ? 65 : random));
            }
            round_trip(data, size);
        }
    }
    free(data);
}

// Counts like the Fibonacci numbers make a tree that is deeper than codes may be.
static void test_long_codes_are_limited(void** state)
{
    (void)state;
    uint8_t* data = malloc(MOST);
    size_t size = 0;
    size_t count = 1;
    size_t before = 1;
    for (int symbol = 0; symbol < 24 && size + count < MOST; ++symbol) {
        memset(data + size, symbol * 5, count);
        size += count;
        size_t next = count + before;
        before = count;
        count = next;
    }
    uint32_t seed = 7;
    for (size_t i = size - 1; i > 0; --i) { // shuffled, so that there are few matches
        size_t other = next_random(&seed) % (i + 1);
        uint8_t swap = data[i];
        data[i] = data[other];
        data[other] = swap;
    }
    round_trip(data, size);
    free(data);
}

static void test_shrinks(void** state)
{
    (void)state;
    double numbers[6000];
    for (int i = 0; i < 6000; ++i) { // doubles that were floats, as files hold them
        numbers[i] = (double)(float)sin(0.01 * i);
    }
    assert_true(round_trip((const uint8_t*)numbers, sizeof numbers) < sizeof numbers * 7 / 10);
    memset(numbers, 0, sizeof numbers);
    assert_true(round_trip((const uint8_t*)numbers, sizeof numbers) < 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_back),
        cmocka_unit_test(test_long_codes_are_limited),
        cmocka_unit_test(test_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
