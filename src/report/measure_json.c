// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of a measured clip as JSON.

#include "report/measure_parts.h"

#include <math.h>

static const char* const side_names[2] = { "left", "right" };
static const double DEGREES = 57.29577951308232;

static void report_directions(GtJsonWriter* json, const GtMeasure* measure)
{
    gt_json_member_number(json, "direction_mean_deg", gt_degrees(measure->direction_mean_rad));
    gt_json_member_object(json, "flip");
    gt_json_member_float(json, "extra_rotation_deg", (float)gt_degrees(measure->flip.extra_turn_rad));
    if (measure->flip.extra_turn_rad > 0.0) {
        gt_json_member_string(json, "joint", gt_humanoid_name(measure->flip.joint));
        gt_json_member_float(json, "time_s", (float)measure->flip.time_s);
    }
    gt_json_end_object(json);
    gt_json_member_array(json, "directions");
    for (int32_t i = 0; i < measure->direction_count; ++i) {
        const GtDirectionMeasure* d = &measure->directions[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "joint", gt_humanoid_name(d->joint));
        gt_json_member_string(json, "by", d->by_turn ? "rotation" : "direction");
        gt_json_member_float(json, "mean_deg", (float)gt_degrees(d->mean_rad));
        gt_json_member_float(json, "max_deg", (float)gt_degrees(d->max_rad));
        gt_json_member_float(json, "max_time_s", (float)d->max_time_s);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void report_foot(GtJsonWriter* json, const GtFootMeasure* foot)
{
    gt_json_begin_object(json);
    gt_json_member_integer(json, "contacts", foot->contact_count);
    gt_json_member_float(json, "contact_s", (float)foot->contact_s);
    gt_json_member_float(json, "skate_m", (float)foot->skate_m);
    gt_json_member_float(json, "skate_mean_m", (float)foot->skate_mean_m);
    gt_json_member_float(json, "skate_time_s", (float)foot->skate_time_s);
    gt_json_member_float(json, "slip_mps", (float)foot->slip_mps);
    gt_json_member_float(json, "penetration_m", (float)foot->penetration_m);
    gt_json_member_float(json, "penetration_mean_m", (float)foot->penetration_mean_m);
    gt_json_member_float(json, "penetration_time_s", (float)foot->penetration_time_s);
    gt_json_member_float(json, "float_m", (float)foot->float_m);
    gt_json_member_float(json, "float_mean_m", (float)foot->float_mean_m);
    gt_json_member_float(json, "float_time_s", (float)foot->float_time_s);
    gt_json_end_object(json);
}

static void report_knee(GtJsonWriter* json, const GtKneeMeasure* knee)
{
    gt_json_begin_object(json);
    gt_json_member_float(json, "acceleration_degps2", (float)(DEGREES * knee->acceleration_radps2));
    gt_json_member_float(json, "acceleration_time_s", (float)knee->acceleration_time_s);
    gt_json_member_float(json, "acceleration_ratio", (float)knee->acceleration_ratio);
    gt_json_member_float(json, "jerk_degps3", (float)(DEGREES * knee->jerk_radps3));
    gt_json_member_float(json, "jerk_ratio", (float)knee->jerk_ratio);
    gt_json_end_object(json);
}

static void report_legs(GtJsonWriter* json, const GtMeasure* measure)
{
    gt_json_member_object(json, "feet");
    for (int side = 0; side < 2; ++side) {
        gt_json_key(json, side_names[side]);
        report_foot(json, &measure->feet[side]);
    }
    gt_json_end_object(json);
    gt_json_member_object(json, "knees");
    for (int side = 0; side < 2; ++side) {
        gt_json_key(json, side_names[side]);
        report_knee(json, &measure->knees[side]);
    }
    gt_json_end_object(json);
    gt_json_member_array(json, "flights");
    for (int32_t i = 0; i < measure->flight_count; ++i) {
        const GtFlightMeasure* flight = &measure->flights[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_float(json, "start_s", (float)flight->start_s);
        gt_json_member_float(json, "end_s", (float)flight->end_s);
        gt_json_member_float(json, "miss_m", (float)flight->miss_m);
        gt_json_member_float(json, "gravity_mps2", (float)flight->gravity_mps2);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void report_seam(GtJsonWriter* json, const GtMeasureReport* r)
{
    const GtSeamMeasure* seam = &r->measure->seam;
    gt_json_member_object(json, "seam");
    gt_json_member_float(json, "gap_m", (float)seam->gap_m);
    gt_json_member_float(json, "mean_gap_m", (float)seam->mean_gap_m);
    gt_json_member_string(json, "joint", seam->node == GT_NONE ? NULL : gti_measured_node_name(r, seam->node));
    gt_json_member_float(json, "rotation_deg", (float)gt_degrees(seam->turn_rad));
    gt_json_member_float(json, "speed_mps", (float)seam->speed_mps);
    gt_json_end_object(json);
}

static void report_zone(GtJsonWriter* json, const GtMeasureReport* r, const GtZoneMeasure* zone)
{
    gt_json_begin_object(json);
    gt_json_member_string(json, "joint", gti_measured_node_name(r, zone->node));
    gt_json_member_string(json, "humanoid",
                          zone->joint == GT_NONE ? NULL : gt_humanoid_name((GtHumanoidJoint)zone->joint));
    gt_json_member_integer(json, "triangles", zone->triangle_count);
    gt_json_member_float(json, "volume_m3", (float)zone->volume_m3);
    gt_json_member_float(json, "volume_min", (float)zone->volume_min);
    gt_json_member_float(json, "volume_max", (float)zone->volume_max);
    gt_json_member_float(json, "volume_time_s", (float)zone->volume_time_s);
    gt_json_member_float(json, "section_m2", (float)zone->section_m2);
    gt_json_member_float(json, "section_min", (float)zone->section_min);
    gt_json_member_float(json, "section_max", (float)zone->section_max);
    gt_json_member_float(json, "section_time_s", (float)zone->section_time_s);
    gt_json_member_float(json, "axis_m", (float)zone->axis_m);
    gt_json_member_float(json, "axis_min", (float)zone->axis_min);
    gt_json_member_float(json, "axis_max", (float)zone->axis_max);
    gt_json_member_float(json, "stretch_min", (float)zone->stretch_min);
    gt_json_member_float(json, "stretch_max", (float)zone->stretch_max);
    gt_json_member_integer(json, "flipped", zone->flipped_count);
    gt_json_member_float(json, "flipped_time_s", (float)zone->flipped_time_s);
    gt_json_end_object(json);
}

static void report_skin(GtJsonWriter* json, const GtMeasureReport* r)
{
    const GtMeasure* measure = r->measure;
    const GtSelfMeasure* self = &measure->self;
    gt_json_member_object(json, "self_penetration");
    gt_json_member_float(json, "depth_m", (float)self->depth_m);
    gt_json_member_float(json, "time_s", (float)self->time_s);
    gt_json_member_string(json, "joint", self->node == GT_NONE ? NULL : gti_measured_node_name(r, self->node));
    gt_json_member_string(json, "other_joint",
                          self->node == GT_NONE ? NULL : gti_measured_node_name(r, self->other_node));
    gt_json_member_float(json, "frame_share", (float)self->frame_share);
    gt_json_member_float(json, "clash_m", (float)self->clash_m);
    gt_json_member_float(json, "deep_share", (float)self->deep_share);
    gt_json_member_float(json, "vertex_share", (float)self->vertex_share);
    gt_json_end_object(json);
    gt_json_member_array(json, "below_ground");
    for (int32_t i = 0; i < measure->sink_count; ++i) {
        const GtSinkMeasure* sink = &measure->sinks[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "part", gt_touched_name((int32_t)sink->part));
        gt_json_member_float(json, "depth_m", (float)sink->depth_m);
        gt_json_member_float(json, "time_s", (float)sink->time_s);
        gt_json_member_float(json, "frame_share", (float)sink->frame_share);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_member_array(json, "zones");
    for (int32_t z = 0; z < measure->zone_count; ++z) {
        report_zone(json, r, &measure->zones[z]);
    }
    gt_json_end_array(json);
}

void gt_measure_report_write(GtJsonWriter* json, const GtMeasureReport* r)
{
    const GtMeasure* measure = r->measure;
    gt_json_member_string(json, "file", r->file);
    gt_json_member_string(json, "clip", r->clip_name);
    gt_json_member_string(json, "source", r->source_file);
    gt_json_member_string(json, "source_clip", r->source_clip_name);
    gt_json_member_float(json, "start_s", (float)measure->start_s);
    gt_json_member_float(json, "end_s", (float)measure->end_s);
    gt_json_member_float(json, "rate_hz", (float)measure->rate_hz);
    gt_json_member_integer(json, "frames", measure->frame_count);
    gt_json_member_integer(json, "mesh_frames", measure->mesh_frame_count);
    gt_json_member_bool(json, "humanoid", measure->is_humanoid);
    gt_json_member_number(json, "floor_m", measure->floor_m);
    if (measure->source_is_humanoid && measure->is_humanoid) {
        report_directions(json, measure);
    }
    if (measure->is_humanoid) {
        report_legs(json, measure);
    }
    report_seam(json, r);
    if (measure->mesh_frame_count) {
        report_skin(json, r);
    }
    gt_json_member_array(json, "worst");
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_float(json, "time_s", (float)measure->worst[i].time_s);
        gt_json_member_float(json, "severity", (float)measure->worst[i].severity);
        gt_json_member_string(json, "what", measure->worst[i].what);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}
