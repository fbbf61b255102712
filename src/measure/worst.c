// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is worst is the largest multiple of what an eye forgives. What is within that is not listed.

#include "measure/worst.h"

#include "base/format.h"

#include <math.h>
#include <stdarg.h>

// What an eye forgives.
#define SKATE_M       0.02
#define PENETRATION_M 0.01
#define FLOAT_M       0.015
#define DIRECTION_DEG 10.0
#define KNEE_RATIO    2.0
#define MISS_M        0.03
#define SELF_M        0.02
#define LOSS          0.2  // of volume or section
#define FLIPPED       0.05 // of the triangles of a zone

static const char* const side_names[] = { "left", "right" };

// Hips that go so far in one frame, in heights, jump: half a metre of a person's. From there on it is seen for sure.
static const double jump_heights = 0.3;
static const double jump_severity = 5.0;

// Moments nearer to each other than this look alike.
static const double apart_s = 0.12;

static void put(GtMeasure* m, int32_t at, const GtWorstFrame* frame)
{
    for (int32_t i = m->worst_count < GT_WORST_FRAME_COUNT ? m->worst_count++ : GT_WORST_FRAME_COUNT - 1; i > at; --i) {
        m->worst[i] = m->worst[i - 1];
    }
    m->worst[at] = *frame;
}

GT_PRINTF(5, 6)
static void offer(GtMeasure* m, double severity, double time_s, int32_t node, const char* format, ...)
{
    if (!(severity > 1.0)) { // NaN, too
        return;
    }
    GtWorstFrame frame = { .time_s = time_s, .severity = severity, .node = node };
    va_list arguments;
    va_start(arguments, format);
    gti_format_v(frame.what, sizeof frame.what, format, arguments);
    va_end(arguments);
    int32_t at = 0;
    while (at < m->worst_count && m->worst[at].severity >= severity) {
        if (fabs(m->worst[at].time_s - time_s) < apart_s) {
            return; // a worse thing is seen at that moment already
        }
        ++at;
    }
    for (int32_t i = at; i < m->worst_count; ++i) {
        if (fabs(m->worst[i].time_s - time_s) < apart_s) {
            for (int32_t k = i; k + 1 < m->worst_count; ++k) {
                m->worst[k] = m->worst[k + 1];
            }
            --m->worst_count;
            --i;
        }
    }
    if (at < GT_WORST_FRAME_COUNT) {
        put(m, at, &frame);
    }
}

// By the vocabulary where it has a name there, else by its own.
static const char* node_name(const GtScene* scene, const GtMeasure* m, int32_t node)
{
    for (int32_t z = 0; z < m->zone_count; ++z) {
        if (m->zones[z].node == node && m->zones[z].joint != GT_NONE) {
            return gt_humanoid_name((GtHumanoidJoint)m->zones[z].joint);
        }
    }
    return node != GT_NONE && scene->nodes[node].name ? scene->nodes[node].name : "a joint without a name";
}

static void offer_legs(const GtFigure* subject, GtMeasure* m)
{
    const int32_t* source = subject->def->source_nodes;
    for (int side = 0; side < 2; ++side) {
        const GtFootMeasure* foot = &m->feet[side];
        const GtKneeMeasure* knee = &m->knees[side];
        int32_t foot_node = source[subject->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)]];
        int32_t knee_node = source[subject->joints[gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side)]];
        offer(m, foot->skate_m / SKATE_M, foot->skate_time_s, foot_node, "the %s foot has skated %.0f mm",
              side_names[side], 1000.0 * foot->skate_m);
        offer(m, foot->penetration_m / PENETRATION_M, foot->penetration_time_s, foot_node,
              "the %s sole is %.0f mm below the ground", side_names[side], 1000.0 * foot->penetration_m);
        offer(m, foot->float_m / FLOAT_M, foot->float_time_s, foot_node, "the %s sole floats %.0f mm above the ground",
              side_names[side], 1000.0 * foot->float_m);
        offer(m, knee->acceleration_ratio / KNEE_RATIO, knee->acceleration_time_s, knee_node,
              "the %s knee accelerates %.1f times as much as the source's", side_names[side], knee->acceleration_ratio);
    }
}

static void offer_zones(const GtScene* scene, GtMeasure* m)
{
    for (int32_t z = 0; z < m->zone_count; ++z) {
        const GtZoneMeasure* zone = &m->zones[z];
        const char* name = node_name(scene, m, zone->node);
        offer(m, (1.0 - zone->volume_min) / LOSS, zone->volume_time_s, zone->node,
              "%.80s has lost %.0f %% of its volume", name, 100.0 * (1.0 - zone->volume_min));
        offer(m, (1.0 - zone->section_min) / LOSS, zone->section_time_s, zone->node,
              "%.80s is %.0f %% thinner in a place", name, 100.0 * (1.0 - zone->section_min));
        offer(m, zone->flipped_count / (FLIPPED * (double)zone->triangle_count), zone->flipped_time_s, zone->node,
              "%d triangles of %.80s are inside out", (int)zone->flipped_count, name);
    }
}

// Where the joints to look at are.
static void find_places(const GtFigure* subject, GtMeasure* m)
{
    for (int32_t i = 0; i < m->worst_count; ++i) {
        GtWorstFrame* frame = &m->worst[i];
        if (frame->node != GT_NONE) {
            int32_t node = gt_character_node_from_source(subject->character, frame->node);
            gt_figure_pose(subject, frame->time_s, subject->instance);
            frame->place = gt_mat34_translation(&subject->instance->model_from_node[node]);
        }
    }
}

void gti_find_worst(const GtFigure* subject, GtMeasure* m)
{
    const GtScene* scene = subject->scene;
    for (int32_t i = 0; i < m->direction_count; ++i) {
        const GtDirectionMeasure* d = &m->directions[i];
        offer(m, gt_degrees(d->max_rad) / DIRECTION_DEG, d->max_time_s,
              subject->def->source_nodes[subject->joints[d->joint]], "%s points %.0f degrees away from the source's",
              gt_humanoid_name(d->joint), gt_degrees(d->max_rad));
    }
    if (m->is_humanoid) {
        double jumps = m->jump.way_m / (jump_heights * subject->height_m);
        offer(m, jumps > 1.0 ? jump_severity * jumps : 0.0, m->jump.time_s,
              subject->def->source_nodes[subject->joints[GT_HUMANOID_HIPS]],
              "the hips jump %.2f m from one frame to the next", m->jump.way_m);
        offer_legs(subject, m);
    }
    for (int32_t i = 0; i < m->flight_count; ++i) {
        const GtFlightMeasure* flight = &m->flights[i];
        offer(m, flight->miss_m / MISS_M, 0.5 * (flight->start_s + flight->end_s), GT_NONE,
              "the centre of mass is %.0f mm off free fall", 1000.0 * flight->miss_m);
    }
    if (m->mesh_frame_count) {
        offer(m, m->self.depth_m / SELF_M, m->self.time_s, m->self.node, "%.60s is %.0f mm inside %.60s",
              node_name(scene, m, m->self.node), 1000.0 * m->self.depth_m, node_name(scene, m, m->self.other_node));
    }
    offer_zones(scene, m);
    find_places(subject, m);
}
