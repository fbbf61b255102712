// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Before anything is drawn, the motion is looked through once: where each player is at even moments tells how far apart
// they must stand so that they never meet, what the camera has to see, and how it goes along. Paths are smoothed, so
// that neither the camera nor a name under a player shakes with every swing of an arm.

#include "fail.h"
#include "render.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOMENTS_A_SECOND = 15,
    MOST_MOMENTS = 1024,
};

static const double smooth_s = 0.3; // standard deviation of the smoothing

static const char* base_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return !strcmp(path, "-") ? "standard input" : slash && slash[1] ? slash + 1 : path;
}

// File names without folders, unless two are the same.
static void name_players(Stage* stage)
{
    bool alike = false;
    for (int32_t i = 0; i < stage->player_count; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            const Player* one = &stage->players[i];
            const Player* other = &stage->players[k];
            alike =
                alike || (!one->mirrored && !other->mirrored && !strcmp(base_name(one->file), base_name(other->file)));
        }
    }
    for (int32_t i = 0; i < stage->player_count; ++i) {
        Player* p = &stage->players[i];
        snprintf(p->name, sizeof p->name, "%s", p->mirrored ? "mirror" : alike ? p->file : base_name(p->file));
    }
}

// The image of the last player; it has a scene of its own, which shares what is in it.
static bool add_mirror(Session* session, Stage* stage)
{
    GtError error;
    const Player* from = &stage->players[stage->player_count - 1];
    Player* image = &stage->players[stage->player_count];
    image->file = from->file;
    image->clip = from->clip;
    image->mirrored = true;
    if (gt_scene_copy(&session->context, from->scene, &image->scene, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    ++stage->player_count;
    return true;
}

static bool read_players(Session* session, const CommandLine* line, const Shot* shot, Stage* stage)
{
    GtError error;
    size_t most = (size_t)line->argument_count * (shot->mirror ? 2 : 1);
    stage->players = gt_arena_push_array(&stage->arena, most, sizeof *stage->players);
    if (!stage->players) {
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return session_fail(session, &error);
    }
    for (int i = 0; i < line->argument_count; ++i) {
        Player* p = &stage->players[stage->player_count++];
        p->file = line->arguments[i];
        if (!scene_read(session, p->file, &shot->load, &p->scene) ||
            !clip_find(session, p->scene, p->file, shot->clip->text, &p->clip) ||
            !scene_unbake(session, p->clip, &p->scene)) {
            return false;
        }
        if (shot->mirror && !add_mirror(session, stage)) {
            return false;
        }
    }
    name_players(stage);
    return true;
}

// What is put on stage once: players that stand apart would not be where it is.
static bool put_thing(Session* session, const Stage* stage, const char* option, const char* file, const GtLoadDef* load,
                      GtScene** out)
{
    GtError error = { 0 };
    if (!file) {
        return true;
    }
    if (stage->player_count > 1) {
        return session_misuse(session, "%s is for one file; there are %d", option, (int)stage->player_count);
    }
    if (!scene_read(session, file, load, out)) {
        return false;
    }
    GtActorDef actor = gt_default_actor_def();
    actor.scene = *out;
    actor.animation = (*out)->animation_count > 0 ? 0 : GT_NONE;
    if (gt_renderer_add(stage->renderer, &session->context, &actor, NULL, &error) != GT_OK) {
        error_set_file(&error, file);
        return session_fail(session, &error);
    }
    return true;
}

static bool put_on_stage(Session* session, const Shot* shot, Stage* stage)
{
    GtError error = { 0 };
    if (gt_renderer_create(&session->context, &shot->renderer, &stage->renderer, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    for (int32_t i = 0; i < stage->player_count; ++i) {
        if (!overlays_add_player(session, shot, stage, &stage->players[i])) {
            return false;
        }
    }
    GtLoadDef ground = ground_load_def();
    return put_thing(session, stage, "--ground", shot->ground, &ground, &stage->ground) &&
           put_thing(session, stage, "--prop", shot->prop, &shot->load, &stage->prop);
}

// A time that was asked for, moved into the clip.
static double keep_inside(Session* session, const char* option, double wanted, double start_s, double end_s)
{
    double kept = fmin(fmax(wanted, start_s), end_s);
    if (kept != wanted) {
        session_warn(session, NULL, "%s %g is outside the motion, which lasts from %g to %g s; %g it is", option,
                     wanted, start_s, end_s, kept);
    }
    return kept;
}

static bool choose_times(Session* session, const Shot* shot, Stage* stage)
{
    double start = 0.0;
    double end = 0.0;
    gt_renderer_times(stage->renderer, &start, &end);
    stage->from_s = isnan(shot->from_s) ? start : keep_inside(session, "--from", shot->from_s, start, end);
    stage->to_s = isnan(shot->to_s) ? end : keep_inside(session, "--to", shot->to_s, start, end);
    bool is_still = !shot->film && shot->cell_count == 0;
    if (is_still || !isnan(shot->time_s)) {
        double middle = 0.5 * (start + end);
        stage->from_s = isnan(shot->time_s) ? middle : keep_inside(session, "--time", shot->time_s, start, end);
        stage->to_s = stage->from_s;
    } else if (stage->from_s > stage->to_s) {
        return session_misuse(session, "--from (%g s) is after --to (%g s)", stage->from_s, stage->to_s);
    } else if (shot->film && !shot->turntable && !(stage->to_s > stage->from_s)) {
        GtError error;
        fail(&error, GT_ERROR_NOT_FOUND, stage->players[0].file,
             "there is no motion to film; draw a .png, or let the camera go round with --turntable");
        return session_fail(session, &error);
    }
    double moments = ceil((stage->to_s - stage->from_s) * MOMENTS_A_SECOND) + 1.0;
    stage->moment_count = moments < MOST_MOMENTS ? (int32_t)moments : MOST_MOMENTS;
    if (shot->cell_count > 0 && stage->moment_count > 1) {
        stage->moment_count = shot->cell_count;
    }
    return true;
}

double stage_moment(const Stage* stage, int32_t moment)
{
    return stage->moment_count > 1 ? stage->from_s + (stage->to_s - stage->from_s) * moment / (stage->moment_count - 1)
                                   : stage->from_s;
}

static bool is_empty(const GtBounds* b)
{
    return !(b->low.x <= b->high.x);
}

GtBounds no_bounds(void)
{
    return (GtBounds){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

void bounds_unite(GtBounds* out, const GtBounds* box, GtVec3 offset)
{
    GtVec3 low = gt_vec3_add(box->low, offset);
    GtVec3 high = gt_vec3_add(box->high, offset);
    out->low = gt_vec3(fminf(out->low.x, low.x), fminf(out->low.y, low.y), fminf(out->low.z, low.z));
    out->high = gt_vec3(fmaxf(out->high.x, high.x), fmaxf(out->high.y, high.y), fmaxf(out->high.z, high.z));
}

// Everything in one player's motion, as large as a picture can show.
static bool check_size(Session* session, const Player* player)
{
    const GtBounds* bounds = &player->body;
    static const double smallest_m = 1e-9;
    static const double largest_m = 1e9;
    GtError error;
    if (is_empty(bounds)) {
        fail(&error, GT_ERROR_NOT_FOUND, player->file, "there is nothing to draw in it: neither triangles nor bones");
        return session_fail(session, &error);
    }
    double x = (double)bounds->high.x - (double)bounds->low.x;
    double y = (double)bounds->high.y - (double)bounds->low.y;
    double z = (double)bounds->high.z - (double)bounds->low.z;
    double size = sqrt(x * x + y * y + z * z);
    if (!(size >= smallest_m && size <= largest_m)) {
        fail(&error, GT_ERROR_LIMIT, player->file, "it is %g m across and cannot be drawn: from %g to %g m can", size,
             smallest_m, largest_m);
        return session_fail(session, &error);
    }
    return true;
}

// What is there of a player at a moment, its ghosts too, and what of that the camera has to see.
static void look_at(const Shot* shot, const Stage* stage, Player* p, int32_t moment, const GtLens* lens)
{
    const GtVec3 here = { 0 };
    double time = stage_moment(stage, moment);
    GtBounds* box = &p->boxes[moment];
    GtReach* reach = &p->reaches[moment];
    *box = no_bounds();
    *reach = gt_reach_of(lens, NULL, 0);
    for (int32_t a = p->first_actor; a < p->first_actor + p->actor_count; ++a) {
        GtBounds all = gt_renderer_actor_bounds(stage->renderer, a, time);
        bounds_unite(&p->body, &all, here);
        if (!shot->focus) {
            bounds_unite(box, &all, here);
            *reach = gt_reach_unite(*reach, gt_renderer_actor_reach(stage->renderer, a, time, lens));
            continue;
        }
        int32_t count = 0;
        const GtVec3* points = gt_renderer_focus(stage->renderer, a, time, &count);
        *reach = gt_reach_unite(*reach, gt_reach_of(lens, points, count));
        for (int32_t i = 0; i < count; ++i) {
            bounds_unite(box, &(GtBounds){ points[i], points[i] }, here);
        }
    }
}

static bool look_through(Session* session, const Shot* shot, Stage* stage)
{
    GtError error;
    GtLens lens = stage_lens(stage, shot, 0.0);
    for (int32_t i = 0; i < stage->player_count; ++i) {
        Player* p = &stage->players[i];
        p->body = no_bounds();
        p->boxes = gt_arena_push_array(&stage->arena, (size_t)stage->moment_count, sizeof *p->boxes);
        p->reaches = gt_arena_push_array(&stage->arena, (size_t)stage->moment_count, sizeof *p->reaches);
        p->centers = gt_arena_push_array(&stage->arena, (size_t)stage->moment_count, sizeof *p->centers);
        if (!p->boxes || !p->reaches || !p->centers) {
            fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
            return session_fail(session, &error);
        }
        for (int32_t k = 0; k < stage->moment_count; ++k) {
            double fraction = (i + (double)k / stage->moment_count) / stage->player_count;
            if (!session->context.progress(session->context.progress_user, "looking ahead", fraction)) {
                fail(&error, GT_ERROR_CANCELLED, NULL, "cancelled while looking ahead");
                return session_fail(session, &error);
            }
            look_at(shot, stage, p, k, &lens);
        }
        if (!check_size(session, p)) {
            return false;
        }
    }
    return true;
}

// The middle of a box; beyond the ends of the motion, where it would be if the path went on there as it began.
static GtVec3 path_at(const Stage* stage, const Player* p, int32_t moment)
{
    int32_t last = stage->moment_count - 1;
    int32_t end = moment < 0 ? 0 : moment > last ? last : moment;
    const GtBounds* box = &p->boxes[end];
    GtVec3 middle = gt_vec3_scale(gt_vec3_add(box->low, box->high), 0.5f);
    if (end == moment) {
        return middle;
    }
    const GtBounds* mirrored = &p->boxes[2 * end - moment];
    return gt_vec3_sub(gt_vec3_scale(middle, 2.0f), gt_vec3_scale(gt_vec3_add(mirrored->low, mirrored->high), 0.5f));
}

// Middles of the boxes under a bell curve; as they are on a sheet, where nothing shakes.
static void smooth_path(const Shot* shot, const Stage* stage, Player* p)
{
    int32_t last = stage->moment_count - 1;
    double step_s = last > 0 ? (stage->to_s - stage->from_s) / last : 1.0;
    int32_t reach = shot->cell_count > 0 ? 0 : (int32_t)fmin(ceil(3.0 * smooth_s / step_s), last);
    p->room = no_bounds();
    for (int32_t k = 0; k <= last; ++k) {
        GtVec3 sum = { 0 };
        float total = 0.0f;
        for (int32_t d = -reach; d <= reach; ++d) {
            double z = d * step_s / smooth_s;
            float weight = (float)exp(-0.5 * z * z);
            sum = gt_vec3_add(sum, gt_vec3_scale(path_at(stage, p, k + d), weight));
            total += weight;
        }
        p->centers[k] = gt_vec3_scale(sum, 1.0f / total);
        bounds_unite(&p->room, &p->boxes[k], gt_vec3_scale(p->centers[k], -1.0f));
    }
    if (shot->focus) { // names go to the edge of a close-up, not over the body
        p->room.low.y -= p->body.high.y - p->body.low.y;
    }
}

// A box's ends along a horizontal axis.
static void box_span(const GtBounds* box, GtVec3 axis, float* low, float* high)
{
    GtVec3 middle = gt_vec3_scale(gt_vec3_add(box->low, box->high), 0.5f);
    GtVec3 half = gt_vec3_scale(gt_vec3_sub(box->high, box->low), 0.5f);
    float center = gt_vec3_dot(middle, axis);
    float reach = fabsf(half.x * axis.x) + fabsf(half.z * axis.z);
    *low = center - reach;
    *high = center + reach;
}

// Where a player's origin must be along the row for it never to meet the one before.
static float next_place(const Stage* stage, const Player* p, GtVec3 axis, float before)
{
    float place = -INFINITY;
    for (int32_t k = 0; k < stage->moment_count; ++k) {
        float left_low, left_high, low, high;
        box_span(&p[-1].boxes[k], axis, &left_low, &left_high);
        box_span(&p->boxes[k], axis, &low, &high);
        float gap = 0.1f * (left_high - left_low + high - low);
        place = fmaxf(place, before + left_high - low + gap);
    }
    return place;
}

// In a row across the picture, so that all are equally far from the camera, side by side at the start.
static void place_players(const Shot* shot, Stage* stage)
{
    GtVec3 axis = stage_lens(stage, shot, 0.0).right;
    GtVec3 cross = gt_vec3(-axis.z, 0.0f, axis.x);
    float place = 0.0f;
    for (int32_t i = 0; stage->player_count > 1 && i < stage->player_count; ++i) {
        Player* p = &stage->players[i];
        place = i > 0 ? next_place(stage, p, axis, place) : 0.0f;
        GtVec3 start = gt_vec3_scale(gt_vec3_add(p->boxes[0].low, p->boxes[0].high), 0.5f);
        p->offset = gt_vec3_sub(gt_vec3_scale(axis, place), gt_vec3_scale(cross, gt_vec3_dot(start, cross)));
        for (int32_t a = p->first_actor; a < p->first_actor + p->actor_count; ++a) {
            gt_renderer_place(stage->renderer, a, p->offset);
        }
    }
}

// Floor and grid for all pictures.
static void tell_renderer(const Stage* stage)
{
    GtBounds bounds = no_bounds();
    for (int32_t i = 0; i < stage->player_count; ++i) {
        bounds_unite(&bounds, &stage->players[i].body, stage->players[i].offset);
    }
    gt_renderer_set_stage(stage->renderer, bounds);
}

bool stage_open(Session* session, const CommandLine* line, const Shot* shot, Stage* stage)
{
    *stage = (Stage){ .arena = gt_arena_create(session->context.allocator) };
    if (!read_players(session, line, shot, stage)) {
        return false;
    }
    stage_find_front(session, stage);
    if (!overlays_open(session, shot, stage) || !put_on_stage(session, shot, stage) ||
        !choose_times(session, shot, stage) || !look_through(session, shot, stage) ||
        !overlays_measure(session, shot, stage)) {
        return false;
    }
    for (int32_t i = 0; i < stage->player_count; ++i) {
        smooth_path(shot, stage, &stage->players[i]);
    }
    place_players(shot, stage);
    tell_renderer(stage);
    stage_frame(shot, stage);
    return stage_make_labels(session, shot, stage);
}

void stage_close(Stage* stage)
{
    gt_renderer_destroy(stage->renderer);
    gt_scene_destroy(stage->ground);
    gt_scene_destroy(stage->prop);
    gt_scene_destroy(stage->reference);
    for (int32_t i = 0; i < stage->player_count; ++i) {
        gt_scene_destroy(stage->players[i].scene);
        gt_contacts_destroy(stage->players[i].contacts);
        gt_picture_destroy(&stage->players[i].label);
    }
    gt_arena_destroy(&stage->arena);
}
