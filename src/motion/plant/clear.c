// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet in the air do not go into the ground. Toes that would scrape it are pulled up by turning the foot, which costs
// the knee nothing; what that leaves is lifted. Both begin before they are needed and end after it, smoothly.

#include "motion/plant/plant.h"
#include "motion/take/take.h"

#include <math.h>

static const double AROUND_S = 0.025;    // before and after
static const double SMOOTH_S = 0.025;    // standard deviation
static const double STEP_AROUND_S = 0.1; // likewise, over uneven ground: a step is seen coming
static const double STEP_SMOOTH_S = 0.05;
static const double STEP_EDGE_S = 0.15;
static const double EDGE_S = 0.05;     // next to a contact, in which nothing yet happens
static const float MOST_RAD = 0.25f;   // that a foot is turned
static const float ARM = 0.2f;         // of the shank, that a point must be ahead of the ankle to turn it
static const float MOST_DEPTH = 0.4f;  // of the leg, that a foot is lifted by: who lies or kneels is left alone
static const float MOST_STEP = 0.6f;   // likewise, over uneven ground
static const float ENOUGH_M = 0.0005f; // that feet may be in the ground

// How far from a contact, in time: 0 within one, 1 far off.
static void measure_freedom(const GtiPlant* plant, int side, float* out)
{
    const double edge_s = plant->ground ? STEP_EDGE_S : EDGE_S;
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        out[f] = plant->feet[side][f].is_down ? 0.0f : INFINITY;
    }
    gti_plant_apart(plant, out);
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        out[f] = gti_smooth_step((double)out[f] / edge_s);
    }
}

// The most that is asked for nearby, smoothed, as far as the foot is free.
static void spread(const GtiPlant* plant, const float* wants, const float* freedom, GtVec3* room, float* out)
{
    int32_t count = plant->frames->count;
    gti_plant_most_near(plant, plant->ground ? STEP_AROUND_S : AROUND_S, wants, out);
    for (int32_t f = 0; f < count; ++f) {
        room[f] = gt_vec3(out[f], 0.0f, 0.0f);
    }
    gti_plant_smooth(plant, plant->ground ? STEP_SMOOTH_S : SMOOTH_S, room, room + count);
    for (int32_t f = 0; f < count; ++f) {
        out[f] = room[count + f].x * freedom[f];
    }
}

static float depth_of(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    float depth = gti_plant_rise(plant, side, frame, foot->goal) - foot->goal.y;
    float most = (plant->ground ? MOST_STEP : MOST_DEPTH) * gti_leg_m(foot);
    return depth > ENOUGH_M && !foot->is_down ? fminf(depth, most) : 0.0f;
}

// The axis about which the toes of a foot go up. It goes with the foot, so that it does not leap as that goes upright.
static GtVec3 toes_up(const GtiPlant* plant, int side, int32_t frame)
{
    GtVec3 right = gt_vec3_cross(gti_figure_forward(plant->figure), gt_vec3(0.0f, 1.0f, 0.0f));
    return gt_quat_rotate(plant->feet[side][frame].turn, right);
}

// By how much the toes have to be turned up about the ankle for all their points to be above the ground, as far as that
// lifts them.
static float turn_wanted(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiTread* sole = plant->sole;
    const GtiFootFrame* foot = &plant->feet[side][frame];
    if (plant->ground || depth_of(plant, side, frame) == 0.0f) {
        return 0.0f;
    }
    float arm = ARM * (gt_vec3_length(gt_vec3_sub(foot->ankle, foot->knee)));
    GtVec3 axis = toes_up(plant, side, frame);
    const GtVec3* points = gti_plant_points(plant, frame);
    float most = 0.0f;
    for (int32_t i = 0; i < sole->point_count; ++i) {
        float depth = gti_plant_floor(plant, side, frame) - (foot->goal.y + points[i].y);
        float lift = gt_vec3_cross(axis, points[i]).y; // for a turn of 1
        if (gti_plant_is_on(plant, i, side) && depth > 0.0f && lift > 0.0f) {
            most = fmaxf(most, gti_smooth_step(2.0 * (double)(lift / arm - 1.0f)) * fminf(depth / lift, MOST_RAD));
        }
    }
    return most;
}

static void turn_feet(GtiPlant* plant, int side, const float* angles)
{
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        if (angles[f] > 0.0f) {
            gti_plant_turn(plant, side, f, gt_quat_from_axis_angle(toes_up(plant, side, f), angles[f]));
        }
    }
}

GtResult gti_plant_clear(GtiPlant* plant)
{
    size_t count = (size_t)plant->frames->count;
    GtVec3* room = gt_arena_push_array(plant->scratch, 2 * count, sizeof *room);
    float* freedom = gt_arena_push_array(plant->scratch, count, sizeof *freedom);
    float* wants = gt_arena_push_array(plant->scratch, count, sizeof *wants);
    float* gets = gt_arena_push_array(plant->scratch, count, sizeof *gets);
    if (!room || !freedom || !wants || !gets) {
        return gti_out_of_memory(plant->error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        measure_freedom(plant, side, freedom);
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            wants[f] = turn_wanted(plant, side, f);
        }
        spread(plant, wants, freedom, room, gets);
        turn_feet(plant, side, gets);
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            wants[f] = depth_of(plant, side, f);
        }
        spread(plant, wants, freedom, room, gets);
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            plant->feet[side][f].goal.y += gets[f];
        }
    }
    return GT_OK;
}
