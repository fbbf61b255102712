// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What pruning costs is bounded as linear skin moves, over all poses in which no joint bends by more than 40 degrees. A
// joint j that bends by an angle a about any axis through its place x_j takes a point p away from where its parent
// takes it by at most 2 sin(a / 2) |p - x_j|, however the joints above are turned. Weights that differ by d_k from
// those that there were, and sum to the same, so move the point by at most 2 sin(a / 2) sum_j |f_j| |p - x_j|, where
// f_j is the sum of d_k over j and all below it.

#include "rig/weigh/prune.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static const double BEND_RAD = 0.6981317; // 40 degrees
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

// The farthest that a point is from where it would be without a limit of influences. Roots stay.
// flows: [joint_count] scratch
static double bound_move(const GtiRigSkeleton* skeleton, const GtiProxyRows* rows, const GtiWeights* weights,
                         int32_t point, GtVec3 p, double* flows)
{
    const uint16_t* from_joints = &rows->joints[(size_t)point * (size_t)rows->width];
    const float* from = &rows->weights[(size_t)point * (size_t)rows->width];
    const uint16_t* to_joints = &weights->joints[(size_t)point * (size_t)weights->influences];
    const float* to = &weights->weights[(size_t)point * (size_t)weights->influences];
    float least = LEAST * sum_of(from, rows->width); // what is less is left out with any limit
    double all = 0.0, sum = 0.0;
    for (int32_t k = 0; k < rows->width; ++k) {
        all += from[k] > least ? (double)faded(from[k], least) : 0.0;
    }
    if (!(all > 0.0)) {
        return 0.0;
    }
    memset(flows, 0, (size_t)skeleton->joint_count * sizeof *flows);
    for (int32_t k = 0; k < rows->width; ++k) {
        flows[from_joints[k]] += from[k] > least ? (double)faded(from[k], least) / all : 0.0;
    }
    for (int32_t k = 0; k < weights->influences; ++k) {
        flows[to_joints[k]] -= (double)to[k];
    }
    for (int32_t j = skeleton->joint_count; j-- > 0;) {
        const GtiRigJoint* joint = &skeleton->joints[j];
        if (joint->parent != GT_NONE) {
            flows[joint->parent] += flows[j];
            sum += fabs(flows[j]) * (double)gt_vec3_length(gt_vec3_sub(p, joint->position));
        }
    }
    return 2.0 * sin(0.5 * BEND_RAD) * sum;
}

GtResult gti_weights_prune(const GtContext* context, const GtVec3* points, int32_t point_count,
                           const GtiProxyRows* rows, const GtiRigSkeleton* skeleton, GtiWeights* out, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    double* flows = gt_arena_push_array(&scratch, (size_t)skeleton->joint_count, sizeof *flows);
    for (int32_t i = 0; i < point_count && flows; ++i) {
        out->pruned_weight = fmaxf(out->pruned_weight, prune_point(rows, i, out));
        out->pruned_distance = fmaxf(out->pruned_distance, (float)bound_move(skeleton, rows, out, i, points[i], flows));
    }
    gt_arena_destroy(&scratch);
    return flows ? GT_OK : gti_out_of_memory(error);
}
