// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// layers MOTION SECONDS [linear] > person.obj
//
// The built-in person at a moment of a built-in motion, with the skin as the layers under it are then, or with the
// linear skin of the file that `gertie sample person` writes: the same vertices in the same order, so that the two can
// be compared or the one learnt from the other. Links libgertie.

#include <gertie/accessor.h>
#include <gertie/build.h>
#include <gertie/instance.h>
#include <gertie/motions.h>
#include <gertie/playback.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "layers: %s\n", text);
    return EXIT_FAILURE;
}

// The node of a character that is a joint; characters have their nodes in an order of their own.
static int32_t node_of(const GtCharacter* character, GtHumanoidJoint joint)
{
    const GtCharacterDef* def = gt_character_def(character);
    int32_t node = 0;
    while (node + 1 < def->node_count && strcmp(def->names[node], gt_humanoid_name(joint)) != 0) {
        ++node;
    }
    return node;
}

static GtResult sample(const GtContext* context, const GtMotionDef* def, double time_s,
                       GtTransform pose[GT_HUMANOID_JOINT_COUNT], GtError* error)
{
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtInstance* instance = NULL;
    GtBuildDef build_def = gt_default_build_def();
    GtResult result = gt_sample_motion(context, def, &scene, NULL, error);
    if (result == GT_OK) {
        result = gt_character_build(context, scene, &build_def, &character, NULL, error);
    }
    if (result == GT_OK) {
        result = gt_clip_build(context, scene, 0, character, &clip, error);
    }
    if (result == GT_OK) {
        result = gt_instance_create(context->allocator, character, &instance, error);
    }
    if (result == GT_OK) {
        GtLoop loop = gt_motion_loops(def->kind) ? GT_LOOP_REPEAT : GT_LOOP_ONCE; // a walk goes on, a jump does not
        time_s = gt_loop_time(loop, gt_clip_start_s(clip), gt_clip_end_s(clip), time_s, NULL);
        gt_clip_sample(clip, time_s, instance->pose, NULL);
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            pose[j] = instance->pose[node_of(character, (GtHumanoidJoint)j)];
        }
    }
    gt_instance_destroy(instance);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return result;
}

static GtResult pose_linear(const GtContext* context, const GtScene* person, const GtTransform* pose, GtVec3* positions,
                            GtVec3* normals, GtError* error)
{
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtBuildDef build_def = gt_default_build_def();
    GtResult result = gt_character_build(context, person, &build_def, &character, NULL, error);
    if (result == GT_OK) {
        result = gt_instance_create(context->allocator, character, &instance, error);
    }
    if (result == GT_OK) {
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            instance->pose[node_of(character, (GtHumanoidJoint)j)] = pose[j];
        }
        gt_instance_update(instance);
        gt_instance_deform(instance, 0, positions, normals, NULL);
    }
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return result;
}

static void write_obj(const GtScene* person, const GtVec3* positions, const GtVec3* normals, int32_t count)
{
    const GtPrimitive* primitive = &person->meshes[0].primitives[0];
    int32_t colors = gt_primitive_find(primitive, "COLOR_0");
    uint64_t corners = person->accessors[primitive->indices].count;
    for (int32_t v = 0; v < count; ++v) {
        float linear[4];
        gt_accessor_read_floats(person, colors, (uint64_t)v, 1, linear);
        GtVec3 p = positions[v];
        GtVec3 n = normals[v];
        printf("v %.6f %.6f %.6f %.4f %.4f %.4f\nvn %.4f %.4f %.4f\n", (double)p.x, (double)p.y, (double)p.z,
               pow((double)linear[0], 1.0 / 2.2), pow((double)linear[1], 1.0 / 2.2), pow((double)linear[2], 1.0 / 2.2),
               (double)n.x, (double)n.y, (double)n.z);
    }
    for (uint64_t i = 0; i < corners; i += 3) {
        uint32_t v[3];
        gt_accessor_read_uints(person, primitive->indices, i, 3, v);
        printf("f %u//%u %u//%u %u//%u\n", v[0] + 1, v[0] + 1, v[1] + 1, v[1] + 1, v[2] + 1, v[2] + 1);
    }
}

int main(int argc, char** argv)
{
    int kind = 0;
    while (argc > 1 && kind < GT_MOTION_COUNT && strcmp(gt_motion_name((GtMotionKind)kind), argv[1]) != 0) {
        ++kind;
    }
    if (argc < 3 || kind == GT_MOTION_COUNT) {
        fprintf(stderr, "usage: layers MOTION SECONDS [linear] > person.obj\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtMotionDef motion = gt_default_motion_def((GtMotionKind)kind);
    GtPersonDef def = motion.person;
    GtScene* person = NULL;
    GtPersonLayers* layers = NULL;
    GtTransform pose[GT_HUMANOID_JOINT_COUNT];
    if (sample(&context, &motion, strtod(argv[2], NULL), pose, &error) != GT_OK ||
        gt_sample_person(&context, &def, &person, NULL, &error) != GT_OK ||
        gt_person_layers_create(&context, &def, &layers, &error) != GT_OK) {
        return fail(&error);
    }
    int32_t count = gt_person_layers_vertex_count(layers);
    GtVec3* positions = malloc((size_t)count * sizeof *positions);
    GtVec3* normals = malloc((size_t)count * sizeof *normals);
    if (!positions || !normals) {
        fprintf(stderr, "layers: out of memory\n");
        return EXIT_FAILURE;
    }
    GtResult result = argc > 3 ? pose_linear(&context, person, pose, positions, normals, &error)
                               : gt_person_layers_pose(&context, layers, pose, positions, normals, &error);
    if (result != GT_OK) {
        return fail(&error);
    }
    write_obj(person, positions, normals, count);
    free(positions);
    free(normals);
    gt_person_layers_destroy(layers);
    gt_scene_destroy(person);
    return EXIT_SUCCESS;
}
