// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What pruning costs is measured as linear skin moves: in poses that bend every joint by 40 degrees about axes of all
// directions, at the points that lost the most.

#include "rig/weigh/prune.h"

#include "gertie/quat.h"

#include "base/fail.h"

#include <math.h>

enum {
    POSE_COUNT = 6,
    PROBE_LIMIT = 4096 // points that are posed
};

#define BEND_RAD 0.7f
// Of the most that a point lost; points that lost less are not posed.
#define PROBE_FROM 0.25f
// Weights under this are not worth a joint.
#define LEAST 2e-3f

static float sum_of(const float* weights, int32_t count)
{
    float sum = 0.0f;
    for (int32_t k = 0; k < count; ++k) {
        sum += weights[k];
    }
    return sum;
}

// A weight that is hardly more than the first one that is lost fades, so that none ends in a step where joints change
// their order from one point to the next.
static float faded(float weight, float first_lost)
{
    return weight * fminf(fmaxf((weight - first_lost) / first_lost, 0.0f), 1.0f);
}

// Returns what the point lost.
static float prune_point(const GtiProxyRows* rows, int32_t point, GtiWeights* out)
{
    const uint16_t* from_joints = &rows->joints[(size_t)point * (size_t)rows->width];
    const float* from = &rows->weights[(size_t)point * (size_t)rows->width];
    uint16_t* joints = &out->joints[(size_t)point * (size_t)out->influences];
    float* weights = &out->weights[(size_t)point * (size_t)out->influences];
    float all = sum_of(from, rows->width);
    float first_lost = out->influences < rows->width ? fmaxf(from[out->influences], LEAST * all) : LEAST * all;
    float kept = 0.0f;
    int32_t count = 0;
    for (; count < out->influences && count < rows->width && from[count] > LEAST * all; ++count) {
        kept += faded(from[count], first_lost);
    }
    for (int32_t k = 0; k < out->influences; ++k) {
        bool stays = k < count && kept > 0.0f;
        joints[k] = stays ? from_joints[k] : 0;
        weights[k] = stays ? faded(from[k], first_lost) / kept : 0.0f;
    }
    if (kept == 0.0f && count > 0) { // all alike
        joints[0] = from_joints[0];
        weights[0] = 1.0f;
    }
    if (count == 0) {
        weights[0] = 1.0f;
        return 0.0f;
    }
    float lost = 0.0f;
    for (int32_t k = count; k < rows->width; ++k) {
        lost += from[k] > LEAST * all ? from[k] : 0.0f;
    }
    return lost / all;
}

// Where a joint's flesh goes: rotate(turn, p) + shift.
typedef struct Move {
    GtQuat turn;
    GtVec3 shift;
} Move;

// The axes walk over the sphere by the golden angle; roots stay.
static void pose(const GtiRigSkeleton* skeleton, int32_t number, Move* moves)
{
    moves[0] = (Move){ gt_quat_identity(), { 0.0f, 0.0f, 0.0f } };
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        const GtiRigJoint* joint = &skeleton->joints[j];
        if (joint->parent == GT_NONE) {
            moves[j] = moves[0];
            continue;
        }
        int64_t step = (int64_t)j * POSE_COUNT + number;
        float angle = 2.3999632f * (float)(step % 1024);
        float height = 1.0f - 2.0f * ((float)(step % 31) + 0.5f) / 31.0f;
        float ring = sqrtf(1.0f - height * height);
        GtQuat bend = gt_quat_from_axis_angle(gt_vec3(ring * cosf(angle), height, ring * sinf(angle)), BEND_RAD);
        const Move* parent = &moves[joint->parent];
        GtVec3 shift = gt_vec3_sub(joint->position, gt_quat_rotate(bend, joint->position));
        moves[j] = (Move){
            .turn = gt_quat_mul(parent->turn, bend),
            .shift = gt_vec3_add(gt_quat_rotate(parent->turn, shift), parent->shift),
        };
    }
}

static GtVec3 pose_point(const Move* moves, const uint16_t* joints, const float* weights, int32_t count, GtVec3 p)
{
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int32_t k = 0; k < count && weights[k] > 0.0f; ++k) {
        const Move* move = &moves[joints[k]];
        GtVec3 moved = gt_vec3_add(gt_quat_rotate(move->turn, p), move->shift);
        sum = gt_vec3_add(sum, gt_vec3_scale(moved, weights[k]));
    }
    return gt_vec3_scale(sum, 1.0f / sum_of(weights, count));
}

static float move_of(const Move* moves, const GtiProxyRows* rows, const GtiWeights* weights, int32_t point, GtVec3 p)
{
    size_t from = (size_t)point * (size_t)rows->width;
    size_t to = (size_t)point * (size_t)weights->influences;
    GtVec3 before = pose_point(moves, &rows->joints[from], &rows->weights[from], rows->width, p);
    GtVec3 after = pose_point(moves, &weights->joints[to], &weights->weights[to], weights->influences, p);
    return gt_vec3_length(gt_vec3_sub(before, after));
}

GtResult gti_weights_prune(const GtContext* context, const GtVec3* points, int32_t point_count,
                           const GtiProxyRows* rows, const GtiRigSkeleton* skeleton, GtiWeights* out, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    float* lost = gt_arena_push_array(&scratch, (size_t)point_count, sizeof *lost);
    Move* moves = gt_arena_push_array(&scratch, (size_t)skeleton->joint_count * POSE_COUNT, sizeof *moves);
    if (!lost || !moves) {
        gt_arena_destroy(&scratch);
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < point_count; ++i) {
        lost[i] = prune_point(rows, i, out);
        out->pruned_weight = fmaxf(out->pruned_weight, lost[i]);
    }
    for (int32_t n = 0; n < POSE_COUNT; ++n) {
        pose(skeleton, n, &moves[(size_t)n * (size_t)skeleton->joint_count]);
    }
    int32_t probed = 0;
    for (int32_t i = 0; i < point_count && probed < PROBE_LIMIT; ++i) {
        if (lost[i] > PROBE_FROM * out->pruned_weight) {
            ++probed;
            for (int32_t n = 0; n < POSE_COUNT; ++n) {
                const Move* posed = &moves[(size_t)n * (size_t)skeleton->joint_count];
                out->pruned_distance = fmaxf(out->pruned_distance, move_of(posed, rows, out, i, points[i]));
            }
        }
    }
    gt_arena_destroy(&scratch);
    return GT_OK;
}
