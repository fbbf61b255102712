// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin is warmed by the bones on a proxy of few points, each piece of it by the bones in sight or, where most of it
// sees none, by those that are near through the inside. Pieces of a machine, islands and rigid weights take theirs from
// the outcome. Points then blend what the proxy has around them.

#include "rig/weigh/weights.h"

#include "base/fail.h"
#include "rig/weigh/heat.h"
#include "rig/weigh/pieces.h"
#include "rig/weigh/prune.h"
#include "rig/weigh/tear.h"

enum {
    PROXY_LIMIT = 24000, // points; more blur nothing that a limb's width would show, and cost time
    ROW_WIDTH = 8        // joints that a row holds at least, before pruning
};

// A piece of which more than this share sees no bone is weighed through the inside.
#define UNSEEN_LIMIT 0.35

// Which pieces the voxels weigh; returns how many.
static int32_t choose_pieces(const GtiProxy* proxy, const GtiHeatSource* sources, GtRigWeights method,
                             int32_t piece_count, double (*areas)[2], bool* in_voxels)
{
    for (int32_t v = 0; v < proxy->mesh.vertex_count; ++v) {
        areas[proxy->pieces[v]][sources[v].seen ? 0 : 1] += proxy->laplacian.areas[v];
    }
    int32_t count = 0;
    for (int32_t p = 0; p < piece_count; ++p) {
        bool unseen = areas[p][1] > UNSEEN_LIMIT * (areas[p][0] + areas[p][1]);
        in_voxels[p] = method == GT_RIG_WEIGHTS_VOXEL || (method != GT_RIG_WEIGHTS_HEAT && unseen);
        count += in_voxels[p];
    }
    return count;
}

static GtResult find_sources(const GtContext* context, const GtiRigBody* body, const GtiProxy* proxy,
                             const GtiWeighBones* bones, const GtiSolid* solid, GtRigWeights method, GtArena* scratch,
                             GtiHeatSource** out, GtiWeights* weights, GtError* error)
{
    GtiHeatSource* sources = gt_arena_push_array(scratch, (size_t)proxy->mesh.vertex_count, sizeof *sources);
    double(*areas)[2] = gt_arena_push_array(scratch, (size_t)body->piece_count, sizeof *areas);
    bool* in_voxels = gt_arena_push_array(scratch, (size_t)body->piece_count, sizeof *in_voxels);
    if (!sources || !areas || !in_voxels) {
        return gti_out_of_memory(error);
    }
    gti_sources_in_sight(context, proxy, bones, solid, sources);
    int32_t chosen = choose_pieces(proxy, sources, method, body->piece_count, areas, in_voxels);
    GtResult result = gti_progress(context, error, "finding the bones in sight", 1.0);
    if (result == GT_OK && chosen > 0) {
        result = gti_sources_in_voxels(context, proxy, bones, solid, in_voxels, sources, error);
    }
    if (result == GT_OK && !gti_sources_beyond(proxy, bones, context->allocator, sources)) {
        result = gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < body->piece_count; ++p) {
        bool skin = proxy->all || body->kinds[p] == GTI_PIECE_SKIN;
        weights->voxel_piece_count += skin && in_voxels[p];
        weights->heat_piece_count += skin && !in_voxels[p];
    }
    *out = sources;
    return result;
}

typedef struct SpreadJob {
    const GtiRigBody* body;
    const GtiProxy* proxy;
    const GtiProxyRows* from;
    const GtiProxyRows* to;
} SpreadJob;

static void spread(void* data, int32_t first, int32_t end)
{
    const SpreadJob* job = data;
    for (int32_t i = first; i < end; ++i) {
        int32_t home = job->proxy->clusters[i];
        if (home == GT_NONE) {
            continue;
        }
        if (job->proxy->whole) {
            gti_row_copy(job->from, home, job->to, i);
        } else {
            gti_proxy_blend(job->proxy, job->from, home, job->body->points[i], job->to, i);
        }
    }
}

static GtResult weigh(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                      const GtiRigSkeleton* skeleton, GtRigWeights method, GtArena* scratch, GtiWeights* out,
                      GtError* error)
{
    GtiProxy proxy;
    GtResult result = gti_proxy_make(context, body, PROXY_LIMIT, scratch, &proxy, error);
    if (result != GT_OK) {
        return result;
    }
    GtiWeighBones bones;
    if (!gti_bones_make(skeleton, solid, scratch, &bones)) {
        return gti_out_of_memory(error);
    }
    GtiHeatSource* sources = NULL;
    GtiProxyRows warm;
    GtiProxyRows rows;
    int32_t width = out->influences > ROW_WIDTH ? out->influences : ROW_WIDTH;
    result = find_sources(context, body, &proxy, &bones, solid, method, scratch, &sources, out, error);
    if (result == GT_OK) {
        result = gti_heat_solve(context, &proxy, &bones, sources, width, scratch, &warm, error);
    }
    if (result != GT_OK) {
        return result;
    }
    if (method == GT_RIG_WEIGHTS_RIGID) {
        gti_rows_harden(&warm, proxy.mesh.vertex_count);
    } else if (!gti_tear_ease(context, &proxy, skeleton, &warm, out->influences)) {
        return gti_out_of_memory(error);
    }
    if (!gti_rows_push(scratch, body->point_count, width, &rows)) {
        return gti_out_of_memory(error);
    }
    if (proxy.machine && (method == GT_RIG_WEIGHTS_AUTO || method == GT_RIG_WEIGHTS_RIGID)) {
        out->heat_piece_count = out->voxel_piece_count = 0;
        result = gti_pieces_stiffen(context, body, &proxy, skeleton, &warm, out, error);
    }
    SpreadJob job = { body, &proxy, &warm, &rows };
    gt_executor_run(&context->executor, body->point_count, 1024, spread, &job);
    if (result == GT_OK) {
        result = gti_pieces_carry(context, body, &proxy, skeleton, &warm, &rows, out, error);
    }
    if (result == GT_OK && method == GT_RIG_WEIGHTS_RIGID) {
        gti_rows_harden(&rows, body->point_count);
    }
    return result == GT_OK ? gti_weights_prune(context, body->points, body->point_count, &rows, skeleton, out, error)
                           : result;
}

GtResult gti_weights_make(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                          const GtiRigSkeleton* skeleton, GtRigWeights method, int32_t influences, GtArena* arena,
                          GtiWeights* out, GtError* error)
{
    GT_ASSERT(skeleton->joint_count >= 1 && skeleton->joint_count <= UINT16_MAX);
    GT_ASSERT(influences >= 1 && influences <= 16);
    size_t count = (size_t)body->point_count * (size_t)influences;
    *out = (GtiWeights){
        .influences = influences,
        .joints = gt_arena_push_array(arena, count, sizeof *out->joints),
        .weights = gt_arena_push_array(arena, count, sizeof *out->weights),
    };
    if (!out->joints || !out->weights) {
        return gti_out_of_memory(error);
    }
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = weigh(context, body, solid, skeleton, method, &scratch, out, error);
    gt_arena_destroy(&scratch);
    return result;
}
