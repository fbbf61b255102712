// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/picture.h"

#include "base/fail.h"

#include <math.h>

GtSheetDef gt_default_sheet_def(void)
{
    return (GtSheetDef){
        .cell_count = 8,
        .cell_width = 480,
        .cell_height = 480,
        .title = "",
        .background = { 255, 255, 255, 255 },
        .ink = { 30, 34, 40, 255 },
    };
}

// Everything in pixels, told by the size of a cell.
typedef struct Layout {
    int32_t columns, rows;
    int32_t gap;   // between cells and around the sheet
    int32_t label; // height under a cell
    int32_t title; // height above all cells
    float label_px, title_px;
} Layout;

// Of all grids, the one nearest to a page that lies, with few empty places.
static int32_t choose_columns(const GtSheetDef* def)
{
    int32_t best = 1;
    double least = INFINITY;
    for (int32_t columns = 1; columns <= def->cell_count; ++columns) {
        int32_t rows = (def->cell_count + columns - 1) / columns;
        double aspect = (double)columns * def->cell_width / ((double)rows * def->cell_height);
        double empty = 1.0 - (double)def->cell_count / ((double)rows * columns);
        double cost = fabs(log(aspect / 1.7)) + 6.0 * empty;
        if (cost < least) {
            least = cost;
            best = columns;
        }
    }
    return best;
}

static Layout lay_out(const GtSheetDef* def)
{
    int32_t shorter = def->cell_width < def->cell_height ? def->cell_width : def->cell_height;
    Layout l = { .columns = def->columns > 0 ? def->columns : choose_columns(def) };
    l.rows = (def->cell_count + l.columns - 1) / l.columns;
    l.label_px = fminf(fmaxf((float)shorter / 20.0f, 12.0f), 60.0f);
    l.title_px = 1.4f * l.label_px;
    l.gap = (int32_t)(0.6f * l.label_px);
    l.label = (int32_t)(1.3f * l.label_px);
    l.title = def->title && def->title[0] ? (int32_t)(1.7f * l.title_px) : 0;
    return l;
}

GtResult gt_sheet_create(GtAllocator allocator, const GtSheetDef* def, GtPicture* out, GtError* error)
{
    def = def ? def : (GtSheetDef[]){ gt_default_sheet_def() };
    *out = (GtPicture){ 0 };
    if (def->cell_count < 1 || def->cell_count > 10000 || def->cell_width < 1 || def->cell_height < 1 ||
        def->cell_width > GT_PICTURE_MAX_SIZE || def->cell_height > GT_PICTURE_MAX_SIZE || def->columns > 10000) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a sheet of %d cells of %d x %d pixels cannot be made",
                        (int)def->cell_count, (int)def->cell_width, (int)def->cell_height);
    }
    Layout l = lay_out(def);
    int64_t width = l.gap + (int64_t)l.columns * (def->cell_width + l.gap);
    int64_t height = l.gap + l.title + (int64_t)l.rows * (def->cell_height + l.label + l.gap);
    if (width > GT_PICTURE_MAX_SIZE || height > GT_PICTURE_MAX_SIZE) {
        return gti_fail(error, GT_ERROR_LIMIT,
                        "%d pictures of %d x %d pixels do not fit on one sheet; make them fewer or smaller",
                        (int)def->cell_count, (int)def->cell_width, (int)def->cell_height);
    }
    GtResult result = gt_picture_create(allocator, (int32_t)width, (int32_t)height, out, error);
    if (result != GT_OK) {
        return result;
    }
    gt_picture_fill(out, (GtBox){ 0, 0, out->width, out->height }, def->background);
    if (l.title) {
        char title[1024];
        GtTextStyle style = { .size_px = l.title_px, .color = def->ink };
        gt_text_fit(def->title, l.title_px, (float)(out->width - 2 * l.gap), title, sizeof title);
        gt_picture_text(out, (float)l.gap, (float)l.gap + l.title_px, title, &style);
    }
    return GT_OK;
}

GtBox gt_sheet_cell(const GtSheetDef* def, int32_t cell)
{
    def = def ? def : (GtSheetDef[]){ gt_default_sheet_def() };
    Layout l = lay_out(def);
    return (GtBox){
        .x = l.gap + cell % l.columns * (def->cell_width + l.gap),
        .y = l.gap + l.title + cell / l.columns * (def->cell_height + l.label + l.gap),
        .width = def->cell_width,
        .height = def->cell_height,
    };
}

void gt_sheet_put(GtPicture* sheet, const GtSheetDef* def, int32_t cell, const GtPicture* picture, const char* label)
{
    def = def ? def : (GtSheetDef[]){ gt_default_sheet_def() };
    Layout l = lay_out(def);
    GtBox box = gt_sheet_cell(def, cell);
    char text[256];
    GtTextStyle style = { .size_px = l.label_px, .color = def->ink, .align = GT_TEXT_CENTER };
    gt_picture_blit(sheet, box.x, box.y, picture);
    gt_text_fit(label, l.label_px, (float)box.width, text, sizeof text);
    gt_picture_text(sheet, (float)box.x + 0.5f * (float)box.width, (float)(box.y + box.height) + 1.1f * l.label_px,
                    text, &style);
}
