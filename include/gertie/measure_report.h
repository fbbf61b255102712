// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: what gt_measure() found, as a table for a terminal, as JSON, and as a page with plots and pictures.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_MEASURE_REPORT_H
#define GERTIE_MEASURE_REPORT_H

#include "gertie/json_write.h"
#include "gertie/measure.h"

GT_EXTERN_C_BEGIN

/// What was measured, and how it is called in a report. Everything is the caller's.
typedef struct GtMeasureReport {
    const GtMeasure* measure;
    const GtScene* scene; ///< that was measured
    int32_t animation;    ///< of the scene
    const char* file;
    const char* clip_name;
    const char* source_file;      ///< of the motion it was made from, or NULL
    const char* source_clip_name; ///< or NULL
} GtMeasureReport;

/// Add a table for a terminal: a line for each number, the worst zones of the skin, the worst moments.
GT_API void gt_measure_table_add(GtText* text, const GtMeasureReport* report);

/// Write all numbers as members of the object that is open in `json`; what could not be measured is null.
GT_API void gt_measure_report_write(GtJsonWriter* json, const GtMeasureReport* report);

/// Write a page, one HTML file that needs nothing else: verdicts, pictures of the worst moments, plots, tables. Where
/// nothing can draw, it has no pictures, and a warning says why.
GT_API GtResult gt_measure_page_write(const GtContext* context, const GtMeasureReport* report, const char* path,
                                      GtError* error);

GT_EXTERN_C_END

#endif
