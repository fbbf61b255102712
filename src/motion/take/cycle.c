// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/take/cycle.h"

#include <math.h>
#include <string.h>

static const double SPAN_S = 1.5;
static const float SAME_RAD = 0.01f;
static const float SAME = 0.002f; // of lengths, in their parents' units, to what they are

// A turn about the vertical, then a way over the ground.
typedef struct Travel {
    GtQuat turn;
    GtVec3 way;
} Travel;

static const GtTransform* frame_of(const GtiCycle* cycle, int32_t frame)
{
    return cycle->poses + (size_t)frame * (size_t)cycle->stride;
}

static GtTransform carrier_at(const GtiCycle* cycle, int32_t frame)
{
    GtMat34 local = gt_mat34_from_transform(frame_of(cycle, frame)[cycle->carrier]);
    GtMat34 model = gt_mat34_mul(cycle->model_from_parent, local);
    return gt_transform_from_mat34(&model, NULL);
}

static Travel travel_of(const GtiCycle* cycle)
{
    GtTransform first = carrier_at(cycle, 0);
    GtTransform last = carrier_at(cycle, cycle->count - 1);
    GtQuat turn = gt_quat_mul(last.rotation, gt_quat_conjugate(first.rotation));
    Travel travel = { gt_quat_normalize(gt_quat(0.0f, turn.y, 0.0f, turn.w)), gt_vec3(0.0f, 0.0f, 0.0f) };
    travel.way = gt_vec3_sub(last.translation, gt_quat_rotate(travel.turn, first.translation));
    travel.way.y = 0.0f;
    return travel;
}

static GtTransform travelled(const GtiCycle* cycle, GtTransform local, const Travel* travel, bool back)
{
    GtMat34 moved = gt_mat34_from_transform(gt_transform(travel->way, travel->turn, gt_vec3(1.0f, 1.0f, 1.0f)));
    GtMat34 parent_from_model = gt_mat34_inverse(&cycle->model_from_parent, NULL);
    moved = back ? gt_mat34_inverse(&moved, NULL) : moved;
    GtVec3 size = gt_vec3(fabsf(local.scale.x), fabsf(local.scale.y), fabsf(local.scale.z));
    GtMat34 unmirrored = gt_mat34_from_transform(gt_transform(local.translation, local.rotation, size));
    GtMat34 model = gt_mat34_mul(cycle->model_from_parent, unmirrored);
    model = gt_mat34_mul(parent_from_model, gt_mat34_mul(moved, model));
    GtTransform out = gt_transform_from_mat34(&model, NULL);
    out.scale = local.scale;
    return out;
}

static bool same(const GtTransform* a, const GtTransform* b)
{
    float size = gt_vec3_length(a->translation) + gt_vec3_length(b->translation);
    return gt_quat_angle_rad(a->rotation, b->rotation) < SAME_RAD &&
           gt_vec3_length(gt_vec3_sub(a->translation, b->translation)) <= SAME * size;
}

bool gti_cycle_closes(const GtiCycle* cycle)
{
    Travel travel = travel_of(cycle);
    const GtTransform* first = frame_of(cycle, 0);
    const GtTransform* last = frame_of(cycle, cycle->count - 1);
    for (int32_t i = 0; i < cycle->stride; ++i) {
        GtTransform here = i == cycle->carrier ? travelled(cycle, last[i], &travel, true) : last[i];
        if (!same(&first[i], &here)) {
            return false;
        }
    }
    return true;
}

void gti_cycle_travel(const GtiCycle* cycle, int32_t lap, GtTransform* pose)
{
    Travel travel = travel_of(cycle);
    pose[cycle->carrier] = travelled(cycle, pose[cycle->carrier], &travel, lap < 0);
}

bool gti_cycle_continue(const GtiCycle* cycle, GtArena* arena, GtiContinued* out)
{
    double duration_s = (double)(cycle->times[cycle->count - 1] - cycle->times[0]);
    int32_t last = cycle->count - 1;
    *out = (GtiContinued){ 0 };
    while (out->after < last && (double)(cycle->times[out->after + 1] - cycle->times[0]) <= SPAN_S) {
        ++out->after;
    }
    while (out->before < last && (double)(cycle->times[last] - cycle->times[last - out->before - 1]) <= SPAN_S) {
        ++out->before;
    }
    out->count = out->before + cycle->count + out->after;
    size_t stride = (size_t)cycle->stride;
    out->times = gt_arena_push_array(arena, (size_t)out->count, sizeof *out->times);
    out->frames = gt_arena_push_array(arena, (size_t)out->count, sizeof *out->frames);
    out->poses = gt_arena_push_array(arena, (size_t)out->count * stride, sizeof *out->poses);
    if (!out->times || !out->frames || !out->poses) {
        return false;
    }
    Travel travel = travel_of(cycle);
    for (int32_t i = 0; i < out->count; ++i) {
        int32_t frame = i - out->before;
        int32_t lap = frame < 0 ? -1 : frame > last ? 1 : 0;
        frame -= lap * last;
        out->frames[i] = frame;
        out->times[i] = (float)((double)cycle->times[frame] + lap * duration_s);
        GtTransform* pose = out->poses + (size_t)i * stride;
        memcpy(pose, frame_of(cycle, frame), stride * sizeof *pose);
        if (lap) {
            pose[cycle->carrier] = travelled(cycle, pose[cycle->carrier], &travel, lap < 0);
        }
    }
    return true;
}

void gti_cycle_continue_bits(int32_t count, const GtiContinued* more, const uint8_t* bits, uint8_t* out)
{
    for (int32_t i = 0; i < more->count; ++i) {
        int32_t frame = more->frames[i];
        out[i] = frame == 0 || frame == count - 1 ? (uint8_t)(bits[0] | bits[count - 1]) : bits[frame];
    }
}
