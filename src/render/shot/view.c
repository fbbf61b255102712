// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From where a shot is seen: the lens, what has to be in the picture, and the camera at a time.

#include "render/shot/shot.h"

#include <math.h>

GtLens gti_shot_lens(const GtShot* shot, double turn_rad)
{
    float aspect = (float)shot->renderer_def.width / (float)shot->renderer_def.height;
    const GtShotView* view = &shot->def.view;
    float turned_rad = (float)(shot->front_rad + turn_rad);
    if (isnan(view->angle_rad) && isnan(view->elevation_rad)) {
        return gt_camera_lens(view->place, aspect, turned_rad);
    }
    GtVec3 back = gt_camera_lens(view->place, aspect, 0.0f).back;
    float angle_rad = isnan(view->angle_rad) ? atan2f(back.x, back.z) : view->angle_rad;
    float elevation_rad = isnan(view->elevation_rad) ? asinf(fminf(back.y, 1.0f)) : view->elevation_rad;
    return gt_camera_lens_at(angle_rad + turned_rad, elevation_rad, aspect);
}

GtVec3 gti_shot_center(const GtShot* shot, const GtiShotFigure* f, double time_s)
{
    double length = shot->to_s - shot->from_s;
    double at = length > 0.0 ? (time_s - shot->from_s) / length * (shot->moment_count - 1) : 0.0;
    int32_t last = shot->moment_count - 1;
    int32_t k = at <= 0.0 ? 0 : at >= last ? last : (int32_t)at;
    int32_t next = k < last ? k + 1 : last;
    GtVec3 center = gt_vec3_lerp(f->centers[k], f->centers[next], (float)fmin(fmax(at - k, 0.0), 1.0));
    return gt_vec3_add(center, f->offset);
}

// Where a camera that follows looks: between all figures, at no height of its own.
static GtVec3 center_of_all(const GtShot* shot, double time_s)
{
    GtVec3 sum = { 0 };
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        sum = gt_vec3_add(sum, gti_shot_center(shot, &shot->figures[i], time_s));
    }
    sum.y = 0.0f;
    return gt_vec3_scale(sum, 1.0f / (float)shot->figure_count);
}

void gti_shot_frame(GtShot* shot)
{
    GtLens lens = gti_shot_lens(shot, 0.0);
    shot->reach = gt_reach_of(&lens, NULL, 0);
    shot->bounds = gti_no_bounds();
    for (int32_t k = 0; k < shot->moment_count; ++k) {
        GtVec3 from = shot->follows ? center_of_all(shot, gti_shot_moment(shot, k)) : gt_vec3(0.0f, 0.0f, 0.0f);
        for (int32_t i = 0; i < shot->figure_count; ++i) {
            const GtiShotFigure* f = &shot->figures[i];
            GtVec3 offset = gt_vec3_sub(f->offset, from);
            shot->reach = gt_reach_unite(shot->reach, gt_reach_move(f->reaches[k], &lens, offset));
            gti_bounds_unite(&shot->bounds, &f->boxes[k], offset);
        }
    }
    if (shot->figure_count > 1) { // a line of text under them all
        GtReach* r = &shot->reach;
        float height = r->top + r->bottom - lens.slope_y * (r->front - r->back);
        r->bottom += 0.06f * height;
    }
}

// The same from all sides: of the cylinder that everything would sweep if it turned.
static GtReach turning_reach(const GtShot* shot, const GtLens* lens)
{
    enum {
        SIDES = 48
    };
    const GtBounds* b = &shot->bounds;
    GtVec3 middle = gt_vec3_scale(gt_vec3_add(b->low, b->high), 0.5f);
    float radius = hypotf(b->high.x - middle.x, b->high.z - middle.z);
    GtVec3 points[2 * SIDES];
    for (int i = 0; i < 2 * SIDES; ++i) {
        float angle = 6.28318531f * (float)i / SIDES;
        points[i] =
            gt_vec3(middle.x + radius * cosf(angle), i < SIDES ? b->low.y : b->high.y, middle.z + radius * sinf(angle));
    }
    return gt_reach_of(lens, points, 2 * SIDES);
}

GtCameraView gti_shot_camera(const GtShot* shot, double time_s, double turn_rad)
{
    GtLens lens = gti_shot_lens(shot, turn_rad);
    GtReach reach = shot->def.view.turntable || turn_rad != 0.0 ? turning_reach(shot, &lens) : shot->reach;
    if (shot->follows) {
        reach = gt_reach_move(reach, &lens, center_of_all(shot, time_s));
    }
    return gt_camera_fit(&lens, &reach);
}
