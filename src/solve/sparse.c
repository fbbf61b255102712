// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Ordered by minimum degree and factored row by row without supernodes, which for the matrices of surfaces is the
// faster way (Davis, Direct Methods for Sparse Linear Systems, 2006, section 4.7). Right sides go through the factor
// LANES at a time, so that each entry of it that memory yields is used that many times.

#include "solve/sparse.h"

#include "base/fail.h"
#include "base/memory.h"
#include "solve/elimination.h"

#include <math.h>
#include <string.h>

enum {
    LANES = 8
};

bool gti_sparse_push(GtArena* arena, int32_t size, int64_t entry_count, GtiSparse* out)
{
    *out = (GtiSparse){
        .size = size,
        .starts = gt_arena_push_array(arena, (size_t)size + 1, sizeof *out->starts),
        .rows = gt_arena_push_array(arena, (size_t)entry_count, sizeof *out->rows),
        .values = gt_arena_push_array(arena, (size_t)entry_count, sizeof *out->values),
    };
    return out->starts && out->rows && out->values;
}

// Where each column of L begins; the diagonal comes first, rows ascend.
static bool push_factor(const GtiElimination* shape, GtArena* arena, GtiFactor* out)
{
    size_t size = (size_t)shape->size;
    size_t count = (size_t)shape->total;
    *out = (GtiFactor){
        .size = shape->size,
        .order = gt_arena_push(arena, size * sizeof *out->order),
        .starts = gt_arena_push(arena, (size + 1) * sizeof *out->starts),
        .rows = gt_arena_push(arena, count * sizeof *out->rows),
        .values = gt_arena_push(arena, count * sizeof *out->values),
    };
    if (!out->order || !out->starts || !out->rows || !out->values) {
        return false;
    }
    memcpy(out->order, shape->order, size * sizeof *out->order);
    out->starts[0] = 0;
    for (size_t k = 0; k < size; ++k) {
        out->starts[k + 1] = out->starts[k] + shape->counts[k];
    }
    return true;
}

typedef struct RowScratch {
    double* values; // [size] a row of L, spread out
    int32_t* ends;  // [size] where each column of L ends so far
    int32_t* marks; // [size] the last row that visited a column
    int32_t* stack; // [size]
} RowScratch;

// The columns in which row k of L is not zero, each before those that depend on it, as stack[top] to the end; the row
// of A is spread out into the values.
static int32_t reach(const GtiElimination* shape, const GtiSparse* matrix, int32_t k, RowScratch* s)
{
    int32_t top = shape->size;
    s->marks[k] = k;
    for (int32_t p = shape->starts[k]; p < shape->starts[k + 1]; ++p) {
        int32_t depth = 0;
        s->values[shape->rows[p]] = matrix->values[shape->sources[p]];
        for (int32_t i = shape->rows[p]; s->marks[i] != k; i = shape->parents[i]) {
            s->stack[depth++] = i;
            s->marks[i] = k;
        }
        while (depth > 0) {
            s->stack[--top] = s->stack[--depth];
        }
    }
    return top;
}

// Row by row: each is a triangular solve with the rows above. Returns the row of A whose pivot is not positive or no
// number, or -1.
static int32_t factor_rows(const GtiElimination* shape, const GtiSparse* matrix, RowScratch* s, GtiFactor* out)
{
    for (int32_t k = 0; k < shape->size; ++k) {
        double pivot = matrix->values[matrix->starts[shape->order[k]]];
        for (int32_t t = reach(shape, matrix, k, s); t < shape->size; ++t) {
            int32_t j = s->stack[t];
            double value = s->values[j] / out->values[out->starts[j]];
            s->values[j] = 0.0;
            for (int32_t p = out->starts[j] + 1; p < s->ends[j]; ++p) {
                s->values[out->rows[p]] -= out->values[p] * value;
            }
            pivot -= value * value;
            out->rows[s->ends[j]] = k;
            out->values[s->ends[j]++] = value;
        }
        if (!(pivot > 0.0 && isfinite(pivot))) {
            return shape->order[k];
        }
        out->rows[out->starts[k]] = k;
        out->values[out->starts[k]] = sqrt(pivot);
        s->ends[k] = out->starts[k] + 1;
    }
    return -1;
}

GtResult gti_factor_make(const GtContext* context, const GtiSparse* matrix, GtArena* arena, GtiFactor* out,
                         GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiElimination shape;
    GtResult result = gti_eliminate(matrix, GTI_ORDERING_QUICK, &scratch, &shape, error);
    size_t size = (size_t)matrix->size;
    RowScratch rows = {
        .values = gt_arena_push_array(&scratch, size, sizeof *rows.values),
        .ends = gt_arena_push(&scratch, size * sizeof *rows.ends),
        .marks = gt_arena_push(&scratch, size * sizeof *rows.marks),
        .stack = gt_arena_push(&scratch, size * sizeof *rows.stack),
    };
    if (result == GT_OK &&
        (!rows.values || !rows.ends || !rows.marks || !rows.stack || !push_factor(&shape, arena, out))) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        memset(rows.marks, -1, size * sizeof *rows.marks);
        int32_t bad = factor_rows(&shape, matrix, &rows, out);
        result =
            bad < 0 ? GT_OK : gti_fail(error, GT_ERROR_BAD_VALUE, "the system is not positive definite at row %d", bad);
    }
    for (size_t j = 0; result == GT_OK && j < size; ++j) {
        out->values[out->starts[j]] = 1.0 / out->values[out->starts[j]];
    }
    gt_arena_destroy(&scratch);
    return result;
}

static void solve_lanes(const GtiFactor* factor, double (*x)[LANES])
{
    for (int32_t j = 0; j < factor->size; ++j) {
        int32_t k = factor->starts[j];
        double xj[LANES];
        for (int l = 0; l < LANES; ++l) {
            xj[l] = x[j][l] *= factor->values[k];
        }
        for (++k; k < factor->starts[j + 1]; ++k) {
            double* xi = x[factor->rows[k]];
            for (int l = 0; l < LANES; ++l) {
                xi[l] -= factor->values[k] * xj[l];
            }
        }
    }
    for (int32_t j = factor->size - 1; j >= 0; --j) {
        int32_t first = factor->starts[j];
        double sum[LANES];
        memcpy(sum, x[j], sizeof sum);
        for (int32_t k = first + 1; k < factor->starts[j + 1]; ++k) {
            const double* xi = x[factor->rows[k]];
            for (int l = 0; l < LANES; ++l) {
                sum[l] -= factor->values[k] * xi[l];
            }
        }
        for (int l = 0; l < LANES; ++l) {
            x[j][l] = sum[l] * factor->values[first];
        }
    }
}

typedef struct SolveJob {
    const GtiFactor* factor;
    int32_t column_count;
    double* values;
    double (*scratch)[LANES]; // [batches * size]
} SolveJob;

static void solve_batches(void* data, int32_t first, int32_t end)
{
    const SolveJob* job = data;
    const GtiFactor* factor = job->factor;
    for (int32_t b = first; b < end; ++b) {
        double(*x)[LANES] = &job->scratch[(size_t)b * (size_t)factor->size];
        int32_t column = b * LANES;
        int32_t lanes = job->column_count - column < LANES ? job->column_count - column : LANES;
        for (int32_t i = 0; i < factor->size; ++i) {
            const double* row = &job->values[(size_t)factor->order[i] * (size_t)job->column_count + (size_t)column];
            for (int l = 0; l < LANES; ++l) {
                x[i][l] = l < lanes ? row[l] : 0.0;
            }
        }
        solve_lanes(factor, x);
        for (int32_t i = 0; i < factor->size; ++i) {
            double* row = &job->values[(size_t)factor->order[i] * (size_t)job->column_count + (size_t)column];
            memcpy(row, x[i], (size_t)lanes * sizeof *row);
        }
    }
}

GtResult gti_factor_solve(const GtContext* context, const GtiFactor* factor, int32_t column_count, double* values,
                          GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    int32_t batches = (column_count + LANES - 1) / LANES;
    SolveJob job = {
        .factor = factor,
        .column_count = column_count,
        .values = values,
        .scratch = gt_arena_push_array(&arena, (size_t)batches * (size_t)factor->size, sizeof *job.scratch),
    };
    if (job.scratch) {
        gt_executor_run(&context->executor, batches, 1, solve_batches, &job);
    }
    gt_arena_destroy(&arena);
    return job.scratch ? GT_OK : gti_out_of_memory(error);
}
