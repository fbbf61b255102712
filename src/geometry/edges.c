// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Half-edges are counted into buckets, one for each vertex that is the lower end of theirs. A bucket holds few, and is
// sorted by the higher end where it lies; heapsort keeps the time of crowded ones bounded.

#include "geometry/edges.h"

typedef struct Half {
    int32_t high;
    int32_t half;
} Half;

enum {
    FEW = 24 // half-edges that insertion sorts faster
};

static bool is_before(Half a, Half b)
{
    return a.high != b.high ? a.high < b.high : a.half < b.half;
}

static void insertion_sort(Half* halves, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        Half here = halves[i];
        int32_t k = i;
        for (; k > 0 && is_before(here, halves[k - 1]); --k) {
            halves[k] = halves[k - 1];
        }
        halves[k] = here;
    }
}

static void sift(Half* halves, int32_t root, int32_t count)
{
    Half here = halves[root];
    for (int32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && is_before(halves[child], halves[child + 1]);
        if (!is_before(here, halves[child])) {
            break;
        }
        halves[root] = halves[child];
        root = child;
    }
    halves[root] = here;
}

static void heap_sort(Half* halves, int32_t count)
{
    for (int32_t i = count / 2; i-- > 0;) {
        sift(halves, i, count);
    }
    for (int32_t i = count; i-- > 1;) {
        Half top = halves[0];
        halves[0] = halves[i];
        halves[i] = top;
        sift(halves, 0, i);
    }
}

static Half* fill_buckets(const GtiTrimesh* mesh, GtArena* scratch, int32_t* ends)
{
    int32_t count = 3 * mesh->triangle_count;
    Half* halves = gt_arena_push(scratch, (size_t)count * sizeof *halves);
    if (!halves) {
        return NULL;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t a = gti_half_start(mesh, i);
        int32_t b = gti_half_end(mesh, i);
        ++ends[a < b ? a : b];
    }
    for (int32_t v = 0, sum = 0; v < mesh->vertex_count; ++v) {
        int32_t here = ends[v];
        ends[v] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t a = gti_half_start(mesh, i);
        int32_t b = gti_half_end(mesh, i);
        halves[ends[a < b ? a : b]++] = (Half){ a < b ? b : a, i };
    }
    return halves;
}

bool gti_edges_find(const GtiTrimesh* mesh, GtArena* arena, GtiEdges* out)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    *out = (GtiEdges){ .halves = gt_arena_push(arena, count * sizeof *out->halves),
                       .firsts = gt_arena_push(arena, (count + 1) * sizeof *out->firsts) };
    GtArena scratch = gt_arena_create(arena->allocator);
    int32_t* ends = gt_arena_push_array(&scratch, (size_t)mesh->vertex_count, sizeof *ends);
    Half* halves = ends ? fill_buckets(mesh, &scratch, ends) : NULL;
    bool ok = out->halves && out->firsts && halves;
    for (int32_t v = 0, first = 0; ok && v < mesh->vertex_count; first = ends[v++]) {
        int32_t size = ends[v] - first;
        (size <= FEW ? insertion_sort : heap_sort)(halves + first, size);
        for (int32_t i = first; i < ends[v]; ++i) {
            if (i == first || halves[i].high != halves[i - 1].high) {
                out->firsts[out->edge_count++] = i;
            }
            out->halves[i] = halves[i].half;
        }
    }
    if (ok) {
        out->firsts[out->edge_count] = (int32_t)count;
    }
    gt_arena_destroy(&scratch);
    return ok;
}
