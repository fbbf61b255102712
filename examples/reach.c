// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// reach CHARACTER.glb OUT.glb
//
// The left hand goes from above the head almost to the floor in three seconds; the feet stay where they stand, the
// hips go along, and the head looks after the hand. It shows the full-body solver, aiming, and how poses become a clip.
// Any humanoid, whatever its joints are called and whichever way their axes point. Links libgertie.

#include <gertie/bake.h>
#include <gertie/figure.h>
#include <gertie/file.h>
#include <gertie/ik.h>

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

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "reach: %s\n", text);
        exit(EXIT_FAILURE);
    }
}

// Directions of the figure at rest in the space of one of its nodes: joints of different rigs have different axes.
static GtVec3 in_node(const GtFigure* figure, int32_t node, GtVec3 in_model)
{
    GtQuat model_from_node = gt_mat34_polar(&figure->reference[node], NULL);
    return gt_quat_rotate(gt_quat_conjugate(model_from_node), in_model);
}

static bool is_below(const GtFigure* figure, int32_t node, int32_t top)
{
    while (node != GT_NONE && node != top) {
        node = figure->def->parents[node];
    }
    return node == top;
}

// The ankle: a joint of its own, or, in rigs whose feet hang from elsewhere, the end of the shin.
static GtIkEffector ankle(const GtFigure* figure, GtHumanoidJoint foot, GtHumanoidJoint shin)
{
    GtIkEffector effector = gt_default_ik_effector();
    effector.node = figure->joints[foot];
    if (!is_below(figure, effector.node, figure->joints[GT_HUMANOID_HIPS])) {
        GtMat34 shin_from_model = gt_mat34_inverse(&figure->reference[figure->joints[shin]], NULL);
        effector.point = gt_mat34_point(&shin_from_model, gt_mat34_translation(&figure->reference[effector.node]));
        effector.node = figure->joints[shin];
    }
    return effector;
}

// Knees are hinges about the axis across. Spines would rather not bend, arms and legs would.
static int32_t list_joints(const GtFigure* figure, GtVec3 left, GtIkJoint joints[8])
{
    static const struct {
        GtHumanoidJoint joint;
        float stiffness;
    } stiff[] = { { GT_HUMANOID_SPINE, 3.0f }, { GT_HUMANOID_CHEST, 3.0f }, { GT_HUMANOID_LEFT_SHOULDER, 4.0f } };
    int32_t count = 0;
    for (int side = 0; side < 2; ++side) {
        GtIkJoint knee = gt_default_ik_joint();
        knee.node = figure->joints[side ? GT_HUMANOID_RIGHT_LOWER_LEG : GT_HUMANOID_LEFT_LOWER_LEG];
        knee.kind = GT_IK_HINGE;
        knee.axis = in_node(figure, knee.node, left);
        knee.neutral = figure->def->rest[knee.node].rotation;
        knee.min_turn_rad = 0.0f;
        knee.max_turn_rad = 2.5f;
        joints[count++] = knee;
    }
    for (int i = 0; i < 3; ++i) {
        joints[count] = gt_default_ik_joint();
        joints[count].node = figure->joints[stiff[i].joint];
        joints[count].stiffness = stiff[i].stiffness;
        count += joints[count].node != GT_NONE; // not every figure has a chest and shoulders
    }
    return count;
}

static GtIkSolver* create_solver(const GtFigure* figure, const GtIkEffector* effectors, GtVec3 left)
{
    GtError error;
    GtIkSolver* solver = NULL;
    GtIkJoint joints[8];
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = effectors;
    def.effector_count = EFFECTOR_COUNT;
    def.joints = joints;
    def.joint_count = list_joints(figure, left, joints);
    def.top = figure->joints[GT_HUMANOID_HIPS];
    def.move_top = true;
    def.move_stiffness = 0.5f;
    check(gt_ik_solver_create(gt_default_allocator(), figure->character, &def, &solver, &error), &error);
    return solver;
}

// As the rest pose, but with knees that bend as the hand goes down.
static void set_posture(const GtFigure* figure, GtVec3 left, float share, GtTransform* posture)
{
    static const GtHumanoidJoint legs[] = { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG,
                                            GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG };
    for (int i = 0; i < 4; ++i) {
        int32_t node = figure->joints[legs[i]];
        float angle_rad = (i < 2 ? -1.0f : 1.9f) * share * share;
        GtQuat bend = gt_quat_from_axis_angle(in_node(figure, node, left), angle_rad);
        posture[node].rotation = gt_quat_mul(figure->def->rest[node].rotation, bend);
    }
}

// Goals that stay: the feet as they stand. Where the hand cannot come, it gives way to them.
static void set_goals(const GtFigure* figure, const GtIkEffector* effectors, GtIkGoal* goals)
{
    for (int i = 0; i < EFFECTOR_COUNT; ++i) {
        const GtMat34* model_from_node = &figure->instance->model_from_node[effectors[i].node];
        bool is_shin = effectors[i].node == figure->joints[GT_HUMANOID_LEFT_LOWER_LEG] ||
                       effectors[i].node == figure->joints[GT_HUMANOID_RIGHT_LOWER_LEG];
        goals[i] = gt_default_ik_goal();
        goals[i].position = gt_mat34_point(model_from_node, effectors[i].point);
        goals[i].rotation = gt_mat34_polar(model_from_node, NULL);
        goals[i].position_weight = i == HAND ? 1.0f : 100.0f;
        goals[i].rotation_weight = i == HAND || is_shin ? 0.0f : 4.0f;
    }
}

// Neck and head look at something.
static GtIkAim make_aim(const GtFigure* figure, GtVec3 ahead, GtVec3 up, int32_t nodes[2])
{
    GtIkAim aim = gt_default_ik_aim();
    aim.nodes = nodes;
    for (int joint = GT_HUMANOID_NECK; joint <= GT_HUMANOID_HEAD; ++joint) {
        nodes[aim.node_count] = figure->joints[joint];
        aim.node_count += figure->joints[joint] != GT_NONE;
    }
    if (aim.node_count) {
        aim.axis = in_node(figure, nodes[aim.node_count - 1], ahead);
        aim.up_axis = in_node(figure, nodes[aim.node_count - 1], up);
    }
    aim.up = up;
    aim.limit_rad = 1.2f;
    return aim;
}

static void look(const GtFigure* figure, GtIkAim* aim, GtVec3 target)
{
    GtInstance* instance = figure->instance;
    for (int i = 0; i < aim->node_count; ++i) {
        instance->pose[aim->nodes[i]].rotation = figure->def->rest[aim->nodes[i]].rotation;
    }
    gt_instance_update(instance);
    aim->target = target;
    if (aim->node_count) {
        gt_ik_aim(figure->character, aim, instance->pose, instance->model_from_node);
    }
}

// Write poses as a clip of a copy of the scene. The runtime's nodes are the scene's in another order.
static void save(const GtContext* context, const GtFigure* figure, const GtTransform* poses, const char* path)
{
    GtError error;
    GtScene* out = NULL;
    float times_s[FRAME_COUNT];
    for (int i = 0; i < FRAME_COUNT; ++i) {
        times_s[i] = (float)i / 30.0f;
    }
    uint8_t* paths = malloc((size_t)figure->def->node_count);
    if (!paths) {
        exit(EXIT_FAILURE);
    }
    memset(paths, GT_BAKE_ROTATION, (size_t)figure->def->node_count);
    paths[figure->joints[GT_HUMANOID_HIPS]] |= GT_BAKE_TRANSLATION;
    GtBakeDef bake = gt_default_bake_def();
    bake.name = "reach";
    bake.frame_count = FRAME_COUNT;
    bake.times_s = times_s;
    bake.node_count = figure->def->node_count;
    bake.nodes = figure->def->source_nodes;
    bake.paths = paths;
    bake.poses = poses;
    check(gt_scene_copy(context, figure->scene, &out, &error), &error);
    check(gt_scene_bake(context, out, &bake, NULL, &error), &error);
    check(gt_scene_save(context, out, path, NULL, &error), &error);
    free(paths);
    gt_scene_destroy(out);
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
    GtFigure figure;
    check(gt_scene_load(&context, argv[1], NULL, &scene, &error), &error);
    check(gt_figure_open(&context, scene, NULL, &figure, &error), &error);
    if (!figure.is_humanoid || figure.joints[GT_HUMANOID_LEFT_HAND] == GT_NONE) {
        fprintf(stderr, "reach: %s is no humanoid with legs and a left hand\n", argv[1]);
        return EXIT_FAILURE;
    }
    GtVec3 ahead = figure.map_report ? figure.map_report->forward : gt_vec3(0.0f, 0.0f, 1.0f);
    GtVec3 up = figure.map_report ? figure.map_report->up : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 left = gt_vec3_cross(up, ahead);
    GtInstance* instance = figure.instance;
    gt_instance_reset(instance);
    gt_instance_update(instance);

    // Once: what can be worked out before any frame.
    GtIkEffector effectors[EFFECTOR_COUNT] = { gt_default_ik_effector(),
                                               ankle(&figure, GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_LOWER_LEG),
                                               ankle(&figure, GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_RIGHT_LOWER_LEG) };
    effectors[HAND].node = figure.joints[GT_HUMANOID_LEFT_HAND];
    GtIkGoal goals[EFFECTOR_COUNT];
    set_goals(&figure, effectors, goals);
    GtIkSolver* solver = create_solver(&figure, effectors, left);
    int32_t lookers[2];
    GtIkAim aim = make_aim(&figure, ahead, up, lookers);
    size_t count = (size_t)figure.def->node_count;
    void* scratch = aligned_alloc(16, (gt_ik_solver_scratch_size(solver) + 15) / 16 * 16);
    GtTransform* poses = aligned_alloc(16, FRAME_COUNT * count * sizeof *poses);
    GtTransform* posture = aligned_alloc(16, count * sizeof *posture);
    if (!scratch || !poses || !posture) {
        fprintf(stderr, "reach: out of memory\n");
        return EXIT_FAILURE;
    }
    memcpy(posture, figure.def->rest, count * sizeof *posture);

    // Each frame: from the last frame's pose to the goals, near the posture.
    GtVec3 floor = gt_vec3_scale(gt_vec3_add(goals[FEET].position, goals[FEET + 1].position), 0.5f);
    float worst_m = 0.0f;
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        float share = (float)frame / (FRAME_COUNT - 1);
        float angle_rad = (0.5f - share) * PI; // half a circle in front
        GtVec3 place = gt_vec3_add(gt_vec3_scale(left, 0.12f + 0.18f * cosf(angle_rad)),
                                   gt_vec3_add(gt_vec3_scale(up, 0.61f + 0.51f * sinf(angle_rad)),
                                               gt_vec3_scale(ahead, 0.15f + 0.15f * share)));
        goals[HAND].position = gt_vec3_add(floor, gt_vec3_scale(place, (float)figure.height_m));
        set_posture(&figure, left, share, posture);
        GtIkReport report;
        gt_ik_solve(solver, goals, posture, instance->pose, scratch, &report);
        look(&figure, &aim, goals[HAND].position);
        worst_m = fmaxf(worst_m, report.miss_m);
        memcpy(poses + (size_t)frame * count, instance->pose, count * sizeof *poses);
    }
    printf("%d frames, no goal missed by more than %.2f mm\n", FRAME_COUNT, 1e3 * (double)worst_m);
    save(&context, &figure, poses, argv[2]);

    free(posture);
    free(poses);
    free(scratch);
    gt_ik_solver_destroy(solver);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
