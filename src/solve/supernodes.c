// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A group starts as a fundamental supernode, columns whose rows below are the same; a group and the next one, its
// parent, are joined where few zeros come in by it (Ashcraft, Grimes 1989).

#include "solve/supernodes.h"

#include "base/fail.h"
#include "base/memory.h"
#include "solve/blocks.h"
#include "solve/elimination.h"

#include <string.h>

// ColumnGroups of up to `columns` columns are joined where no more than `zeros` of the result are zeros; the last holds
// for any. Those of up to JOIN_ALWAYS columns are joined always: a kernel takes as long for fewer.
typedef struct JoinRule {
    int32_t columns;
    double zeros;
} JoinRule;
static const JoinRule JOIN_RULES[] = { { 16, 0.4 }, { 48, 0.1 }, { INT32_MAX, 0.05 } };
enum {
    JOIN_ALWAYS = 4
};

typedef struct ColumnGroups {
    int32_t count;
    int32_t* firsts; // [count + 1] the first column of each
    int32_t* of;     // [size] the group of each column
} ColumnGroups;

// `children` [size]
static void find_groups(const GtiElimination* shape, int32_t* children, ColumnGroups* out)
{
    memset(children, 0, (size_t)shape->size * sizeof *children);
    for (int32_t k = 0; k < shape->size; ++k) {
        if (shape->parents[k] != GT_NONE) {
            ++children[shape->parents[k]];
        }
    }
    out->count = 0;
    for (int32_t k = 0; k < shape->size; ++k) {
        bool goes_on =
            k > 0 && shape->parents[k - 1] == k && shape->counts[k - 1] == shape->counts[k] + 1 && children[k] == 1;
        if (!goes_on) {
            out->firsts[out->count++] = k;
        }
        out->of[k] = out->count - 1;
    }
    out->firsts[out->count] = shape->size;
}

// Whether a group of `width` columns, `length` entries in its first, may join the one after it, which has
// `next_width` and `next_length`; *zeros goes from that one's to the two's.
static bool may_join(double width, double length, double next_width, double next_length, double* zeros)
{
    double joined = width + next_width;
    double more = width * (next_length + width - length);
    *zeros += joined > JOIN_ALWAYS ? more : 0.0;
    if (joined <= JOIN_ALWAYS || more == 0.0) {
        return true;
    }
    double share = *zeros / (joined * (joined + 1.0) / 2.0 + joined * (next_length - next_width));
    for (size_t i = 0; i < sizeof JOIN_RULES / sizeof *JOIN_RULES; ++i) {
        if (joined <= JOIN_RULES[i].columns && share < JOIN_RULES[i].zeros) {
            return true;
        }
    }
    return false;
}

// From last to first: each group is joined to the one after it, or stays.
static void join_groups(const GtiElimination* shape, ColumnGroups* groups)
{
    int32_t* firsts = groups->firsts;
    int32_t kept = groups->count; // firsts[kept] and the ones after it are final
    int32_t end = shape->size;    // of the group that starts at firsts[kept]
    double zeros = 0.0;
    for (int32_t s = groups->count - 1; s >= 0; --s) {
        int32_t first = firsts[s];
        int32_t next = firsts[kept];
        int32_t parent = next < shape->size ? shape->parents[next - 1] : GT_NONE;
        double height = shape->counts[end - 1] - 1;
        if (parent == GT_NONE || parent >= end ||
            !may_join(next - first, shape->counts[first], end - next, end - next + height, &zeros)) {
            end = next;
            zeros = 0.0;
            --kept;
        }
        firsts[kept] = first;
    }
    groups->count -= kept;
    memmove(firsts, &firsts[kept], ((size_t)groups->count + 1) * sizeof *firsts);
    for (int32_t s = 0; s < groups->count; ++s) {
        for (int32_t k = firsts[s]; k < firsts[s + 1]; ++k) {
            groups->of[k] = s;
        }
    }
}

// The group of a group's first row, its parent in the tree, or GT_NONE.
static int32_t parent_group(const GtiElimination* shape, const ColumnGroups* groups, int32_t s)
{
    int32_t parent = shape->parents[groups->firsts[s + 1] - 1];
    return parent == GT_NONE ? GT_NONE : groups->of[parent];
}

// Row k is a row of every group on the ways from row k's entries up the tree. `scratch` [2 * count]
static void find_rows(const GtiElimination* shape, const ColumnGroups* groups, int32_t* scratch, GtiSupernodes* out)
{
    int32_t* marks = scratch;
    int32_t* filled = &scratch[groups->count];
    memset(marks, -1, (size_t)groups->count * sizeof *marks);
    memset(filled, 0, (size_t)groups->count * sizeof *filled);
    for (int32_t k = 0; k < shape->size; ++k) {
        marks[groups->of[k]] = k;
        for (int32_t p = shape->starts[k]; p < shape->starts[k + 1]; ++p) {
            for (int32_t s = groups->of[shape->rows[p]]; marks[s] != k; s = parent_group(shape, groups, s)) {
                marks[s] = k;
                out->rows[out->row_starts[s] + filled[s]++] = k;
            }
        }
    }
}

static bool describe(const GtiElimination* shape, const ColumnGroups* groups, GtArena* arena, int32_t* scratch,
                     GtiSupernodes* out)
{
    size_t count = (size_t)groups->count;
    bool ok = true;
    *out = (GtiSupernodes){
        .size = shape->size,
        .count = groups->count,
        .order = gti_arena_copy(arena, shape->order, (size_t)shape->size, sizeof *out->order, &ok),
        .columns = gti_arena_copy(arena, groups->firsts, count + 1, sizeof *out->columns, &ok),
        .row_starts = gt_arena_push(arena, (count + 1) * sizeof *out->row_starts),
        .value_starts = gt_arena_push(arena, (count + 1) * sizeof *out->value_starts),
    };
    if (!ok || !out->row_starts || !out->value_starts) {
        return false;
    }
    out->row_starts[0] = 0;
    out->value_starts[0] = 0;
    for (size_t s = 0; s < count; ++s) {
        int32_t width = out->columns[s + 1] - out->columns[s];
        int32_t height = shape->counts[out->columns[s + 1] - 1] - 1;
        out->row_starts[s + 1] = out->row_starts[s] + height;
        out->value_starts[s + 1] = out->value_starts[s] + (int64_t)width * (width + height);
    }
    out->rows = gt_arena_push(arena, (size_t)out->row_starts[count] * sizeof *out->rows);
    if (!out->rows) {
        return false;
    }
    find_rows(shape, groups, scratch, out);
    return true;
}

GtResult gti_supernodes_make(const GtContext* context, const GtiSparse* matrices, int32_t count, GtiOrdering ordering,
                             GtArena* arena, GtiSupernodes* out, double** out_values, GtError* error)
{
    GtArena kept = gt_arena_create(context->allocator);
    size_t size = (size_t)matrices->size;
    GtiElimination shape;
    ColumnGroups groups = {
        .firsts = gt_arena_push(&kept, (size + 1) * sizeof *groups.firsts),
        .of = gt_arena_push(&kept, size * sizeof *groups.of),
    };
    int32_t* scratch = gt_arena_push(&kept, 2 * size * sizeof *scratch);
    GtResult result = groups.firsts && groups.of && scratch ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK) {
        result = gti_eliminate(matrices, ordering, &kept, &shape, error);
    }
    if (result == GT_OK) {
        find_groups(&shape, scratch, &groups);
        join_groups(&shape, &groups);
        result = describe(&shape, &groups, arena, scratch, out) ? GT_OK : gti_out_of_memory(error);
    }
    for (int32_t i = 0; result == GT_OK && i < count; ++i) {
        out_values[i] = gt_arena_push(arena, (size_t)out->value_starts[out->count] * sizeof **out_values);
        result = out_values[i]
                     ? gti_blocks_factor(&shape, out, groups.of, &matrices[i], context->allocator, out_values[i], error)
                     : gti_out_of_memory(error);
    }
    gt_arena_destroy(&kept);
    return result;
}
