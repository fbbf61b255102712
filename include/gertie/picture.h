// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: pictures and what is drawn on them.
///
/// Pictures in memory and as PNG files, and what is written and drawn on them: text, boxes, legends, contact sheets.
/// Drawing stays inside the picture, whatever the coordinates.
///
/// **Threads.** A picture is one thread's while it changes.

#ifndef GERTIE_PICTURE_H
#define GERTIE_PICTURE_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Largest width and height of a picture.
#define GT_PICTURE_MAX_SIZE 32768

/// sRGB, alpha straight.
typedef struct GtColor {
    uint8_t r, g, b, a;
} GtColor;

/// Read "#rgb", "#rrggbb", "#rrggbbaa" or a name such as "white" or "navy", in any case.
/// @return false, with *out untouched, where it is none
GT_API bool gt_color_parse(const char* text, GtColor* out);

/// A picture. Rows start at the top left.
typedef struct GtPicture {
    int32_t width, height;
    uint8_t* rgba;         ///< [height * width * 4] sRGB, alpha straight
    GtAllocator allocator; ///< private: of gt_picture_create(); zeros for pixels of the caller's
} GtPicture;

/// Make a picture, all transparent.
/// @param out  receives the picture, empty on failure; free with gt_picture_destroy()
GT_API GtResult gt_picture_create(GtAllocator allocator, int32_t width, int32_t height, GtPicture* out, GtError* error);

/// Free the pixels of a picture; it is empty afterwards. Pixels of the caller's stay. `picture` may be NULL.
GT_API void gt_picture_destroy(GtPicture* picture);

/// Write a picture as PNG; it appears whole or not at all. The same picture gives the same bytes.
GT_API GtResult gt_picture_write_png(const GtContext* context, const GtPicture* picture, const char* path,
                                     GtError* error);

/// The same bytes in memory.
/// @param out  receives them; release with gt_blob_release()
GT_API GtResult gt_picture_encode_png(const GtContext* context, const GtPicture* picture, GtBlob** out, GtError* error);

/// Read a PNG, JPEG, TGA or BMP.
/// @param out  receives the picture, empty on failure; free with gt_picture_destroy()
GT_API GtResult gt_picture_read(const GtContext* context, const char* path, GtPicture* out, GtError* error);

/// Lay `source` over a picture with its top left corner at (x, y).
GT_API void gt_picture_blit(GtPicture* picture, int32_t x, int32_t y, const GtPicture* source);

/// Pixels from (x, y) on.
typedef struct GtBox {
    int32_t x, y, width, height;
} GtBox;

/// Lay a colour over a box.
GT_API void gt_picture_fill(GtPicture* picture, GtBox box, GtColor color);

/// Draw the edge of a box, `thickness` pixels inwards.
GT_API void gt_picture_outline(GtPicture* picture, GtBox box, int32_t thickness, GtColor color);

/// Which point of a text its position is.
typedef enum GtTextAlign {
    GT_TEXT_LEFT,
    GT_TEXT_CENTER,
    GT_TEXT_RIGHT,
} GtTextAlign;

/// How text is written. Start from gt_default_text_style().
typedef struct GtTextStyle {
    float size_px; ///< an em; capitals are 0.7 of it
    GtColor color;
    GtColor halo; ///< around the letters, so that they can be read on any ground; alpha 0 for none
    GtTextAlign align;
} GtTextStyle;

GT_API GtTextStyle gt_default_text_style(void);

/// How far a line of text reaches, in pixels. Bytes that are no UTF-8 count as a box each, as characters do that the
/// built-in font lacks: it has ASCII and a few signs.
GT_API float gt_text_width(const char* text, float size_px);

/// Write one line of text, with its baseline at (x, y).
GT_API void gt_picture_text(GtPicture* picture, float x, float y, const char* text, const GtTextStyle* style);

/// Shorten text in its middle until it fits into `width_px`.
/// @param out  [out_size] receives the text, cut at whole characters
GT_API void gt_text_fit(const char* text, float size_px, float width_px, char* out, size_t out_size);

/// The colours that stand for numbers wherever the renderer paints numbers: viridis, which keeps its order for the
/// colour-blind and in print.
/// @param value  0 to 1; beyond them, the end's colour; NaN is grey
GT_API GtColor gt_color_map(float value);

/// How many colours gt_color_of_series() has before they repeat.
#define GT_SERIES_COLORS 7

/// Colours that stand for things, such as the curves of a plot: they can be told apart by the colour-blind, too.
GT_API GtColor gt_color_of_series(int32_t index);

/// What colours mean. Start from gt_default_legend_def().
typedef struct GtLegendDef {
    const char* title;  ///< above the bar, such as "distance (mm)"
    double low, high;   ///< numbers of its ends
    bool whole_numbers; ///< ticks at whole numbers only
    float text_px;      ///< size of the text
} GtLegendDef;

GT_API GtLegendDef gt_default_legend_def(void);

/// Draw a colour bar, its lowest number at the bottom, with ticks at round numbers. Title and numbers are in the box.
GT_API void gt_picture_legend(GtPicture* picture, GtBox box, const GtLegendDef* def);

/// Pictures in a labelled grid. Start from gt_default_sheet_def().
typedef struct GtSheetDef {
    int32_t cell_count;
    int32_t columns; ///< or 0 for a grid that is about as wide as a page
    int32_t cell_width, cell_height;
    const char* title; ///< above the grid, or ""
    GtColor background;
    GtColor ink; ///< of title and labels
} GtSheetDef;

GT_API GtSheetDef gt_default_sheet_def(void);

/// Make an empty sheet with its title.
GT_API GtResult gt_sheet_create(GtAllocator allocator, const GtSheetDef* def, GtPicture* out, GtError* error);

/// Where a cell's picture goes on the sheet.
GT_API GtBox gt_sheet_cell(const GtSheetDef* def, int32_t cell);

/// Put a picture into a cell, and a label under it.
GT_API void gt_sheet_put(GtPicture* sheet, const GtSheetDef* def, int32_t cell, const GtPicture* picture,
                         const char* label);

GT_EXTERN_C_END

#endif
