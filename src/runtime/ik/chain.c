// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cyclic coordinate descent (L. Wang, C. Chen, A combined optimization method for solving the inverse kinematics
// problem of mechanical manipulators, 1991) rather than FABRIK: it turns joints, so that limits are kept exactly where
// FABRIK, which moves points, has to guess the turns between them; and it needs no memory. From the end up, no turn
// moves a joint that is still to come: one pass needs no matrices but those it began with.

#include "runtime/ik/limits.h"
#include "runtime/ik/pose.h"

#include "base/fail.h"

// A pass that comes less than this share nearer is the last.
#define STUCK 1e-4

// A stretched chain that points away from its target is bent by this, in rad.
#define NUDGE 0.05

GtIkChain gt_default_ik_chain(void)
{
    return (GtIkChain){
        .top = GT_NONE,
        .end = GT_NONE,
        .max_turn_rad = 0.6f,
        .tolerance_m = 1e-3f,
        .max_iterations = 200,
    };
}

// A node's limits, and whether it turns.
static GtiIkNode node_of(const GtIkChain* chain, int32_t node)
{
    GtIkJoint joint = gt_default_ik_joint();
    for (int32_t i = 0; i < chain->joint_count; ++i) {
        if (chain->joints[i].node == node) {
            joint = chain->joints[i];
        }
    }
    return gti_ik_joint_node(&joint, joint.kind == GT_IK_FIXED ? 0 : joint.kind == GT_IK_HINGE ? 1 : 3);
}

static GtiQuat rotation_above(const GtCharacter* character, const GtMat34* model_from_node, int32_t node)
{
    int32_t parent = gt_character_def(character)->parents[node];
    return parent == GT_NONE ? gti_quat_identity() : gti_quat_from(gt_mat34_polar(&model_from_node[parent], NULL));
}

// In the parent's space: the turn that brings `from` towards `to`, about the hinge where the joint is one.
static GtiVec wanted_turn(const GtIkChain* chain, const GtiIkNode* node, GtiQuat rotation, GtiVec from, GtiVec to)
{
    GtiVec turn = gti_vec(0.0, 0.0, 0.0);
    if (node->turn_count == 1) {
        GtiVec axis = gti_quat_rotate(rotation, node->axis);
        GtiVec a = gti_vec_across(from, axis);
        GtiVec b = gti_vec_across(to, axis);
        turn = gti_vec_scale(axis, atan2(gti_vec_dot(axis, gti_vec_cross(a, b)), gti_vec_dot(a, b)));
    } else if (gti_vec_length(from) > 1e-9 && gti_vec_length(to) > 1e-9) {
        turn = gti_quat_log(gti_quat_between(gti_vec_unit_or(from, to), gti_vec_unit_or(to, from),
                                             gti_quat_rotate(rotation, node->axis)));
    }
    double angle = gti_vec_length(turn);
    double most = chain->max_turn_rad > 0.0f ? (double)chain->max_turn_rad : INFINITY;
    return angle > most ? gti_vec_scale(turn, most / angle) : turn;
}

// A chain's point on its way up through a pass.
typedef struct Pass {
    GtiVec point;
    GtiVec target;
    bool nudge; // bend the next joint that can move the point
} Pass;

static GtiVec nudge_turn(const GtiIkNode* node, GtiQuat rotation, GtiVec from)
{
    GtiVec axis = gti_quat_rotate(rotation, node->axis);
    if (node->turn_count == 3) {
        GtiVec helper = fabs(from.x) < 0.7 * gti_vec_length(from) ? gti_vec(1.0, 0.0, 0.0) : gti_vec(0.0, 1.0, 0.0);
        axis = gti_vec_unit_or(gti_vec_cross(from, helper), gti_vec(0.0, 0.0, 1.0));
    }
    GtiQuat there = gti_ik_limit(node, gti_quat_mul(gti_quat_about(axis, NUDGE), rotation));
    double moved = gti_vec_length(gti_quat_log(gti_quat_mul(there, gti_quat_conjugate(rotation))));
    return gti_vec_scale(axis, moved > 0.5 * NUDGE ? NUDGE : -NUDGE); // the other way where a limit is in the way
}

static void turn_joint(const GtCharacter* character, const GtIkChain* chain, int32_t index, GtTransform* pose,
                       const GtMat34* model_from_node, Pass* pass)
{
    GtiIkNode node = node_of(chain, index);
    if (node.turn_count == 0) {
        return;
    }
    GtiVec center = gti_vec_from(gt_mat34_translation(&model_from_node[index]));
    GtiQuat above = rotation_above(character, model_from_node, index);
    GtiVec from = gti_quat_rotate(gti_quat_conjugate(above), gti_vec_sub(pass->point, center));
    GtiVec to = gti_quat_rotate(gti_quat_conjugate(above), gti_vec_sub(pass->target, center));
    GtiQuat before = gti_quat_unit(gti_quat_from(pose[index].rotation));
    GtiVec turn = wanted_turn(chain, &node, before, from, to);
    if (pass->nudge && gti_vec_length(from) > 1e-6) {
        turn = nudge_turn(&node, before, from);
        pass->nudge = false;
    }
    GtiQuat after = gti_ik_limit(&node, gti_quat_unit(gti_quat_mul(gti_quat_exp(turn), before)));
    GtiQuat made = gti_quat_mul(after, gti_quat_conjugate(before));
    pose[index].rotation = gt_quat_normalize(gti_quat_to_float(after));
    pass->point = gti_vec_add(center, gti_quat_rotate(above, gti_quat_rotate(made, from)));
}

static float run_pass(const GtCharacter* character, const GtIkChain* chain, bool nudge, GtTransform* pose,
                      GtMat34* model_from_node)
{
    Pass pass = {
        .point = gti_vec_from(gt_mat34_point(&model_from_node[chain->end], chain->point)),
        .target = gti_vec_from(chain->target),
        .nudge = nudge,
    };
    const int32_t* parents = gt_character_def(character)->parents;
    for (int32_t i = chain->end; i != GT_NONE && i >= chain->top; i = parents[i]) {
        turn_joint(character, chain, i, pose, model_from_node, &pass);
    }
    gti_ik_update_below(character, chain->top, pose, model_from_node);
    return gt_vec3_length(gt_vec3_sub(gt_mat34_point(&model_from_node[chain->end], chain->point), chain->target));
}

// Whether the target lies back along the chain, so that it must bend before it can come nearer.
static bool points_away(const GtCharacter* character, const GtIkChain* chain, const GtMat34* model_from_node)
{
    GtVec3 point = gt_mat34_point(&model_from_node[chain->end], chain->point);
    GtVec3 error = gt_vec3_sub(chain->target, point);
    const int32_t* parents = gt_character_def(character)->parents;
    for (int32_t i = chain->end; i != GT_NONE && i >= chain->top; i = parents[i]) {
        GtVec3 lever = gt_vec3_sub(point, gt_mat34_translation(&model_from_node[i]));
        if (gt_vec3_length(lever) > 1e-6f && node_of(chain, i).turn_count) {
            return gt_vec3_dot(error, lever) < 0.0f;
        }
    }
    return false;
}

static int32_t count_limited(const GtCharacter* character, const GtIkChain* chain, const GtTransform* pose)
{
    int32_t count = 0;
    const int32_t* parents = gt_character_def(character)->parents;
    for (int32_t i = chain->end; i != GT_NONE && i >= chain->top; i = parents[i]) {
        GtiIkNode node = node_of(chain, i);
        count += gti_ik_is_limited(&node, gti_quat_from(pose[i].rotation));
    }
    return count;
}

GtIkReport gt_ik_chain(const GtCharacter* character, const GtIkChain* chain, GtTransform* pose,
                       GtMat34* model_from_node)
{
    GT_ASSERT(chain->top >= 0 && chain->end < gt_character_def(character)->node_count);
    GT_ASSERT(gti_ik_is_above(character, chain->top, chain->end));
    GtIkReport report = { .miss_m = INFINITY };
    GtVec3 point = gt_mat34_point(&model_from_node[chain->end], chain->point);
    float miss_m = gt_vec3_length(gt_vec3_sub(point, chain->target));
    if (!isfinite(miss_m)) {
        report.ignored_count = 1;
        return report;
    }
    bool nudged = false;
    bool nudge = false;
    while (report.iteration_count < chain->max_iterations && !(miss_m <= chain->tolerance_m)) {
        float before_m = miss_m;
        miss_m = run_pass(character, chain, nudge, pose, model_from_node);
        ++report.iteration_count;
        bool stuck = !nudge && !(miss_m < before_m * (1.0f - (float)STUCK));
        nudge = false;
        if (stuck) {
            if (nudged || !points_away(character, chain, model_from_node)) {
                break;
            }
            nudged = true;
            nudge = true;
        }
    }
    report.miss_m = miss_m;
    report.met = miss_m <= chain->tolerance_m;
    report.limited_count = count_limited(character, chain, pose);
    return report;
}
