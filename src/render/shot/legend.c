// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which numbers colours stand for over a whole motion, and the legends that say so.

#include "base/fail.h"
#include "render/shot/shot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Marks of feet, as they are drawn.
static const GtColor left_foot = { 20, 153, 158, 255 };
static const GtColor right_foot = { 242, 128, 33, 255 };

static GtResult measure_figure(const GtContext* context, const GtShot* shot, const GtiShotFigure* f,
                               GtShotDistance* out, GtError* error)
{
    double sum_of_squares = 0.0;
    *out = (GtShotDistance){ .max_m = -INFINITY };
    for (int32_t k = 0; k < shot->moment_count; ++k) {
        double time_s = gti_shot_moment(shot, k);
        GtResult result = gti_progress(context, error, "measuring", (double)k / shot->moment_count);
        if (result != GT_OK) {
            return result;
        }
        GtPaintValues v = gt_renderer_paint_values(shot->renderer, f->first_actor, time_s);
        if ((double)v.high > out->max_m) {
            out->max_m = (double)v.high;
            out->max_at_s = time_s;
        }
        sum_of_squares += v.root_mean_square * v.root_mean_square * (double)v.count;
        out->count += v.count;
    }
    out->rms_m = out->count > 0 ? sqrt(sum_of_squares / (double)out->count) : 0.0;
    return GT_OK;
}

// Up to the next number of two digits.
static double round_up(double value)
{
    double unit = pow(10.0, floor(log10(value)) - 1.0);
    return ceil(value / unit - 1e-9) * unit;
}

static void choose_legend(GtShot* shot, double most)
{
    static const char* const titles[] = {
        [GT_PAINT_WEIGHT] = "weight",
        [GT_PAINT_INFLUENCES] = "joints a vertex",
        [GT_PAINT_DISTANCE] = "distance (mm)",
    };
    const GtShotOverlays* o = &shot->def.overlays;
    shot->legend = gt_default_legend_def();
    shot->legend.title = titles[o->paint];
    shot->legend.high = o->paint == GT_PAINT_WEIGHT ? 1.0 : most;
    shot->legend.whole_numbers = o->paint == GT_PAINT_INFLUENCES;
    float scale = 1.0f;
    if (o->paint == GT_PAINT_DISTANCE) {
        shot->legend.high = o->paint_max_m > 0.0 ? 1e3 * o->paint_max_m : most > 1e-9 ? round_up(1e3 * most) : 1.0;
        scale = 1e-3f;
    }
    gt_renderer_set_paint_range(shot->renderer, 0.0f, scale * (float)shot->legend.high);
}

GtResult gti_shot_measure(const GtContext* context, GtShot* shot, GtError* error)
{
    GtPaint paint = shot->def.overlays.paint;
    if (paint == GT_PAINT_NONE) {
        return GT_OK;
    }
    GtShotDistance* distances = gt_arena_push_array(&shot->arena, (size_t)shot->figure_count, sizeof *distances);
    if (!distances) {
        return gti_out_of_memory(error);
    }
    double most = -INFINITY;
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        GtShotDistance* d = &distances[i];
        GtResult result = measure_figure(context, shot, &shot->figures[i], d, error);
        if (result != GT_OK) {
            return result;
        }
        most = fmax(most, d->max_m);
        if (d->count == 0) {
            *d = (GtShotDistance){ 0 };
            gti_warn(context, shot->figures[i].name, NULL, "it has no %s; it is shown grey",
                     paint == GT_PAINT_DISTANCE ? "vertices to compare" : "skin with weights");
        }
    }
    choose_legend(shot, most > 0.0 ? most : 1.0 * (paint != GT_PAINT_DISTANCE));
    shot->report.distances = paint == GT_PAINT_DISTANCE ? distances : NULL;
    return GT_OK;
}

// A colour and what it stands for, on a line of the list in the corner.
static void explain_color(GtPicture* picture, float text_px, int32_t line, GtColor color, const char* text)
{
    GtTextStyle style = gt_default_text_style();
    style.size_px = text_px;
    float y = (1.6f + 1.5f * (float)line) * text_px;
    GtBox box = { (int32_t)text_px, (int32_t)(y - 0.7f * text_px), (int32_t)(0.8f * text_px),
                  (int32_t)(0.8f * text_px) };
    gt_picture_fill(picture, box, color);
    gt_picture_text(picture, 2.3f * text_px, y, text, &style);
}

// The names of the trails; returns how many there are.
static int32_t explain_trails(const char* names, float text_px, GtPicture* picture)
{
    for (int32_t i = 0;; ++i) {
        size_t length = strcspn(names, ",");
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)length, names);
        explain_color(picture, text_px, i, gt_color_of_series(i), text);
        if (!names[length]) {
            return i + 1;
        }
        names += length + 1;
    }
}

void gti_shot_explain(const GtShot* shot, GtPicture* picture)
{
    const GtShotOverlays* o = &shot->def.overlays;
    float text_px = fminf(fmaxf((float)picture->height / 36.0f, 10.0f), 60.0f);
    if (o->paint != GT_PAINT_NONE) {
        GtLegendDef legend = shot->legend;
        legend.text_px = text_px;
        float width = fmaxf(gt_text_width(legend.title, text_px), 4.5f * text_px) + text_px;
        GtBox box = { picture->width - (int32_t)width, picture->height / 8, (int32_t)width, picture->height / 2 };
        gt_picture_legend(picture, box, &legend);
    }
    int32_t line = o->trails ? explain_trails(o->trails, text_px, picture) : 0;
    if (o->contacts) {
        bool touches = shot->touch_count > 0;
        explain_color(picture, text_px, line, left_foot,
                      touches ? "left foot stands, hand touches" : "left foot stands");
        explain_color(picture, text_px, line + 1, right_foot,
                      touches ? "right foot stands, hand touches" : "right foot stands");
    }
}
