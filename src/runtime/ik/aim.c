// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Aiming. The turn of the last node, as its axis times its angle, is cut to weight and limit, and shared: turns about
// one axis add up in any order, so each node's share can be put into the pose as it was given. What looks moves as
// nodes below it turn, and is aimed again from its new place.

#include "runtime/ik/pose.h"

#include "base/fail.h"
#include "base/quat_double.h"
#include "base/scalar.h"
#include "runtime/ik/soft_reach.h"

enum {
    MOST_ROUNDS = 24,
    ROLL_ROUNDS = 12
};

// A turn that changes by less than this, in rad, is found.
#define CLOSE 1e-6

// Share of the limit from which on turns grow ever less.
#define SOFT 0.8

// Where `up` is within some 3 degrees of where the node looks, what it asks for fades.
#define UP_FADE 0.05

// The pose as given.
typedef struct Given {
    GtQuat rotations[GT_MAX_IK_AIM_NODES];
    GtQuat model_from_parent[GT_MAX_IK_AIM_NODES];
    float shares[GT_MAX_IK_AIM_NODES];
    GtiVec axis; // unit vectors in model space
    GtiVec up_axis;
} Given;

GtIkAim gt_default_ik_aim(void)
{
    return (GtIkAim){
        .axis = gt_vec3(0.0f, 0.0f, 1.0f),
        .up_axis = gt_vec3(0.0f, 1.0f, 0.0f),
        .up = gt_vec3(0.0f, 1.0f, 0.0f),
        .weight = 1.0f,
        .limit_rad = (float)GTI_PI,
    };
}

static Given take(const GtCharacter* character, const GtIkAim* aim, const GtTransform* pose,
                  const GtMat34* model_from_node)
{
    Given given = { 0 };
    float sum = 0.0f;
    for (int32_t i = 0; i < aim->node_count; ++i) {
        int32_t node = aim->nodes[i];
        int32_t parent = gt_character_def(character)->parents[node];
        given.rotations[i] = pose[node].rotation;
        given.model_from_parent[i] =
            parent == GT_NONE ? gt_quat_identity() : gt_mat34_polar(&model_from_node[parent], NULL);
        float share = aim->shares ? aim->shares[i] : 1.0f;
        given.shares[i] = share > 0.0f && share < 1e9f ? share : 0.0f; // written so that NaN has no share
        sum += given.shares[i];
    }
    for (int32_t i = 0; i < aim->node_count; ++i) {
        given.shares[i] = sum > 0.0f ? given.shares[i] / sum : 0.0f;
    }
    const GtMat34* last = &model_from_node[aim->nodes[aim->node_count - 1]];
    GtiVec none = gti_vec(0.0, 0.0, 0.0);
    given.axis = gti_vec_unit_or(gti_vec_from(gt_mat34_vector(last, aim->axis)), none);
    given.up_axis = gti_vec_unit_or(gti_vec_from(gt_mat34_vector(last, aim->up_axis)), none);
    return given;
}

// About `direction`, so that the turned up axis comes to the side of `up`.
static GtiQuat roll(const GtIkAim* aim, const Given* given, GtiQuat turn, GtiVec direction)
{
    GtiVec up = gti_vec_from(aim->up);
    if (!gti_vec_is_finite(up)) {
        return gti_quat_identity();
    }
    GtiVec from = gti_vec_across(gti_quat_rotate(turn, given->up_axis), direction);
    GtiVec to = gti_vec_across(gti_vec_unit_or(up, direction), direction);
    double angle = atan2(gti_vec_dot(direction, gti_vec_cross(from, to)), gti_vec_dot(from, to));
    double clear = gti_vec_length(from) * gti_vec_length(to);
    return gti_quat_about(direction, angle * fmin(1.0, clear / UP_FADE));
}

// How much of a turn is made.
static double limited(const GtIkAim* aim, double angle)
{
    double weight = aim->weight > 0.0f ? fmin((double)aim->weight, 1.0) : 0.0;
    double limit = aim->limit_rad > 0.0f ? (double)aim->limit_rad : 0.0;
    if (!(limit < GTI_PI)) {
        return weight * angle;
    }
    double from = 0.5 * (limit + GTI_PI);
    double fade = 1.0 - gti_cubic_step((angle - from) / (GTI_PI - from));
    return weight * gti_ik_soft_reach(angle, limit, SOFT) * fade;
}

// The whole turn of the last node towards the target as seen from `eye`. Later rounds only add to the turn of the round
// before: next to straight up and down the roll changes more than the eye's place, and would not come to rest.
static GtiQuat whole_turn(const GtIkAim* aim, const Given* given, GtiVec eye, int round, GtiQuat last)
{
    GtiVec direction = gti_vec_unit_or(gti_vec_sub(gti_vec_from(aim->target), eye), given->axis);
    if (round >= ROLL_ROUNDS) {
        GtiVec axis = gti_quat_rotate(last, given->axis);
        return gti_quat_unit(gti_quat_mul(gti_quat_between(axis, direction, given->up_axis), last));
    }
    GtiQuat turn = gti_quat_between(given->axis, direction, given->up_axis);
    return gti_quat_mul(roll(aim, given, turn, direction), turn);
}

// As axis times angle, cut to weight and limit. Near half a turn, where left and right meet, the side of the round
// before is kept.
static GtiVec limited_turn(const GtIkAim* aim, GtiQuat whole, GtiVec last)
{
    GtiVec way = gti_quat_log(whole);
    double angle = gti_vec_length(way);
    if (angle > 0.5 * GTI_PI && gti_vec_dot(way, last) < 0.0) {
        way = gti_vec_scale(way, (angle - 2.0 * GTI_PI) / angle);
        angle = 2.0 * GTI_PI - angle;
    }
    return angle > 1e-12 ? gti_vec_scale(way, limited(aim, angle) / angle) : way;
}

static void apply(const GtIkAim* aim, const Given* given, GtiVec turn, GtTransform* pose)
{
    for (int32_t i = 0; i < aim->node_count; ++i) {
        GtQuat share = gti_quat_to_float(gti_quat_exp(gti_vec_scale(turn, (double)given->shares[i])));
        GtQuat parent = given->model_from_parent[i];
        share = gt_quat_mul(gt_quat_mul(gt_quat_conjugate(parent), share), parent);
        pose[aim->nodes[i]].rotation = gt_quat_normalize(gt_quat_mul(share, given->rotations[i]));
    }
}

float gt_ik_aim(const GtCharacter* character, const GtIkAim* aim, GtTransform* pose, GtMat34* model_from_node)
{
    GT_ASSERT(aim->node_count >= 1 && aim->node_count <= GT_MAX_IK_AIM_NODES);
    int32_t top = aim->nodes[0];
    int32_t last = aim->nodes[aim->node_count - 1];
    GtiVec target = gti_vec_from(aim->target);
    Given given = take(character, aim, pose, model_from_node);
    GtVec3 eye = gt_mat34_point(&model_from_node[last], aim->point);
    if (!gti_vec_is_finite(target) || !gti_vec_is_finite(gti_vec_from(eye)) || !(gti_vec_length(given.axis) > 0.5)) {
        return INFINITY;
    }
    GtiQuat whole = gti_quat_identity();
    GtiVec turn = gti_vec(0.0, 0.0, 0.0);
    GtMat34 model = model_from_node[last];
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        whole = whole_turn(aim, &given, gti_vec_from(eye), round, whole);
        GtiVec next = limited_turn(aim, whole, turn);
        double change = gti_vec_length(gti_vec_sub(next, turn));
        turn = next;
        apply(aim, &given, turn, pose);
        model = gti_ik_model_from(character, pose, model_from_node, top, last);
        eye = gt_mat34_point(&model, aim->point);
        if (!(change > CLOSE)) {
            break;
        }
    }
    gti_ik_update_below(character, top, pose, model_from_node);
    GtiVec axis = gti_vec_unit_or(gti_vec_from(gt_mat34_vector(&model, aim->axis)), given.axis);
    GtiVec direction = gti_vec_unit_or(gti_vec_sub(target, gti_vec_from(eye)), axis);
    return (float)atan2(gti_vec_length(gti_vec_cross(axis, direction)), gti_vec_dot(axis, direction));
}
