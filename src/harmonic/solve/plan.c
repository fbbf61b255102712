// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The mesh in elimination order. The right side of the Poisson equation sums, over the triangles around a vertex, the
// edges from it times half the cotangent that faces them (steps 4 and 5 of the paper): of each triangle only these
// three sums are left, which add up to 0, so that two say it all. A tie is a triangle whose second and third corner are
// one.

#include "harmonic/solve/pack.h"

#include "base/quat_double.h"

#include <string.h>

static bool push_plan(int32_t triangle_count, const GtiSupernodes* nodes, GtArena* arena, GtiHarmonicPlan* out)
{
    size_t size = (size_t)nodes->size;
    size_t count = (size_t)nodes->count;
    *out = (GtiHarmonicPlan){
        .supernodes = nodes,
        .places = gt_arena_push(arena, size * sizeof *out->places),
        .node_of = gt_arena_push(arena, size * sizeof *out->node_of),
        .parents = gt_arena_push(arena, count * sizeof *out->parents),
        .packed = gt_arena_push_array(arena, count + 2, sizeof *out->packed),
        .corners = gt_arena_push(arena, (size_t)triangle_count * sizeof *out->corners),
        .vectors = gt_arena_push(arena, (size_t)triangle_count * sizeof *out->vectors),
        .shares = gt_arena_push(arena, (size_t)triangle_count * sizeof *out->shares),
        .triangle_count = triangle_count,
    };
    return out->places && out->node_of && out->parents && out->packed && out->corners && out->vectors && out->shares;
}

static void link_nodes(const GtiSupernodes* nodes, GtiHarmonicPlan* plan)
{
    int64_t panel = 0;
    int64_t diagonal = 0;
    int32_t panel_index = 0;
    for (int32_t s = 0; s < nodes->count; ++s) {
        for (int32_t place = nodes->columns[s]; place < nodes->columns[s + 1]; ++place) {
            plan->places[nodes->order[place]] = place;
            plan->node_of[place] = s;
        }
    }
    for (int32_t s = 0; s < nodes->count; ++s) {
        int32_t width = nodes->columns[s + 1] - nodes->columns[s];
        int32_t height = (int32_t)(nodes->row_starts[s + 1] - nodes->row_starts[s]);
        plan->parents[s] = height > 0 ? plan->node_of[nodes->rows[nodes->row_starts[s]]] : GT_NONE;
        plan->packed[s] = (GtiHarmonicNode){
            .vertex = nodes->columns[s],
            .width = width,
            .height = height,
            .panel_index = panel_index,
            .row = nodes->row_starts[s],
            .panel = panel,
            .diagonal = diagonal,
        };
        panel += (int64_t)width * height;
        panel_index += (width + GTI_PANEL - 1) / GTI_PANEL;
        diagonal += (int64_t)width * width;
    }
    plan->packed[nodes->count] = (GtiHarmonicNode){ .vertex = nodes->size,
                                                    .panel_index = panel_index,
                                                    .row = nodes->row_starts[nodes->count],
                                                    .panel = panel,
                                                    .diagonal = diagonal };
}

static int32_t node_of_triangle(const GtiHarmonicPlan* plan, const int32_t vertices[3])
{
    int32_t first = INT32_MAX;
    for (int k = 0; k < 3; ++k) {
        int32_t place = plan->places[vertices[k]];
        first = place < first ? place : first;
    }
    return plan->node_of[first];
}

static void put(GtiHarmonicPlan* plan, int32_t at, const int32_t vertices[3], const GtiVec vectors[2])
{
    for (int k = 0; k < 3; ++k) {
        plan->corners[at][k] = plan->places[vertices[k]];
    }
    for (int k = 0; k < 2; ++k) {
        GtVec3 vector = gti_vec_to_float(vectors[k]);
        memcpy(&plan->vectors[at][3 * k], &vector, sizeof vector);
    }
}

static GtiVec edge(const GtiTrimesh* mesh, int32_t from, int32_t to)
{
    return gti_vec_between(mesh->positions[from], mesh->positions[to]);
}

static void triangle_vectors(const GtiTrimesh* mesh, const int32_t vertices[3], const double cotangents[3],
                             GtiVec out[2])
{
    GtiVec e01 = gti_vec_scale(edge(mesh, vertices[0], vertices[1]), cotangents[2]);
    GtiVec e12 = gti_vec_scale(edge(mesh, vertices[1], vertices[2]), cotangents[0]);
    GtiVec e20 = gti_vec_scale(edge(mesh, vertices[2], vertices[0]), cotangents[1]);
    out[0] = gti_vec_scale(gti_vec_sub(e20, e01), 0.5);
    out[1] = gti_vec_scale(gti_vec_sub(e01, e12), 0.5);
}

static void tie_vectors(const GtiTrimesh* mesh, const GtiTie* tie, GtiVec out[2])
{
    out[0] = gti_vec_scale(edge(mesh, tie->shore, tie->island), GTI_HARMONIC_TIE);
    out[1] = gti_vec_scale(out[0], -1.0);
}

static void put_shares(const GtiTrimesh* mesh, const int32_t vertices[3], const double cotangents[3], float out[4])
{
    GtVec3 a = gt_vec3_sub(mesh->positions[vertices[1]], mesh->positions[vertices[0]]);
    GtVec3 b = gt_vec3_sub(mesh->positions[vertices[2]], mesh->positions[vertices[0]]);
    out[0] = (float)(0.5 * (cotangents[1] + cotangents[2]));
    out[1] = (float)(0.5 * (cotangents[0] + cotangents[2]));
    out[2] = (float)(0.5 * cotangents[2]);
    out[3] = 0.5f * gt_vec3_length(gt_vec3_cross(a, b));
}

// Triangles, then ties, sorted by nodes: counted, then each put where its node's next one goes.
static void sort_triangles(const GtiTrimesh* mesh, const GtiIslands* islands, double (*const cotangents)[3],
                           int32_t* ends, GtiHarmonicPlan* plan)
{
    int32_t node_count = plan->supernodes->count;
    int32_t tie_count = islands->component_count - 1;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t t = 0; t < mesh->triangle_count + tie_count; ++t) {
            bool tied = t >= mesh->triangle_count;
            const GtiTie* tie = tied ? &islands->ties[t - mesh->triangle_count] : NULL;
            const int32_t tie_corners[3] = { tied ? tie->island : 0, tied ? tie->shore : 0, tied ? tie->shore : 0 };
            const int32_t* vertices = tied ? tie_corners : mesh->triangles[t];
            int32_t s = node_of_triangle(plan, vertices);
            if (pass == 0) {
                ++ends[s + 1];
                continue;
            }
            GtiVec vectors[2];
            float* shares = plan->shares[ends[s]];
            if (tied) {
                tie_vectors(mesh, tie, vectors);
                shares[0] = shares[1] = shares[2] = (float)GTI_HARMONIC_TIE;
                shares[3] = 0.0f;
            } else {
                triangle_vectors(mesh, vertices, cotangents[t], vectors);
                put_shares(mesh, vertices, cotangents[t], shares);
            }
            put(plan, ends[s]++, vertices, vectors);
        }
        for (int32_t s = 0; pass == 0 && s <= node_count; ++s) {
            plan->packed[s].triangle = ends[s];
            ends[s + 1] += ends[s];
        }
    }
}

bool gti_harmonic_plan_make(const GtiTrimesh* mesh, const GtiIslands* islands, const GtiSupernodes* supernodes,
                            GtArena* arena, GtiHarmonicPlan* out)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    double(*cotangents)[3] = gt_arena_push(&scratch, (size_t)mesh->triangle_count * sizeof *cotangents);
    int32_t* ends = gt_arena_push_array(&scratch, (size_t)supernodes->count + 2, sizeof *ends);
    int32_t triangle_count = mesh->triangle_count + islands->component_count - 1;
    bool made = cotangents && ends && push_plan(triangle_count, supernodes, arena, out);
    if (made) {
        link_nodes(supernodes, out);
        gti_laplacian_corners(mesh, GTI_HARMONIC_SLACK, cotangents, NULL);
        sort_triangles(mesh, islands, cotangents, ends, out);
    }
    gt_arena_destroy(&scratch);
    return made;
}
