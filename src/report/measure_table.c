// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A measured clip for people at a terminal: a line for each number, the worst zones of the skin, the worst moments.

#include "report/measure_parts.h"

#include <math.h>

enum {
    LABEL_COLUMNS = 26,
    MOST_ZONES = 8,
    MOST_DIRECTIONS = 40
};

const char* gti_measured_node_name(const GtMeasureReport* r, int32_t node)
{
    const char* name = node == GT_NONE ? NULL : r->scene->nodes[node].name;
    return name && name[0] ? name : "(no name)";
}

const char* gti_zone_name(const GtMeasureReport* r, const GtZoneMeasure* zone)
{
    return zone->joint == GT_NONE ? gti_measured_node_name(r, zone->node)
                                  : gt_humanoid_name((GtHumanoidJoint)zone->joint);
}

static const char* joint_name(const GtMeasureReport* r, int32_t node)
{
    for (int32_t z = 0; z < r->measure->zone_count; ++z) {
        if (r->measure->zones[z].node == node) {
            return gti_zone_name(r, &r->measure->zones[z]);
        }
    }
    return gti_measured_node_name(r, node);
}

double gti_worst_flight_miss_m(const GtMeasure* measure)
{
    double miss = NAN;
    for (int32_t i = 0; i < measure->flight_count; ++i) {
        miss = fmax(miss, measure->flights[i].miss_m);
    }
    return miss;
}

static double badness_of(const GtZoneMeasure* zone)
{
    double volume = fmax(1.0 - zone->volume_min, zone->volume_max - 1.0);
    double section = fmax(1.0 - zone->section_min, 0.5 * (zone->section_max - 1.0));
    double flipped = (double)zone->flipped_count / (double)zone->triangle_count;
    return fmax(fmax(volume, section), flipped); // fmax passes over NAN
}

// Whether zone `a` comes before zone `b` in a list of the worst; equal ones keep their order.
static bool is_worse(const GtZoneMeasure* a, const GtZoneMeasure* b)
{
    double difference = badness_of(a) - badness_of(b);
    return difference > 0.0 || (difference == 0.0 && a < b);
}

// List the worst zones first, at most MOST_ZONES; returns how many.
static int32_t list_worst_zones(const GtMeasure* measure, const GtZoneMeasure** out)
{
    int32_t count = 0;
    for (int32_t z = 0; z < measure->zone_count; ++z) {
        const GtZoneMeasure* zone = &measure->zones[z];
        int32_t at = count;
        while (at > 0 && is_worse(zone, out[at - 1])) {
            --at;
        }
        count += count < MOST_ZONES;
        for (int32_t i = count - 1; i > at; --i) {
            out[i] = out[i - 1];
        }
        if (at < count) {
            out[at] = zone;
        }
    }
    return count;
}

static void add_label(GtText* text, const char* label)
{
    gt_text_addf(text, "  %-*s", LABEL_COLUMNS - 2, label);
}

static void add_number(GtText* text, const char* format, double value)
{
    if (isnan(value)) {
        gt_text_addf(text, "%10s", "-");
    } else {
        gt_text_addf(text, format, value);
    }
}

static void add_pair(GtText* text, const char* label, double left, double right)
{
    add_label(text, label);
    add_number(text, "%10.1f", left);
    add_number(text, "%10.1f", right);
    gt_text_adds(text, "\n");
}

static void add_directions(GtText* text, const GtMeasure* measure)
{
    gt_text_addf(text, "\n  directions against the source, mean %.1f degrees\n",
                 gt_degrees(measure->direction_mean_rad));
    add_label(text, "degrees");
    gt_text_addf(text, "%10s%10s%10s\n", "mean", "largest", "at s");
    for (int32_t i = 0; i < measure->direction_count && i < MOST_DIRECTIONS; ++i) {
        const GtDirectionMeasure* d = &measure->directions[i];
        add_label(text, gt_humanoid_name(d->joint));
        gt_text_addf(text, "%10.1f%10.1f%10.2f\n", gt_degrees(d->mean_rad), gt_degrees(d->max_rad), d->max_time_s);
    }
    const GtFlipMeasure* flip = &measure->flip;
    if (flip->extra_turn_rad > 0.0) {
        add_label(text, "turn in a frame beyond it");
        gt_text_addf(text, "%20.1f%10.2f  %s\n", gt_degrees(flip->extra_turn_rad), flip->time_s,
                     gt_humanoid_name(flip->joint));
    }
}

static void add_feet(GtText* text, const GtMeasure* measure)
{
    const GtFootMeasure* l = &measure->feet[0];
    const GtFootMeasure* r = &measure->feet[1];
    gt_text_addf(text, "\n  %-*s%10s%10s\n", LABEL_COLUMNS - 2, "feet", "left", "right");
    add_label(text, "contacts");
    gt_text_addf(text, "%10d%10d\n", (int)l->contact_count, (int)r->contact_count);
    add_pair(text, "skate, mm, largest", 1000.0 * l->skate_m, 1000.0 * r->skate_m);
    add_pair(text, "skate, mm, mean", 1000.0 * l->skate_mean_m, 1000.0 * r->skate_mean_m);
    add_pair(text, "penetration, mm, largest", 1000.0 * l->penetration_m, 1000.0 * r->penetration_m);
    add_pair(text, "float, mm, largest", 1000.0 * l->float_m, 1000.0 * r->float_m);
    add_pair(text, "float, mm, mean", 1000.0 * l->float_mean_m, 1000.0 * r->float_mean_m);
}

static void add_knees(GtText* text, const GtMeasure* measure)
{
    const GtKneeMeasure* l = &measure->knees[0];
    const GtKneeMeasure* r = &measure->knees[1];
    gt_text_addf(text, "\n  %-*s%10s%10s\n", LABEL_COLUMNS - 2, "knees", "left", "right");
    add_pair(text, "acceleration, degrees/s2", gt_degrees(l->acceleration_radps2), gt_degrees(r->acceleration_radps2));
    add_pair(text, "jerk, degrees/s3", gt_degrees(l->jerk_radps3), gt_degrees(r->jerk_radps3));
    if (measure->source_is_humanoid) {
        add_pair(text, "acceleration to source's", l->acceleration_ratio, r->acceleration_ratio);
        add_pair(text, "jerk to source's", l->jerk_ratio, r->jerk_ratio);
    }
}

static void add_flights(GtText* text, const GtMeasure* measure)
{
    gt_text_adds(text, "\n");
    add_label(text, "flights");
    gt_text_addf(text, "%10d\n", (int)measure->flight_count);
    if (measure->flight_count) {
        add_label(text, "off free fall, mm");
        gt_text_addf(text, "%10.1f\n", 1000.0 * gti_worst_flight_miss_m(measure));
    }
}

static void add_seam(GtText* text, const GtMeasureReport* r)
{
    const GtSeamMeasure* seam = &r->measure->seam;
    gt_text_adds(text, "\n");
    add_label(text, "loop seam, mm");
    add_number(text, "%10.1f", 1000.0 * seam->gap_m);
    if (seam->node != GT_NONE) {
        gt_text_adds(text, "   at ");
        gt_text_add_printable(text, joint_name(r, seam->node));
        gt_text_addf(text, ", mean %.1f mm, turn %.1f degrees", 1000.0 * seam->mean_gap_m, gt_degrees(seam->turn_rad));
    }
    gt_text_adds(text, "\n");
}

// Parts of the body that are deeper in the ground than what a skin gives way.
static void add_sinks(GtText* text, const GtMeasure* measure)
{
    for (int32_t i = 0; i < measure->sink_count; ++i) {
        const GtSinkMeasure* sink = &measure->sinks[i];
        if (sink->depth_m > GT_SINK_DEEP_M) {
            add_label(text, "below the ground, mm");
            gt_text_addf(text, "%10.1f   %s at %.2f s, in %.0f %% of frames\n", 1000.0 * sink->depth_m,
                         gt_touched_name((int32_t)sink->part), sink->time_s, 100.0 * sink->frame_share);
        }
    }
}

static void add_skin(GtText* text, const GtMeasureReport* r)
{
    const GtMeasure* measure = r->measure;
    const GtZoneMeasure* zones[MOST_ZONES];
    int32_t count = list_worst_zones(measure, zones);
    add_label(text, "self-penetration, mm");
    gt_text_addf(text, "%10.1f", 1000.0 * measure->self.depth_m);
    if (measure->self.node != GT_NONE) {
        gt_text_adds(text, "   ");
        gt_text_add_printable(text, joint_name(r, measure->self.node));
        gt_text_adds(text, " in ");
        gt_text_add_printable(text, joint_name(r, measure->self.other_node));
        gt_text_addf(text, " at %.2f s", measure->self.time_s);
    }
    gt_text_adds(text, "\n");
    add_label(text, "without folds, mm");
    gt_text_addf(text, "%10.1f   over 30 mm in %.0f %% of frames\n", 1000.0 * measure->self.clash_m,
                 100.0 * measure->self.deep_share);
    add_sinks(text, measure);
    gt_text_addf(text, "\n  skin at %d frames; the worst of %d zones, ratios to the bind pose\n",
                 (int)measure->mesh_frame_count, (int)measure->zone_count);
    add_label(text, "");
    gt_text_addf(text, "%10s%10s%10s%10s%10s%9s\n", "volume", "section", "axis", "squeeze", "stretch", "flipped");
    for (int32_t i = 0; i < count; ++i) {
        const GtZoneMeasure* z = zones[i];
        GtText name = { 0 };
        gt_text_add_printable(&name, gti_zone_name(r, z));
        add_label(text, name.bytes && !name.failed ? name.bytes : "");
        text->failed |= name.failed;
        gt_text_destroy(&name);
        add_number(text, "%10.2f", z->volume_min);
        add_number(text, "%10.2f", z->section_min);
        add_number(text, "%10.2f", z->axis_min);
        add_number(text, "%10.2f", z->stretch_min);
        add_number(text, "%10.2f", z->stretch_max);
        gt_text_addf(text, "%9d\n", (int)z->flipped_count);
    }
}

void gt_measure_table_add(GtText* text, const GtMeasureReport* r)
{
    const GtMeasure* measure = r->measure;
    gt_text_add_printable(text, r->file);
    gt_text_adds(text, ": clip '");
    gt_text_add_printable(text, r->clip_name);
    gt_text_addf(text, "', %.2f s, %d frame%s", measure->end_s - measure->start_s, (int)measure->frame_count,
                 measure->frame_count == 1 ? "" : "s");
    if (measure->rate_hz > 0.0) {
        gt_text_addf(text, " at %.4g Hz", measure->rate_hz);
    }
    if (r->source_file) {
        gt_text_adds(text, ", against ");
        gt_text_add_printable(text, r->source_file);
    }
    gt_text_adds(text, "\n");
    if (measure->direction_count) {
        add_directions(text, measure);
    }
    if (measure->is_humanoid) {
        add_feet(text, measure);
        add_knees(text, measure);
        add_flights(text, measure);
    }
    add_seam(text, r);
    if (measure->mesh_frame_count) {
        add_skin(text, r);
    }
    if (measure->worst_count) {
        gt_text_adds(text, "\n  worst moments\n");
    }
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        gt_text_addf(text, "    %6.2f s  ", measure->worst[i].time_s);
        gt_text_add_printable(text, measure->worst[i].what);
        gt_text_adds(text, "\n");
    }
}
