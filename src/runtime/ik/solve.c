// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The solve: steps of ik_step.c until goals are met and the posture is as near as they let it. Damping grows with the
// cost that is left (T. Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method, IEEE
// Transactions on Robotics 27(5), 2011), so that goals out of reach are approached without swinging, and goals in reach
// quadratically. A step that makes the cost worse is taken back, and tried again with more damping and less posture.

#include "runtime/ik/limits.h"

#include "base/fail.h"

#include <string.h>

// A step this small, in rad, gets no nearer to goals that are not met.
#define STUCK 1e-5

// A limb that points away from its goal and cannot turn anywhere nearer is bent by this, in rad.
#define NUDGE 0.05

enum {
    MOST_NUDGES = 2
};

size_t gt_ik_solver_scratch_size(const GtIkSolver* solver)
{
    GtiIkState state;
    return gti_ik_state_lay_out(solver, NULL, &state);
}

// The lowest joint above an effector that can move its point, or GT_NONE.
static int32_t lever_of(const GtiIkState* state, int32_t effector, GtiVec point)
{
    const GtIkSolver* solver = state->solver;
    for (int32_t i = solver->paths[effector].node; i != GT_NONE; i = solver->nodes[i].parent) {
        GtiVec lever = gti_vec_sub(point, state->positions[i]);
        if (solver->nodes[i].turn_count && gti_vec_length(lever) > 1e-6) {
            return i;
        }
    }
    return GT_NONE;
}

// Of a joint's axes the one that bends its limb most, and the way round that its limits leave more room for.
static void nudge_joint(GtiIkState* state, int32_t index, GtiVec point)
{
    const GtiIkNode* node = &state->solver->nodes[index];
    int32_t first = node->first_dof + (node->moves ? 3 : 0);
    int32_t best = first;
    double most = -1.0;
    for (int32_t k = first; k < first + node->turn_count; ++k) {
        GtiVec moved = gti_vec_cross(state->axes[k], gti_vec_sub(point, state->positions[index]));
        if (gti_vec_length(moved) > most * (1.0 + 1e-6)) {
            most = gti_vec_length(moved);
            best = k;
        }
    }
    state->step[best] = -state->lower[best] > state->upper[best] ? -NUDGE : NUDGE;
}

// A stretched limb whose goal is nearer than its end has nowhere to go to first order: bend it. Whether any was.
static bool nudge(GtiIkState* state)
{
    const GtIkSolver* solver = state->solver;
    bool any = false;
    memset(state->step, 0, (size_t)solver->dof_count * sizeof(double));
    for (int32_t e = 0; e < solver->def.effector_count; ++e) {
        const GtiIkAimed* goal = &state->goals[e];
        if (!(goal->position_scale > 0.0)) {
            continue;
        }
        const double* errors = &state->errors[goal->first_row];
        GtiVec error = gti_vec_scale(gti_vec(errors[0], errors[1], errors[2]), 1.0 / goal->position_scale);
        GtiVec point = gti_ik_effector_point(state, e);
        int32_t index = lever_of(state, e, point);
        if (index == GT_NONE || gti_vec_length(error) <= (double)solver->def.tolerance_m ||
            gti_vec_dot(error, gti_vec_sub(point, state->positions[index])) >= 0.0) {
            continue;
        }
        nudge_joint(state, index, point);
        any = true;
    }
    return any;
}

// Where the loop stands.
typedef struct Loop {
    GtiIkMiss miss;
    double caution;       // multiplies damping; at least 1
    double posture_share; // how much of a posture step may be taken
    double posture_left;  // what the last posture step found, in rad
    double primary_turn;  // of the last step
    int32_t nudges;
    bool stuck;
} Loop;

// Take the step that was found, unless it makes things worse; whether it was taken.
static bool try_step(GtiIkState* state, Loop* loop, bool must)
{
    gti_ik_place_copy(state->solver, &state->before, &state->now);
    gti_ik_state_apply(state, state->step);
    gti_ik_state_update(state);
    GtiIkMiss miss = gti_ik_state_measure(state);
    if (must || miss.met || miss.cost <= loop->miss.cost) {
        loop->miss = miss;
        return true;
    }
    gti_ik_place_copy(state->solver, &state->now, &state->before);
    gti_ik_state_update(state);
    loop->miss = gti_ik_state_measure(state);
    return false;
}

static bool posture_is_done(const GtiIkState* state, const Loop* loop)
{
    return !state->posture || loop->posture_left < (double)state->solver->def.posture_rad || loop->posture_share < 1e-3;
}

static void iterate(GtiIkState* state, Loop* loop, bool with_posture)
{
    double damping = (double)state->solver->def.damping_m;
    double cost_before = loop->miss.cost;
    gti_ik_jacobian(state);
    GtiIkStep step = {
        .damping_squared = loop->caution * (damping * damping + 0.5 * loop->miss.cost),
        .posture_share = state->posture && with_posture ? loop->posture_share : 0.0,
    };
    gti_ik_step(state, &step);
    loop->posture_left = step.posture_turn;
    loop->primary_turn = step.largest_turn;
    if (try_step(state, loop, false)) {
        loop->caution = fmax(1.0, loop->caution * 0.25);
        bool well = loop->miss.met || loop->miss.cost < 0.25 * cost_before;
        loop->posture_share = well ? fmin(1.0, loop->posture_share * 2.0) : loop->posture_share * 0.5;
        loop->stuck =
            !loop->miss.met && cost_before - loop->miss.cost < 1e-6 * cost_before && posture_is_done(state, loop);
    } else {
        loop->caution = fmin(1e9, loop->caution * 8.0);
        loop->posture_share *= 0.25;
        loop->stuck = loop->primary_turn < STUCK && posture_is_done(state, loop);
    }
}

static int32_t run(GtiIkState* state, Loop* loop)
{
    int32_t max_iterations = state->solver->def.max_iterations;
    int32_t iteration = 0;
    if (loop->miss.met && !state->posture) {
        return 0;
    }
    for (; iteration < max_iterations; ++iteration) {
        iterate(state, loop, iteration < max_iterations - max_iterations / 4); // the goals have the last word
        if (loop->stuck) {
            gti_ik_jacobian(state);
            if (loop->nudges >= MOST_NUDGES || !nudge(state)) {
                return iteration + 1;
            }
            ++loop->nudges;
            try_step(state, loop, true);
        } else if (loop->miss.met && posture_is_done(state, loop)) {
            return iteration + 1;
        }
    }
    return iteration;
}

void gt_ik_solve(const GtIkSolver* solver, const GtIkGoal* goals, const GtTransform* posture, GtTransform* pose,
                 void* scratch, GtIkReport* report)
{
    GT_ASSERT((uintptr_t)scratch % 16 == 0);
    GtiIkState state = { .pose = pose, .posture = posture };
    gti_ik_state_lay_out(solver, scratch, &state);
    GtIkReport result = { .ignored_count = gti_ik_state_begin(&state, goals) };
    gti_ik_state_update(&state);
    Loop loop = {
        .miss = gti_ik_state_measure(&state), .caution = 1.0, .posture_share = 1.0, .posture_left = INFINITY
    };
    result.miss_m = INFINITY;
    result.miss_rad = INFINITY;
    if (isfinite(loop.miss.cost)) {
        result.iteration_count = run(&state, &loop);
        gti_ik_state_write(&state, pose);
        result.limited_count = gti_ik_state_limited(&state);
        result.miss_m = (float)loop.miss.worst_m;
        result.miss_rad = (float)loop.miss.worst_rad;
        result.met = loop.miss.met;
    }
    if (report) {
        *report = result;
    }
}
