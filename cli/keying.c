// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// A second motion is put on the character just as the first was, blended into it, and dropped.

#include "keying.h"

#include "fail.h"
#include "scenes.h"

bool keying_check(Session* session, const KeyingOptions* options)
{
    if (options->with->given && !options->keys->given) {
        return session_misuse(session, "--with needs --keys, whose blend says when it is seen");
    }
    return true;
}

bool keying_turns_markers(const GtHandKeys* keys)
{
    bool turns = false;
    for (int32_t i = 0; keys && i < keys->turn_count; ++i) {
        turns = turns || keys->turns[i].marker != GT_NONE;
    }
    return turns;
}

// Give the character the second motion as its last clip.
static bool add_second(Session* session, const KeyingOptions* options, const GtAnimateDef* def, GtScene** animated)
{
    GtError error = { 0 };
    GtScene* motion = NULL;
    GtScene* both = NULL;
    GtLoadDef load = scene_load_def(options->units, options->up, NULL);
    if (!scene_read(session, options->with->text, &load, &motion)) {
        return false;
    }
    GtAnimateDef second = *def;
    second.keep_animations = true;
    second.motion_map = NULL;
    second.retarget.source_pose = NULL;
    second.retarget.animation = 0;
    second.retarget.contacts = NULL;
    second.retarget.name = NULL;
    GtResult result = motion->animation_count > 0
                          ? gt_animate(&session->context, *animated, motion, &second, &both, NULL, &error)
                          : fail(&error, GT_ERROR_NOT_FOUND, options->with->text, "the motion holds no animation");
    gt_scene_destroy(motion);
    if (result != GT_OK) {
        error_set_file(&error, options->with->text);
        return session_fail(session, &error);
    }
    gt_scene_destroy(*animated);
    *animated = both;
    return true;
}

bool keying_apply(Session* session, const KeyingOptions* options, const GtAnimateDef* def, GtScene** animated,
                  GtHandKeys** keys)
{
    GtError error = { 0 };
    *keys = NULL;
    if (!options->keys->given) {
        return true;
    }
    if (gt_hand_keys_load(&session->context, *animated, options->keys->text, keys, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    bool blends = (*keys)->blend != NULL;
    if (blends != options->with->given) {
        fail(&error, GT_ERROR_BAD_VALUE, options->keys->text,
             blends ? "blend: there is no second motion; give one by --with"
                    : "there is no \"blend\" in it, which --with needs");
        return session_fail(session, &error);
    }
    int32_t animation = (*animated)->animation_count - 1;
    if (blends && !add_second(session, options, def, animated)) {
        return false;
    }
    if (gt_hand_keys_apply(&session->context, *animated, *keys, animation, blends ? animation + 1 : GT_NONE, &error) !=
        GT_OK) {
        return session_fail(session, &error);
    }
    (*animated)->animation_count = animation + 1;
    return true;
}
