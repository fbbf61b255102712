// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Squatting and sitting down. Both keep the soles flat and the centre of mass over them as long as they carry it: the
// hips go back as they go down and the trunk comes forward against them. How far the hips go down follows from the bend
// of the knees that is asked for, or from the seat, which is as high as the knees.

#include "motions/motion.h"

#include "base/fail.h"

#include <math.h>

#define SQUAT_S   2.8
#define SIT_S     5.2
#define LEAST_DEG 20.0
#define MOST_DEG  140.0
#define LEVEL_DEG 115.0 // knees at which the thighs are about level

typedef struct Depth {
    double down; // of the hips, in leg lengths
} Depth;

static const Depth* depth_of(const GtiMotion* motion)
{
    return motion->state;
}

// Both at once: down to 1 and up again.
static void squat_channels(const GtiMotion* motion, double low, double down, GtiPuppet* puppet)
{
    double* v = puppet->values;
    double deep = low * motion->def->angle_rad / GTI_DEGREE / LEVEL_DEG;
    v[GTI_BALANCE] = 1.0;
    v[GTI_WEIGHT_AHEAD] = 0.02 * low;
    v[GTI_HIPS_UP] = -down * low;
    v[GTI_HIPS_LEAN] = 30.0 * deep;
    v[GTI_SPINE_LEAN] = 16.0 * deep;
    v[GTI_HEAD_NOD] = -36.0 * deep;
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        double* leg = v + gti_leg(side, GTI_FOOT_OUT);
        arm[GTI_PUSH] = 10.0 * deep;
        arm[GTI_RAISE] = 118.0 * deep;
        arm[GTI_SPREAD] = 4.0 * deep;
        arm[GTI_ELBOW] = 6.0 * deep;
        arm[GTI_PRONATE] = 60.0 * deep;
        arm[GTI_FIST] = -0.6 * deep;
        leg[GTI_KNEE_OUT] = 9.0 * deep;
    }
}

static double squat_knee_deg(const GtiMotion* motion, double down)
{
    GtiPuppet puppet = { { 0.0 } };
    GtiPose pose;
    int planted[2];
    squat_channels(motion, 1.0, down, &puppet);
    gti_puppet_pose(&motion->stand, &puppet, &pose, planted);
    return (double)gt_quat_angle_rad(gt_quat_identity(), pose.turns[GT_HUMANOID_LEFT_LOWER_LEG]) / GTI_DEGREE;
}

static GtResult plan_squat(GtiMotion* motion, GtError* error)
{
    double degrees = motion->def->angle_rad / GTI_DEGREE;
    if (!(degrees >= LEAST_DEG && degrees <= MOST_DEG)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a squat with knees bent by %g degrees is out of range; give %g to %g", degrees, LEAST_DEG,
                        MOST_DEG);
    }
    return GT_OK;
}

static GtResult prepare_squat(GtiMotion* motion, GtArena* scratch, GtError* error)
{
    Depth* depth = gt_arena_push(scratch, sizeof *depth);
    if (!depth) {
        return gti_out_of_memory(error);
    }
    double high = 0.0;
    double low = 0.75;
    for (int step = 0; step < 40; ++step) {
        double middle = 0.5 * (high + low);
        if (squat_knee_deg(motion, middle) * GTI_DEGREE < motion->def->angle_rad) {
            high = middle;
        } else {
            low = middle;
        }
    }
    depth->down = low;
    motion->state = depth;
    return GT_OK;
}

static void pose_squat(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    double low = gti_ease(t, 0.1, 1.35) * (1.0 - gti_ease(t, 1.5, 2.6));
    GtiPuppet puppet = { { 0.0 } };
    squat_channels(motion, low, depth_of(motion)->down, &puppet);
    puppet.values[GTI_BREATH] = 0.8 * gti_ease(t, 0.0, 1.0) * (1.0 - gti_ease(t, 1.5, 2.7));
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

// The hips go down along an arc to over the seat, a thigh's length behind the ankles. Balanced until the seat takes the
// weight at 1.5 s, and again after 3.4 s, when the trunk has come forward.
static void pose_sit(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    const GtiSkeleton* skeleton = &motion->stand.skeleton;
    double t = gti_natural_time(motion, time_s);
    double knee_m = (double)skeleton->joints[GT_HUMANOID_LEFT_LOWER_LEG].y;
    double hip_m = (double)gti_offset(skeleton, GT_HUMANOID_LEFT_UPPER_LEG).y;
    double thigh_m = (double)gt_vec3_length(gti_offset(skeleton, GT_HUMANOID_LEFT_LOWER_LEG));
    double seat = (knee_m * 1.02 - hip_m - (double)motion->stand.hips.y) / skeleton->leg_m;
    double back = -(0.93 * thigh_m) / skeleton->leg_m;
    double down = gti_ease(t, 0.15, 1.75) * (1.0 - gti_ease(t, 3.3, 4.8));
    double held = gti_ease(t, 0.7, 1.7) * (1.0 - gti_ease(t, 3.35, 4.2));
    double lean = gti_ease(t, 0.1, 1.15) * (1.0 - gti_ease(t, 1.35, 2.15)) +
                  gti_ease(t, 2.8, 3.45) * (1.0 - gti_ease(t, 3.7, 4.8));
    double rest = gti_ease(t, 1.3, 2.2) * (1.0 - gti_ease(t, 2.9, 3.6));
    GtiPuppet puppet = { { 0.0 } };
    double* v = puppet.values;
    v[GTI_BALANCE] = 1.0 - held;
    v[GTI_HIPS_UP] = seat * down;
    v[GTI_HIPS_AHEAD] = back * down;
    v[GTI_HIPS_LEAN] = 34.0 * lean - 4.0 * rest;
    v[GTI_SPINE_LEAN] = 20.0 * lean + 4.0 * rest;
    v[GTI_HEAD_NOD] = -34.0 * lean;
    v[GTI_BREATH] = 0.6 * rest;
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        arm[GTI_RAISE] = 26.0 * lean + 27.0 * rest;
        arm[GTI_SPREAD] = 2.0 * lean - 1.0 * rest;
        arm[GTI_ROLL] = 30.0 * rest;
        arm[GTI_ELBOW] = 20.0 * lean + 40.0 * rest;
        arm[GTI_PRONATE] = 22.0 * lean + 68.0 * rest;
        arm[GTI_WRIST] = 8.0 * rest;
    }
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_squat = { "squat", false, SQUAT_S, plan_squat, prepare_squat, pose_squat };
const GtiMotionTable gti_motion_sit = { "sit", false, SIT_S, NULL, NULL, pose_sit };
