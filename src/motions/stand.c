// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Standing: idle, with breath (15 a minute, in faster than out) and weight that wanders from foot to foot; breathing
// alone; looking around; and a wave of the right hand that comes out of it.

#include "motions/motion.h"

#include <math.h>

#define IDLE_S    8.0
#define BREATHE_S 4.0
#define LOOK_S    8.0
#define WAVE_S    3.6

static const GtiMotionKnot breath_knots[] = { { 0.0, 0.0 }, { 1.6, 1.0 }, { 1.9, 1.0 }, { 3.6, 0.0 } };

static double breath_at(double time)
{
    return gti_through_cycle(breath_knots, 4, 4.0, time);
}

// Weight to the left is 1, to the right -1.
static void stand_channels(double weight, double breath, GtiPuppet* puppet)
{
    double* v = puppet->values;
    v[GTI_BALANCE] = 1.0;
    v[GTI_WEIGHT_LEFT] = 0.022 * weight;
    v[GTI_HIPS_UP] = 0.001 * breath - 0.004 * weight * weight;
    v[GTI_HIPS_LIST] = 1.6 * weight;
    v[GTI_HIPS_YAW] = 1.2 * weight;
    v[GTI_SPINE_LIST] = -1.8 * weight;
    v[GTI_SPINE_YAW] = -1.0 * weight;
    v[GTI_BREATH] = breath;
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        arm[GTI_SPREAD] = 0.8 * breath;
        arm[GTI_ELBOW] = 1.5 * breath;
        arm[GTI_RAISE] = 1.5 * gti_side_sign(side) * weight;
    }
}

static void pose_idle(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    double turn = 2.0 * GTI_PI * t / IDLE_S;
    double weight = sin(turn) + 0.22 * sin(2.0 * turn + 0.4) - 0.22 * sin(0.4);
    GtiPuppet puppet = { { 0.0 } };
    stand_channels(weight, breath_at(t), &puppet);
    puppet.values[GTI_HEAD_YAW] = 5.0 * sin(turn + 0.9) - 5.0 * sin(0.9);
    puppet.values[GTI_HEAD_NOD] = 1.2 * sin(2.0 * turn);
    puppet.values[GTI_HEAD_LIST] = -0.8 * weight;
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

// One breath; the weight stays on both feet and sways by a few millimetres.
static void pose_breathe(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    double turn = 2.0 * GTI_PI * t / BREATHE_S;
    GtiPuppet puppet = { { 0.0 } };
    stand_channels(0.12 * sin(turn), breath_at(t), &puppet);
    puppet.values[GTI_WEIGHT_AHEAD] = 0.003 * sin(turn + 0.6) - 0.003 * sin(0.6);
    puppet.values[GTI_HEAD_NOD] = 0.8 * sin(turn - 0.5) + 0.8 * sin(0.5);
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

// Eyes first: the head leads, the chest follows, and the weight goes to the side that is looked at.
static void pose_look(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    static const GtiMotionKnot head[] = { { 0.0, 0.0 },   { 0.4, 0.0 },   { 1.2, 36.0 },  { 2.5, 39.0 }, { 3.3, 4.0 },
                                          { 3.9, -34.0 }, { 4.7, -38.0 }, { 5.9, -36.0 }, { 6.9, 0.0 } };
    static const GtiMotionKnot chest[] = { { 0.0, 0.0 },  { 0.6, 0.0 },   { 1.5, 10.0 }, { 2.7, 11.0 },
                                           { 4.3, -9.0 }, { 6.1, -10.0 }, { 7.2, 0.0 } };
    static const GtiMotionKnot nods[] = { { 0.0, 0.0 },  { 0.7, 3.0 }, { 1.8, -5.0 }, { 3.3, 5.0 },
                                          { 4.8, -3.0 }, { 6.4, 4.0 }, { 7.5, 0.0 } };
    double t = gti_natural_time(motion, time_s);
    double chest_deg = gti_through_cycle(chest, sizeof chest / sizeof chest[0], LOOK_S, t);
    GtiPuppet puppet = { { 0.0 } };
    stand_channels(0.07 * chest_deg, breath_at(t), &puppet);
    double* v = puppet.values;
    v[GTI_HEAD_YAW] = gti_through_cycle(head, sizeof head / sizeof head[0], LOOK_S, t);
    v[GTI_HEAD_NOD] = gti_through_cycle(nods, sizeof nods / sizeof nods[0], LOOK_S, t);
    v[GTI_SPINE_YAW] += chest_deg;
    v[GTI_HIPS_YAW] += 0.15 * chest_deg;
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

// clang-format off
static const GtiKey wave_keys[] = {
    { GTI_WEIGHT_LEFT, 0.0, 0.0 }, { GTI_WEIGHT_LEFT, 0.6, 0.02 }, { GTI_WEIGHT_LEFT, 2.7, 0.02 }, { GTI_WEIGHT_LEFT, 3.5, 0.0 },
    { GTI_HIPS_UP, 0.0, 0.0 }, { GTI_HIPS_UP, 0.6, -0.006 }, { GTI_HIPS_UP, 2.7, -0.006 }, { GTI_HIPS_UP, 3.5, 0.0 },
    { GTI_HIPS_LIST, 0.0, 0.0 }, { GTI_HIPS_LIST, 0.6, 1.6 }, { GTI_HIPS_LIST, 2.7, 1.6 }, { GTI_HIPS_LIST, 3.5, 0.0 },
    { GTI_SPINE_LIST, 0.0, 0.0 }, { GTI_SPINE_LIST, 0.2, -1.5 }, { GTI_SPINE_LIST, 0.8, 2.5 }, { GTI_SPINE_LIST, 2.6, 2.5 }, { GTI_SPINE_LIST, 3.4, 0.0 },
    { GTI_HEAD_LIST, 0.0, 0.0 }, { GTI_HEAD_LIST, 0.7, -6.0 }, { GTI_HEAD_LIST, 2.5, -5.0 }, { GTI_HEAD_LIST, 3.3, 0.0 },
    { GTI_HEAD_NOD, 0.0, 0.0 }, { GTI_HEAD_NOD, 0.3, 2.0 }, { GTI_HEAD_NOD, 0.8, -3.0 }, { GTI_HEAD_NOD, 2.5, -3.0 }, { GTI_HEAD_NOD, 3.3, 0.0 },
    { RA(GTI_SHRUG), 0.0, 0.0 }, { RA(GTI_SHRUG), 0.75, 9.0 }, { RA(GTI_SHRUG), 2.5, 9.0 }, { RA(GTI_SHRUG), 3.2, 0.0 },
    { RA(GTI_RAISE), 0.0, 0.0 }, { RA(GTI_RAISE), 0.15, -5.0 }, { RA(GTI_RAISE), 0.7, 24.0 }, { RA(GTI_RAISE), 2.5, 24.0 }, { RA(GTI_RAISE), 3.3, -3.0 }, { RA(GTI_RAISE), 3.6, 0.0 },
    { RA(GTI_SPREAD), 0.0, 0.0 }, { RA(GTI_SPREAD), 0.15, -1.0 }, { RA(GTI_SPREAD), 0.8, 50.0 }, { RA(GTI_SPREAD), 2.5, 50.0 }, { RA(GTI_SPREAD), 3.3, 0.0 },
    { RA(GTI_ROLL), 0.0, 0.0 }, { RA(GTI_ROLL), 0.7, -74.0 }, { RA(GTI_ROLL), 2.5, -74.0 }, { RA(GTI_ROLL), 3.1, 0.0 },
    { RA(GTI_ELBOW), 0.0, 0.0 }, { RA(GTI_ELBOW), 0.75, 118.0 }, { RA(GTI_ELBOW), 1.02, 78.0 }, { RA(GTI_ELBOW), 1.29, 116.0 }, { RA(GTI_ELBOW), 1.56, 76.0 },
    { RA(GTI_ELBOW), 1.83, 114.0 }, { RA(GTI_ELBOW), 2.1, 78.0 }, { RA(GTI_ELBOW), 2.4, 108.0 }, { RA(GTI_ELBOW), 3.3, -2.0 }, { RA(GTI_ELBOW), 3.55, 0.0 },
    { RA(GTI_TILT), 0.0, 0.0 }, { RA(GTI_TILT), 0.8, -8.0 }, { RA(GTI_TILT), 1.1, 12.0 }, { RA(GTI_TILT), 1.37, -12.0 }, { RA(GTI_TILT), 1.64, 12.0 },
    { RA(GTI_TILT), 1.91, -12.0 }, { RA(GTI_TILT), 2.18, 11.0 }, { RA(GTI_TILT), 2.5, -6.0 }, { RA(GTI_TILT), 3.2, 0.0 },
    { RA(GTI_PRONATE), 0.0, 0.0 }, { RA(GTI_PRONATE), 0.7, 12.0 }, { RA(GTI_PRONATE), 2.5, 12.0 }, { RA(GTI_PRONATE), 3.2, 0.0 },
    { RA(GTI_FIST), 0.0, 0.0 }, { RA(GTI_FIST), 0.35, 0.25 }, { RA(GTI_FIST), 0.8, -0.8 }, { RA(GTI_FIST), 2.5, -0.7 }, { RA(GTI_FIST), 3.2, 0.0 },
    { LA(GTI_ELBOW), 0.0, 0.0 }, { LA(GTI_ELBOW), 0.8, 5.0 }, { LA(GTI_ELBOW), 2.6, 5.0 }, { LA(GTI_ELBOW), 3.5, 0.0 },
};
// clang-format on

static void pose_wave(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    GtiPuppet puppet = { { 0.0 } };
    stand_channels(0.0, 0.7 * gti_ease(t, 0.1, 1.0) * (1.0 - gti_ease(t, 2.3, 3.5)), &puppet);
    gti_puppet_keys(wave_keys, sizeof wave_keys / sizeof wave_keys[0], t, &puppet);
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_breathe = { "breathe", true, BREATHE_S, NULL, NULL, pose_breathe };
const GtiMotionTable gti_motion_look = { "look", true, LOOK_S, NULL, NULL, pose_look };
const GtiMotionTable gti_motion_idle = { "idle", true, IDLE_S, NULL, NULL, pose_idle };
const GtiMotionTable gti_motion_wave = { "wave", false, WAVE_S, NULL, NULL, pose_wave };
