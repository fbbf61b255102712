// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of `measure` as JSON. What cannot be measured is null.

#include "measure.h"

#include <math.h>

static const double DEGREES = 57.29577951308232;

static void report_directions(Json* json, const GtMeasure* measure)
{
    json_member_number(json, "direction_mean_deg", gt_degrees(measure->direction_mean_rad));
    json_key(json, "flip");
    json_begin_object(json);
    json_member_float(json, "extra_rotation_deg", (float)gt_degrees(measure->flip.extra_turn_rad));
    if (measure->flip.extra_turn_rad > 0.0) {
        json_member_string(json, "joint", gt_humanoid_name(measure->flip.joint));
        json_member_float(json, "time_s", (float)measure->flip.time_s);
    }
    json_end_object(json);
    json_key(json, "directions");
    json_begin_array(json);
    for (int32_t i = 0; i < measure->direction_count; ++i) {
        const GtDirectionMeasure* d = &measure->directions[i];
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "joint", gt_humanoid_name(d->joint));
        json_member_string(json, "by", d->by_turn ? "rotation" : "direction");
        json_member_float(json, "mean_deg", (float)gt_degrees(d->mean_rad));
        json_member_float(json, "max_deg", (float)gt_degrees(d->max_rad));
        json_member_float(json, "max_time_s", (float)d->max_time_s);
        json_end_object(json);
    }
    json_end_array(json);
}

static void report_foot(Json* json, const GtFootMeasure* foot)
{
    json_begin_object(json);
    json_member_integer(json, "contacts", foot->contact_count);
    json_member_float(json, "contact_s", (float)foot->contact_s);
    json_member_float(json, "skate_m", (float)foot->skate_m);
    json_member_float(json, "skate_mean_m", (float)foot->skate_mean_m);
    json_member_float(json, "skate_time_s", (float)foot->skate_time_s);
    json_member_float(json, "slip_mps", (float)foot->slip_mps);
    json_member_float(json, "penetration_m", (float)foot->penetration_m);
    json_member_float(json, "penetration_mean_m", (float)foot->penetration_mean_m);
    json_member_float(json, "penetration_time_s", (float)foot->penetration_time_s);
    json_member_float(json, "float_m", (float)foot->float_m);
    json_member_float(json, "float_mean_m", (float)foot->float_mean_m);
    json_member_float(json, "float_time_s", (float)foot->float_time_s);
    json_end_object(json);
}

static void report_knee(Json* json, const GtKneeMeasure* knee)
{
    json_begin_object(json);
    json_member_float(json, "acceleration_degps2", (float)(DEGREES * knee->acceleration_radps2));
    json_member_float(json, "acceleration_time_s", (float)knee->acceleration_time_s);
    json_member_float(json, "acceleration_ratio", (float)knee->acceleration_ratio);
    json_member_float(json, "jerk_degps3", (float)(DEGREES * knee->jerk_radps3));
    json_member_float(json, "jerk_ratio", (float)knee->jerk_ratio);
    json_end_object(json);
}

static void report_legs(Json* json, const GtMeasure* measure)
{
    json_key(json, "feet");
    json_begin_object(json);
    for (int side = 0; side < 2; ++side) {
        json_key(json, side_names[side]);
        report_foot(json, &measure->feet[side]);
    }
    json_end_object(json);
    json_key(json, "knees");
    json_begin_object(json);
    for (int side = 0; side < 2; ++side) {
        json_key(json, side_names[side]);
        report_knee(json, &measure->knees[side]);
    }
    json_end_object(json);
    json_key(json, "flights");
    json_begin_array(json);
    for (int32_t i = 0; i < measure->flight_count; ++i) {
        const GtFlightMeasure* flight = &measure->flights[i];
        json_next_is_row(json);
        json_begin_object(json);
        json_member_float(json, "start_s", (float)flight->start_s);
        json_member_float(json, "end_s", (float)flight->end_s);
        json_member_float(json, "miss_m", (float)flight->miss_m);
        json_member_float(json, "gravity_mps2", (float)flight->gravity_mps2);
        json_end_object(json);
    }
    json_end_array(json);
}

static void report_seam(Json* json, const Measured* m)
{
    const GtSeamMeasure* seam = &m->measure->seam;
    json_key(json, "seam");
    json_begin_object(json);
    json_member_float(json, "gap_m", (float)seam->gap_m);
    json_member_float(json, "mean_gap_m", (float)seam->mean_gap_m);
    json_member_string(json, "joint", seam->node == GT_NONE ? NULL : scene_node_name(m, seam->node));
    json_member_float(json, "rotation_deg", (float)gt_degrees(seam->turn_rad));
    json_member_float(json, "speed_mps", (float)seam->speed_mps);
    json_end_object(json);
}

static void report_zone(Json* json, const Measured* m, const GtZoneMeasure* zone)
{
    json_begin_object(json);
    json_member_string(json, "joint", scene_node_name(m, zone->node));
    json_member_string(json, "humanoid",
                       zone->joint == GT_NONE ? NULL : gt_humanoid_name((GtHumanoidJoint)zone->joint));
    json_member_integer(json, "triangles", zone->triangle_count);
    json_member_float(json, "volume_m3", (float)zone->volume_m3);
    json_member_float(json, "volume_min", (float)zone->volume_min);
    json_member_float(json, "volume_max", (float)zone->volume_max);
    json_member_float(json, "volume_time_s", (float)zone->volume_time_s);
    json_member_float(json, "section_m2", (float)zone->section_m2);
    json_member_float(json, "section_min", (float)zone->section_min);
    json_member_float(json, "section_max", (float)zone->section_max);
    json_member_float(json, "section_time_s", (float)zone->section_time_s);
    json_member_float(json, "axis_m", (float)zone->axis_m);
    json_member_float(json, "axis_min", (float)zone->axis_min);
    json_member_float(json, "axis_max", (float)zone->axis_max);
    json_member_float(json, "stretch_min", (float)zone->stretch_min);
    json_member_float(json, "stretch_max", (float)zone->stretch_max);
    json_member_integer(json, "flipped", zone->flipped_count);
    json_member_float(json, "flipped_time_s", (float)zone->flipped_time_s);
    json_end_object(json);
}

static void report_skin(Json* json, const Measured* m)
{
    const GtMeasure* measure = m->measure;
    const GtSelfMeasure* self = &measure->self;
    json_key(json, "self_penetration");
    json_begin_object(json);
    json_member_float(json, "depth_m", (float)self->depth_m);
    json_member_float(json, "time_s", (float)self->time_s);
    json_member_string(json, "joint", self->node == GT_NONE ? NULL : scene_node_name(m, self->node));
    json_member_string(json, "other_joint", self->node == GT_NONE ? NULL : scene_node_name(m, self->other_node));
    json_member_float(json, "frame_share", (float)self->frame_share);
    json_member_float(json, "vertex_share", (float)self->vertex_share);
    json_end_object(json);
    json_key(json, "zones");
    json_begin_array(json);
    for (int32_t z = 0; z < measure->zone_count; ++z) {
        report_zone(json, m, &measure->zones[z]);
    }
    json_end_array(json);
}

void measure_report(Json* json, const Measured* m)
{
    const GtMeasure* measure = m->measure;
    json_member_string(json, "file", m->file);
    json_member_string(json, "clip", m->clip_name);
    json_member_string(json, "source", m->source_file);
    json_member_string(json, "source_clip", m->source_clip_name);
    json_member_float(json, "start_s", (float)measure->start_s);
    json_member_float(json, "end_s", (float)measure->end_s);
    json_member_float(json, "rate_hz", (float)measure->rate_hz);
    json_member_integer(json, "frames", measure->frame_count);
    json_member_integer(json, "mesh_frames", measure->mesh_frame_count);
    json_member_bool(json, "humanoid", measure->is_humanoid);
    json_member_number(json, "floor_m", measure->floor_m);
    if (measure->source_is_humanoid && measure->is_humanoid) {
        report_directions(json, measure);
    }
    if (measure->is_humanoid) {
        report_legs(json, measure);
    }
    report_seam(json, m);
    if (measure->mesh_frame_count) {
        report_skin(json, m);
    }
    json_key(json, "worst");
    json_begin_array(json);
    for (int32_t i = 0; i < measure->worst_count; ++i) {
        json_next_is_row(json);
        json_begin_object(json);
        json_member_float(json, "time_s", (float)measure->worst[i].time_s);
        json_member_float(json, "severity", (float)measure->worst[i].severity);
        json_member_string(json, "what", measure->worst[i].what);
        json_end_object(json);
    }
    json_end_array(json);
}
