// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A plot as a table. Curves of several clips have times of their own: rows are all of them in order, and every curve
// stands at its next sample until the row of that time comes.

#include "base/fail.h"
#include "gertie/number.h"
#include "render/plot/plot.h"

#include <math.h>
#include <string.h>

// A field as RFC 4180 wants it.
static void add_field(GtText* text, const char* field, const char* unit)
{
    bool plain = !strpbrk(field, ",\"\r\n");
    gt_text_adds(text, plain ? "" : "\"");
    for (const char* at = field; *at; ++at) {
        gt_text_add(text, "\"", *at == '"' ? 1 : 0);
        gt_text_add(text, at, 1);
    }
    if (unit[0]) {
        gt_text_adds(text, " (");
        gt_text_adds(text, unit);
        gt_text_adds(text, ")");
    }
    gt_text_adds(text, plain ? "" : "\"");
}

// Key times are floats, and short as such.
static void add_time(GtText* text, double time_s)
{
    char number[GT_NUMBER_SIZE];
    bool is_float = (double)(float)time_s == time_s;
    int length = is_float ? gt_print_float((float)time_s, number) : gt_print_double(time_s, number);
    gt_text_add(text, number, (size_t)length);
}

static double next_time_s(const GtPlotDef* def, const int32_t* cursors)
{
    double next_s = HUGE_VAL;
    for (int32_t i = 0; i < def->line_count; ++i) {
        const GtPlotSeries* series = def->lines[i].series;
        if (cursors[i] < series->sample_count) {
            next_s = fmin(next_s, series->times_s[cursors[i]]);
        }
    }
    return next_s;
}

static void add_rows(GtText* text, const GtPlotDef* def, int32_t* cursors)
{
    for (;;) {
        double time_s = next_time_s(def, cursors);
        if (time_s == HUGE_VAL) {
            return;
        }
        add_time(text, time_s);
        for (int32_t i = 0; i < def->line_count; ++i) {
            const GtPlotSeries* series = def->lines[i].series;
            gt_text_adds(text, ",");
            if (cursors[i] < series->sample_count && series->times_s[cursors[i]] == time_s) {
                char number[GT_NUMBER_SIZE];
                gt_text_add(text, number, (size_t)gt_print_float(series->values[cursors[i]++], number));
            }
        }
        gt_text_adds(text, "\n");
    }
}

GtResult gt_plot_csv(const GtContext* context, const GtPlotDef* def, GtBlob** out, GtError* error)
{
    def = def ? def : (GtPlotDef[]){ gt_default_plot_def() };
    *out = NULL;
    GtResult result = gti_plot_check(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    int32_t* cursors = gt_arena_push_array(&arena, (size_t)def->line_count, sizeof *cursors);
    if (cursors) {
        GtText text = { .arena = &arena };
        gt_text_adds(&text, "time_s");
        for (int32_t i = 0; i < def->line_count; ++i) {
            const GtPlotLine* line = &def->lines[i];
            gt_text_adds(&text, ",");
            add_field(&text, line->label ? line->label : line->series->address,
                      gt_quantity_unit(line->series->quantity));
        }
        gt_text_adds(&text, "\n");
        add_rows(&text, def, cursors);
        result = gti_plot_finish(context, &text, out, error);
    } else {
        result = gti_out_of_memory(error);
    }
    gt_arena_destroy(&arena);
    return result;
}
