// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Motions that test a rig and its skin: forearms that twist, fingers one by one, and every joint through the range of a
// healthy adult (American Academy of Orthopaedic Surgeons), a little within it.

#include "motions/motion.h"

#include "base/fail.h"

#include <math.h>

#define TWIST_S   8.0
#define FINGERS_S 11.0
#define RANGE_S   34.0
#define LEAST_DEG 5.0
#define MOST_DEG  720.0

// Arms level at the sides, hands straight; 0 to 1.
static void arms_level(const GtiStand* stand, double level, GtiPuppet* puppet)
{
    for (int side = 0; side < 2; ++side) {
        double* arm = puppet->values + gti_arm(side, GTI_SHRUG);
        arm[GTI_SPREAD] = (90.0 - stand->spread_deg) * level;
        arm[GTI_RAISE] = 2.0 * level;
        arm[GTI_ELBOW] = -14.0 * level;
        arm[GTI_WRIST] = -4.0 * level;
        arm[GTI_FIST] = -level;
    }
}

static GtResult plan_twist(GtiMotion* motion, GtError* error)
{
    double degrees = motion->def->angle_rad / GTI_DEGREE;
    if (!(degrees >= LEAST_DEG && degrees <= MOST_DEG)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a twist by %g degrees is out of range; give %g to %g", degrees,
                        LEAST_DEG, MOST_DEG);
    }
    return GT_OK;
}

static void pose_twist(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    const GtiMotionKnot knots[] = {
        { 0.8, 0.0 }, { 2.3, 1.0 }, { 2.6, 1.0 }, { 5.4, -1.0 }, { 5.7, -1.0 }, { 7.2, 0.0 }
    };
    double t = gti_natural_time(motion, time_s);
    double degrees = motion->def->angle_rad / GTI_DEGREE * gti_through(knots, 6, t);
    GtiPuppet puppet = { { 0.0 } };
    arms_level(&motion->stand, gti_ease(t, 0.0, 0.8) * (1.0 - gti_ease(t, 7.2, 8.0)), &puppet);
    puppet.values[gti_arm(GTI_LEFT, GTI_PRONATE)] = degrees;
    puppet.values[gti_arm(GTI_RIGHT, GTI_PRONATE)] = degrees;
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

// Up from `start` within `ramp`, and down again by `end`.
static double hill(double t, double start, double end, double ramp)
{
    return gti_ease(t, start, start + ramp) * (1.0 - gti_ease(t, end - ramp, end));
}

// Forearms raised, palms to the front; thumb to little finger each alone, spread, fist, and a roll of the fingers.
static void pose_fingers(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    double up = hill(t, 0.0, FINGERS_S, 0.9);
    GtiPuppet puppet = { { 0.0 } };
    puppet.values[GTI_HEAD_NOD] = 6.0 * up;
    for (int side = 0; side < 2; ++side) {
        double* arm = puppet.values + gti_arm(side, GTI_SHRUG);
        arm[GTI_RAISE] = 32.0 * up;
        arm[GTI_SPREAD] = 22.0 * up;
        arm[GTI_ROLL] = -20.0 * up;
        arm[GTI_ELBOW] = 112.0 * up;
        arm[GTI_PRONATE] = 52.0 * up;
        arm[GTI_WRIST] = -8.0 * up;
    }
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
    double fists[5];
    for (int f = 0; f < 5; ++f) {
        double alone = hill(t, 1.0 + 0.7 * f, 1.9 + 0.7 * f, 0.42);
        double fist = hill(t, 6.4, 8.0, 0.55);
        double roll = hill(t, 8.1 + 0.22 * (4 - f), 9.0 + 0.22 * (4 - f), 0.42);
        fists[f] = -up + (1.0 + up) * fmax(fmax(alone, fist), roll);
    }
    double spread_deg = 13.0 * hill(t, 4.9, 6.3, 0.5);
    gti_pose_fingers(&out->pose, GTI_LEFT, fists, spread_deg);
    gti_pose_fingers(&out->pose, GTI_RIGHT, fists, spread_deg);
}

#define BOTH(channel, ...)                                                                                             \
    { LA(channel), __VA_ARGS__ },                                                                                      \
    {                                                                                                                  \
        RA(channel), __VA_ARGS__                                                                                       \
    }

// A movement from rest to one end, to the other and back to rest.
typedef struct Sweep {
    int channel;
    double start, length;
    double first, second;
} Sweep;

// clang-format off
static const Sweep sweeps[] = {
    { GTI_HEAD_YAW,   0.2, 1.8, 65.0, -65.0 },
    { GTI_HEAD_NOD,   2.0, 1.8, 45.0, -50.0 },
    { GTI_HEAD_LIST,  3.8, 1.8, 35.0, -35.0 },
    { GTI_SPINE_LEAN, 5.6, 2.0, 55.0, -22.0 },
    { GTI_SPINE_LIST, 7.6, 1.8, 28.0, -28.0 },
    BOTH(GTI_SPREAD, 7.6, 1.8, 24.0, 24.0), // out of the way of the legs
    { GTI_SPINE_YAW,  9.4, 1.8, 38.0, -38.0 },
    BOTH(GTI_SHRUG,   11.2, 1.4, 24.0, -6.0),
    BOTH(GTI_PUSH,    11.6, 1.6, 16.0, -16.0),
    BOTH(GTI_RAISE,   13.2, 2.2, 155.0, -45.0),
    BOTH(GTI_SPREAD,  15.4, 2.0, 145.0, -4.0),
    BOTH(GTI_ELBOW,   17.4, 3.6, 84.0, 84.0),
    BOTH(GTI_ROLL,    18.0, 2.4, 60.0, -60.0),
    BOTH(GTI_PRONATE, 21.0, 1.6, 75.0, -75.0),
    BOTH(GTI_WRIST,   22.6, 1.4, 65.0, -60.0),
    BOTH(GTI_TILT,    24.0, 1.2, 16.0, -28.0),
    BOTH(GTI_FIST,    25.2, 1.2, 1.0, -1.0),
};

static const GtiKey range_keys[] = {
    { GTI_WEIGHT_LEFT, 26.0, 0.0 }, { GTI_WEIGHT_LEFT, 26.6, 0.075 }, { GTI_WEIGHT_LEFT, 29.4, 0.075 }, { GTI_WEIGHT_LEFT, 30.4, -0.075 }, { GTI_WEIGHT_LEFT, 33.2, -0.075 }, { GTI_WEIGHT_LEFT, 33.9, 0.0 },
    { GTI_HIPS_UP, 26.0, 0.0 }, { GTI_HIPS_UP, 26.6, -0.012 }, { GTI_HIPS_UP, 33.2, -0.012 }, { GTI_HIPS_UP, 33.9, 0.0 },
    { RL(GTI_FOOT_LIFT), 26.6, 0.0 }, { RL(GTI_FOOT_LIFT), 27.3, 0.50 }, { RL(GTI_FOOT_LIFT), 27.9, 0.10 }, { RL(GTI_FOOT_LIFT), 28.3, 0.12 }, { RL(GTI_FOOT_LIFT), 28.9, 0.20 }, { RL(GTI_FOOT_LIFT), 29.5, 0.0 },
    { RL(GTI_FOOT_AHEAD), 26.6, 0.0 }, { RL(GTI_FOOT_AHEAD), 27.3, 0.20 }, { RL(GTI_FOOT_AHEAD), 27.9, 0.0 }, { RL(GTI_FOOT_AHEAD), 28.3, 0.0 }, { RL(GTI_FOOT_AHEAD), 28.9, -0.45 }, { RL(GTI_FOOT_AHEAD), 29.5, 0.0 },
    { RL(GTI_FOOT_OUT), 26.6, 0.0 }, { RL(GTI_FOOT_OUT), 27.5, 0.0 }, { RL(GTI_FOOT_OUT), 28.2, 0.3 }, { RL(GTI_FOOT_OUT), 28.8, 0.02 }, { RL(GTI_FOOT_OUT), 29.5, 0.0 },
    { RL(GTI_FOOT_PITCH), 26.6, 0.0 }, { RL(GTI_FOOT_PITCH), 27.3, 10.0 }, { RL(GTI_FOOT_PITCH), 27.9, -25.0 }, { RL(GTI_FOOT_PITCH), 28.3, 0.0 }, { RL(GTI_FOOT_PITCH), 28.9, -65.0 }, { RL(GTI_FOOT_PITCH), 29.5, 0.0 },
    { LL(GTI_FOOT_LIFT), 30.3, 0.0 }, { LL(GTI_FOOT_LIFT), 31.0, 0.50 }, { LL(GTI_FOOT_LIFT), 31.6, 0.10 }, { LL(GTI_FOOT_LIFT), 32.0, 0.12 }, { LL(GTI_FOOT_LIFT), 32.6, 0.20 }, { LL(GTI_FOOT_LIFT), 33.2, 0.0 },
    { LL(GTI_FOOT_AHEAD), 30.3, 0.0 }, { LL(GTI_FOOT_AHEAD), 31.0, 0.20 }, { LL(GTI_FOOT_AHEAD), 31.6, 0.0 }, { LL(GTI_FOOT_AHEAD), 32.0, 0.0 }, { LL(GTI_FOOT_AHEAD), 32.6, -0.45 }, { LL(GTI_FOOT_AHEAD), 33.2, 0.0 },
    { LL(GTI_FOOT_OUT), 30.3, 0.0 }, { LL(GTI_FOOT_OUT), 31.2, 0.0 }, { LL(GTI_FOOT_OUT), 31.9, 0.3 }, { LL(GTI_FOOT_OUT), 32.5, 0.02 }, { LL(GTI_FOOT_OUT), 33.2, 0.0 },
    { LL(GTI_FOOT_PITCH), 30.3, 0.0 }, { LL(GTI_FOOT_PITCH), 31.0, 10.0 }, { LL(GTI_FOOT_PITCH), 31.6, -25.0 }, { LL(GTI_FOOT_PITCH), 32.0, 0.0 }, { LL(GTI_FOOT_PITCH), 32.6, -65.0 }, { LL(GTI_FOOT_PITCH), 33.2, 0.0 },
};
// clang-format on

static void pose_range(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    GtiPuppet puppet = { { 0.0 } };
    puppet.values[GTI_BALANCE] = 1.0;
    gti_puppet_keys(range_keys, sizeof range_keys / sizeof range_keys[0], t, &puppet);
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; ++i) {
        const Sweep* sweep = &sweeps[i];
        const GtiMotionKnot knots[] = { { sweep->start, 0.0 },
                                        { sweep->start + 0.3 * sweep->length, sweep->first },
                                        { sweep->start + 0.7 * sweep->length, sweep->second },
                                        { sweep->start + sweep->length, 0.0 } };
        puppet.values[sweep->channel] += gti_through(knots, 4, t);
    }
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_twist = { "twist", false, TWIST_S, plan_twist, NULL, pose_twist };
const GtiMotionTable gti_motion_fingers = { "fingers", false, FINGERS_S, NULL, NULL, pose_fingers };
const GtiMotionTable gti_motion_range = { "range", false, RANGE_S, NULL, NULL, pose_range };
