// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/preview.h"

#include "gertie/picture.h"
#include "gertie/render.h"

#include "base/fail.h"

#include <math.h>

enum {
    VIEW_WIDTH = 720,
    VIEW_HEIGHT = 960
};

static const GtCameraPlace views[] = { GT_CAMERA_FRONT, GT_CAMERA_SIDE };

enum {
    VIEW_COUNT = sizeof views / sizeof views[0]
};

static const float close_up = 0.14f; // of the figure's size, to each side of a joint

static GtResult open_renderer(const GtContext* context, const GtRendererDef* def, const GtActorDef* actor,
                              GtRenderer** out, GtError* error)
{
    GtResult result = gt_renderer_create(context, def, out, error);
    return result == GT_OK ? gt_renderer_add(*out, context, actor, NULL, error) : result;
}

static GtResult draw(GtRenderer* renderer, const GtCameraView* camera, double time_s, GtPicture* out, GtError* error)
{
    GtResult result = gt_renderer_draw(renderer, camera, time_s, error);
    return result == GT_OK ? gt_renderer_read(renderer, out->rgba, error) : result;
}

GtResult gt_preview_skeleton(const GtContext* context, const GtScene* scene, const char* path, GtError* error)
{
    GtRenderer* renderer = NULL;
    GtPicture view = { 0 };
    GtPicture whole = { 0 };
    GtRendererDef def = gt_default_renderer_def();
    def.width = VIEW_WIDTH;
    def.height = VIEW_HEIGHT;
    def.background.ground = false;
    GtActorDef actor = gt_default_actor_def();
    actor.scene = scene;
    actor.bones = true;
    GtResult result = open_renderer(context, &def, &actor, &renderer, error);
    if (result == GT_OK) {
        result = gt_picture_create(context->allocator, VIEW_WIDTH, VIEW_HEIGHT, &view, error);
    }
    if (result == GT_OK) {
        result = gt_picture_create(context->allocator, VIEW_COUNT * VIEW_WIDTH, VIEW_HEIGHT, &whole, error);
    }
    for (int i = 0; i < VIEW_COUNT && result == GT_OK; ++i) {
        GtLens lens = gt_camera_lens(views[i], (float)VIEW_WIDTH / (float)VIEW_HEIGHT, 0.0f);
        GtReach reach = gt_renderer_drawn_reach(renderer, 0, 0.0, &lens);
        GtCameraView camera = gt_camera_fit(&lens, &reach);
        result = draw(renderer, &camera, 0.0, &view, error);
        gt_picture_blit(&whole, i * VIEW_WIDTH, 0, &view);
    }
    result = result == GT_OK ? gt_picture_write_png(context, &whole, path, error) : result;
    gt_picture_destroy(&whole);
    gt_picture_destroy(&view);
    gt_renderer_destroy(renderer);
    return result;
}

// The whole figure, or a joint and what is around it.
static GtBounds find_worst_box(GtRenderer* renderer, const GtWorstFrame* worst)
{
    GtBounds bounds = gt_renderer_actor_bounds(renderer, 0, worst->time_s);
    GtVec3 size = gt_vec3_sub(bounds.high, bounds.low);
    float reach = close_up * fmaxf(size.x, fmaxf(size.y, size.z));
    if (worst->node != GT_NONE && reach > 0.0f) {
        GtVec3 half = gt_vec3(reach, reach, reach);
        bounds = (GtBounds){ gt_vec3_sub(worst->place, half), gt_vec3_add(worst->place, half) };
    }
    return bounds;
}

GtResult gt_preview_worst(const GtContext* context, const GtScene* scene, int32_t animation, const GtMeasure* measure,
                          GtBlob** pngs, GtError* error)
{
    GtRenderer* renderer = NULL;
    GtPicture picture = { 0 };
    GtRendererDef def = gt_default_renderer_def();
    def.width = def.height = GT_PREVIEW_SIZE;
    GtActorDef actor = gt_default_actor_def();
    actor.scene = scene;
    actor.animation = animation;
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        pngs[i] = NULL;
    }
    GtResult result = open_renderer(context, &def, &actor, &renderer, error);
    if (result == GT_OK) {
        result = gt_picture_create(context->allocator, GT_PREVIEW_SIZE, GT_PREVIEW_SIZE, &picture, error);
    }
    for (int32_t i = 0; i < measure->worst_count && result == GT_OK; ++i) {
        const GtWorstFrame* worst = &measure->worst[i];
        result = gti_progress(context, error, "drawing", (double)i / measure->worst_count);
        if (result == GT_OK) {
            GtCameraView camera = gt_camera_frame(find_worst_box(renderer, worst), GT_CAMERA_THREE_QUARTER, 1.0f, 0.0f);
            result = draw(renderer, &camera, worst->time_s, &picture, error);
        }
        result = result == GT_OK ? gt_picture_encode_png(context, &picture, &pngs[i], error) : result;
    }
    for (int32_t i = 0; i < measure->worst_count && result != GT_OK; ++i) {
        gt_blob_release(pngs[i]);
        pngs[i] = NULL;
    }
    gt_picture_destroy(&picture);
    gt_renderer_destroy(renderer);
    return result;
}
