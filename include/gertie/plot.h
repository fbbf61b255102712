// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: plots over time.
///
/// Plots: any channel of a clip, and what follows from it where joints go, sampled over time, measured, drawn as SVG or
/// written as CSV. (A curve through keys that is evaluated while a character plays is a GtCurve, gertie/curve.h.)
///
/// A series is named by an address as in gertie/channel.h: `leftFoot.translation.y`, `hips.rotation`, `morph:jawOpen`.
/// A joint that no node is named after is looked up in the humanoid vocabulary, in any skeleton that can be mapped.
/// Four more properties of a joint or node are derived from the whole pose:
/// - `leftFoot.position`: where it is in model space, in metres; x, y, z
/// - `leftFoot.velocity`: how that changes, in metres a second; x, y, z
/// - `leftFoot.speed`: the length of the velocity
/// - `leftUpperArm.angle`: the angle of its rotation away from rest, 0 to 180 degrees: plots are pages for people
///
/// An address without a component gives one series for each component. Velocities are differences over one frame of the
/// clip (1/60 s where its keys are sparse) to both sides, and to one side at its ends. Quaternions take the sign
/// nearest to the sample before.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_PLOT_H
#define GERTIE_PLOT_H

#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// What a series measures. Series of one quantity share a panel of a plot.
typedef enum GtQuantity {
    GT_QUANTITY_TRANSLATION,        ///< metres, from the parent
    GT_QUANTITY_SCALED_TRANSLATION, ///< likewise, in units of a parent that is scaled
    GT_QUANTITY_POSITION,           ///< metres, in model space
    GT_QUANTITY_SPEED,              ///< metres a second
    GT_QUANTITY_ANGLE,              ///< degrees
    GT_QUANTITY_ROTATION,           ///< components of a unit quaternion
    GT_QUANTITY_SCALE,              ///< factors
    GT_QUANTITY_WEIGHT,             ///< of morph targets
    GT_QUANTITY_COUNT
} GtQuantity;

/// "translation", "scaled translation", "position", "speed", "angle", "rotation", "scale", "weight".
GT_API const char* gt_quantity_name(GtQuantity quantity);

/// "m", "parent's units", "m", "m/s", "degrees", or "" for pure numbers.
GT_API const char* gt_quantity_unit(GtQuantity quantity);

/// A number sampled over time. Everything in it is finite.
typedef struct GtPlotSeries {
    const char* address;  ///< with its component: "leftFoot.position.y"
    const char* property; ///< what the axis is called: "position"
    GtQuantity quantity;
    int32_t sample_count;
    const double* times_s; ///< [sample_count] strictly increasing
    const float* values;   ///< [sample_count]
    int32_t key_count;
    const double* key_times_s; ///< [key_count] keys of the channel itself within these times; none for what is derived
                               ///< from several channels
    int32_t dropped_count;     ///< samples left out because they were not finite
    double min, max;
    double mean; ///< over time, however the samples lie
} GtPlotSeries;

/// Series of one clip; free with gt_plot_series_set_destroy(). Immutable.
typedef struct GtPlotSeriesSet {
    const GtPlotSeries* series; ///< [count]
    int32_t count;
    double start_s, end_s; ///< range of the samples
    GtArena arena;         ///< private
} GtPlotSeriesSet;

/// Which clip to sample, and when. Start from gt_default_plot_series_def().
typedef struct GtPlotSeriesDef {
    int32_t animation;    ///< of the scene
    double from_s, to_s;  ///< NAN for the clip's own start (after a T-pose that is not part of the motion) and end
    double frame_rate_hz; ///< of even samples; 0 for the clip's own keys, and between them where they are far apart
} GtPlotSeriesDef;

GT_API GtPlotSeriesDef gt_default_plot_series_def(void);

/// Its fields, for options and manuals (gertie/field.h).
GT_API const GtFieldTable* gt_plot_series_def_fields(void);

/// Most samples of a series.
#define GT_PLOT_SERIES_MAX_SAMPLES (1 << 20)

/// Check whether an address names a channel or a derived property of this scene.
/// @param error  says what is wrong, and what is near
GT_API GtResult gt_plot_series_check(const GtContext* context, const GtScene* scene, const char* address,
                                     GtError* error);

/// Sample series of a validated scene.
/// @param addresses  [address_count]
/// @param out        receives the series in the order of the addresses, or NULL on failure
GT_API GtResult gt_plot_series_sample(const GtContext* context, const GtScene* scene, const char* const* addresses,
                                      int32_t address_count, const GtPlotSeriesDef* def, GtPlotSeriesSet** out,
                                      GtError* error);

/// Free series; `set` may be NULL.
GT_API void gt_plot_series_set_destroy(GtPlotSeriesSet* set);

/// A series as it is drawn.
typedef struct GtPlotLine {
    const GtPlotSeries* series;
    const char* label; ///< in the legend; NULL for the address of the series
    int32_t group;     ///< 0 and up: lines that belong together, such as those of one file, look alike in a panel
} GtPlotLine;

/// What a plot shows. Start from gt_default_plot_def().
typedef struct GtPlotDef {
    const char* title; ///< or NULL
    int32_t width;     ///< pixels, GT_PLOT_MIN_WIDTH to GT_PLOT_MAX_SIZE
    int32_t height;    ///< pixels up to GT_PLOT_MAX_SIZE, or 0 for as much as the panels need
    const GtPlotLine* lines;
    int32_t line_count; ///< 1 or more
} GtPlotDef;

#define GT_PLOT_MIN_WIDTH 240
#define GT_PLOT_MAX_SIZE  16384

GT_API GtPlotDef gt_default_plot_def(void);

/// Its fields, for options and manuals (gertie/field.h).
GT_API const GtFieldTable* gt_plot_def_fields(void);

/// Draw lines as SVG: a panel for each quantity, one above the other over the same time axis, with ticks at 1, 2 or 5
/// times a power of ten, units, and a legend in colours that the colour-blind can tell apart (Okabe and Ito). Lines are
/// simplified by less than half a pixel. Where keys are few they are marked. The same series give the same bytes.
/// @param out  receives the text; release with gt_blob_release()
GT_API GtResult gt_plot_svg(const GtContext* context, const GtPlotDef* def, GtBlob** out, GtError* error);

/// Write series as comma-separated values (RFC 4180, lines end in LF): a column of times, and one for each series,
/// which is empty where that series has no sample. Numbers read back exactly.
/// @param out  receives the text; release with gt_blob_release()
GT_API GtResult gt_plot_csv(const GtContext* context, const GtPlotDef* def, GtBlob** out, GtError* error);

/// Write a plot as a file that appears whole or not at all: `.svg` or `.csv`, told by the ending of `path`.
GT_API GtResult gt_plot_save(const GtContext* context, const GtPlotDef* def, const char* path, GtError* error);

GT_EXTERN_C_END

#endif
