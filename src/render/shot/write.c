// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pictures one after the other, into a still, a sheet or a film. The next one is being drawn while one is read,
// labelled and handed on.

#include "base/fail.h"
#include "base/format.h"
#include "data/files.h"
#include "data/text.h"
#include "render/shot/shot.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double turn_s = 6.0; // a turntable lasts at least as long
static const double full_turn_rad = 6.283185307179586;

enum {
    MOST_FRAMES = 1000000
};

// One picture of the series.
typedef struct Moment {
    double time_s;
    double turn_rad;
} Moment;

// Where pictures go.
typedef struct Output {
    GtPicture picture; // the one at hand
    GtSheetDef sheet_def;
    GtPicture sheet;
    GtFilm* film;
} Output;

static bool is_sheet(const GtShot* shot)
{
    return shot->def.sheet_count > 0;
}

GtResult gti_shot_count_pictures(GtShot* shot, GtError* error)
{
    GtShotReport* r = &shot->report;
    r->from_s = shot->from_s;
    r->to_s = shot->to_s;
    r->width = shot->renderer_def.width;
    r->height = shot->renderer_def.height;
    r->renderer = gt_renderer_name(shot->renderer);
    r->format = shot->film ? shot->film->name : "png";
    r->picture_count = is_sheet(shot) ? shot->def.sheet_count : 1;
    if (!shot->film) {
        return GT_OK;
    }
    // A picture of a GIF lasts whole hundredths of a second.
    bool is_gif = gti_path_has_extension(shot->def.path, "gif");
    r->frame_rate_hz = shot->def.frame_rate_hz > 0.0 ? shot->def.frame_rate_hz : is_gif ? 25.0 : 30.0;
    double length = shot->to_s - shot->from_s;
    double duration_s = shot->def.view.turntable ? (length > 0.0 ? length * ceil(turn_s / length) : turn_s) : length;
    double frames = round(duration_s * r->frame_rate_hz);
    if (!(frames <= MOST_FRAMES)) {
        GtResult result = gti_fail(error, GT_ERROR_LIMIT,
                                   "the film would have %.0f pictures, and %d is the limit; show a part of the "
                                   "motion, or fewer pictures a second",
                                   frames, (int)MOST_FRAMES);
        gti_error_set_file(error, shot->def.path);
        return result;
    }
    r->picture_count = frames > 1.0 ? (int32_t)frames : 1;
    return GT_OK;
}

// A turntable goes round once; the motion is repeated as often as it takes to go slowly.
static Moment moment_at(const GtShot* shot, int32_t index)
{
    int32_t count = shot->report.picture_count;
    double length = shot->to_s - shot->from_s;
    Moment moment = { .time_s = shot->from_s };
    if (is_sheet(shot)) {
        moment.time_s += count > 1 ? length * index / (count - 1) : 0.5 * length;
    } else if (shot->film) {
        double at = index / shot->report.frame_rate_hz;
        moment.time_s += length > 0.0 && shot->def.view.turntable ? fmod(at, length) : fmin(at, length);
    }
    if (shot->def.view.turntable) {
        moment.turn_rad = full_turn_rad * index / count;
        moment.time_s = is_sheet(shot) ? shot->from_s + 0.5 * length : moment.time_s;
    }
    return moment;
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static GtResult tell_progress(const GtContext* context, int32_t done, int32_t count, double started_s, GtError* error)
{
    char task[64] = "drawing";
    if (done > 0 && count > 1) {
        double left_s = (now_s() - started_s) / done * (count - done);
        snprintf(task, sizeof task, "%d of %d, %d:%02d left", (int)done, (int)count, (int)(left_s / 60.0),
                 (int)fmod(left_s, 60.0));
    }
    GtResult result = gti_progress(context, error, task, (double)done / count);
    return result == GT_OK ? GT_OK : gti_fail(error, result, "cancelled while drawing");
}

static GtResult begin_picture(GtShot* shot, int32_t index, GtError* error)
{
    Moment moment = moment_at(shot, index);
    GtCameraView camera = gti_shot_camera(shot, moment.time_s, moment.turn_rad);
    if (index + 1 < shot->report.picture_count) {
        Moment next = moment_at(shot, index + 1);
        GtCameraView next_camera = gti_shot_camera(shot, next.time_s, next.turn_rad);
        gt_renderer_expect(shot->renderer, &next_camera, next.time_s);
    }
    return gt_renderer_draw(shot->renderer, &camera, moment.time_s, error);
}

static GtResult end_picture(GtShot* shot, double time_s, double turn_rad, GtPicture* picture, GtError* error)
{
    GtCameraView camera = gti_shot_camera(shot, time_s, turn_rad);
    GtResult result = gt_renderer_read(shot->renderer, picture->rgba, error);
    if (result == GT_OK) {
        gti_shot_label(shot, &camera, time_s, picture);
        gti_shot_explain(shot, picture);
    }
    return result;
}

static GtResult take_picture(const GtShot* shot, int32_t index, const Moment* moment, Output* out, GtError* error)
{
    if (out->film) {
        return gt_film_add(out->film, out->picture.rgba, error);
    }
    if (is_sheet(shot)) {
        char label[32];
        if (shot->def.view.turntable) {
            gti_format(label, sizeof label, "%.0f\xC2\xB0", 360.0 * moment->turn_rad / full_turn_rad);
        } else {
            gti_format(label, sizeof label, "%.2f s", moment->time_s);
        }
        gt_sheet_put(&out->sheet, &out->sheet_def, index, &out->picture, label);
    }
    return GT_OK;
}

static GtResult draw_series(GtShot* shot, const GtContext* context, Output* out, GtError* error)
{
    double started_s = now_s();
    int32_t count = shot->report.picture_count;
    GtResult result = begin_picture(shot, 0, error);
    for (int32_t i = 0; i < count && result == GT_OK; ++i) {
        Moment moment = moment_at(shot, i);
        result = tell_progress(context, i, count, started_s, error);
        if (result == GT_OK && i + 1 < count) {
            result = begin_picture(shot, i + 1, error);
        }
        if (result == GT_OK) {
            result = end_picture(shot, moment.time_s, moment.turn_rad, &out->picture, error);
        }
        result = result == GT_OK ? take_picture(shot, i, &moment, out, error) : result;
    }
    return result;
}

// "walk.glb, dance.glb: Salsa"
static const char* make_title(GtShot* shot)
{
    GtText title = { .arena = &shot->arena };
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        const GtiShotFigure* f = &shot->figures[i];
        gt_text_adds(&title, i ? ", " : "");
        gt_text_adds(&title, f->label);
        if (f->clip != GT_NONE && f->scene->animation_count > 1) {
            char number[32];
            const char* name = f->scene->animations[f->clip].name;
            snprintf(number, sizeof number, "clip %d", (int)f->clip);
            gt_text_adds(&title, ": ");
            gt_text_adds(&title, name && name[0] ? name : number);
        }
    }
    return gt_text_finish(&title);
}

static GtResult open_sheet(const GtContext* context, GtShot* shot, Output* out, GtError* error)
{
    const GtRendererDef* def = &shot->renderer_def;
    out->sheet_def = gt_default_sheet_def();
    out->sheet_def.cell_count = shot->report.picture_count;
    out->sheet_def.cell_width = def->width;
    out->sheet_def.cell_height = def->height;
    out->sheet_def.title = make_title(shot);
    if (!out->sheet_def.title) {
        return gti_out_of_memory(error);
    }
    if (def->background.top[3] == 0.0f) {
        out->sheet_def.background.a = 0;
    }
    GtResult result = gt_sheet_create(context->allocator, &out->sheet_def, &out->sheet, error);
    shot->report.width = out->sheet.width;
    shot->report.height = out->sheet.height;
    return result;
}

static GtResult open_film(const GtContext* context, const GtShot* shot, GtFilm** out, GtError* error)
{
    GtFilmDef def = gt_default_film_def();
    def.width = shot->renderer_def.width;
    def.height = shot->renderer_def.height;
    def.frame_rate_hz = shot->report.frame_rate_hz;
    def.alpha = shot->renderer_def.background.top[3] < 1.0f;
    return gt_film_create(context, &def, shot->def.path, out, error);
}

GtResult gt_shot_draw(GtShot* shot, const GtContext* context, double time_s, double turn_rad, GtPicture* out,
                      GtError* error)
{
    GtResult result =
        gt_picture_create(context->allocator, shot->renderer_def.width, shot->renderer_def.height, out, error);
    if (result == GT_OK) {
        GtCameraView camera = gti_shot_camera(shot, time_s, turn_rad);
        result = gt_renderer_draw(shot->renderer, &camera, time_s, error);
    }
    result = result == GT_OK ? end_picture(shot, time_s, turn_rad, out, error) : result;
    if (result != GT_OK) {
        gt_picture_destroy(out);
    }
    return result;
}

GtResult gt_shot_write(GtShot* shot, const GtContext* context, GtError* error)
{
    GT_ASSERT(shot->def.path);
    Output out = { 0 };
    GtResult result =
        gt_picture_create(context->allocator, shot->renderer_def.width, shot->renderer_def.height, &out.picture, error);
    if (result == GT_OK && is_sheet(shot)) {
        result = open_sheet(context, shot, &out, error);
    }
    if (result == GT_OK && shot->film) {
        result = open_film(context, shot, &out.film, error);
    }
    result = result == GT_OK ? draw_series(shot, context, &out, error) : result;
    if (result == GT_OK && shot->film) {
        result = gt_film_finish(out.film, error);
    } else if (result == GT_OK) {
        const GtPicture* picture = is_sheet(shot) ? &out.sheet : &out.picture;
        result = gt_picture_write_png(context, picture, shot->def.path, error);
    }
    gt_film_destroy(out.film);
    gt_picture_destroy(&out.sheet);
    gt_picture_destroy(&out.picture);
    return result;
}
