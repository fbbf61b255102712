// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of the worst frames, inside the page as data. Where nothing can draw, the page says so and does without.

#include "measure.h"

#include "gertie/preview.h"

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

static void add_picture(Text* text, const GtWorstFrame* worst, const GtBlob* png)
{
    text_addf(text, "<figure class=\"worst\"><img alt=\"\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
              GT_PREVIEW_SIZE, GT_PREVIEW_SIZE);
    add_base64(text, gt_blob_bytes(png), gt_blob_size(png));
    text_addf(text, "\"><figcaption><b>%.2f s</b> ", worst->time_s);
    html_add(text, worst->what);
    text_adds(text, "</figcaption></figure>\n");
}

static void add_list(Text* text, const GtMeasure* measure, const char* why)
{
    text_adds(text, "<p class=\"note\">There are no pictures, because nothing can draw here: ");
    html_add(text, why);
    text_adds(text, "</p>\n<ul>");
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        text_addf(text, "<li><b>%.2f s</b> ", measure->worst[i].time_s);
        html_add(text, measure->worst[i].what);
        text_adds(text, "</li>");
    }
    text_adds(text, "</ul>\n");
}

bool measure_add_pictures(Session* session, Text* text, const Measured* m)
{
    GtError error = { 0 };
    GtBlob* pngs[GT_WORST_FRAME_COUNT];
    GtResult result = gt_preview_worst(&session->context, m->scene, m->clip, m->measure, pngs, &error);
    if (result == GT_ERROR_UNSUPPORTED) {
        session_warn(session, NULL, "the page has no pictures: %s", error.message);
        add_list(text, m->measure, error.message);
        return true;
    }
    if (result != GT_OK) {
        return session_fail(session, &error);
    }
    text_adds(text, "<div class=\"gallery\">\n");
    for (int32_t i = 0; i < m->measure->worst_count; ++i) {
        add_picture(text, &m->measure->worst[i], pngs[i]);
        gt_blob_release(pngs[i]);
    }
    text_adds(text, "</div>\n");
    return true;
}
