// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Fiduccia and Mattheyses (1982) for separators of vertices, as METIS has it (Karypis, Kumar 1998): the separator
// vertex whose move to a side helps most is moved there, and its neighbours on the other side are taken into the
// separator; moves that make it dearer are tried too, and all after the best state are taken back.

#include "solve/separator.h"

#include <string.h>

enum {
    MAX_PASSES = 10,
    MAX_VAIN_MOVES = 200 // in a row, before a pass ends
};

static const double MAX_SIDE = 0.67; // of both sides' weight

bool gti_separator_work_make(GtArena* arena, int32_t capacity, GtiSeparatorWork* out)
{
    size_t size = (size_t)capacity;
    *out = (GtiSeparatorWork){
        .beside = gt_arena_push(arena, size * sizeof *out->beside),
        .moved = gt_arena_push(arena, size * sizeof *out->moved),
        .pulled = gt_arena_push(arena, 2 * size * sizeof *out->pulled),
        .pulled_starts = gt_arena_push(arena, (size + 1) * sizeof *out->pulled_starts),
        .locked = gt_arena_push(arena, size * sizeof *out->locked),
    };
    return gti_heap_make(arena, capacity, true, &out->heaps[0]) &&
           gti_heap_make(arena, capacity, true, &out->heaps[1]) && out->beside && out->moved && out->pulled &&
           out->pulled_starts && out->locked;
}

typedef struct RefinePass {
    GtiSeparatorWork* refiner;
    const GtiGraph* graph;
    uint8_t* sides;
    int64_t weights[2]; // of the sides
    int64_t price;      // of the separator
    int32_t move_count;
    int32_t pulled_count;
} RefinePass;

static int32_t weight_of(const GtiGraph* graph, int32_t v)
{
    return graph->weights ? graph->weights[v] : 1;
}

static int32_t price_of(const GtiGraph* graph, int32_t v)
{
    return graph->prices ? graph->prices[v] : 1;
}

static int64_t cost_of(const RefinePass* pass)
{
    double limit = MAX_SIDE * (double)(pass->weights[0] + pass->weights[1]);
    int64_t heavier = pass->weights[0] > pass->weights[1] ? pass->weights[0] : pass->weights[1];
    return pass->price + (heavier > limit ? heavier - (int64_t)limit : 0);
}

static int64_t imbalance_of(const RefinePass* pass)
{
    int64_t difference = pass->weights[0] - pass->weights[1];
    return difference < 0 ? -difference : difference;
}

// A separator vertex's places in the queues: the least key is the move that makes the separator cheapest.
static void queue_vertex(RefinePass* pass, int32_t v)
{
    GtiSeparatorWork* r = pass->refiner;
    if (!r->locked[v]) {
        for (int to = 0; to < 2; ++to) {
            gti_heap_change(&r->heaps[to], v, (double)(r->beside[v][1 - to] - price_of(pass->graph, v)));
        }
    }
}

static void sum_neighbours(RefinePass* pass, int32_t v)
{
    const GtiGraph* graph = pass->graph;
    int64_t* sums = pass->refiner->beside[v];
    sums[0] = sums[1] = 0;
    for (int32_t e = graph->starts[v]; e < graph->starts[v + 1]; ++e) {
        int32_t u = graph->neighbours[e];
        if (pass->sides[u] != GTI_SEPARATOR) {
            sums[pass->sides[u]] += price_of(graph, u);
        }
    }
}

// A vertex of side `from` joins the separator.
static void pull(RefinePass* pass, int32_t u, int from)
{
    const GtiGraph* graph = pass->graph;
    GtiSeparatorWork* r = pass->refiner;
    int32_t price = price_of(graph, u);
    pass->weights[from] -= weight_of(graph, u);
    pass->price += price;
    pass->sides[u] = GTI_SEPARATOR;
    r->pulled[pass->pulled_count++] = u;
    for (int32_t e = graph->starts[u]; e < graph->starts[u + 1]; ++e) {
        int32_t x = graph->neighbours[e];
        if (pass->sides[x] == GTI_SEPARATOR) {
            r->beside[x][from] -= price;
            queue_vertex(pass, x);
        }
    }
    sum_neighbours(pass, u);
    queue_vertex(pass, u);
}

static void move(RefinePass* pass, int32_t v, int to)
{
    const GtiGraph* graph = pass->graph;
    GtiSeparatorWork* r = pass->refiner;
    int32_t price = price_of(graph, v);
    gti_heap_remove(&r->heaps[0], v);
    gti_heap_remove(&r->heaps[1], v);
    r->locked[v] = true;
    r->pulled_starts[pass->move_count] = pass->pulled_count;
    r->moved[pass->move_count++] = v;
    pass->sides[v] = (uint8_t)to;
    pass->weights[to] += weight_of(graph, v);
    pass->price -= price;
    for (int32_t e = graph->starts[v]; e < graph->starts[v + 1]; ++e) {
        int32_t u = graph->neighbours[e];
        if (pass->sides[u] == GTI_SEPARATOR) {
            r->beside[u][to] += price;
            queue_vertex(pass, u);
        }
    }
    for (int32_t e = graph->starts[v]; e < graph->starts[v + 1]; ++e) {
        int32_t u = graph->neighbours[e];
        if (pass->sides[u] == 1 - to) {
            pull(pass, u, 1 - to);
        }
    }
}

// Take back the moves after the first `kept`.
static void take_back(RefinePass* pass, int32_t kept)
{
    GtiSeparatorWork* r = pass->refiner;
    while (pass->move_count > kept) {
        int32_t v = r->moved[--pass->move_count];
        int to = pass->sides[v];
        while (pass->pulled_count > r->pulled_starts[pass->move_count]) {
            int32_t u = r->pulled[--pass->pulled_count];
            pass->sides[u] = (uint8_t)(1 - to);
            pass->weights[1 - to] += weight_of(pass->graph, u);
            pass->price -= price_of(pass->graph, u);
        }
        pass->sides[v] = GTI_SEPARATOR;
        pass->weights[to] -= weight_of(pass->graph, v);
        pass->price += price_of(pass->graph, v);
    }
}

// The side that the next vertex goes to, or -1 where no move is left: the better move, but none to a side that would
// become too heavy.
static int choose_side(const RefinePass* pass)
{
    const GtiHeap* heaps = pass->refiner->heaps;
    double limit = MAX_SIDE * (double)(pass->weights[0] + pass->weights[1]);
    bool may[2];
    for (int to = 0; to < 2; ++to) {
        may[to] = heaps[to].count > 0 &&
                  (pass->weights[to] < pass->weights[1 - to] ||
                   (double)(pass->weights[to] + weight_of(pass->graph, heaps[to].entries[0].item)) <= limit);
    }
    if (!may[0] || !may[1]) {
        return may[0] ? 0 : may[1] ? 1 : -1;
    }
    double keys[2] = { heaps[0].entries[0].key, heaps[1].entries[0].key };
    return keys[0] < keys[1] || (keys[0] == keys[1] && pass->weights[0] <= pass->weights[1]) ? 0 : 1;
}

static void start_pass(RefinePass* pass)
{
    GtiSeparatorWork* r = pass->refiner;
    for (int to = 0; to < 2; ++to) {
        for (int32_t i = 0; i < r->heaps[to].count; ++i) {
            r->heaps[to].places[r->heaps[to].entries[i].item] = GT_NONE;
        }
        r->heaps[to].count = 0;
    }
    memset(r->locked, 0, (size_t)pass->graph->size * sizeof *r->locked);
    pass->move_count = 0;
    pass->pulled_count = 0;
    for (int32_t v = 0; v < pass->graph->size; ++v) {
        if (pass->sides[v] == GTI_SEPARATOR) {
            sum_neighbours(pass, v);
            queue_vertex(pass, v);
        }
    }
}

int64_t gti_separator_refine(GtiSeparatorWork* refiner, const GtiGraph* graph, uint8_t* sides)
{
    RefinePass pass = { .refiner = refiner, .graph = graph, .sides = sides };
    for (int32_t v = 0; v < graph->size; ++v) {
        if (sides[v] == GTI_SEPARATOR) {
            pass.price += price_of(graph, v);
        } else {
            pass.weights[sides[v]] += weight_of(graph, v);
        }
    }
    for (int i = 0; i < MAX_PASSES; ++i) {
        int64_t first = cost_of(&pass);
        int64_t best = first;
        int64_t best_imbalance = imbalance_of(&pass);
        int32_t best_moves = 0;
        start_pass(&pass);
        while (pass.move_count - best_moves < MAX_VAIN_MOVES) {
            int to = choose_side(&pass);
            if (to < 0) {
                break;
            }
            move(&pass, refiner->heaps[to].entries[0].item, to);
            int64_t cost = cost_of(&pass);
            if (cost < best || (cost == best && imbalance_of(&pass) < best_imbalance)) {
                best = cost;
                best_imbalance = imbalance_of(&pass);
                best_moves = pass.move_count;
            }
        }
        take_back(&pass, best_moves);
        if (best == first) {
            break;
        }
    }
    return cost_of(&pass);
}
