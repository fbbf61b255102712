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

#include <string.h>

enum {
    PROXY_LIMIT = 24000, // points; more blur nothing that a limb's width would show, and cost time
    ROW_WIDTH = 8        // joints that a row holds at least, before pruning
};

// A piece of which more than this share sees no bone is weighed through the inside; between the limits both ways are
// tried, and what tears less is kept: the other way where it tears half as much.
#define UNSEEN_LIMIT  0.35
#define UNSEEN_DOUBT  0.15
#define UNSEEN_BEYOND 0.7
#define TEARS_LESS    0.5

// How the pieces of a body are weighed.
typedef struct PieceWays {
    double (*areas)[2]; // [piece_count] that sees a bone, and that sees none
    bool* in_voxels;    // [piece_count]
    bool* in_doubt;     // [piece_count]
} PieceWays;

// Which pieces the voxels weigh, and which might be weighed in either way; whether there are such.
static bool choose_pieces(const GtiProxy* proxy, const GtiHeatSource* sources, GtRigWeights method, int32_t piece_count,
                          PieceWays* ways)
{
    for (int32_t v = 0; v < proxy->mesh.vertex_count; ++v) {
        ways->areas[proxy->pieces[v]][sources[v].seen ? 0 : 1] += proxy->laplacian.areas[v];
    }
    bool any = false;
    for (int32_t p = 0; p < piece_count; ++p) {
        double all = ways->areas[p][0] + ways->areas[p][1];
        double unseen = ways->areas[p][1];
        ways->in_voxels[p] =
            method == GT_RIG_WEIGHTS_VOXEL || (method != GT_RIG_WEIGHTS_HEAT && unseen > UNSEEN_LIMIT * all);
        ways->in_doubt[p] =
            method == GT_RIG_WEIGHTS_AUTO && unseen > UNSEEN_DOUBT * all && unseen < UNSEEN_BEYOND * all;
        any = any || ways->in_doubt[p];
    }
    return any;
}

// Where the warmth of vertices comes from, with some pieces weighed through the inside.
static GtResult find_sources(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                             const GtiSolid* solid, const bool* in_voxels, int32_t piece_count, GtiHeatSource* sources,
                             GtError* error)
{
    bool any = false;
    for (int32_t p = 0; p < piece_count; ++p) {
        any = any || in_voxels[p];
    }
    GtResult result = gti_progress(context, error, "finding the bones in sight", 1.0);
    if (result == GT_OK && any) {
        result = gti_sources_in_voxels(context, proxy, bones, solid, in_voxels, sources, error);
    }
    if (result == GT_OK && !gti_sources_beyond(proxy, bones, context->allocator, sources)) {
        result = gti_out_of_memory(error);
    }
    return result;
}

// Weigh pieces in doubt the other way as well, and keep what tears less.
// sources: as in sight
static GtResult try_other_way(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                              const GtiSolid* solid, int32_t piece_count, GtiHeatSource* sources, PieceWays* ways,
                              GtArena* scratch, const GtiProxyRows* warm, GtError* error)
{
    double* tears[2] = { gt_arena_push_array(scratch, (size_t)piece_count, sizeof **tears),
                         gt_arena_push_array(scratch, (size_t)piece_count, sizeof **tears) };
    bool* other_way = gt_arena_push_array(scratch, (size_t)piece_count, sizeof *other_way);
    if (!tears[0] || !tears[1] || !other_way) {
        return gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < piece_count; ++p) {
        other_way[p] = ways->in_doubt[p] && !ways->in_voxels[p];
    }
    GtiProxyRows other;
    GtResult result = find_sources(context, proxy, bones, solid, other_way, piece_count, sources, error);
    result =
        result == GT_OK ? gti_heat_solve(context, proxy, bones, sources, warm->width, scratch, &other, error) : result;
    if (result == GT_OK && !(gti_tear_measure(context, proxy, bones->skeleton, warm, piece_count, tears[0]) &&
                             gti_tear_measure(context, proxy, bones->skeleton, &other, piece_count, tears[1]))) {
        result = gti_out_of_memory(error);
    }
    for (int32_t p = 0; result == GT_OK && p < piece_count; ++p) {
        ways->in_doubt[p] = ways->in_doubt[p] && tears[1][p] < TEARS_LESS * tears[0][p];
        ways->in_voxels[p] ^= ways->in_doubt[p];
    }
    for (int32_t v = 0; result == GT_OK && v < proxy->mesh.vertex_count; ++v) {
        if (ways->in_doubt[proxy->pieces[v]]) {
            gti_row_copy(&other, v, warm, v);
        }
    }
    return result;
}

static GtResult warm_pieces(const GtContext* context, const GtiRigBody* body, const GtiProxy* proxy,
                            const GtiWeighBones* bones, const GtiSolid* solid, GtRigWeights method, int32_t width,
                            GtArena* scratch, GtiProxyRows* warm, GtiWeights* weights, GtError* error)
{
    size_t vertex_count = (size_t)proxy->mesh.vertex_count;
    size_t piece_count = (size_t)body->piece_count;
    GtiHeatSource* in_sight = gt_arena_push_array(scratch, vertex_count, sizeof *in_sight);
    GtiHeatSource* sources = gt_arena_push_array(scratch, vertex_count, sizeof *sources);
    PieceWays ways = { .areas = gt_arena_push_array(scratch, piece_count, sizeof *ways.areas),
                       .in_voxels = gt_arena_push_array(scratch, piece_count, sizeof *ways.in_voxels),
                       .in_doubt = gt_arena_push_array(scratch, piece_count, sizeof *ways.in_doubt) };
    if (!in_sight || !sources || !ways.areas || !ways.in_voxels || !ways.in_doubt) {
        return gti_out_of_memory(error);
    }
    gti_sources_in_sight(context, proxy, bones, solid, in_sight);
    bool doubt = choose_pieces(proxy, in_sight, method, body->piece_count, &ways);
    memcpy(sources, in_sight, vertex_count * sizeof *sources);
    GtResult result = find_sources(context, proxy, bones, solid, ways.in_voxels, body->piece_count, sources, error);
    result = result == GT_OK ? gti_heat_solve(context, proxy, bones, sources, width, scratch, warm, error) : result;
    if (result == GT_OK && doubt) {
        result = try_other_way(context, proxy, bones, solid, body->piece_count, in_sight, &ways, scratch, warm, error);
    }
    for (int32_t p = 0; p < body->piece_count; ++p) {
        bool skin = proxy->all || body->kinds[p] == GTI_PIECE_SKIN;
        weights->voxel_piece_count += skin && ways.in_voxels[p];
        weights->heat_piece_count += skin && !ways.in_voxels[p];
    }
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
    GtiProxyRows warm;
    GtiProxyRows rows;
    int32_t width = out->influences > ROW_WIDTH ? out->influences : ROW_WIDTH;
    result = warm_pieces(context, body, &proxy, &bones, solid, method, width, scratch, &warm, out, error);
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
