// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A soccer kick with the right foot: the left foot steps beside the ball, the right leg draws back, whips through and
// follows up, and comes down beside the left: a step ahead of where it began. Arms swing against the legs.

#include "motions/motion.h"

#define KICK_S 2.5
#define STEP   0.46 // leg lengths ahead

// The left foot lands at 0.62; the right leg is back at 0.82, at the ball at 1.02 and up at 1.22, and down at 1.8.
// clang-format off
static const GtiKey keys[] = {
    { GTI_BALANCE, 0.0, 1.0 },
    { GTI_WEIGHT_LEFT, 0.0, 0.0 }, { GTI_WEIGHT_LEFT, 0.28, -0.05 }, { GTI_WEIGHT_LEFT, 0.75, 0.07 }, { GTI_WEIGHT_LEFT, 1.05, 0.085 }, { GTI_WEIGHT_LEFT, 1.5, 0.08 }, { GTI_WEIGHT_LEFT, 2.2, 0.0 },
    { GTI_WEIGHT_AHEAD, 0.0, 0.0 }, { GTI_WEIGHT_AHEAD, 0.3, 0.06 }, { GTI_WEIGHT_AHEAD, 0.62, 0.28 }, { GTI_WEIGHT_AHEAD, 0.85, 0.40 }, { GTI_WEIGHT_AHEAD, 1.05, 0.46 }, { GTI_WEIGHT_AHEAD, 1.4, 0.51 }, { GTI_WEIGHT_AHEAD, 2.2, STEP },
    { GTI_HIPS_UP, 0.0, 0.0 }, { GTI_HIPS_UP, 0.3, -0.035 }, { GTI_HIPS_UP, 0.64, -0.075 }, { GTI_HIPS_UP, 0.85, -0.06 }, { GTI_HIPS_UP, 1.05, -0.035 }, { GTI_HIPS_UP, 1.25, -0.022 }, { GTI_HIPS_UP, 1.75, -0.05 }, { GTI_HIPS_UP, 2.3, 0.0 },
    { GTI_HIPS_YAW, 0.0, 0.0 }, { GTI_HIPS_YAW, 0.62, -14.0 }, { GTI_HIPS_YAW, 0.82, -26.0 }, { GTI_HIPS_YAW, 1.05, 12.0 }, { GTI_HIPS_YAW, 1.25, 20.0 }, { GTI_HIPS_YAW, 1.8, 4.0 }, { GTI_HIPS_YAW, 2.2, 0.0 },
    { GTI_HIPS_LEAN, 0.0, 0.0 }, { GTI_HIPS_LEAN, 0.5, 6.0 }, { GTI_HIPS_LEAN, 0.82, 12.0 }, { GTI_HIPS_LEAN, 1.05, -4.0 }, { GTI_HIPS_LEAN, 1.25, -12.0 }, { GTI_HIPS_LEAN, 1.75, 3.0 }, { GTI_HIPS_LEAN, 2.3, 0.0 },
    { GTI_HIPS_LIST, 0.0, 0.0 }, { GTI_HIPS_LIST, 0.3, -2.0 }, { GTI_HIPS_LIST, 0.8, 3.0 }, { GTI_HIPS_LIST, 1.2, -8.0 }, { GTI_HIPS_LIST, 1.8, 1.0 }, { GTI_HIPS_LIST, 2.2, 0.0 },
    { GTI_SPINE_LEAN, 0.0, 0.0 }, { GTI_SPINE_LEAN, 0.5, 2.0 }, { GTI_SPINE_LEAN, 0.82, -8.0 }, { GTI_SPINE_LEAN, 1.05, 12.0 }, { GTI_SPINE_LEAN, 1.25, 22.0 }, { GTI_SPINE_LEAN, 1.8, 4.0 }, { GTI_SPINE_LEAN, 2.3, 0.0 },
    { GTI_SPINE_YAW, 0.0, 0.0 }, { GTI_SPINE_YAW, 0.55, 18.0 }, { GTI_SPINE_YAW, 0.82, 34.0 }, { GTI_SPINE_YAW, 1.08, -14.0 }, { GTI_SPINE_YAW, 1.28, -24.0 }, { GTI_SPINE_YAW, 1.85, -2.0 }, { GTI_SPINE_YAW, 2.25, 0.0 },
    { GTI_SPINE_LIST, 0.0, 0.0 }, { GTI_SPINE_LIST, 0.8, 6.0 }, { GTI_SPINE_LIST, 1.1, 10.0 }, { GTI_SPINE_LIST, 1.8, 0.0 },
    { GTI_HEAD_NOD, 0.0, 0.0 }, { GTI_HEAD_NOD, 0.4, 14.0 }, { GTI_HEAD_NOD, 1.05, 16.0 }, { GTI_HEAD_NOD, 1.35, -4.0 }, { GTI_HEAD_NOD, 2.2, 0.0 },
    { GTI_HEAD_YAW, 0.0, 0.0 }, { GTI_HEAD_YAW, 0.82, -8.0 }, { GTI_HEAD_YAW, 1.1, 2.0 }, { GTI_HEAD_YAW, 1.3, 4.0 }, { GTI_HEAD_YAW, 2.2, 0.0 },
    { LA(GTI_RAISE), 0.0, 0.0 }, { LA(GTI_RAISE), 0.4, 14.0 }, { LA(GTI_RAISE), 0.82, -34.0 }, { LA(GTI_RAISE), 1.12, 36.0 }, { LA(GTI_RAISE), 1.3, 44.0 }, { LA(GTI_RAISE), 1.9, -4.0 }, { LA(GTI_RAISE), 2.4, 0.0 },
    { LA(GTI_SPREAD), 0.0, 0.0 }, { LA(GTI_SPREAD), 0.4, 12.0 }, { LA(GTI_SPREAD), 0.82, 62.0 }, { LA(GTI_SPREAD), 1.1, 34.0 }, { LA(GTI_SPREAD), 1.3, 20.0 }, { LA(GTI_SPREAD), 2.0, 0.0 },
    { LA(GTI_ELBOW), 0.0, 0.0 }, { LA(GTI_ELBOW), 0.82, 22.0 }, { LA(GTI_ELBOW), 1.3, 34.0 }, { LA(GTI_ELBOW), 2.1, 0.0 },
    { LA(GTI_FIST), 0.0, 0.0 }, { LA(GTI_FIST), 0.82, -0.5 }, { LA(GTI_FIST), 2.0, 0.0 },
    { RA(GTI_RAISE), 0.0, 0.0 }, { RA(GTI_RAISE), 0.4, -12.0 }, { RA(GTI_RAISE), 0.82, 24.0 }, { RA(GTI_RAISE), 1.12, -32.0 }, { RA(GTI_RAISE), 1.3, -38.0 }, { RA(GTI_RAISE), 1.9, 3.0 }, { RA(GTI_RAISE), 2.4, 0.0 },
    { RA(GTI_SPREAD), 0.0, 0.0 }, { RA(GTI_SPREAD), 0.82, 14.0 }, { RA(GTI_SPREAD), 1.2, 32.0 }, { RA(GTI_SPREAD), 2.0, 0.0 },
    { RA(GTI_ELBOW), 0.0, 0.0 }, { RA(GTI_ELBOW), 0.82, 34.0 }, { RA(GTI_ELBOW), 1.2, 20.0 }, { RA(GTI_ELBOW), 2.1, 0.0 },
    { LL(GTI_FOOT_AHEAD), 0.0, 0.0 }, { LL(GTI_FOOT_AHEAD), 0.30, 0.0 }, { LL(GTI_FOOT_AHEAD), 0.60, STEP },
    { LL(GTI_FOOT_LIFT), 0.0, 0.0 }, { LL(GTI_FOOT_LIFT), 0.28, 0.0 }, { LL(GTI_FOOT_LIFT), 0.44, 0.09 }, { LL(GTI_FOOT_LIFT), 0.62, 0.0 },
    { LL(GTI_FOOT_PITCH), 0.0, 0.0 }, { LL(GTI_FOOT_PITCH), 0.18, 0.0 }, { LL(GTI_FOOT_PITCH), 0.30, -22.0 }, { LL(GTI_FOOT_PITCH), 0.58, 12.0 }, { LL(GTI_FOOT_PITCH), 0.70, 0.0 },
    { RL(GTI_FOOT_OUT), 0.0, 0.0 }, { RL(GTI_FOOT_OUT), 0.64, 0.0 }, { RL(GTI_FOOT_OUT), 0.82, 0.06 }, { RL(GTI_FOOT_OUT), 1.03, 0.01 }, { RL(GTI_FOOT_OUT), 1.24, -0.10 }, { RL(GTI_FOOT_OUT), 1.8, 0.0 },
    { RL(GTI_FOOT_AHEAD), 0.0, 0.0 }, { RL(GTI_FOOT_AHEAD), 0.62, 0.0 }, { RL(GTI_FOOT_AHEAD), 0.80, -0.16 }, { RL(GTI_FOOT_AHEAD), 1.03, 0.68 }, { RL(GTI_FOOT_AHEAD), 1.22, 1.23 }, { RL(GTI_FOOT_AHEAD), 1.42, 1.08 }, { RL(GTI_FOOT_AHEAD), 1.78, STEP },
    { RL(GTI_FOOT_LIFT), 0.0, 0.0 }, { RL(GTI_FOOT_LIFT), 0.60, 0.0 }, { RL(GTI_FOOT_LIFT), 0.82, 0.24 }, { RL(GTI_FOOT_LIFT), 1.02, 0.05 }, { RL(GTI_FOOT_LIFT), 1.24, 0.44 }, { RL(GTI_FOOT_LIFT), 1.55, 0.20 }, { RL(GTI_FOOT_LIFT), 1.80, 0.0 },
    { RL(GTI_FOOT_PITCH), 0.0, 0.0 }, { RL(GTI_FOOT_PITCH), 0.34, 0.0 }, { RL(GTI_FOOT_PITCH), 0.60, -48.0 }, { RL(GTI_FOOT_PITCH), 0.82, -98.0 }, { RL(GTI_FOOT_PITCH), 1.02, -44.0 }, { RL(GTI_FOOT_PITCH), 1.24, 8.0 }, { RL(GTI_FOOT_PITCH), 1.55, -8.0 }, { RL(GTI_FOOT_PITCH), 1.80, 0.0 },
};
// clang-format on

static GtResult plan_kick(GtiMotion* motion, GtError* error)
{
    (void)error;
    motion->travel_m = STEP * motion->stand.skeleton.leg_m;
    return GT_OK;
}

static void pose_kick(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    GtiPuppet puppet = { { 0.0 } };
    gti_puppet_keys(keys, sizeof keys / sizeof keys[0], t, &puppet);
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_kick = { "kick", false, KICK_S, plan_kick, NULL, pose_kick };
