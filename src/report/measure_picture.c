// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of the worst frames, inside the page as data. Where nothing can draw, the page says so and does without.

#include "report/measure_parts.h"

#include "base/fail.h"
#include "gertie/preview.h"

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

static void add_picture(GtText* text, const GtWorstFrame* worst, const GtBlob* png)
{
    gt_text_addf(text, "<figure class=\"worst\"><img alt=\"\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
                 GT_PREVIEW_SIZE, GT_PREVIEW_SIZE);
    add_base64(text, gt_blob_bytes(png), gt_blob_size(png));
    gt_text_addf(text, "\"><figcaption><b>%.2f s</b> ", worst->time_s);
    gti_text_add_markup(text, worst->what);
    gt_text_adds(text, "</figcaption></figure>\n");
}

static void add_list(GtText* text, const GtMeasure* measure, const char* why)
{
    gt_text_adds(text, "<p class=\"note\">There are no pictures, because nothing can draw here: ");
    gti_text_add_markup(text, why);
    gt_text_adds(text, "</p>\n<ul>");
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        gt_text_addf(text, "<li><b>%.2f s</b> ", measure->worst[i].time_s);
        gti_text_add_markup(text, measure->worst[i].what);
        gt_text_adds(text, "</li>");
    }
    gt_text_adds(text, "</ul>\n");
}

GtResult gti_measure_add_pictures(const GtContext* context, const GtMeasureReport* r, GtText* text, GtError* error)
{
    GtBlob* pngs[GT_WORST_FRAME_COUNT];
    GtResult result = gt_preview_worst(context, r->scene, r->animation, r->measure, pngs, error);
    if (result == GT_ERROR_UNSUPPORTED) {
        gti_warn(context, NULL, NULL, "the page has no pictures: %s", error->message);
        add_list(text, r->measure, error->message);
        return GT_OK;
    }
    if (result != GT_OK) {
        return result;
    }
    gt_text_adds(text, "<div class=\"gallery\">\n");
    for (int32_t i = 0; i < r->measure->worst_count; ++i) {
        add_picture(text, &r->measure->worst[i], pngs[i]);
        gt_blob_release(pngs[i]);
    }
    gt_text_adds(text, "</div>\n");
    return GT_OK;
}
