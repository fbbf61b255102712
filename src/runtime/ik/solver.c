// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Makes a solver: the nodes above effectors, parents first, their degrees of freedom from the top down, and each
// effector's path through them.

#include "runtime/ik/limits.h"

#include "base/fail.h"
#include "base/scalar.h"
#include "runtime/block.h"
#include "runtime/ik/pose.h"

// What is laid out, as offsets in the block.
typedef struct Plan {
    int32_t node_count;
    int32_t dof_count;
    int32_t column_count;
    size_t nodes, paths, path_dofs, shared, freedom;
} Plan;

GtIkJoint gt_default_ik_joint(void)
{
    return (GtIkJoint){
        .node = GT_NONE,
        .kind = GT_IK_BALL,
        .stiffness = 1.0f,
        .axis = gt_vec3(0.0f, 1.0f, 0.0f),
        .neutral = gt_quat_identity(),
        .min_turn_rad = (float)-GTI_PI,
        .max_turn_rad = (float)GTI_PI,
        .max_swing_rad = (float)GTI_PI,
    };
}

GtIkEffector gt_default_ik_effector(void)
{
    return (GtIkEffector){ .node = GT_NONE };
}

GtIkSolverDef gt_default_ik_solver_def(void)
{
    return (GtIkSolverDef){
        .top = GT_NONE,
        .move_stiffness = 4.0f, // a pelvis moves by 1 cm as readily as a hip turns by 1 degree
        .max_turn_rad = (float)GTI_PI,
        .max_iterations = 32,
        .tolerance_m = 1e-4f,
        .tolerance_rad = 1e-3f,
        .posture_rad = 1e-2f,
        .damping_m = 3e-3f, // a knee within half a degree of straight
    };
}

GtIkGoal gt_default_ik_goal(void)
{
    return (GtIkGoal){ .rotation = gt_quat_identity(), .position_weight = 1.0f };
}

static bool is_node(const GtCharacter* character, int32_t node)
{
    return node >= 0 && node < gt_character_def(character)->node_count;
}

static GtResult check_effector(const GtCharacter* character, const GtIkSolverDef* def, int32_t i, GtError* error)
{
    const GtIkEffector* effector = &def->effectors[i];
    if (!is_node(character, effector->node)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "effector %d: there is no node %d", (int)i, (int)effector->node);
    }
    if (def->top != GT_NONE && !gti_ik_is_above(character, def->top, effector->node)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "effector %d: node %d is not below the top, node %d", (int)i,
                        (int)effector->node, (int)def->top);
    }
    if (!gti_vec_is_finite(gti_vec_from(effector->point))) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "effector %d: its point is not finite", (int)i);
    }
    return GT_OK;
}

static GtResult check_joint(const GtCharacter* character, const GtIkSolverDef* def, int32_t i, GtError* error)
{
    const GtIkJoint* joint = &def->joints[i];
    if (!is_node(character, joint->node)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "joint %d: there is no node %d", (int)i, (int)joint->node);
    }
    for (int32_t j = 0; j < i; ++j) {
        if (def->joints[j].node == joint->node) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "joints %d and %d are the same node, %d", (int)j, (int)i,
                            (int)joint->node);
        }
    }
    if (joint->kind != GT_IK_BALL && joint->kind != GT_IK_HINGE && joint->kind != GT_IK_FIXED) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "joint %d: there is no kind %d", (int)i, (int)joint->kind);
    }
    if (!(joint->stiffness > 0.0f && joint->stiffness <= 1e9f)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "joint %d: its stiffness is %g, and must be above 0 and up to 1e9",
                        (int)i, (double)joint->stiffness);
    }
    float axis = gt_vec3_length(joint->axis);
    if (!(axis > 1e-10f && axis < 1e10f) || !(fabsf(gt_quat_length(joint->neutral) - 1.0f) <= 1e-3f)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "joint %d: its axis has length %g, its neutral rotation %g", (int)i,
                        (double)axis, (double)gt_quat_length(joint->neutral));
    }
    if (!(joint->min_turn_rad >= (float)-GTI_PI && joint->min_turn_rad <= joint->max_turn_rad &&
          joint->max_turn_rad <= (float)GTI_PI && joint->max_swing_rad >= 0.0f)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "joint %d: turns from %g to %g rad and a swing of %g are no limits",
                        (int)i, (double)joint->min_turn_rad, (double)joint->max_turn_rad, (double)joint->max_swing_rad);
    }
    return GT_OK;
}

static GtResult check(const GtCharacter* character, const GtIkSolverDef* def, GtError* error)
{
    if (def->effector_count < 1 || def->effector_count > GT_MAX_IK_EFFECTORS || def->joint_count < 0) {
        return gti_fail(error, GT_ERROR_LIMIT, "%d effectors and %d joints: 1 to %d effectors can be solved for",
                        (int)def->effector_count, (int)def->joint_count, GT_MAX_IK_EFFECTORS);
    }
    if ((def->top != GT_NONE || def->move_top) && !is_node(character, def->top)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the top: there is no node %d", (int)def->top);
    }
    if (!(def->move_stiffness > 0.0f && def->move_stiffness <= 1e9f && def->tolerance_m > 0.0f &&
          def->tolerance_rad > 0.0f && def->posture_rad > 0.0f && def->max_turn_rad > 0.0f && def->damping_m > 0.0f &&
          def->damping_m < 1e9f && def->max_iterations >= 0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "stiffness, tolerances, damping and largest turn of the solver must be above 0");
    }
    for (int32_t i = 0; i < def->effector_count; ++i) {
        GtResult result = check_effector(character, def, i, error);
        if (result != GT_OK) {
            return result;
        }
    }
    for (int32_t i = 0; i < def->joint_count; ++i) {
        GtResult result = check_joint(character, def, i, error);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static const GtIkJoint* find_joint(const GtIkSolverDef* def, int32_t node)
{
    for (int32_t i = 0; i < def->joint_count; ++i) {
        if (def->joints[i].node == node) {
            return &def->joints[i];
        }
    }
    return NULL;
}

static bool is_below_top(const GtCharacter* character, const GtIkSolverDef* def, int32_t node)
{
    return def->top == GT_NONE || gti_ik_is_above(character, def->top, node);
}

static int32_t turn_count_of(const GtCharacter* character, const GtIkSolverDef* def, int32_t node)
{
    const GtIkJoint* joint = find_joint(def, node);
    if (!is_below_top(character, def, node) || (joint && joint->kind == GT_IK_FIXED)) {
        return 0;
    }
    return joint && joint->kind == GT_IK_HINGE ? 1 : 3;
}

static int32_t dof_count_of(const GtCharacter* character, const GtIkSolverDef* def, int32_t node)
{
    return turn_count_of(character, def, node) + (def->move_top && node == def->top ? 3 : 0);
}

static bool is_needed(const GtCharacter* character, const GtIkSolverDef* def, int32_t node)
{
    for (int32_t i = 0; i < def->effector_count; ++i) {
        if (gti_ik_is_above(character, node, def->effectors[i].node)) {
            return true;
        }
    }
    return false;
}

static GtResult announce(const GtCharacter* character, const GtIkSolverDef* def, GtiBlock* block, Plan* plan,
                         GtError* error)
{
    const int32_t* parents = gt_character_def(character)->parents;
    for (int32_t i = 0; i < gt_character_def(character)->node_count; ++i) {
        if (is_needed(character, def, i)) {
            plan->node_count += 1;
            plan->dof_count += dof_count_of(character, def, i);
        }
    }
    int64_t column_count = 0;
    for (int32_t i = 0; i < def->effector_count; ++i) {
        for (int32_t n = def->effectors[i].node; n != GT_NONE; n = parents[n]) {
            column_count += dof_count_of(character, def, n);
        }
    }
    if (column_count > INT32_MAX / 64) {
        return gti_fail(error, GT_ERROR_LIMIT, "the effectors hang from %lld joints' axes: more than can be solved for",
                        (long long)column_count);
    }
    plan->column_count = (int32_t)column_count;
    size_t effectors = (size_t)def->effector_count;
    plan->nodes = gti_block_reserve(block, (size_t)plan->node_count, sizeof(GtiIkNode));
    plan->paths = gti_block_reserve(block, effectors, sizeof(GtiIkPath));
    plan->path_dofs = gti_block_reserve(block, (size_t)plan->column_count, sizeof(int32_t));
    plan->shared = gti_block_reserve(block, effectors * effectors, sizeof(int32_t));
    plan->freedom = gti_block_reserve(block, (size_t)plan->dof_count, sizeof(double));
    bool fits = plan->nodes != SIZE_MAX && plan->paths != SIZE_MAX && plan->path_dofs != SIZE_MAX &&
                plan->shared != SIZE_MAX && plan->freedom != SIZE_MAX;
    fits = fits && gti_block_keep(block, def->effectors, effectors, sizeof *def->effectors);
    return fits && gti_block_allocate(block) ? GT_OK : gti_out_of_memory(error);
}

static int32_t index_of(const GtIkSolver* solver, int32_t node)
{
    for (int32_t i = 0; i < solver->node_count; ++i) {
        if (solver->nodes[i].node == node) {
            return i;
        }
    }
    return GT_NONE;
}

static GtiIkNode node_of(const GtIkSolver* solver, const GtIkSolverDef* def, int32_t node, int32_t first_dof)
{
    GtIkJoint plain = gt_default_ik_joint();
    const GtIkJoint* found = find_joint(def, node);
    GtiIkNode result = gti_ik_joint_node(found ? found : &plain, turn_count_of(solver->character, def, node));
    result.node = node;
    result.parent = index_of(solver, gt_character_def(solver->character)->parents[node]);
    result.first_dof = first_dof;
    result.moves = def->move_top && node == def->top;
    return result;
}

static void lay_out_nodes(GtIkSolver* solver, const GtIkSolverDef* def)
{
    for (int32_t i = 0; i < gt_character_def(solver->character)->node_count; ++i) {
        if (!is_needed(solver->character, def, i)) {
            continue;
        }
        GtiIkNode* node = &solver->nodes[solver->node_count];
        *node = node_of(solver, def, i, solver->dof_count);
        const GtIkJoint* joint = find_joint(def, i);
        int32_t move_count = node->moves ? 3 : 0;
        for (int32_t k = 0; k < move_count + node->turn_count; ++k) {
            double stiffness = k < move_count ? (double)def->move_stiffness : joint ? (double)joint->stiffness : 1.0;
            solver->freedom[solver->dof_count++] = 1.0 / stiffness;
        }
        ++solver->node_count;
    }
}

static void lay_out_paths(GtIkSolver* solver, const GtIkSolverDef* def)
{
    for (int32_t e = 0; e < def->effector_count; ++e) {
        GtiIkPath* path = &solver->paths[e];
        path->node = index_of(solver, def->effectors[e].node);
        path->first_column = solver->column_count;
        for (int32_t i = path->node; i != GT_NONE; i = solver->nodes[i].parent) {
            path->dof_count += solver->nodes[i].turn_count + (solver->nodes[i].moves ? 3 : 0);
        }
        int32_t at = path->first_column + path->dof_count;
        for (int32_t i = path->node; i != GT_NONE; i = solver->nodes[i].parent) {
            int32_t count = solver->nodes[i].turn_count + (solver->nodes[i].moves ? 3 : 0);
            at -= count;
            for (int32_t k = 0; k < count; ++k) {
                solver->path_dofs[at + k] = solver->nodes[i].first_dof + k;
            }
        }
        solver->column_count += path->dof_count;
    }
    for (int32_t e = 0; e < def->effector_count; ++e) {
        for (int32_t f = 0; f < def->effector_count; ++f) {
            const int32_t* a = &solver->path_dofs[solver->paths[e].first_column];
            const int32_t* b = &solver->path_dofs[solver->paths[f].first_column];
            int32_t* shared = &solver->shared[e * def->effector_count + f];
            while (*shared < solver->paths[e].dof_count && *shared < solver->paths[f].dof_count &&
                   a[*shared] == b[*shared]) {
                ++*shared;
            }
        }
    }
}

GtResult gt_ik_solver_create(GtAllocator allocator, const GtCharacter* character, const GtIkSolverDef* def,
                             GtIkSolver** out, GtError* error)
{
    def = def ? def : (GtIkSolverDef[]){ gt_default_ik_solver_def() };
    *out = NULL;
    GtResult result = check(character, def, error);
    if (result != GT_OK) {
        return result;
    }
    GtiBlock block = gti_block_create(allocator, sizeof(GtIkSolver));
    Plan plan = { 0 };
    result = announce(character, def, &block, &plan, error);
    if (result == GT_OK) {
        GtIkSolver* solver = (GtIkSolver*)block.base;
        solver->allocator = allocator;
        solver->character = character;
        solver->def = *def;
        solver->def.joint_count = 0;
        solver->def.joints = NULL;
        solver->def.effectors =
            gti_block_at(&block, def->effectors, (size_t)def->effector_count, sizeof *def->effectors);
        solver->nodes = gti_block_reserved(&block, plan.nodes);
        solver->paths = gti_block_reserved(&block, plan.paths);
        solver->path_dofs = gti_block_reserved(&block, plan.path_dofs);
        solver->shared = gti_block_reserved(&block, plan.shared);
        solver->freedom = gti_block_reserved(&block, plan.freedom);
        lay_out_nodes(solver, def);
        lay_out_paths(solver, def);
        *out = solver;
    }
    gti_block_destroy(&block);
    return result;
}

void gt_ik_solver_destroy(GtIkSolver* solver)
{
    if (solver) {
        solver->allocator.release(solver->allocator.user, solver);
    }
}
