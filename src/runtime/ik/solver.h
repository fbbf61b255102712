// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The inside of the full-body solver: what is known before any frame, and a solve on its way. Degrees of freedom (dofs)
// are numbered from the top down, node by node; those above an effector are its path, in that order, so that two
// effectors share a first part of their paths and nothing else.

#ifndef GERTIE_RUNTIME_IK_SOLVER_H
#define GERTIE_RUNTIME_IK_SOLVER_H

#include "base/quat_double.h"

#include "gertie/ik.h"

// A largest turn of one solve from which on there is none.
#define GTI_IK_NO_TURN_LIMIT 3.14159

// A node that is above an effector, or is one.
typedef struct GtiIkNode {
    int32_t node;
    int32_t parent;    // in this list, or GT_NONE
    int32_t first_dof; // three for a move, where the node may, then one or three for turns
    int32_t turn_count;
    bool moves;
    bool twist_limited;
    bool swing_limited;
    GtiVec axis; // unit vector in the node's space
    GtiQuat neutral;
    double min_turn, max_turn, max_swing;
} GtiIkNode;

typedef struct GtiIkPath {
    int32_t node;         // in the solver's list
    int32_t first_column; // of its Jacobian
    int32_t dof_count;
} GtiIkPath;

struct GtIkSolver {
    GtAllocator allocator;
    const GtCharacter* character;
    GtIkSolverDef def; // its arrays are in this block
    int32_t node_count;
    int32_t dof_count;
    int32_t column_count; // of all paths
    GtiIkNode* nodes;     // [node_count] parents first
    GtiIkPath* paths;     // [effector_count]
    int32_t* path_dofs;   // [column_count]
    int32_t* shared;      // [effector_count * effector_count] dofs that two paths share
    double* freedom;      // [dof_count] 1 / stiffness
};

// A column of one effector's rows: three of its position, three of its rotation, whichever it has a goal for.
typedef struct GtiIkColumn {
    double rows[6];
} GtiIkColumn;

// Goals as solved for: weights as roots, none for what is ignored.
typedef struct GtiIkAimed {
    double position_scale;
    double rotation_scale;
    GtiVec position;
    GtiQuat rotation;
    int32_t first_row;
    int32_t row_count;
} GtiIkAimed;

// What can be undone: local rotations and the move of the top.
typedef struct GtiIkPlace {
    GtiQuat* rotations; // [node_count]
    GtiVec move;        // of the top, on its translation in the pose, in its parent's space
} GtiIkPlace;

// How far off a place is.
typedef struct GtiIkMiss {
    double cost; // sum of weighted squares
    bool met;    // within tolerance
    double worst_m;
    double worst_rad;
} GtiIkMiss;

typedef struct GtiIkState {
    const GtIkSolver* solver;
    const GtTransform* pose; // as given
    const GtTransform* posture;
    GtiIkAimed* goals; // [effector_count]
    int32_t row_count;
    GtiIkPlace now;
    GtiIkPlace before;
    GtiIkPlace start;
    double (*linear)[3][3]; // [node_count] model from node
    GtiVec* positions;      // [node_count]
    GtiVec* local_axes;     // [dof_count] of turns, in the space of the node's parent
    GtiVec* axes;           // [dof_count] in model space
    double* lower;          // [dof_count] least and largest step that limits allow
    double* upper;
    double* freedom;      // [dof_count] 0 for what has left the Jacobian
    double* wanted;       // [dof_count] from here to the posture
    double* step;         // [dof_count]
    double* held;         // [dof_count] steps of what has left the Jacobian
    GtiIkColumn* columns; // [column_count]
    double* errors;       // [row_count]
    double* posture_step; // [dof_count]
    double* rows;         // [row_count]
    double* pivot_rows;   // [row_count]
    double* gram;         // [row_count * row_count]
    double* factor;       // [row_count * row_count]
    int32_t* order;       // [row_count] of pivots
} GtiIkState;

// ik_state.c: the pose on its way.

// Place the arrays of a state in memory aligned to 16, or nowhere when that is NULL; how many bytes that takes.
size_t gti_ik_state_lay_out(const GtIkSolver* solver, void* memory, GtiIkState* state);

// Take the goals and the pose; how many numbers of the goals were ignored.
int32_t gti_ik_state_begin(GtiIkState* state, const GtIkGoal* goals);

// Positions and matrices of what `now` holds.
void gti_ik_state_update(GtiIkState* state);

// How far off it is, and the errors, scaled.
GtiIkMiss gti_ik_state_measure(GtiIkState* state);

// Turn by `step` and into the limits.
void gti_ik_state_apply(GtiIkState* state, const double* step);

void gti_ik_place_copy(const GtIkSolver* solver, GtiIkPlace* to, const GtiIkPlace* from);

// Joints that stand at a limit.
int32_t gti_ik_state_limited(const GtiIkState* state);

void gti_ik_state_write(const GtiIkState* state, GtTransform* pose);

// ik_jacobian.c: axes, limits of steps, the wanted step to the posture, and the columns.
void gti_ik_jacobian(GtiIkState* state);

// ik_step.c: dTheta = J+ dx + (I - J+ J) dz.

typedef struct GtiIkStep {
    double damping_squared;
    double posture_share; // 0 for none
    double largest_turn;  // of the primary part, in rad: received
    double posture_turn;  // of the part in the null space: received
} GtiIkStep;

void gti_ik_step(GtiIkState* state, GtiIkStep* step);

#endif
