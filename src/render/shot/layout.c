// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Before anything is drawn, the motion is looked through once: where each figure is at even moments tells how far apart
// they must stand so that they never meet, what the camera has to see, and how it moves along. Paths are smoothed, so
// that neither the camera nor a name under a figure shakes with every swing of an arm.

#include "base/fail.h"
#include "base/sort.h"
#include "render/shot/shot.h"

#include <math.h>

static const double smooth_s = 0.3;     // standard deviation of the smoothing
static const float deep_share = 0.1f;   // of a figure's size, that it is below 0 most of the time for the floor to be
static const float seen_share = 0.012f; // of the same, below the floor, from where on that is told
static const float stage_share = 0.04f; // of the same, that a stage may begin below 0 and have its floor there

double gti_shot_moment(const GtShot* shot, int32_t moment)
{
    return shot->moment_count > 1 ? shot->from_s + (shot->to_s - shot->from_s) * moment / (shot->moment_count - 1)
                                  : shot->from_s;
}

void gti_bounds_unite(GtBounds* out, const GtBounds* box, GtVec3 offset)
{
    GtVec3 low = gt_vec3_add(box->low, offset);
    GtVec3 high = gt_vec3_add(box->high, offset);
    out->low = gt_vec3(fminf(out->low.x, low.x), fminf(out->low.y, low.y), fminf(out->low.z, low.z));
    out->high = gt_vec3(fmaxf(out->high.x, high.x), fmaxf(out->high.y, high.y), fmaxf(out->high.z, high.z));
}

static GtVec3 middle_of(const GtBounds* box)
{
    return gt_vec3_scale(gt_vec3_add(box->low, box->high), 0.5f);
}

// All of a figure in its motion must be as large as a picture can show.
static GtResult check_size(const GtiShotFigure* figure, GtError* error)
{
    const GtBounds* bounds = &figure->body;
    static const double smallest_m = 1e-9;
    static const double largest_m = 1e9;
    if (!(bounds->low.x <= bounds->high.x)) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is nothing to draw in it: neither triangles nor bones");
    }
    double x = (double)bounds->high.x - (double)bounds->low.x;
    double y = (double)bounds->high.y - (double)bounds->low.y;
    double z = (double)bounds->high.z - (double)bounds->low.z;
    double size = sqrt(x * x + y * y + z * z);
    if (!(size >= smallest_m && size <= largest_m)) {
        return gti_fail(error, GT_ERROR_LIMIT, "it is %g m across and cannot be drawn: from %g to %g m can", size,
                        smallest_m, largest_m);
    }
    return GT_OK;
}

// What there is of a figure at a moment, ghosts included, and what of that the camera has to see.
static void look_at_moment(const GtShot* shot, GtiShotFigure* f, int32_t moment, const GtLens* lens)
{
    const GtVec3 here = { 0 };
    double time = gti_shot_moment(shot, moment);
    GtBounds* box = &f->boxes[moment];
    GtReach* reach = &f->reaches[moment];
    *box = gti_no_bounds();
    f->lows[moment] = INFINITY;
    *reach = gt_reach_of(lens, NULL, 0);
    for (int32_t a = f->first_actor; a < f->first_actor + f->actor_count; ++a) {
        GtBounds all = gt_renderer_actor_bounds(shot->renderer, a, time);
        gti_bounds_unite(&f->body, &all, here);
        f->lows[moment] = fminf(f->lows[moment], all.low.y);
        if (!shot->def.view.focus) {
            gti_bounds_unite(box, &all, here);
            *reach = gt_reach_unite(*reach, gt_renderer_actor_reach(shot->renderer, a, time, lens));
            continue;
        }
        int32_t count = 0;
        const GtVec3* points = gt_renderer_focus(shot->renderer, a, time, &count);
        *reach = gt_reach_unite(*reach, gt_reach_of(lens, points, count));
        for (int32_t i = 0; i < count; ++i) {
            gti_bounds_unite(box, &(GtBounds){ points[i], points[i] }, here);
        }
    }
}

static GtResult look_through(const GtContext* context, GtShot* shot, int32_t figure, GtError* error)
{
    GtLens lens = gti_shot_lens(shot, 0.0);
    GtiShotFigure* f = &shot->figures[figure];
    size_t count = (size_t)shot->moment_count;
    f->body = gti_no_bounds();
    f->lows = gt_arena_push_array(&shot->arena, count, sizeof *f->lows);
    f->boxes = gt_arena_push_array(&shot->arena, count, sizeof *f->boxes);
    f->reaches = gt_arena_push_array(&shot->arena, count, sizeof *f->reaches);
    f->centers = gt_arena_push_array(&shot->arena, count, sizeof *f->centers);
    GtResult result = f->lows && f->boxes && f->reaches && f->centers ? GT_OK : gti_out_of_memory(error);
    for (int32_t k = 0; k < shot->moment_count && result == GT_OK; ++k) {
        double fraction = (figure + (double)k / shot->moment_count) / shot->figure_count;
        result = gti_progress(context, error, "looking ahead", fraction);
        if (result == GT_OK) {
            look_at_moment(shot, f, k, &lens);
        }
    }
    if (result == GT_OK) {
        result = check_size(f, error);
        if (result != GT_OK) {
            gti_error_set_file(error, f->name);
        }
    }
    return result;
}

// The middle of a box; beyond the ends of the motion, where it would be if the path went on there as it began.
static GtVec3 path_at(const GtShot* shot, const GtiShotFigure* f, int32_t moment)
{
    int32_t last = shot->moment_count - 1;
    int32_t end = moment < 0 ? 0 : moment > last ? last : moment;
    GtVec3 middle = middle_of(&f->boxes[end]);
    if (end == moment) {
        return middle;
    }
    return gt_vec3_sub(gt_vec3_scale(middle, 2.0f), middle_of(&f->boxes[2 * end - moment]));
}

// Middles of the boxes under a bell curve; as they are on a sheet, where nothing shakes.
static void smooth_path(const GtShot* shot, GtiShotFigure* f)
{
    int32_t last = shot->moment_count - 1;
    double step_s = last > 0 ? (shot->to_s - shot->from_s) / last : 1.0;
    int32_t reach = shot->def.sheet_count > 0 ? 0 : (int32_t)fmin(ceil(3.0 * smooth_s / step_s), last);
    f->around = gti_no_bounds();
    for (int32_t k = 0; k <= last; ++k) {
        GtVec3 sum = { 0 };
        float total = 0.0f;
        for (int32_t d = -reach; d <= reach; ++d) {
            double z = d * step_s / smooth_s;
            float weight = (float)exp(-0.5 * z * z);
            sum = gt_vec3_add(sum, gt_vec3_scale(path_at(shot, f, k + d), weight));
            total += weight;
        }
        f->centers[k] = gt_vec3_scale(sum, 1.0f / total);
        gti_bounds_unite(&f->around, &f->boxes[k], gt_vec3_scale(f->centers[k], -1.0f));
    }
    if (shot->def.view.focus) { // names go to the edge of a close-up, not over the body
        f->around.low.y -= f->body.high.y - f->body.low.y;
    }
}

// A box's ends along a horizontal axis.
static void box_span(const GtBounds* box, GtVec3 axis, float* low, float* high)
{
    GtVec3 half = gt_vec3_scale(gt_vec3_sub(box->high, box->low), 0.5f);
    float center = gt_vec3_dot(middle_of(box), axis);
    float reach = fabsf(half.x * axis.x) + fabsf(half.z * axis.z);
    *low = center - reach;
    *high = center + reach;
}

// Where a figure's origin must be along the row for it never to meet the one before.
static float next_place(const GtShot* shot, const GtiShotFigure* f, GtVec3 axis, float before)
{
    float place = -INFINITY;
    for (int32_t k = 0; k < shot->moment_count; ++k) {
        float left_low, left_high, low, high;
        box_span(&f[-1].boxes[k], axis, &left_low, &left_high);
        box_span(&f->boxes[k], axis, &low, &high);
        float gap = 0.1f * (left_high - left_low + high - low);
        place = fmaxf(place, before + left_high - low + gap);
    }
    return place;
}

// In a row across the picture, so that all are equally far from the camera, side by side at the start.
static void place_figures(GtShot* shot)
{
    GtVec3 axis = gti_shot_lens(shot, 0.0).right;
    GtVec3 cross = gt_vec3(-axis.z, 0.0f, axis.x);
    float place = 0.0f;
    for (int32_t i = 0; shot->figure_count > 1 && i < shot->figure_count; ++i) {
        GtiShotFigure* f = &shot->figures[i];
        place = i > 0 ? next_place(shot, f, axis, place) : 0.0f;
        GtVec3 start = middle_of(&f->boxes[0]);
        f->offset = gt_vec3_sub(gt_vec3_scale(axis, place), gt_vec3_scale(cross, gt_vec3_dot(start, cross)));
        for (int32_t a = f->first_actor; a < f->first_actor + f->actor_count; ++a) {
            gt_renderer_place(shot->renderer, a, f->offset);
        }
    }
}

static float size_of(const GtiShotFigure* f)
{
    GtVec3 size = gt_vec3_sub(f->boxes[0].high, f->boxes[0].low);
    return fmaxf(fmaxf(size.x, size.y), fmaxf(size.z, 0.0f));
}

// The floor is where the motion's ground is: at 0, unless the figures are far below that most of the time. One that
// falls, or whose hands are too long, does not take it along.
static GtResult find_floor(const GtShot* shot, GtBounds* stage, float* floor_y, GtError* error)
{
    GtArena scratch = gt_arena_create(shot->allocator);
    size_t count = (size_t)shot->figure_count * (size_t)shot->moment_count;
    float* lows = gt_arena_push_array(&scratch, count, sizeof *lows);
    for (size_t i = 0; lows && i < count; ++i) {
        lows[i] = shot->figures[i / (size_t)shot->moment_count].lows[i % (size_t)shot->moment_count];
    }
    if (lows) {
        float usual = gti_percentile(lows, (int32_t)count, 0.5);
        float size = size_of(&shot->figures[0]);
        bool is_deep = usual < -deep_share * size;
        *floor_y = is_deep ? usual : 0.0f;
        stage->low.y = is_deep ? usual : fmaxf(stage->low.y, -stage_share * size);
    }
    gt_arena_destroy(&scratch);
    return lows ? GT_OK : gti_out_of_memory(error);
}

static void tell_what_is_below(const GtContext* context, const GtShot* shot, float floor_y)
{
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        const GtiShotFigure* f = &shot->figures[i];
        int32_t lowest = 0;
        for (int32_t k = 1; k < shot->moment_count; ++k) {
            lowest = f->lows[k] < f->lows[lowest] ? k : lowest;
        }
        float below = floor_y - f->lows[lowest];
        if (below > seen_share * size_of(f)) {
            gti_note(context, f->name, NULL, "at %.2f s it is %.2g m below the ground", gti_shot_moment(shot, lowest),
                     (double)below);
        }
    }
}

GtResult gti_shot_lay_out(const GtContext* context, GtShot* shot, GtError* error)
{
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        GtResult result = look_through(context, shot, i, error);
        if (result != GT_OK) {
            return result;
        }
    }
    GtBounds bounds = gti_no_bounds(); // of the floor and its grid, the same in all pictures
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        smooth_path(shot, &shot->figures[i]);
    }
    place_figures(shot);
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        gti_bounds_unite(&bounds, &shot->figures[i].body, shot->figures[i].offset);
    }
    float floor_y = 0.0f;
    GtResult result = find_floor(shot, &bounds, &floor_y, error);
    if (result == GT_OK && shot->renderer_def.background.ground && !shot->def.ground) {
        tell_what_is_below(context, shot, floor_y);
    }
    gt_renderer_set_stage(shot->renderer, bounds);
    return result;
}
