// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A shot from its def: which figures, which part of their motion, which size, and what is seen of them.

#include "render/shot/shot.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    MOMENTS_A_SECOND = 15, // that are looked at before anything is drawn
    MOST_MOMENTS = 1024,
};

static const double near_s = 0.1; // times as little outside the motion are meant to be its ends

GtShotFigure gt_default_shot_figure(const GtScene* scene)
{
    return (GtShotFigure){
        .scene = scene,
        .animation = scene->animation_count > 0 ? 0 : GT_NONE,
        .name = scene->source.file,
    };
}

GtShotDef gt_default_shot_def(void)
{
    return (GtShotDef){
        .quality = gt_default_renderer_def().quality,
        .view = { .angle_rad = NAN, .elevation_rad = NAN },
        .overlays = { .reference_animation = GT_NONE, .onion_step_s = 0.1 },
        .time_s = (double)NAN,
        .from_s = (double)NAN,
        .to_s = (double)NAN,
    };
}

static bool is_still(const GtShot* shot)
{
    return shot->def.path && !shot->film && shot->def.sheet_count == 0;
}

// Move a time that was asked for into the motion. Most motions start at 0 or a frame later: 0 is meant to be the start.
static GtResult keep_inside(const GtContext* context, double start_s, double end_s, double* time_s, GtError* error)
{
    double kept = fmin(fmax(*time_s, start_s), end_s);
    bool is_near = (*time_s >= 0.0 && *time_s <= start_s) || fabs(*time_s - kept) <= near_s || start_s == end_s;
    if (!is_near) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%.4g s is outside the motion, which lasts from %.4g to %.4g s",
                        *time_s, start_s, end_s);
    }
    if (kept != *time_s) {
        gti_note(context, NULL, NULL, "the motion lasts from %.4g to %.4g s: %.4g s is shown, not %.4g s", start_s,
                 end_s, kept, *time_s);
    }
    *time_s = kept;
    return GT_OK;
}

// The part of the motion that was asked for may reach beyond it, as long as some of it is there.
static GtResult choose_part(const GtContext* context, GtShot* shot, double start_s, double end_s, GtError* error)
{
    double from_s = isnan(shot->def.from_s) ? start_s : shot->def.from_s;
    double to_s = isnan(shot->def.to_s) ? end_s : shot->def.to_s;
    if (!isnan(shot->def.from_s) && !isnan(shot->def.to_s) && from_s > to_s) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the start, %.4g s, is after the end, %.4g s", from_s, to_s);
    }
    if (start_s < end_s && (from_s > end_s + near_s || (to_s < start_s - near_s && to_s < 0.0))) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "%.4g to %.4g s is outside the motion, which lasts from %.4g to %.4g s", from_s, to_s, start_s,
                        end_s);
    }
    shot->from_s = fmin(fmax(from_s, start_s), end_s);
    shot->to_s = fmin(fmax(to_s, start_s), end_s);
    if (shot->from_s != from_s || shot->to_s != to_s) {
        gti_note(context, NULL, NULL, "the motion lasts from %.4g to %.4g s: %.4g to %.4g s are shown", start_s, end_s,
                 shot->from_s, shot->to_s);
    }
    return GT_OK;
}

static GtResult choose_times(const GtContext* context, GtShot* shot, GtError* error)
{
    const GtShotDef* def = &shot->def;
    double start = 0.0;
    double end = 0.0;
    gt_renderer_times(shot->renderer, &start, &end);
    GtResult result = GT_OK;
    if (is_still(shot) || !isnan(def->time_s)) {
        shot->from_s = isnan(def->time_s) ? 0.5 * (start + end) : def->time_s;
        result = keep_inside(context, start, end, &shot->from_s, error);
        shot->to_s = shot->from_s;
    } else {
        result = choose_part(context, shot, start, end, error);
    }
    if (result == GT_OK && shot->film && !def->view.turntable && !(shot->to_s > shot->from_s)) {
        result =
            gti_fail(error, GT_ERROR_NOT_FOUND, "there is no motion to film; draw a still, or a turntable around it");
    }
    if (result != GT_OK) {
        gti_error_set_file(error, shot->figures[0].name);
        return result;
    }
    double moments = ceil((shot->to_s - shot->from_s) * MOMENTS_A_SECOND) + 1.0;
    shot->moment_count = moments < MOST_MOMENTS ? (int32_t)moments : MOST_MOMENTS;
    if (def->sheet_count > 0 && shot->moment_count > 1) {
        shot->moment_count = def->sheet_count;
    }
    return GT_OK;
}

static void choose_renderer(GtShot* shot)
{
    const GtShotDef* def = &shot->def;
    GtRendererDef* out = &shot->renderer_def;
    *out = gt_default_renderer_def();
    out->quality = def->quality;
    if (def->sheet_count > 0) {
        GtSheetDef sheet = gt_default_sheet_def();
        out->width = sheet.cell_width;
        out->height = sheet.cell_height;
    }
    out->width = def->width > 0 ? def->width : out->width;
    out->height = def->height > 0 ? def->height : out->height;
    if (shot->film && shot->film->even_size) {
        out->width += out->width % 2;
        out->height += out->height % 2;
    }
    if (def->background) {
        out->background = *def->background;
    } else if (def->overlays.point_lights) {
        out->background = (GtBackground){ .top = { 0.0f, 0.0f, 0.0f, 1.0f }, .bottom = { 0.0f, 0.0f, 0.0f, 1.0f } };
    }
    out->background.ground = out->background.ground && !def->ground;
}

static GtResult check_def(const GtShotDef* def, GtError* error)
{
    if (def->figure_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a shot needs a figure");
    }
    if ((def->ground || def->prop) && (def->figure_count > 1 || def->mirror)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "ground and props are for one figure; there are %d",
                        (int)def->figure_count * (def->mirror ? 2 : 1));
    }
    if (def->sheet_count < 0 || (def->sheet_count > 0 && def->path && gt_film_format_find(def->path))) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a contact sheet is written as .png");
    }
    return GT_OK;
}

static GtResult open_shot(const GtContext* context, GtShot* shot, GtError* error)
{
    const GtShotDef* def = &shot->def;
    shot->film = def->path ? gt_film_format_find(def->path) : NULL;
    shot->follows = def->view.follow == GT_FOLLOW_AUTO ? def->sheet_count > 0 || def->view.turntable
                                                       : def->view.follow == GT_FOLLOW_ALWAYS;
    choose_renderer(shot);
    GtResult result = gti_shot_open_figures(context, shot, error);
    if (result == GT_OK) {
        result = gt_renderer_create(context, &shot->renderer_def, &shot->renderer, error);
    }
    result = result == GT_OK ? gti_shot_add_figures(context, shot, error) : result;
    result = result == GT_OK ? choose_times(context, shot, error) : result;
    result = result == GT_OK ? gti_shot_lay_out(context, shot, error) : result;
    result = result == GT_OK ? gti_shot_measure(context, shot, error) : result;
    if (result == GT_OK) {
        gti_shot_frame(shot);
        result = gti_shot_make_labels(context, shot, error);
    }
    return result == GT_OK ? gti_shot_count_pictures(shot, error) : result;
}

GtResult gt_shot_create(const GtContext* context, const GtShotDef* def, GtShot** out, GtError* error)
{
    const GtShotDef usual = gt_default_shot_def();
    def = def ? def : &usual;
    *out = NULL;
    GtResult result = check_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtAllocator allocator = context->allocator;
    GtShot* shot = allocator.allocate(allocator.user, sizeof *shot);
    if (!shot) {
        return gti_out_of_memory(error);
    }
    *shot = (GtShot){ .def = *def, .allocator = allocator, .arena = gt_arena_create(allocator) };
    result = open_shot(context, shot, error);
    if (result != GT_OK) {
        gt_shot_destroy(shot);
        return result;
    }
    *out = shot;
    return GT_OK;
}

void gt_shot_destroy(GtShot* shot)
{
    if (!shot) {
        return;
    }
    GtAllocator allocator = shot->allocator;
    gt_renderer_destroy(shot->renderer);
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        gt_scene_destroy(shot->figures[i].exact);
        gt_contacts_destroy(shot->figures[i].contacts);
        gt_picture_destroy(&shot->figures[i].title);
    }
    gt_arena_destroy(&shot->arena);
    allocator.release(allocator.user, shot);
}

const GtShotReport* gt_shot_report(const GtShot* shot)
{
    return &shot->report;
}
