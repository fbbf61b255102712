// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names under figures that stand side by side.

#include "base/fail.h"
#include "render/shot/shot.h"

#include <math.h>

enum {
    LABEL_SIZE = 256
};

// The middle of a figure in the picture, and where the lowest of what it reaches is.
static bool find_figure(const GtShot* shot, const GtiShotFigure* f, const GtCameraView* camera, double time_s, float* x,
                        float* bottom)
{
    float y, depth;
    int32_t width = shot->renderer_def.width;
    int32_t height = shot->renderer_def.height;
    GtVec3 center = gti_shot_center(shot, f, time_s);
    const GtBounds* b = &f->around;
    bool seen = gt_camera_project(camera, width, height, center, x, bottom, &depth);
    for (int i = 0; seen && i < 8; ++i) {
        GtVec3 corner =
            gt_vec3(i & 1 ? b->high.x : b->low.x, i & 2 ? b->high.y : b->low.y, i & 4 ? b->high.z : b->low.z);
        float corner_x;
        seen = gt_camera_project(camera, width, height, gt_vec3_add(center, corner), &corner_x, &y, &depth);
        *bottom = fmaxf(*bottom, y);
    }
    return seen;
}

// How wide each name may be: as far as its figure is from its neighbours in the picture.
static void find_widths(const GtShot* shot, float* widths)
{
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        widths[i] = (float)shot->renderer_def.width;
    }
    for (int32_t k = 0; k < shot->moment_count; ++k) {
        double time = gti_shot_moment(shot, k);
        GtCameraView camera = gti_shot_camera(shot, time, 0.0);
        float before = 0.0f;
        for (int32_t i = 0; i < shot->figure_count; ++i) {
            float x = before;
            float bottom;
            find_figure(shot, &shot->figures[i], &camera, time, &x, &bottom);
            if (i > 0) {
                widths[i] = fminf(widths[i], 0.95f * fabsf(x - before));
                widths[i - 1] = fminf(widths[i - 1], 0.95f * fabsf(x - before));
            }
            before = x;
        }
    }
}

// One size for all names, at which they fit if it need not be too small.
static float choose_text_size(const GtShot* shot, const float* widths)
{
    float size = fminf(fmaxf((float)shot->renderer_def.height / 28.0f, 12.0f), 80.0f);
    float scale = 1.0f;
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        scale = fminf(scale, widths[i] / gt_text_width(shot->figures[i].label, size));
    }
    return fmaxf(size * scale, fminf(size, fmaxf(12.0f, 0.6f * size)));
}

GtResult gti_shot_make_labels(const GtContext* context, GtShot* shot, GtError* error)
{
    float* widths = gt_arena_push_array(&shot->arena, (size_t)shot->figure_count, sizeof *widths);
    if (!widths) {
        return gti_out_of_memory(error);
    }
    find_widths(shot, widths);
    GtTextStyle style = gt_default_text_style();
    style.size_px = choose_text_size(shot, widths);
    for (int32_t i = 0; shot->figure_count > 1 && i < shot->figure_count; ++i) {
        GtiShotFigure* f = &shot->figures[i];
        char text[LABEL_SIZE];
        gt_text_fit(f->label, style.size_px, fmaxf(widths[i], 3.0f * style.size_px), text, sizeof text);
        int32_t height = (int32_t)(1.5f * style.size_px);
        int32_t width = (int32_t)(gt_text_width(text, style.size_px) + style.size_px);
        GtResult result = gt_picture_create(context->allocator, width, height, &f->title, error);
        if (result != GT_OK) {
            return result;
        }
        gt_picture_text(&f->title, 0.5f * style.size_px, 1.1f * style.size_px, text, &style);
    }
    return GT_OK;
}

void gti_shot_label(const GtShot* shot, const GtCameraView* camera, double time_s, GtPicture* picture)
{
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        const GtiShotFigure* f = &shot->figures[i];
        float x, bottom;
        if (f->title.rgba && find_figure(shot, f, camera, time_s, &x, &bottom)) {
            float left = fminf(x - 0.5f * (float)f->title.width, (float)(picture->width - f->title.width));
            float top = fminf(bottom, (float)(picture->height - f->title.height));
            gt_picture_blit(picture, (int32_t)lroundf(fmaxf(left, 0.0f)), (int32_t)lroundf(fmaxf(top, 0.0f)),
                            &f->title);
        }
    }
}
