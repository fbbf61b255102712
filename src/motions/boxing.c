// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Boxing from the guard, left foot ahead: jab, cross, hook. Every punch is drawn back a little first, starts in the
// hips, is thrown by the shoulder and comes back to the guard past it; the loop closes in the guard.

#include "motions/motion.h"

#define BOXING_S 3.2

// Jab at 0.5, cross at 1.1, hook at 1.9.
// clang-format off
static const GtiKey keys[] = {
    { GTI_BALANCE, 0.0, 1.0 },
    { GTI_WEIGHT_AHEAD, 0.0, 0.00 }, { GTI_WEIGHT_AHEAD, 0.3, -0.02 }, { GTI_WEIGHT_AHEAD, 0.5, 0.05 }, { GTI_WEIGHT_AHEAD, 0.8, -0.01 }, { GTI_WEIGHT_AHEAD, 1.1, 0.07 },
    { GTI_WEIGHT_AHEAD, 1.5, 0.03 }, { GTI_WEIGHT_AHEAD, 1.7, 0.06 }, { GTI_WEIGHT_AHEAD, 1.95, -0.01 }, { GTI_WEIGHT_AHEAD, 2.5, 0.01 }, { GTI_WEIGHT_AHEAD, 2.85, -0.01 },
    { GTI_WEIGHT_LEFT, 0.0, 0.0 }, { GTI_WEIGHT_LEFT, 1.1, 0.03 }, { GTI_WEIGHT_LEFT, 1.65, 0.04 }, { GTI_WEIGHT_LEFT, 1.95, -0.02 }, { GTI_WEIGHT_LEFT, 2.5, 0.01 },
    { GTI_HIPS_UP, 0.0, -0.075 }, { GTI_HIPS_UP, 0.3, -0.085 }, { GTI_HIPS_UP, 0.5, -0.07 }, { GTI_HIPS_UP, 0.82, -0.09 }, { GTI_HIPS_UP, 1.1, -0.075 }, { GTI_HIPS_UP, 1.5, -0.085 },
    { GTI_HIPS_UP, 1.7, -0.105 }, { GTI_HIPS_UP, 1.95, -0.08 }, { GTI_HIPS_UP, 2.3, -0.062 }, { GTI_HIPS_UP, 2.6, -0.1 }, { GTI_HIPS_UP, 2.9, -0.062 },
    { GTI_HIPS_YAW, 0.0, -28.0 }, { GTI_HIPS_YAW, 0.3, -22.0 }, { GTI_HIPS_YAW, 0.48, -36.0 }, { GTI_HIPS_YAW, 0.85, -34.0 }, { GTI_HIPS_YAW, 1.06, 12.0 }, { GTI_HIPS_YAW, 1.3, 4.0 },
    { GTI_HIPS_YAW, 1.65, 6.0 }, { GTI_HIPS_YAW, 1.9, -42.0 }, { GTI_HIPS_YAW, 2.3, -28.0 },
    { GTI_HIPS_LEAN, 0.0, 6.0 }, { GTI_HIPS_LEAN, 1.1, 9.0 }, { GTI_HIPS_LEAN, 1.7, 9.0 }, { GTI_HIPS_LEAN, 2.3, 6.0 },
    { GTI_SPINE_LEAN, 0.0, 12.0 }, { GTI_SPINE_LEAN, 0.5, 10.0 }, { GTI_SPINE_LEAN, 1.1, 14.0 }, { GTI_SPINE_LEAN, 1.7, 16.0 }, { GTI_SPINE_LEAN, 2.3, 12.0 },
    { GTI_SPINE_YAW, 0.0, -4.0 }, { GTI_SPINE_YAW, 0.34, 4.0 }, { GTI_SPINE_YAW, 0.5, -18.0 }, { GTI_SPINE_YAW, 0.88, -12.0 }, { GTI_SPINE_YAW, 1.1, 26.0 }, { GTI_SPINE_YAW, 1.4, 8.0 },
    { GTI_SPINE_YAW, 1.7, 18.0 }, { GTI_SPINE_YAW, 1.95, -24.0 }, { GTI_SPINE_YAW, 2.4, -4.0 },
    { GTI_SPINE_LIST, 0.0, 0.0 }, { GTI_SPINE_LIST, 1.1, 4.0 }, { GTI_SPINE_LIST, 1.7, -6.0 }, { GTI_SPINE_LIST, 2.0, 4.0 }, { GTI_SPINE_LIST, 2.35, -5.0 }, { GTI_SPINE_LIST, 2.75, 5.0 },
    { GTI_HEAD_NOD, 0.0, -4.0 }, { GTI_HEAD_NOD, 1.1, -8.0 }, { GTI_HEAD_NOD, 2.4, -4.0 },
    { GTI_HEAD_YAW, 0.0, 26.0 }, { GTI_HEAD_YAW, 0.34, 16.0 }, { GTI_HEAD_YAW, 0.5, 42.0 }, { GTI_HEAD_YAW, 0.87, 38.0 }, { GTI_HEAD_YAW, 1.1, -28.0 }, { GTI_HEAD_YAW, 1.4, -8.0 },
    { GTI_HEAD_YAW, 1.68, -18.0 }, { GTI_HEAD_YAW, 1.93, 48.0 }, { GTI_HEAD_YAW, 2.4, 26.0 },
    { LA(GTI_PUSH), 0.0, 4.0 }, { LA(GTI_PUSH), 0.32, 0.0 }, { LA(GTI_PUSH), 0.5, 20.0 }, { LA(GTI_PUSH), 0.75, 4.0 }, { LA(GTI_PUSH), 1.68, -2.0 }, { LA(GTI_PUSH), 1.92, 16.0 }, { LA(GTI_PUSH), 2.3, 4.0 },
    { LA(GTI_SHRUG), 0.0, 5.0 }, { LA(GTI_SHRUG), 0.5, 12.0 }, { LA(GTI_SHRUG), 0.75, 5.0 }, { LA(GTI_SHRUG), 1.7, 5.0 }, { LA(GTI_SHRUG), 1.92, 14.0 }, { LA(GTI_SHRUG), 2.3, 5.0 },
    { LA(GTI_RAISE), 0.0, 46.0 }, { LA(GTI_RAISE), 0.32, 38.0 }, { LA(GTI_RAISE), 0.5, 92.0 }, { LA(GTI_RAISE), 0.76, 42.0 }, { LA(GTI_RAISE), 1.3, 46.0 }, { LA(GTI_RAISE), 1.68, 64.0 }, { LA(GTI_RAISE), 1.92, 86.0 }, { LA(GTI_RAISE), 2.35, 46.0 },
    { LA(GTI_SPREAD), 0.0, 4.0 }, { LA(GTI_SPREAD), 0.33, 4.0 }, { LA(GTI_SPREAD), 0.5, 42.0 }, { LA(GTI_SPREAD), 0.76, 4.0 }, { LA(GTI_SPREAD), 1.5, 6.0 }, { LA(GTI_SPREAD), 1.74, 52.0 }, { LA(GTI_SPREAD), 1.96, 26.0 }, { LA(GTI_SPREAD), 2.35, 4.0 },
    { LA(GTI_ROLL), 0.0, 8.0 }, { LA(GTI_ROLL), 0.5, 14.0 }, { LA(GTI_ROLL), 0.76, 8.0 }, { LA(GTI_ROLL), 1.5, 8.0 }, { LA(GTI_ROLL), 1.74, 52.0 }, { LA(GTI_ROLL), 1.95, 62.0 }, { LA(GTI_ROLL), 2.35, 8.0 },
    { LA(GTI_ELBOW), 0.0, 104.0 }, { LA(GTI_ELBOW), 0.33, 114.0 }, { LA(GTI_ELBOW), 0.51, -8.0 }, { LA(GTI_ELBOW), 0.78, 112.0 }, { LA(GTI_ELBOW), 1.4, 106.0 }, { LA(GTI_ELBOW), 1.74, 70.0 }, { LA(GTI_ELBOW), 1.95, 78.0 }, { LA(GTI_ELBOW), 2.35, 104.0 },
    { LA(GTI_PRONATE), 0.0, 14.0 }, { LA(GTI_PRONATE), 0.5, 62.0 }, { LA(GTI_PRONATE), 0.78, 14.0 }, { LA(GTI_PRONATE), 1.7, 30.0 }, { LA(GTI_PRONATE), 2.35, 14.0 },
    { LA(GTI_WRIST), 0.0, -2.0 },
    { LA(GTI_FIST), 0.0, 1.0 },
    { RA(GTI_PUSH), 0.0, 4.0 }, { RA(GTI_PUSH), 0.88, -2.0 }, { RA(GTI_PUSH), 1.1, 20.0 }, { RA(GTI_PUSH), 1.4, 4.0 },
    { RA(GTI_SHRUG), 0.0, 5.0 }, { RA(GTI_SHRUG), 0.9, 4.0 }, { RA(GTI_SHRUG), 1.1, 12.0 }, { RA(GTI_SHRUG), 1.4, 5.0 },
    { RA(GTI_RAISE), 0.0, 40.0 }, { RA(GTI_RAISE), 0.5, 38.0 }, { RA(GTI_RAISE), 0.9, 30.0 }, { RA(GTI_RAISE), 1.1, 94.0 }, { RA(GTI_RAISE), 1.42, 38.0 }, { RA(GTI_RAISE), 1.95, 36.0 }, { RA(GTI_RAISE), 2.4, 40.0 },
    { RA(GTI_SPREAD), 0.0, 4.0 }, { RA(GTI_SPREAD), 0.9, 8.0 }, { RA(GTI_SPREAD), 1.1, 32.0 }, { RA(GTI_SPREAD), 1.42, 4.0 },
    { RA(GTI_ROLL), 0.0, 6.0 }, { RA(GTI_ROLL), 1.1, 14.0 }, { RA(GTI_ROLL), 1.42, 6.0 },
    { RA(GTI_ELBOW), 0.0, 112.0 }, { RA(GTI_ELBOW), 0.9, 118.0 }, { RA(GTI_ELBOW), 1.11, -8.0 }, { RA(GTI_ELBOW), 1.44, 118.0 }, { RA(GTI_ELBOW), 2.4, 112.0 },
    { RA(GTI_PRONATE), 0.0, 14.0 }, { RA(GTI_PRONATE), 0.9, 14.0 }, { RA(GTI_PRONATE), 1.1, 62.0 }, { RA(GTI_PRONATE), 1.44, 14.0 },
    { RA(GTI_WRIST), 0.0, -2.0 },
    { RA(GTI_FIST), 0.0, 1.0 },
    { LL(GTI_FOOT_AHEAD), 0.0, 0.22 },
    { LL(GTI_FOOT_OUT), 0.0, 0.02 },
    { LL(GTI_FOOT_YAW), 0.0, -22.0 },
    { RL(GTI_FOOT_AHEAD), 0.0, -0.26 },
    { RL(GTI_FOOT_OUT), 0.0, 0.06 },
    { RL(GTI_FOOT_YAW), 0.0, 28.0 },
    { RL(GTI_FOOT_PITCH), 0.0, -12.0 }, { RL(GTI_FOOT_PITCH), 0.85, -10.0 }, { RL(GTI_FOOT_PITCH), 1.1, -27.0 }, { RL(GTI_FOOT_PITCH), 1.6, -20.0 }, { RL(GTI_FOOT_PITCH), 1.95, -8.0 }, { RL(GTI_FOOT_PITCH), 2.5, -12.0 },
};
// clang-format on

static void pose_boxing(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    GtiPuppet puppet = { { 0.0 } };
    gti_puppet_keys_cycle(keys, sizeof keys / sizeof keys[0], BOXING_S, t, &puppet);
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_boxing = { "boxing", true, BOXING_S, NULL, NULL, pose_boxing };
