// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/clip/pose.h"

#include "base/fail.h"
#include "runtime/harmonic/hold.h"

const float gti_anchor_give = 0.5f;

static const size_t most_memory = (size_t)256 << 20; // of all slots, unless one alone takes more

bool gti_poser_open(const GtContext* context, const GtHarmonicClip* clip, int32_t frame_count, GtVec3* kept,
                    GtArena* arena, GtiPoser* out)
{
    size_t count = kept ? 0 : (size_t)gt_harmonic_vertex_count(clip->harmonic);
    size_t scratch_size = gt_harmonic_bake_scratch_size(clip->harmonic) + GT_ALIGNMENT;
    size_t slot_size = scratch_size + GT_HARMONIC_BATCH * count * sizeof(GtVec3);
    int32_t most = (frame_count - 1) / GT_HARMONIC_BATCH + 1;
    *out = (GtiPoser){ .clip = clip, .executor = &context->executor, .kept = kept };
    most = most < context->executor.thread_count ? most : context->executor.thread_count;
    most = most < GTI_MAX_POSER_SLOTS ? most : GTI_MAX_POSER_SLOTS;
    do {
        uint8_t* scratch = gt_arena_push(arena, scratch_size);
        GtVec3* positions = gt_arena_push_array(arena, GT_HARMONIC_BATCH * count, sizeof *positions);
        if (!scratch || !positions) {
            return false;
        }
        GtHarmonicFrame* frames = &out->frames[out->slot_count * GT_HARMONIC_BATCH];
        out->scratch[out->slot_count++] = scratch + (GT_ALIGNMENT - (uintptr_t)scratch % GT_ALIGNMENT) % GT_ALIGNMENT;
        for (size_t i = 0; i < GT_HARMONIC_BATCH; ++i) {
            frames[i] = (GtHarmonicFrame){ .positions = positions + i * count, .anchor_give = gti_anchor_give };
        }
    } while (out->slot_count < most && ((size_t)out->slot_count + 1) * slot_size <= most_memory);
    size_t all = (size_t)out->slot_count * GT_HARMONIC_BATCH;
    out->places = gt_arena_push_array(arena, all * (size_t)clip->handle_count, sizeof *out->places);
    return out->places != NULL;
}

static void choose_holds(void* user, const GtHarmonicFrame* frame, const GtVec3* places)
{
    const GtiPoser* poser = user;
    poser->choose(poser->user, poser->list[frame - poser->frames], places);
}

static int32_t frames_in_slot(const GtiPoser* poser, int32_t slot)
{
    int32_t left = poser->frame_count - slot * GT_HARMONIC_BATCH;
    return left < GT_HARMONIC_BATCH ? left : GT_HARMONIC_BATCH;
}

static void pose_slots(void* data, int32_t first, int32_t end)
{
    GtiPoser* poser = data;
    for (int32_t slot = first; slot < end; ++slot) {
        gti_harmonic_bake(poser->clip->harmonic, &poser->frames[slot * GT_HARMONIC_BATCH], frames_in_slot(poser, slot),
                          poser->choose ? choose_holds : NULL, poser, poser->scratch[slot]);
    }
}

static void place_slots(void* data, int32_t first, int32_t end)
{
    GtiPoser* poser = data;
    for (int32_t slot = first; slot < end; ++slot) {
        int32_t at = slot * GT_HARMONIC_BATCH;
        gti_harmonic_place(poser->clip->harmonic, &poser->frames[at], frames_in_slot(poser, slot),
                           poser->places + (size_t)at * (size_t)poser->clip->handle_count, poser->scratch[slot]);
    }
}

static int32_t run_slots(GtiPoser* poser, const int32_t* frames, int32_t frame_count, GtRangeFn run)
{
    const GtHarmonicClip* clip = poser->clip;
    int32_t most = poser->slot_count * GT_HARMONIC_BATCH;
    poser->list = frames;
    poser->frame_count = frame_count < most ? frame_count : most;
    for (int32_t i = 0; i < poser->frame_count; ++i) {
        size_t first = (size_t)frames[i] * (size_t)clip->marker_count;
        GtHarmonicFrame* frame = &poser->frames[i];
        frame->rotations = clip->rotations + first;
        frame->twists = clip->twists + first;
        frame->holds = clip->holds ? clip->holds + (size_t)frames[i] * (size_t)clip->handle_count : NULL;
        frame->anchor = clip->anchors[frames[i]];
        if (poser->kept) {
            frame->positions = poser->kept + (size_t)frames[i] * (size_t)gt_harmonic_vertex_count(clip->harmonic);
        }
    }
    gt_executor_run(poser->executor, (poser->frame_count + GT_HARMONIC_BATCH - 1) / GT_HARMONIC_BATCH, 1, run, poser);
    return poser->frame_count;
}

int32_t gti_poser_pose(GtiPoser* poser, const int32_t* frames, int32_t frame_count)
{
    return run_slots(poser, frames, frame_count, pose_slots);
}

int32_t gti_poser_place(GtiPoser* poser, const int32_t* frames, int32_t frame_count)
{
    return run_slots(poser, frames, frame_count, place_slots);
}

// positions: [vertex_count] of the character, from [point_count]
static void spread_points(const GtHarmonicClip* clip, const GtVec3* points, GtVec3* positions)
{
    for (int32_t v = 0; v < clip->vertex_count; ++v) {
        positions[v] = points[clip->points[v]];
    }
}

GtResult gt_harmonic_clip_pose(const GtContext* context, const GtHarmonicClip* clip, int32_t first, int32_t count,
                               GtVec3* positions, GtError* error)
{
    GT_ASSERT(first >= 0 && count >= 0 && first + count <= clip->frame_count);
    size_t point_count = (size_t)gt_harmonic_vertex_count(clip->harmonic);
    for (int32_t f = first; clip->posed && f < first + count; ++f) {
        spread_points(clip, clip->posed + (size_t)f * point_count,
                      positions + (size_t)(f - first) * (size_t)clip->vertex_count);
    }
    if (clip->posed || count == 0) {
        return GT_OK;
    }
    GtiPoser poser;
    GtArena arena = gt_arena_create(context->allocator);
    if (!gti_poser_open(context, clip, count, NULL, &arena, &poser)) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    for (int32_t f = first, made = 0; f < first + count; f += made) {
        int32_t frames[GTI_MAX_POSER_SLOTS * GT_HARMONIC_BATCH];
        for (int32_t i = 0; i < GTI_MAX_POSER_SLOTS * GT_HARMONIC_BATCH; ++i) {
            frames[i] = f + i;
        }
        made = gti_poser_pose(&poser, frames, first + count - f);
        for (int32_t i = 0; i < made; ++i) {
            spread_points(clip, poser.frames[i].positions,
                          positions + (size_t)(f + i - first) * (size_t)clip->vertex_count);
        }
    }
    gt_arena_destroy(&arena);
    return GT_OK;
}
