// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hashes that files hold against values that others have computed; hashes of tables by how even they are.

#include "base/hash.h"
#include "support/test.h"

// Of "foobar" and others in "The FNV Non-Cryptographic Hash Algorithm" (draft-eastlake-fnv), section 8.
static void test_fnv_is_as_published(void** state)
{
    (void)state;
    assert_true(gti_hash(0, "", 0) == 0xCBF29CE484222325);
    assert_true(gti_hash(0, "a", 1) == 0xAF63DC4C8601EC8C);
    assert_true(gti_hash(0, "foobar", 6) == 0x85944171F73967E8);
    assert_true(gti_hash(gti_hash(0, "foo", 3), "bar", 3) == 0x85944171F73967E8);
}

// By fifteen lines of Python with integers of any size.
static void test_checksums_stay_as_files_have_them(void** state)
{
    (void)state;
    const char* const text = "The quick brown fox jumps over the lazy dog";
    assert_int_equal(gti_checksum("", 0), 0);
    assert_int_equal(gti_checksum("a", 1), 0x95DA58F9);
    assert_int_equal(gti_checksum("Gertie", 6), 0x0562BB18);
    assert_int_equal(gti_checksum("12345678", 8), 0x9905510A);
    assert_int_equal(gti_checksum(text, strlen(text)), 0x6F19A926);
}

static void test_checksums_tell_single_bits(void** state)
{
    (void)state;
    uint8_t bytes[43] = { 0 };
    uint32_t whole = gti_checksum(bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; ++bit) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_true(gti_checksum(bytes, sizeof bytes) != whole);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(gti_checksum(bytes, sizeof bytes - 1) != whole);
}

enum {
    SIDE = 16,
    BITS = 12 // as many slots as there are cells
};

// Thrown at random, 1 - 1/e = 63 % of the slots would be taken.
static void test_cells_of_a_block_spread_over_slots(void** state)
{
    (void)state;
    static bool mixed[1 << BITS], celled[1 << BITS];
    int32_t mixed_count = 0;
    int32_t celled_count = 0;
    for (int32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
        int32_t x = i % SIDE - 8, y = i / SIDE % SIDE - 8, z = i / SIDE / SIDE;
        uint64_t hash = gti_hash_mix(gti_hash_mix(gti_hash_mix(0, (uint64_t)x), (uint64_t)y), (uint64_t)z);
        uint32_t slot = gti_hash_slot(hash, BITS);
        assert_true(slot < 1 << BITS);
        mixed_count += !mixed[slot];
        mixed[slot] = true;
        slot = gti_hash_cell(x, y, z) & ((1 << BITS) - 1);
        celled_count += !celled[slot];
        celled[slot] = true;
    }
    assert_true(mixed_count > (1 << BITS) * 0.58);
    assert_true(celled_count > (1 << BITS) * 0.58);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fnv_is_as_published),
        cmocka_unit_test(test_checksums_stay_as_files_have_them),
        cmocka_unit_test(test_checksums_tell_single_bits),
        cmocka_unit_test(test_cells_of_a_block_spread_over_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
