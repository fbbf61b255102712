// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of the worst frames, inside the page as data. Where nothing can draw, the page says so and does without.

#include "measure.h"

#include "fail.h"
#include "interrupt.h"

#include "gertie/picture.h"
#include "gertie/render.h"

#include <math.h>

enum {
    PICTURE_WIDTH = 440,
    PICTURE_HEIGHT = 440
};

static const float close_up = 0.14f; // of the figure's size, to each side of the joint

static void add_base64(Text* text, const uint8_t* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                        (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
        char four[4] = { digits[word >> 18 & 63u], digits[word >> 12 & 63u], left > 1 ? digits[word >> 6 & 63u] : '=',
                         left > 2 ? digits[word & 63u] : '=' };
        text_add(text, four, sizeof four);
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

static GtResult draw(Session* session, GtRenderer* renderer, const GtWorstFrame* worst, GtPicture* picture,
                     GtBlob** png, GtError* error)
{
    float aspect = (float)PICTURE_WIDTH / PICTURE_HEIGHT;
    GtCameraView camera = gt_camera_frame(look_at(renderer, worst), GT_CAMERA_THREE_QUARTER, aspect, 0.0f);
    GtResult result = gt_renderer_draw(renderer, &camera, worst->time_s, error);
    result = result == GT_OK ? gt_renderer_read(renderer, picture->rgba, error) : result;
    return result == GT_OK ? gt_picture_encode_png(&session->context, picture, png, error) : result;
}

static GtResult add_drawn(Session* session, Text* text, const Measured* m, GtRenderer* renderer, GtError* error)
{
    GtActorDef actor = gt_default_actor_def();
    actor.scene = m->scene;
    actor.animation = m->clip;
    GtPicture picture = { 0 };
    GtResult result = gt_renderer_add(renderer, &session->context, &actor, NULL, error);
    if (result == GT_OK) {
        result = gt_picture_create(session->context.allocator, PICTURE_WIDTH, PICTURE_HEIGHT, &picture, error);
    }
    for (int32_t i = 0; i < m->measure->worst_count && result == GT_OK; ++i) {
        const GtWorstFrame* worst = &m->measure->worst[i];
        GtBlob* png = NULL;
        if (interrupt_signal()) {
            result = fail(error, GT_ERROR_CANCELLED, NULL, "cancelled");
            break;
        }
        result = draw(session, renderer, worst, &picture, &png, error);
        if (result == GT_OK) {
            text_addf(text,
                      "<figure class=\"worst\"><img alt=\"\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
                      PICTURE_WIDTH, PICTURE_HEIGHT);
            add_base64(text, gt_blob_bytes(png), gt_blob_size(png));
            text_addf(text, "\"><figcaption><b>%.2f s</b> ", worst->time_s);
            html_add(text, worst->what);
            text_adds(text, "</figcaption></figure>\n");
        }
        gt_blob_release(png);
    }
    gt_picture_destroy(&picture);
    return result;
}

bool measure_add_pictures(Session* session, Text* text, const Measured* m)
{
    GtError error = { 0 };
    GtRenderer* renderer = NULL;
    GtRendererDef def = gt_default_renderer_def();
    def.width = PICTURE_WIDTH;
    def.height = PICTURE_HEIGHT;
    GtResult result = gt_renderer_create(&session->context, &def, &renderer, &error);
    if (result == GT_ERROR_UNSUPPORTED) {
        session_warn(session, NULL, "the page has no pictures: %s", error.message);
        text_adds(text, "<p class=\"note\">There are no pictures, because nothing can draw here: ");
        html_add(text, error.message);
        text_adds(text, "</p>\n<ul>");
        for (int32_t i = 0; i < m->measure->worst_count; ++i) {
            text_addf(text, "<li><b>%.2f s</b> ", m->measure->worst[i].time_s);
            html_add(text, m->measure->worst[i].what);
            text_adds(text, "</li>");
        }
        text_adds(text, "</ul>\n");
        return true;
    }
    if (result == GT_OK) {
        text_adds(text, "<div class=\"gallery\">\n");
        result = add_drawn(session, text, m, renderer, &error);
        text_adds(text, "</div>\n");
    }
    gt_renderer_destroy(renderer);
    return result == GT_OK || session_fail(session, &error);
}
