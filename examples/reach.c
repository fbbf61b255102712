// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// reach CHARACTER.glb OUT.glb
//
// The left hand goes from above the head almost to the floor in three seconds; the feet stay where they stand, the
// hips go along, and the head looks after the hand. It shows the full-body solver, aiming,
// and how poses become a clip. Any character whose humanoid joints are named as VRM names them.

#include <gertie/bake.h>
#include <gertie/build.h>
#include <gertie/file.h>
#include <gertie/ik.h>
#include <gertie/instance.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_COUNT = 91,
    HAND = 0,
    FEET = 1,
    EFFECTOR_COUNT = 3
};

static const float PI = 3.14159265f;

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "reach: %s\n", text);
    return EXIT_FAILURE;
}

static int32_t find(const GtCharacter* character, const char* name)
{
    int32_t node = gt_character_find_node(character, name);
    if (node == GT_NONE) {
        fprintf(stderr, "reach: the character has no node '%s'\n", name);
        exit(EXIT_FAILURE);
    }
    return node;
}

// Knees are hinges: about the axis across, by as much as knees do.
static GtIkJoint knee(const GtCharacter* character, const char* name)
{
    GtIkJoint joint = gt_default_ik_joint();
    joint.node = find(character, name);
    joint.kind = GT_IK_HINGE;
    joint.axis = gt_vec3(1.0f, 0.0f, 0.0f);
    joint.neutral = gt_character_def(character)->rest[joint.node].rotation;
    joint.min_turn_rad = 0.0f;
    joint.max_turn_rad = 2.5f;
    return joint;
}

// Spines would rather not, arms and legs would.
static GtIkJoint stiff(const GtCharacter* character, const char* name, float stiffness)
{
    GtIkJoint joint = gt_default_ik_joint();
    joint.node = find(character, name);
    joint.stiffness = stiffness;
    return joint;
}

static GtResult create_solver(const GtCharacter* character, GtIkSolver** out, GtError* error)
{
    GtIkEffector effectors[EFFECTOR_COUNT] = { gt_default_ik_effector(), gt_default_ik_effector(),
                                               gt_default_ik_effector() };
    effectors[HAND].node = find(character, "leftHand");
    effectors[FEET].node = find(character, "leftFoot");
    effectors[FEET + 1].node = find(character, "rightFoot");
    const GtIkJoint joints[] = {
        knee(character, "leftLowerLeg"), knee(character, "rightLowerLeg"),       stiff(character, "spine", 3.0f),
        stiff(character, "chest", 3.0f), stiff(character, "leftShoulder", 4.0f),
    };
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = effectors;
    def.effector_count = EFFECTOR_COUNT;
    def.joints = joints;
    def.joint_count = sizeof joints / sizeof joints[0];
    def.top = find(character, "hips");
    def.move_top = true;
    def.move_stiffness = 0.5f;
    return gt_ik_solver_create(gt_default_allocator(), character, &def, out, error);
}

// Half a circle in front, from above the head almost to the floor.
static GtVec3 hand_at(float share)
{
    float angle = (0.5f - share) * PI;
    return gt_vec3(0.2f + 0.3f * cosf(angle), 1.1f + 0.85f * sinf(angle), 0.25f + 0.25f * share);
}

// As the rest pose, but with knees that bend as the hand goes down.
static void set_posture(const GtCharacter* character, float share, GtTransform* posture)
{
    static const char* const names[] = { "leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg" };
    const GtTransform* rest = gt_character_def(character)->rest;
    for (int i = 0; i < 4; ++i) {
        int32_t node = find(character, names[i]);
        GtQuat bend = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), (i < 2 ? -1.0f : 1.9f) * share * share);
        posture[node].rotation = gt_quat_mul(rest[node].rotation, bend);
    }
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: reach CHARACTER.glb OUT.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtIkSolver* solver = NULL;
    GtLoadDef load_def = gt_default_load_def();
    GtBuildDef build_def = gt_default_build_def();
    if (gt_scene_load(&context, argv[1], &load_def, &scene, &error) != GT_OK ||
        gt_character_build(&context, scene, &build_def, &character, NULL, &error) != GT_OK ||
        gt_instance_create(context.allocator, character, &instance, &error) != GT_OK ||
        create_solver(character, &solver, &error) != GT_OK) {
        return fail(&error);
    }
    const GtCharacterDef* def = gt_character_def(character);
    size_t count = (size_t)def->node_count;
    size_t scratch_size = (gt_ik_solver_scratch_size(solver) + 15) / 16 * 16;
    void* scratch = aligned_alloc(16, scratch_size);
    GtTransform* poses = aligned_alloc(16, FRAME_COUNT * count * sizeof *poses);
    GtTransform* posture = aligned_alloc(16, count * sizeof *posture);
    uint8_t* paths = malloc(count);
    if (!scratch || !poses || !posture || !paths) {
        fprintf(stderr, "reach: out of memory\n");
        return EXIT_FAILURE;
    }

    memcpy(posture, def->rest, count * sizeof *posture);

    // Goals: the feet as they stand; the hand's place changes.
    GtIkGoal goals[EFFECTOR_COUNT] = { gt_default_ik_goal(), gt_default_ik_goal(), gt_default_ik_goal() };
    const char* const feet[] = { "leftFoot", "rightFoot" };
    for (int i = 0; i < 2; ++i) {
        const GtMat34* foot = &instance->model_from_node[find(character, feet[i])];
        goals[FEET + i].position = gt_mat34_translation(foot);
        goals[FEET + i].rotation = gt_mat34_polar(foot, NULL);
        goals[FEET + i].position_weight = 100.0f; // where the hand cannot come, it gives way
        goals[FEET + i].rotation_weight = 4.0f;
    }
    const int32_t lookers[] = { find(character, "neck"), find(character, "head") };
    GtIkAim aim = gt_default_ik_aim();
    aim.nodes = lookers;
    aim.node_count = 2;
    aim.limit_rad = 1.2f;
    float worst_m = 0.0f;
    float times_s[FRAME_COUNT];
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        float share = (float)frame / (FRAME_COUNT - 1);
        GtIkReport report;
        goals[HAND].position = hand_at(share);
        set_posture(character, share, posture);
        // From the last frame's pose, and near the posture: the frame work of inverse kinematics.
        gt_ik_solve(solver, goals, posture, instance->pose, scratch, &report);
        instance->pose[lookers[0]].rotation = def->rest[lookers[0]].rotation;
        instance->pose[lookers[1]].rotation = def->rest[lookers[1]].rotation;
        gt_instance_update(instance);
        aim.target = goals[HAND].position;
        gt_ik_aim(character, &aim, instance->pose, instance->model_from_node);
        worst_m = fmaxf(worst_m, report.miss_m);
        times_s[frame] = (float)frame / 30.0f;
        memcpy(poses + (size_t)frame * count, instance->pose, count * sizeof *poses);
    }
    printf("%d frames, no goal missed by more than %.2f mm\n", FRAME_COUNT, 1e3 * (double)worst_m);

    // The runtime's nodes are the scene's in another order.
    memset(paths, GT_BAKE_ROTATION, count);
    paths[find(character, "hips")] |= GT_BAKE_TRANSLATION;
    GtBakeDef bake = {
        .name = "reach",
        .frame_count = FRAME_COUNT,
        .times_s = times_s,
        .node_count = def->node_count,
        .nodes = def->source_nodes,
        .paths = paths,
        .poses = poses,
    };
    GtSaveDef save_def = gt_default_save_def();
    if (gt_scene_bake(&context, scene, &bake, NULL, &error) != GT_OK ||
        gt_scene_save(&context, scene, argv[2], &save_def, &error) != GT_OK) {
        return fail(&error);
    }
    free(paths);
    free(posture);
    free(poses);
    free(scratch);
    gt_ik_solver_destroy(solver);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
