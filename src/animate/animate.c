// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The main job, from the parts: find both humanoids, make them ready, carry the clip over into a copy of the character.

#include "gertie/animate.h"

#include "base/fail.h"

GtAnimateDef gt_default_animate_def(void)
{
    return (GtAnimateDef){ .retarget = gt_default_retarget_def() };
}

static GtResult find_map(const GtContext* context, const GtScene* scene, const GtHumanoidMap* known, const char* whose,
                         GtHumanoidMap* out, GtError* error)
{
    GtMapDef def = gt_default_map_def();
    GtMapReport report;
    def.known = known;
    GtResult result = gt_map_humanoid(context, scene, &def, out, &report, error);
    if (result == GT_OK && (report.verdict == GT_MAP_AMBIGUOUS || report.verdict == GT_MAP_INCOMPLETE)) {
        gti_warn(context, scene->source.file, NULL, "the %s is %s", whose, report.summary);
    }
    return result;
}

static GtResult add_clip(const GtContext* context, const GtRetarget* retarget, const GtAnimateDef* def,
                         const GtScene* character, GtScene* scene, GtRetargetReport* report, GtError* error)
{
    if (!def->keep_animations && scene->animation_count) {
        const char* file = scene->source.file;
        if (scene->animation_count == 1) {
            gti_note(context, file, NULL, "the character's own clip is left out");
        } else {
            gti_note(context, file, NULL, "the character's own %d clips are left out", (int)scene->animation_count);
        }
        scene->animation_count = 0;
        GtResult result = gt_scene_release(scene, character, error);
        if (result != GT_OK) {
            return result;
        }
    }
    return gt_retarget_clip(context, retarget, scene, NULL, report, error);
}

GtResult gt_animate(const GtContext* context, const GtScene* character, const GtScene* motion, const GtAnimateDef* def,
                    GtScene** out, GtRetargetReport* report, GtError* error)
{
    *out = NULL;
    GtHumanoidMap character_map, motion_map;
    GtRetarget* retarget = NULL;
    GtResult result = find_map(context, character, def->character_map, "character", &character_map, error);
    if (result == GT_OK) {
        result = find_map(context, motion, def->motion_map, "motion", &motion_map, error);
    }
    if (result == GT_OK) {
        result = gt_retarget_create(context, motion, &motion_map, character, &character_map, &def->retarget, &retarget,
                                    error);
    }
    if (result == GT_OK) {
        result = gt_scene_copy(context, character, out, error);
    }
    if (result == GT_OK) {
        result = add_clip(context, retarget, def, character, *out, report, error);
    }
    gt_retarget_destroy(retarget);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
