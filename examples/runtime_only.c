// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character from plain arrays: a strip of two bones that bends at its middle by 90 degrees in one second.
// Links libgertie-runtime alone, which needs the C library and threads and reads no files.

#include <gertie/character.h>
#include <gertie/clip.h>
#include <gertie/instance.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    JOINT_SHOULDER,
    JOINT_ELBOW,
    JOINT_COUNT,
    VERTEX_COUNT = 6,
};

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "runtime_only: %s\n", text);
    return EXIT_FAILURE;
}

// Two metres tall, 0.2 m wide, in the XY plane: the lower half follows the shoulder, the upper the elbow.
static GtResult create_arm(GtCharacter** out, GtError* error)
{
    const GtVec3 up_1m = gt_vec3(0.0f, 1.0f, 0.0f);
    const int32_t parents[JOINT_COUNT] = { GT_NONE, JOINT_SHOULDER };
    GtTransform rest[JOINT_COUNT] = { gt_transform_identity(), gt_transform_identity() };
    rest[JOINT_ELBOW].translation = up_1m;
    const char* names[JOINT_COUNT] = { "shoulder", "elbow" };

    const int32_t joints[JOINT_COUNT] = { JOINT_SHOULDER, JOINT_ELBOW };
    GtMat34 joint_from_mesh[JOINT_COUNT] = { gt_mat34_identity(), gt_mat34_identity() };
    joint_from_mesh[JOINT_ELBOW].m[1][3] = -1.0f;
    GtSkinDef skin = gt_default_skin_def();
    skin.joints = joints;
    skin.joint_count = JOINT_COUNT;
    skin.joint_from_mesh = joint_from_mesh;

    const GtVec3 positions[VERTEX_COUNT] = { { -0.1f, 0.0f, 0.0f }, { 0.1f, 0.0f, 0.0f },  { -0.1f, 1.0f, 0.0f },
                                             { 0.1f, 1.0f, 0.0f },  { -0.1f, 2.0f, 0.0f }, { 0.1f, 2.0f, 0.0f } };
    const uint32_t indices[] = { 0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4 };
    const uint16_t vertex_joints[VERTEX_COUNT * 2] = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 };
    const float vertex_weights[VERTEX_COUNT * 2] = { 1, 0, 1, 0, 0.5f, 0.5f, 0.5f, 0.5f, 0, 1, 0, 1 };
    const GtDeformerData deformers[] = { { GT_DEFORMER_SKIN, GT_SKIN_DUAL_QUATERNION } };
    GtMeshDef mesh = gt_default_mesh_def();
    mesh.name = "arm";
    mesh.node = JOINT_SHOULDER;
    mesh.vertex_count = VERTEX_COUNT;
    mesh.positions = positions;
    mesh.index_count = sizeof indices / sizeof indices[0];
    mesh.indices = indices;
    mesh.skin = 0;
    mesh.influence_count = 2;
    mesh.joints = vertex_joints;
    mesh.weights = vertex_weights;
    mesh.deformers = deformers;
    mesh.deformer_count = 1;

    GtCharacterDef def = gt_default_character_def();
    def.node_count = JOINT_COUNT;
    def.parents = parents;
    def.rest = rest;
    def.names = names;
    def.skin_count = 1;
    def.skins = &skin;
    def.mesh_count = 1;
    def.meshes = &mesh;
    return gt_character_create(gt_default_allocator(), &def, out, error);
}

static GtResult create_bend(GtClip** out, GtError* error)
{
    const float times_s[] = { 0.0f, 1.0f };
    const float rotations[] = { 0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f }; // xyzw: 90 degrees about Z
    GtTrackDef track = gt_default_track_def();
    track.kind = GT_TRACK_ROTATION;
    track.target = JOINT_ELBOW;
    track.component_count = 4;
    track.key_count = 2;
    track.times_s = times_s;
    track.values = rotations;
    GtClipDef def = gt_default_clip_def();
    def.name = "bend";
    def.track_count = 1;
    def.tracks = &track;
    def.node_count = JOINT_COUNT;
    return gt_clip_create(gt_default_allocator(), &def, out, error);
}

int main(void)
{
    GtError error;
    GtCharacter* arm = NULL;
    GtClip* bend = NULL;
    if (create_arm(&arm, &error) != GT_OK || create_bend(&bend, &error) != GT_OK) {
        return fail(&error);
    }

    // An instance lives wherever the caller likes; here, in a block of the C library.
    size_t size = (gt_instance_size(arm) + 15) / 16 * 16;
    void* memory = aligned_alloc(16, size);
    if (!memory) {
        fprintf(stderr, "runtime_only: out of memory\n");
        return EXIT_FAILURE;
    }
    GtInstance* instance = gt_instance_init(arm, memory);

    for (int step = 0; step <= 4; ++step) {
        double time_s = step / 4.0;
        GtVec3 positions[VERTEX_COUNT];
        gt_clip_sample(bend, time_s, instance->pose, NULL);
        gt_instance_update(instance);
        gt_instance_deform(instance, 0, positions, NULL, NULL);
        GtVec3 tip = gt_vec3_scale(gt_vec3_add(positions[4], positions[5]), 0.5f);
        printf("%.2f s: the tip is at (%.3f, %.3f)\n", time_s, (double)tip.x, (double)tip.y);
    }

    free(memory);
    gt_clip_destroy(bend);
    gt_character_destroy(arm);
    return EXIT_SUCCESS;
}
