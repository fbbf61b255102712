// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet in the air. Carried along with the hips, a leg is as it was; so a foot that leaves the ground goes over from
// where it stood to that, and the other way round before it lands. Both are smooth up to the second derivative of the
// offset, so that legs do not jerk where a contact begins or ends.

#include "motion/plant/plant.h"
#include "motion/take/take.h"

#include <math.h>

static const double LEAVE_S = 0.35;      // in which a foot goes over
static const double SPEED_SPAN_S = 0.06; // in which the speed of an offset dies away

// One end of a contact: where its foot is against the hips, beyond where it was.
typedef struct Edge {
    double time_s;
    GtVec3 offset;
    GtVec3 speed; // metres a second
} Edge;

static GtVec3 offset_of(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    return gt_vec3_sub(gt_vec3_sub(foot->goal, foot->ankle), plant->shifts[frame]);
}

// `inward` is 1 at a contact's start and -1 at its end.
static Edge edge_of(const GtiPlant* plant, int side, int32_t frame, int32_t inward, bool in_height)
{
    const GtiPlantFrames* frames = plant->frames;
    Edge edge = { (double)frames->times[frame], offset_of(plant, side, frame), gt_vec3(0.0f, 0.0f, 0.0f) };
    int32_t inside = frame;
    for (int32_t k = 0; k < 3; ++k) {
        int32_t next = inside + inward;
        bool is_inside = next >= 0 && next < frames->count && gti_plant_is_held(&plant->feet[side][next], in_height);
        inside = is_inside ? next : inside;
    }
    if (inside != frame) {
        double span_s = (double)frames->times[inside] - edge.time_s;
        GtVec3 way = gt_vec3_sub(offset_of(plant, side, inside), edge.offset);
        edge.speed = gt_vec3_scale(way, (float)(1.0 / span_s));
    }
    return edge;
}

// From 0 with slope 1 and no bend to 0 with neither.
static double fading_slope(double u)
{
    return u >= 1.0 ? 0.0 : u * (1.0 + u * u * (-6.0 + u * (8.0 - 3.0 * u)));
}

// What is left of an edge's offset some time away from it, in either direction.
static GtVec3 fade_edge(const Edge* edge, double time_s, double room_s)
{
    double since_s = time_s - edge->time_s;
    double speed_span_s = fmin(SPEED_SPAN_S, room_s);
    double way_s = copysign(speed_span_s * fading_slope(fabs(since_s) / speed_span_s), since_s);
    GtVec3 left = gt_vec3_scale(edge->offset, 1.0f - gti_smooth_step(fabs(since_s) / fmin(LEAVE_S, room_s)));
    return gt_vec3_add(left, gt_vec3_scale(edge->speed, (float)way_s));
}

static void carry_swing(GtiPlant* plant, int side, int32_t first, int32_t end, bool in_height)
{
    bool has_before = first > 0;
    bool has_after = end < plant->frames->count;
    Edge before = has_before ? edge_of(plant, side, first - 1, -1, in_height) : (Edge){ 0 };
    Edge after = has_after ? edge_of(plant, side, end, 1, in_height) : (Edge){ 0 };
    double room_s = has_before && has_after ? after.time_s - before.time_s : INFINITY;
    for (int32_t f = first; f < end; ++f) {
        GtiFootFrame* foot = &plant->feet[side][f];
        double now_s = (double)plant->frames->times[f];
        GtVec3 goal = gt_vec3_add(foot->ankle, plant->shifts[f]);
        goal = has_before ? gt_vec3_add(goal, fade_edge(&before, now_s, room_s)) : goal;
        goal = has_after ? gt_vec3_add(goal, fade_edge(&after, now_s, room_s)) : goal;
        foot->goal = gti_plant_mix(foot->goal, goal, in_height);
    }
}

static void carry_swings(GtiPlant* plant, int side, bool in_height)
{
    int32_t first = 0;
    for (int32_t f = 0; f <= plant->frames->count; ++f) {
        if (f == plant->frames->count || gti_plant_is_held(&plant->feet[side][f], in_height)) {
            if (f > first) {
                carry_swing(plant, side, first, f, in_height);
            }
            first = f + 1;
        }
    }
}

void gti_plant_swings(GtiPlant* plant)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        carry_swings(plant, side, false);
        carry_swings(plant, side, true);
    }
}
