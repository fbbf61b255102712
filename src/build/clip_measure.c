// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How far a packed clip is from its source, measured as it is played: in model space, at the joints and at points
// around them, at frames and between. And where a clip is cut: a motion that jumps once, as captures that start with a
// T-pose do, must not cost all other frames their few bits.

#include "build/clip_pack.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    MEASURED = 4,      // times a frame
    SPAN_FRAMES = 128, // at most
    SHORT_SPAN = 192,  // up to which frames are left in one
};

// A frame's step is a jump where it is this many times as large as those around it, and that large.
static const float JUMP = 8.0f;
static const float JUMP_M = 0.05f;

bool gti_pack_push_poses(GtArena* arena, const GtCharacterDef* def, GtiPackPoses* out)
{
    bool done = true;
    for (int i = 0; i < 2; ++i) {
        out->pose[i] = gt_arena_push_array(arena, (size_t)def->node_count, sizeof(GtTransform));
        out->model[i] = gt_arena_push_array(arena, (size_t)def->node_count, sizeof(GtMat34));
        out->weights[i] = gt_arena_push_array(arena, (size_t)def->weight_count, sizeof(float));
        done &= out->pose[i] && out->model[i] && out->weights[i];
        if (done && def->node_count) {
            memcpy(out->pose[i], def->rest, (size_t)def->node_count * sizeof(GtTransform));
        }
    }
    return done;
}

float gti_pack_node_error(const GtMat34* a, const GtMat34* b, float shell_m)
{
    float worst = 0.0f;
    GtVec3 moved = gt_vec3_sub(gt_mat34_translation(a), gt_mat34_translation(b));
    for (int axis = 0; axis < 4; ++axis) {
        GtVec3 d = moved;
        if (axis < 3) {
            d = gt_vec3_add(d, gt_vec3_scale(gt_vec3(a->m[0][axis] - b->m[0][axis], a->m[1][axis] - b->m[1][axis],
                                                     a->m[2][axis] - b->m[2][axis]),
                                             shell_m));
        }
        float squared = gt_vec3_dot(d, d);
        worst = squared <= worst ? worst : squared; // NaN counts
    }
    return sqrtf(worst);
}

static void compare(const GtiClipPacking* packing, const GtiPackPoses* poses, double time_s, GtiPackErrors* out)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    for (int i = 0; i < 2; ++i) {
        gt_character_to_model(packing->character, poses->pose[i], poses->model[i]);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        float error = gti_pack_node_error(&poses->model[0][i], &poses->model[1][i], packing->def->shell_m);
        out->nodes[i] = error <= out->nodes[i] ? out->nodes[i] : error;
        if (!(error <= out->largest_m)) {
            out->largest_m = error;
            out->worst_node = i;
            out->worst_time_s = time_s;
        }
    }
    for (int32_t i = 0; i < def->weight_count; ++i) {
        float error = fabsf(poses->weights[0][i] - poses->weights[1][i]);
        out->largest_weight = error <= out->largest_weight ? out->largest_weight : error;
    }
}

bool gti_pack_measure(const GtiClipPacking* packing, const GtiPackedHead* packed, int32_t first, int32_t last,
                      GtiPackErrors* out)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    GtArena arena = gt_arena_create(packing->arena.allocator);
    GtiPackPoses poses;
    bool done = gti_pack_push_poses(&arena, def, &poses);
    float* nodes = out->nodes;
    *out = (GtiPackErrors){ .nodes = nodes, .worst_node = GT_NONE };
    for (int32_t i = 0; done && i < def->node_count; ++i) {
        nodes[i] = 0.0f;
    }
    bool jumps = false;
    for (int32_t i = 0; i < packing->track_count; ++i) {
        jumps |= packing->tracks[i].held != 0;
    }
    for (int64_t i = (int64_t)MEASURED * first; done && i <= (int64_t)MEASURED * last; ++i) {
        double after = i % MEASURED || !jumps ? 0.0 : i < (int64_t)MEASURED * last ? GTI_AFTER_KEY : -GTI_AFTER_KEY;
        double time_s = gti_pack_time_s(packing, (double)i / (double)MEASURED + after);
        gt_clip_sample(packing->source, time_s, poses.pose[0], poses.weights[0]);
        gti_packed_sample(packed, time_s, poses.pose[1], poses.weights[1]);
        compare(packing, &poses, time_s, out);
    }
    gt_arena_destroy(&arena);
    return done;
}

// Farthest that a point moves from each frame to the next; NULL when memory ran out.
static float* find_steps(GtiClipPacking* packing)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    GtArena arena = gt_arena_create(packing->arena.allocator);
    GtiPackPoses poses;
    float* steps = gt_arena_push_array(&packing->arena, (size_t)packing->frame_count + 1, sizeof *steps);
    if (!gti_pack_push_poses(&arena, def, &poses)) {
        steps = NULL;
    }
    for (int32_t i = 0; steps && i < packing->frame_count; ++i) {
        gt_clip_sample(packing->source, gti_pack_time_s(packing, (double)i), poses.pose[0], NULL);
        gt_character_to_model(packing->character, poses.pose[0], poses.model[i % 2]);
        for (int32_t n = 0; i && n < def->node_count; ++n) {
            float step = gti_pack_node_error(&poses.model[0][n], &poses.model[1][n], packing->def->shell_m);
            steps[i] = step > steps[i] ? step : steps[i];
        }
    }
    gt_arena_destroy(&arena);
    return steps;
}

// Whether the step to a frame is a jump; steps[0] and the one after the last are 0.
static bool is_jump(const float* steps, int32_t frame)
{
    float around = steps[frame - 1] > steps[frame + 1] ? steps[frame - 1] : steps[frame + 1];
    return steps[frame] > JUMP_M && steps[frame] > JUMP * around;
}

// The last frame of the span that starts at a frame.
static int32_t span_end(const float* steps, int32_t first, int32_t last_frame)
{
    int32_t most = last_frame - first <= SHORT_SPAN ? last_frame : first + SPAN_FRAMES;
    if (first < last_frame && is_jump(steps, first + 1)) {
        return first + 1;
    }
    int32_t last = first;
    while (last < most && !is_jump(steps, last + 1)) {
        ++last;
    }
    return last;
}

// The last frame up to which no joint comes near a whole turn, on one side or the other: 322 degrees have parameters.
static int32_t before_whole_turns(const GtiClipPacking* packing, int32_t first, int32_t last)
{
    for (int32_t i = 0; i < packing->track_count; ++i) {
        const GtiClipPackTrack* track = &packing->tracks[i];
        double lowest = 1.0;
        double highest = -1.0;
        for (int32_t frame = first; track->turns && frame <= last; ++frame) {
            double w = (double)track->samples[4 * (size_t)frame + 3];
            lowest = fmin(lowest, w);
            highest = fmax(highest, w);
            if (fmax(lowest, -highest) < GTI_LEAST_W) {
                last = frame - 1 > first ? frame - 1 : first + 1;
            }
        }
    }
    return last;
}

GtResult gti_pack_find_spans(GtiClipPacking* packing, GtError* error)
{
    const float* steps = find_steps(packing);
    packing->spans = gt_arena_push_array(&packing->arena, (size_t)packing->frame_count, sizeof *packing->spans);
    if (!steps || !packing->spans) {
        return gti_out_of_memory(error);
    }
    int32_t first = 0;
    do {
        int32_t last = span_end(steps, first, packing->frame_count - 1);
        last = before_whole_turns(packing, first, last);
        packing->spans[packing->span_count++] = (GtiPackSpan){ .first = first, .last = last };
        first = last;
    } while (first < packing->frame_count - 1);
    return GT_OK;
}
