// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The turn that makes |weight turn|^2 + sum over shoulders of max(0, lack - row . turn)^2 least: a quadratic program
// whose answer exists and is continuous whatever is asked for, be it both shoulders down. It is made again around the
// last answer a few times (Gauss and Newton), as rows change with the turn.

#include "motion/touch/lean.h"

#include <math.h>

enum {
    ROUNDS = 4
};

static const float WEIGHT = 0.1f;   // of a turn, in lengths of the trunk
static const float FULL = 0.04f;    // likewise: what lacks this much counts by half, and what lacks nothing not at all
static const float FREE_RAD = 0.4f; // turns up to here are made in full,
static const float MOST_RAD = 0.6f; // and none is larger

GtQuat gti_lean_share(const GtiTrunk* trunk, GtVec3 turn)
{
    float angle = gt_vec3_length(turn);
    return angle > 0.0f ? gt_quat_from_axis_angle(gt_vec3_scale(turn, 1.0f / angle), angle / (float)trunk->joint_count)
                        : gt_quat_identity();
}

static GtiTrunk turned(const GtiTrunk* trunk, GtVec3 turn)
{
    GtiTrunk out = *trunk;
    GtQuat share = gti_lean_share(trunk, turn);
    for (int j = 0; j < trunk->joint_count; ++j) {
        for (int k = j + 1; k < trunk->joint_count; ++k) {
            out.joints[k] =
                gt_vec3_add(out.joints[j], gt_quat_rotate(share, gt_vec3_sub(out.joints[k], out.joints[j])));
        }
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            GtVec3 arm = gt_vec3_sub(out.shoulders[side], out.joints[j]);
            out.shoulders[side] = gt_vec3_add(out.joints[j], gt_quat_rotate(share, arm));
        }
    }
    return out;
}

// How much farther along its way a shoulder comes with each component of the turn.
static GtVec3 row_of(const GtiTrunk* now, int side, GtVec3 way)
{
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int j = 0; j < now->joint_count; ++j) {
        sum = gt_vec3_add(sum, gt_vec3_cross(gt_vec3_sub(now->shoulders[side], now->joints[j]), way));
    }
    return gt_vec3_scale(sum, 1.0f / (float)now->joint_count);
}

// What is active is told by its multiplier, which is what it lacks over the weight.
static GtVec3 least_turn(const GtVec3 rows[2], const float needs[2], float weight_m)
{
    float a = gt_vec3_dot(rows[0], rows[0]) + weight_m * weight_m, b = gt_vec3_dot(rows[0], rows[1]);
    float c = gt_vec3_dot(rows[1], rows[1]) + weight_m * weight_m, det = a * c - b * b;
    float x = (c * needs[0] - b * needs[1]) / det, y = (a * needs[1] - b * needs[0]) / det;
    if (x > 0.0f && y > 0.0f) {
        return gt_vec3_add(gt_vec3_scale(rows[0], x), gt_vec3_scale(rows[1], y));
    }
    x = needs[0] / a;
    y = needs[1] / c;
    if (x > 0.0f && b * x >= needs[1]) {
        return gt_vec3_scale(rows[0], x);
    }
    return gt_vec3_scale(rows[1], fmaxf(y, 0.0f));
}

static GtVec3 within_limit(GtVec3 turn)
{
    float angle = gt_vec3_length(turn), room = MOST_RAD - FREE_RAD;
    float most = FREE_RAD + room * (1.0f - expf(-(angle - FREE_RAD) / room));
    return angle > FREE_RAD ? gt_vec3_scale(turn, most / angle) : turn;
}

GtVec3 gti_lean(const GtiTrunk* trunk, const GtiLeanGoal* goal)
{
    GtVec3 turn = { 0.0f, 0.0f, 0.0f };
    GtVec3 middle = gt_vec3_lerp(trunk->shoulders[GTI_LEFT_SIDE], trunk->shoulders[GTI_RIGHT_SIDE], 0.5f);
    float trunk_m = fmaxf(gt_vec3_length(gt_vec3_sub(middle, trunk->joints[0])), 1e-6f);
    bool is_needed = goal->lacks_m[GTI_LEFT_SIDE] > 0.0f || goal->lacks_m[GTI_RIGHT_SIDE] > 0.0f;
    for (int round = 0; is_needed && round < ROUNDS; ++round) {
        GtiTrunk now = turned(trunk, turn);
        GtVec3 rows[GTI_SIDE_COUNT];
        float needs[GTI_SIDE_COUNT];
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            GtVec3 moved = gt_vec3_sub(now.shoulders[side], trunk->shoulders[side]);
            GtVec3 row = row_of(&now, side, goal->ways[side]);
            float need = goal->lacks_m[side] - gt_vec3_dot(moved, goal->ways[side]) + gt_vec3_dot(row, turn);
            float counts = goal->lacks_m[side] / (goal->lacks_m[side] + FULL * trunk_m);
            rows[side] = gt_vec3_scale(row, counts);
            needs[side] = need * counts;
        }
        turn = within_limit(least_turn(rows, needs, WEIGHT * trunk_m));
    }
    return turn;
}
