// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008) orders by minimum degree and factors without supernodes, which for
// the matrices of surfaces is the faster way; the factor is copied out of it at once. Solves are our own: columns go
// through the factor LANES at a time, so that each entry of it that memory yields is used that many times.

#include "solve/sparse.h"

#include "base/fail.h"
#include "base/memory.h"
#include "solve/view.h"

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

static bool copy_factor(const cholmod_factor* from, GtArena* arena, GtiFactor* out)
{
    const int32_t* starts = from->p;
    size_t size = from->n;
    size_t count = (size_t)starts[size];
    bool ok = true;
    *out = (GtiFactor){
        .size = (int32_t)size,
        .order = gti_arena_copy(arena, from->Perm, size, sizeof *out->order, &ok),
        .starts = gti_arena_copy(arena, starts, size + 1, sizeof *out->starts, &ok),
        .rows = gti_arena_copy(arena, from->i, count, sizeof *out->rows, &ok),
        .values = gti_arena_copy(arena, from->x, count, sizeof *out->values, &ok),
    };
    for (size_t j = 0; ok && j < size; ++j) {
        out->values[starts[j]] = 1.0 / out->values[starts[j]];
    }
    return ok;
}

// The row of the matrix whose pivot is not positive or no number, or -1.
static int32_t bad_row(const cholmod_factor* made)
{
    const int32_t* starts = made->p;
    const double* values = made->x;
    for (size_t j = 0; j < made->n; ++j) {
        double pivot = j < made->minor ? values[starts[j]] : 0.0;
        if (!(pivot > 0.0 && isfinite(pivot))) {
            return ((const int32_t*)made->Perm)[j];
        }
    }
    return -1;
}

static GtResult factor(cholmod_common* common, cholmod_sparse* matrix, cholmod_factor* made, GtArena* arena,
                       GtiFactor* out, GtError* error)
{
    if (common->status == CHOLMOD_TOO_LARGE) {
        return gti_fail(error, GT_ERROR_LIMIT, "a system of %zu unknowns has too large a factor", matrix->nrow);
    }
    if (!made) {
        return gti_out_of_memory(error);
    }
    cholmod_factorize(matrix, made, common);
    int32_t bad = common->status < CHOLMOD_OK ? -1 : bad_row(made);
    if (bad >= 0) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the system is not positive definite at row %d", bad);
    }
    if (common->status < CHOLMOD_OK || !copy_factor(made, arena, out)) {
        return gti_out_of_memory(error);
    }
    return GT_OK;
}

GtResult gti_factor_make(const GtContext* context, const GtiSparse* matrix, GtArena* arena, GtiFactor* out,
                         GtError* error)
{
    (void)context;
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_AMD;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.final_ll = true;
    common.quick_return_if_not_posdef = true;
    cholmod_sparse view = gti_cholmod_view(matrix);
    cholmod_factor* made = cholmod_analyze(&view, &common);
    GtResult result = factor(&common, &view, made, arena, out, error);
    cholmod_free_factor(&made, &common);
    cholmod_finish(&common);
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
