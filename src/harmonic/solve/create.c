// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From a mesh and markers to what frames need: check, find what markers hold, tie components together, set up both
// systems, factor them on one pattern, cut the elimination tree, pack. All in double precision but for the last step.

#include "harmonic/markers/tree.h"
#include "harmonic/solve/axes.h"
#include "harmonic/solve/handles.h"

#include "base/fail.h"
#include "base/field_table.h"
#include "base/union_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TRIANGLES = 100000000,
    BATCH_PIECE = 512, // vertices: with GTI_BATCH frames of everything about them they fill half a second-level cache
    LIVE_PIECES = 16,  // about so many, for a few threads to share
};

typedef struct Making {
    const GtContext* context;
    const GtHarmonicDef* def;
    GtiTrimesh mesh;
    double extent;
    GtArena arena;
    GtiPatchSource* sources; // [marker_count]
    GtiLaplacian laplacian;
    GtiIslands islands;
    GtiPatches patches;
    GtiMarkerTree tree;
    int32_t* holders;
    bool* spreads;  // [component_count - 1]
    int32_t ground; // vertex
    GtHarmonic head;
    GtHarmonicReport report;
} Making;

GtHarmonicDef gt_default_harmonic_def(void)
{
    return (GtHarmonicDef){ .anchor_everywhere = true, .align_signs = true, .squeeze = 0.5f };
}

static GtResult check_counts(const GtHarmonicDef* def, GtError* error)
{
    if (def->vertex_count < 1 || def->triangle_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the mesh has %d vertices and %d triangles; it needs some of both",
                        (int)def->vertex_count, (int)def->triangle_count);
    }
    if (def->vertex_count > MAX_TRIANGLES || def->triangle_count > MAX_TRIANGLES) {
        return gti_fail(error, GT_ERROR_LIMIT, "the mesh has %d vertices and %d triangles; the limit is %d of each",
                        (int)def->vertex_count, (int)def->triangle_count, MAX_TRIANGLES);
    }
    if (def->marker_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "there is no marker; give at least one");
    }
    if (def->marker_count > GT_HARMONIC_MAX_MARKERS) {
        return gti_fail(error, GT_ERROR_LIMIT, "there are %d markers; the limit is %d", (int)def->marker_count,
                        GT_HARMONIC_MAX_MARKERS);
    }
    return gti_fields_check(gt_harmonic_def_fields(), def, error);
}

static GtResult check_mesh(const GtHarmonicDef* def, GtError* error)
{
    for (int32_t v = 0; v < def->vertex_count; ++v) {
        GtVec3 p = def->positions[v];
        if (!gt_vec3_is_finite(p)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "vertex %d is not finite", (int)v);
        }
        if (fabsf(p.x) > 1e15f || fabsf(p.y) > 1e15f || fabsf(p.z) > 1e15f) {
            return gti_fail(error, GT_ERROR_LIMIT, "vertex %d is further than 1e15 from the origin", (int)v);
        }
    }
    for (int32_t i = 0; i < def->triangle_count * 3; ++i) {
        if (def->indices[i] >= (uint32_t)def->vertex_count) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "triangle %d has vertex %u, but there are only %d", (int)(i / 3),
                            (unsigned)def->indices[i], (int)def->vertex_count);
        }
    }
    return GT_OK;
}

static int32_t count_flat(const GtiTrimesh* mesh)
{
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const GtVec3* p = mesh->positions;
        const int32_t* c = mesh->triangles[t];
        GtVec3 n = gt_vec3_cross(gt_vec3_sub(p[c[1]], p[c[0]]), gt_vec3_sub(p[c[2]], p[c[0]]));
        count += n.x == 0.0f && n.y == 0.0f && n.z == 0.0f;
    }
    return count;
}

static GtResult find_sources(Making* making, GtError* error)
{
    const GtHarmonicDef* def = making->def;
    making->sources = gt_arena_push_array(&making->arena, (size_t)def->marker_count, sizeof *making->sources);
    if (!making->sources) {
        return gti_out_of_memory(error);
    }
    for (int32_t m = 0; m < def->marker_count; ++m) {
        char name[32];
        snprintf(name, sizeof name, "marker %d", (int)m);
        const GtHarmonicMarker* marker = &def->markers[m];
        float sum = gt_vec3_length(marker->axis) + gt_vec3_length(marker->axis_point) + fabsf(marker->volume);
        if (!isfinite(sum)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "the axis of marker %d is not finite", (int)m);
        }
        GtResult result =
            gti_source_find(&making->mesh, making->extent, &def->markers[m], name, &making->sources[m], error);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

// Who holds which vertex, and markers that hold none.
static GtResult hold(Making* making, GtError* error)
{
    const GtHarmonicDef* def = making->def;
    int32_t* counts = gt_arena_push_array(&making->arena, (size_t)def->marker_count, sizeof *counts);
    making->holders = gt_arena_push(&making->arena, (size_t)def->vertex_count * sizeof *making->holders);
    if (!counts || !making->holders) {
        return gti_out_of_memory(error);
    }
    GtHarmonicReport* report = &making->report;
    for (int32_t v = 0; v < def->vertex_count; ++v) {
        bool held = making->patches.depths[v] <= 0.0;
        making->holders[v] = held ? making->patches.owners[v] : GT_NONE;
        if (held) {
            ++counts[making->patches.owners[v]];
            ++report->held_vertex_count;
        }
    }
    int32_t first = GT_NONE;
    for (int32_t m = 0; m < def->marker_count; ++m) {
        report->idle_marker_count += counts[m] == 0;
        first = first == GT_NONE && counts[m] == 0 ? m : first;
    }
    if (first == GT_NONE) {
        return GT_OK;
    }
    int32_t holder = making->holders[making->mesh.triangles[making->sources[first].triangle][0]];
    char where[32];
    snprintf(where, sizeof where, "marker %d", (int)first);
    return gti_repair(making->context, error, NULL, where,
                      "%d of %d markers have no effect, as others are in the same place (such as marker %d)",
                      (int)report->idle_marker_count, (int)def->marker_count, (int)holder);
}

static int compare_ties(const void* a, const void* b)
{
    const GtiTie* x = *(const GtiTie* const*)a;
    const GtiTie* y = *(const GtiTie* const*)b;
    return x->length != y->length ? (x->length > y->length) - (x->length < y->length) : (x > y) - (x < y);
}

// Rotations spread over a tie unless both of what it joins have markers: shortest ties first, each joins two groups.
static GtResult choose_spreads(Making* making, GtError* error)
{
    int32_t component_count = making->islands.component_count;
    size_t count = (size_t)component_count;
    int32_t* sets = gt_arena_push(&making->arena, count * sizeof *sets);
    bool* marked = gt_arena_push_array(&making->arena, count, sizeof *marked);
    const GtiTie** ties = gt_arena_push(&making->arena, count * sizeof *ties);
    making->spreads = gt_arena_push_array(&making->arena, count, sizeof *making->spreads);
    if (!sets || !marked || !ties || !making->spreads) {
        return gti_out_of_memory(error);
    }
    for (int32_t v = 0; v < making->mesh.vertex_count; ++v) {
        if (making->holders[v] != GT_NONE) {
            marked[making->islands.components[v]] = true;
        }
    }
    gti_sets_start(sets, component_count);
    int32_t bare = 0;
    for (int32_t i = 0; i < component_count; ++i) {
        bare += !marked[i];
        if (i + 1 < component_count) {
            ties[i] = &making->islands.ties[i];
        }
    }
    qsort(ties, count - 1, sizeof *ties, compare_ties);
    for (int32_t i = 0; i + 1 < component_count; ++i) {
        int32_t a = gti_sets_root(sets, making->islands.components[ties[i]->island]);
        int32_t b = gti_sets_root(sets, making->islands.components[ties[i]->shore]);
        if (!marked[a] || !marked[b]) {
            making->spreads[ties[i] - making->islands.ties] = true;
            marked[gti_sets_join(sets, a, b)] = marked[a] || marked[b];
        }
    }
    GtHarmonicReport* report = &making->report;
    report->component_count = component_count;
    report->tied_component_count = component_count - 1;
    report->bare_component_count = bare;
    if (bare == 0) {
        return GT_OK;
    }
    return gti_repair(making->context, error, NULL, NULL,
                      "%d of %d separate pieces of the mesh have no marker; each rotates with the nearest surface",
                      (int)bare, (int)component_count);
}

// Vertices of the anchor, weighted by area.
static GtResult find_anchors(Making* making, GtError* error)
{
    const GtHarmonicDef* def = making->def;
    GtiPatches patch = { NULL, NULL };
    if (!def->anchor_everywhere) {
        GtiPatchSource source;
        GtResult result = gti_source_find(&making->mesh, making->extent, &def->anchor, "anchor", &source, error);
        if (result != GT_OK) {
            return result;
        }
        if (!gti_patches_make(&making->mesh, &source, 1, &making->arena, &patch)) {
            return gti_out_of_memory(error);
        }
    }
    int32_t* anchors = gt_arena_push(&making->arena, (size_t)def->vertex_count * sizeof *anchors);
    float* weights = gt_arena_push(&making->arena, (size_t)def->vertex_count * sizeof *weights);
    if (!anchors || !weights) {
        return gti_out_of_memory(error);
    }
    double area = 0.0;
    int32_t count = 0;
    for (int32_t v = 0; v < def->vertex_count; ++v) {
        if (!patch.depths || patch.depths[v] <= 0.0) {
            anchors[count++] = v;
            area += making->laplacian.areas[v];
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        weights[i] = (float)(area > 0.0 ? making->laplacian.areas[anchors[i]] / area : 1.0 / count);
    }
    making->ground = anchors[0];
    return gti_handles_find(def, anchors, weights, count, &making->arena, &making->head, error);
}

static GtResult survey(Making* making, GtError* error)
{
    const GtHarmonicDef* def = making->def;
    making->extent = gti_surface_extent(&making->mesh);
    making->report.flat_triangle_count = count_flat(&making->mesh);
    GtResult result = find_sources(making, error);
    if (result != GT_OK) {
        return result;
    }
    if (!gti_laplacian_make(&making->mesh, GTI_HARMONIC_SLACK, &making->arena, &making->laplacian) ||
        !gti_islands_make(&making->mesh, &making->laplacian, &making->arena, &making->islands) ||
        !gti_patches_make(&making->mesh, making->sources, def->marker_count, &making->arena, &making->patches) ||
        !gti_marker_tree_make(&making->mesh, &making->laplacian, &making->islands, &making->patches, def->marker_count,
                              &making->arena, &making->tree)) {
        return gti_out_of_memory(error);
    }
    result = hold(making, error);
    if (result == GT_OK) {
        result = choose_spreads(making, error);
    }
    return result == GT_OK ? find_anchors(making, error) : result;
}

static GtResult cut(Making* making, const GtiHarmonicPlan* plan, const GtiHarmonicAxes* axes, GtError* error)
{
    int32_t count = plan->supernodes->count;
    int64_t* costs = gt_arena_push(&making->arena, (size_t)count * sizeof *costs);
    if (!costs) {
        return gti_out_of_memory(error);
    }
    GtHarmonic* head = &making->head;
    int64_t entries = plan->packed[count].panel + plan->packed[count].diagonal;
    for (int32_t s = 0; s < count; ++s) {
        costs[s] = plan->packed[s].width;
        head->widest = plan->packed[s].width > head->widest ? plan->packed[s].width : head->widest;
    }
    bool made = gti_harmonic_cut_make(plan, costs, BATCH_PIECE, &making->arena, &head->batch_cut);
    for (int32_t s = 0; s < count; ++s) {
        costs[s] = (int64_t)plan->packed[s].width * (plan->packed[s].width + plan->packed[s].height);
    }
    made = made && gti_harmonic_cut_make(plan, costs, entries / LIVE_PIECES, &making->arena, &head->live_cut) &&
           gti_harmonic_axes_cut(axes, plan, &making->arena, &head->batch_cut) &&
           gti_harmonic_axes_cut(axes, plan, &making->arena, &head->live_cut);
    head->has_axes = axes->axes != NULL;
    head->axes = axes->axes;
    return made ? GT_OK : gti_out_of_memory(error);
}

static void fill_head(Making* making, const GtiHarmonicPlan* plan, const GtiHarmonicWeights* weights)
{
    GtHarmonic* head = &making->head;
    head->allocator = making->context->allocator;
    head->vertex_count = making->mesh.vertex_count;
    head->triangle_count = plan->triangle_count;
    head->marker_count = making->def->marker_count;
    head->node_count = plan->supernodes->count;
    head->panel_count = plan->packed[head->node_count].panel_index;
    head->align_signs = making->def->align_signs;
    head->weight_starts = weights->starts;
    head->weight_markers = weights->markers;
    head->weights = (const float(*)[GTI_PANEL])weights->values;
    head->faces = (const int32_t(*)[3])making->mesh.triangles;
    head->face_count = making->mesh.triangle_count;
    head->rest = making->def->positions;
    head->holders = making->holders;
    head->sign_order = making->tree.order;
    head->sign_parents = making->tree.parents;
}

static GtResult factor(Making* making, GtHarmonic** out, GtError* error)
{
    GtiHarmonicParts parts = {
        .laplacian = &making->laplacian,
        .islands = &making->islands,
        .spreads = making->spreads,
        .holders = making->holders,
        .marker_count = making->def->marker_count,
        .ground = making->ground,
    };
    GtiHarmonicSystem system;
    GtiSupernodes supernodes;
    GtiHarmonicPlan plan;
    GtiHarmonicWeights weights;
    GtiHarmonicAxes axes;
    double* values[2];
    if (!gti_harmonic_system_make(&parts, &making->arena, &system)) {
        return gti_out_of_memory(error);
    }
    const GtiSparse matrices[2] = { system.laplace, system.poisson };
    GtiOrdering ordering = making->def->is_quick ? GTI_ORDERING_QUICK : GTI_ORDERING_BUSHY;
    GtResult result =
        gti_supernodes_make(making->context, matrices, 2, ordering, &making->arena, &supernodes, values, error);
    if (result != GT_OK) {
        return result;
    }
    if (!gti_harmonic_plan_make(&making->mesh, &making->islands, &supernodes, &making->arena, &plan)) {
        return gti_out_of_memory(error);
    }
    result = gti_progress(making->context, error, "weighing markers", 0.8);
    if (result == GT_OK) {
        result = gti_harmonic_weights_make(&plan, values[0], &system.right, parts.marker_count, &making->arena,
                                           &weights, error);
    }
    if (result == GT_OK && !gti_harmonic_axes_make(&plan, values[0], &weights, making->def, making->sources,
                                                   making->extent, &making->arena, &axes)) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result = cut(making, &plan, &axes, error);
    }
    if (result == GT_OK &&
        !gti_handles_solve(&plan, values[1], plan.places[parts.ground], &making->arena, &making->head)) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        fill_head(making, &plan, &weights);
        result =
            gti_harmonic_pack(&plan, values[0], values[1], plan.places[parts.ground],
                              (const float(*)[GTI_CURE_SIZE])axes.cures, &making->head, out, &making->report, error);
    }
    return result;
}

GtResult gt_harmonic_create(const GtContext* context, const GtHarmonicDef* def, GtHarmonic** out,
                            GtHarmonicReport* report, GtError* error)
{
    def = def ? def : (GtHarmonicDef[]){ gt_default_harmonic_def() };
    *out = NULL;
    GtResult result = check_counts(def, error);
    if (result == GT_OK) {
        result = check_mesh(def, error);
    }
    if (result != GT_OK) {
        return result;
    }
    Making making = {
        .context = context,
        .def = def,
        .mesh = { (GtVec3*)def->positions, def->vertex_count, (int32_t(*)[3])def->indices, def->triangle_count },
        .arena = gt_arena_create(context->allocator),
    };
    result = gti_progress(context, error, "finding what markers hold", 0.0);
    if (result == GT_OK) {
        result = survey(&making, error);
    }
    if (result == GT_OK) {
        result = gti_progress(context, error, "factoring", 0.2);
    }
    if (result == GT_OK) {
        result = factor(&making, out, error);
    }
    gt_arena_destroy(&making.arena);
    if (result == GT_OK && report) {
        *report = making.report;
    }
    return result;
}
