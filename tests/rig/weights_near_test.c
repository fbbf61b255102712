// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The tree finds what looking at all points finds.

#include "rig/weigh/near.h"

#include "support/random.h"
#include "support/test.h"

enum {
    POINTS = 1000
};

static void expect_nearest(const GtVec3* points, int32_t count, GtVec3 p, const GtiNearTree* tree)
{
    float least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        least = fminf(least, gt_vec3_length(gt_vec3_sub(points[i], p)));
    }
    float distance;
    int32_t found = gti_near_tree_find(tree, p, &distance);
    assert_in_range(found, 0, count - 1);
    GT_EXPECT_NEAR(distance, least, 0.0);
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(points[found], p)), least, 0.0);
}

static void trees_find_what_looking_at_all_does(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    static GtVec3 points[POINTS];
    for (int kind = 0; kind < 3; ++kind) {
        for (int i = 0; i < POINTS; ++i) { // a cloud, a grid with many equal coordinates, one point many times
            GtVec3 p = test_random_vec3(&random, -1.0f, 1.0f);
            GtVec3 grid = gt_vec3((float)(i % 10), (float)(i / 10 % 10), (float)(i / 100));
            points[i] = kind == 0 ? p : kind == 1 ? gt_vec3_scale(grid, 0.2f) : gt_vec3(0.5f, 0.5f, 0.5f);
        }
        for (int32_t count = 1; count <= POINTS; count = count * 3 + 1) {
            GtArena arena = gt_arena_create(gt_default_allocator());
            GtiNearTree tree;
            assert_true(gti_near_tree_make(points, count, &arena, &tree));
            for (int i = 0; i < 200; ++i) {
                expect_nearest(points, count, test_random_vec3(&random, -2.0f, 2.0f), &tree);
            }
            gt_arena_destroy(&arena);
        }
    }
}

static void of_no_points_none_is_near(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiNearTree tree;
    assert_true(gti_near_tree_make(NULL, 0, &arena, &tree));
    assert_int_equal(gti_near_tree_find(&tree, gt_vec3(0.0f, 0.0f, 0.0f), NULL), GT_NONE);
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(trees_find_what_looking_at_all_does),
                                        cmocka_unit_test(of_no_points_none_is_near) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
