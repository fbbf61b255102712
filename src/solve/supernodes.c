// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// CHOLMOD orders by nested dissection (METIS; by minimum degree where it was built without), which makes the tree of
// groups bushy, or by minimum degree at once, and gives A = L L' by dense blocks. Of a group's diagonal block L1 and
// the rows L2 below it come D^-1 = L1^-T L1^-1 and M = L2 L1^-1: a solve then is products alone, with no triangle to go
// through one by one.

#include "solve/supernodes.h"

#include "base/fail.h"
#include "solve/view.h"

#include <math.h>
#include <string.h>

// Groups of up to 16 columns are joined where no more than this share of the result is zeros; CHOLMOD's 0.8 is for
// BLAS.
static const double MAX_ZEROS = 0.4;

static bool copy_structure(const cholmod_factor* from, GtArena* arena, GtiSupernodes* out)
{
    const int32_t* supers = from->super;
    const int32_t* starts = from->pi;
    const int32_t* rows = from->s;
    size_t count = from->nsuper;
    *out = (GtiSupernodes){
        .size = (int32_t)from->n,
        .count = (int32_t)count,
        .order = gt_arena_push(arena, from->n * sizeof *out->order),
        .columns = gt_arena_push(arena, (count + 1) * sizeof *out->columns),
        .row_starts = gt_arena_push(arena, (count + 1) * sizeof *out->row_starts),
        .rows = gt_arena_push(arena, from->ssize * sizeof *out->rows),
        .value_starts = gt_arena_push(arena, (count + 1) * sizeof *out->value_starts),
    };
    if (!out->order || !out->columns || !out->row_starts || !out->rows || !out->value_starts) {
        return false;
    }
    memcpy(out->order, from->Perm, from->n * sizeof *out->order);
    memcpy(out->columns, supers, (count + 1) * sizeof *out->columns);
    out->row_starts[0] = 0;
    out->value_starts[0] = 0;
    for (size_t s = 0; s < count; ++s) {
        int32_t width = supers[s + 1] - supers[s];
        int32_t height = starts[s + 1] - starts[s] - width;
        out->row_starts[s + 1] = out->row_starts[s] + height;
        out->value_starts[s + 1] = out->value_starts[s] + (int64_t)width * (width + height);
        memcpy(&out->rows[out->row_starts[s]], &rows[starts[s] + width], (size_t)height * sizeof *rows);
    }
    return true;
}

// Solve m L1 = m in place for one row m of `width`; `lower` has the rows of L1 one after the other.
static void divide_row(const double* lower, int32_t width, double* m)
{
    for (int32_t j = width - 1; j >= 0; --j) {
        const double* row = &lower[(size_t)j * (size_t)width];
        double value = m[j] / row[j];
        m[j] = value;
        if (value == 0.0) {
            continue;
        }
        for (int32_t t = 0; t < j; ++t) {
            m[t] -= value * row[t];
        }
    }
}

// D^-1 as the sum over rows i of the outer products of row i of L1^-1.
static void invert_block(const double* lower, int32_t width, double* row, double* inverse)
{
    memset(inverse, 0, (size_t)width * (size_t)width * sizeof *inverse);
    for (int32_t i = 0; i < width; ++i) {
        memset(row, 0, (size_t)width * sizeof *row);
        row[i] = 1.0;
        divide_row(lower, width, row);
        for (int32_t a = 0; a <= i; ++a) {
            for (int32_t b = 0; b <= i; ++b) {
                inverse[(size_t)a * (size_t)width + (size_t)b] += row[a] * row[b];
            }
        }
    }
}

// One group out of CHOLMOD's columns; `scratch` has room for (width + 1) * width.
static void convert_group(const double* columns, int32_t width, int32_t height, double* scratch, double* out)
{
    size_t k = (size_t)width;
    size_t stride = k + (size_t)height;
    for (size_t i = 0; i < k; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            scratch[i * k + j] = columns[j * stride + i];
        }
    }
    invert_block(scratch, width, &scratch[k * k], out);
    double* m = &out[k * k];
    for (size_t i = 0; i < (size_t)height; ++i, m += k) {
        for (size_t j = 0; j < k; ++j) {
            m[j] = columns[j * stride + k + i];
        }
        divide_row(scratch, width, m);
    }
}

static bool convert(const cholmod_factor* made, const GtiSupernodes* nodes, GtArena* arena, double** out)
{
    const int32_t* starts = made->px;
    const double* values = made->x;
    size_t widest = 0;
    for (int32_t s = 0; s < nodes->count; ++s) {
        size_t width = (size_t)(nodes->columns[s + 1] - nodes->columns[s]);
        widest = width > widest ? width : widest;
    }
    GtArena scratch = gt_arena_create(arena->allocator);
    double* block = gt_arena_push(&scratch, (widest + 1) * widest * sizeof *block);
    *out = gt_arena_push(arena, (size_t)nodes->value_starts[nodes->count] * sizeof **out);
    bool pushed = block && *out;
    for (int32_t s = 0; pushed && s < nodes->count; ++s) {
        convert_group(&values[starts[s]], nodes->columns[s + 1] - nodes->columns[s],
                      (int32_t)(nodes->row_starts[s + 1] - nodes->row_starts[s]), block,
                      &(*out)[nodes->value_starts[s]]);
    }
    gt_arena_destroy(&scratch);
    return pushed;
}

// The second ordering is for a CHOLMOD that was built without METIS. Where METIS ran out of memory, going on with
// another ordering would give other results than with memory.
static cholmod_factor* analyze(cholmod_common* common, const GtiSparse* matrix, GtiOrdering ordering)
{
    static const int orderings[] = { CHOLMOD_METIS, CHOLMOD_AMD };
    cholmod_sparse view = gti_cholmod_view(matrix);
    common->method[0].ordering = orderings[ordering == GTI_ORDERING_BUSHY ? 0 : 1];
    cholmod_factor* made = cholmod_analyze(&view, common);
    if (!made && common->status == CHOLMOD_NOT_INSTALLED) {
        common->method[0].ordering = orderings[1];
        made = cholmod_analyze(&view, common);
    }
    return made;
}

static GtResult factor(cholmod_common* common, cholmod_factor* made, const GtiSparse* matrices, int32_t count,
                       GtArena* arena, GtiSupernodes* out, double** out_values, GtError* error)
{
    if (common->status == CHOLMOD_TOO_LARGE) {
        return gti_fail(error, GT_ERROR_LIMIT, "a system of %d unknowns has too large a factor", (int)matrices->size);
    }
    if (!made || !copy_structure(made, arena, out)) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < count; ++i) {
        cholmod_sparse view = gti_cholmod_view(&matrices[i]);
        cholmod_factorize(&view, made, common);
        if (common->status >= CHOLMOD_OK && made->minor < made->n) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "the system is not positive definite at row %d",
                            (int)((const int32_t*)made->Perm)[made->minor]);
        }
        if (common->status < CHOLMOD_OK || !convert(made, out, arena, &out_values[i])) {
            return gti_out_of_memory(error);
        }
    }
    return GT_OK;
}

GtResult gti_supernodes_make(const GtContext* context, const GtiSparse* matrices, int32_t count, GtiOrdering ordering,
                             GtArena* arena, GtiSupernodes* out, double** out_values, GtError* error)
{
    (void)context;
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.zrelax[0] = MAX_ZEROS;
    common.quick_return_if_not_posdef = true;
    cholmod_factor* made = analyze(&common, matrices, ordering);
    GtResult result = factor(&common, made, matrices, count, arena, out, out_values, error);
    cholmod_free_factor(&made, &common);
    cholmod_finish(&common);
    return result;
}
