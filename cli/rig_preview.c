// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The skeleton inside the body, from the front and from the side.

#include "rigging.h"

#include "gertie/picture.h"
#include "gertie/render.h"

enum {
    VIEW_WIDTH = 720,
    VIEW_HEIGHT = 960
};

static const GtCameraPlace views[] = { GT_CAMERA_FRONT, GT_CAMERA_SIDE };

enum {
    VIEW_COUNT = sizeof views / sizeof views[0]
};

static GtResult draw_view(GtRenderer* renderer, GtCameraPlace place, GtPicture* view, GtError* error)
{
    GtLens lens = gt_camera_lens(place, (float)VIEW_WIDTH / (float)VIEW_HEIGHT, 0.0f);
    GtReach reach = gt_renderer_drawn_reach(renderer, 0, 0.0, &lens);
    GtCameraView camera = gt_camera_fit(&lens, &reach);
    GtResult result = gt_renderer_draw(renderer, &camera, 0.0, error);
    return result == GT_OK ? gt_renderer_read(renderer, view->rgba, error) : result;
}

static GtResult draw_views(const GtContext* context, GtRenderer* renderer, const char* path, GtError* error)
{
    GtPicture view;
    GtPicture whole = { 0 };
    GtResult result = gt_picture_create(context->allocator, VIEW_WIDTH, VIEW_HEIGHT, &view, error);
    if (result == GT_OK) {
        result = gt_picture_create(context->allocator, VIEW_COUNT * VIEW_WIDTH, VIEW_HEIGHT, &whole, error);
    }
    for (int i = 0; i < VIEW_COUNT && result == GT_OK; ++i) {
        result = draw_view(renderer, views[i], &view, error);
        gt_picture_blit(&whole, i * VIEW_WIDTH, 0, &view);
    }
    result = result == GT_OK ? gt_picture_write_png(context, &whole, path, error) : result;
    gt_picture_destroy(&whole);
    gt_picture_destroy(&view);
    return result;
}

bool rig_preview(Session* session, const GtScene* rigged, const char* path)
{
    GtError error = { 0 };
    const GtContext* context = &session->context;
    GtRendererDef def = gt_default_renderer_def();
    def.width = VIEW_WIDTH;
    def.height = VIEW_HEIGHT;
    def.background.ground = false;
    GtActorDef actor = gt_default_actor_def();
    actor.scene = rigged;
    actor.animation = GT_NONE;
    actor.bones = true;
    GtRenderer* renderer = NULL;
    GtResult result = gt_renderer_create(context, &def, &renderer, &error);
    result = result == GT_OK ? gt_renderer_add(renderer, context, &actor, NULL, &error) : result;
    result = result == GT_OK ? draw_views(context, renderer, path, &error) : result;
    gt_renderer_destroy(renderer);
    if (result == GT_OK) {
        session_say(session, "wrote %s: the skeleton from the front and from the side", path);
    }
    return result == GT_OK || session_fail(session, &error);
}
