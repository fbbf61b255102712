// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What inverse kinematics costs on the built-in figure, against bringing its nodes to model space once. Hands and feet
// follow circles, some millimetres a frame; each frame starts from the last one's pose, wants the rest pose as its
// posture, and is solved to 1 mm.

#include "bench.h"

#include "gertie/build.h"
#include "gertie/ik.h"
#include "gertie/instance.h"
#include "gertie/person.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EFFECTOR_COUNT = 4,
    FRAME_COUNT = 60
};

typedef struct Reach {
    const GtCharacter* character;
    const GtTransform* rest;
    GtMat34* model;     // [node_count]
    GtTransform* pose;  // [node_count]
    GtIkSolver* solver; // or NULL for the closed form
    void* scratch;
    const GtIkGoal* goals; // [FRAME_COUNT * EFFECTOR_COUNT]
    const int32_t (*limbs)[3];
    int64_t iterations;
    int64_t frames;
    float worst_m;
} Reach;

static void to_model(void* user)
{
    Reach* reach = user;
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        gt_character_to_model(reach->character, reach->pose, reach->model);
    }
}

static void solve(void* user)
{
    Reach* reach = user;
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        GtIkReport report;
        gt_ik_solve(reach->solver, &reach->goals[frame * EFFECTOR_COUNT], reach->rest, reach->pose, reach->scratch,
                    &report);
        reach->iterations += report.iteration_count;
        reach->frames += 1;
        reach->worst_m = fmaxf(reach->worst_m, report.miss_m);
    }
}

static void limbs(void* user)
{
    Reach* reach = user;
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        for (int i = 0; i < EFFECTOR_COUNT; ++i) {
            GtIkLimb limb = gt_default_ik_limb();
            memcpy(limb.nodes, reach->limbs[i], sizeof limb.nodes);
            limb.target = reach->goals[frame * EFFECTOR_COUNT + i].position;
            gt_ik_limb(reach->character, &limb, reach->pose, reach->model);
        }
    }
}

static void* reserve(size_t size)
{
    void* memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!memory) {
        fprintf(stderr, "ik_bench: out of memory\n");
        exit(1);
    }
    return memory;
}

static Reach create_reach(const GtCharacter* character, const GtTransform* rest)
{
    size_t count = (size_t)gt_character_def(character)->node_count;
    Reach reach = { .character = character, .rest = rest };
    reach.model = reserve(count * sizeof(GtMat34));
    reach.pose = reserve(count * sizeof(GtTransform));
    memcpy(reach.pose, rest, count * sizeof *rest);
    gt_character_to_model(character, reach.pose, reach.model);
    return reach;
}

static void create_solver(Reach* reach, int32_t top)
{
    GtError error;
    GtIkEffector effectors[EFFECTOR_COUNT];
    for (int i = 0; i < EFFECTOR_COUNT; ++i) {
        effectors[i] = gt_default_ik_effector();
        effectors[i].node = reach->limbs[i][2];
    }
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = effectors;
    def.effector_count = EFFECTOR_COUNT;
    def.top = top;
    def.move_top = true;
    def.tolerance_m = 1e-3f;
    def.tolerance_rad = 1e-2f;
    BENCH_OK(gt_ik_solver_create(gt_default_allocator(), reach->character, &def, &reach->solver, &error));
    reach->scratch = reserve(gt_ik_solver_scratch_size(reach->solver));
}

// Hands and feet on circles of 5 cm radius in 60 frames: 5 mm a frame.
static GtIkGoal* create_goals(const Reach* reach, float rotation_weight)
{
    GtIkGoal* goals = reserve(FRAME_COUNT * EFFECTOR_COUNT * sizeof *goals);
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        for (int i = 0; i < EFFECTOR_COUNT; ++i) {
            const GtMat34* end = &reach->model[reach->limbs[i][2]];
            float angle = 6.2831853f * (float)frame / FRAME_COUNT + 1.5f * (float)i;
            GtVec3 way = gt_vec3(0.0f, 0.05f * sinf(angle) + 0.06f, 0.05f * cosf(angle));
            GtIkGoal goal = gt_default_ik_goal();
            goal.position = gt_vec3_add(gt_mat34_translation(end), way);
            goal.rotation = gt_mat34_polar(end, NULL);
            goal.rotation_weight = rotation_weight;
            goals[frame * EFFECTOR_COUNT + i] = goal;
        }
    }
    return goals;
}

static int32_t find(const GtCharacter* character, const char* name)
{
    int32_t node = gt_character_find_node(character, name);
    if (node == GT_NONE) {
        fprintf(stderr, "ik_bench: the figure has no node '%s'\n", name);
        exit(1);
    }
    return node;
}

int main(void)
{
    static const char* const names[EFFECTOR_COUNT][3] = {
        { "leftUpperArm", "leftLowerArm", "leftHand" },
        { "rightUpperArm", "rightLowerArm", "rightHand" },
        { "leftUpperLeg", "leftLowerLeg", "leftFoot" },
        { "rightUpperLeg", "rightLowerLeg", "rightFoot" },
    };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtPersonDef person = gt_default_person_def();
    GtBuildDef build = gt_default_build_def();
    person.pose = GT_PERSON_POSE_A;
    BENCH_OK(gt_sample_person(&context, &person, &scene, NULL, &error));
    BENCH_OK(gt_character_build(&context, scene, &build, &character, NULL, &error));
    const GtTransform* rest = gt_character_def(character)->rest;
    int32_t nodes[EFFECTOR_COUNT][3];
    for (int i = 0; i < EFFECTOR_COUNT * 3; ++i) {
        nodes[i / 3][i % 3] = find(character, names[i / 3][i % 3]);
    }
    Reach reaches[4];
    for (int i = 0; i < 4; ++i) {
        reaches[i] = create_reach(character, rest);
        reaches[i].limbs = nodes;
        reaches[i].goals = create_goals(&reaches[i], i == 3 ? 0.04f : 0.0f);
    }
    create_solver(&reaches[2], find(character, "hips"));
    create_solver(&reaches[3], find(character, "hips"));
    const BenchCase cases[] = {
        { "nodes to model space", to_model, &reaches[0] },
        { "4 limbs of two bones", limbs, &reaches[1] },
        { "full body, 4 positions", solve, &reaches[2] },
        { "full body, 4 positions and rotations", solve, &reaches[3] },
    };
    char title[128];
    snprintf(title, sizeof title, "Inverse kinematics, 60 frames of the figure: %d nodes",
             (int)gt_character_def(character)->node_count);
    bench_compare(title, cases, sizeof cases / sizeof cases[0]);
    for (int i = 2; i < 4; ++i) {
        printf("%s: %.2f iterations a frame, at most %.2f mm off\n", cases[i].name,
               (double)reaches[i].iterations / (double)reaches[i].frames, 1e3 * (double)reaches[i].worst_m);
        gt_ik_solver_destroy(reaches[i].solver);
        free(reaches[i].scratch);
    }
    for (int i = 0; i < 4; ++i) {
        free(reaches[i].pose);
        free(reaches[i].model);
        free((void*)reaches[i].goals);
    }
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return 0;
}
