// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One step: dTheta = J+ dx + (I - J+ J) dz, dx the errors and dz the way to the posture. J+ = W J^T (J W J^T)^-1 with W
// the joints' freedom. Damping is in the first J+ alone: W J^T (J W J^T + lambda^2)^-1. The second is exact on the rank
// of J, because a damped J+ is no projector: what it lets through of dz moves the effectors, and they end where both
// balance. A dof that would pass its limit goes to it, leaves J, and the rest is solved again.

#include "runtime/ik/dense.h"
#include "runtime/ik/solver.h"

#include <string.h>

enum {
    MOST_ROUNDS = 8
};

// Beyond these steps of one iteration the Jacobian says little about where effectors go.
#define MOST_TURN         0.6
#define MOST_POSTURE_TURN 0.4

// One block of J W J^T: rows of effector e, columns of f.
static void fill_block(GtiIkState* state, int32_t e, int32_t f)
{
    const GtIkSolver* solver = state->solver;
    const GtiIkColumn* left = &state->columns[solver->paths[e].first_column];
    const GtiIkColumn* right = &state->columns[solver->paths[f].first_column];
    const int32_t* dofs = &solver->path_dofs[solver->paths[e].first_column];
    int32_t shared = solver->shared[e * solver->def.effector_count + f];
    int32_t rows = state->goals[e].row_count;
    int32_t columns = state->goals[f].row_count;
    double block[6][6] = { { 0.0 } };
    for (int32_t k = 0; k < shared; ++k) {
        double freedom = state->freedom[dofs[k]];
        if (freedom == 0.0) {
            continue;
        }
        for (int32_t i = 0; i < rows; ++i) {
            double a = freedom * left[k].rows[i];
            for (int32_t j = 0; j < columns; ++j) {
                block[i][j] += a * right[k].rows[j];
            }
        }
    }
    for (int32_t i = 0; i < rows; ++i) {
        for (int32_t j = 0; j < columns; ++j) {
            size_t row = (size_t)(state->goals[e].first_row + i);
            size_t column = (size_t)(state->goals[f].first_row + j);
            state->gram[row * state->row_count + column] = block[i][j];
            state->gram[column * state->row_count + row] = block[i][j];
        }
    }
}

static void fill_gram(GtiIkState* state)
{
    int32_t count = state->solver->def.effector_count;
    for (int32_t e = 0; e < count; ++e) {
        for (int32_t f = 0; f <= e; ++f) {
            fill_block(state, e, f);
        }
    }
}

// rows += scale * J * steps
static void add_moved(const GtiIkState* state, const double* steps, double scale, double* rows)
{
    const GtIkSolver* solver = state->solver;
    for (int32_t e = 0; e < solver->def.effector_count; ++e) {
        const GtiIkPath* path = &solver->paths[e];
        double* out = &rows[state->goals[e].first_row];
        for (int32_t k = 0; k < path->dof_count; ++k) {
            double step = scale * steps[solver->path_dofs[path->first_column + k]];
            const double* column = state->columns[path->first_column + k].rows;
            for (int32_t i = 0; i < state->goals[e].row_count; ++i) {
                out[i] += step * column[i];
            }
        }
    }
}

// steps += scale * W J^T rows
static void add_turned(const GtiIkState* state, const double* rows, double scale, double* steps)
{
    const GtIkSolver* solver = state->solver;
    for (int32_t e = 0; e < solver->def.effector_count; ++e) {
        const GtiIkPath* path = &solver->paths[e];
        const double* in = &rows[state->goals[e].first_row];
        for (int32_t k = 0; k < path->dof_count; ++k) {
            int32_t dof = solver->path_dofs[path->first_column + k];
            const double* column = state->columns[path->first_column + k].rows;
            double sum = 0.0;
            for (int32_t i = 0; i < state->goals[e].row_count; ++i) {
                sum += column[i] * in[i];
            }
            steps[dof] += scale * state->freedom[dof] * sum;
        }
    }
}

static double largest(const GtiIkState* state, const double* steps)
{
    double result = 0.0;
    for (int32_t k = 0; k < state->solver->dof_count; ++k) {
        result = fmax(result, fabs(steps[k]));
    }
    return result;
}

static void primary_step(GtiIkState* state, GtiIkStep* step)
{
    size_t size = (size_t)state->row_count * sizeof(double);
    memcpy(state->rows, state->errors, size);
    add_moved(state, state->held, -1.0, state->rows);
    gti_dense_cholesky(state->gram, state->row_count, step->damping_squared, state->factor);
    gti_dense_solve(state->factor, state->row_count, state->rows);
    memset(state->step, 0, (size_t)state->solver->dof_count * sizeof(double));
    add_turned(state, state->rows, 1.0, state->step);
    step->largest_turn = largest(state, state->step);
    double scale = step->largest_turn > MOST_TURN ? MOST_TURN / step->largest_turn : 1.0;
    for (int32_t k = 0; k < state->solver->dof_count; ++k) {
        state->step[k] *= scale;
    }
}

// dz - J+ J dz, in place of `way`.
static void project(GtiIkState* state, double* way)
{
    for (int32_t k = 0; k < state->solver->dof_count; ++k) {
        way[k] = state->freedom[k] > 0.0 ? state->wanted[k] : 0.0;
    }
    memset(state->rows, 0, (size_t)state->row_count * sizeof(double));
    add_moved(state, way, 1.0, state->rows);
    int32_t rank = gti_dense_pivoted_cholesky(state->gram, state->row_count, state->factor, state->order);
    gti_dense_solve_pivoted(state->factor, state->row_count, rank, state->order, state->rows, state->pivot_rows);
    add_turned(state, state->rows, -1.0, way);
}

static void posture_step(GtiIkState* state, GtiIkStep* step)
{
    double* way = state->posture_step;
    project(state, way);
    step->posture_turn = largest(state, way);
    double most = MOST_POSTURE_TURN * step->posture_share;
    double scale = step->posture_turn > most ? most / step->posture_turn : 1.0;
    for (int32_t k = 0; k < state->solver->dof_count; ++k) {
        state->step[k] += scale * way[k];
    }
}

// Hold what would pass its limit at it; whether there was any.
static bool hold_at_limits(GtiIkState* state)
{
    bool any = false;
    for (int32_t k = 0; k < state->solver->dof_count; ++k) {
        double inside = fmin(fmax(state->step[k], state->lower[k]), state->upper[k]);
        if (state->freedom[k] > 0.0 && inside != state->step[k]) {
            state->freedom[k] = 0.0;
            state->held[k] = inside;
            any = true;
        }
    }
    return any;
}

void gti_ik_step(GtiIkState* state, GtiIkStep* step)
{
    const GtIkSolver* solver = state->solver;
    size_t size = (size_t)solver->dof_count * sizeof(double);
    memcpy(state->freedom, solver->freedom, size);
    memset(state->held, 0, size);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        fill_gram(state);
        primary_step(state, step);
        step->posture_turn = 0.0;
        if (step->posture_share > 0.0) {
            posture_step(state, step);
        }
        if (!hold_at_limits(state)) {
            break;
        }
    }
    for (int32_t k = 0; k < solver->dof_count; ++k) {
        state->step[k] += state->held[k];
    }
}
