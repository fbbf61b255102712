// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A figure to reach with: hips, spine, arms and legs, its knees and elbows slightly bent, facing +Z.

#ifndef GERTIE_TESTS_RUNTIME_FIGURE_H
#define GERTIE_TESTS_RUNTIME_FIGURE_H

#include "gertie/ik.h"

#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    WORLD, // above the hips, at rest
    HIPS,
    SPINE,
    CHEST,
    HEAD,
    LEFT_CLAVICLE,
    LEFT_ARM,
    LEFT_FOREARM,
    LEFT_HAND,
    RIGHT_CLAVICLE,
    RIGHT_ARM,
    RIGHT_FOREARM,
    RIGHT_HAND,
    LEFT_THIGH,
    LEFT_SHANK,
    LEFT_FOOT,
    LEFT_TOES,
    RIGHT_THIGH,
    RIGHT_SHANK,
    RIGHT_FOOT,
    RIGHT_TOES,
    FIGURE_NODES
};

typedef struct Figure {
    GtCharacter* character;
    GtTransform rest[FIGURE_NODES];
    GtTransform pose[FIGURE_NODES];
    GtMat34 model[FIGURE_NODES];
} Figure;

static const int32_t figure_parents[FIGURE_NODES] = {
    GT_NONE,    WORLD,        HIPS,      SPINE,          CHEST,       CHEST,         LEFT_CLAVICLE,
    LEFT_ARM,   LEFT_FOREARM, CHEST,     RIGHT_CLAVICLE, RIGHT_ARM,   RIGHT_FOREARM, HIPS,
    LEFT_THIGH, LEFT_SHANK,   LEFT_FOOT, HIPS,           RIGHT_THIGH, RIGHT_SHANK,   RIGHT_FOOT
};

static inline Figure create_figure(void)
{
    // From the parent to the node, in metres.
    static const GtVec3 offsets[FIGURE_NODES] = { { 0, 0, 0 },           { 0, 0.95f, 0 },       { 0, 0.15f, 0 },
                                                  { 0, 0.2f, 0 },        { 0, 0.3f, 0 },        { 0.05f, 0.2f, 0 },
                                                  { 0.14f, 0, 0 },       { 0.28f, 0, -0.02f },  { 0.25f, 0, 0.02f },
                                                  { -0.05f, 0.2f, 0 },   { -0.14f, 0, 0 },      { -0.28f, 0, -0.02f },
                                                  { -0.25f, 0, 0.02f },  { 0.1f, -0.03f, 0 },   { 0, -0.42f, 0.03f },
                                                  { 0, -0.42f, -0.03f }, { 0, -0.06f, 0.14f },  { -0.1f, -0.03f, 0 },
                                                  { 0, -0.42f, 0.03f },  { 0, -0.42f, -0.03f }, { 0, -0.06f, 0.14f } };
    Figure figure;
    for (int i = 0; i < FIGURE_NODES; ++i) {
        figure.rest[i] = gt_transform_identity();
        figure.rest[i].translation = offsets[i];
    }
    GtCharacterDef def = gt_default_character_def();
    def.node_count = FIGURE_NODES;
    def.parents = figure_parents;
    def.rest = figure.rest;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &figure.character, &error));
    memcpy(figure.pose, figure.rest, sizeof figure.rest);
    gt_character_to_model(figure.character, figure.pose, figure.model);
    return figure;
}

static inline GtVec3 figure_place(Figure* figure, int32_t node)
{
    gt_character_to_model(figure->character, figure->pose, figure->model);
    return gt_mat34_translation(&figure->model[node]);
}

// Every joint turned about a random axis by up to `most_rad`.
static inline void figure_bend(GtTransform* pose, TestRandom* random, float most_rad)
{
    for (int i = HIPS; i < FIGURE_NODES; ++i) {
        GtQuat turn = gt_quat_from_axis_angle(test_random_direction(random), test_random_float(random, 0, most_rad));
        pose[i].rotation = gt_quat_mul(turn, pose[i].rotation);
    }
}

// A solver and its scratch.
typedef struct Solving {
    GtIkSolver* solver;
    void* scratch;
} Solving;

static inline Solving create_solving(const GtCharacter* character, const GtIkSolverDef* def)
{
    GtError error;
    Solving solving;
    GT_EXPECT_OK(gt_ik_solver_create(gt_default_allocator(), character, def, &solving.solver, &error));
    solving.scratch = aligned_alloc(16, gt_ik_solver_scratch_size(solving.solver));
    assert_non_null(solving.scratch);
    memset(solving.scratch, 0xCD, gt_ik_solver_scratch_size(solving.solver));
    return solving;
}

static inline void destroy_solving(Solving* solving)
{
    free(solving->scratch);
    gt_ik_solver_destroy(solving->solver);
}

static inline GtIkEffector effector_at(int32_t node)
{
    GtIkEffector effector = gt_default_ik_effector();
    effector.node = node;
    return effector;
}

static inline float distance(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

#endif
