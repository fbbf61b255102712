// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a scene, built and played: whatever passes validation becomes a character or an error, every clip
// can be sampled at any time, every mesh deformed by both skins.

#include "gertie/build.h"
#include "gertie/file.h"

#include "play.h"

#include <stdint.h>

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
        play_clip(clip, instance);
        gt_clip_destroy(clip);
    }
    gt_instance_destroy(instance);
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
