// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Multilevel bisection (Hendrickson, Leland 1995; Karypis, Kumar 1998): vertices are joined in pairs along heavy edges
// until few are left; the separator that is found there is carried back, refined at every level. A vertex that stands
// for many is a patch of the surface: in a separator it costs what the patch is wide, the root of its weight.

#include "solve/graph.h"

#include "solve/separator.h"

#include <math.h>
#include <string.h>

enum {
    FEW_VERTICES = 100,
    MAX_LEVELS = 48,
    TRIES = 8, // starts of growing regions
    RUNS = 2   // of the whole, with other pairs each: the better one counts
};

static const double LEAST_GAIN = 0.95; // the next level has at most this share of the vertices
static const double PRICE_UNIT = 16.0; // prices are whole numbers

typedef struct CoarseLevel {
    GtiGraph graph;
    int32_t* coarse; // [size] the vertex of the next level that each is part of
    uint8_t* sides;  // [size]
} CoarseLevel;

static uint32_t next_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static int32_t vertex_weight(const GtiGraph* graph, int32_t v)
{
    return graph->weights ? graph->weights[v] : 1;
}

// Number the pairs: each vertex, in an order that is shuffled, takes the free neighbour on its heaviest edge, of equal
// ones the lightest neighbour. Returns how many there are. `order` [size]
static int32_t match(const GtiGraph* graph, uint32_t random, int32_t* order, int32_t* coarse)
{
    int64_t total = 0;
    for (int32_t v = 0; v < graph->size; ++v) {
        coarse[v] = GT_NONE;
        total += vertex_weight(graph, v);
        int32_t other = (int32_t)(next_random(&random) % ((uint32_t)v + 1));
        order[v] = order[other];
        order[other] = v;
    }
    int64_t heaviest = total * 3 / (2 * FEW_VERTICES) + 1; // so that the last level can be balanced
    int32_t count = 0;
    for (int32_t i = 0; i < graph->size; ++i) {
        int32_t v = order[i];
        if (coarse[v] != GT_NONE) {
            continue;
        }
        int32_t best = GT_NONE;
        int32_t best_edge = 0;
        for (int32_t e = graph->starts[v]; e < graph->starts[v + 1]; ++e) {
            int32_t u = graph->neighbours[e];
            int32_t edge = graph->edge_weights ? graph->edge_weights[e] : 1;
            if (coarse[u] != GT_NONE || vertex_weight(graph, v) + (int64_t)vertex_weight(graph, u) > heaviest) {
                continue;
            }
            if (best == GT_NONE || edge > best_edge ||
                (edge == best_edge && vertex_weight(graph, u) < vertex_weight(graph, best))) {
                best = u;
                best_edge = edge;
            }
        }
        coarse[v] = count;
        if (best != GT_NONE) {
            coarse[best] = count;
        }
        ++count;
    }
    return count;
}

static bool push_graph(GtArena* arena, int32_t size, size_t edge_count, GtiGraph* out)
{
    *out = (GtiGraph){
        .size = size,
        .starts = gt_arena_push(arena, ((size_t)size + 1) * sizeof *out->starts),
        .neighbours = gt_arena_push(arena, edge_count * sizeof *out->neighbours),
        .weights = gt_arena_push_array(arena, (size_t)size, sizeof *out->weights),
        .prices = gt_arena_push(arena, (size_t)size * sizeof *out->prices),
        .edge_weights = gt_arena_push(arena, edge_count * sizeof *out->edge_weights),
    };
    return out->starts && out->neighbours && out->weights && out->prices && out->edge_weights;
}

// The graph of pairs. `members` [fine size]: the pairs' vertices, one pair after the other; `places` [count]: where
// each neighbour of the pair at hand is, or before the pair's first where it is none.
static void join_pairs(const CoarseLevel* fine, int32_t* members, int32_t* places, GtiGraph* out)
{
    const GtiGraph* graph = &fine->graph;
    memset(out->starts, 0, ((size_t)out->size + 1) * sizeof *out->starts);
    for (int32_t v = 0; v < graph->size; ++v) {
        ++out->starts[fine->coarse[v] + 1];
        out->weights[fine->coarse[v]] += vertex_weight(graph, v);
    }
    for (int32_t c = 0; c < out->size; ++c) { // for now, where each pair's members begin
        out->starts[c + 1] += out->starts[c];
        places[c] = out->starts[c];
    }
    for (int32_t v = 0; v < graph->size; ++v) {
        members[places[fine->coarse[v]]++] = v;
    }
    int32_t count = 0;
    int32_t member = 0;
    memset(places, -1, (size_t)out->size * sizeof *places);
    for (int32_t c = 0; c < out->size; ++c) {
        int32_t end = out->starts[c + 1];
        int32_t first = count;
        out->starts[c] = first;
        out->prices[c] = (int32_t)(PRICE_UNIT * sqrt(out->weights[c]) + 0.5);
        for (; member < end; ++member) {
            int32_t v = members[member];
            for (int32_t e = graph->starts[v]; e < graph->starts[v + 1]; ++e) {
                int32_t to = fine->coarse[graph->neighbours[e]];
                int32_t edge = graph->edge_weights ? graph->edge_weights[e] : 1;
                if (to == c) {
                    continue;
                }
                if (places[to] < first) {
                    places[to] = count;
                    out->neighbours[count] = to;
                    out->edge_weights[count++] = 0;
                }
                out->edge_weights[places[to]] += edge;
            }
        }
    }
    out->starts[out->size] = count;
}

// Levels from the graph to one of few vertices; how many, or 0 when memory ran out.
static int32_t coarsen(const GtiGraph* graph, uint32_t random, GtArena* arena, CoarseLevel levels[MAX_LEVELS])
{
    levels[0] = (CoarseLevel){ .graph = *graph };
    int32_t* scratch = gt_arena_push(arena, 2 * ((size_t)graph->size + 1) * sizeof *scratch);
    for (int32_t i = 0; scratch; ++i) {
        CoarseLevel* level = &levels[i];
        size_t size = (size_t)level->graph.size;
        level->sides = gt_arena_push(arena, size + 1);
        level->coarse = gt_arena_push(arena, (size + 1) * sizeof *level->coarse);
        if (!level->sides || !level->coarse) {
            return 0;
        }
        if (size <= FEW_VERTICES || i + 1 == MAX_LEVELS) {
            return i + 1;
        }
        int32_t count = match(&level->graph, random + (uint32_t)i, scratch, level->coarse);
        if (count > LEAST_GAIN * (double)size) {
            return i + 1;
        }
        if (!push_graph(arena, count, (size_t)level->graph.starts[size], &levels[i + 1].graph)) {
            return 0;
        }
        join_pairs(level, scratch, &scratch[size + 1], &levels[i + 1].graph);
    }
    return 0;
}

// Grow a region from `start`, edge by edge, until it has half of the weight; what lies next to it is the separator.
// `queue` [size]
static void grow(const GtiGraph* graph, int32_t start, int32_t* queue, uint8_t* sides)
{
    int64_t left = 0;
    for (int32_t v = 0; v < graph->size; ++v) {
        left += vertex_weight(graph, v);
        sides[v] = 1;
    }
    left /= 2;
    int32_t done = 0;
    int32_t count = 0;
    int32_t seed = start;
    for (int32_t seeds = 0; seeds < graph->size && left > 0; ++seeds, seed = (seed + 1) % graph->size) {
        if (sides[seed] != 1) { // in the region or queued
            continue;
        }
        queue[count++] = seed;
        sides[seed] = GTI_SEPARATOR;
        while (done < count && left > 0) {
            int32_t v = queue[done++];
            sides[v] = 0;
            left -= vertex_weight(graph, v);
            for (int32_t e = graph->starts[v]; e < graph->starts[v + 1]; ++e) {
                int32_t u = graph->neighbours[e];
                if (sides[u] == 1) {
                    sides[u] = GTI_SEPARATOR;
                    queue[count++] = u;
                }
            }
        }
    }
}

// The best of several regions becomes the last level's sides; returns its cost. `queue`, `sides`: [size] scratch
static int64_t bisect(CoarseLevel* level, GtiSeparatorWork* refiner, int32_t* queue, uint8_t* sides)
{
    int64_t best = INT64_MAX;
    uint32_t random = 7;
    for (int i = 0; i < TRIES; ++i) {
        grow(&level->graph, (int32_t)(next_random(&random) % (uint32_t)level->graph.size), queue, sides);
        int64_t cost = gti_separator_refine(refiner, &level->graph, sides);
        if (cost < best) {
            best = cost;
            memcpy(level->sides, sides, (size_t)level->graph.size);
        }
    }
    return best;
}

// One run; the sides are levels[0]'s. Returns their cost, or -1 when memory ran out.
static int64_t run(const GtiGraph* graph, uint32_t random, GtArena* arena, GtiSeparatorWork* refiner,
                   CoarseLevel levels[MAX_LEVELS])
{
    int32_t count = coarsen(graph, random, arena, levels);
    size_t size = count > 0 ? (size_t)levels[count - 1].graph.size : 0;
    int32_t* queue = gt_arena_push(arena, size * sizeof *queue);
    uint8_t* sides = gt_arena_push(arena, size);
    if (count == 0 || !queue || !sides) {
        return -1;
    }
    int64_t cost = bisect(&levels[count - 1], refiner, queue, sides);
    for (int32_t i = count - 2; i >= 0; --i) {
        for (int32_t v = 0; v < levels[i].graph.size; ++v) {
            levels[i].sides[v] = levels[i + 1].sides[levels[i].coarse[v]];
        }
        cost = gti_separator_refine(refiner, &levels[i].graph, levels[i].sides);
    }
    return cost;
}

bool gti_separate(const GtiGraph* graph, GtAllocator allocator, uint8_t* out_sides)
{
    GtArena arena = gt_arena_create(allocator);
    CoarseLevel levels[MAX_LEVELS];
    GtiSeparatorWork refiner;
    bool made = gti_separator_work_make(&arena, graph->size, &refiner);
    GtArenaMark mark = gt_arena_mark(&arena);
    int64_t best = INT64_MAX;
    for (uint32_t i = 0; made && graph->size > 0 && i < RUNS; ++i) {
        gt_arena_reset(&arena, mark);
        int64_t cost = run(graph, i * 77777u, &arena, &refiner, levels);
        made = cost >= 0;
        if (made && cost < best) {
            best = cost;
            memcpy(out_sides, levels[0].sides, (size_t)graph->size);
        }
    }
    gt_arena_destroy(&arena);
    return made;
}
