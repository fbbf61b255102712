// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A plot as SVG 1.1, in attributes that every viewer knows: no style sheets, no scripts, no fonts. Colours are those of
// Okabe and Ito (2008) that can be seen on white; when they are used up they come again with another dash.

#include "base/fail.h"
#include "data/text.h"
#include "gertie/number.h"
#include "gertie/picture.h"
#include "render/plot/label.h"
#include "render/plot/layout.h"
#include "render/plot/line.h"
#include "render/plot/plot.h"

#include <math.h>
#include <stdio.h>

static const char* const dashes[GTI_PLOT_DASHES] = { "", "7 3", "2 2.5", "9 3 2 3" };

enum {
    KEY_SPACING = 16, // pixels a key has, on average, where keys are marked
};

typedef struct Writer {
    GtText text;
    GtArena* scratch;
    const GtPlotDef* def;
    const GtiPlotLayout* layout;
} Writer;

static void add(Writer* w, const char* text)
{
    gt_text_adds(&w->text, text);
}

static double to_hundredths(double pixels)
{
    return round(pixels * 100.0) / 100.0;
}

static void add_number(Writer* w, double pixels)
{
    char number[GT_NUMBER_SIZE];
    double rounded = to_hundredths(pixels);
    gt_text_add(&w->text, number, (size_t)gt_print_double(rounded == 0.0 ? 0.0 : rounded, number)); // never "-0"
}

static void add_attribute(Writer* w, const char* name, double pixels)
{
    add(w, " ");
    add(w, name);
    add(w, "=\"");
    add_number(w, pixels);
    add(w, "\"");
}

static void add_point(Writer* w, const char* command, double x, double y)
{
    add(w, command);
    add_number(w, x);
    add(w, " ");
    add_number(w, y);
}

// Words on one line, vertically centred on y.
static void add_text(Writer* w, double x, double y, double font_size, const char* words)
{
    add(w, "<text");
    add_attribute(w, "x", x);
    add_attribute(w, "y", y + 0.35 * font_size); // capitals are 0.7 em high
    add(w, ">");
    gti_text_add_markup(&w->text, words);
    add(w, "</text>\n");
}

static void add_colour(Writer* w, int32_t index)
{
    char text[8];
    GtColor c = gt_color_of_series(index);
    snprintf(text, sizeof text, "#%02X%02X%02X", c.r, c.g, c.b);
    add(w, text);
}

static void add_stroke(Writer* w, const GtiPanelLine* style)
{
    const char* dash = dashes[style->dash];
    add(w, " stroke=\"");
    add_colour(w, style->colour);
    if (dash[0]) {
        add(w, "\" stroke-dasharray=\"");
        add(w, dash);
    }
    add(w, "\"");
}

static double x_of(const Writer* w, double time_s)
{
    return w->layout->left + gti_scale_place(&w->layout->time, time_s) * (w->layout->right - w->layout->left);
}

static double y_of(const GtiPanel* panel, double value)
{
    return panel->top + (1.0 - gti_scale_place(&panel->scale, value)) * panel->height;
}

static void add_legend(Writer* w, const GtiPanel* panel)
{
    for (int32_t i = 0; i < panel->entry_count; ++i) {
        const GtiLegendEntry* entry = &panel->entries[i];
        if (entry->line == GT_NONE) {
            add_text(w, entry->x, entry->y, GTI_PLOT_FONT, entry->text);
            continue;
        }
        add(w, "<path");
        add_stroke(w, &panel->lines[entry->line]);
        add(w, " stroke-width=\"2.5\"");
        add_point(w, " d=\"M", entry->x, entry->y);
        add(w, "h");
        add_number(w, GTI_PLOT_SWATCH);
        add(w, "\"/>");
        add_text(w, entry->x + GTI_PLOT_SWATCH + GTI_PLOT_SPACE, entry->y, GTI_PLOT_FONT, entry->text);
    }
}

static void add_grid(Writer* w, const GtiPanel* panel)
{
    const GtiPlotLayout* layout = w->layout;
    add(w, "<path fill=\"none\" stroke=\"#E2E2E2\" d=\"");
    for (int64_t tick = layout->time.first; tick <= layout->time.last; ++tick) {
        add_point(w, "M", x_of(w, gti_scale_tick(&layout->time, tick)), panel->top);
        add(w, "v");
        add_number(w, panel->height);
    }
    for (int64_t tick = panel->scale.first; tick <= panel->scale.last; ++tick) {
        add_point(w, "M", layout->left, y_of(panel, gti_scale_tick(&panel->scale, tick)));
        add(w, "h");
        add_number(w, layout->right - layout->left);
    }
    add(w, "\"/>\n<path fill=\"none\" stroke=\"#8C8C8C\" d=\"");
    if (panel->scale.low < 0.0 && panel->scale.high > 0.0) {
        add_point(w, "M", layout->left, y_of(panel, 0.0));
        add(w, "H");
        add_number(w, layout->right);
    }
    add_point(w, "M", layout->left, panel->top);
    add(w, "v");
    add_number(w, panel->height);
    add(w, "H");
    add_number(w, layout->right);
    add(w, "\"/>\n");
}

static void add_value_axis(Writer* w, const GtiPanel* panel)
{
    add(w, "<g text-anchor=\"end\">\n");
    for (int64_t tick = panel->scale.first; tick <= panel->scale.last; ++tick) {
        char label[GTI_TICK_SIZE];
        gti_scale_print(&panel->scale, tick, label);
        add_text(w, w->layout->left - GTI_PLOT_SPACE, y_of(panel, gti_scale_tick(&panel->scale, tick)), GTI_PLOT_FONT,
                 label);
    }
    add(w, "</g>\n<g text-anchor=\"middle\"");
    add_point(w, " transform=\"translate(", 1.7 * GTI_PLOT_FONT, panel->top + 0.5 * panel->height);
    add(w, ") rotate(-90)\">");
    add_text(w, 0.0, 0.0, GTI_PLOT_FONT, panel->axis);
    add(w, "</g>\n");
}

static void add_time_axis(Writer* w)
{
    const GtiPlotLayout* layout = w->layout;
    const GtiPanel* last = &layout->panels[layout->panel_count - 1];
    double bottom = last->top + last->height;
    add(w, "<g text-anchor=\"middle\">\n");
    for (int64_t tick = layout->time.first; tick <= layout->time.last; ++tick) {
        char label[GTI_TICK_SIZE];
        gti_scale_print(&layout->time, tick, label);
        add_text(w, x_of(w, gti_scale_tick(&layout->time, tick)), bottom + 1.1 * GTI_PLOT_FONT, GTI_PLOT_FONT, label);
    }
    add_text(w, 0.5 * (layout->left + layout->right), bottom + 2.7 * GTI_PLOT_FONT, GTI_PLOT_FONT, layout->time_axis);
    add(w, "</g>\n");
}

// Where the drawn line is at a time within its samples.
static double value_at(const GtPlotSeries* series, double time_s)
{
    int32_t low = 0; // times[low] <= time < times[high]
    int32_t high = series->sample_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (series->times_s[middle] <= time_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (high == series->sample_count) {
        return (double)series->values[low];
    }
    double t = (time_s - series->times_s[low]) / (series->times_s[high] - series->times_s[low]);
    return (1.0 - t) * (double)series->values[low] + t * (double)series->values[high];
}

static void add_dot(Writer* w, const GtiPanel* panel, double time_s, double value)
{
    add(w, "<circle");
    add_attribute(w, "cx", x_of(w, time_s));
    add_attribute(w, "cy", y_of(panel, value));
    add(w, " r=\"2.8\"/>\n");
}

// Keys that are few enough to be told apart, and a series that is a single moment.
static void add_dots(Writer* w, const GtiPanel* panel, const GtiPanelLine* style)
{
    const GtPlotSeries* series = w->def->lines[style->index].series;
    double room = x_of(w, series->times_s[series->sample_count - 1]) - x_of(w, series->times_s[0]);
    bool marks_keys = series->key_count > 0 && series->key_count - 1 <= room / KEY_SPACING;
    if (!marks_keys && series->sample_count > 1) {
        return;
    }
    add(w, "<g fill=\"");
    add_colour(w, style->colour);
    add(w, "\">\n");
    for (int32_t i = 0; marks_keys && i < series->key_count; ++i) {
        double time_s = series->key_times_s[i];
        if (time_s >= series->times_s[0] && time_s <= series->times_s[series->sample_count - 1]) {
            add_dot(w, panel, time_s, value_at(series, time_s));
        }
    }
    if (!marks_keys) {
        add_dot(w, panel, series->times_s[0], (double)series->values[0]);
    }
    add(w, "</g>\n");
}

static bool add_line(Writer* w, const GtiPanel* panel, const GtiPanelLine* style)
{
    const GtPlotSeries* series = w->def->lines[style->index].series;
    GtiPoint* points = gt_arena_push_array(w->scratch, (size_t)series->sample_count, sizeof *points);
    for (int32_t i = 0; points && i < series->sample_count; ++i) {
        points[i] = (GtiPoint){ x_of(w, series->times_s[i]), y_of(panel, (double)series->values[i]) };
    }
    int32_t count = points ? gti_line_simplify(w->scratch, points, series->sample_count) : -1;
    if (count > 1) {
        add(w, "<path");
        add_stroke(w, style);
        add_point(w, " d=\"M", points[0].x, points[0].y);
        for (int32_t i = 1; i < count; ++i) { // steps between rounded places, so that roundings do not add up
            add_point(w, i == 1 ? "l" : " ", to_hundredths(points[i].x) - to_hundredths(points[i - 1].x),
                      to_hundredths(points[i].y) - to_hundredths(points[i - 1].y));
        }
        add(w, "\"/>\n");
    }
    return count >= 0;
}

static bool add_curves(Writer* w, const GtiPanel* panel)
{
    bool ok = true;
    add(w, "<g fill=\"none\" stroke-width=\"1.75\" stroke-linejoin=\"round\">\n");
    for (int32_t i = 0; ok && i < panel->line_count; ++i) {
        GtArenaMark mark = gt_arena_mark(w->scratch);
        ok = add_line(w, panel, &panel->lines[i]);
        gt_arena_reset(w->scratch, mark);
    }
    add(w, "</g>\n");
    for (int32_t i = 0; ok && i < panel->line_count; ++i) {
        add_dots(w, panel, &panel->lines[i]);
    }
    return ok;
}

static void add_head(Writer* w)
{
    const GtiPlotLayout* layout = w->layout;
    add(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    add_attribute(w, "width", layout->width);
    add_attribute(w, "height", layout->height);
    add_point(w, " viewBox=\"0 0 ", layout->width, layout->height);
    add(w, "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\"");
    add_attribute(w, "font-size", GTI_PLOT_FONT);
    add(w, " fill=\"#333333\">\n<title>");
    gti_text_add_markup(&w->text, w->def->title ? w->def->title : "Curves over time");
    add(w, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n");
    if (layout->title) {
        add(w, "<g font-weight=\"bold\"");
        add_attribute(w, "font-size", GTI_PLOT_TITLE_FONT);
        add(w, ">");
        add_text(w, layout->left, 1.5 * GTI_PLOT_TITLE_FONT, GTI_PLOT_TITLE_FONT, layout->title);
        add(w, "</g>\n");
    }
}

static GtResult write_all(Writer* w, GtError* error)
{
    add_head(w);
    for (int32_t p = 0; p < w->layout->panel_count; ++p) {
        const GtiPanel* panel = &w->layout->panels[p];
        add_legend(w, panel);
        add_grid(w, panel);
        add_value_axis(w, panel);
        if (!add_curves(w, panel)) {
            return gti_out_of_memory(error);
        }
    }
    add_time_axis(w);
    add(w, "</svg>\n");
    return GT_OK;
}

GtResult gt_plot_svg(const GtContext* context, const GtPlotDef* def, GtBlob** out, GtError* error)
{
    def = def ? def : (GtPlotDef[]){ gt_default_plot_def() };
    *out = NULL;
    GtResult result = gti_plot_check(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtArena scratch = gt_arena_create(context->allocator);
    GtiPlotLayout layout;
    result = gti_plot_lay_out(&scratch, def, &layout, error);
    if (result == GT_OK) {
        Writer writer = { .text = { .arena = &arena }, .scratch = &scratch, .def = def, .layout = &layout };
        result = write_all(&writer, error);
        if (result == GT_OK) {
            result = gti_plot_finish(context, &writer.text, out, error);
        }
    }
    gt_arena_destroy(&scratch);
    gt_arena_destroy(&arena);
    return result;
}
