// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of `measure`: one file that needs nothing else. Verdicts come first, then the worst moments, plots, tables.

#include "measure.h"

#include <math.h>
#include <string.h>

// Up to `good` a number is good, up to `fair` it is fair.
typedef struct Scale {
    double good, fair;
} Scale;

const char page_style[] =
    ":root{--ink:#1d2330;--soft:#667085;--line:#e4e7ec;--card:#fff;--page:#f5f6f8;--good:#12805c;--fair:#b25e09;"
    "--bad:#c4320a}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8eaf0;--soft:#98a2b3;--line:#313845;--card:#1c212b;--page:#12151c;"
    "--good:#4bc497;--fair:#e9a23b;--bad:#ff7a59}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,"
    "-apple-system,Segoe UI,Roboto,sans-serif}main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}"
    "h1{font-size:26px;margin:0;overflow-wrap:anywhere}h2{font-size:18px;margin:34px 0 12px}"
    "p.sub{margin:4px 0 22px;color:var(--soft)}.note{color:var(--soft)}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(158px,1fr));gap:12px}"
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}"
    ".tile b{display:block;font-size:24px;font-weight:600;font-variant-numeric:tabular-nums}"
    ".tile b small{font-size:14px;font-weight:400;color:var(--soft)}.tile span{color:var(--soft);font-size:13px}"
    ".good{color:var(--good)}.fair{color:var(--fair)}.bad{color:var(--bad)}"
    "figure{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:0 0 12px;padding:10px 12px}"
    "figcaption{font-size:14px;color:var(--soft)}figcaption b{color:var(--ink)}.k{margin-left:10px}"
    ".gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:12px}"
    ".worst{padding:0;overflow:hidden;margin:0}.worst img{display:block;width:100%;height:auto}"
    ".worst figcaption{padding:8px 12px}"
    "svg{display:block;width:100%;height:auto}svg text{fill:var(--soft);font-size:11px}"
    ".ty{text-anchor:end}.tx{text-anchor:middle}.g{stroke:var(--line)}"
    "polyline{fill:none;stroke-width:1.4;stroke-linejoin:round}.c0{fill:#0072b2;opacity:.13}"
    ".c1{fill:#d55e00;opacity:.13}"
    ".scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:10px}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}"
    "th,td{padding:5px 12px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}"
    "th{color:var(--soft);font-weight:500}th:first-child,td:first-child{text-align:left}"
    "tr:last-child td{border-bottom:0}footer{margin-top:36px;color:var(--soft);font-size:13px}";

void html_add(Text* text, const char* untrusted)
{
    Text printable = { 0 };
    text_add_printable(&printable, untrusted);
    for (size_t i = 0; i < printable.size; ++i) {
        char c = printable.bytes[i];
        const char* entity = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
        if (entity) {
            text_adds(text, entity);
        } else {
            text_add(text, &c, 1);
        }
    }
    text->failed = text->failed || printable.failed;
    text_free(&printable);
}

static const char* verdict(double value, Scale scale)
{
    return isnan(value) || isinf(scale.good) ? "" : value <= scale.good ? "good" : value <= scale.fair ? "fair" : "bad";
}

static void add_tile(Text* text, const char* label, double value, const char* format, const char* unit, Scale scale)
{
    if (isnan(value)) {
        return;
    }
    text_addf(text, "<div class=\"tile\"><b class=\"%s\">", verdict(value, scale));
    text_addf(text, format, value);
    text_addf(text, " <small>%s</small></b><span>%s</span></div>\n", unit, label);
}

static double most(double a, double b)
{
    return fmax(a, b); // passes over NAN
}

static void add_tiles(Text* text, const GtMeasure* m)
{
    text_adds(text, "<div class=\"tiles\">\n");
    add_tile(text, "mean direction off the source", gt_degrees(m->direction_mean_rad), "%.1f", "°",
             (Scale){ 3.0, 8.0 });
    if (m->is_humanoid) {
        const GtFootMeasure* l = &m->feet[0];
        const GtFootMeasure* r = &m->feet[1];
        add_tile(text, "worst foot skate", 1000.0 * most(l->skate_m, r->skate_m), "%.0f", "mm", (Scale){ 10.0, 30.0 });
        add_tile(text, "deepest sole", 1000.0 * most(l->penetration_m, r->penetration_m), "%.0f", "mm",
                 (Scale){ 5.0, 15.0 });
        add_tile(text, "highest float in contact", 1000.0 * most(l->float_m, r->float_m), "%.0f", "mm",
                 (Scale){ 10.0, 25.0 });
        add_tile(text, "knee acceleration to the source's",
                 most(m->knees[0].acceleration_ratio, m->knees[1].acceleration_ratio), "%.2f", "×",
                 (Scale){ 1.25, 2.0 });
        add_tile(text, "knee jerk to the source's", most(m->knees[0].jerk_ratio, m->knees[1].jerk_ratio), "%.2f", "×",
                 (Scale){ 1.25, 2.0 });
        add_tile(text, "flight off free fall", 1000.0 * worst_miss_m(m), "%.0f", "mm", (Scale){ 20.0, 60.0 });
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
        add_tile(text, "most volume lost in a zone", 100.0 * loss, "%.0f", "%", (Scale){ 10.0, 25.0 });
        add_tile(text, "triangles inside out in a zone", flipped, "%.0f", "", (Scale){ 0.0, 10.0 });
    }
    text_adds(text, "</div>\n");
}

static void add_cell(Text* text, const char* format, double value, Scale scale)
{
    if (isnan(value)) {
        text_adds(text, "<td>–</td>");
        return;
    }
    text_addf(text, "<td class=\"%s\">", verdict(value, scale));
    text_addf(text, format, value);
    text_adds(text, "</td>");
}

// A ratio is as bad as it is far from 1.
static void add_ratio(Text* text, double value, double good, double fair)
{
    double off = fabs(value - 1.0);
    text_addf(text, "<td class=\"%s\">", verdict(off, (Scale){ good, fair }));
    if (isnan(value)) {
        text_adds(text, "–</td>");
    } else {
        text_addf(text, "%.2f</td>", value);
    }
}

static void add_directions(Text* text, const GtMeasure* m)
{
    const Scale mean = { 3.0, 8.0 };
    const Scale largest = { 8.0, 20.0 };
    text_adds(text, "<h2>Directions against the source</h2>\n<div class=\"scroll\"><table><tr><th>joint</th><th>mean, "
                    "°</th><th>largest, °</th><th>at, s</th></tr>\n");
    for (int32_t i = 0; i < m->direction_count; ++i) {
        const GtDirectionMeasure* d = &m->directions[i];
        text_addf(text, "<tr><td>%s%s</td>", gt_humanoid_name(d->joint), d->by_turn ? " (turn)" : "");
        add_cell(text, "%.1f", gt_degrees(d->mean_rad), mean);
        add_cell(text, "%.1f", gt_degrees(d->max_rad), largest);
        text_addf(text, "<td>%.2f</td></tr>\n", d->max_time_s);
    }
    text_adds(text, "</table></div>\n");
    if (m->flip.extra_turn_rad > 0.0) {
        text_addf(text, "<p>Farthest that a joint turns in one frame beyond its source: %.1f°, %s at %.2f s.</p>\n",
                  gt_degrees(m->flip.extra_turn_rad), gt_humanoid_name(m->flip.joint), m->flip.time_s);
    }
}

static void add_side_row(Text* text, const char* label, const char* format, double left, double right, Scale scale)
{
    text_addf(text, "<tr><td>%s</td>", label);
    add_cell(text, format, left, scale);
    add_cell(text, format, right, scale);
    text_adds(text, "</tr>\n");
}

static void add_legs(Text* text, const GtMeasure* m)
{
    const Scale none = { INFINITY, INFINITY };
    const Scale skate = { 10.0, 30.0 };
    const Scale height = { 5.0, 15.0 };
    const Scale ratio = { 1.25, 2.0 };
    const GtFootMeasure* l = &m->feet[0];
    const GtFootMeasure* r = &m->feet[1];
    const GtKneeMeasure* a = &m->knees[0];
    const GtKneeMeasure* b = &m->knees[1];
    text_adds(text,
              "<h2>Feet and knees</h2>\n<div class=\"scroll\"><table><tr><th></th><th>left</th><th>right</th></tr>\n");
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
    add_side_row(text, "knee acceleration, rad/s²", "%.0f", a->acceleration_radps2, b->acceleration_radps2, none);
    add_side_row(text, "knee jerk, rad/s³", "%.0f", a->jerk_radps3, b->jerk_radps3, none);
    if (m->source_is_humanoid) {
        add_side_row(text, "knee acceleration, to the source's", "%.2f", a->acceleration_ratio, b->acceleration_ratio,
                     ratio);
        add_side_row(text, "knee jerk, to the source's", "%.2f", a->jerk_ratio, b->jerk_ratio, ratio);
    }
    text_adds(text, "</table></div>\n");
}

static void add_flights(Text* text, const GtMeasure* m)
{
    text_adds(text,
              "<h2>Flights</h2>\n<div class=\"scroll\"><table><tr><th>from, s</th><th>to, s</th><th>off free fall, "
              "mm</th><th>gravity of the path, m/s²</th></tr>\n");
    for (int32_t i = 0; i < m->flight_count; ++i) {
        const GtFlightMeasure* f = &m->flights[i];
        text_addf(text, "<tr><td>%.2f</td><td>%.2f</td>", f->start_s, f->end_s);
        add_cell(text, "%.1f", 1000.0 * f->miss_m, (Scale){ 20.0, 60.0 });
        text_addf(text, "<td>%.2f</td></tr>\n", f->gravity_mps2);
    }
    text_adds(text, "</table></div>\n");
}

static void add_zones(Text* text, const Measured* measured)
{
    const GtMeasure* m = measured->measure;
    text_addf(text,
              "<h2>Skin around the joints</h2>\n<p class=\"note\">Ratios to the bind pose, the worst over %d frames. "
              "Section: the area of loops of skin across the bone. Axis: mean distance to the bone. Squeeze and "
              "stretch: singular values beyond which 1 %% of the area goes.</p>\n"
              "<div class=\"scroll\"><table><tr><th>zone</th><th>triangles</th><th>volume, l</th><th>least</th>"
              "<th>most</th><th>section, least</th><th>most</th><th>axis, least</th><th>most</th><th>squeeze</th>"
              "<th>stretch</th><th>inside out</th></tr>\n",
              (int)m->mesh_frame_count);
    for (int32_t i = 0; i < m->zone_count; ++i) {
        const GtZoneMeasure* z = &m->zones[i];
        text_adds(text, "<tr><td>");
        html_add(text, zone_name(measured, z));
        text_addf(text, "</td><td>%d</td><td>%.3g</td>", (int)z->triangle_count, 1000.0 * z->volume_m3);
        add_ratio(text, z->volume_min, 0.1, 0.25);
        add_ratio(text, z->volume_max, 0.1, 0.25);
        add_ratio(text, z->section_min, 0.15, 0.35);
        add_ratio(text, z->section_max, 0.3, 0.6);
        add_ratio(text, z->axis_min, 0.1, 0.25);
        add_ratio(text, z->axis_max, 0.1, 0.25);
        add_ratio(text, z->stretch_min, 0.4, 0.7);
        add_ratio(text, z->stretch_max, 0.6, 1.2);
        add_cell(text, "%.0f", z->flipped_count, (Scale){ 0.0, 10.0 });
        text_adds(text, "</tr>\n");
    }
    text_adds(text, "</table></div>\n");
}

static void add_head(Text* text, const Measured* m)
{
    const GtMeasure* measure = m->measure;
    text_adds(text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                    "content=\"width=device-width,initial-scale=1\"><title>");
    html_add(text, m->file);
    text_addf(text, ", measured</title><style>%s</style></head><body><main>\n<h1>", page_style);
    html_add(text, m->file);
    text_adds(text, "</h1>\n<p class=\"sub\">clip ‘");
    html_add(text, m->clip_name);
    text_addf(text, "’, %.2f s, %d frames", measure->end_s - measure->start_s, (int)measure->frame_count);
    if (measure->rate_hz > 0.0) {
        text_addf(text, " at %.4g Hz", measure->rate_hz);
    }
    if (m->source_file) {
        text_adds(text, ", against ");
        html_add(text, m->source_file);
    }
    text_adds(text, "</p>\n");
    if (!measure->is_humanoid) {
        text_adds(text,
                  "<p class=\"note\">No hips and legs are known, so feet, knees and flights are not measured.</p>\n");
    }
}

bool measure_add_page(Session* session, Text* text, const Measured* m)
{
    const GtMeasure* measure = m->measure;
    add_head(text, m);
    add_tiles(text, measure);
    text_adds(text, "<h2>Worst moments</h2>\n");
    if (measure->worst_count == 0) {
        text_adds(text, "<p class=\"note\">None: everything is within what an eye forgives.</p>\n");
    } else if (!measure_add_pictures(session, text, m)) {
        return false;
    }
    if (measure->is_humanoid && measure->frame_count > 1) {
        text_adds(text, "<h2>Over time</h2>\n");
        measure_add_plots(text, m);
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
        add_zones(text, m);
    }
    text_adds(text,
              "<footer>Contacts: a heel or toe slower than 0.15 m/s and less than 4 cm above the 5th percentile of "
              "its height for 80 ms or more. Skate: how far the lowest point of the part that stands slides in one "
              "contact. Measured by gertie " GT_VERSION_STRING ".</footer>\n</main></body></html>\n");
    return true;
}
