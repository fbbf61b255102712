// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames start at 1, as programs that play sequences count.

#include "animate/export.h"

#include "gertie/file.h"
#include "gertie/freeze.h"
#include "gertie/point_cache.h"
#include "gertie/sculpt.h"

#include "data/files.h"
#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_FRAMES = 1000000
};

static const double usual_rate_hz = 30.0;

// What is played, at even times.
typedef struct Frames {
    const GtContext* context;
    GtFigure figure;
    GtHarmonicPlayer* player; // that poses vertices instead of the figure, or NULL
    double start_s;
    double end_s;
    double rate_hz;
    int32_t frame_count;
    int32_t vertex_count; // of all meshes
} Frames;

static GtResult open_harmonic(Frames* f, const GtScene* scene, const GtHarmonicClip* clip, GtError* error)
{
    GtFigureDef def = gti_figure_unmapped(clip->animation);
    GtResult result = gt_figure_open(f->context, scene, &def, &f->figure, error);
    f->start_s = clip->start_s;
    f->end_s = clip->start_s + (clip->frame_count - 1) / clip->rate_hz;
    f->rate_hz = clip->rate_hz;
    f->frame_count = clip->frame_count;
    f->vertex_count = clip->vertex_count;
    return result == GT_OK ? gt_harmonic_player_create(f->context, &f->figure, clip, &f->player, error) : result;
}

static GtResult open_frames(Frames* f, const GtScene* scene, const GtExportDef* def, GtError* error)
{
    if (def->harmonic) {
        return open_harmonic(f, scene, def->harmonic, error);
    }
    GtFigureDef figure = gti_figure_playing(def->animation, NULL);
    figure.without_map = !scene->deform;
    figure.keep_tpose = true;
    GtResult result = gt_sculpt_figure_open(f->context, scene, &figure, &f->figure, error);
    if (result != GT_OK) {
        return result;
    }
    f->frame_count = 1;
    f->rate_hz = def->rate_hz > 0.0 ? def->rate_hz : usual_rate_hz;
    for (int32_t i = 0; i < f->figure.def->mesh_count; ++i) {
        f->vertex_count += f->figure.def->meshes[i].vertex_count;
    }
    if (f->figure.clip) {
        f->start_s = f->figure.start_s;
        f->end_s = f->figure.end_s;
        double count = floor((f->end_s - f->start_s) * f->rate_hz + 1e-6) + 1.0;
        f->frame_count = count < MOST_FRAMES ? (int32_t)count : MOST_FRAMES;
    }
    return GT_OK;
}

static void close_frames(Frames* f)
{
    gt_harmonic_player_destroy(f->player);
    gt_figure_close(&f->figure);
}

static void pose_frame(Frames* f, int32_t frame)
{
    gt_figure_pose(&f->figure, f->start_s + (double)frame / f->rate_hz, f->figure.instance);
}

static GtResult freeze_frame(Frames* f, int32_t frame, GtScene** out, GtError* error)
{
    if (f->player) {
        return gt_harmonic_player_freeze(f->player, frame, out, error);
    }
    pose_frame(f, frame);
    return gt_scene_freeze(f->context, f->figure.scene, f->figure.instance, out, error);
}

static GtResult fill_points(void* user, int32_t frame, GtVec3* out, GtError* error)
{
    Frames* f = user;
    if (f->player) {
        const GtVec3* points = NULL;
        GtResult result = gt_harmonic_player_pose(f->player, frame, &points, error);
        if (result == GT_OK) {
            memcpy(out, points, (size_t)f->vertex_count * sizeof *out);
        }
        return result;
    }
    pose_frame(f, frame);
    for (int32_t i = 0; i < f->figure.def->mesh_count; ++i) {
        gt_instance_deform(f->figure.instance, i, out, NULL, NULL);
        out += f->figure.def->meshes[i].vertex_count;
    }
    return GT_OK;
}

static GtResult save_frame(Frames* f, int32_t frame, const char* path, const GtSaveDef* def, GtError* error)
{
    GtScene* frozen = NULL;
    GtResult result = freeze_frame(f, frame, &frozen, error);
    if (result == GT_OK) {
        result = gt_scene_save(f->context, frozen, path, def, error);
    }
    gt_scene_destroy(frozen);
    return result;
}

// The cache, and the mesh that it moves: with the same vertices in the same order, in metres and Y up.
static GtResult save_cache(Frames* f, GtArena* arena, const char* path, GtError* error)
{
    GtPointCacheDef cache = gt_default_point_cache_def();
    cache.point_count = f->vertex_count;
    cache.frame_count = f->frame_count;
    cache.start_frame = 1.0f;
    cache.fill = fill_points;
    cache.user = f;
    GtSaveDef def = gt_default_save_def();
    def.source_units = false;
    def.split_vertices = true;
    size_t length = strlen(path);
    char* mesh = gt_arena_push_text(arena, path, length);
    if (!mesh) {
        return gti_out_of_memory(error);
    }
    memcpy(mesh + length - strlen("obj"), "obj", strlen("obj"));
    GtResult result = gt_point_cache_save(f->context, path, &cache, error);
    return result == GT_OK ? save_frame(f, 0, mesh, &def, error) : result;
}

// "walk_####.obj" and 12 give "walk_0012.obj"; of several rows of # the last counts.
static void number_path(const char* path, int32_t number, char* out, size_t size)
{
    const char* last = strrchr(path, '#');
    const char* first = last;
    while (first > path && first[-1] == '#') {
        --first;
    }
    snprintf(out, size, "%.*s%0*d%s", (int)(first - path), path, (int)(last - first + 1), (int)number, last + 1);
}

// A set that is not whole is named as such.
static void say_how_many(const Frames* f, int32_t written, GtError* error)
{
    if (error) {
        size_t length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length, "; %d of %d frames are written", (int)written,
                 (int)f->frame_count);
    }
}

static GtResult save_sequence(Frames* f, GtArena* arena, const char* path, GtError* error)
{
    GtSaveDef def = gt_default_save_def();
    def.alone = true;
    size_t size = strlen(path) + 16;
    char* name = gt_arena_push(arena, size);
    GtResult result = name ? GT_OK : gti_out_of_memory(error);
    int32_t written = 0;
    while (written < f->frame_count && result == GT_OK) {
        number_path(path, written + 1, name, size);
        result = save_frame(f, written, name, &def, error);
        if (result == GT_OK) {
            ++written;
            result = gti_progress(f->context, error, "writing frames", (double)written / (double)f->frame_count);
        }
    }
    if (result != GT_OK && name) {
        gti_error_set_file(error, name);
        say_how_many(f, written, error);
    }
    return result;
}

GtResult gti_export_frames(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                           GtExportReport* report, GtError* error)
{
    Frames f = { .context = context };
    GtArena arena = gt_arena_create(context->allocator);
    GtResult result = open_frames(&f, scene, def, error);
    if (result == GT_OK) {
        result = gti_path_has_extension(path, "pc2") ? save_cache(&f, &arena, path, error)
                                                     : save_sequence(&f, &arena, path, error);
    }
    report->frame_count = f.frame_count;
    report->vertex_count = f.vertex_count;
    report->rate_hz = f.rate_hz;
    close_frames(&f);
    gt_arena_destroy(&arena);
    return result;
}

GtResult gti_export_mesh(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                         GtExportReport* report, GtError* error)
{
    Frames f = { .context = context };
    GtResult result = open_frames(&f, scene, def, error);
    if (result == GT_OK) {
        double time_s = isnan(def->time_s) ? 0.5 * (f.start_s + f.end_s) : def->time_s;
        double frame = round((time_s - f.start_s) * f.rate_hz);
        int32_t nearest = frame > 0.0 ? (int32_t)fmin(frame, f.frame_count - 1) : 0;
        GtSaveDef save = gt_default_save_def();
        save.source_units = true;
        report->frame_count = 1;
        report->vertex_count = f.vertex_count;
        report->time_s = f.start_s + nearest / f.rate_hz;
        result = save_frame(&f, nearest, path, &save, error);
    }
    close_frames(&f);
    return result;
}

GtResult gt_scene_freeze_rest(const GtContext* context, const GtScene* scene, GtScene** out, GtError* error)
{
    Frames f = { .context = context };
    GtExportDef def = gt_default_export_def();
    def.animation = GT_NONE;
    *out = NULL;
    GtResult result = open_frames(&f, scene, &def, error);
    if (result == GT_OK) {
        result = freeze_frame(&f, 0, out, error);
    }
    close_frames(&f);
    return result;
}
