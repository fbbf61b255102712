// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A column of the right side has entries at one marker's patch and around it, so that solving M y = b leaves numbers
// only in the groups on the ways from there to the root of the tree; nothing else is visited.

#include "harmonic/solve/pack.h"

#include "base/fail.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DROPPED = 1e-9; // weights are of unit quaternions in single precision

typedef struct Entry {
    int32_t panel;
    int32_t marker;
    float values[GTI_PANEL];
} Entry;

typedef struct Entries {
    GtArena arena;
    Entry* entries;
    size_t count;
    size_t capacity;
} Entries;

static bool append(Entries* list, Entry entry)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4096;
        Entry* grown =
            gti_arena_resize(&list->arena, list->entries, list->capacity * sizeof entry, capacity * sizeof entry);
        if (!grown) {
            return false;
        }
        list->entries = grown;
        list->capacity = capacity;
    }
    list->entries[list->count++] = entry;
    return true;
}

static int compare_nodes(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a;
    int32_t y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

typedef struct Column {
    double* values;  // [size] all 0 between columns
    double* divided; // [size]
    int32_t* nodes;  // [node_count] touched, ascending
    uint8_t* marks;  // [node_count] all 0 between columns
    int32_t node_count;
} Column;

static void load(const GtiHarmonicPlan* plan, const GtiHarmonicRight* right, int32_t marker, Column* column)
{
    column->node_count = 0;
    for (int32_t i = right->starts[marker]; i < right->starts[marker + 1]; ++i) {
        int32_t place = plan->places[right->vertices[i]];
        column->values[place] += right->values[i];
        int32_t s = plan->node_of[place];
        while (s != GT_NONE && !column->marks[s]) {
            column->marks[s] = 1;
            column->nodes[column->node_count++] = s;
            s = plan->parents[s];
        }
    }
    qsort(column->nodes, (size_t)column->node_count, sizeof *column->nodes, compare_nodes);
}

static void solve(const GtiSupernodes* nodes, const double* factor, Column* column)
{
    for (int32_t n = 0; n < column->node_count; ++n) {
        int32_t s = column->nodes[n];
        size_t width = (size_t)(nodes->columns[s + 1] - nodes->columns[s]);
        double* y = &column->values[nodes->columns[s]];
        double* w = &column->divided[nodes->columns[s]];
        const double* d = &factor[nodes->value_starts[s]];
        for (size_t i = 0; i < width; ++i, d += width) {
            w[i] = 0.0;
            for (size_t j = 0; j < width; ++j) {
                w[i] += d[j] * y[j];
            }
        }
        for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r, d += width) {
            double sum = 0.0;
            for (size_t j = 0; j < width; ++j) {
                sum += d[j] * y[j];
            }
            column->values[nodes->rows[r]] -= sum;
        }
    }
}

// Panels of the columns' groups in which any weight is worth keeping.
static bool unload(const GtiHarmonicPlan* plan, int32_t marker, Column* column, Entries* out)
{
    for (int32_t n = 0; n < column->node_count; ++n) {
        int32_t s = column->nodes[n];
        int32_t first = plan->packed[s].vertex;
        int32_t width = plan->packed[s].width;
        column->marks[s] = 0;
        memset(&column->values[first], 0, (size_t)width * sizeof *column->values);
        for (int32_t j = 0; j < width; j += GTI_PANEL) {
            Entry entry = { .panel = plan->packed[s].panel_index + j / GTI_PANEL, .marker = marker };
            double largest = 0.0;
            for (int32_t k = 0; k < GTI_PANEL && j + k < width; ++k) {
                entry.values[k] = -(float)column->divided[first + j + k];
                largest = fmax(largest, fabs(column->divided[first + j + k]));
            }
            if (largest >= DROPPED && !append(out, entry)) {
                return false;
            }
        }
    }
    return true;
}

static bool sort_entries(const Entries* list, int32_t panel_count, GtArena* arena, GtiHarmonicWeights* out)
{
    *out = (GtiHarmonicWeights){
        .starts = gt_arena_push_array(arena, (size_t)panel_count + 2, sizeof *out->starts),
        .markers = gt_arena_push(arena, list->count * sizeof *out->markers),
        .values = gt_arena_push(arena, list->count * sizeof *out->values),
    };
    if (!out->starts || !out->markers || !out->values) {
        return false;
    }
    int32_t* ends = out->starts + 1; // filling moves each start to the next one's place
    for (size_t i = 0; i < list->count; ++i) {
        ++ends[list->entries[i].panel + 1];
    }
    for (int32_t p = 0; p < panel_count; ++p) {
        ends[p + 1] += ends[p];
    }
    for (size_t i = 0; i < list->count; ++i) {
        int32_t at = ends[list->entries[i].panel]++;
        out->markers[at] = list->entries[i].marker;
        memcpy(out->values[at], list->entries[i].values, sizeof out->values[at]);
    }
    return true;
}

GtResult gti_harmonic_weights_make(const GtiHarmonicPlan* plan, const double* laplace, const GtiHarmonicRight* right,
                                   int32_t marker_count, GtArena* arena, GtiHarmonicWeights* out, GtError* error)
{
    const GtiSupernodes* nodes = plan->supernodes;
    size_t size = (size_t)nodes->size;
    GtArena scratch = gt_arena_create(arena->allocator);
    Entries entries = { .arena = gt_arena_create(arena->allocator) };
    Column column = {
        .values = gt_arena_push_array(&scratch, size, sizeof *column.values),
        .divided = gt_arena_push_array(&scratch, size, sizeof *column.divided),
        .nodes = gt_arena_push_array(&scratch, (size_t)nodes->count, sizeof *column.nodes),
        .marks = gt_arena_push_array(&scratch, (size_t)nodes->count, 1),
    };
    bool made = column.values && column.divided && column.nodes && column.marks;
    bool small = true;
    for (int32_t m = 0; made && small && m < marker_count; ++m) {
        load(plan, right, m, &column);
        solve(nodes, laplace, &column);
        made = unload(plan, m, &column, &entries);
        small = entries.count <= INT32_MAX;
    }
    made = made && small && sort_entries(&entries, plan->packed[nodes->count].panel_index, arena, out);
    gt_arena_destroy(&entries.arena);
    gt_arena_destroy(&scratch);
    if (!small) {
        return gti_fail(error, GT_ERROR_LIMIT, "%d markers on %d vertices have too many weights", (int)marker_count,
                        (int)nodes->size);
    }
    return made ? GT_OK : gti_out_of_memory(error);
}
