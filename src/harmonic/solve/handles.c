// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One column of the Poisson equation's inverse for each handle, all at once: forwards through the groups of columns,
// and back. The ground takes what the forces do not balance; frames see to it that there is nothing left for it.

#include "harmonic/solve/handles.h"

#include "base/fail.h"
#include "base/quat_double.h"

#include <string.h>

static GtResult check(const GtHarmonicDef* def, GtError* error)
{
    if (def->handle_count < 0 || def->handle_count > GT_HARMONIC_MAX_HANDLES) {
        return gti_fail(error, GT_ERROR_LIMIT, "there are %d handles; the limit is %d", (int)def->handle_count,
                        GT_HARMONIC_MAX_HANDLES);
    }
    for (int32_t i = 0; i < def->handle_count; ++i) {
        const GtHarmonicHandle* handle = &def->handles[i];
        if (handle->count < 1) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "handle %d has no vertex", (int)i);
        }
        for (int32_t k = 0; k < handle->count; ++k) {
            if (handle->vertices[k] < 0 || handle->vertices[k] >= def->vertex_count) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "handle %d has vertex %d, but there are only %d", (int)i,
                                (int)handle->vertices[k], (int)def->vertex_count);
            }
        }
    }
    return GT_OK;
}

GtResult gti_handles_find(const GtHarmonicDef* def, const int32_t* anchors, const float* anchor_weights,
                          int32_t anchor_count, GtArena* arena, GtHarmonic* head, GtError* error)
{
    GtResult result = check(def, error);
    if (result != GT_OK) {
        return result;
    }
    size_t total = (size_t)anchor_count;
    for (int32_t i = 0; i < def->handle_count; ++i) {
        total += (size_t)def->handles[i].count;
    }
    int32_t* starts = gt_arena_push_array(arena, (size_t)def->handle_count + 2, sizeof *starts);
    int32_t* vertices = total <= INT32_MAX ? gt_arena_push(arena, total * sizeof *vertices) : NULL;
    float* weights = gt_arena_push(arena, total * sizeof *weights);
    GtVec3* rests = gt_arena_push_array(arena, (size_t)def->handle_count + 1, sizeof *rests);
    if (!starts || !vertices || !weights || !rests) {
        return gti_out_of_memory(error);
    }
    int32_t at = 0;
    for (int32_t i = 0; i <= def->handle_count; ++i) {
        bool is_anchor = i == def->handle_count;
        int32_t count = is_anchor ? anchor_count : def->handles[i].count;
        GtiVec rest = gti_vec(0.0, 0.0, 0.0);
        for (int32_t k = 0; k < count; ++k, ++at) {
            vertices[at] = is_anchor ? anchors[k] : def->handles[i].vertices[k];
            weights[at] = is_anchor ? anchor_weights[k] : 1.0f / (float)count;
            rest = gti_vec_add_scaled(rest, gti_vec_from(def->positions[vertices[at]]), (double)weights[at]);
        }
        starts[i + 1] = at;
        rests[i] = gti_vec_to_float(rest);
    }
    head->handle_count = def->handle_count;
    head->handle_starts = starts;
    head->handle_vertices = vertices;
    head->handle_weights = weights;
    head->handle_rests = rests;
    return GT_OK;
}

// M y = x, then D z = y, group by group upwards. x: [size][columns], and z after
static void go_up(const GtiSupernodes* nodes, const double* factor, size_t columns, double* x, double* spare)
{
    for (int32_t s = 0; s < nodes->count; ++s) {
        size_t width = (size_t)(nodes->columns[s + 1] - nodes->columns[s]);
        double* own = &x[(size_t)nodes->columns[s] * columns];
        const double* inverse = &factor[nodes->value_starts[s]];
        const double* m = inverse + width * width;
        for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r, m += width) {
            double* to = &x[(size_t)nodes->rows[r] * columns];
            for (size_t j = 0; j < width; ++j) {
                for (size_t c = 0; c < columns; ++c) {
                    to[c] -= m[j] * own[j * columns + c];
                }
            }
        }
        memcpy(spare, own, width * columns * sizeof *own);
        memset(own, 0, width * columns * sizeof *own);
        for (size_t i = 0; i < width * width; ++i) {
            for (size_t c = 0; c < columns; ++c) {
                own[i / width * columns + c] += inverse[i] * spare[i % width * columns + c];
            }
        }
    }
}

// M' x = z, downwards.
static void go_down(const GtiSupernodes* nodes, const double* factor, size_t columns, double* x)
{
    for (int32_t s = nodes->count - 1; s >= 0; --s) {
        size_t width = (size_t)(nodes->columns[s + 1] - nodes->columns[s]);
        double* own = &x[(size_t)nodes->columns[s] * columns];
        const double* m = &factor[nodes->value_starts[s]] + width * width;
        for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r, m += width) {
            const double* from = &x[(size_t)nodes->rows[r] * columns];
            for (size_t j = 0; j < width; ++j) {
                for (size_t c = 0; c < columns; ++c) {
                    own[j * columns + c] -= m[j] * from[c];
                }
            }
        }
    }
}

static void load(const GtiHarmonicPlan* plan, const GtHarmonic* head, int32_t ground, size_t columns, double* x)
{
    for (size_t i = 0; i < columns; ++i) {
        for (int32_t k = head->handle_starts[i]; k < head->handle_starts[i + 1]; ++k) {
            x[(size_t)plan->places[head->handle_vertices[k]] * columns + i] += (double)head->handle_weights[k];
        }
    }
    memset(&x[(size_t)ground * columns], 0, columns * sizeof *x);
}

bool gti_handles_solve(const GtiHarmonicPlan* plan, const double* poisson, int32_t ground, GtArena* arena,
                       GtHarmonic* head)
{
    const GtiSupernodes* nodes = plan->supernodes;
    size_t size = (size_t)nodes->size;
    size_t columns = (size_t)head->handle_count + 1;
    double* pulls = gt_arena_push_array(arena, columns * columns, sizeof *pulls);
    head->handle_pulls = pulls;
    if (!pulls || head->handle_count == 0) {
        return pulls != NULL;
    }
    GtArena scratch = gt_arena_create(arena->allocator);
    double* x = gt_arena_push_array(&scratch, size * columns, sizeof *x);
    double* spare = gt_arena_push_array(&scratch, (size_t)head->widest * columns, sizeof *spare);
    float* ways = gt_arena_push(arena, size * columns * sizeof *ways);
    bool made = x && spare && ways;
    if (made) {
        load(plan, head, ground, columns, x);
        go_up(nodes, poisson, columns, x, spare);
        go_down(nodes, poisson, columns, x);
        for (size_t v = 0; v < size; ++v) {
            for (size_t i = 0; i < columns; ++i) {
                ways[v * columns + i] = (float)x[(size_t)plan->places[v] * columns + i];
            }
        }
        for (size_t i = 0; i < columns; ++i) {
            for (int32_t k = head->handle_starts[i]; k < head->handle_starts[i + 1]; ++k) {
                for (size_t j = 0; j < columns; ++j) { // of the rounded ones, which is what frames add
                    pulls[i * columns + j] +=
                        (double)head->handle_weights[k] * (double)ways[(size_t)head->handle_vertices[k] * columns + j];
                }
            }
        }
        head->vertex_pulls = ways;
    }
    gt_arena_destroy(&scratch);
    return made;
}
