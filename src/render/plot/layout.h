// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where everything in a plot goes, before anything is written. From top to bottom: title, then for each quantity a
// legend and the area of its lines, then the time axis, which all of them share.

#ifndef GERTIE_RENDER_PLOT_LAYOUT_H
#define GERTIE_RENDER_PLOT_LAYOUT_H

#include "gertie/picture.h"
#include "gertie/plot.h"
#include "render/plot/scale.h"

// Sizes in pixels that layout and writing share.
enum {
    GTI_PLOT_TITLE_FONT = 16,
    GTI_PLOT_FONT = 12,
    GTI_PLOT_ROW = 19,    // of a legend
    GTI_PLOT_SWATCH = 22, // the bit of line before a name in it
    GTI_PLOT_SPACE = 6,
};

enum {
    GTI_PLOT_COLOURS = GT_SERIES_COLORS,
    GTI_PLOT_DASHES = 4,
};

// A line in a panel.
typedef struct GtiPanelLine {
    int32_t index; // into the def's lines
    int32_t colour, dash;
} GtiPanelLine;

// A name in a legend.
typedef struct GtiLegendEntry {
    const char* text;
    double x, y;  // of the swatch's start, on the middle of the row
    int32_t line; // of the panel, or GT_NONE for "and 3 more"
} GtiLegendEntry;

typedef struct GtiPanel {
    GtQuantity quantity;
    GtiPanelLine* lines; // [line_count]
    int32_t line_count;
    GtiScale scale;
    const char* axis; // "position (m)"
    GtiLegendEntry* entries;
    int32_t entry_count;
    double legend_height;
    double top, height; // of the area
} GtiPanel;

typedef struct GtiPlotLayout {
    double width, height;
    const char* title; // cut to fit, or NULL
    const char* time_axis;
    double left, right; // of the areas
    GtiScale time;
    GtiPanel panels[GT_QUANTITY_COUNT];
    int32_t panel_count;
} GtiPlotLayout;

// Lay out a checked def; texts and arrays go to `arena`.
GtResult gti_plot_lay_out(GtArena* arena, const GtPlotDef* def, GtiPlotLayout* out, GtError* error);

#endif
