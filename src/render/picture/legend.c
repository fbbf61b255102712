// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/picture.h"

#include "render/plot/scale.h"

#include <math.h>
#include <stdio.h>

GtLegendDef gt_default_legend_def(void)
{
    return (GtLegendDef){ .title = "", .high = 1.0, .text_px = 18.0f };
}

static void draw_bar(GtPicture* picture, GtBox bar)
{
    for (int32_t i = 0; i < bar.height; ++i) {
        float value = 1.0f - ((float)i + 0.5f) / (float)bar.height;
        gt_picture_fill(picture, (GtBox){ bar.x, bar.y + i, bar.width, 1 }, gt_color_map(value));
    }
}

static void draw_ticks(GtPicture* picture, GtBox bar, const GtiScale* scale, const GtTextStyle* style)
{
    int32_t gap = bar.width / 3 + 1;
    for (int64_t tick = scale->first; tick <= scale->last; ++tick) {
        char text[GTI_TICK_SIZE];
        double at = gti_scale_place(scale, gti_scale_tick(scale, tick));
        int32_t y = bar.y + bar.height - 1 - (int32_t)(at * (bar.height - 1) + 0.5);
        gti_scale_print(scale, tick, text);
        gt_picture_fill(picture, (GtBox){ bar.x + bar.width, y, gap, 1 }, style->color);
        gt_picture_text(picture, (float)(bar.x + bar.width + 2 * gap), (float)y + 0.35f * style->size_px, text, style);
    }
}

// The title, with the power of ten that numbers are in units of.
static void draw_title(GtPicture* picture, GtBox box, const char* title, const GtiScale* scale,
                       const GtTextStyle* style)
{
    char power[GTI_TICK_SIZE];
    char text[256];
    gti_scale_print_power(scale, power);
    snprintf(text, sizeof text, "%s%s%s", title, power[0] ? " \xC3\x97 " : "", power);
    gt_picture_text(picture, (float)box.x, (float)box.y + 0.8f * style->size_px, text, style);
}

void gt_picture_legend(GtPicture* picture, GtBox box, const GtLegendDef* def)
{
    def = def ? def : (GtLegendDef[]){ gt_default_legend_def() };
    bool has_title = def->title && def->title[0];
    int32_t line = (int32_t)(1.5f * def->text_px);
    int32_t head = has_title ? line : line / 3; // half of the topmost number sticks out
    GtBox bar = { box.x, box.y + head, (int32_t)def->text_px, box.height - head - line / 3 };
    if (bar.width < 1 || bar.height < 2 || !(def->high > def->low) || !isfinite(def->high - def->low)) {
        return;
    }
    GtTextStyle style = gt_default_text_style();
    style.size_px = def->text_px;
    GtiScale scale = { .low = def->low, .high = def->high };
    double most_ticks = fmin((double)bar.height / line, 8.0);
    gti_scale_choose_ticks(&scale, def->whole_numbers ? fmin(most_ticks, def->high - def->low) : most_ticks);
    if (has_title) {
        draw_title(picture, box, def->title, &scale, &style);
    }
    draw_bar(picture, bar);
    gt_picture_outline(picture, bar, 1, style.color);
    draw_ticks(picture, bar, &scale, &style);
}
