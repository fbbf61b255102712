// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sizes flow from the outside in: what is fixed above, below and beside comes off first, and the areas share the rest;
// or, where the height is free, each area gets its own and the plot is as high as all of it.

#include "render/plot/layout.h"

#include "base/fail.h"
#include "render/plot/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    EDGE = 14,              // empty all around
    TITLE_HEIGHT = 30,      //
    AXIS_NAME_HEIGHT = 20,  // and the width of one that stands upright
    TICK_LABEL_HEIGHT = 20, //
    PANEL_GAP = 16,
    LEAST_AREA = 48,  // height of an area in which something can be seen
    MOST_ROWS = 40,   // of a legend
    ENTRY_GAP = 20,   // between names in a legend
    TICK_HEIGHT = 32, // of an area, for each tick
    TICK_GAP = 24,    // least space between labels of the time axis
};

// Height of an area where the plot may be as high as it likes: one, two, or more panels.
static const double free_heights[] = { 300.0, 220.0, 180.0 };

static const char* label_of(const GtPlotLine* line)
{
    return line->label ? line->label : line->series->address;
}

static const char* push_axis(GtArena* arena, const char* name, const GtiScale* scale, const char* unit)
{
    char power[GTI_TICK_SIZE];
    char text[256];
    gti_scale_print_power(scale, power);
    bool plain = !power[0] && !unit[0];
    int length = plain ? snprintf(text, sizeof text, "%s", name)
                       : snprintf(text, sizeof text, "%s (%s%s%s)", name, power, power[0] && unit[0] ? " " : "", unit);
    return gt_arena_push_text(arena, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

// Where no group has more than one line, each line has a colour of its own. Else each line of a group has a colour, and
// each group a dash, as far as there are dashes. Colours that are used up come again with another dash.
static void style_panel(const GtPlotDef* def, GtiPanel* panel)
{
    int32_t last_group = 0;
    int32_t most_in_group = 0;
    for (int32_t i = 0; i < panel->line_count; ++i) {
        int32_t group = def->lines[panel->lines[i].index].group;
        int32_t before = 0; // lines of the same group
        for (int32_t j = 0; j < i; ++j) {
            before += def->lines[panel->lines[j].index].group == group;
        }
        panel->lines[i].colour = before;
        last_group = group > last_group ? group : last_group;
        most_in_group = before + 1 > most_in_group ? before + 1 : most_in_group;
    }
    bool by_group = most_in_group > 1 && most_in_group <= GTI_PLOT_COLOURS && last_group < GTI_PLOT_DASHES;
    for (int32_t i = 0; i < panel->line_count; ++i) {
        GtiPanelLine* line = &panel->lines[i];
        line->dash = by_group ? def->lines[line->index].group : i / GTI_PLOT_COLOURS % GTI_PLOT_DASHES;
        line->colour = by_group ? line->colour : i % GTI_PLOT_COLOURS;
    }
}

static GtResult make_panels(GtArena* arena, const GtPlotDef* def, GtiPlotLayout* out, GtError* error)
{
    int32_t places[GT_QUANTITY_COUNT];
    for (int q = 0; q < GT_QUANTITY_COUNT; ++q) {
        places[q] = GT_NONE;
    }
    for (int32_t i = 0; i < def->line_count; ++i) {
        GtQuantity quantity = def->lines[i].series->quantity;
        if (places[quantity] == GT_NONE) {
            GtiPanel* panel = &out->panels[out->panel_count];
            places[quantity] = out->panel_count++;
            *panel = (GtiPanel){ .quantity = quantity };
            panel->lines = gt_arena_push_array(arena, (size_t)def->line_count, sizeof *panel->lines);
            panel->entries = gt_arena_push_array(arena, (size_t)def->line_count, sizeof *panel->entries);
            if (!panel->lines || !panel->entries) {
                return gti_out_of_memory(error);
            }
        }
        GtiPanel* panel = &out->panels[places[quantity]];
        panel->lines[panel->line_count++].index = i;
    }
    for (int32_t p = 0; p < out->panel_count; ++p) {
        style_panel(def, &out->panels[p]);
    }
    return GT_OK;
}

// The range of a panel's values, and what its axis is called.
static GtResult scale_panel(GtArena* arena, const GtPlotDef* def, GtiPanel* panel, GtError* error)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    const char* name = NULL;
    for (int32_t i = 0; i < panel->line_count; ++i) {
        const GtPlotSeries* series = def->lines[panel->lines[i].index].series;
        for (int32_t t = 0; t < series->sample_count; ++t) {
            low = fmin(low, (double)series->values[t]);
            high = fmax(high, (double)series->values[t]);
        }
        const char* property = series->property ? series->property : gt_quantity_name(panel->quantity);
        name = !name || strcmp(name, property) == 0 ? property : gt_quantity_name(panel->quantity);
    }
    panel->scale = gti_scale_of_values(low, high);
    gti_scale_choose_ticks(&panel->scale, panel->height / TICK_HEIGHT);
    panel->axis = push_axis(arena, name, &panel->scale, gt_quantity_unit(panel->quantity));
    return panel->axis ? GT_OK : gti_out_of_memory(error);
}

// Let names flow from left to right in rows. Past `most_rows` the last place says how many more there are.
static GtResult flow_legend(GtArena* arena, const GtPlotDef* def, const GtiPlotLayout* layout, GtiPanel* panel,
                            int32_t most_rows, GtError* error)
{
    double x = layout->left;
    int32_t row = 0;
    panel->entry_count = 0;
    for (int32_t i = 0; i < panel->line_count; ++i) {
        double before = GTI_PLOT_SWATCH + GTI_PLOT_SPACE;
        const char* text = gti_label_fit(arena, label_of(&def->lines[panel->lines[i].index]), GTI_PLOT_FONT,
                                         layout->right - layout->left - before);
        if (!text) {
            return gti_out_of_memory(error);
        }
        double width = before + gti_label_width(text, GTI_PLOT_FONT);
        if (x > layout->left && x + width > layout->right) {
            x = layout->left;
            ++row;
        }
        if (row == most_rows) {
            GtiLegendEntry* last = &panel->entries[panel->entry_count - 1];
            char more[48];
            snprintf(more, sizeof more, "and %d more", (int)(panel->line_count - panel->entry_count + 1));
            last->text = gt_arena_push_text(arena, more, strlen(more));
            last->line = GT_NONE;
            row = most_rows - 1;
            if (!last->text) {
                return gti_out_of_memory(error);
            }
            break;
        }
        panel->entries[panel->entry_count++] =
            (GtiLegendEntry){ .text = text, .x = x, .y = (row + 0.5) * GTI_PLOT_ROW, .line = i };
        x += width + ENTRY_GAP;
    }
    panel->legend_height = (row + 1) * GTI_PLOT_ROW + GTI_PLOT_SPACE;
    return GT_OK;
}

// Legends and heights. How wide the labels on the left are is not known yet, only guessed.
static GtResult stack_panels(GtArena* arena, const GtPlotDef* def, GtiPlotLayout* out, GtError* error)
{
    double top = EDGE + (def->title ? TITLE_HEIGHT : 0);
    double bottom = TICK_LABEL_HEIGHT + AXIS_NAME_HEIGHT + EDGE;
    double fixed = top + bottom + PANEL_GAP * (out->panel_count - 1);
    double share = (def->height - fixed) / out->panel_count;
    int32_t most_rows = def->height ? (int32_t)(0.4 * share / GTI_PLOT_ROW) : MOST_ROWS;
    most_rows = most_rows < 1 ? 1 : most_rows > MOST_ROWS ? MOST_ROWS : most_rows;
    double legends = 0.0;
    for (int32_t p = 0; p < out->panel_count; ++p) {
        GtResult result = flow_legend(arena, def, out, &out->panels[p], most_rows, error);
        if (result != GT_OK) {
            return result;
        }
        legends += out->panels[p].legend_height;
    }
    double area = def->height ? floor((def->height - fixed - legends) / out->panel_count)
                              : free_heights[out->panel_count < 3 ? out->panel_count - 1 : 2];
    if (area < LEAST_AREA) {
        double least = fixed + legends + LEAST_AREA * out->panel_count;
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "%d pixels of height are too few for %d panel%s; make it %.0f or more", (int)def->height,
                        (int)out->panel_count, out->panel_count == 1 ? "" : "s", ceil(least));
    }
    for (int32_t p = 0; p < out->panel_count; ++p) {
        GtiPanel* panel = &out->panels[p];
        for (int32_t i = 0; i < panel->entry_count; ++i) {
            panel->entries[i].y += top;
        }
        panel->top = top + panel->legend_height;
        panel->height = area;
        top = panel->top + area + PANEL_GAP;
    }
    out->height = def->height ? def->height : top - PANEL_GAP + bottom;
    return GT_OK;
}

static double widest_label(const GtiScale* scale)
{
    double widest = 0.0;
    for (int64_t tick = scale->first; tick <= scale->last; ++tick) {
        char label[GTI_TICK_SIZE];
        gti_scale_print(scale, tick, label);
        widest = fmax(widest, gti_label_width(label, GTI_PLOT_FONT));
    }
    return widest;
}

// As many ticks as their labels have room for.
static GtResult scale_time(GtArena* arena, const GtPlotDef* def, GtiPlotLayout* out, GtError* error)
{
    double from_s = HUGE_VAL;
    double to_s = -HUGE_VAL;
    for (int32_t i = 0; i < def->line_count; ++i) {
        const GtPlotSeries* series = def->lines[i].series;
        from_s = fmin(from_s, series->times_s[0]);
        to_s = fmax(to_s, series->times_s[series->sample_count - 1]);
    }
    double width = out->right - out->left;
    double most = width / (2.0 * TICK_GAP);
    out->time = gti_scale_of_time(from_s, to_s);
    do {
        most *= 0.8;
        gti_scale_choose_ticks(&out->time, most);
    } while (most > 1.0 && (widest_label(&out->time) + TICK_GAP) * (double)(out->time.last - out->time.first) > width);
    out->right = fmin(out->right, floor(out->width - 0.5 * widest_label(&out->time) - GTI_PLOT_SPACE));
    out->time_axis = push_axis(arena, "time", &out->time, "s");
    return out->time_axis ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_plot_lay_out(GtArena* arena, const GtPlotDef* def, GtiPlotLayout* out, GtError* error)
{
    *out = (GtiPlotLayout){ .width = def->width };
    out->left = EDGE + AXIS_NAME_HEIGHT;
    out->right = def->width - EDGE - GTI_PLOT_SPACE;
    GtResult result = make_panels(arena, def, out, error);
    // Labels decide how far to the right the areas begin, that decides how legends flow, and that how many labels there
    // are. Two rounds settle it: in the second the areas begin where the labels of the first asked for.
    for (int round = 0; result == GT_OK && round < 2; ++round) {
        double widest = 0.0;
        result = stack_panels(arena, def, out, error);
        for (int32_t p = 0; result == GT_OK && p < out->panel_count; ++p) {
            result = scale_panel(arena, def, &out->panels[p], error);
            widest = fmax(widest, widest_label(&out->panels[p].scale));
        }
        if (round == 0) {
            out->left = ceil(fmin(EDGE + AXIS_NAME_HEIGHT + widest + GTI_PLOT_SPACE, 0.5 * def->width));
        }
    }
    if (result == GT_OK) {
        result = scale_time(arena, def, out, error);
    }
    if (result == GT_OK && def->title) {
        out->title = gti_label_fit(arena, def->title, GTI_PLOT_TITLE_FONT, out->right - EDGE);
        result = out->title ? GT_OK : gti_out_of_memory(error);
    }
    return result;
}
