// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The elimination tree by Liu's algorithm (1990), the counts of the factor's columns by a walk over each row's subtree
// (Davis, Direct Methods for Sparse Linear Systems, 2006, chapter 4), which costs as much as the factor has entries.

#include "solve/elimination.h"

#include "base/fail.h"

#include <string.h>

// From how many there are of each of `size` groups to where each begins; counts [size + 1].
static void start_groups(int32_t* counts, int32_t size)
{
    int32_t sum = 0;
    for (int32_t k = 0; k < size; ++k) {
        int32_t count = counts[k];
        counts[k] = sum;
        sum += count;
    }
    counts[size] = sum;
}

// P A P' above the diagonal by columns. `scratch` [2 * size + 1].
static void permute(const GtiSparse* matrix, int32_t* scratch, GtiElimination* e)
{
    int32_t* places = scratch; // the inverse of the order
    int32_t* next = &scratch[e->size];
    for (int32_t k = 0; k < e->size; ++k) {
        places[e->order[k]] = k;
    }
    memset(next, 0, ((size_t)e->size + 1) * sizeof *next);
    for (int32_t pass = 0; pass < 2; ++pass) {
        for (int32_t k = 0; k < e->size; ++k) {
            int32_t j = e->order[k];
            for (int32_t p = matrix->starts[j] + 1; p < matrix->starts[j + 1]; ++p) {
                int32_t other = places[matrix->rows[p]];
                int32_t at = next[other < k ? k : other]++;
                if (pass == 1) {
                    e->rows[at] = other < k ? other : k;
                    e->sources[at] = p;
                }
            }
        }
        if (pass == 0) {
            start_groups(next, e->size);
            memcpy(e->starts, next, ((size_t)e->size + 1) * sizeof *next);
        }
    }
}

// `ancestors` [size]: shortcuts up the tree that is there so far.
static void find_parents(const GtiElimination* e, int32_t* ancestors)
{
    for (int32_t k = 0; k < e->size; ++k) {
        e->parents[k] = GT_NONE;
        ancestors[k] = GT_NONE;
        for (int32_t p = e->starts[k]; p < e->starts[k + 1]; ++p) {
            for (int32_t i = e->rows[p]; i != GT_NONE && i < k;) {
                int32_t up = ancestors[i];
                ancestors[i] = k;
                if (up == GT_NONE) {
                    e->parents[i] = k;
                }
                i = up;
            }
        }
    }
}

// `marks` [size]. False where the factor would be too large.
static bool count_columns(GtiElimination* e, int32_t* marks)
{
    e->total = 0;
    for (int32_t k = 0; k < e->size; ++k) {
        e->counts[k] = 1;
        marks[k] = k;
        ++e->total;
        for (int32_t p = e->starts[k]; p < e->starts[k + 1]; ++p) {
            for (int32_t i = e->rows[p]; marks[i] != k; i = e->parents[i]) {
                ++e->counts[i];
                ++e->total;
                marks[i] = k;
            }
        }
        if (e->total > INT32_MAX) {
            return false;
        }
    }
    return true;
}

// Replace the order by a postorder of its tree: of the children of a column, the ones with shorter columns come first.
// `scratch` [4 * size + 1].
static void postorder(GtiElimination* e, int32_t* scratch)
{
    size_t size = (size_t)e->size;
    int32_t* heads = scratch; // of lists of children
    int32_t* nexts = &scratch[size];
    int32_t* order = &scratch[2 * size];
    int32_t* stack = &scratch[3 * size]; // [size + 1] at first, where the columns of each length begin
    int32_t done = 0;
    memset(stack, 0, (size + 1) * sizeof *stack);
    for (int32_t k = 0; k < e->size; ++k) {
        ++stack[e->counts[k] - 1];
    }
    start_groups(stack, e->size);
    for (int32_t k = 0; k < e->size; ++k) {
        order[stack[e->counts[k] - 1]++] = k;
    }
    memset(heads, -1, size * sizeof *heads);
    for (size_t t = size; t-- > 0;) {
        int32_t k = order[t];
        if (e->parents[k] != GT_NONE) {
            nexts[k] = heads[e->parents[k]];
            heads[e->parents[k]] = k;
        }
    }
    for (int32_t root = 0; root < e->size; ++root) {
        int32_t depth = 0;
        if (e->parents[root] == GT_NONE) {
            stack[depth++] = root;
        }
        while (depth > 0) {
            int32_t k = stack[depth - 1];
            if (heads[k] != GT_NONE) {
                stack[depth++] = heads[k];
                heads[k] = nexts[heads[k]];
            } else {
                order[done++] = e->order[k];
                --depth;
            }
        }
    }
    memcpy(e->order, order, size * sizeof *order);
}

static bool order_matrix(const GtiSparse* matrix, GtiOrdering ordering, GtArena* scratch, int32_t* order)
{
    GtArenaMark mark = gt_arena_mark(scratch);
    GtiGraph graph;
    bool ordered = gti_graph_of(matrix, scratch, &graph) &&
                   (ordering == GTI_ORDERING_QUICK ? gti_order_by_degree(&graph, NULL, scratch->allocator, order)
                                                   : gti_order_by_dissection(&graph, scratch->allocator, order));
    gt_arena_reset(scratch, mark);
    return ordered;
}

static GtResult analyse(const GtiSparse* matrix, GtiOrdering ordering, GtArena* scratch, GtiElimination* e,
                        GtError* error)
{
    int32_t* work = gt_arena_push(scratch, (4 * (size_t)e->size + 1) * sizeof *work);
    if (!work || !order_matrix(matrix, ordering, scratch, e->order)) {
        return gti_out_of_memory(error);
    }
    permute(matrix, work, e);
    find_parents(e, work);
    if (!count_columns(e, work)) {
        return gti_fail(error, GT_ERROR_LIMIT, "a system of %d unknowns has too large a factor", (int)matrix->size);
    }
    postorder(e, work);
    permute(matrix, work, e);
    find_parents(e, work);
    count_columns(e, work);
    return GT_OK;
}

GtResult gti_eliminate(const GtiSparse* matrix, GtiOrdering ordering, GtArena* arena, GtiElimination* out,
                       GtError* error)
{
    size_t size = (size_t)matrix->size;
    size_t count = (size_t)matrix->starts[size] - size;
    if (count > INT32_MAX / 4) { // the graph has every entry twice, and libamd wants half as much again
        return gti_fail(error, GT_ERROR_LIMIT, "a system of %d unknowns is too large", (int)size);
    }
    *out = (GtiElimination){
        .size = matrix->size,
        .order = gt_arena_push(arena, size * sizeof *out->order),
        .starts = gt_arena_push(arena, (size + 1) * sizeof *out->starts),
        .rows = gt_arena_push(arena, count * sizeof *out->rows),
        .sources = gt_arena_push(arena, count * sizeof *out->sources),
        .parents = gt_arena_push(arena, size * sizeof *out->parents),
        .counts = gt_arena_push(arena, size * sizeof *out->counts),
    };
    if (!out->order || !out->starts || !out->rows || !out->sources || !out->parents || !out->counts) {
        return gti_out_of_memory(error);
    }
    GtArena scratch = gt_arena_create(arena->allocator);
    GtResult result = analyse(matrix, ordering, &scratch, out, error);
    gt_arena_destroy(&scratch);
    return result;
}
