// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/repeats.h"

#include "support/test.h"

#include <stdlib.h>

enum {
    MANY = 3000
};

static void test_repeats_and_lines_are_left_out(void** state)
{
    (void)state;
    // Over four vertices: each of four triangles turned in three ways, seen from both sides, and lines.
    static const uint32_t faces[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 3, 1, 0 }, { 1, 3, 2 } };
    GtArena arena = gt_arena_create(gt_default_allocator());
    uint32_t* corners = calloc(3 * MANY, sizeof *corners);
    assert_non_null(corners);
    for (uint32_t t = 0; t < MANY; ++t) {
        const uint32_t* face = faces[t % 4];
        bool is_line = t % 5 == 0;
        bool is_back = t % 7 == 0;
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t turned = (k + t) % 3;
            corners[3 * t + k] = is_line && k == 2 ? corners[3 * t] : face[is_back ? 2 - turned : turned];
        }
    }
    const uint32_t* indices = corners;
    int32_t count = 3 * MANY;
    assert_true(gti_drop_repeats(&arena, 4, &indices, &count));
    assert_int_equal(count, 3 * 8); // four from the front, four from the back
    bool seen[4][4][4] = { { { false } } };
    for (int32_t i = 0; i < count; i += 3) {
        assert_true(indices[i] < indices[i + 1] && indices[i] < indices[i + 2] && indices[i + 1] != indices[i + 2]);
        assert_false(seen[indices[i]][indices[i + 1]][indices[i + 2]]);
        seen[indices[i]][indices[i + 1]][indices[i + 2]] = true;
    }
    free(corners);
    gt_arena_destroy(&arena);
}

static void test_surfaces_stay_as_they_are(void** state)
{
    (void)state;
    static const uint32_t square[] = { 0, 1, 2, 0, 2, 3, 0, 1, 2 };
    GtArena arena = gt_arena_create(gt_default_allocator());
    const uint32_t* indices = square;
    int32_t count = 9;
    assert_true(gti_drop_repeats(&arena, 4, &indices, &count));
    assert_ptr_equal(indices, square);
    assert_int_equal(count, 9);
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeats_and_lines_are_left_out),
        cmocka_unit_test(test_surfaces_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
