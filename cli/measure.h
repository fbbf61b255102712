// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of the verb `measure` share: one clip that was measured, as a table, as JSON and as a page.

#ifndef GERTIE_CLI_MEASURE_H
#define GERTIE_CLI_MEASURE_H

#include "session.h"

#include "gertie/measure.h"

typedef struct Measured {
    const char* file;
    const char* source_file; // or NULL
    const GtScene* scene;
    int32_t clip;
    const char* clip_name;
    const char* source_clip_name; // or NULL
    const GtMeasure* measure;
} Measured;

// Names of the sides, left first.
extern const char* const side_names[2];

// A joint as people call it: by the vocabulary, or by its node.
const char* zone_name(const Measured* m, const GtZoneMeasure* zone);
const char* joint_name(const Measured* m, int32_t node);
const char* scene_node_name(const Measured* m, int32_t node); // by its node alone

// Miss of the worst flight, or NAN.
double worst_miss_m(const GtMeasure* measure);

// The direction that is farthest off in the mean, or NULL.
const GtDirectionMeasure* worst_direction(const GtMeasure* measure);

// How bad a zone is, for putting the worst first.
double zone_badness(const GtZoneMeasure* zone);

// The worst zones first, at most `most`; returns how many.
int32_t worst_zones(const GtMeasure* measure, const GtZoneMeasure** out, int32_t most);

void measure_add_table(Text* text, const Measured* m);
void measure_report(Json* json, const Measured* m);

// Styles of the pages.
extern const char page_style[];

// Add text that may hold anything as HTML.
void html_add(Text* text, const char* untrusted);

// Plots of what changes over time, as SVG inside the page.
void measure_add_plots(Text* text, const Measured* m);

// Pictures of the worst frames; where nothing can draw, a sentence that says so.
bool measure_add_pictures(Session* session, Text* text, const Measured* m);

// The whole page.
bool measure_add_page(Session* session, Text* text, const Measured* m);

#endif
