// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet on uneven ground: how it slopes under them, where they can stand, and how high that is.

#include "motion/plant/plant.h"
#include "motion/take/take.h"

#include <math.h>

enum {
    FOOTHOLD_STEPS = 8
};

static const float EVEN = 0.03f;          // of the leg, that ground under a sole may differ by to stand there
static const float FOOTHOLD_STEP = 0.02f; // likewise, in which a foothold is looked for, ahead and back
static const float SLOPE_REACH = 0.1f;    // of the leg, that the ground is looked at around the middle of a foot
static const float MAX_SLOPE = 0.7f;      // that a foot lies on

// How much the ground under a foot rises a metre along x and along z (its y is 0): by how high it is before and behind,
// left and right of the middle of the foot. Where it is steeper than one stands, as at a step, it is taken to be level.
static GtVec3 slope_under(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    GtVec3 ahead = gti_plant_ahead(plant, side, frame);
    GtVec3 aside = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), ahead);
    float half = SLOPE_REACH * gti_leg_m(foot);
    float rises[2];
    for (int axis = 0; axis < 2; ++axis) {
        GtVec3 way = gt_vec3_scale(axis == 0 ? ahead : aside, half);
        GtVec3 at = gt_vec3_add(foot->ankle, gt_vec3_scale(ahead, half));
        float up =
            gti_plant_ground(plant, at.x + way.x, at.z + way.z) - gti_plant_ground(plant, at.x - way.x, at.z - way.z);
        rises[axis] = up / (2.0f * half);
    }
    if (!(hypotf(rises[0], rises[1]) < MAX_SLOPE)) {
        return gt_vec3(0.0f, 0.0f, 0.0f);
    }
    return gt_vec3_add(gt_vec3_scale(ahead, rises[0]), gt_vec3_scale(aside, rises[1]));
}

// The rotation vector that turns up into what is upright on such ground.
static GtVec3 tilt_of_slope(GtVec3 slope)
{
    float rise = hypotf(slope.x, slope.z);
    GtVec3 axis = gt_vec3(-slope.z, 0.0f, slope.x); // up x (-slope)
    return rise > 1e-6f ? gt_vec3_scale(axis, atanf(rise) / rise) : gt_vec3(0.0f, 0.0f, 0.0f);
}

static GtVec3 tilt_of_run(const GtiPlant* plant, int side, int32_t first, int32_t last, float* room)
{
    (void)room;
    return tilt_of_slope(slope_under(plant, side, first + (last - first) / 2));
}

void gti_plant_lay_on_slopes(GtiPlant* plant, int side, float* room, GtVec3* tilts)
{
    static const GtiTilting laying = { gti_plant_stands, tilt_of_run, gti_plant_turn };
    gti_plant_tilt(plant, side, &laying, room, tilts);
}

// How uneven the ground would be under the sole, were the foot of a frame moved by some way.
static float unevenness(const GtiPlant* plant, int side, int32_t frame, GtVec3 slope, GtVec3 way)
{
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t i = 0; i < plant->sole->point_count; ++i) {
        if (gti_plant_is_on(plant, i, side)) {
            GtVec3 at = gt_vec3_add(gt_vec3_add(plant->feet[side][frame].goal, way), gti_plant_points(plant, frame)[i]);
            float height = gti_plant_ground(plant, at.x, at.z) - slope.x * at.x - slope.z * at.z;
            low = fminf(low, height);
            high = fmaxf(high, height);
        }
    }
    return high - low;
}

// A foot that would stand across the edge of a step is set down before it or behind it, whichever is nearer.
void gti_plant_find_foothold(GtiPlant* plant, int side, int32_t first, int32_t last)
{
    GtiFootFrame* feet = plant->feet[side];
    int32_t middle = first + (last - first) / 2;
    GtVec3 slope = slope_under(plant, side, middle);
    GtVec3 ahead = gti_plant_ahead(plant, side, middle);
    float even = EVEN * gti_leg_m(&feet[middle]);
    float step = FOOTHOLD_STEP * gti_leg_m(&feet[middle]);
    GtVec3 best = gt_vec3(0.0f, 0.0f, 0.0f);
    bool found = unevenness(plant, side, middle, slope, best) < even;
    for (int k = 1; k <= FOOTHOLD_STEPS && !found; ++k) {
        for (int way = 1; way >= -1 && !found; way -= 2) {
            best = gt_vec3_scale(ahead, (float)(way * k) * step);
            found = unevenness(plant, side, middle, slope, best) < even;
        }
    }
    for (int32_t f = first; f <= last && found; ++f) {
        feet[f].goal = gt_vec3_add(feet[f].goal, best);
    }
}

// Put the ankles of a contact so high that the sole is on the ground. Uneven ground is one plane for the whole contact,
// on top of all that is under the sole in the middle of it: a foot that rolls over the edge of a step stays on it.
void gti_plant_raise(GtiPlant* plant, int side, int32_t first, int32_t last)
{
    GtiFootFrame* feet = plant->feet[side];
    int32_t middle = first + (last - first) / 2;
    GtVec3 slope = slope_under(plant, side, middle);
    float level = -INFINITY;
    for (int32_t i = 0; i < plant->sole->point_count; ++i) {
        if (gti_plant_is_on(plant, i, side)) {
            GtVec3 at = gt_vec3_add(feet[middle].goal, gti_plant_points(plant, middle)[i]);
            level = fmaxf(level, gti_plant_ground(plant, at.x, at.z) - gt_vec3_dot(slope, at));
        }
    }
    for (int32_t f = first; f <= last; ++f) {
        float rise = -INFINITY;
        for (int32_t i = 0; i < plant->sole->point_count; ++i) {
            if (gti_plant_is_on(plant, i, side)) {
                GtVec3 point = gti_plant_points(plant, f)[i];
                GtVec3 at = gt_vec3_add(feet[f].goal, point);
                rise = fmaxf(rise, level + slope.x * at.x + slope.z * at.z - point.y);
            }
        }
        feet[f].goal.y = rise;
    }
}
