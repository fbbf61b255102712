// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A run. Step rate and contact time follow the speed as measured of runners (Cavagna et al. 1988; Weyand et al. 2000),
// made free of size by leg length and gravity: with u = v / sqrt(g leg), steps come at (0.77 + 0.075 u^2) sqrt(g / leg)
// and a foot is on the ground for 0.205 + 0.135 / u of the cycle. The centre of mass moves ahead evenly; in the air it
// falls freely, on the ground it follows the quartic that takes it up with the speed and the acceleration of the fall
// and gives it back likewise. The hips are where the centre of mass asks for them, found for a table of phases by
// moving them by what the centre of mass is off until it is not.

#include "motions/motion.h"

#include "base/fail.h"

#include <math.h>

#define LEAST_SPEED    1.8 // leg lengths a second
#define MOST_SPEED     7.5
#define LEAST_KNEE_DEG 17.0

enum {
    PHASES = 256,
    ROUNDS = 14
};

typedef struct Run {
    double speed;     // leg lengths a second
    double contact_s; // of one foot
    double flight_s;
    double height_m; // of the centre of mass when a foot lands and leaves
    GtVec3 hips[PHASES];
} Run;

static const Run* run_of(const GtiGait* gait)
{
    return gait->body_user;
}

// The centre of mass above where a foot lands, `time_s` after it did.
static double bounce_m(const Run* run, double time_s)
{
    double rise_mps = 0.5 * GTI_GRAVITY * run->flight_s;
    if (time_s >= run->contact_s) {
        double t = time_s - run->contact_s;
        return rise_mps * t - 0.5 * GTI_GRAVITY * t * t;
    }
    // c2 (s^2 - 1) + c4 (s^4 - 1), s from -1 to 1: rate and acceleration at the ends are those of the fall.
    double half_s = 0.5 * run->contact_s;
    double s = time_s / half_s - 1.0;
    double c4 = -(GTI_GRAVITY * half_s * half_s + rise_mps * half_s) / 8.0;
    double c2 = 0.5 * (rise_mps * half_s - 4.0 * c4);
    return (s * s - 1.0) * (c2 + c4 * (s * s + 1.0));
}

static GtVec3 center_target(const GtiGait* gait, double phase)
{
    const Run* run = run_of(gait);
    double step = 2.0 * (phase - floor(phase));
    double time_s = (step - floor(step)) * 0.5 * gait->cycle_s;
    return gt_vec3(0.0f, (float)(run->height_m + bounce_m(run, time_s)), (float)(gait->cycle_m * phase));
}

// Between the phases of the table: a cubic through four of them.
static GtVec3 hips_at(const Run* run, double phase)
{
    double at = (phase - floor(phase)) * PHASES;
    int i = (int)at;
    float s = (float)(at - i);
    GtVec3 p[4];
    for (int k = 0; k < 4; ++k) {
        p[k] = run->hips[(i + k + PHASES - 1) % PHASES];
    }
    GtVec3 ahead = gt_vec3_scale(gt_vec3_sub(p[2], p[0]), 0.5f);
    GtVec3 after = gt_vec3_scale(gt_vec3_sub(p[3], p[1]), 0.5f);
    GtVec3 gap = gt_vec3_sub(p[2], p[1]);
    GtVec3 c2 = gt_vec3_sub(gt_vec3_scale(gap, 3.0f), gt_vec3_add(gt_vec3_scale(ahead, 2.0f), after));
    GtVec3 c3 = gt_vec3_sub(gt_vec3_add(ahead, after), gt_vec3_scale(gap, 2.0f));
    GtVec3 sum = gt_vec3_add(c2, gt_vec3_scale(c3, s));
    sum = gt_vec3_add(ahead, gt_vec3_scale(sum, s));
    return gt_vec3_add(p[1], gt_vec3_scale(sum, s));
}

// Elbows bent, swinging against the legs; hands come inwards in front.
static void swing_arm(double speed, int side, double phase, GtiPuppet* puppet)
{
    double own = 2.0 * GTI_PI * (phase + 0.5 * side + 0.08);
    double reach = gti_clamp(18.0 + 4.0 * speed, 20.0, 36.0);
    double* arm = puppet->values + gti_arm(side, GTI_SHRUG);
    arm[GTI_RAISE] = -10.0 - reach * cos(own);
    arm[GTI_PUSH] = -4.0 * cos(own);
    arm[GTI_SPREAD] = 6.0 + 3.0 * cos(own);
    arm[GTI_ROLL] = 22.0 - 10.0 * cos(own);
    arm[GTI_ELBOW] = 76.0 - 14.0 * cos(own);
    arm[GTI_PRONATE] = 10.0;
    arm[GTI_FIST] = 0.45;
}

static void run_body(const GtiGait* gait, double phase, GtiPose* out)
{
    const Run* run = run_of(gait);
    double turn = 2.0 * GTI_PI * phase;
    double yaw = (2.0 + 1.6 * run->speed) * cos(turn + 0.5);
    double list = 4.5 * sin(turn - 0.2);
    double lean = gti_clamp(3.0 + 1.3 * run->speed, 5.0, 12.0);
    GtiPuppet puppet = { { 0.0 } };
    double* v = puppet.values;
    v[GTI_HIPS_YAW] = -yaw;
    v[GTI_HIPS_LIST] = list;
    v[GTI_HIPS_LEAN] = 0.6 * lean;
    v[GTI_SPINE_LEAN] = 0.5 * lean + 1.5 * cos(2.0 * turn - 1.0);
    v[GTI_SPINE_YAW] = 2.3 * yaw;
    v[GTI_SPINE_LIST] = -0.9 * list;
    v[GTI_HEAD_NOD] = -0.9 * lean - 1.5 * cos(2.0 * turn - 1.0);
    v[GTI_HEAD_YAW] = -1.25 * yaw;
    swing_arm(run->speed, GTI_LEFT, phase, &puppet);
    swing_arm(run->speed, GTI_RIGHT, phase, &puppet);
    gti_puppet_body(gait->stand, &puppet, out);
    out->hips = hips_at(run, phase);
    out->hips.z += (float)(gait->cycle_m * phase);
}

// How far a standing leg is from being bent enough at any time.
static double overstretch_m(const GtiGait* gait)
{
    double length = gti_leg_length(&gait->stand->skeleton, LEAST_KNEE_DEG);
    double most = -INFINITY;
    for (int i = 0; i * 2 < PHASES; ++i) {
        double phase = (double)i / PHASES;
        if (phase <= gait->support) {
            GtiPose pose;
            run_body(gait, phase, &pose);
            most = fmax(most, gti_gait_overstretch_m(gait, &pose, phase, length));
        }
    }
    return most;
}

// Bring the centre of mass onto its path, and the path as high as the legs can hold it.
static void find_hips(GtiGait* gait, Run* run)
{
    for (int round = 0; round < ROUNDS; ++round) {
        gti_gait_prepare(gait);
        run->height_m -= 0.8 * overstretch_m(gait);
        GtVec3 moved[PHASES];
        for (int i = 0; i < PHASES; ++i) {
            double phase = (double)i / PHASES;
            GtiPose pose;
            GtiPlaces places;
            int planted[2];
            gti_gait_pose(gait, phase, &pose, planted);
            gti_pose_places(&gait->stand->skeleton, &pose, &places);
            GtVec3 center = gti_center_of_mass(&gait->stand->skeleton, &places);
            moved[i] = gt_vec3_add(run->hips[i], gt_vec3_sub(center_target(gait, phase), center));
        }
        for (int i = 0; i < PHASES; ++i) {
            run->hips[i] = moved[i];
        }
    }
    gti_gait_prepare(gait);
}

static GtResult plan_run(GtiMotion* motion, GtError* error)
{
    double leg_m = motion->stand.skeleton.leg_m;
    double speed_mps = motion->def->speed_mps;
    if (!(speed_mps >= LEAST_SPEED * leg_m && speed_mps <= MOST_SPEED * leg_m)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a run at %g m/s is out of range; legs of %.2f m run at %.2f to %.2f m/s, and walk slower",
                        speed_mps, leg_m, LEAST_SPEED * leg_m, MOST_SPEED * leg_m);
    }
    double u = speed_mps / sqrt(GTI_GRAVITY * leg_m);
    motion->natural_s = 2.0 / ((0.77 + 0.075 * u * u) * sqrt(GTI_GRAVITY / leg_m));
    return GT_OK;
}

static GtResult prepare_run(GtiMotion* motion, GtArena* scratch, GtError* error)
{
    const GtiSkeleton* skeleton = &motion->stand.skeleton;
    GtiGait* gait = &motion->gait;
    Run* run = gt_arena_push(scratch, sizeof *run);
    if (!run) {
        return gti_out_of_memory(error);
    }
    double speed = motion->def->speed_mps / skeleton->leg_m;
    double u = motion->def->speed_mps / sqrt(GTI_GRAVITY * skeleton->leg_m);
    *gait = (GtiGait){ .stand = &motion->stand, .cycle_s = motion->period_s, .body = run_body, .body_user = run };
    gait->cycle_m = motion->def->speed_mps * gait->cycle_s;
    gait->support = fmin(0.205 + 0.135 / u, 0.46);
    gait->strike_deg = gti_clamp(16.0 - 2.5 * speed, 2.0, 12.0);
    gait->flat = 0.2 * gait->support;
    gait->heel_off = 0.5 * gait->support;
    gait->push_deg = gti_clamp(52.0 + 4.0 * speed, 55.0, 75.0);
    gait->push_shape = 1.6;
    gait->heel_ahead_m = 0.32 * (gait->support * gait->cycle_m - skeleton->foot_m);
    gait->heel_out_m = (0.028 + 0.015 * motion->stand.girth) * skeleton->leg_m;
    gait->toes_out_deg = 4.0 - gti_foot_out_deg(skeleton);
    gait->knee_deg = gti_clamp(70.0 + 10.0 * speed, 80.0, 128.0);
    gait->knee_at = gti_mix(gait->support, 1.0, 0.42);
    gait->retract = 0.13;
    gait->clearance_m = 0.03 * skeleton->leg_m;
    *run = (Run){ .speed = speed, .contact_s = gait->support * gait->cycle_s };
    run->flight_s = 0.5 * gait->cycle_s - run->contact_s;
    run->height_m = (double)motion->stand.hips.y;
    for (int i = 0; i < PHASES; ++i) {
        run->hips[i] = gt_vec3_sub(motion->stand.hips, gt_vec3(0.0f, (float)(0.06 * skeleton->leg_m), 0.0f));
    }
    find_hips(gait, run);
    motion->travel_m = gait->cycle_m;
    return GT_OK;
}

// In the air nothing holds the body, and what is left of the table's error can be taken out.
static void pose_run(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    const GtiGait* gait = &motion->gait;
    double phase = time_s / motion->period_s;
    gti_gait_pose(gait, phase, &out->pose, out->planted);
    if (!out->planted[GTI_LEFT] && !out->planted[GTI_RIGHT]) {
        GtiPlaces places;
        gti_pose_places(&motion->stand.skeleton, &out->pose, &places);
        GtVec3 center = gti_center_of_mass(&motion->stand.skeleton, &places);
        out->pose.hips = gt_vec3_add(out->pose.hips, gt_vec3_sub(center_target(gait, phase), center));
    }
}

const GtiMotionTable gti_motion_run = { "run", true, 0.0, plan_run, prepare_run, pose_run };
