// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// touch CHARACTER.glb OUT.glb
//
// The hands clap, rest on the hips, and one lies on the head: a motion to try --keep-contacts with. It shows limbs of
// two bones with a pole, the T-pose of any humanoid, and how poses become a clip. Where hands come to lie is made for
// the built-in person (gertie sample person), and scaled to the height of others. Links libgertie.

#include <gertie/bake.h>
#include <gertie/file.h>
#include <gertie/ik.h>
#include <gertie/retarget.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_A_SECOND = 60,
    POSE_COUNT = 4,
    FRAME_COUNT = (POSE_COUNT - 1) * FRAMES_A_SECOND + 1
};

// Where a wrist is, and where fingers and the back of the hand point.
typedef struct Reach {
    GtVec3 wrist, fingers, back;
} Reach;

// A second from each to the next; the right hand mirrors the left where it is not told apart.
static const Reach LEFT[POSE_COUNT] = {
    { { 0.42f, 0.98f, 0.1f }, { 0.2f, -0.98f, 0.0f }, { 0.98f, 0.2f, 0.0f } },
    { { 0.016f, 1.2f, 0.3f }, { 0.0f, 0.3f, 0.95f }, { 1.0f, 0.0f, 0.0f } },
    { { 0.2f, 1.04f, 0.02f }, { 0.0f, -1.0f, 0.0f }, { 1.0f, 0.0f, 0.0f } },
    { { 0.09f, 1.77f, 0.02f }, { -1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } },
};

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "touch: %s\n", text);
        exit(EXIT_FAILURE);
    }
}

// How a hand is turned since the T-pose, in which fingers point along X and backs along Y.
static GtQuat turn_of(Reach reach)
{
    GtVec3 x = reach.fingers, y = reach.back, z = gt_vec3_cross(x, y);
    GtMat34 turn = { { { x.x, y.x, z.x, 0.0f }, { x.y, y.y, z.y, 0.0f }, { x.z, y.z, z.z, 0.0f } } };
    return gt_mat34_polar(&turn, NULL);
}

static GtVec3 flip(GtVec3 v)
{
    return gt_vec3(-v.x, v.y, v.z);
}

// Move one arm out of the T-pose: the wrist, then the hand.
static void set_arm(const GtFigure* figure, int side, float time_s)
{
    static const float person_m = 1.61f; // height of the joints of the person that places are made for
    GtInstance* instance = figure->instance;
    int pose = time_s < POSE_COUNT - 1 ? (int)time_s : POSE_COUNT - 2;
    float u = time_s - (float)pose;
    u = u < 0.15f ? 0.0f : u > 0.85f ? 1.0f : (u - 0.15f) / 0.7f; // they rest at each for a while
    float share = u * u * (3.0f - 2.0f * u);
    int next = side && pose + 1 == POSE_COUNT - 1 ? 0 : pose + 1; // the right hand goes down when the left goes up
    Reach from = LEFT[pose], to = LEFT[next];
    GtQuat turn = gt_quat_slerp(turn_of(from), turn_of(to), share);
    GtIkLimb limb = gt_default_ik_limb();
    for (int k = 0; k < 3; ++k) {
        limb.nodes[k] = figure->joints[(side ? GT_HUMANOID_RIGHT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_ARM) + k];
    }
    limb.target = gt_vec3_lerp(from.wrist, to.wrist, share);
    limb.target.z += 0.5f * share * (1.0f - share); // around the body, not through it
    limb.target = gt_vec3_scale(limb.target, (float)figure->height_m / person_m);
    limb.pole = gt_vec3(0.6f, -0.3f, -1.0f);
    if (side) {
        turn = gt_quat(turn.x, -turn.y, -turn.z, turn.w);
        limb.target = flip(limb.target);
        limb.pole = flip(limb.pole);
    }
    int32_t hand = limb.nodes[2], parent = figure->def->parents[hand];
    GtQuat model_from_hand = gt_quat_mul(turn, gt_mat34_polar(&instance->model_from_node[hand], NULL));
    gt_ik_limb(figure->character, &limb, instance->pose, instance->model_from_node);
    GtQuat model_from_parent = gt_mat34_polar(&instance->model_from_node[parent], NULL);
    instance->pose[hand].rotation =
        gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(model_from_parent), model_from_hand));
}

// The VRM T-pose, whatever the figure rests in.
static void set_tpose(const GtFigure* figure, const GtRetargetPose* tpose)
{
    gt_instance_reset(figure->instance);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = figure->joints[j];
        if (node != GT_NONE) {
            GtTransform* joint = &figure->instance->pose[node];
            joint->rotation = gt_quat_mul(tpose->rotations[j], joint->rotation);
        }
    }
    gt_instance_update(figure->instance);
}

static void save(const GtContext* context, const GtFigure* figure, const GtTransform* poses, const char* path)
{
    GtError error;
    GtScene* out = NULL;
    float times_s[FRAME_COUNT];
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        times_s[frame] = (float)frame / FRAMES_A_SECOND;
    }
    size_t count = (size_t)figure->def->node_count;
    uint8_t* paths = malloc(count);
    if (!paths) {
        exit(EXIT_FAILURE);
    }
    memset(paths, GT_BAKE_ROTATION, count);
    paths[figure->joints[GT_HUMANOID_HIPS]] |= GT_BAKE_TRANSLATION;
    GtBakeDef bake = gt_default_bake_def();
    bake.name = "touch";
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
        fprintf(stderr, "usage: touch CHARACTER.glb OUT.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtFigure figure;
    GtRetargetPose tpose;
    check(gt_scene_load(&context, argv[1], NULL, &scene, &error), &error);
    check(gt_figure_open(&context, scene, NULL, &figure, &error), &error);
    check(gt_retarget_pose_find(&context, &figure, &tpose, NULL, &error), &error);
    size_t count = (size_t)figure.def->node_count;
    GtTransform* poses = aligned_alloc(16, FRAME_COUNT * count * sizeof *poses);
    for (int frame = 0; poses && frame < FRAME_COUNT; ++frame) {
        set_tpose(&figure, &tpose);
        for (int side = 0; side < 2; ++side) {
            set_arm(&figure, side, (float)frame / FRAMES_A_SECOND);
        }
        memcpy(poses + (size_t)frame * count, figure.instance->pose, count * sizeof *poses);
    }
    if (poses) {
        save(&context, &figure, poses, argv[2]);
    }
    free(poses);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    return poses ? EXIT_SUCCESS : EXIT_FAILURE;
}
