// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A solve's pose: local rotations in double, and matrices as gt_character_to_model() would make them, so that scales,
// mirrors and shear above a joint are seen as they are. Limits are those of a swing and a twist: with D the turn from
// the neutral rotation, in the parent's space, and T the joint's axis there, D = swing * twist about T.

#include "runtime/ik/limits.h"

#include "base/memory.h"
#include "base/rotation.h"

#include <string.h>

// Hands out parts of the scratch; with no memory it counts what is needed.
typedef struct Stack {
    char* memory;
    size_t used;
} Stack;

static void* push(Stack* stack, size_t count, size_t size)
{
    void* result = stack->memory ? stack->memory + stack->used : NULL;
    stack->used += gti_round_up16(count * size);
    return result;
}

size_t gti_ik_state_lay_out(const GtIkSolver* solver, void* memory, GtiIkState* state)
{
    Stack all = { .memory = memory };
    Stack* stack = &all;
    size_t nodes = (size_t)solver->node_count;
    size_t dofs = (size_t)solver->dof_count;
    size_t rows = (size_t)solver->def.effector_count * 6;
    state->solver = solver;
    state->goals = push(stack, (size_t)solver->def.effector_count, sizeof *state->goals);
    state->now.rotations = push(stack, nodes, sizeof(GtiQuat));
    state->before.rotations = push(stack, nodes, sizeof(GtiQuat));
    state->start.rotations = push(stack, nodes, sizeof(GtiQuat));
    state->linear = push(stack, nodes, sizeof *state->linear);
    state->positions = push(stack, nodes, sizeof(GtiVec));
    state->local_axes = push(stack, dofs, sizeof(GtiVec));
    state->axes = push(stack, dofs, sizeof(GtiVec));
    state->lower = push(stack, dofs, sizeof(double));
    state->upper = push(stack, dofs, sizeof(double));
    state->freedom = push(stack, dofs, sizeof(double));
    state->wanted = push(stack, dofs, sizeof(double));
    state->step = push(stack, dofs, sizeof(double));
    state->held = push(stack, dofs, sizeof(double));
    state->posture_step = push(stack, dofs, sizeof(double));
    state->columns = push(stack, (size_t)solver->column_count, sizeof(GtiIkColumn));
    state->errors = push(stack, rows, sizeof(double));
    state->rows = push(stack, rows, sizeof(double));
    state->pivot_rows = push(stack, rows, sizeof(double));
    state->gram = push(stack, rows * rows, sizeof(double));
    state->factor = push(stack, rows * rows, sizeof(double));
    state->order = push(stack, rows, sizeof(int32_t));
    return all.used;
}

static void matrix_from(GtiQuat q, GtVec3 scale, double m[3][3])
{
    gti_rotation_from_quat(q, m);
    for (int i = 0; i < 3; ++i) {
        m[i][0] *= (double)scale.x;
        m[i][1] *= (double)scale.y;
        m[i][2] *= (double)scale.z;
    }
}

static bool is_rotation(GtQuat q)
{
    float length = gt_quat_length(q);
    return length > 1e-6f && length < 1e6f; // written so that NaN fails
}

static void take_goals(GtiIkState* state, const GtIkGoal* goals, int32_t* ignored)
{
    for (int32_t i = 0; i < state->solver->def.effector_count; ++i) {
        const GtIkGoal* goal = &goals[i];
        GtiIkAimed* aimed = &state->goals[i];
        *aimed = (GtiIkAimed){ .position = gti_vec_from(goal->position), .first_row = state->row_count };
        bool position_is_wanted = !(goal->position_weight == 0.0f);
        bool rotation_is_wanted = !(goal->rotation_weight == 0.0f);
        if (gti_vec_is_finite(aimed->position) && goal->position_weight > 0.0f && goal->position_weight < 1e12f) {
            aimed->position_scale = sqrt((double)goal->position_weight);
            aimed->row_count += 3;
        } else {
            *ignored += position_is_wanted;
        }
        if (is_rotation(goal->rotation) && goal->rotation_weight > 0.0f && goal->rotation_weight < 1e12f) {
            aimed->rotation = gti_quat_unit(gti_quat_from(goal->rotation));
            aimed->rotation_scale = sqrt((double)goal->rotation_weight);
            aimed->row_count += 3;
        } else {
            *ignored += rotation_is_wanted;
        }
        state->row_count += aimed->row_count;
    }
}

void gti_ik_place_copy(const GtIkSolver* solver, GtiIkPlace* to, const GtiIkPlace* from)
{
    to->move = from->move;
    memcpy(to->rotations, from->rotations, (size_t)solver->node_count * sizeof *to->rotations);
}

int32_t gti_ik_state_begin(GtiIkState* state, const GtIkGoal* goals)
{
    int32_t ignored = 0;
    state->row_count = 0;
    take_goals(state, goals, &ignored);
    state->now.move = gti_vec(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < state->solver->node_count; ++i) {
        const GtiIkNode* node = &state->solver->nodes[i];
        GtiQuat rotation = gti_quat_from(state->pose[node->node].rotation);
        if (node->turn_count) {
            rotation = gti_ik_limit(node, gti_quat_unit(rotation));
        }
        state->now.rotations[i] = rotation;
    }
    gti_ik_place_copy(state->solver, &state->start, &state->now);
    return ignored;
}

void gti_ik_state_update(GtiIkState* state)
{
    for (int32_t i = 0; i < state->solver->node_count; ++i) {
        const GtiIkNode* node = &state->solver->nodes[i];
        const GtTransform* local = &state->pose[node->node];
        GtiVec translation = gti_vec_from(local->translation);
        if (node->moves) {
            translation = gti_vec_add(translation, state->now.move);
        }
        if (node->parent == GT_NONE) {
            matrix_from(state->now.rotations[i], local->scale, state->linear[i]);
            state->positions[i] = translation;
            continue;
        }
        double(*parent)[3] = state->linear[node->parent];
        double own[3][3];
        matrix_from(state->now.rotations[i], local->scale, own);
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                state->linear[i][j][k] = parent[j][0] * own[0][k] + parent[j][1] * own[1][k] + parent[j][2] * own[2][k];
            }
        }
        state->positions[i] = gti_vec_add(state->positions[node->parent], gti_times3(parent, translation));
    }
}

// As gt_mat34_polar() has it.
static GtiQuat rotation_of(double linear[3][3])
{
    double r[3][3];
    memcpy(r, linear, sizeof r);
    double determinant = gti_determinant3(r);
    double scale = cbrt(determinant);
    double shear = 0.0;
    for (int j = 0; j < 3 && determinant != 0.0; ++j) {
        double length = 0.0;
        double across = 0.0;
        for (int i = 0; i < 3; ++i) {
            r[i][j] /= scale;
            length += r[i][j] * r[i][j];
            across += r[i][j] * linear[i][(j + 1) % 3] / scale;
        }
        shear = fmax(shear, fmax(fabs(length - 1.0), fabs(across)));
    }
    if (determinant == 0.0 || shear > 1e-6) {
        memcpy(r, linear, sizeof r);
        gti_nearest_rotation(r);
    }
    return gti_quat_from(gti_quat_from_rotation(r));
}

GtiVec gti_ik_effector_point(const GtiIkState* state, int32_t effector)
{
    int32_t node = state->solver->paths[effector].node;
    GtiVec point = gti_vec_from(state->solver->def.effectors[effector].point);
    return gti_vec_add(state->positions[node], gti_times3(state->linear[node], point));
}

GtiIkMiss gti_ik_state_measure(GtiIkState* state)
{
    const GtIkSolverDef* def = &state->solver->def;
    GtiIkMiss miss = { 0 };
    for (int32_t i = 0; i < def->effector_count; ++i) {
        const GtiIkAimed* goal = &state->goals[i];
        double* errors = &state->errors[goal->first_row];
        if (goal->position_scale > 0.0) {
            GtiVec point = gti_ik_effector_point(state, i);
            GtiVec error = gti_vec_sub(goal->position, point);
            miss.worst_m = fmax(miss.worst_m, gti_vec_length(error));
            gti_vec_put(errors, error, goal->position_scale);
            errors += 3;
        }
        if (goal->rotation_scale > 0.0) {
            GtiQuat now = rotation_of(state->linear[state->solver->paths[i].node]);
            GtiVec error = gti_quat_log(gti_quat_mul(goal->rotation, gti_quat_conjugate(now)));
            miss.worst_rad = fmax(miss.worst_rad, gti_vec_length(error));
            gti_vec_put(errors, error, goal->rotation_scale);
        }
    }
    for (int32_t i = 0; i < state->row_count; ++i) {
        miss.cost += state->errors[i] * state->errors[i];
    }
    miss.met = miss.worst_m <= (double)def->tolerance_m && miss.worst_rad <= (double)def->tolerance_rad;
    return miss;
}

// No further from where the joint started than one solve may turn it.
static GtiQuat limit_speed(const GtiIkState* state, int32_t index, GtiQuat rotation)
{
    double most = (double)state->solver->def.max_turn_rad;
    if (most >= GTI_IK_NO_TURN_LIMIT) {
        return rotation;
    }
    GtiQuat start = state->start.rotations[index];
    GtiVec turn = gti_quat_log(gti_quat_mul(rotation, gti_quat_conjugate(start)));
    double angle = gti_vec_length(turn);
    return angle > most ? gti_quat_mul(gti_quat_exp(gti_vec_scale(turn, most / angle)), start) : rotation;
}

void gti_ik_state_apply(GtiIkState* state, const double* step)
{
    for (int32_t i = 0; i < state->solver->node_count; ++i) {
        const GtiIkNode* node = &state->solver->nodes[i];
        int32_t dof = node->first_dof;
        if (node->moves) {
            GtiVec move = gti_vec(step[dof], step[dof + 1], step[dof + 2]);
            move = node->parent == GT_NONE ? move : gti_solve3(state->linear[node->parent], move);
            state->now.move = gti_vec_add(state->now.move, move);
            dof += 3;
        }
        if (!node->turn_count) {
            continue;
        }
        GtiVec turn = gti_vec(0.0, 0.0, 0.0);
        for (int32_t k = 0; k < node->turn_count; ++k) {
            turn = gti_vec_add_scaled(turn, state->local_axes[dof + k], step[dof + k]);
        }
        GtiQuat rotation = gti_quat_unit(gti_quat_mul(gti_quat_exp(turn), state->now.rotations[i]));
        state->now.rotations[i] = gti_ik_limit(node, limit_speed(state, i, rotation));
    }
}

int32_t gti_ik_state_limited(const GtiIkState* state)
{
    int32_t count = 0;
    for (int32_t i = 0; i < state->solver->node_count; ++i) {
        count += gti_ik_is_limited(&state->solver->nodes[i], state->now.rotations[i]);
    }
    return count;
}

void gti_ik_state_write(const GtiIkState* state, GtTransform* pose)
{
    for (int32_t i = 0; i < state->solver->node_count; ++i) {
        const GtiIkNode* node = &state->solver->nodes[i];
        GtTransform* local = &pose[node->node];
        if (node->moves) {
            local->translation = gti_vec_to_float(gti_vec_add(gti_vec_from(local->translation), state->now.move));
        }
        if (node->turn_count) {
            local->rotation = gt_quat_normalize(gti_quat_to_float(state->now.rotations[i]));
        }
    }
}
