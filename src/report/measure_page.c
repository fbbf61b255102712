// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The page of a measured clip: one file that needs nothing else. Verdicts come first, then the worst moments, plots,
// tables.

#include "report/measure_parts.h"
#include "report/page.h"

#include <math.h>

// Up to `good` a number is good, up to `fair` it is fair.
typedef struct Scale {
    double good, fair;
} Scale;

static const char* verdict(double value, Scale scale)
{
    return isnan(value) || isinf(scale.good) ? "" : value <= scale.good ? "good" : value <= scale.fair ? "fair" : "bad";
}

static void add_tile(GtText* text, const char* label, double value, const char* format, const char* unit, Scale scale)
{
    if (isnan(value)) {
        return;
    }
    gt_text_addf(text, "<div class=\"tile\"><b class=\"%s\">", verdict(value, scale));
    gt_text_addf(text, format, value);
    gt_text_addf(text, " <small>%s</small></b><span>%s</span></div>\n", unit, label);
}

static double most(double a, double b)
{
    return fmax(a, b); // passes over NAN
}

static void add_tiles(GtText* text, const GtMeasure* m)
{
    gt_text_adds(text, "<div class=\"tiles\">\n");
    add_tile(text, "joint directions off the source, mean", gt_degrees(m->direction_mean_rad), "%.1f", "°",
             (Scale){ 3.0, 8.0 });
    if (m->is_humanoid) {
        const GtFootMeasure* l = &m->feet[0];
        const GtFootMeasure* r = &m->feet[1];
        add_tile(text, "worst foot skate", 1000.0 * most(l->skate_m, r->skate_m), "%.0f", "mm", (Scale){ 10.0, 30.0 });
        add_tile(text, "deepest sole below the ground", 1000.0 * most(l->penetration_m, r->penetration_m), "%.0f", "mm",
                 (Scale){ 5.0, 15.0 });
        add_tile(text, "highest sole above the ground in contact", 1000.0 * most(l->float_m, r->float_m), "%.0f", "mm",
                 (Scale){ 10.0, 25.0 });
        add_tile(text, "knee acceleration", most(m->knees[0].acceleration_ratio, m->knees[1].acceleration_ratio),
                 "%.2f", "× source", (Scale){ 1.25, 2.0 });
        add_tile(text, "knee jerk", most(m->knees[0].jerk_ratio, m->knees[1].jerk_ratio), "%.2f", "× source",
                 (Scale){ 1.25, 2.0 });
        add_tile(text, "flights off free fall", 1000.0 * gti_worst_flight_miss_m(m), "%.0f", "mm",
                 (Scale){ 20.0, 60.0 });
    }
    add_tile(text, "loop seam", 1000.0 * m->seam.gap_m, "%.0f", "mm", (Scale){ INFINITY, INFINITY });
    if (m->mesh_frame_count) {
        double loss = NAN;
        double flipped = 0.0;
        for (int32_t z = 0; z < m->zone_count; ++z) {
            loss = most(loss, 1.0 - m->zones[z].volume_min);
            flipped = most(flipped, m->zones[z].flipped_count);
        }
        add_tile(text, "self-penetration", 1000.0 * m->self.depth_m, "%.0f", "mm", (Scale){ 5.0, 20.0 });
        if (m->sink_count) {
            double deepest = 0.0;
            for (int32_t i = 0; i < m->sink_count; ++i) {
                deepest = most(deepest, m->sinks[i].depth_m);
            }
            add_tile(text, "body below the ground", 1000.0 * deepest, "%.0f", "mm", (Scale){ 10.0, 30.0 });
        }
        add_tile(text, "most volume lost in a zone", 100.0 * loss, "%.0f", "%", (Scale){ 10.0, 25.0 });
        add_tile(text, "inside out in a zone", flipped, "%.0f", "triangles", (Scale){ 0.0, 10.0 });
    }
    gt_text_adds(text, "</div>\n");
}

static void add_cell(GtText* text, const char* format, double value, Scale scale)
{
    if (isnan(value)) {
        gt_text_adds(text, "<td>–</td>");
        return;
    }
    gt_text_addf(text, "<td class=\"%s\">", verdict(value, scale));
    gt_text_addf(text, format, value);
    gt_text_adds(text, "</td>");
}

// A ratio is as bad as it is far from 1.
static void add_ratio(GtText* text, double value, double good, double fair)
{
    double off = fabs(value - 1.0);
    gt_text_addf(text, "<td class=\"%s\">", verdict(off, (Scale){ good, fair }));
    if (isnan(value)) {
        gt_text_adds(text, "–</td>");
    } else {
        gt_text_addf(text, "%.2f</td>", value);
    }
}

static void add_directions(GtText* text, const GtMeasure* m)
{
    const Scale mean = { 3.0, 8.0 };
    const Scale largest = { 8.0, 20.0 };
    gt_text_adds(text,
                 "<h2>Directions against the source</h2>\n<div class=\"scroll\"><table><tr><th>joint</th><th>mean, "
                 "°</th><th>largest, °</th><th>at, s</th></tr>\n");
    for (int32_t i = 0; i < m->direction_count; ++i) {
        const GtDirectionMeasure* d = &m->directions[i];
        gt_text_addf(text, "<tr><td>%s%s</td>", gt_humanoid_name(d->joint), d->by_turn ? " (rotation)" : "");
        add_cell(text, "%.1f", gt_degrees(d->mean_rad), mean);
        add_cell(text, "%.1f", gt_degrees(d->max_rad), largest);
        gt_text_addf(text, "<td>%.2f</td></tr>\n", d->max_time_s);
    }
    gt_text_adds(text, "</table></div>\n");
    if (m->flip.extra_turn_rad > 0.0) {
        gt_text_addf(
            text,
            "<p>Most that a joint rotates from a frame to the next beyond what it does in the source: %.1f°, %s at "
            "%.2f s.</p>\n",
            gt_degrees(m->flip.extra_turn_rad), gt_humanoid_name(m->flip.joint), m->flip.time_s);
    }
}

static void add_side_row(GtText* text, const char* label, const char* format, double left, double right, Scale scale)
{
    gt_text_addf(text, "<tr><td>%s</td>", label);
    add_cell(text, format, left, scale);
    add_cell(text, format, right, scale);
    gt_text_adds(text, "</tr>\n");
}

static void add_legs(GtText* text, const GtMeasure* m)
{
    const Scale none = { INFINITY, INFINITY };
    const Scale skate = { 10.0, 30.0 };
    const Scale height = { 5.0, 15.0 };
    const Scale ratio = { 1.25, 2.0 };
    const GtFootMeasure* l = &m->feet[0];
    const GtFootMeasure* r = &m->feet[1];
    const GtKneeMeasure* a = &m->knees[0];
    const GtKneeMeasure* b = &m->knees[1];
    gt_text_adds(
        text, "<h2>Feet and knees</h2>\n<div class=\"scroll\"><table><tr><th></th><th>left</th><th>right</th></tr>\n");
    add_side_row(text, "contacts", "%.0f", l->contact_count, r->contact_count, none);
    add_side_row(text, "time in contact, s", "%.2f", l->contact_s, r->contact_s, none);
    add_side_row(text, "skate, largest, mm", "%.1f", 1000.0 * l->skate_m, 1000.0 * r->skate_m, skate);
    add_side_row(text, "skate, mean, mm", "%.1f", 1000.0 * l->skate_mean_m, 1000.0 * r->skate_mean_m, skate);
    add_side_row(text, "slip in contact, mm/s", "%.1f", 1000.0 * l->slip_mps, 1000.0 * r->slip_mps, none);
    add_side_row(text, "penetration, largest, mm", "%.1f", 1000.0 * l->penetration_m, 1000.0 * r->penetration_m,
                 height);
    add_side_row(text, "penetration, mean, mm", "%.1f", 1000.0 * l->penetration_mean_m, 1000.0 * r->penetration_mean_m,
                 height);
    add_side_row(text, "float in contact, largest, mm", "%.1f", 1000.0 * l->float_m, 1000.0 * r->float_m, height);
    add_side_row(text, "float in contact, mean, mm", "%.1f", 1000.0 * l->float_mean_m, 1000.0 * r->float_mean_m,
                 height);
    add_side_row(text, "knee acceleration, °/s²", "%.0f", gt_degrees(a->acceleration_radps2),
                 gt_degrees(b->acceleration_radps2), none);
    add_side_row(text, "knee jerk, °/s³", "%.0f", gt_degrees(a->jerk_radps3), gt_degrees(b->jerk_radps3), none);
    if (m->source_is_humanoid) {
        add_side_row(text, "knee acceleration, to the source's", "%.2f", a->acceleration_ratio, b->acceleration_ratio,
                     ratio);
        add_side_row(text, "knee jerk, to the source's", "%.2f", a->jerk_ratio, b->jerk_ratio, ratio);
    }
    gt_text_adds(text, "</table></div>\n");
}

static void add_flights(GtText* text, const GtMeasure* m)
{
    gt_text_adds(text,
                 "<h2>Flights</h2>\n<div class=\"scroll\"><table><tr><th>from, s</th><th>to, s</th><th>off free fall, "
                 "mm</th><th>gravity of the path, m/s²</th></tr>\n");
    for (int32_t i = 0; i < m->flight_count; ++i) {
        const GtFlightMeasure* f = &m->flights[i];
        gt_text_addf(text, "<tr><td>%.2f</td><td>%.2f</td>", f->start_s, f->end_s);
        add_cell(text, "%.1f", 1000.0 * f->miss_m, (Scale){ 20.0, 60.0 });
        gt_text_addf(text, "<td>%.2f</td></tr>\n", f->gravity_mps2);
    }
    gt_text_adds(text, "</table></div>\n");
}

static void add_zones(GtText* text, const GtMeasureReport* r)
{
    const GtMeasure* m = r->measure;
    gt_text_addf(
        text,
        "<h2>Skin around the joints</h2>\n<p class=\"note\">The worst over %d frames, as ratios to the bind pose. "
        "Cross-section: the area of loops of skin around the bone. Bone distance: mean distance of the skin to the "
        "bone. Squeeze and stretch: singular values that 1 %% of the area goes beyond. Inside out: most triangles at "
        "once that are turned over.</p>\n"
        "<div class=\"scroll\"><table><tr><th rowspan=\"2\">zone</th><th "
        "rowspan=\"2\">triangles<small>count</small></th>"
        "<th rowspan=\"2\">volume at rest<small>litres</small></th>"
        "<th class=\"group\" colspan=\"2\">volume<small>× at rest</small></th>"
        "<th class=\"group\" colspan=\"2\">cross-section<small>× at rest</small></th>"
        "<th class=\"group\" colspan=\"2\">bone distance<small>× at rest</small></th>"
        "<th rowspan=\"2\">squeeze<small>× at rest</small></th><th rowspan=\"2\">stretch<small>× at rest</small></th>"
        "<th rowspan=\"2\">inside out<small>triangles</small></th></tr>\n"
        "<tr><th>least</th><th>most</th><th>least</th><th>most</th><th>least</th><th>most</th></tr>\n",
        (int)m->mesh_frame_count);
    for (int32_t i = 0; i < m->zone_count; ++i) {
        const GtZoneMeasure* z = &m->zones[i];
        gt_text_adds(text, "<tr><td>");
        gti_text_add_markup(text, gti_zone_name(r, z));
        gt_text_addf(text, "</td><td>%d</td><td>%.3g</td>", (int)z->triangle_count, 1000.0 * z->volume_m3);
        add_ratio(text, z->volume_min, 0.1, 0.25);
        add_ratio(text, z->volume_max, 0.1, 0.25);
        add_ratio(text, z->section_min, 0.15, 0.35);
        add_ratio(text, z->section_max, 0.3, 0.6);
        add_ratio(text, z->axis_min, 0.1, 0.25);
        add_ratio(text, z->axis_max, 0.1, 0.25);
        add_ratio(text, z->stretch_min, 0.4, 0.7);
        add_ratio(text, z->stretch_max, 0.6, 1.2);
        add_cell(text, "%.0f", z->flipped_count, (Scale){ 0.0, 10.0 });
        gt_text_adds(text, "</tr>\n");
    }
    gt_text_adds(text, "</table></div>\n");
}

static void add_head(GtText* text, const GtMeasureReport* r)
{
    const GtMeasure* measure = r->measure;
    gti_page_begin(text, "");
    gt_text_adds(text, "<title>");
    gti_text_add_markup(text, r->file);
    gt_text_adds(text, ", measured</title></head><body><main>\n<h1>");
    gti_text_add_markup(text, r->file);
    gt_text_adds(text, "</h1>\n<p class=\"sub\">clip ‘");
    gti_text_add_markup(text, r->clip_name);
    gt_text_addf(text, "’, %.2f s, %d frames", measure->end_s - measure->start_s, (int)measure->frame_count);
    if (measure->rate_hz > 0.0) {
        gt_text_addf(text, " at %.4g Hz", measure->rate_hz);
    }
    if (r->source_file) {
        gt_text_adds(text, ", against ");
        gti_text_add_markup(text, r->source_file);
    }
    gt_text_adds(text, "</p>\n");
    if (!measure->is_humanoid) {
        gt_text_adds(
            text, "<p class=\"note\">No hips and legs are known, so feet, knees and flights are not measured.</p>\n");
    }
}

static GtResult add_body(const GtContext* context, const GtMeasureReport* r, GtText* text, GtError* error)
{
    const GtMeasure* measure = r->measure;
    add_head(text, r);
    add_tiles(text, measure);
    gt_text_adds(text, "<h2>Worst moments</h2>\n");
    GtResult result = GT_OK;
    if (measure->worst_count == 0) {
        gt_text_adds(text, "<p class=\"note\">None: everything is within what an eye forgives.</p>\n");
    } else {
        result = gti_measure_add_pictures(context, r, text, error);
    }
    if (measure->is_humanoid && measure->frame_count > 1) {
        gt_text_adds(text, "<h2>Over time</h2>\n");
        gti_measure_add_plots(text, measure);
    }
    if (measure->direction_count) {
        add_directions(text, measure);
    }
    if (measure->is_humanoid) {
        add_legs(text, measure);
    }
    if (measure->flight_count) {
        add_flights(text, measure);
    }
    if (measure->mesh_frame_count) {
        add_zones(text, r);
    }
    gt_text_adds(
        text,
        "<footer>Contacts: a heel or toe slower than 0.15 m/s and less than 6 cm above the lowest that it usually "
        "is, for 80 ms or more, as gertie contacts finds them. Skate: how far the lowest point of the part that stands "
        "slides in one "
        "contact. Measured by gertie " GT_VERSION_STRING ".</footer>\n</main></body></html>\n");
    return result;
}

GtResult gt_measure_page_write(const GtContext* context, const GtMeasureReport* report, const char* path,
                               GtError* error)
{
    GtText page = { 0 };
    GtResult result = add_body(context, report, &page, error);
    result = result == GT_OK ? gti_page_write(context, &page, path, error) : result;
    gt_text_destroy(&page);
    return result;
}
