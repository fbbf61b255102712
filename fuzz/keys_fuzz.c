// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a file of keys set by hand over a person's clip: they are refused by a message, or can be put into the
// clip, whose joints are somewhere at all times.

#include "gertie/build.h"
#include "gertie/hand_keys.h"

#include "person.h"
#include "play.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static GtContext context;
static GtScene* person;

static void check_pose(const GtInstance* instance)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    for (int32_t n = 0; n < def->node_count; ++n) {
        GtVec3 place = gt_mat34_translation(&instance->model_from_node[n]);
        CHECK(isfinite(place.x) && isfinite(place.y) && isfinite(place.z));
    }
}

static void play(const GtScene* scene)
{
    GtBuildDef build = gt_default_build_def();
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtClip* clip = NULL;
    CHECK(gt_scene_validate(&context, scene, NULL) == GT_OK);
    CHECK(gt_character_build(&context, scene, &build, &character, NULL, NULL) == GT_OK);
    CHECK(gt_instance_create(context.allocator, character, &instance, NULL) == GT_OK);
    CHECK(gt_clip_build(&context, scene, 0, character, &clip, NULL) == GT_OK);
    play_clip(clip, instance);
    check_pose(instance);
    gt_clip_destroy(clip);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!person) {
        context = gt_default_context();
        person = make_person(&context);
    }
    char path[64];
    GtError error = { 0 };
    GtHandKeys* keys = NULL;
    int file = memfd_create("keys", 0);
    CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    GtResult result = gt_hand_keys_load(&context, person, path, &keys, &error);
    CHECK((result == GT_OK) == (keys != NULL) && (result == GT_OK || error.message[0]));
    GtScene* scene = NULL;
    if (keys && gt_scene_copy(&context, person, &scene, NULL) == GT_OK) {
        if (gt_hand_keys_apply(&context, scene, keys, 0, keys->blend ? 0 : GT_NONE, &error) == GT_OK) {
            play(scene);
        }
    }
    gt_scene_destroy(scene);
    gt_hand_keys_destroy(keys);
    close(file);
    return 0;
}
