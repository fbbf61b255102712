// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Plots for the page of a measured clip: lines over time with the contacts of the feet shaded behind them. A line has
// at most two points a pixel column, its lowest and its highest, so that no peak is lost and a page stays small.

#include "report/measure_parts.h"

#include <math.h>

enum {
    WIDTH = 920,
    HEIGHT = 170,
    LEFT = 56,
    RIGHT = 12,
    TOP = 10,
    BOTTOM = 24,
    MOST_TICKS = 12
};

// A line of a plot.
typedef struct Line {
    const float* values; // [frame_count], or NULL
    const char* label;
    const char* color;
    double scale; // into the plot's unit
} Line;

typedef struct Plot {
    const char* title;
    const char* unit;
    Line lines[4];
    unsigned shaded; // contact bits that are shaded
    bool from_zero;
} Plot;

// The plot's place in time and value.
typedef struct Frame {
    double start_s, end_s, low, high;
} Frame;

static const char* const left_color = "#0072b2";
static const char* const right_color = "#d55e00";

static double x_of(const Frame* frame, double time_s)
{
    double span = frame->end_s > frame->start_s ? frame->end_s - frame->start_s : 1.0;
    return LEFT + (WIDTH - LEFT - RIGHT) * (time_s - frame->start_s) / span;
}

static double y_of(const Frame* frame, double value)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (frame->high - value) / (frame->high - frame->low);
}

// 1, 2 or 5 times a power of ten, so that there are some five steps.
static double nice_step(double span)
{
    double rough = span / 5.0;
    double power = pow(10.0, floor(log10(rough)));
    double lead = rough / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

static bool find_range(const GtMeasure* m, const Plot* plot, Frame* frame)
{
    frame->start_s = m->start_s;
    frame->end_s = m->end_s;
    frame->low = plot->from_zero ? 0.0 : INFINITY;
    frame->high = -INFINITY;
    for (int i = 0; i < 4; ++i) {
        for (int32_t f = 0; plot->lines[i].values && f < m->frame_count; ++f) {
            double value = plot->lines[i].scale * (double)plot->lines[i].values[f];
            if (isfinite(value)) {
                frame->low = fmin(frame->low, value);
                frame->high = fmax(frame->high, value);
            }
        }
    }
    if (!(frame->high >= frame->low)) {
        return false;
    }
    double room = fmax(0.06 * (frame->high - frame->low), 1e-3);
    frame->high += room;
    frame->low -= plot->from_zero ? 0.0 : room;
    return true;
}

static void add_shades(GtText* text, const GtMeasure* m, const Plot* plot, const Frame* frame)
{
    double step_s = m->rate_hz > 0.0 ? 1.0 / m->rate_hz : 0.0;
    for (int side = 0; side < 2; ++side) {
        unsigned bits = plot->shaded & 3u << 2 * side;
        for (int32_t f = 0, end; bits && m->contacts && f < m->frame_count; f = end + 1) {
            end = f;
            while (end < m->frame_count && m->contacts[end] & bits) {
                ++end;
            }
            if (end > f) {
                double x = x_of(frame, m->start_s + f * step_s);
                double half = 0.5 * (HEIGHT - TOP - BOTTOM);
                gt_text_addf(text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"c%d\"/>", x,
                             TOP + side * half, fmax(x_of(frame, m->start_s + end * step_s) - x, 1.0), half, side);
            }
        }
    }
}

static void add_axes(GtText* text, const Frame* frame)
{
    double step = nice_step(frame->high - frame->low);
    int count = 0;
    for (double v = ceil(frame->low / step) * step; v <= frame->high && count < MOST_TICKS; v += step, ++count) {
        double y = y_of(frame, v);
        gt_text_addf(text, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"g\"/>", LEFT, y, WIDTH - RIGHT,
                     y);
        gt_text_addf(text, "<text x=\"%d\" y=\"%.1f\" class=\"ty\">%.4g</text>", LEFT - 6, y + 4.0,
                     fabs(v) < 1e-9 * step ? 0.0 : v);
    }
    double span = frame->end_s - frame->start_s;
    double time_step = span > 0.0 ? nice_step(span) : 1.0;
    count = 0;
    for (double t = ceil(frame->start_s / time_step) * time_step; t <= frame->end_s && count < MOST_TICKS;
         t += time_step, ++count) {
        gt_text_addf(text, "<text x=\"%.1f\" y=\"%d\" class=\"tx\">%.4g s</text>", x_of(frame, t), HEIGHT - 8, t);
    }
}

static void add_line(GtText* text, const GtMeasure* m, const Line* line, const Frame* frame)
{
    double step_s = m->rate_hz > 0.0 ? 1.0 / m->rate_hz : 0.0;
    int32_t stride = m->frame_count / (WIDTH - LEFT - RIGHT) + 1;
    gt_text_addf(text, "<polyline stroke=\"%s\" points=\"", line->color);
    for (int32_t f = 0; f < m->frame_count; f += stride) {
        int32_t low = f;
        int32_t high = f;
        for (int32_t k = f; k < f + stride && k < m->frame_count; ++k) {
            low = line->values[k] < line->values[low] ? k : low;
            high = line->values[k] > line->values[high] ? k : high;
        }
        const int32_t ends[2] = { low < high ? low : high, low < high ? high : low };
        for (int e = 0; e < (low == high ? 1 : 2); ++e) {
            double value = line->scale * (double)line->values[ends[e]];
            if (isfinite(value)) {
                gt_text_addf(text, "%.1f,%.1f ", x_of(frame, m->start_s + ends[e] * step_s), y_of(frame, value));
            }
        }
    }
    gt_text_adds(text, "\"/>");
}

static void add_plot(GtText* text, const GtMeasure* m, const Plot* plot)
{
    Frame frame;
    if (!find_range(m, plot, &frame)) {
        return;
    }
    gt_text_addf(text, "<figure><figcaption><b>%s</b>, %s", plot->title, plot->unit);
    for (int i = 0; i < 4; ++i) {
        if (plot->lines[i].values && plot->lines[i].label) {
            gt_text_addf(text, " <span class=\"k\" style=\"color:%s\">&#9644; %s</span>", plot->lines[i].color,
                         plot->lines[i].label);
        }
    }
    gt_text_addf(text, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT,
                 plot->title);
    add_shades(text, m, plot, &frame);
    add_axes(text, &frame);
    for (int i = 0; i < 4; ++i) {
        if (plot->lines[i].values) {
            add_line(text, m, &plot->lines[i], &frame);
        }
    }
    gt_text_adds(text, "</svg></figure>\n");
}

void gti_measure_add_plots(GtText* text, const GtMeasure* m)
{
    const Plot plots[] = {
        { .title = "How far joints point away from the source, mean",
          .unit = "degrees",
          .lines = { { m->series[GT_SERIES_DIRECTION], NULL, left_color, gt_degrees(1.0) } },
          .from_zero = true },
        { .title = "Lowest point of the soles above the ground; contacts shaded",
          .unit = "mm",
          .lines = { { m->series[GT_SERIES_LEFT_SOLE], "left", left_color, 1000.0 },
                     { m->series[GT_SERIES_RIGHT_SOLE], "right", right_color, 1000.0 } },
          .shaded = 15u },
        { .title = "Speed at which the point of contact slides",
          .unit = "mm/s",
          .lines = { { m->series[GT_SERIES_LEFT_SLIP], "left", left_color, 1000.0 },
                     { m->series[GT_SERIES_RIGHT_SLIP], "right", right_color, 1000.0 } },
          .shaded = 15u,
          .from_zero = true },
        { .title = "Acceleration of the left knee",
          .unit = "°/s²",
          .lines = { { m->series[GT_SERIES_SOURCE_LEFT_KNEE], "source", "#999999", gt_degrees(1.0) },
                     { m->series[GT_SERIES_LEFT_KNEE], "this", left_color, gt_degrees(1.0) } } },
        { .title = "Acceleration of the right knee",
          .unit = "°/s²",
          .lines = { { m->series[GT_SERIES_SOURCE_RIGHT_KNEE], "source", "#999999", gt_degrees(1.0) },
                     { m->series[GT_SERIES_RIGHT_KNEE], "this", right_color, gt_degrees(1.0) } } },
        { .title = "Centre of mass above the ground; contacts shaded",
          .unit = "m",
          .lines = { { m->series[GT_SERIES_CENTER], NULL, "#009e73", 1.0 } },
          .shaded = 15u },
    };
    for (size_t i = 0; i < sizeof plots / sizeof plots[0]; ++i) {
        add_plot(text, m, &plots[i]);
    }
}
