// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a scene, built and played: whatever passes validation becomes a character or an error, every clip
// can be sampled at any time, every mesh deformed by both skins.

#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/instance.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    MOST_VERTICES = 1 << 18, // deformed for one input: one mesh may be shown by thousands of nodes
    MOST_CLIPS = 8
};

static void deform(GtInstance* instance)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    int64_t left = MOST_VERTICES;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        left -= (int64_t)count + def->meshes[i].index_count + 100;
        if (left < 0) {
            return;
        }
        GtVec3* positions = malloc((count + 1) * sizeof *positions);
        GtVec3* normals = malloc((count + 1) * sizeof *normals);
        float* tangents = malloc((count + 1) * 4 * sizeof *tangents);
        if (positions && normals && tangents) {
            gt_instance_deform(instance, i, positions, normals, tangents);
            for (int32_t k = 0; k < def->meshes[i].index_count; ++k) {
                positions[def->meshes[i].indices[k]].x += 1.0f; // corners exist
            }
        }
        free(positions);
        free(normals);
        free(tangents);
    }
}

static void play(const GtContext* context, const GtScene* scene, const GtCharacter* character)
{
    GtInstance* instance = NULL;
    if (gt_instance_create(context->allocator, character, &instance, NULL) != GT_OK) {
        return;
    }
    deform(instance);
    for (int32_t i = 0; i < scene->animation_count && i < MOST_CLIPS; ++i) {
        GtClip* clip = NULL;
        if (gt_clip_build(context, scene, i, character, &clip, NULL) != GT_OK) {
            continue;
        }
        double start_s = gt_clip_start_s(clip);
        double end_s = gt_clip_end_s(clip);
        const double times_s[] = { start_s, 0.3 * start_s + 0.7 * end_s, end_s, end_s + 1.0, (double)NAN };
        for (size_t k = 0; k < sizeof times_s / sizeof *times_s; ++k) {
            gt_clip_sample(clip, times_s[k], instance->pose, instance->weights);
        }
        gt_instance_update(instance);
        deform(instance);
        gt_clip_destroy(clip);
    }
    gt_instance_destroy(context->allocator, instance);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtScene* scene = NULL;
    if (gt_scene_load_memory(&context, data, size, NULL, &load, &scene, NULL) != GT_OK) {
        return 0;
    }
    for (int method = 0; method < GT_SKIN_METHOD_COUNT; ++method) {
        GtBuildDef build = gt_default_build_def();
        GtCharacter* character = NULL;
        build.force_skin_method = true;
        build.skin_method = (GtSkinMethod)method;
        build.stage = method ? scene->default_stage : GT_NONE;
        build.max_influences = method ? 3 : GT_MAX_INFLUENCES;
        if (gt_character_build(&context, scene, &build, &character, NULL, NULL) == GT_OK) {
            play(&context, scene, character);
        }
        gt_character_destroy(character);
    }
    gt_scene_destroy(scene);
    return 0;
}
