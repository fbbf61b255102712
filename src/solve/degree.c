// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The kernels of libamd and libcamd work on the caller's memory alone, which their other functions do not: what they
// need comes from our allocator, and they can neither fail nor end the process.

#include "solve/graph.h"

#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/camd.h>

bool gti_graph_of(const GtiSparse* matrix, GtArena* arena, GtiGraph* out)
{
    int32_t size = matrix->size;
    size_t count = 2 * ((size_t)matrix->starts[size] - (size_t)size);
    *out = (GtiGraph){
        .size = size,
        .starts = gt_arena_push_array(arena, (size_t)size + 2, sizeof *out->starts),
        .neighbours = gt_arena_push(arena, count * sizeof *out->neighbours),
    };
    if (!out->starts || !out->neighbours) {
        return false;
    }
    int32_t* ends = &out->starts[1]; // ends[v] starts where v's neighbours do, and ends where they end
    for (int32_t j = 0; j < size; ++j) {
        for (int32_t k = matrix->starts[j] + 1; k < matrix->starts[j + 1]; ++k) {
            ++ends[j + 1];
            ++ends[matrix->rows[k] + 1];
        }
    }
    for (int32_t j = 0; j < size; ++j) {
        ends[j + 1] += ends[j];
    }
    for (int32_t j = 0; j < size; ++j) {
        for (int32_t k = matrix->starts[j] + 1; k < matrix->starts[j + 1]; ++k) {
            int32_t i = matrix->rows[k];
            out->neighbours[ends[j]++] = i;
            out->neighbours[ends[i]++] = j;
        }
    }
    return true;
}

bool gti_order_by_degree(const GtiGraph* graph, const int32_t* sets, GtAllocator allocator, int32_t* out_order)
{
    enum {
        ARRAYS = 9 // of one int a vertex and one more
    };
    GtArena arena = gt_arena_create(allocator);
    size_t size = (size_t)graph->size;
    size_t count = (size_t)graph->starts[size];
    size_t room = count + count / 2 + size; // what the libraries recommend
    int* work = gt_arena_push(&arena, ARRAYS * (size + 1) * sizeof *work);
    int* edges = room < INT32_MAX ? gt_arena_push(&arena, room * sizeof *edges) : NULL;
    bool pushed = work && edges;
    if (pushed && size > 0) {
        int* a[ARRAYS];
        for (size_t i = 0; i < ARRAYS; ++i) {
            a[i] = &work[i * (size + 1)];
        }
        memcpy(edges, graph->neighbours, count * sizeof *edges);
        memcpy(a[0], graph->starts, (size + 1) * sizeof *work);
        for (size_t v = 0; v < size; ++v) {
            a[1][v] = graph->starts[v + 1] - graph->starts[v];
        }
        double info[AMD_INFO > CAMD_INFO ? AMD_INFO : CAMD_INFO];
        if (sets) {
            camd_2((int)size, a[0], edges, a[1], (int)room, (int)count, a[2], a[3], out_order, a[4], a[5], a[6], a[7],
                   NULL, info, sets, a[8]);
        } else {
            amd_2((int)size, a[0], edges, a[1], (int)room, (int)count, a[2], a[3], out_order, a[4], a[5], a[6], a[7],
                  NULL, info);
        }
    }
    gt_arena_destroy(&arena);
    return pushed;
}
