// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Parts are ranges of the order that is being made; those that are still to be split wait on a stack, so that depth
// costs no calls. A part's separator comes last in its range. What is not split further, and each separator, is a set
// for the ordering by degree, which sees all edges: it knows what a vertex inside costs the separators around it.

#include "solve/graph.h"

#include "base/memory.h"

#include <string.h>

enum {
    SMALL_PART = 250 // vertices that are not split
};

typedef struct PartRange {
    int32_t begin, end;
} PartRange;

typedef struct Dissection {
    const GtiGraph* graph;
    GtArena arena; // of everything here
    int32_t* order;
    int32_t* places; // [size] a vertex of the part at hand as vertex of `part`
    GtiGraph part;
    int32_t* sorted; // [size]
    int32_t* sets;   // [size] of each vertex: where its set begins
    uint8_t* sides;  // [size]
    PartRange* stack;
    int32_t depth, capacity;
} Dissection;

static bool push_dissection(Dissection* d)
{
    size_t size = (size_t)d->graph->size;
    d->places = gt_arena_push(&d->arena, size * sizeof *d->places);
    d->part.starts = gt_arena_push(&d->arena, (size + 1) * sizeof *d->part.starts);
    d->part.neighbours = gt_arena_push(&d->arena, (size_t)d->graph->starts[size] * sizeof *d->part.neighbours);
    d->sorted = gt_arena_push(&d->arena, size * sizeof *d->sorted);
    d->sets = gt_arena_push(&d->arena, size * sizeof *d->sets);
    d->sides = gt_arena_push(&d->arena, size);
    return d->places && d->part.starts && d->part.neighbours && d->sorted && d->sets && d->sides;
}

static bool push_part(Dissection* d, int32_t begin, int32_t end)
{
    if (d->depth == d->capacity) {
        PartRange* larger = gti_arena_grow(&d->arena, d->stack, &d->capacity, 64, sizeof *larger);
        if (!larger) {
            return false;
        }
        d->stack = larger;
    }
    d->stack[d->depth++] = (PartRange){ begin, end };
    return true;
}

// The edges between vertices of the part at hand.
static void cut_out(Dissection* d, PartRange range)
{
    int32_t count = 0;
    d->part.size = range.end - range.begin;
    for (int32_t i = range.begin; i < range.end; ++i) {
        d->places[d->order[i]] = i - range.begin;
    }
    for (int32_t i = range.begin; i < range.end; ++i) {
        int32_t v = d->order[i];
        d->part.starts[i - range.begin] = count;
        for (int32_t e = d->graph->starts[v]; e < d->graph->starts[v + 1]; ++e) {
            int32_t u = d->graph->neighbours[e];
            int32_t place = d->places[u];
            if (place < d->part.size && d->order[range.begin + place] == u) {
                d->part.neighbours[count++] = place;
            }
        }
    }
    d->part.starts[d->part.size] = count;
}

static void make_set(Dissection* d, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; ++i) {
        d->sets[d->order[i]] = begin;
    }
}

// Split the part at hand, or leave it where it is small or no separator splits it.
static bool split_part(Dissection* d, PartRange range)
{
    int32_t size = range.end - range.begin;
    int32_t counts[3] = { 0 };
    if (size > SMALL_PART) {
        cut_out(d, range);
        if (!gti_separate(&d->part, d->arena.allocator, d->sides)) {
            return false;
        }
        for (int32_t v = 0; v < size; ++v) {
            ++counts[d->sides[v]];
        }
    }
    if (counts[0] == 0 || counts[1] == 0) {
        make_set(d, range.begin, range.end);
        return true;
    }
    int32_t next[3] = { 0, counts[0], counts[0] + counts[1] };
    for (int32_t v = 0; v < size; ++v) {
        d->sorted[next[d->sides[v]]++] = d->order[range.begin + v];
    }
    memcpy(&d->order[range.begin], d->sorted, (size_t)size * sizeof *d->sorted);
    int32_t middle = range.begin + counts[0];
    int32_t end = middle + counts[1];
    make_set(d, end, range.end);
    return push_part(d, range.begin, middle) && push_part(d, middle, end);
}

bool gti_order_by_dissection(const GtiGraph* graph, GtAllocator allocator, int32_t* out_order)
{
    Dissection d = { .graph = graph, .arena = gt_arena_create(allocator), .order = out_order };
    bool ok = push_dissection(&d);
    for (int32_t v = 0; ok && v < graph->size; ++v) {
        out_order[v] = v;
        d.places[v] = 0;
    }
    ok = ok && push_part(&d, 0, graph->size);
    while (ok && d.depth > 0) {
        ok = split_part(&d, d.stack[--d.depth]);
    }
    ok = ok && gti_order_by_degree(graph, d.sets, allocator, out_order);
    gt_arena_destroy(&d.arena);
    return ok;
}
