// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// touch CHARACTER.glb OUT.glb
//
// The hands clap, rest on the hips, and one lies on the head: a motion to try --keep-contacts with. It shows limbs of
// two bones with a pole, and how poses become a clip. Made for the built-in person in the T-pose (gertie sample
// person).

#include <gertie/bake.h>
#include <gertie/build.h>
#include <gertie/file.h>
#include <gertie/ik.h>
#include <gertie/instance.h>

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

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "touch: %s\n", text);
    return EXIT_FAILURE;
}

static int32_t find(const GtCharacter* character, const char* name)
{
    int32_t node = gt_character_find_node(character, name);
    if (node == GT_NONE) {
        fprintf(stderr, "touch: the character has no node '%s'\n", name);
        exit(EXIT_FAILURE);
    }
    return node;
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

// Move one arm: the wrist, then the hand.
static void set_arm(GtInstance* instance, int side, float time_s)
{
    static const char* const names[2][3] = { { "leftUpperArm", "leftLowerArm", "leftHand" },
                                             { "rightUpperArm", "rightLowerArm", "rightHand" } };
    const GtCharacter* character = instance->character;
    int pose = time_s < POSE_COUNT - 1 ? (int)time_s : POSE_COUNT - 2;
    float u = time_s - (float)pose;
    u = u < 0.15f ? 0.0f : u > 0.85f ? 1.0f : (u - 0.15f) / 0.7f; // they rest at each for a while
    float share = u * u * (3.0f - 2.0f * u);
    int next = side && pose + 1 == POSE_COUNT - 1 ? 0 : pose + 1; // the right hand goes down when the left goes up
    Reach from = LEFT[pose], to = LEFT[next];
    GtQuat turn = gt_quat_slerp(turn_of(from), turn_of(to), share);
    GtIkLimb limb = gt_default_ik_limb();
    for (int k = 0; k < 3; ++k) {
        limb.nodes[k] = find(character, names[side][k]);
    }
    limb.target = gt_vec3_lerp(from.wrist, to.wrist, share);
    limb.target.z += 0.5f * share * (1.0f - share); // around the body, not through it
    limb.pole = gt_vec3(0.6f, -0.3f, -1.0f);
    if (side) {
        turn = gt_quat(turn.x, -turn.y, -turn.z, turn.w);
        limb.target = flip(limb.target);
        limb.pole = flip(limb.pole);
    }
    gt_ik_limb(character, &limb, instance->pose, instance->model_from_node);
    int32_t hand = limb.nodes[2], parent = gt_character_def(character)->parents[hand];
    GtQuat above = gt_mat34_polar(&instance->model_from_node[parent], NULL);
    instance->pose[hand].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(above), turn));
}

static GtResult bake(const GtContext* context, const GtCharacter* character, const GtTransform* poses, uint8_t* paths,
                     GtScene* scene, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(character);
    float times_s[FRAME_COUNT];
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        times_s[frame] = (float)frame / FRAMES_A_SECOND;
    }
    memset(paths, GT_BAKE_ROTATION, (size_t)def->node_count);
    paths[find(character, "hips")] |= GT_BAKE_TRANSLATION;
    GtBakeDef bake_def = {
        .name = "touch",
        .frame_count = FRAME_COUNT,
        .times_s = times_s,
        .node_count = def->node_count,
        .nodes = def->source_nodes,
        .paths = paths,
        .poses = poses,
    };
    return gt_scene_bake(context, scene, &bake_def, NULL, error);
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
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtLoadDef load_def = gt_default_load_def();
    GtBuildDef build_def = gt_default_build_def();
    GtSaveDef save_def = gt_default_save_def();
    if (gt_scene_load(&context, argv[1], &load_def, &scene, &error) != GT_OK ||
        gt_character_build(&context, scene, &build_def, &character, NULL, &error) != GT_OK ||
        gt_instance_create(context.allocator, character, &instance, &error) != GT_OK) {
        return fail(&error);
    }
    size_t count = (size_t)gt_character_def(character)->node_count;
    GtTransform* poses = aligned_alloc(16, FRAME_COUNT * count * sizeof *poses);
    uint8_t* paths = malloc(count);
    if (!poses || !paths) {
        fprintf(stderr, "touch: out of memory\n");
        return EXIT_FAILURE;
    }
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        gt_instance_reset(instance);
        gt_instance_update(instance);
        for (int side = 0; side < 2; ++side) {
            set_arm(instance, side, (float)frame / FRAMES_A_SECOND);
        }
        memcpy(poses + (size_t)frame * count, instance->pose, count * sizeof *poses);
    }
    if (bake(&context, character, poses, paths, scene, &error) != GT_OK ||
        gt_scene_save(&context, scene, argv[2], &save_def, &error) != GT_OK) {
        return fail(&error);
    }
    free(paths);
    free(poses);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
