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

// What is moved by an offset in the joint's space, in metres at rest.
static void widen_reach(GtiPackReach* reach, const GtMat34* model_from_node, GtVec3 offset)
{
    GtVec3 v = gt_mat34_vector(model_from_node, offset);
    double length = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
    reach->radius_m = length > reach->radius_m ? length : reach->radius_m;
}

static void reach_vertices(const GtCharacterDef* def, const GtMeshDef* mesh, const GtMat34* model, GtiPackReach* out)
{
    for (int32_t v = 0; v < mesh->vertex_count && mesh->skin == GT_NONE; ++v) {
        widen_reach(&out[mesh->node], &model[mesh->node], mesh->positions[v]);
    }
    const GtSkinDef* skin = mesh->skin == GT_NONE ? NULL : &def->skins[mesh->skin];
    for (size_t i = 0; skin && i < (size_t)mesh->vertex_count * (size_t)mesh->influence_count; ++i) {
        if (mesh->weights[i] > 0.0f) {
            int32_t joint = mesh->joints[i];
            GtVec3 p = mesh->positions[i / (size_t)mesh->influence_count];
            int32_t node = skin->joints[joint];
            widen_reach(&out[node], &model[node], gt_mat34_point(&skin->joint_from_mesh[joint], p));
        }
    }
}

GtResult gti_pack_find_reaches(GtiClipPacking* packing, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    GtMat34* model = gt_arena_push_array(&packing->arena, (size_t)def->node_count, sizeof *model);
    packing->reaches = gt_arena_push_array(&packing->arena, (size_t)def->node_count, sizeof *packing->reaches);
    if (!model || !packing->reaches) {
        return gti_out_of_memory(error);
    }
    gt_character_to_model(packing->character, def->rest, model);
    for (int32_t i = 0; i < def->node_count; ++i) {
        packing->reaches[i].radius_m = (double)packing->def->shell_m;
    }
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        reach_vertices(def, &def->meshes[i], model, packing->reaches);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        GtiPackReach* reach = &packing->reaches[i];
        GtMat34 node_from_model = gt_mat34_inverse(&model[i], NULL);
        for (int k = 0; k < 9; ++k) {
            reach->offsets_from_unit[k / 3][k % 3] = reach->radius_m * (double)node_from_model.m[k / 3][k % 3];
        }
    }
    return GT_OK;
}

// The largest factor by which a matrix lengthens a vector: the root of the largest eigenvalue of its square, which is
// the largest root of a cubic (Smith 1961).
static double largest_stretch(const double m[3][3])
{
    double s[3][3];
    for (int i = 0; i < 9; ++i) {
        s[i / 3][i % 3] = m[0][i / 3] * m[0][i % 3] + m[1][i / 3] * m[1][i % 3] + m[2][i / 3] * m[2][i % 3];
    }
    double mean = (s[0][0] + s[1][1] + s[2][2]) / 3.0;
    double off = s[0][1] * s[0][1] + s[0][2] * s[0][2] + s[1][2] * s[1][2];
    double a = s[0][0] - mean, b = s[1][1] - mean, c = s[2][2] - mean;
    double spread = sqrt((a * a + b * b + c * c + 2.0 * off) / 6.0);
    double determinant = a * (b * c - s[1][2] * s[1][2]) - s[0][1] * (s[0][1] * c - s[1][2] * s[0][2]) +
                         s[0][2] * (s[0][1] * s[1][2] - b * s[0][2]);
    double cosine = spread > 0.0 ? determinant / (2.0 * spread * spread * spread) : 1.0;
    return sqrt(mean + 2.0 * spread * cos(acos(fmin(fmax(cosine, -1.0), 1.0)) / 3.0));
}

float gti_pack_node_error(const GtMat34* a, const GtMat34* b, const GtiPackReach* reach)
{
    double moved = 0.0;
    double turned[3][3];
    for (int i = 0; i < 3; ++i) {
        double shift = (double)a->m[i][3] - (double)b->m[i][3];
        moved += shift * shift;
        for (int k = 0; k < 3; ++k) {
            turned[i][k] = 0.0;
            for (int j = 0; j < 3; ++j) {
                turned[i][k] += ((double)a->m[i][j] - (double)b->m[i][j]) * reach->offsets_from_unit[j][k];
            }
        }
    }
    return (float)(sqrt(moved) + largest_stretch(turned));
}

// What jumps at keys, or hangs at it. A key's time is rounded, so that two clips may be on either side of a jump there.
typedef struct Jumps {
    bool any;
    bool* nodes;   // [node_count]
    bool* weights; // [weight_count]
} Jumps;

static bool find_jumps(const GtiClipPacking* packing, GtArena* arena, Jumps* out)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    out->nodes = gt_arena_push_array(arena, (size_t)def->node_count, sizeof(bool));
    out->weights = gt_arena_push_array(arena, (size_t)def->weight_count, sizeof(bool));
    out->any = false;
    bool done = out->nodes && out->weights;
    for (int32_t i = 0; done && i < packing->track_count; ++i) {
        const GtiClipPackTrack* track = &packing->tracks[i];
        for (uint32_t k = 0; track->held && track->node == GT_NONE && k < track->weight_count; ++k) {
            out->weights[track->place + k] = true;
        }
        if (track->held && track->node != GT_NONE) {
            out->nodes[track->node] = true;
        }
        out->any |= track->held != 0;
    }
    for (int32_t i = 0; done && i < def->node_count; ++i) {
        out->nodes[i] |= def->parents[i] != GT_NONE && out->nodes[def->parents[i]];
    }
    return done;
}

// Both clips at one time. `without` is left out of it, or NULL.
static void compare(const GtiClipPacking* packing, const GtiPackedHead* packed, const GtiPackPoses* poses,
                    double time_s, const Jumps* without, GtiPackErrors* out)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    gt_clip_sample(packing->source, time_s, poses->pose[0], poses->weights[0]);
    gti_packed_sample(packed, time_s, poses->pose[1], poses->weights[1]);
    for (int i = 0; i < 2; ++i) {
        gt_character_to_model(packing->character, poses->pose[i], poses->model[i]);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        bool is_out = without && without->nodes[i];
        float error =
            is_out ? 0.0f : gti_pack_node_error(&poses->model[0][i], &poses->model[1][i], &packing->reaches[i]);
        out->nodes[i] = error <= out->nodes[i] ? out->nodes[i] : error;
        if (!(error <= out->largest_m)) {
            out->largest_m = error;
            out->worst_node = i;
            out->worst_time_s = time_s;
        }
    }
    for (int32_t i = 0; i < def->weight_count; ++i) {
        bool is_out = without && without->weights[i];
        float error = is_out ? 0.0f : fabsf(poses->weights[0][i] - poses->weights[1][i]);
        out->largest_weight = error <= out->largest_weight ? out->largest_weight : error;
    }
}

bool gti_pack_measure(const GtiClipPacking* packing, const GtiPackedHead* packed, int32_t first, int32_t last,
                      GtiPackErrors* out)
{
    const GtCharacterDef* def = gt_character_def(packing->character);
    GtArena arena = gt_arena_create(packing->arena.allocator);
    GtiPackPoses poses;
    Jumps jumps;
    bool done = gti_pack_push_poses(&arena, def, &poses) && find_jumps(packing, &arena, &jumps);
    float* nodes = out->nodes;
    *out = (GtiPackErrors){ .nodes = nodes, .worst_node = GT_NONE };
    for (int32_t i = 0; done && i < def->node_count; ++i) {
        nodes[i] = 0.0f;
    }
    for (int64_t i = (int64_t)MEASURED * first; done && i <= (int64_t)MEASURED * last; ++i) {
        double frame = (double)i / (double)MEASURED;
        bool is_key = i % MEASURED == 0;
        compare(packing, packed, &poses, gti_pack_time_s(packing, frame), is_key && jumps.any ? &jumps : NULL, out);
        if (is_key && jumps.any) { // beside it, too, where jumps are told
            double after = i < (int64_t)MEASURED * last ? GTI_AFTER_KEY : -GTI_AFTER_KEY;
            compare(packing, packed, &poses, gti_pack_time_s(packing, frame + after), NULL, out);
        }
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
            float step = gti_pack_node_error(&poses.model[0][n], &poses.model[1][n], &packing->reaches[n]);
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
