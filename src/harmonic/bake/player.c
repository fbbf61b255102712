// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames are posed a window at a time, as large as all threads can pose at once and a limit allows.

#include "gertie/freeze.h"

#include "base/fail.h"
#include "base/memory.h"
#include "harmonic/bake/unskin.h"

static const size_t most_window = (size_t)64 << 20; // bytes, unless one batch takes more

struct GtHarmonicPlayer {
    const GtContext* context;
    GtFigure* figure;
    const GtHarmonicClip* clip;
    GtArena arena;
    GtiUnskin unskin;
    GtiUnskinFrame frame;
    GtVec3* positions; // [window * vertex_count] of frames from `first` on
    GtVec3* normals;   // [vertex_count] of a frame, or NULL
    int32_t window;
    int32_t first;
};

static int32_t window_of(const GtContext* context, const GtHarmonicClip* clip)
{
    size_t batch_size = GT_HARMONIC_BATCH * (size_t)clip->vertex_count * sizeof(GtVec3);
    int32_t count = GT_HARMONIC_BATCH;
    for (int32_t i = 1; i < context->executor.thread_count && (size_t)(i + 1) * batch_size <= most_window; ++i) {
        count += GT_HARMONIC_BATCH;
    }
    return count < clip->frame_count ? count : clip->frame_count;
}

static GtResult open_player(GtHarmonicPlayer* player, GtError* error)
{
    const GtHarmonicClip* clip = player->clip;
    GtArena* arena = &player->arena;
    GtResult result = gti_unskin_open(player->context, arena, player->figure, &player->unskin, error);
    if (result == GT_OK && player->unskin.shell->vertex_count != clip->vertex_count) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "the clip is for %d vertices, and the scene has %d",
                          (int)clip->vertex_count, (int)player->unskin.shell->vertex_count);
    }
    if (result == GT_OK) {
        result = gti_unskin_frames_open(&player->unskin, 1, true, arena, &player->frame, error);
    }
    if (result != GT_OK) {
        return result;
    }
    size_t count = (size_t)clip->vertex_count;
    player->window = window_of(player->context, clip);
    player->first = -player->window;
    player->positions = gt_arena_push_array(arena, (size_t)player->window * count, sizeof *player->positions);
    if (player->unskin.has_normals) {
        player->normals = gt_arena_push_array(arena, count, sizeof *player->normals);
    }
    bool ok = player->positions && (player->normals || !player->unskin.has_normals);
    return ok ? GT_OK : gti_out_of_memory(error);
}

GtResult gt_harmonic_player_create(const GtContext* context, GtFigure* figure, const GtHarmonicClip* clip,
                                   GtHarmonicPlayer** out, GtError* error)
{
    GtAllocator allocator = context->allocator;
    GtHarmonicPlayer* player = *out = allocator.allocate(allocator.user, sizeof *player);
    if (!player) {
        return gti_out_of_memory(error);
    }
    *player =
        (GtHarmonicPlayer){ .context = context, .figure = figure, .clip = clip, .arena = gt_arena_create(allocator) };
    GtResult result = open_player(player, error);
    if (result != GT_OK) {
        gt_harmonic_player_destroy(player);
        *out = NULL;
    }
    return result;
}

void gt_harmonic_player_destroy(GtHarmonicPlayer* player)
{
    if (player) {
        gti_arena_destroy_owner(&player->arena, player);
    }
}

GtResult gt_harmonic_player_pose(GtHarmonicPlayer* player, int32_t frame, const GtVec3** out, GtError* error)
{
    GT_ASSERT(frame >= 0 && frame < player->clip->frame_count);
    *out = NULL;
    if (frame < player->first || frame >= player->first + player->window) {
        int32_t left = player->clip->frame_count - frame;
        GtResult result =
            gt_harmonic_clip_pose(player->context, player->clip, frame, left < player->window ? left : player->window,
                                  player->positions, error);
        if (result != GT_OK) {
            return result;
        }
        player->first = frame;
    }
    *out = player->positions + (size_t)(frame - player->first) * (size_t)player->clip->vertex_count;
    return GT_OK;
}

GtResult gt_harmonic_player_freeze(GtHarmonicPlayer* player, int32_t frame, GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gt_harmonic_player_pose(player, frame, &player->frame.wanted, error);
    if (result != GT_OK) {
        return result;
    }
    if (player->normals) {
        gti_unskin_take_normals(&player->unskin, &player->frame);
        gti_unskin_turn_normals(&player->unskin, &player->frame, player->normals);
    }
    return gt_scene_freeze_as(player->context, player->figure->scene, player->figure->character, player->frame.wanted,
                              player->normals, out, error);
}
