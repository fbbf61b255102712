// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Trees against every triangle looked at, and against solids of which it is known what is inside.

#include "collide/tree.h"
#include "geometry/nearest.h"
#include "support/random.h"
#include "support/test.h"

enum {
    RINGS = 24,
    VERTICES = RINGS * RINGS,
    TRIANGLES = 2 * RINGS * (RINGS - 1)
};

typedef struct Balls {
    GtVec3 positions[2 * VERTICES];
    uint32_t corners[2 * 3 * TRIANGLES];
    GtArena arena;
    GtiTree tree;
    GtiPosedTree posed;
} Balls;

// A ball of rings from pole to pole.
static void add_ball(Balls* b, int index, GtVec3 middle, float radius)
{
    uint32_t* c = b->corners + (size_t)index * 3 * TRIANGLES;
    uint32_t first = (uint32_t)(index * VERTICES);
    for (int i = 0; i < VERTICES; ++i) {
        float lean = (float)GTI_PI * (float)(i / RINGS) / (RINGS - 1);
        float turn = 2.0f * (float)GTI_PI * (float)(i % RINGS) / RINGS;
        GtVec3 way = gt_vec3(sinf(lean) * sinf(turn), cosf(lean), sinf(lean) * cosf(turn));
        b->positions[first + (uint32_t)i] = gt_vec3_add(middle, gt_vec3_scale(way, radius));
    }
    for (uint32_t i = 0; i < VERTICES - RINGS; ++i) {
        uint32_t next = i % RINGS == RINGS - 1 ? i + 1 - RINGS : i + 1;
        const uint32_t square[6] = { i, i + RINGS, next, next, i + RINGS, next + RINGS };
        for (int k = 0; k < 6; ++k) {
            *c++ = first + square[k];
        }
    }
}

static void make(Balls* b, GtVec3 second)
{
    GtError error;
    memset(b, 0, sizeof *b);
    add_ball(b, 0, gt_vec3(0.0f, 0.0f, 0.0f), 1.0f);
    add_ball(b, 1, second, 0.5f);
    b->arena = gt_arena_create(gt_default_allocator());
    GT_EXPECT_OK(gti_tree_build(&b->arena, b->positions, b->corners, 2 * TRIANGLES, &b->tree, &error));
    GtBounds* boxes = gt_arena_push_array(&b->arena, (size_t)b->tree.node_count, sizeof *boxes);
    assert_non_null(boxes);
    b->posed = (GtiPosedTree){ &b->tree, b->positions, boxes };
    gti_tree_refit(&b->posed);
}

static bool is_of_second(const void* user, int32_t triangle, GtVec3 point)
{
    (void)user;
    (void)point;
    return triangle >= TRIANGLES;
}

static void nearest_is_that_of_all_triangles(void** state)
{
    (void)state;
    static Balls b;
    make(&b, gt_vec3(2.0f, 0.0f, 0.0f));
    TestRandom random = { 77 };
    for (int i = 0; i < VERTICES; ++i) { // the tree's shape stays as the mesh is posed
        b.positions[i] = gt_vec3_scale(b.positions[i], 1.2f);
    }
    gti_tree_refit(&b.posed);
    for (int round = 0; round < 300; ++round) {
        GtVec3 from = test_random_vec3(&random, -2.5f, 2.5f);
        float least[2] = { INFINITY, INFINITY };
        for (int t = 0; t < 2 * TRIANGLES; ++t) {
            const uint32_t* c = b.corners + 3 * (size_t)t;
            GtVec3 near = gti_nearest_on_triangle(from, b.positions[c[0]], b.positions[c[1]], b.positions[c[2]]);
            float far = gt_vec3_length(gt_vec3_sub(near, from));
            least[t >= TRIANGLES] = fminf(least[t >= TRIANGLES], far);
        }
        GtiTreeNearest any = gti_tree_nearest(&b.posed, from, 100.0f, NULL, NULL);
        GtiTreeNearest second = gti_tree_nearest(&b.posed, from, 100.0f, is_of_second, NULL);
        GT_EXPECT_NEAR(any.distance_m, fminf(least[0], least[1]), 1e-5);
        GT_EXPECT_NEAR(second.distance_m, least[1], 1e-5);
        assert_true(second.triangle >= TRIANGLES);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(any.point, from)), any.distance_m, 1e-5);
        assert_int_equal(gti_tree_nearest(&b.posed, from, 0.99f * second.distance_m, is_of_second, NULL).triangle,
                         GT_NONE);
    }
    gt_arena_destroy(&b.arena);
}

static void winding_counts_what_a_point_is_inside_of(void** state)
{
    (void)state;
    static Balls b;
    GtVec3 second = gt_vec3(0.8f, 0.1f, 0.0f);
    make(&b, second);
    TestRandom random = { 78 };
    int seen[3] = { 0, 0, 0 };
    for (int round = 0; round < 2000; ++round) {
        GtVec3 from = test_random_vec3(&random, -1.4f, 1.4f);
        float a = gt_vec3_length(from), c = gt_vec3_length(gt_vec3_sub(from, second)) / 0.5f;
        if (fabsf(a - 1.0f) < 0.02f || fabsf(c - 1.0f) < 0.02f) {
            continue; // between a ball and its triangles
        }
        int inside = (a < 1.0f) + (c < 1.0f);
        assert_int_equal(gti_tree_winding(&b.posed, from), inside);
        ++seen[inside];
    }
    assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 20);
    gt_arena_destroy(&b.arena);
}

static void a_mesh_without_triangles_is_nowhere(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTree tree;
    GtError error;
    GT_EXPECT_OK(gti_tree_build(&arena, NULL, NULL, 0, &tree, &error));
    GtiPosedTree posed = { &tree, NULL, NULL };
    gti_tree_refit(&posed);
    assert_int_equal(gti_tree_nearest(&posed, gt_vec3(0, 0, 0), 1.0f, NULL, NULL).triangle, GT_NONE);
    assert_int_equal(gti_tree_winding(&posed, gt_vec3(0, 0, 0)), 0);
    gt_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_is_that_of_all_triangles),
        cmocka_unit_test(winding_counts_what_a_point_is_inside_of),
        cmocka_unit_test(a_mesh_without_triangles_is_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
