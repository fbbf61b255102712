// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/sculpt.h"

#include "base/fail.h"

#include <math.h>

// Whether an error is in what the file says; then it is told, and taken as mended where the context is not strict.
static GtResult leave_out(const GtContext* context, const GtScene* scene, GtResult result, GtError* inner,
                          GtError* error)
{
    if (result == GT_ERROR_OUT_OF_MEMORY || result == GT_ERROR_CANCELLED) {
        if (error) {
            *error = *inner;
        }
        return result;
    }
    char text[800];
    inner->file[0] = '\0';
    gt_error_format(inner, text, sizeof text);
    return gti_repair(context, error, scene->source.file, "extensions.GERTIE_deform.file", "%.400s; left out", text);
}

GtResult gt_sculpt_actor_build(const GtContext* context, const GtScene* scene, const GtBuildDef* def,
                               GtSculptActor* out, GtCharacter** character, GtError* error)
{
    *out = (GtSculptActor){ 0 };
    *character = NULL;
    GtError inner = { 0 };
    GtResult result = gt_scene_sculpt(context, scene, &out->sculpt, &inner);
    if (result == GT_OK && out->sculpt) {
        result = gt_sculpt_character(context, scene, out->sculpt, def, character, NULL, &inner);
    }
    if (result != GT_OK) {
        gt_sculpt_actor_close(out);
        result = leave_out(context, scene, result, &inner, error);
    }
    return result == GT_OK && !*character ? gt_character_build(context, scene, def, character, NULL, error) : result;
}

static void warn_of_folds(const GtContext* context, const GtScene* scene, int32_t animation, const GtSculptActor* actor)
{
    int32_t count = 0;
    const GtSculptFold* folds = gt_sculpt_player_folds(actor->player, &count);
    const char* clip = animation != GT_NONE ? scene->animations[animation].name : NULL;
    for (int32_t i = 0; i < count; ++i) {
        gti_warn(context, scene->source.file, clip,
                 "the lattice of section '%.80s' turns inside out at %.2f s, for %.2f s",
                 actor->sculpt->sections[folds[i].section].def.name, folds[i].first_s, folds[i].length_s);
    }
}

GtResult gt_sculpt_actor_play(const GtContext* context, const GtScene* scene, const GtCharacter* character,
                              const GtClip* clip, int32_t animation, double start_s, GtSculptActor* actor,
                              GtError* error)
{
    if (!actor->sculpt) {
        return GT_OK;
    }
    GtError inner = { 0 };
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = scene;
    def.sculpt = actor->sculpt;
    def.character = character;
    def.clip = clip;
    def.animation = clip ? animation : GT_NONE;
    def.start_s = clip ? start_s : NAN;
    GtResult result = gt_sculpt_player_create(context, &def, &actor->player, &inner);
    if (result != GT_OK) {
        return leave_out(context, scene, result, &inner, error);
    }
    warn_of_folds(context, scene, def.animation, actor);
    return GT_OK;
}

GtResult gt_sculpt_actor_drivers(const GtContext* context, const GtScene* scene, const GtCharacter* character,
                                 const GtSculptActor* actor, GtDrivers** out, GtError* error)
{
    *out = NULL;
    if (!actor->sculpt) {
        return GT_OK;
    }
    GtError inner = { 0 };
    GtResult result = gt_sculpt_drivers(context, scene, actor->sculpt, character, out, &inner);
    return result == GT_OK ? GT_OK : leave_out(context, scene, result, &inner, error);
}

void gt_sculpt_actor_close(GtSculptActor* actor)
{
    gt_sculpt_player_destroy(actor->player);
    gt_sculpt_destroy(actor->sculpt);
    *actor = (GtSculptActor){ 0 };
}
