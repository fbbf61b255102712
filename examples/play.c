// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Plays a character from a file: loads it, compiles it, samples its first clip and deforms every mesh, eight times.
// Links libgertie-scene. In a game the loop body is the whole frame, and nothing in it allocates.

#include <gertie/build.h>
#include <gertie/file.h>
#include <gertie/instance.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void say_diagnostic(void* user, const GtDiagnostic* diagnostic)
{
    (void)user;
    if (diagnostic->severity == GT_SEVERITY_WARNING) {
        fprintf(stderr, "warning: %s: %s\n", diagnostic->where, diagnostic->message);
    }
}

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "play: %s\n", text);
    return EXIT_FAILURE;
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: play CHARACTER.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    context.diagnose = say_diagnostic;
    GtError error;

    // Once: a file becomes a scene, and a scene becomes what the runtime plays.
    GtScene* scene = NULL;
    GtLoadDef load_def = gt_default_load_def();
    if (gt_scene_load(&context, argv[1], &load_def, &scene, &error) != GT_OK) {
        return fail(&error);
    }
    GtCharacter* character = NULL;
    GtBuildDef build_def = gt_default_build_def();
    if (gt_character_build(&context, scene, &build_def, &character, NULL, &error) != GT_OK) {
        return fail(&error);
    }
    GtClip* clip = NULL;
    if (scene->animation_count > 0 && gt_clip_build(&context, scene, 0, character, &clip, &error) != GT_OK) {
        return fail(&error);
    }
    gt_scene_destroy(scene); // the character has copied what it needs

    // Once for each living copy: its pose, and room for its vertices.
    GtInstance* instance = NULL;
    if (gt_instance_create(context.allocator, character, &instance, &error) != GT_OK) {
        return fail(&error);
    }
    const GtCharacterDef* def = gt_character_def(character);
    size_t most_vertices = 1;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        most_vertices = count > most_vertices ? count : most_vertices;
    }
    GtVec3* positions = malloc(most_vertices * sizeof *positions);
    GtVec3* normals = malloc(most_vertices * sizeof *normals);
    if (!positions || !normals) {
        fprintf(stderr, "play: out of memory\n");
        return EXIT_FAILURE;
    }

    printf("%d nodes, %d skins, %d meshes\n", def->node_count, def->skin_count, def->mesh_count);
    double start_s = clip ? gt_clip_start_s(clip) : 0.0;
    double end_s = clip ? gt_clip_end_s(clip) : 0.0;
    for (int step = 0; step <= 7; ++step) {
        double time_s = start_s + (end_s - start_s) * step / 7;

        // Every frame: pose, matrices, vertices.
        gt_instance_reset(instance);
        if (clip) {
            gt_clip_sample(clip, time_s, instance->pose, instance->weights);
        }
        gt_instance_update(instance);
        GtVec3 low = gt_vec3(FLT_MAX, FLT_MAX, FLT_MAX);
        GtVec3 high = gt_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX);
        for (int32_t mesh = 0; mesh < def->mesh_count; ++mesh) {
            gt_instance_deform(instance, mesh, positions, normals, NULL);
            for (int32_t i = 0; i < def->meshes[mesh].vertex_count; ++i) {
                GtVec3 p = positions[i];
                low = gt_vec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
                high = gt_vec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
            }
        }
        printf("%.3f s: from (%.3f, %.3f, %.3f) to (%.3f, %.3f, %.3f) m\n", time_s, (double)low.x, (double)low.y,
               (double)low.z, (double)high.x, (double)high.y, (double)high.z);
    }

    free(normals);
    free(positions);
    gt_instance_destroy(instance);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    return EXIT_SUCCESS;
}
