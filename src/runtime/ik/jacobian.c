// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Columns of the Jacobian: a turn about the unit axis a through the joint at c moves a point p by a x (p - c) and turns
// it by a; a move along a moves it by a. A ball joint without limits turns about its parent's axes. One with limits
// turns about axes that its limits are along: b, its own axis as it stands, changes the twist alone; the axis of the
// swing changes the swing alone; the third changes neither swing nor, to first order near the neutral rotation, twist.

#include "runtime/ik/limits.h"

static void axes_of_limited(const GtiIkNode* node, GtiQuat rotation, GtiVec* axes, double* lower, double* upper)
{
    GtiSwingTwist at = gti_ik_swing_twist(node, rotation);
    axes[0] = gti_quat_rotate(rotation, node->axis);
    if (node->twist_limited) {
        lower[0] = node->min_turn - at.twist;
        upper[0] = node->max_turn - at.twist;
    }
    if (node->turn_count == 3) {
        axes[1] = gti_vec_unit_or(gti_vec_across(at.swing_axis, axes[0]), at.swing_axis);
        axes[2] = gti_vec_cross(axes[0], axes[1]);
        if (node->swing_limited) {
            upper[1] = node->max_swing - at.swing;
        }
    }
}

static void local_axes(GtiIkState* state, int32_t index, int32_t dof)
{
    const GtiIkNode* node = &state->solver->nodes[index];
    GtiVec* axes = &state->local_axes[dof];
    if (node->twist_limited || node->swing_limited) {
        axes_of_limited(node, state->now.rotations[index], axes, &state->lower[dof], &state->upper[dof]);
    } else if (node->turn_count == 1) {
        axes[0] = gti_quat_rotate(state->now.rotations[index], node->axis);
    } else {
        axes[0] = gti_vec(1.0, 0.0, 0.0);
        axes[1] = gti_vec(0.0, 1.0, 0.0);
        axes[2] = gti_vec(0.0, 0.0, 1.0);
    }
}

// What is left of the largest turn of one solve, from where the joint started.
static void limit_speed(GtiIkState* state, int32_t index, int32_t dof)
{
    double most = (double)state->solver->def.max_turn_rad;
    if (most >= GTI_IK_NO_TURN_LIMIT) {
        return;
    }
    GtiQuat turn = gti_quat_mul(state->now.rotations[index], gti_quat_conjugate(state->start.rotations[index]));
    GtiVec turned = gti_quat_log(turn);
    for (int32_t k = dof; k < dof + state->solver->nodes[index].turn_count; ++k) {
        double along = gti_vec_dot(turned, state->local_axes[k]);
        state->lower[k] = fmax(state->lower[k], fmin(-most - along, 0.0));
        state->upper[k] = fmin(state->upper[k], fmax(most - along, 0.0));
    }
}

// A mirrored space turns the other way round, which the cube root of the determinant knows.
static void model_axes(GtiIkState* state, int32_t parent, int32_t dof, int32_t count)
{
    if (parent == GT_NONE) {
        for (int32_t k = 0; k < count; ++k) {
            state->axes[dof + k] = state->local_axes[dof + k];
        }
        return;
    }
    double(*m)[3] = state->linear[parent];
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    double scale = determinant != 0.0 ? 1.0 / cbrt(determinant) : 0.0;
    for (int32_t k = 0; k < count; ++k) {
        GtiVec a = state->local_axes[dof + k];
        state->axes[dof + k] = gti_vec(scale * (m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z),
                                       scale * (m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z),
                                       scale * (m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z));
    }
}

// From here to the posture, along the dofs: what of the logarithm of the turn is along each axis.
static void wanted_turn(GtiIkState* state, int32_t index, int32_t dof)
{
    const GtiIkNode* node = &state->solver->nodes[index];
    GtiQuat to = gti_quat_from(state->posture[node->node].rotation);
    double length = to.x * to.x + to.y * to.y + to.z * to.z + to.w * to.w;
    GtiVec turn = gti_vec(0.0, 0.0, 0.0);
    if (length > 1e-12 && length < 1e12) { // written so that NaN wants nothing
        turn = gti_quat_log(gti_quat_mul(gti_quat_unit(to), gti_quat_conjugate(state->now.rotations[index])));
    }
    for (int32_t k = 0; k < node->turn_count; ++k) {
        state->wanted[dof + k] = gti_vec_dot(turn, state->local_axes[dof + k]);
    }
}

static void wanted_move(GtiIkState* state, int32_t index, int32_t dof)
{
    const GtiIkNode* node = &state->solver->nodes[index];
    GtiVec from = gti_vec_add(gti_vec_from(state->pose[node->node].translation), state->now.move);
    GtiVec move = gti_vec_sub(gti_vec_from(state->posture[node->node].translation), from);
    if (!gti_vec_is_finite(move)) {
        move = gti_vec(0.0, 0.0, 0.0);
    }
    if (node->parent != GT_NONE) {
        double(*m)[3] = state->linear[node->parent];
        move = gti_vec(m[0][0] * move.x + m[0][1] * move.y + m[0][2] * move.z,
                       m[1][0] * move.x + m[1][1] * move.y + m[1][2] * move.z,
                       m[2][0] * move.x + m[2][1] * move.y + m[2][2] * move.z);
    }
    state->wanted[dof] = move.x;
    state->wanted[dof + 1] = move.y;
    state->wanted[dof + 2] = move.z;
}

static void fill_dofs(GtiIkState* state)
{
    const GtIkSolver* solver = state->solver;
    for (int32_t k = 0; k < solver->dof_count; ++k) {
        state->lower[k] = -INFINITY;
        state->upper[k] = INFINITY;
        state->wanted[k] = 0.0;
    }
    for (int32_t i = 0; i < solver->node_count; ++i) {
        const GtiIkNode* node = &solver->nodes[i];
        int32_t dof = node->first_dof;
        if (node->moves) {
            for (int k = 0; k < 3; ++k) {
                state->axes[dof + k] = gti_vec(k == 0, k == 1, k == 2);
            }
            if (state->posture) {
                wanted_move(state, i, dof);
            }
            dof += 3;
        }
        if (node->turn_count) {
            local_axes(state, i, dof);
            limit_speed(state, i, dof);
            model_axes(state, node->parent, dof, node->turn_count);
            if (state->posture) {
                wanted_turn(state, i, dof);
            }
        }
    }
}

static void fill_column(double* rows, const GtiIkAimed* goal, GtiVec moves, GtiVec turns)
{
    if (goal->position_scale > 0.0) {
        gti_vec_put(rows, moves, goal->position_scale);
        rows += 3;
    }
    if (goal->rotation_scale > 0.0) {
        gti_vec_put(rows, turns, goal->rotation_scale);
    }
}

// Up from the effector, so the columns of its path come last first.
static void fill_path(GtiIkState* state, int32_t effector)
{
    const GtIkSolver* solver = state->solver;
    const GtiIkPath* path = &solver->paths[effector];
    const GtiIkAimed* goal = &state->goals[effector];
    GtiIkColumn* columns = &state->columns[path->first_column];
    GtiVec point = gti_ik_effector_point(state, effector);
    int32_t at = path->dof_count;
    for (int32_t i = path->node; i != GT_NONE; i = solver->nodes[i].parent) {
        const GtiIkNode* node = &solver->nodes[i];
        int32_t move_count = node->moves ? 3 : 0;
        GtiVec lever = gti_vec_sub(point, state->positions[i]);
        at -= node->turn_count + move_count;
        for (int32_t k = 0; k < move_count; ++k) {
            fill_column(columns[at + k].rows, goal, state->axes[node->first_dof + k], gti_vec(0.0, 0.0, 0.0));
        }
        for (int32_t k = move_count; k < move_count + node->turn_count; ++k) {
            GtiVec axis = state->axes[node->first_dof + k];
            fill_column(columns[at + k].rows, goal, gti_vec_cross(axis, lever), axis);
        }
    }
}

void gti_ik_jacobian(GtiIkState* state)
{
    fill_dofs(state);
    for (int32_t i = 0; i < state->solver->def.effector_count; ++i) {
        if (state->goals[i].row_count) {
            fill_path(state, i);
        }
    }
}
