// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A jump straight up. The centre of mass is led: down into the crouch, up to the speed that carries it `rise_m` high,
// free fall, into the landing and back to standing, with speed and acceleration continuous throughout; the hips are
// where that asks for them. Arms swing back in the crouch and up with the push. Feet roll onto the toes, point in the
// air and land toes first.

#include "motions/motion.h"

#include "base/fail.h"

#include <math.h>

#define LEAST_RISE 0.02 // leg lengths
#define MOST_RISE  0.8
#define TOUCH_DROP 0.035 // leg lengths
// Seconds, of a person with legs of 0.9275 m; smaller people are quicker, as pendulums are.
#define READY_S        0.15
#define CROUCH_S       0.50
#define LAND_S         0.28 // to the lowest point
#define RISE_S         0.75
#define REST_S         0.25
#define TIPTOE_DEG     64.0
#define LEAVE_KNEE_DEG 17.0
#define STRETCH_SHARE  0.75 // of the take-off speed that comes from the knees

typedef struct Jump {
    double pace;    // how long things take, against legs of 0.9275 m
    double stand_m; // heights of the centre of mass: standing
    double leave_m; // on tiptoe, when the feet leave the ground
    double touch_m; // when they touch it again, knees a little bent
    double crouch_m;
    double low_m;     // after landing
    double speed_mps; // at take-off
    double fall_mps;  // at touch-down
    double push_s, flight_s;
    double start_s, push_at_s, leave_s, touch_s, low_s, up_s; // when each part ends
} Jump;

static const Jump* jump_of(const GtiMotion* motion)
{
    return motion->state;
}

static double center_height(const Jump* jump, double t)
{
    const GtiState stand = { jump->stand_m, 0.0, 0.0 };
    const GtiState crouch = { jump->crouch_m, 0.0, 0.0 };
    const GtiState leave = { jump->leave_m, jump->speed_mps, -GTI_GRAVITY };
    const GtiState touch = { jump->touch_m, -jump->fall_mps, -GTI_GRAVITY };
    const GtiState low = { jump->low_m, 0.0, 6.0 };
    if (t < jump->start_s) {
        return jump->stand_m;
    }
    if (t < jump->push_at_s) {
        return gti_between(stand, crouch, jump->push_at_s - jump->start_s, t - jump->start_s);
    }
    if (t < jump->leave_s) {
        return gti_between(crouch, leave, jump->push_s, t - jump->push_at_s);
    }
    if (t < jump->touch_s) {
        double s = t - jump->leave_s;
        return jump->leave_m + jump->speed_mps * s - 0.5 * GTI_GRAVITY * s * s;
    }
    if (t < jump->low_s) {
        return gti_between(touch, low, jump->low_s - jump->touch_s, t - jump->touch_s);
    }
    return gti_between(low, stand, jump->up_s - jump->low_s, fmin(t, jump->up_s) - jump->low_s);
}

// How deep the knees are bent before and after, as a share of the deepest.
static double crouch_at(const Jump* jump, double t)
{
    return gti_ease(t, jump->start_s, jump->push_at_s) * (1.0 - gti_ease(t, jump->push_at_s, jump->leave_s));
}

static double landing_at(const Jump* jump, double t)
{
    return gti_ease(t, jump->touch_s - 0.05 * jump->pace, jump->low_s) * (1.0 - gti_ease(t, jump->low_s, jump->up_s));
}

static double foot_pitch_deg(const Jump* jump, double t)
{
    double up = gti_ease(t, jump->push_at_s + 0.4 * jump->push_s, jump->leave_s + 0.07 * jump->pace);
    double landed = gti_clamp((t - jump->touch_s) / (0.15 * jump->pace), 0.0, 1.0);
    double down = landed * (2.0 - landed); // the heels come down at once, and take up part of the fall
    double relax = gti_ease(t, jump->leave_s, jump->leave_s + 0.5 * jump->flight_s) *
                   (1.0 - gti_ease(t, jump->leave_s + 0.5 * jump->flight_s, jump->touch_s));
    return -TIPTOE_DEG * up * (1.0 - down) * (1.0 - 0.3 * relax);
}

static void jump_channels(const Jump* jump, double t, GtiPuppet* puppet)
{
    double* v = puppet->values;
    double crouch = crouch_at(jump, t);
    double landing = landing_at(jump, t);
    double reach = gti_ease(t, jump->push_at_s - 0.1 * jump->pace, jump->leave_s + 0.12 * jump->pace) *
                   (1.0 - gti_ease(t, jump->touch_s - 0.6 * jump->flight_s, jump->low_s + 0.1 * jump->pace));
    v[GTI_HIPS_LEAN] = 30.0 * crouch + 20.0 * landing - 3.0 * reach;
    v[GTI_SPINE_LEAN] = 16.0 * crouch + 12.0 * landing - 5.0 * reach;
    v[GTI_HEAD_NOD] = -26.0 * crouch - 20.0 * landing - 8.0 * reach;
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        arm[GTI_SHRUG] = 14.0 * reach;
        arm[GTI_RAISE] = -46.0 * crouch + 145.0 * reach + 24.0 * landing;
        arm[GTI_SPREAD] = 6.0 * crouch + 4.0 * reach + 16.0 * landing;
        arm[GTI_ELBOW] = 6.0 * crouch + 4.0 * reach + 26.0 * landing;
        arm[GTI_FIST] = -0.5 * reach;
        v[gti_leg(side, GTI_FOOT_PITCH)] = foot_pitch_deg(jump, t);
        v[gti_leg(side, GTI_KNEE_OUT)] = 5.0 * crouch + 5.0 * landing;
    }
}

// Knees that extend when the feet leave the ground go on until they are nearly straight.
static double stretch_m(const GtiStand* stand, const Jump* jump, double time_s)
{
    double most_m = gti_leg_length(&stand->skeleton, 3.0) - gti_leg_length(&stand->skeleton, LEAVE_KNEE_DEG);
    double stretched = 1.0 - exp(-STRETCH_SHARE * jump->speed_mps * time_s / most_m);
    return most_m * stretched * (1.0 - gti_ease(time_s, 0.0, 0.5 * jump->flight_s));
}

// In the air the feet hang under the hips: as far below the centre of mass as at take-off, and drawn up a little.
static void pose_jump(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    const GtiStand* stand = &motion->stand;
    const Jump* jump = jump_of(motion);
    double t = fmin(time_s, motion->period_s);
    double height = center_height(jump, t);
    GtiPuppet puppet = { { 0.0 } };
    jump_channels(jump, t, &puppet);
    GtiFoot feet[2] = { gti_puppet_foot(stand, &puppet, GTI_LEFT), gti_puppet_foot(stand, &puppet, GTI_RIGHT) };
    if (t > jump->leave_s && t < jump->touch_s) {
        double s = (t - jump->leave_s) / jump->flight_s;
        double drawn =
            0.05 * stand->skeleton.leg_m * pow(sin(GTI_PI * s), 2.0) - stretch_m(stand, jump, t - jump->leave_s);
        for (int side = 0; side < 2; ++side) {
            feet[side].lift = fmax(height - gti_mix(jump->leave_m, jump->touch_m, s) + drawn, 1e-9);
        }
    }
    GtVec3 target = gt_vec3(stand->center.x, (float)height, stand->center.z);
    gti_puppet_settle(stand, &puppet, feet, target, 7, &out->pose, out->planted);
}

// The centre of mass, and how the knees are bent, in a pose of the jump with the hips at a height from standing.
static double center_with(const GtiMotion* motion, const Jump* jump, double t, double hips_up, double* knee_deg)
{
    const GtiStand* stand = &motion->stand;
    GtiPuppet puppet = { { 0.0 } };
    GtiPose pose;
    GtiPlaces places;
    int planted[2];
    jump_channels(jump, t, &puppet);
    puppet.values[GTI_HIPS_UP] = hips_up;
    puppet.values[GTI_BALANCE] = 1.0;
    gti_puppet_pose(stand, &puppet, &pose, planted);
    gti_pose_places(&stand->skeleton, &pose, &places);
    GtVec3 hip = places.points[GT_HUMANOID_LEFT_UPPER_LEG];
    GtiFoot foot = gti_puppet_foot(stand, &puppet, GTI_LEFT);
    GtVec3 ankle = gti_foot_sole(&stand->skeleton, GTI_LEFT, &foot).ankle;
    *knee_deg = gti_leg_knee_deg(&stand->skeleton, (double)gt_vec3_length(gt_vec3_sub(hip, ankle)));
    return (double)gti_center_of_mass(&stand->skeleton, &places).y;
}

// As high as the legs can hold it on tiptoe.
static double leaving_height(const GtiMotion* motion, const Jump* jump)
{
    double low = 0.0;
    double high = 0.3;
    double knee_deg = 0.0;
    for (int step = 0; step < 30; ++step) {
        double middle = 0.5 * (low + high);
        center_with(motion, jump, jump->leave_s, middle, &knee_deg);
        if (knee_deg > LEAVE_KNEE_DEG) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return center_with(motion, jump, jump->leave_s, low, &knee_deg);
}

// How far the hips go down to jump that high, in leg lengths.
static double crouch_depth(double rise_m, double leg_m)
{
    return 0.2 + 0.12 * rise_m / leg_m;
}

// Speeds and times; gravity sets how long the flight lasts.
static Jump jump_times(double rise_m, double leg_m)
{
    Jump jump = { .pace = sqrt(leg_m / 0.9275), .speed_mps = sqrt(2.0 * GTI_GRAVITY * rise_m) };
    jump.fall_mps = sqrt(2.0 * GTI_GRAVITY * (rise_m + TOUCH_DROP * leg_m));
    jump.flight_s = (jump.speed_mps + jump.fall_mps) / GTI_GRAVITY;
    jump.push_s = fmin(2.3 * (crouch_depth(rise_m, leg_m) + 0.11) * leg_m / jump.speed_mps, 0.6 * jump.pace);
    jump.start_s = READY_S * jump.pace;
    jump.push_at_s = jump.start_s + CROUCH_S * jump.pace;
    jump.leave_s = jump.push_at_s + jump.push_s;
    jump.touch_s = jump.leave_s + jump.flight_s;
    jump.low_s = jump.touch_s + LAND_S * jump.pace;
    jump.up_s = jump.low_s + RISE_S * jump.pace;
    return jump;
}

static GtResult plan_jump(GtiMotion* motion, GtError* error)
{
    double leg_m = motion->stand.skeleton.leg_m;
    double rise_m = motion->def->rise_m;
    if (!(rise_m >= LEAST_RISE * leg_m && rise_m <= MOST_RISE * leg_m)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a jump of %g m is out of range; legs of %.2f m jump %.2f to %.2f m",
                        rise_m, leg_m, LEAST_RISE * leg_m, MOST_RISE * leg_m);
    }
    Jump jump = jump_times(rise_m, leg_m);
    motion->natural_s = jump.up_s + REST_S * jump.pace;
    return GT_OK;
}

// What is left over by fitting to the frame rate goes into rest at the end.
static GtResult prepare_jump(GtiMotion* motion, GtArena* scratch, GtError* error)
{
    Jump* jump = gt_arena_push(scratch, sizeof *jump);
    if (!jump) {
        return gti_out_of_memory(error);
    }
    double leg_m = motion->stand.skeleton.leg_m;
    *jump = jump_times(motion->def->rise_m, leg_m);
    double deep = crouch_depth(motion->def->rise_m, leg_m);
    double knee_deg = 0.0;
    jump->stand_m = (double)motion->stand.center.y;
    jump->leave_m = leaving_height(motion, jump);
    jump->touch_m = jump->leave_m - TOUCH_DROP * leg_m;
    jump->crouch_m = center_with(motion, jump, jump->push_at_s, -deep, &knee_deg);
    jump->low_m = center_with(motion, jump, jump->low_s, -0.75 * deep - 0.04, &knee_deg);
    motion->state = jump;
    return GT_OK;
}

const GtiMotionTable gti_motion_jump = { "jump", false, 0.0, plan_jump, prepare_jump, pose_jump };
