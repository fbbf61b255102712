// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures one after the other, into a still, a sheet or a film. The next one is being drawn while one is read,
// labelled and handed on.

#include "fail.h"
#include "render.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double turn_s = 6.0; // a turntable lasts at least as long
static const double full_turn_rad = 6.283185307179586;

enum {
    MOST_FRAMES = 1000000
};

// One picture of a series.
typedef struct Moment {
    double time_s;
    double turn_rad;
} Moment;

typedef struct Series {
    Session* session;
    const Shot* shot;
    Stage* stage;
    int32_t count;
    double duration_s; // of a film
    GtPicture picture; // the one at hand
    // Where they go.
    GtSheetDef sheet_def;
    GtPicture sheet;
    GtFilm* film;
} Series;

static bool is_sheet(const Shot* shot)
{
    return shot->cell_count > 0;
}

// A turntable goes round once; the motion is repeated as often as it takes to go slowly.
static Moment moment_at(const Series* s, int32_t index)
{
    const Stage* stage = s->stage;
    double length = stage->to_s - stage->from_s;
    Moment moment = { .time_s = stage->from_s };
    if (is_sheet(s->shot)) {
        moment.time_s += s->count > 1 ? length * index / (s->count - 1) : 0.5 * length;
    } else if (s->shot->film) {
        double at = index / s->shot->frame_rate_hz;
        moment.time_s += length > 0.0 && s->shot->turntable ? fmod(at, length) : fmin(at, length);
    }
    if (s->shot->turntable) {
        moment.turn_rad = full_turn_rad * index / s->count;
        moment.time_s = is_sheet(s->shot) ? stage->from_s + 0.5 * length : moment.time_s;
    }
    return moment;
}

static bool take_picture(Series* s, int32_t index, const Moment* moment, GtError* error)
{
    if (s->film) {
        return gt_film_add(s->film, s->picture.rgba, error) == GT_OK;
    }
    if (is_sheet(s->shot)) {
        char label[32];
        if (s->shot->turntable) {
            snprintf(label, sizeof label, "%.0f\xC2\xB0", 360.0 * moment->turn_rad / full_turn_rad);
        } else {
            snprintf(label, sizeof label, "%.2f s", moment->time_s);
        }
        gt_sheet_put(&s->sheet, &s->sheet_def, index, &s->picture, label);
    }
    return true;
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool go_on(const Series* s, int32_t done, double started_s, GtError* error)
{
    char task[64] = "drawing";
    const GtContext* context = &s->session->context;
    if (done > 0 && s->count > 1) {
        double left_s = (now_s() - started_s) / done * (s->count - done);
        snprintf(task, sizeof task, "%d of %d, %d:%02d left", (int)done, (int)s->count, (int)(left_s / 60.0),
                 (int)fmod(left_s, 60.0));
    }
    bool wanted = context->progress(context->progress_user, task, (double)done / s->count);
    if (!wanted) {
        fail(error, GT_ERROR_CANCELLED, NULL, "cancelled while drawing");
    }
    return wanted;
}

static bool start_picture(Series* s, int32_t index, GtError* error)
{
    Moment moment = moment_at(s, index);
    GtCameraView camera = stage_camera(s->stage, s->shot, moment.time_s, moment.turn_rad);
    if (index + 1 < s->count) {
        Moment next = moment_at(s, index + 1);
        GtCameraView next_camera = stage_camera(s->stage, s->shot, next.time_s, next.turn_rad);
        gt_renderer_expect(s->stage->renderer, &next_camera, next.time_s);
    }
    return gt_renderer_draw(s->stage->renderer, &camera, moment.time_s, error) == GT_OK;
}

static bool finish_picture(Series* s, int32_t index, GtError* error)
{
    Moment moment = moment_at(s, index);
    GtCameraView camera = stage_camera(s->stage, s->shot, moment.time_s, moment.turn_rad);
    if (gt_renderer_read(s->stage->renderer, s->picture.rgba, error) != GT_OK) {
        return false;
    }
    stage_label(s->stage, &camera, moment.time_s, &s->picture);
    overlays_explain(s->shot, s->stage, &s->picture);
    return take_picture(s, index, &moment, error);
}

static bool draw_series(Series* s, GtError* error)
{
    double started_s = now_s();
    bool ok = start_picture(s, 0, error);
    for (int32_t i = 0; ok && i < s->count; ++i) {
        ok = go_on(s, i, started_s, error) && (i + 1 == s->count || start_picture(s, i + 1, error)) &&
             finish_picture(s, i, error);
    }
    return ok;
}

static void name_sheet(const Stage* stage, GtText* title)
{
    for (int32_t i = 0; i < stage->player_count; ++i) {
        const Player* p = &stage->players[i];
        char room[32];
        gt_text_addf(title, "%s%s", i ? ", " : "", p->name);
        if (p->clip != GT_NONE && p->scene->animation_count > 1) {
            gt_text_addf(title, ": %s", clip_name(p->scene, p->clip, room));
        }
    }
}

static bool open_sheet(Series* s, GtText* title, GtError* error)
{
    name_sheet(s->stage, title);
    if (title->failed) {
        fail(error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return false;
    }
    const GtRendererDef* def = &s->shot->renderer;
    s->sheet_def = gt_default_sheet_def();
    s->sheet_def.cell_count = s->count;
    s->sheet_def.cell_width = def->width;
    s->sheet_def.cell_height = def->height;
    s->sheet_def.title = title->bytes;
    if (def->background.top[3] == 0.0f) {
        s->sheet_def.background.a = 0;
    }
    return gt_sheet_create(s->session->context.allocator, &s->sheet_def, &s->sheet, error) == GT_OK;
}

static bool open_film(Series* s, GtError* error)
{
    const Shot* shot = s->shot;
    GtFilmDef def = gt_default_film_def();
    def.width = shot->renderer.width;
    def.height = shot->renderer.height;
    def.frame_rate_hz = shot->frame_rate_hz;
    def.alpha = shot->renderer.background.top[3] < 1.0f;
    return gt_film_create(&s->session->context, &def, shot->output, &s->film, error) == GT_OK;
}

static bool count_pictures(Series* s, GtError* error)
{
    const Shot* shot = s->shot;
    s->count = is_sheet(shot) ? shot->cell_count : 1;
    if (!shot->film) {
        return true;
    }
    double length = s->stage->to_s - s->stage->from_s;
    s->duration_s = shot->turntable ? (length > 0.0 ? length * ceil(turn_s / length) : turn_s) : length;
    double frames = round(s->duration_s * shot->frame_rate_hz);
    if (!(frames <= MOST_FRAMES)) {
        fail(error, GT_ERROR_LIMIT, shot->output,
             "the film would have %.0f pictures, and %d is the limit; cut it with --from and --to, or lower --fps",
             frames, (int)MOST_FRAMES);
        return false;
    }
    s->count = frames > 1.0 ? (int32_t)frames : 1;
    return true;
}

static bool write_series(Series* s, GtError* error)
{
    if (s->film) {
        return gt_film_finish(s->film, error) == GT_OK;
    }
    const char* path = strcmp(s->shot->output, "-") ? s->shot->output : "/dev/stdout";
    const GtPicture* picture = is_sheet(s->shot) ? &s->sheet : &s->picture;
    return gt_picture_write_png(&s->session->context, picture, path, error) == GT_OK;
}

static void say_result(const Series* s)
{
    const Shot* shot = s->shot;
    GtJsonWriter* report = &s->session->report;
    const GtPicture* picture = is_sheet(shot) ? &s->sheet : &s->picture;
    gt_json_member_string(report, "output", shot->output);
    gt_json_member_string(report, "output_format", shot->film ? shot->film->name : "png");
    gt_json_member_integer(report, "width", picture->width);
    gt_json_member_integer(report, "height", picture->height);
    gt_json_member_integer(report, "pictures", s->count);
    gt_json_member_number(report, "start_s", s->stage->from_s);
    gt_json_member_number(report, "end_s", s->stage->to_s);
    gt_json_member_string(report, "renderer", gt_renderer_name(s->stage->renderer));
    const char* path = shot->output;
    if (shot->film) {
        gt_json_member_number(report, "rate_hz", shot->frame_rate_hz);
        session_say(s->session, "wrote %s: %d x %d, %d pictures, %.2f s", path, (int)picture->width,
                    (int)picture->height, (int)s->count, s->count / shot->frame_rate_hz);
    } else if (is_sheet(shot)) {
        session_say(s->session, "wrote %s: %d x %d, %d moments", path, (int)picture->width, (int)picture->height,
                    (int)s->count);
    } else if (s->stage->players[0].clip != GT_NONE) {
        session_say(s->session, "wrote %s: %d x %d, at %.2f s", path, (int)picture->width, (int)picture->height,
                    s->stage->from_s);
    } else {
        session_say(s->session, "wrote %s: %d x %d", path, (int)picture->width, (int)picture->height);
    }
}

bool render_output(Session* session, const Shot* shot, Stage* stage)
{
    GtError error = { 0 };
    GtAllocator allocator = session->context.allocator;
    Series s = { .session = session, .shot = shot, .stage = stage };
    GtText title = { 0 };
    bool ok = count_pictures(&s, &error) &&
              gt_picture_create(allocator, shot->renderer.width, shot->renderer.height, &s.picture, &error) == GT_OK &&
              (!is_sheet(shot) || open_sheet(&s, &title, &error)) && (!shot->film || open_film(&s, &error)) &&
              draw_series(&s, &error) && write_series(&s, &error);
    if (ok) {
        say_result(&s);
    } else {
        session_fail(session, &error);
    }
    gt_film_destroy(s.film);
    gt_picture_destroy(&s.sheet);
    gt_picture_destroy(&s.picture);
    gt_text_destroy(&title);
    return ok;
}
