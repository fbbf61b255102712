// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// pose FILE ANIMATION TIME...: where every vertex is at these times, for three.js to be compared with. Standard output
// is one line of JSON ({"meshes":[{"node","mesh","primitive","vertices"}...]}), then for each time, for each mesh, the
// positions as floats. Without times, the line alone.

#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/instance.h"
#include "gertie/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "pose: %s\n", text);
    return 1;
}

static void print_meshes(const GtCharacterDef* def)
{
    printf("{\"meshes\":[");
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const GtMeshDef* mesh = &def->meshes[i];
        printf("%s{\"node\":%d,\"mesh\":%d,\"primitive\":%d,\"vertices\":%d}", i ? "," : "",
               (int)def->source_nodes[mesh->node], (int)mesh->source_mesh, (int)mesh->source_primitive,
               (int)mesh->vertex_count);
    }
    printf("]}\n");
}

static void print_pose(GtInstance* instance, GtVec3* positions)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gt_instance_deform(instance, i, positions, NULL, NULL);
        fwrite(positions, sizeof *positions, (size_t)def->meshes[i].vertex_count, stdout);
    }
}

static size_t largest_mesh(const GtCharacterDef* def)
{
    size_t largest = 1;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        largest = count > largest ? count : largest;
    }
    return largest;
}

static int play(const GtCharacter* character, const GtClip* clip, char** times, int time_count)
{
    GtAllocator allocator = gt_default_allocator();
    GtInstance* instance = NULL;
    GtError error;
    GtVec3* positions = malloc(largest_mesh(gt_character_def(character)) * sizeof *positions);
    if (!positions || gt_instance_create(allocator, character, &instance, &error) != GT_OK) {
        free(positions);
        return 1;
    }
    print_meshes(gt_character_def(character));
    for (int i = 0; i < time_count; ++i) {
        double time_s = 0.0;
        if (!gt_parse_double(times[i], times[i] + strlen(times[i]), &time_s)) {
            fprintf(stderr, "pose: '%s' is no time\n", times[i]);
        }
        gt_instance_reset(instance);
        if (clip) {
            gt_clip_sample(clip, time_s, instance->pose, instance->weights);
        }
        gt_instance_update(instance);
        print_pose(instance, positions);
    }
    gt_instance_destroy(instance);
    free(positions);
    return fflush(stdout) ? 1 : 0;
}

int main(int argc, char** argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: pose FILE ANIMATION TIME...\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtBuildDef build = gt_default_build_def();
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtError error;
    int32_t animation = (int32_t)strtol(argv[2], NULL, 10);
    GtResult result = gt_scene_load(&context, argv[1], &load, &scene, &error);
    if (result == GT_OK) {
        result = gt_character_build(&context, scene, &build, &character, NULL, &error);
    }
    if (result == GT_OK && animation >= 0) { // below 0: at rest
        result = gt_clip_build(&context, scene, animation, character, &clip, &error);
    }
    int status = result == GT_OK ? play(character, clip, argv + 3, argc - 3) : fail(&error);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return status;
}
