// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a plot must be, and into which file it goes.

#include "render/plot/plot.h"

#include "base/fail.h"
#include "data/files.h"

#include <float.h>
#include <math.h>
#include <string.h>

GtPlotDef gt_default_plot_def(void)
{
    return (GtPlotDef){ .width = 960 };
}

static GtResult check_series(const GtPlotSeries* series, int32_t index, GtError* error)
{
    if ((unsigned)series->quantity >= GT_QUANTITY_COUNT || series->sample_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "curve %d '%.80s' has %d samples of quantity %d", (int)index,
                        series->address, (int)series->sample_count, (int)series->quantity);
    }
    for (int32_t t = 0; t < series->sample_count; ++t) {
        bool in_order = t == 0 || series->times_s[t] > series->times_s[t - 1];
        if (!(isfinite(series->values[t]) && fabs(series->times_s[t]) <= FLT_MAX && in_order)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "curve %d '%.80s': sample %d, %g at %g s, %s", (int)index,
                            series->address, (int)t, (double)series->values[t], series->times_s[t],
                            in_order ? "is not finite" : "is not later than the one before");
        }
    }
    return GT_OK;
}

GtResult gti_plot_check(const GtPlotDef* def, GtError* error)
{
    if (def->width < GT_PLOT_MIN_WIDTH || def->width > GT_PLOT_MAX_SIZE || def->height < 0 ||
        def->height > GT_PLOT_MAX_SIZE) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a plot of %d x %d pixels is out of range: %d to %d wide, up to %d high", (int)def->width,
                        (int)def->height, GT_PLOT_MIN_WIDTH, GT_PLOT_MAX_SIZE, GT_PLOT_MAX_SIZE);
    }
    if (def->line_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a plot needs a curve");
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; result == GT_OK && i < def->line_count; ++i) {
        result = check_series(def->lines[i].series, i, error);
    }
    return result;
}

GtResult gti_plot_finish(const GtContext* context, GtText* text, GtBlob** out, GtError* error)
{
    uint8_t* bytes = NULL;
    const char* finished = gt_text_finish(text);
    *out = finished ? gt_blob_create(context->allocator, text->size, &bytes) : NULL;
    if (!*out) {
        return gti_out_of_memory(error);
    }
    memcpy(bytes, finished, text->size);
    return GT_OK;
}

GtResult gt_plot_save(const GtContext* context, const GtPlotDef* def, const char* path, GtError* error)
{
    bool is_csv = gti_path_has_extension(path, "csv");
    if (!is_csv && !gti_path_has_extension(path, "svg")) {
        gti_fail(error, GT_ERROR_UNSUPPORTED, "a plot is written as .svg or .csv, told by the ending");
        gti_error_set_file(error, path);
        return GT_ERROR_UNSUPPORTED;
    }
    GtBlob* blob = NULL;
    GtResult result = (is_csv ? gt_plot_csv : gt_plot_svg)(context, def, &blob, error);
    if (result == GT_OK) {
        GtiSpan span = { gt_blob_bytes(blob), gt_blob_size(blob) };
        result = gti_file_write(context, path, &span, 1, error);
    }
    gt_blob_release(blob);
    return result;
}
