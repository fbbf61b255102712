// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The walk of Boulic, Magnenat-Thalmann and Thalmann, "A global human walking model with real-time kinematic
// personification", The Visual Computer 6 (1990). With v the speed in leg lengths a second, a cycle covers
// 1.346 sqrt(v) leg lengths and lasts T = 1.346 / sqrt(v) seconds, of which a foot stands 0.752 T - 0.143 and both
// stand twice 0.252 T - 0.143. The paths of pelvis, thorax and arms and the bend of the swinging knee are the published
// ones; the standing legs are solved for feet that roll on the ground, and the hips are lowered until no knee is
// overstretched.

#include "motions/motion.h"

#include "base/fail.h"

#include <math.h>

#define MOST_SPEED     2.3 // leg lengths a second
#define LEAST_SPEED    0.2
#define LEAST_KNEE_DEG 3.0

enum {
    STANCE_SAMPLES = 64
};

typedef struct Walk {
    double speed;   // leg lengths a second
    double lowered; // leg lengths
} Walk;

static const Walk* walk_of(const GtiGait* gait)
{
    return gait->body_user;
}

// How far into the fast range of the model a speed is: 0 at 1.3, 1 at 3 leg lengths a second.
static double fast(double speed)
{
    return fmax((speed - 1.3) / 1.7, 0.0);
}

// Amplitudes of the model grow like this up to half a leg length a second, where they reach a quarter of `a`.
static double slow_rise(double a, double speed)
{
    return speed < 0.5 ? a * speed * (1.0 - speed) : 0.25 * a;
}

// The pelvis falls on the side of the leg that swings; left side up, in degrees.
static double pelvis_list_deg(double speed, double phase)
{
    double half = phase < 0.5 ? phase : phase - 0.5;
    double fall = half < 0.15 ? 1.0 - cos(2.0 * GTI_PI * half / 0.3) : 1.0 + cos(2.0 * GTI_PI * (half - 0.15) / 0.7);
    return (phase < 0.5 ? 1.66 : -1.66) * speed * fall;
}

static double thorax_yaw_deg(double speed, double phase)
{
    const GtiMotionKnot knots[] = { { 0.1, 4.0 / 3.0 }, { 0.4, -1.5 }, { 0.6, -4.0 / 3.0 }, { 0.9, 1.5 } };
    return speed * gti_through_cycle(knots, 4, 1.0, phase);
}

static double elbow_deg(double speed, double phase)
{
    double middle = (speed - 0.5) / 0.8;
    GtiMotionKnot knots[3] = { { 0.05, 6.0 * speed + 3.0 }, { 0.5, 34.0 * speed + 3.0 }, { 0.9, 10.0 * speed + 3.0 } };
    if (speed >= 1.3) {
        double f = fast(speed);
        knots[0].value = 14.0 - 6.0 * f;
        knots[1] = (GtiMotionKnot){ 0.51 + 0.04 * f, 44.0 + 26.0 * f };
        knots[2] = (GtiMotionKnot){ 0.9 - 0.1 * f, 17.0 - 6.0 * f };
    } else if (speed >= 0.5) {
        knots[0].value = 6.0 + 8.0 * middle;
        knots[1] = (GtiMotionKnot){ 0.5 + 0.01 * middle, 20.0 + 24.0 * middle };
        knots[2].value = 8.0 + 9.0 * middle;
    }
    return gti_through_cycle(knots, 3, 1.0, phase);
}

static void swing_arm(double speed, int side, double phase, GtiPuppet* puppet)
{
    double own = phase + 0.5 * side;
    double swing = 9.88 * speed;
    double* arm = puppet->values + gti_arm(side, GTI_SHRUG);
    double raise = 3.0 - 0.5 * swing - swing * cos(2.0 * GTI_PI * own);
    arm[GTI_RAISE] = raise + 2.0;
    arm[GTI_PUSH] = 0.12 * raise;
    arm[GTI_ELBOW] = elbow_deg(speed, own) - 10.0;
    arm[GTI_ROLL] = 8.0 + 0.4 * raise;                             // a hand that swings forwards swings inwards
    arm[GTI_WRIST] = 3.0 - 5.0 * sin(2.0 * GTI_PI * (own - 0.08)); // drags behind
}

// The published path of the pelvis and the upper body at a phase from 0 to 1.
static void walk_body(const GtiGait* gait, double phase, GtiPose* out)
{
    const Walk* walk = walk_of(gait);
    double speed = walk->speed;
    double turn = 2.0 * GTI_PI;
    double cycle = phase - floor(phase);
    GtiPuppet puppet = { { 0.0 } };
    double* v = puppet.values;
    v[GTI_HIPS_UP] = 0.0132 * speed * (sin(turn * (2.0 * cycle - 0.29)) - 1.0) - walk->lowered;
    v[GTI_HIPS_LEFT] = slow_rise(0.128, speed) * sin(turn * (cycle - 0.1));
    v[GTI_HIPS_AHEAD] = slow_rise(0.084, speed) * sin(turn * 2.0 * (cycle + 0.625 - gait->support));
    double pelvis_yaw = -4.0 * speed * cos(turn * cycle);
    double list = pelvis_list_deg(speed, cycle);
    double lean = slow_rise(8.0, speed) * (1.0 - sin(turn * (2.0 * cycle - 0.1)));
    v[GTI_HIPS_YAW] = pelvis_yaw;
    v[GTI_HIPS_LIST] = list;
    v[GTI_HIPS_LEAN] = 2.0;
    v[GTI_SPINE_LEAN] = lean - 1.0 + 0.8 * speed;
    v[GTI_SPINE_YAW] = thorax_yaw_deg(speed, cycle) - pelvis_yaw;
    v[GTI_SPINE_LIST] = -0.85 * list;
    v[GTI_HEAD_NOD] = -0.9 * (lean + 1.0 + 0.8 * speed);
    v[GTI_HEAD_YAW] = -0.85 * thorax_yaw_deg(speed, cycle);
    v[GTI_HEAD_LIST] = -0.15 * list;
    swing_arm(speed, GTI_LEFT, cycle, &puppet);
    swing_arm(speed, GTI_RIGHT, cycle, &puppet);
    gti_puppet_body(gait->stand, &puppet, out);
    out->hips.z += (float)(gait->cycle_m * phase) - gait->stand->hips.z;
}

// How much the hips must come down so that the standing leg reaches the ground with a knee that is not straight.
static double needed_lowering(const GtiGait* gait)
{
    const GtiSkeleton* skeleton = &gait->stand->skeleton;
    double length = gti_leg_length(skeleton, LEAST_KNEE_DEG);
    double needed = 0.0;
    for (int i = 0; i <= STANCE_SAMPLES; ++i) {
        double phase = gait->support * i / STANCE_SAMPLES;
        GtiPose pose;
        walk_body(gait, phase, &pose);
        needed = fmax(needed, gti_gait_overstretch_m(gait, &pose, phase, length));
    }
    return needed / skeleton->leg_m;
}

static GtResult plan_walk(GtiMotion* motion, GtError* error)
{
    double leg_m = motion->stand.skeleton.leg_m;
    double speed_mps = motion->def->speed_mps;
    if (!(speed_mps >= LEAST_SPEED * leg_m && speed_mps <= MOST_SPEED * leg_m)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a walk at %g m/s is out of range; legs of %.2f m walk at %.2f to %.2f m/s, and run faster",
                        speed_mps, leg_m, LEAST_SPEED * leg_m, MOST_SPEED * leg_m);
    }
    motion->natural_s = 1.346 / sqrt(speed_mps / leg_m);
    return GT_OK;
}

static GtResult prepare_walk(GtiMotion* motion, GtArena* scratch, GtError* error)
{
    const GtiSkeleton* skeleton = &motion->stand.skeleton;
    GtiGait* gait = &motion->gait;
    Walk* walk = gt_arena_push(scratch, sizeof *walk);
    if (!walk) {
        return gti_out_of_memory(error);
    }
    double speed = motion->def->speed_mps / skeleton->leg_m;
    *walk = (Walk){ .speed = speed };
    double cycle_s = motion->period_s;
    *gait = (GtiGait){ .stand = &motion->stand, .cycle_s = cycle_s, .body = walk_body, .body_user = walk };
    gait->cycle_m = motion->def->speed_mps * cycle_s;
    gait->support = (0.752 * cycle_s - 0.143) / cycle_s;
    gait->strike_deg = gti_clamp(6.0 + 10.0 * speed, 6.0, 27.0);
    gait->flat = 0.077;
    gait->heel_off = gait->support - 0.247;
    gait->push_deg = gti_clamp(48.0 + 18.0 * speed, 50.0, 79.0);
    gait->push_shape = 1.3;
    gait->heel_ahead_m = 0.436 * (gait->support * gait->cycle_m - skeleton->foot_m);
    gait->heel_out_m = (0.05 + 0.015 * motion->stand.girth) * skeleton->leg_m;
    gait->toes_out_deg = gti_clamp(8.5 - 1.4 * speed, 3.0, 8.5) - gti_foot_out_deg(skeleton);
    gait->knee_deg = speed < 0.5 ? fmax(140.0 * speed, 45.0) : 70.0 - 5.0 * fast(speed);
    gait->knee_deg += gti_leg_straight_deg(skeleton);
    gait->knee_at = 0.75 - 0.05 * fast(speed);
    gait->clearance_m = 0.016 * skeleton->leg_m;
    walk->lowered = needed_lowering(gait);
    gti_gait_prepare(gait);
    motion->travel_m = gait->cycle_m;
    return GT_OK;
}

static void pose_walk(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    gti_gait_pose(&motion->gait, time_s / motion->period_s, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_walk = { "walk", true, 0.0, plan_walk, prepare_walk, pose_walk };
