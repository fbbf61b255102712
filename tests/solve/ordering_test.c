// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Oracles: every vertex is in an order once; no edge joins the sides of a separator; on a square grid of n vertices the
// factor in the order of nested dissection has no more than 31/4 n log2 n entries (George 1973).

#include "solve/elimination.h"

#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

typedef struct Edge {
    int32_t a, b; // a < b
} Edge;

static int compare_edges(const void* a, const void* b)
{
    const Edge* x = a;
    const Edge* y = b;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

// A matrix with these edges, each once, that is diagonally dominant.
static GtiSparse matrix_of(GtArena* arena, int32_t size, Edge* edges, int32_t edge_count)
{
    GtiSparse matrix;
    assert_true(gti_sparse_push(arena, size, (int64_t)size + edge_count, &matrix));
    qsort(edges, (size_t)edge_count, sizeof *edges, compare_edges);
    int32_t count = 0;
    int32_t e = 0;
    for (int32_t v = 0; v < size; ++v) {
        matrix.starts[v] = count;
        matrix.rows[count] = v;
        matrix.values[count++] = 2.0 * edge_count + 1.0;
        for (; e < edge_count && edges[e].a == v; ++e) {
            matrix.rows[count] = edges[e].b;
            matrix.values[count++] = -1.0;
        }
    }
    matrix.starts[size] = count;
    return matrix;
}

static GtiSparse grid(GtArena* arena, int32_t side)
{
    Edge* edges = gt_arena_push(arena, (size_t)(2 * side * side) * sizeof *edges);
    int32_t count = 0;
    for (int32_t v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) {
            edges[count++] = (Edge){ v, v + 1 };
        }
        if (v / side + 1 < side) {
            edges[count++] = (Edge){ v, v + side };
        }
    }
    return matrix_of(arena, side * side, edges, count);
}

static void expect_permutation(const int32_t* order, int32_t size)
{
    uint8_t* seen = calloc((size_t)size + 1, 1);
    for (int32_t i = 0; i < size; ++i) {
        assert_true(order[i] >= 0 && order[i] < size && !seen[order[i]]);
        seen[order[i]] = 1;
    }
    free(seen);
}

static void expect_orders(GtArena* arena, const GtiSparse* matrix)
{
    GtError error;
    for (int ordering = 0; ordering < 2; ++ordering) {
        GtiElimination shape;
        GT_EXPECT_OK(gti_eliminate(matrix, (GtiOrdering)ordering, arena, &shape, &error));
        expect_permutation(shape.order, matrix->size);
        for (int32_t k = 0; k < matrix->size; ++k) {
            assert_true(shape.parents[k] == GT_NONE || shape.parents[k] > k);
        }
    }
}

static void a_grid_has_georges_bound(void** state)
{
    (void)state;
    GtError error;
    static const int32_t sides[] = { 30, 100, 250 };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; ++i) {
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtiSparse matrix = grid(&arena, sides[i]);
        expect_orders(&arena, &matrix);
        GtiElimination shape;
        GT_EXPECT_OK(gti_eliminate(&matrix, GTI_ORDERING_BUSHY, &arena, &shape, &error));
        double n = matrix.size;
        assert_true((double)shape.total <= 31.0 / 4.0 * n * log2(n));
        gt_arena_destroy(&arena);
    }
}

static void a_separator_separates(void** state)
{
    (void)state;
    enum {
        SIDE = 60
    };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiSparse matrix = grid(&arena, SIDE);
    GtiGraph graph;
    static uint8_t sides[SIDE * SIDE];
    assert_true(gti_graph_of(&matrix, &arena, &graph));
    assert_true(gti_separate(&graph, arena.allocator, sides));
    int32_t counts[3] = { 0 };
    for (int32_t v = 0; v < graph.size; ++v) {
        ++counts[sides[v]];
        for (int32_t e = graph.starts[v]; e < graph.starts[v + 1]; ++e) {
            assert_true(sides[v] == GTI_SEPARATOR || sides[graph.neighbours[e]] != 1 - sides[v]);
        }
    }
    assert_true(counts[GTI_SEPARATOR] <= SIDE * 5 / 4); // a row would do
    assert_true(counts[0] >= SIDE * SIDE / 4 && counts[1] >= SIDE * SIDE / 4);
    gt_arena_destroy(&arena);
}

// Graphs that meshes of strangers can have: one vertex in all faces, loose pieces, no edges at all, two dense parts.
static void any_graph_is_ordered(void** state)
{
    (void)state;
    enum {
        SIZE = 3000,
        MOST = 40000
    };
    for (int kind = 0; kind < 6; ++kind) {
        GtArena arena = gt_arena_create(gt_default_allocator());
        Edge* edges = gt_arena_push(&arena, MOST * sizeof *edges);
        TestRandom random = { 9 };
        int32_t count = 0;
        int32_t size = kind == 5 ? 1 : SIZE;
        for (int32_t v = 0; v + 1 < size; ++v) {
            if (kind == 0) { // a star
                edges[count++] = (Edge){ 0, v + 1 };
            } else if (kind == 1) { // a chain
                edges[count++] = (Edge){ v, v + 1 };
            } else if (kind == 2 && v % 3 != 2) { // loose edges and vertices
                edges[count++] = (Edge){ v, v + 1 };
            } else if (kind == 3) { // random
                int32_t other = (int32_t)(test_random_float(&random, 0.0f, 1.0f) * (float)(size - v - 1)) + v + 1;
                edges[count++] = (Edge){ v, other < size ? other : size - 1 };
            }
        }
        for (int32_t v = 0; kind == 4 && v < 200; ++v) { // two cliques among loose vertices
            for (int32_t u = v + 1; u < (v < 100 ? 100 : 200); ++u) {
                edges[count++] = (Edge){ v, u };
            }
        }
        assert_true(count <= MOST);
        GtiSparse matrix = matrix_of(&arena, size, edges, count);
        expect_orders(&arena, &matrix);
        gt_arena_destroy(&arena);
    }
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    GtArena kept = gt_arena_create(gt_default_allocator());
    GtiSparse matrix = grid(&kept, 40);
    for (int ordering = 0; ordering < 2; ++ordering) {
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        for (int64_t allowed = 0; result != GT_OK; ++allowed) {
            assert_true(allowed < 1000);
            TestAllocator allocator = { .remaining = allowed };
            GtArena arena = gt_arena_create(test_allocator(&allocator));
            GtiElimination shape;
            result = gti_eliminate(&matrix, (GtiOrdering)ordering, &arena, &shape, &error);
            assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
            gt_arena_destroy(&arena);
            assert_int_equal(allocator.alive, 0);
        }
    }
    gt_arena_destroy(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_georges_bound),
        cmocka_unit_test(a_separator_separates),
        cmocka_unit_test(any_graph_is_ordered),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
