// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What `measure` shows to people on a terminal: a line for each number, the worst zones of the skin, the worst moments.

#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COLUMNS = 26,
    MOST_ZONES = 8,
    MOST_DIRECTIONS = 40
};

const char* const side_names[2] = { "left", "right" };

const char* scene_node_name(const Measured* m, int32_t node)
{
    const char* name = node == GT_NONE ? NULL : m->scene->nodes[node].name;
    return name && name[0] ? name : "(no name)";
}

const char* joint_name(const Measured* m, int32_t node)
{
    for (int32_t z = 0; z < m->measure->zone_count; ++z) {
        if (m->measure->zones[z].node == node) {
            return zone_name(m, &m->measure->zones[z]);
        }
    }
    return scene_node_name(m, node);
}

const char* zone_name(const Measured* m, const GtZoneMeasure* zone)
{
    return zone->joint == GT_NONE ? scene_node_name(m, zone->node) : gt_humanoid_name((GtHumanoidJoint)zone->joint);
}

double worst_miss_m(const GtMeasure* measure)
{
    double miss = NAN;
    for (int32_t i = 0; i < measure->flight_count; ++i) {
        miss = fmax(miss, measure->flights[i].miss_m);
    }
    return miss;
}

const GtDirectionMeasure* worst_direction(const GtMeasure* measure)
{
    const GtDirectionMeasure* worst = NULL;
    for (int32_t i = 0; i < measure->direction_count; ++i) {
        worst = !worst || measure->directions[i].mean_rad > worst->mean_rad ? &measure->directions[i] : worst;
    }
    return worst;
}

double zone_badness(const GtZoneMeasure* zone)
{
    double volume = fmax(1.0 - zone->volume_min, zone->volume_max - 1.0);
    double section = fmax(1.0 - zone->section_min, 0.5 * (zone->section_max - 1.0));
    double flipped = (double)zone->flipped_count / (double)zone->triangle_count;
    return fmax(fmax(volume, section), flipped); // fmax passes over NAN
}

static int compare_zones(const void* left, const void* right)
{
    const GtZoneMeasure* a = *(const GtZoneMeasure* const*)left;
    const GtZoneMeasure* b = *(const GtZoneMeasure* const*)right;
    double difference = zone_badness(b) - zone_badness(a);
    return difference > 0.0 ? 1 : difference < 0.0 ? -1 : (a > b) - (a < b);
}

int32_t worst_zones(const GtMeasure* measure, const GtZoneMeasure** out, int32_t most)
{
    int32_t count = 0;
    for (int32_t z = 0; z < measure->zone_count; ++z) {
        if (count < most) {
            out[count++] = &measure->zones[z];
        } else if (compare_zones(&out[count - 1], &(const GtZoneMeasure*){ &measure->zones[z] }) > 0) {
            out[count - 1] = &measure->zones[z];
        } else {
            continue;
        }
        for (int32_t i = count - 1; i > 0 && compare_zones(&out[i - 1], &out[i]) > 0; --i) {
            const GtZoneMeasure* swapped = out[i];
            out[i] = out[i - 1];
            out[i - 1] = swapped;
        }
    }
    return count;
}

static void add_label(Text* text, const char* label)
{
    text_addf(text, "  %-*s", LABEL_COLUMNS - 2, label);
}

static void add_number(Text* text, const char* format, double value)
{
    if (isnan(value)) {
        text_addf(text, "%10s", "-");
    } else {
        text_addf(text, format, value);
    }
}

static void add_pair(Text* text, const char* label, double left, double right)
{
    add_label(text, label);
    add_number(text, "%10.1f", left);
    add_number(text, "%10.1f", right);
    text_adds(text, "\n");
}

static void add_directions(Text* text, const GtMeasure* measure)
{
    text_addf(text, "\n  directions against the source, mean %.1f degrees\n", gt_degrees(measure->direction_mean_rad));
    add_label(text, "degrees");
    text_addf(text, "%10s%10s%10s\n", "mean", "largest", "at s");
    for (int32_t i = 0; i < measure->direction_count && i < MOST_DIRECTIONS; ++i) {
        const GtDirectionMeasure* d = &measure->directions[i];
        add_label(text, gt_humanoid_name(d->joint));
        text_addf(text, "%10.1f%10.1f%10.2f\n", gt_degrees(d->mean_rad), gt_degrees(d->max_rad), d->max_time_s);
    }
    const GtFlipMeasure* flip = &measure->flip;
    if (flip->extra_turn_rad > 0.0) {
        add_label(text, "turn in a frame beyond it");
        text_addf(text, "%20.1f%10.2f  %s\n", gt_degrees(flip->extra_turn_rad), flip->time_s,
                  gt_humanoid_name(flip->joint));
    }
}

static void add_feet(Text* text, const GtMeasure* measure)
{
    const GtFootMeasure* l = &measure->feet[0];
    const GtFootMeasure* r = &measure->feet[1];
    text_addf(text, "\n  %-*s%10s%10s\n", LABEL_COLUMNS - 2, "feet", "left", "right");
    add_label(text, "contacts");
    text_addf(text, "%10d%10d\n", (int)l->contact_count, (int)r->contact_count);
    add_pair(text, "skate, mm, largest", 1000.0 * l->skate_m, 1000.0 * r->skate_m);
    add_pair(text, "skate, mm, mean", 1000.0 * l->skate_mean_m, 1000.0 * r->skate_mean_m);
    add_pair(text, "penetration, mm, largest", 1000.0 * l->penetration_m, 1000.0 * r->penetration_m);
    add_pair(text, "float, mm, largest", 1000.0 * l->float_m, 1000.0 * r->float_m);
    add_pair(text, "float, mm, mean", 1000.0 * l->float_mean_m, 1000.0 * r->float_mean_m);
}

static void add_knees(Text* text, const GtMeasure* measure)
{
    const GtKneeMeasure* l = &measure->knees[0];
    const GtKneeMeasure* r = &measure->knees[1];
    text_addf(text, "\n  %-*s%10s%10s\n", LABEL_COLUMNS - 2, "knees", "left", "right");
    add_pair(text, "acceleration, rad/s2", l->acceleration_radps2, r->acceleration_radps2);
    add_pair(text, "jerk, rad/s3", l->jerk_radps3, r->jerk_radps3);
    if (measure->source_is_humanoid) {
        add_pair(text, "acceleration to source's", l->acceleration_ratio, r->acceleration_ratio);
        add_pair(text, "jerk to source's", l->jerk_ratio, r->jerk_ratio);
    }
}

static void add_flights(Text* text, const GtMeasure* measure)
{
    text_adds(text, "\n");
    add_label(text, "flights");
    text_addf(text, "%10d\n", (int)measure->flight_count);
    if (measure->flight_count) {
        add_label(text, "off free fall, mm");
        text_addf(text, "%10.1f\n", 1000.0 * worst_miss_m(measure));
    }
}

static void add_seam(Text* text, const Measured* m)
{
    const GtSeamMeasure* seam = &m->measure->seam;
    text_adds(text, "\n");
    add_label(text, "loop seam, mm");
    add_number(text, "%10.1f", 1000.0 * seam->gap_m);
    if (seam->node != GT_NONE) {
        text_adds(text, "   at ");
        text_add_printable(text, joint_name(m, seam->node));
        text_addf(text, ", mean %.1f mm, turn %.1f degrees", 1000.0 * seam->mean_gap_m, gt_degrees(seam->turn_rad));
    }
    text_adds(text, "\n");
}

static void add_skin(Text* text, const Measured* m)
{
    const GtMeasure* measure = m->measure;
    const GtZoneMeasure* zones[MOST_ZONES];
    int32_t count = worst_zones(measure, zones, MOST_ZONES);
    add_label(text, "self-penetration, mm");
    text_addf(text, "%10.1f", 1000.0 * measure->self.depth_m);
    if (measure->self.node != GT_NONE) {
        text_adds(text, "   ");
        text_add_printable(text, joint_name(m, measure->self.node));
        text_adds(text, " in ");
        text_add_printable(text, joint_name(m, measure->self.other_node));
        text_addf(text, " at %.2f s", measure->self.time_s);
    }
    text_addf(text, "\n\n  skin at %d frames; the worst of %d zones, ratios to the bind pose\n",
              (int)measure->mesh_frame_count, (int)measure->zone_count);
    add_label(text, "");
    text_addf(text, "%10s%10s%10s%10s%10s%9s\n", "volume", "section", "axis", "squeeze", "stretch", "flipped");
    for (int32_t i = 0; i < count; ++i) {
        const GtZoneMeasure* z = zones[i];
        Text name = { 0 };
        text_add_printable(&name, zone_name(m, z));
        add_label(text, name.bytes ? name.bytes : "");
        text_free(&name);
        add_number(text, "%10.2f", z->volume_min);
        add_number(text, "%10.2f", z->section_min);
        add_number(text, "%10.2f", z->axis_min);
        add_number(text, "%10.2f", z->stretch_min);
        add_number(text, "%10.2f", z->stretch_max);
        text_addf(text, "%9d\n", (int)z->flipped_count);
    }
}

void measure_add_table(Text* text, const Measured* m)
{
    const GtMeasure* measure = m->measure;
    text_add_printable(text, m->file);
    text_adds(text, ": clip '");
    text_add_printable(text, m->clip_name);
    text_addf(text, "', %.2f s, %d frame%s", measure->end_s - measure->start_s, (int)measure->frame_count,
              measure->frame_count == 1 ? "" : "s");
    if (measure->rate_hz > 0.0) {
        text_addf(text, " at %.4g Hz", measure->rate_hz);
    }
    if (m->source_file) {
        text_adds(text, ", against ");
        text_add_printable(text, m->source_file);
    }
    text_adds(text, "\n");
    if (measure->direction_count) {
        add_directions(text, measure);
    }
    if (measure->is_humanoid) {
        add_feet(text, measure);
        add_knees(text, measure);
        add_flights(text, measure);
    }
    add_seam(text, m);
    if (measure->mesh_frame_count) {
        add_skin(text, m);
    }
    if (measure->worst_count) {
        text_adds(text, "\n  worst moments\n");
    }
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        text_addf(text, "    %6.2f s  ", measure->worst[i].time_s);
        text_add_printable(text, measure->worst[i].what);
        text_adds(text, "\n");
    }
}
