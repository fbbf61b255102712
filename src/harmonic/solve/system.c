// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Positions take the cotangent weights as they are, since the right side is made of the same corners and each
// triangle's share of the matrix is positive. Rotations must stay within what their markers say (the maximum
// principle), for which every edge needs a positive weight: sums of cotangents under a small share of the mean are
// lifted to it.

#include "harmonic/solve/system.h"

#include <math.h>
#include <string.h>

static const double MIN_SHARE = 1e-3; // of the mean weight; 1e-2 bends fields on meshes of ordinary scans visibly

// Ties by their first vertices, as lists.
typedef struct TieLists {
    int32_t* heads; // [vertex_count] tie or GT_NONE
    int32_t* nexts; // [tie_count]
} TieLists;

static bool make_lists(const GtiHarmonicParts* parts, GtArena* arena, TieLists* out)
{
    size_t vertex_count = (size_t)parts->laplacian->vertex_count;
    int32_t tie_count = parts->islands->component_count - 1;
    *out = (TieLists){
        .heads = gt_arena_push(arena, vertex_count * sizeof *out->heads),
        .nexts = gt_arena_push(arena, (size_t)tie_count * sizeof *out->nexts),
    };
    if (!out->heads || !out->nexts) {
        return false;
    }
    memset(out->heads, 0xFF, vertex_count * sizeof *out->heads);
    for (int32_t i = 0; i < tie_count; ++i) {
        const GtiTie* tie = &parts->islands->ties[i];
        int32_t first = tie->island < tie->shore ? tie->island : tie->shore;
        out->nexts[i] = out->heads[first];
        out->heads[first] = i;
    }
    return true;
}

static int32_t tie_end(const GtiTie* tie)
{
    return tie->island < tie->shore ? tie->shore : tie->island;
}

// Insert by rows ascending into column entries [first, end), of which values are the weights.
static void insert(GtiSparse* matrix, int32_t first, int32_t end, int32_t row, double weight, double other,
                   double* others)
{
    int32_t at = end;
    while (at > first && matrix->rows[at - 1] > row) {
        matrix->rows[at] = matrix->rows[at - 1];
        matrix->values[at] = matrix->values[at - 1];
        others[at] = others[at - 1];
        --at;
    }
    matrix->rows[at] = row;
    matrix->values[at] = weight;
    others[at] = other;
}

static double weight_floor(const GtiLaplacian* laplacian)
{
    double sum = 0.0;
    int32_t count = laplacian->starts[laplacian->vertex_count];
    for (int32_t i = 0; i < count; ++i) {
        sum += fabs(laplacian->weights[i]);
    }
    return count > 0 ? fmax(MIN_SHARE * sum / count, 1e-30) : 1.0;
}

// Columns with weights of edges to later vertices: of the Poisson equation in `poisson`, of the other in `spread`.
static void fill_weights(const GtiHarmonicParts* parts, const TieLists* lists, GtiSparse* poisson, double* spread)
{
    const GtiLaplacian* laplacian = parts->laplacian;
    double floor_weight = weight_floor(laplacian);
    int32_t count = 0;
    for (int32_t v = 0; v < laplacian->vertex_count; ++v) {
        poisson->starts[v] = count;
        poisson->rows[count++] = v;
        for (int32_t i = laplacian->starts[v]; i < laplacian->starts[v + 1]; ++i) {
            if (laplacian->neighbours[i] > v) {
                poisson->rows[count] = laplacian->neighbours[i];
                poisson->values[count] = laplacian->weights[i];
                spread[count++] = fmax(laplacian->weights[i], floor_weight);
            }
        }
        for (int32_t i = lists->heads[v]; i != GT_NONE; i = lists->nexts[i]) {
            insert(poisson, poisson->starts[v] + 1, count, tie_end(&parts->islands->ties[i]), GTI_HARMONIC_TIE,
                   parts->spreads[i] ? GTI_HARMONIC_TIE : 0.0, spread);
            ++count;
        }
    }
    poisson->starts[laplacian->vertex_count] = count;
}

static bool make_right(const GtiHarmonicParts* parts, const GtiSparse* pattern, const double* weights, GtArena* arena,
                       GtiHarmonicRight* out)
{
    const int32_t* holders = parts->holders;
    out->starts = gt_arena_push_array(arena, (size_t)parts->marker_count + 2, sizeof *out->starts);
    if (!out->starts) {
        return false;
    }
    int32_t* ends = out->starts + 1;
    for (int pass = 0; pass < 2; ++pass) { // count, then fill, which moves each start to the next one's place
        for (int32_t v = 0; v < pattern->size; ++v) {
            for (int32_t i = pattern->starts[v]; i < pattern->starts[v + 1]; ++i) {
                int32_t to = pattern->rows[i];
                bool own = to == v && holders[v] != GT_NONE;
                if (!own && (holders[v] == GT_NONE) == (holders[to] == GT_NONE)) {
                    continue;
                }
                int32_t marker = holders[v] != GT_NONE ? holders[v] : holders[to];
                if (pass == 0) {
                    ++ends[marker + 1];
                    continue;
                }
                int32_t at = ends[marker]++;
                out->vertices[at] = own || holders[v] == GT_NONE ? v : to;
                out->values[at] = own ? 1.0 : weights[i];
            }
        }
        if (pass == 0) {
            for (int32_t m = 0; m < parts->marker_count; ++m) {
                ends[m + 1] += ends[m];
            }
            size_t count = (size_t)ends[parts->marker_count];
            out->vertices = gt_arena_push(arena, count * sizeof *out->vertices);
            out->values = gt_arena_push(arena, count * sizeof *out->values);
            if (!out->vertices || !out->values) {
                return false;
            }
        }
    }
    return true;
}

// From weights to a matrix: sums on the diagonal, rows of the identity where `fixed` says so.
static void finish(const GtiSparse* pattern, double* values, const uint8_t* fixed)
{
    for (int32_t v = 0; v < pattern->size; ++v) {
        values[pattern->starts[v]] = 0.0;
    }
    for (int32_t v = 0; v < pattern->size; ++v) {
        for (int32_t i = pattern->starts[v] + 1; i < pattern->starts[v + 1]; ++i) {
            int32_t to = pattern->rows[i];
            values[pattern->starts[v]] += values[i];
            values[pattern->starts[to]] += values[i];
            values[i] = fixed[v] || fixed[to] ? 0.0 : -values[i];
        }
    }
    for (int32_t v = 0; v < pattern->size; ++v) {
        if (fixed[v]) {
            values[pattern->starts[v]] = 1.0;
        }
    }
}

bool gti_harmonic_system_make(const GtiHarmonicParts* parts, GtArena* arena, GtiHarmonicSystem* out)
{
    int32_t size = parts->laplacian->vertex_count;
    int64_t entry_count = (int64_t)size + parts->laplacian->starts[size] / 2 + parts->islands->component_count - 1;
    double* spread = gt_arena_push_array(arena, (size_t)entry_count, sizeof *spread);
    if (!spread || !gti_sparse_push(arena, size, entry_count, &out->poisson)) {
        return false;
    }
    GtArena scratch = gt_arena_create(arena->allocator);
    TieLists lists = { NULL, NULL };
    uint8_t* fixed = gt_arena_push_array(&scratch, (size_t)size, 1);
    bool made = fixed && make_lists(parts, &scratch, &lists);
    if (made) {
        fill_weights(parts, &lists, &out->poisson, spread);
        made = make_right(parts, &out->poisson, spread, arena, &out->right);
    }
    if (made) {
        out->laplace = out->poisson;
        out->laplace.values = spread;
        fixed[parts->ground] = 1;
        finish(&out->poisson, out->poisson.values, fixed);
        for (int32_t v = 0; v < size; ++v) {
            fixed[v] = parts->holders[v] != GT_NONE;
        }
        finish(&out->laplace, spread, fixed);
    }
    gt_arena_destroy(&scratch);
    return made;
}
