// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the table, the JSON and the page of a measured clip share.

#ifndef GERTIE_REPORT_MEASURE_PARTS_H
#define GERTIE_REPORT_MEASURE_PARTS_H

#include "data/text.h"
#include "gertie/measure_report.h"

// A joint by the humanoid vocabulary, or by its node where it has no place in that; or by its node alone.
const char* gti_zone_name(const GtMeasureReport* r, const GtZoneMeasure* zone);
const char* gti_measured_node_name(const GtMeasureReport* r, int32_t node);

// Miss of the worst flight, or NAN.
double gti_worst_flight_miss_m(const GtMeasure* measure);

// Add plots of what changes over time, as SVG inside the page.
void gti_measure_add_plots(GtText* text, const GtMeasure* measure);

// Add pictures of the worst frames; where nothing can draw, a sentence that says so.
GtResult gti_measure_add_pictures(const GtContext* context, const GtMeasureReport* r, GtText* text, GtError* error);

#endif
