// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Baran and Popovic (2007), section 4: -Laplacian w + H (w - p) = 0 for each joint, as (L + A H) w = A H p with the
// areas A of the vertices. One factor serves all joints. Edges with a negative cotangent weight count as 0, so that the
// matrix is an M-matrix and weights lie between 0 and 1; edges between parts that touch pass no warmth.

#include "rig/weigh/heat.h"

#include "base/fail.h"
#include "solve/sparse.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 32 // joints that are solved at a time
};

// Weights under this are rounding of the tails.
#define LEAST 1e-4

static double passing(const GtiProxy* proxy, const GtiWeighBones* bones, const GtiHeatSource* sources, int32_t v,
                      int32_t i)
{
    int32_t other = proxy->laplacian.neighbours[i];
    GtVec3 gap = gt_vec3_sub(proxy->mesh.positions[v], proxy->mesh.positions[other]);
    float passage = gti_bones_passage(bones, sources[v].beside, sources[other].beside, gt_vec3_length(gap));
    return fmax(proxy->laplacian.weights[i], 0.0) * (double)passage;
}

static void assemble(const GtiProxy* proxy, const GtiWeighBones* bones, const GtiHeatSource* sources,
                     const double* held, GtiSparse* matrix)
{
    const GtiLaplacian* graph = &proxy->laplacian;
    int32_t count = 0;
    for (int32_t v = 0; v < graph->vertex_count; ++v) {
        int32_t diagonal = count++;
        matrix->starts[v] = diagonal;
        matrix->rows[diagonal] = v;
        matrix->values[diagonal] += held[v];
        for (int32_t i = graph->starts[v]; i < graph->starts[v + 1]; ++i) {
            double weight = passing(proxy, bones, sources, v, i);
            matrix->values[diagonal] += weight;
            if (graph->neighbours[i] > v) {
                matrix->rows[count] = graph->neighbours[i];
                matrix->values[count++] = -weight;
            }
        }
    }
    matrix->starts[graph->vertex_count] = count;
}

// Areas times pulls; a vertex without area counts as a small one.
static void hold(const GtiProxy* proxy, const GtiHeatSource* sources, double* held)
{
    int32_t count = proxy->mesh.vertex_count;
    double sum = 0.0;
    for (int32_t v = 0; v < count; ++v) {
        sum += proxy->laplacian.areas[v];
    }
    double least = fmax(1e-6 * sum / count, 1e-12);
    for (int32_t v = 0; v < count; ++v) {
        held[v] = fmax(proxy->laplacian.areas[v], least) * (double)sources[v].pull;
    }
}

// Columns of joints that warm any vertex; GT_NONE for the others. Returns how many there are.
static int32_t number_columns(const GtiHeatSource* sources, int32_t count, int32_t joint_count, int32_t* columns)
{
    memset(columns, 0, (size_t)joint_count * sizeof *columns);
    for (int32_t v = 0; v < count; ++v) {
        for (int k = 0; k < GTI_SOURCE_JOINTS && sources[v].shares[k] > 0.0f; ++k) {
            columns[sources[v].joints[k]] = 1;
        }
    }
    int32_t column_count = 0;
    for (int32_t j = 0; j < joint_count; ++j) {
        columns[j] = columns[j] ? column_count++ : GT_NONE;
    }
    return column_count;
}

typedef struct Heat {
    const GtiProxy* proxy;
    const GtiHeatSource* sources;
    const double* held;
    const int32_t* columns; // [joint_count]
    int32_t* joints;        // [column_count]
    GtiFactor factor;
    double* values; // [vertex_count * BATCH]
} Heat;

static GtResult solve_batch(const GtContext* context, const Heat* heat, int32_t first, int32_t width,
                            const GtiProxyRows* rows, GtError* error)
{
    int32_t count = heat->proxy->mesh.vertex_count;
    memset(heat->values, 0, (size_t)count * (size_t)width * sizeof *heat->values);
    for (int32_t v = 0; v < count; ++v) {
        const GtiHeatSource* source = &heat->sources[v];
        for (int k = 0; k < GTI_SOURCE_JOINTS && source->shares[k] > 0.0f; ++k) {
            int32_t column = heat->columns[source->joints[k]] - first;
            if (column >= 0 && column < width) {
                heat->values[(size_t)v * (size_t)width + (size_t)column] = heat->held[v] * (double)source->shares[k];
            }
        }
    }
    GtResult result = gti_factor_solve(context, &heat->factor, width, heat->values, error);
    if (result != GT_OK) {
        return result;
    }
    for (int32_t v = 0; v < count; ++v) {
        for (int32_t c = 0; c < width; ++c) {
            double weight = heat->values[(size_t)v * (size_t)width + (size_t)c];
            if (weight > LEAST) {
                gti_row_insert(rows, v, (uint16_t)heat->joints[first + c], (float)weight);
            }
        }
    }
    return GT_OK;
}

static GtResult solve_all(const GtContext* context, Heat* heat, const GtiWeighBones* bones, GtArena* scratch,
                          const GtiProxyRows* rows, GtError* error)
{
    int32_t count = heat->proxy->mesh.vertex_count;
    int32_t joint_count = bones->skeleton->joint_count;
    double* held = gt_arena_push_array(scratch, (size_t)count, sizeof *held);
    int32_t* columns = gt_arena_push_array(scratch, (size_t)joint_count, sizeof *columns);
    heat->joints = gt_arena_push_array(scratch, (size_t)joint_count, sizeof *heat->joints);
    heat->values = gt_arena_push_array(scratch, (size_t)count * BATCH, sizeof *heat->values);
    GtiSparse matrix;
    if (!held || !columns || !heat->joints || !heat->values ||
        !gti_sparse_push(scratch, count, count + heat->proxy->laplacian.starts[count] / 2, &matrix)) {
        return gti_out_of_memory(error);
    }
    heat->held = held;
    heat->columns = columns;
    hold(heat->proxy, heat->sources, held);
    int32_t column_count = number_columns(heat->sources, count, joint_count, columns);
    for (int32_t j = 0; j < joint_count; ++j) {
        if (columns[j] != GT_NONE) {
            heat->joints[columns[j]] = j;
        }
    }
    assemble(heat->proxy, bones, heat->sources, held, &matrix);
    GtResult result = gti_factor_make(context, &matrix, scratch, &heat->factor, error);
    for (int32_t first = 0; result == GT_OK && first < column_count; first += BATCH) {
        result = gti_progress(context, error, "warming the skin", (double)first / column_count);
        int32_t width = column_count - first < BATCH ? column_count - first : BATCH;
        if (result == GT_OK) {
            result = solve_batch(context, heat, first, width, rows, error);
        }
    }
    return result;
}

GtResult gti_heat_solve(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                        const GtiHeatSource* sources, int32_t width, GtArena* arena, GtiProxyRows* out, GtError* error)
{
    if (!gti_rows_push(arena, proxy->mesh.vertex_count, width, out)) {
        return gti_out_of_memory(error);
    }
    GtArena scratch = gt_arena_create(context->allocator);
    Heat heat = { .proxy = proxy, .sources = sources };
    GtResult result = solve_all(context, &heat, bones, &scratch, out, error);
    gt_arena_destroy(&scratch);
    return result;
}
