// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures of scenes that keep a deformation: built with its sections, and posed by its player; and of packed
// characters.

#include "gertie/sculpt.h"

#include "figure/figure.h"
#include "io/gtp/gtp.h"
#include "sections/section_bind.h"

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
    const char* where = scene->pack ? "drivers" : "extensions.GERTIE_deform.file";
    return gti_repair(context, error, scene->source.file, where, "%.400s; left out", text);
}

// What a figure is posed by.
typedef struct KeptDeformation {
    GtAllocator allocator; // of this
    GtSculpt* sculpt;      // or NULL for a packed character
    GtDrivers* drivers;    // of a packed character, or NULL
    GtSculptPlayer* player;
} KeptDeformation;

static void pose_figure(const void* user, double time_s, GtInstance* instance)
{
    gt_sculpt_play(((const KeptDeformation*)user)->player, time_s, instance);
}

static void destroy_deformation(void* user)
{
    KeptDeformation* kept = user;
    GtAllocator allocator = kept->allocator;
    gt_sculpt_player_destroy(kept->player);
    gt_sculpt_destroy(kept->sculpt);
    gt_drivers_destroy(kept->drivers);
    allocator.release(allocator.user, kept);
}

GtResult gt_sculpt_build_kept(const GtContext* context, const GtScene* scene, const GtBuildDef* def, GtSculpt** sculpt,
                              GtCharacter** character, GtError* error)
{
    *character = NULL;
    GtError inner = { 0 };
    GtResult result = gt_scene_sculpt(context, scene, sculpt, &inner);
    if (result == GT_OK && *sculpt) {
        result = gt_sculpt_character(context, scene, *sculpt, def, character, NULL, &inner);
    }
    if (result != GT_OK) {
        gt_sculpt_destroy(*sculpt);
        *sculpt = NULL;
        result = leave_out(context, scene, result, &inner, error);
    }
    return result == GT_OK && !*character ? gt_character_build(context, scene, def, character, NULL, error) : result;
}

GtResult gt_sculpt_kept_drivers(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                                const GtCharacter* character, GtDrivers** out, GtError* error)
{
    GtError inner = { 0 };
    GtResult result = gt_sculpt_drivers(context, scene, sculpt, character, out, &inner);
    return result == GT_OK ? GT_OK : leave_out(context, scene, result, &inner, error);
}

static void warn_of_folds(const GtContext* context, const GtFigure* figure, const KeptDeformation* kept)
{
    const GtSectionDef* sections = figure->def->sections;
    int32_t count = 0;
    const GtSculptFold* folds = gt_sculpt_player_folds(kept->player, &count);
    const char* clip = figure->clip ? figure->scene->animations[figure->animation].name : NULL;
    for (int32_t i = 0; i < count; ++i) {
        const char* name = sections[folds[i].section].name;
        gti_warn(context, figure->scene->source.file, clip,
                 "the lattice of section '%.80s' turns inside out at %.2f s, for %.2f s", name ? name : "",
                 folds[i].first_s, folds[i].length_s);
    }
}

// Let a figure be posed by the sculpt that it was built with, or by the drivers of its pack; one of the two is NULL.
// They become the figure's own, on failure too.
static GtResult add_player(const GtContext* context, GtSculpt* sculpt, GtDrivers* drivers, GtFigure* figure,
                           GtError* error)
{
    GtAllocator allocator = context->allocator;
    KeptDeformation* kept = allocator.allocate(allocator.user, sizeof *kept);
    if (!kept) {
        gt_sculpt_destroy(sculpt);
        gt_drivers_destroy(drivers);
        return gti_out_of_memory(error);
    }
    *kept = (KeptDeformation){ .allocator = allocator, .sculpt = sculpt, .drivers = drivers };
    GtError inner = { 0 };
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = figure->scene;
    def.sculpt = sculpt;
    def.drivers = drivers;
    def.character = figure->character;
    def.map = &figure->map;
    def.clip = figure->clip;
    def.animation = figure->animation;
    def.start_s = figure->clip ? figure->start_s : NAN;
    GtResult result = gt_sculpt_player_create(context, &def, &kept->player, &inner);
    if (result != GT_OK) {
        destroy_deformation(kept);
        return leave_out(context, figure->scene, result, &inner, error);
    }
    figure->player = (GtFigurePlayer){ .pose = pose_figure, .destroy = destroy_deformation, .user = kept };
    warn_of_folds(context, figure, kept);
    return GT_OK;
}

// A packed character, played as by the runtime.
static GtResult open_packed(const GtContext* context, const GtScene* scene, const GtFigureDef* def, GtFigure* out,
                            GtError* error)
{
    GtCharacter* character = NULL;
    GtDrivers* drivers = NULL;
    GtClip* packed = NULL;
    GtResult result = gti_packed_character(context, scene, &def->build, &character, &drivers, error);
    if (result == GT_OK) {
        result = gti_figure_open_built(context, scene, def, character, out, error);
    }
    if (result == GT_OK && out->clip) {
        result = gti_packed_clip(context, scene, out->animation, &packed, error);
    }
    if (packed) {
        gt_clip_destroy(out->clip);
        out->clip = packed;
    }
    if (result == GT_OK && drivers) {
        return add_player(context, NULL, drivers, out, error);
    }
    gt_drivers_destroy(drivers);
    return result;
}

GtResult gt_sculpt_figure_open(const GtContext* context, const GtScene* scene, const GtFigureDef* def, GtFigure* out,
                               GtError* error)
{
    if (!scene->deform && !scene->pack) {
        return gt_figure_open(context, scene, def, out, error);
    }
    def = def ? def : (GtFigureDef[]){ gt_default_figure_def() };
    *out = (GtFigure){ 0 };
    if (scene->pack) {
        return open_packed(context, scene, def, out, error);
    }
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtResult result = gt_sculpt_build_kept(context, scene, &def->build, &sculpt, &character, error);
    if (result == GT_OK) {
        result = gti_figure_open_built(context, scene, def, character, out, error);
    }
    if (result == GT_OK && sculpt) {
        return add_player(context, sculpt, NULL, out, error);
    }
    gt_sculpt_destroy(sculpt);
    return result;
}

const GtSculptPlayer* gt_sculpt_figure_player(const GtFigure* figure)
{
    return figure->player.pose == pose_figure ? ((const KeptDeformation*)figure->player.user)->player : NULL;
}
