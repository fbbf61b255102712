// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Showing off: both arms up, biceps flexed, let go a little and flexed again, with a look at either.

#include "motions/motion.h"

#define FLEX_S 7.0

// Times and values of one channel of both arms.
typedef struct ArmKeys {
    GtiArmChannel channel;
    GtiMotionKnot knots[9];
    int count;
} ArmKeys;

static const ArmKeys arm_keys[] = {
    { GTI_SHRUG, { { 0.2, 0.0 }, { 1.3, 8.0 }, { 5.4, 8.0 }, { 6.6, 0.0 } }, 4 },
    { GTI_SPREAD, { { 0.2, 0.0 }, { 1.3, 76.0 }, { 5.4, 76.0 }, { 6.6, 0.0 } }, 4 },
    { GTI_ROLL, { { 0.3, 0.0 }, { 1.2, -88.0 }, { 5.5, -88.0 }, { 6.4, 0.0 } }, 4 },
    { GTI_PRONATE, { { 0.4, 0.0 }, { 1.4, -70.0 }, { 5.3, -70.0 }, { 6.3, 0.0 } }, 4 },
    { GTI_FIST, { { 0.3, 0.0 }, { 1.1, 1.0 }, { 5.4, 1.0 }, { 6.3, 0.0 } }, 4 },
    { GTI_WRIST, { { 1.0, 0.0 }, { 1.9, 22.0 }, { 5.1, 22.0 }, { 6.0, 0.0 } }, 4 },
    { GTI_ELBOW,
      { { 0.5, 0.0 },
        { 1.8, 122.0 },
        { 2.3, 122.0 },
        { 2.8, 72.0 },
        { 3.4, 126.0 },
        { 3.9, 74.0 },
        { 4.4, 128.0 },
        { 5.2, 128.0 },
        { 6.3, 0.0 } },
      9 },
};

static const GtiMotionKnot looks[] = { { 1.6, 0.0 },   { 2.2, 38.0 },  { 3.2, 38.0 },
                                       { 3.9, -38.0 }, { 5.0, -38.0 }, { 5.8, 0.0 } };

static void pose(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    double proud = gti_ease(t, 0.6, 1.8) * (1.0 - gti_ease(t, 5.0, 6.4));
    GtiPuppet puppet = { { 0.0 } };
    double* v = puppet.values;
    v[GTI_BALANCE] = 1.0;
    v[GTI_SPINE_LEAN] = -7.0 * proud;
    v[GTI_BREATH] = proud;
    v[GTI_HEAD_YAW] = gti_through(looks, sizeof looks / sizeof looks[0], t);
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        for (size_t i = 0; i < sizeof arm_keys / sizeof arm_keys[0]; ++i) {
            arm[arm_keys[i].channel] = gti_through(arm_keys[i].knots, arm_keys[i].count, t);
        }
    }
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_flex = { "flex", false, FLEX_S, NULL, NULL, pose };
