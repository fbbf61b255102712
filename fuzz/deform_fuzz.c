// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a deformation of a person: they are refused by a message, or make a character that plays, and are
// written as a file that says the same again.

#include "gertie/sculpt.h"

#include "sections/sculpt.h"

#include "person.h"
#include "play.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static GtContext context;
static GtScene* person;

static void play(const GtSculpt* sculpt)
{
    static const double times_s[] = { 0.0, 0.4, 1e9, -1.0, (double)NAN };
    GtError error = { 0 };
    GtBuildDef build = gt_default_build_def();
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtSculptPlayer* player = NULL;
    GtInstance* instance = NULL;
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    GtResult result = gt_sculpt_character(&context, person, sculpt, &build, &character, NULL, &error);
    CHECK(result == GT_OK || error.message[0]);
    if (result == GT_OK) {
        CHECK(gt_clip_build(&context, person, 0, character, &clip, NULL) == GT_OK);
        CHECK(gt_instance_create(context.allocator, character, &instance, NULL) == GT_OK);
        def.scene = person;
        def.sculpt = sculpt;
        def.character = character;
        def.clip = clip;
        def.animation = 0;
        result = gt_sculpt_player_create(&context, &def, &player, &error);
        CHECK(result == GT_OK || error.message[0]);
    }
    for (size_t i = 0; player && i < sizeof times_s / sizeof times_s[0]; ++i) {
        gt_sculpt_play(player, times_s[i], instance);
    }
    if (player) {
        deform(instance);
    }
    gt_sculpt_player_destroy(player);
    gt_instance_destroy(instance);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
}

// What is written reads, and is written the same again.
static void come_back(const GtSculpt* sculpt)
{
    GtArena arena = gt_arena_create(context.allocator);
    GtSculpt* again = NULL;
    const char* text = gti_sculpt_text(sculpt, &arena, 0);
    CHECK(text && gt_sculpt_parse(&context, person, text, strlen(text), &again, NULL) == GT_OK);
    CHECK(again->section_count == sculpt->section_count && again->track_count == sculpt->track_count);
    gt_sculpt_destroy(again);
    gt_arena_destroy(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!person) {
        context = gt_default_context();
        person = make_person(&context);
    }
    GtError error = { 0 };
    GtSculpt* sculpt = NULL;
    GtResult result = gt_sculpt_parse(&context, person, (const char*)data, size, &sculpt, &error);
    CHECK((result == GT_OK) == (sculpt != NULL) && (result == GT_OK || error.message[0]));
    if (sculpt) {
        play(sculpt);
        come_back(sculpt);
    }
    gt_sculpt_destroy(sculpt);
    return 0;
}
