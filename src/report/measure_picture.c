// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of the worst frames, inside the page as data. Where nothing can draw, the page says so and does without.

#include "report/measure_parts.h"

#include "base/fail.h"
#include "gertie/picture.h"
#include "gertie/render.h"

#include <math.h>

enum {
    PICTURE_WIDTH = 440,
    PICTURE_HEIGHT = 440
};

static const float close_up = 0.14f; // of the figure's size, to each side of the joint

static void add_base64(GtText* text, const uint8_t* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                        (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
        char four[4] = { digits[word >> 18 & 63u], digits[word >> 12 & 63u], left > 1 ? digits[word >> 6 & 63u] : '=',
                         left > 2 ? digits[word & 63u] : '=' };
        gt_text_add(text, four, sizeof four);
    }
}

// The whole figure, or a joint and what is around it.
static GtBounds look_at(GtRenderer* renderer, const GtWorstFrame* worst)
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

static GtResult draw(const GtContext* context, GtRenderer* renderer, const GtWorstFrame* worst, GtPicture* picture,
                     GtBlob** png, GtError* error)
{
    float aspect = (float)PICTURE_WIDTH / PICTURE_HEIGHT;
    GtCameraView camera = gt_camera_frame(look_at(renderer, worst), GT_CAMERA_THREE_QUARTER, aspect, 0.0f);
    GtResult result = gt_renderer_draw(renderer, &camera, worst->time_s, error);
    result = result == GT_OK ? gt_renderer_read(renderer, picture->rgba, error) : result;
    return result == GT_OK ? gt_picture_encode_png(context, picture, png, error) : result;
}

static GtResult add_drawn(const GtContext* context, const GtMeasureReport* r, GtRenderer* renderer, GtText* text,
                          GtError* error)
{
    GtActorDef actor = gt_default_actor_def();
    actor.scene = r->scene;
    actor.animation = r->animation;
    GtPicture picture = { 0 };
    GtResult result = gt_renderer_add(renderer, context, &actor, NULL, error);
    if (result == GT_OK) {
        result = gt_picture_create(context->allocator, PICTURE_WIDTH, PICTURE_HEIGHT, &picture, error);
    }
    for (int32_t i = 0; i < r->measure->worst_count && result == GT_OK; ++i) {
        const GtWorstFrame* worst = &r->measure->worst[i];
        GtBlob* png = NULL;
        result = gti_progress(context, error, "drawing", (double)i / r->measure->worst_count);
        result = result == GT_OK ? draw(context, renderer, worst, &picture, &png, error) : result;
        if (result == GT_OK) {
            gt_text_addf(
                text, "<figure class=\"worst\"><img alt=\"\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
                PICTURE_WIDTH, PICTURE_HEIGHT);
            add_base64(text, gt_blob_bytes(png), gt_blob_size(png));
            gt_text_addf(text, "\"><figcaption><b>%.2f s</b> ", worst->time_s);
            gti_text_add_markup(text, worst->what);
            gt_text_adds(text, "</figcaption></figure>\n");
        }
        gt_blob_release(png);
    }
    gt_picture_destroy(&picture);
    return result;
}

GtResult gti_measure_add_pictures(const GtContext* context, const GtMeasureReport* r, GtText* text, GtError* error)
{
    GtRenderer* renderer = NULL;
    GtRendererDef def = gt_default_renderer_def();
    def.width = PICTURE_WIDTH;
    def.height = PICTURE_HEIGHT;
    GtResult result = gt_renderer_create(context, &def, &renderer, error);
    if (result == GT_ERROR_UNSUPPORTED) {
        gti_warn(context, NULL, NULL, "the page has no pictures: %s", error->message);
        gt_text_adds(text, "<p class=\"note\">There are no pictures, because nothing can draw here: ");
        gti_text_add_markup(text, error->message);
        gt_text_adds(text, "</p>\n<ul>");
        for (int32_t i = 0; i < r->measure->worst_count; ++i) {
            gt_text_addf(text, "<li><b>%.2f s</b> ", r->measure->worst[i].time_s);
            gti_text_add_markup(text, r->measure->worst[i].what);
            gt_text_adds(text, "</li>");
        }
        gt_text_adds(text, "</ul>\n");
        return GT_OK;
    }
    if (result == GT_OK) {
        gt_text_adds(text, "<div class=\"gallery\">\n");
        result = add_drawn(context, r, renderer, text, error);
        gt_text_adds(text, "</div>\n");
    }
    gt_renderer_destroy(renderer);
    return result;
}
