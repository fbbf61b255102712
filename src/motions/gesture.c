// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Gestures of someone who stands: a nod, a shake of the head, a shrug, pointing, clapping. They start and end at ease.
// A clap is keyed up to the angle at which the palms meet, which depends on the proportions and is found by bisection.

#include "motions/motion.h"

#include "base/fail.h"

#define NOD_S   1.7
#define SHAKE_S 2.2
#define SHRUG_S 2.2
#define POINT_S 2.8
#define CLAP_S  2.6

#define PALM_M        0.022  // from the middle of the hand to where the palms meet...
#define LEG_M         0.9275 // ...of a person with legs of this length
#define PRECISION_DEG 0.01

// clang-format off
static const GtiKey nod_keys[] = {
    { GTI_HEAD_NOD, 0.0, 0.0 }, { GTI_HEAD_NOD, 0.2, -4.0 }, { GTI_HEAD_NOD, 0.48, 17.0 }, { GTI_HEAD_NOD, 0.76, 1.0 }, { GTI_HEAD_NOD, 1.02, 12.0 }, { GTI_HEAD_NOD, 1.35, -1.0 }, { GTI_HEAD_NOD, 1.65, 0.0 },
    { GTI_SPINE_LEAN, 0.0, 0.0 }, { GTI_SPINE_LEAN, 0.52, 2.5 }, { GTI_SPINE_LEAN, 1.06, 2.0 }, { GTI_SPINE_LEAN, 1.6, 0.0 },
    { GTI_HEAD_LIST, 0.0, 0.0 }, { GTI_HEAD_LIST, 0.6, 1.5 }, { GTI_HEAD_LIST, 1.5, 0.0 },
};

static const GtiKey shake_keys[] = {
    { GTI_HEAD_YAW, 0.0, 0.0 }, { GTI_HEAD_YAW, 0.32, 22.0 }, { GTI_HEAD_YAW, 0.68, -22.0 }, { GTI_HEAD_YAW, 1.02, 19.0 }, { GTI_HEAD_YAW, 1.36, -14.0 }, { GTI_HEAD_YAW, 1.7, 5.0 }, { GTI_HEAD_YAW, 2.1, 0.0 },
    { GTI_HEAD_NOD, 0.0, 0.0 }, { GTI_HEAD_NOD, 0.5, 5.0 }, { GTI_HEAD_NOD, 1.4, 5.0 }, { GTI_HEAD_NOD, 2.0, 0.0 },
    { GTI_SPINE_YAW, 0.0, 0.0 }, { GTI_SPINE_YAW, 0.4, 2.0 }, { GTI_SPINE_YAW, 0.76, -2.0 }, { GTI_SPINE_YAW, 1.1, 1.5 }, { GTI_SPINE_YAW, 1.5, -1.0 }, { GTI_SPINE_YAW, 2.0, 0.0 },
};

// Of both arms; the head is on one side.
static const GtiKey shrug_keys[] = {
    { GTI_HEAD_LIST, 0.0, 0.0 }, { GTI_HEAD_LIST, 0.6, -8.0 }, { GTI_HEAD_LIST, 1.15, -8.0 }, { GTI_HEAD_LIST, 1.9, 0.0 },
    { GTI_HEAD_NOD, 0.0, 0.0 }, { GTI_HEAD_NOD, 0.55, 4.0 }, { GTI_HEAD_NOD, 1.15, 4.0 }, { GTI_HEAD_NOD, 1.8, 0.0 },
    { GTI_SPINE_LEAN, 0.0, 0.0 }, { GTI_SPINE_LEAN, 0.55, -3.0 }, { GTI_SPINE_LEAN, 1.15, -2.0 }, { GTI_SPINE_LEAN, 1.8, 0.0 },
    { LA(GTI_SHRUG), 0.0, 0.0 }, { LA(GTI_SHRUG), 0.5, 17.0 }, { LA(GTI_SHRUG), 1.05, 16.0 }, { LA(GTI_SHRUG), 1.55, -1.0 }, { LA(GTI_SHRUG), 1.9, 0.0 },
    { LA(GTI_RAISE), 0.0, 0.0 }, { LA(GTI_RAISE), 0.55, 6.0 }, { LA(GTI_RAISE), 1.15, 6.0 }, { LA(GTI_RAISE), 2.0, 0.0 },
    { LA(GTI_SPREAD), 0.0, 0.0 }, { LA(GTI_SPREAD), 0.55, 12.0 }, { LA(GTI_SPREAD), 1.15, 12.0 }, { LA(GTI_SPREAD), 2.0, 0.0 },
    { LA(GTI_ROLL), 0.0, 0.0 }, { LA(GTI_ROLL), 0.55, -24.0 }, { LA(GTI_ROLL), 1.15, -24.0 }, { LA(GTI_ROLL), 1.9, 0.0 },
    { LA(GTI_ELBOW), 0.0, 0.0 }, { LA(GTI_ELBOW), 0.6, 72.0 }, { LA(GTI_ELBOW), 1.15, 70.0 }, { LA(GTI_ELBOW), 2.1, 0.0 },
    { LA(GTI_PRONATE), 0.0, 0.0 }, { LA(GTI_PRONATE), 0.6, -72.0 }, { LA(GTI_PRONATE), 1.15, -72.0 }, { LA(GTI_PRONATE), 1.9, 0.0 },
    { LA(GTI_WRIST), 0.0, 0.0 }, { LA(GTI_WRIST), 0.6, -14.0 }, { LA(GTI_WRIST), 1.15, -14.0 }, { LA(GTI_WRIST), 1.9, 0.0 },
    { LA(GTI_FIST), 0.0, 0.0 }, { LA(GTI_FIST), 0.6, -0.7 }, { LA(GTI_FIST), 1.15, -0.6 }, { LA(GTI_FIST), 2.0, 0.0 },
};

static const GtiKey point_keys[] = {
    { GTI_WEIGHT_AHEAD, 0.0, 0.0 }, { GTI_WEIGHT_AHEAD, 0.25, -0.006 }, { GTI_WEIGHT_AHEAD, 0.8, 0.018 }, { GTI_WEIGHT_AHEAD, 1.8, 0.016 }, { GTI_WEIGHT_AHEAD, 2.7, 0.0 },
    { GTI_SPINE_YAW, 0.0, 0.0 }, { GTI_SPINE_YAW, 0.25, -4.0 }, { GTI_SPINE_YAW, 0.8, 13.0 }, { GTI_SPINE_YAW, 1.8, 12.0 }, { GTI_SPINE_YAW, 2.6, 0.0 },
    { GTI_SPINE_LEAN, 0.0, 0.0 }, { GTI_SPINE_LEAN, 0.8, 4.0 }, { GTI_SPINE_LEAN, 1.8, 4.0 }, { GTI_SPINE_LEAN, 2.6, 0.0 },
    { GTI_HEAD_YAW, 0.0, 0.0 }, { GTI_HEAD_YAW, 0.8, -11.0 }, { GTI_HEAD_YAW, 1.8, -10.0 }, { GTI_HEAD_YAW, 2.6, 0.0 },
    { RA(GTI_SHRUG), 0.0, 0.0 }, { RA(GTI_SHRUG), 0.8, 5.0 }, { RA(GTI_SHRUG), 1.8, 5.0 }, { RA(GTI_SHRUG), 2.5, 0.0 },
    { RA(GTI_PUSH), 0.0, 0.0 }, { RA(GTI_PUSH), 0.8, 10.0 }, { RA(GTI_PUSH), 1.8, 9.0 }, { RA(GTI_PUSH), 2.5, 0.0 },
    { RA(GTI_RAISE), 0.0, 0.0 }, { RA(GTI_RAISE), 0.2, -3.0 }, { RA(GTI_RAISE), 0.82, 84.0 }, { RA(GTI_RAISE), 1.0, 82.0 }, { RA(GTI_RAISE), 1.8, 80.0 }, { RA(GTI_RAISE), 2.55, -2.0 }, { RA(GTI_RAISE), 2.75, 0.0 },
    { RA(GTI_SPREAD), 0.0, 0.0 }, { RA(GTI_SPREAD), 0.8, 2.0 }, { RA(GTI_SPREAD), 1.8, 2.0 }, { RA(GTI_SPREAD), 2.5, 0.0 },
    { RA(GTI_ELBOW), 0.0, 0.0 }, { RA(GTI_ELBOW), 0.4, 44.0 }, { RA(GTI_ELBOW), 0.84, -9.0 }, { RA(GTI_ELBOW), 1.8, -7.0 }, { RA(GTI_ELBOW), 2.2, 12.0 }, { RA(GTI_ELBOW), 2.7, 0.0 },
    { RA(GTI_PRONATE), 0.0, 0.0 }, { RA(GTI_PRONATE), 0.8, 50.0 }, { RA(GTI_PRONATE), 1.8, 50.0 }, { RA(GTI_PRONATE), 2.5, 0.0 },
    { RA(GTI_WRIST), 0.0, 0.0 }, { RA(GTI_WRIST), 0.8, -4.0 }, { RA(GTI_WRIST), 1.8, -4.0 }, { RA(GTI_WRIST), 2.5, 0.0 },
    { LA(GTI_RAISE), 0.0, 0.0 }, { LA(GTI_RAISE), 0.8, -6.0 }, { LA(GTI_RAISE), 1.8, -5.0 }, { LA(GTI_RAISE), 2.7, 0.0 },
    { LA(GTI_ELBOW), 0.0, 0.0 }, { LA(GTI_ELBOW), 0.8, 6.0 }, { LA(GTI_ELBOW), 1.8, 6.0 }, { LA(GTI_ELBOW), 2.7, 0.0 },
};

// Of both arms; GTI_ROLL and GTI_WRIST follow from how far the palms are apart.
static const GtiKey clap_keys[] = {
    { GTI_SPINE_LEAN, 0.0, 0.0 }, { GTI_SPINE_LEAN, 0.5, -2.0 }, { GTI_SPINE_LEAN, 2.0, -2.0 }, { GTI_SPINE_LEAN, 2.5, 0.0 },
    { GTI_HEAD_NOD, 0.0, 0.0 }, { GTI_HEAD_NOD, 0.5, -3.0 }, { GTI_HEAD_NOD, 2.0, -3.0 }, { GTI_HEAD_NOD, 2.5, 0.0 },
    { LA(GTI_RAISE), 0.0, 0.0 }, { LA(GTI_RAISE), 0.5, 46.0 }, { LA(GTI_RAISE), 1.9, 46.0 }, { LA(GTI_RAISE), 2.5, 0.0 },
    { LA(GTI_SPREAD), 0.0, 0.0 }, { LA(GTI_SPREAD), 0.5, 6.0 }, { LA(GTI_SPREAD), 1.9, 6.0 }, { LA(GTI_SPREAD), 2.5, 0.0 },
    { LA(GTI_ELBOW), 0.0, 0.0 }, { LA(GTI_ELBOW), 0.5, 70.0 }, { LA(GTI_ELBOW), 1.9, 70.0 }, { LA(GTI_ELBOW), 2.55, 0.0 },
    { LA(GTI_PRONATE), 0.0, 0.0 }, { LA(GTI_PRONATE), 0.5, -10.0 }, { LA(GTI_PRONATE), 1.9, -10.0 }, { LA(GTI_PRONATE), 2.5, 0.0 },
    { LA(GTI_FIST), 0.0, 0.0 }, { LA(GTI_FIST), 0.5, -0.8 }, { LA(GTI_FIST), 1.9, -0.8 }, { LA(GTI_FIST), 2.5, 0.0 },
};

// Apart: 0 where the palms meet, 1 as far as they go.
static const GtiMotionKnot apart_knots[] = {
    { 0.5, 1.0 }, { 0.68, 0.0 }, { 0.72, 0.0 }, { 0.87, 0.75 }, { 1.03, 0.0 }, { 1.07, 0.0 }, { 1.22, 0.75 },
    { 1.38, 0.0 }, { 1.42, 0.0 }, { 1.57, 0.75 }, { 1.73, 0.0 }, { 1.77, 0.0 }, { 1.98, 1.0 },
};
// clang-format on

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static void copy_left_arm(GtiPuppet* puppet)
{
    for (int channel = 0; channel < (int)GTI_ARM_CHANNELS; ++channel) {
        puppet->values[(int)GTI_RIGHT_ARM + channel] = puppet->values[(int)GTI_ARM + channel];
    }
}

static void pose_keys(const GtiMotion* motion, const GtiKey* keys, int count, bool mirrors_arms, double time_s,
                      GtiMoment* out)
{
    GtiPuppet puppet = { { 0.0 } };
    puppet.values[GTI_BALANCE] = 1.0;
    gti_puppet_keys(keys, count, gti_natural_time(motion, time_s), &puppet);
    if (mirrors_arms) {
        copy_left_arm(&puppet);
    }
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

static void pose_nod(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    pose_keys(motion, nod_keys, COUNT(nod_keys), false, time_s, out);
}

static void pose_shake(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    pose_keys(motion, shake_keys, COUNT(shake_keys), false, time_s, out);
}

static void pose_shrug(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    pose_keys(motion, shrug_keys, COUNT(shrug_keys), true, time_s, out);
}

// The index finger is straight, the others close.
static void pose_point(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    double t = gti_natural_time(motion, time_s);
    double share = gti_ease(t, 0.2, 0.75) * (1.0 - gti_ease(t, 1.9, 2.5));
    pose_keys(motion, point_keys, COUNT(point_keys), false, time_s, out);
    const double fists[5] = { 0.5 * share, -0.9 * share, 0.9 * share, 0.95 * share, 1.0 * share };
    gti_pose_fingers(&out->pose, GTI_RIGHT, fists, 0.0);
}

// The angles at which the palms of a person meet.
typedef struct Clap {
    double roll_deg;  // of the upper arms
    double wrist_deg; // so that the hands point ahead
} Clap;

static void clap_channels(double time, double roll_deg, double wrist_deg, GtiPuppet* puppet)
{
    puppet->values[GTI_BALANCE] = 1.0;
    gti_puppet_keys(clap_keys, COUNT(clap_keys), time, puppet);
    puppet->values[LA(GTI_ROLL)] = roll_deg;
    puppet->values[LA(GTI_WRIST)] = wrist_deg;
    copy_left_arm(puppet);
}

// The left hand in the middle of the claps: its wrist, and the first joint of the middle finger.
static void place_hand(const GtiStand* stand, const Clap* clap, GtVec3* wrist, GtVec3* knuckle)
{
    GtiPuppet puppet = { { 0.0 } };
    GtiPose pose;
    GtiPlaces places;
    clap_channels(1.0, clap->roll_deg, clap->wrist_deg, &puppet);
    gti_puppet_body(stand, &puppet, &pose);
    gti_pose_places(&stand->skeleton, &pose, &places);
    *wrist = places.points[GT_HUMANOID_LEFT_HAND];
    *knuckle = places.points[GT_HUMANOID_LEFT_MIDDLE_PROXIMAL];
}

// Turn the upper arm inwards until the hand is a palm's thickness from the middle, with the wrist bent so that the hand
// points ahead. Both angles are found by bisection: either is monotonic where an arm can clap.
static GtResult prepare_clap(GtiMotion* motion, GtArena* scratch, GtError* error)
{
    const GtiStand* stand = &motion->stand;
    Clap* clap = gt_arena_push(scratch, sizeof *clap);
    if (!clap) {
        return gti_out_of_memory(error);
    }
    double palm_m = PALM_M / LEG_M * stand->skeleton.leg_m;
    double rolls[2] = { 0.0, 90.0 };
    while (rolls[1] - rolls[0] > PRECISION_DEG) {
        GtVec3 wrist, knuckle;
        double wrists[2] = { -70.0, 30.0 };
        clap->roll_deg = 0.5 * (rolls[0] + rolls[1]);
        while (wrists[1] - wrists[0] > PRECISION_DEG) {
            clap->wrist_deg = 0.5 * (wrists[0] + wrists[1]);
            place_hand(stand, clap, &wrist, &knuckle);
            wrists[knuckle.x < wrist.x] = clap->wrist_deg;
        }
        rolls[(double)knuckle.x < palm_m] = clap->roll_deg;
    }
    motion->state = clap;
    return GT_OK;
}

static void pose_clap(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    const Clap* clap = motion->state;
    double t = gti_natural_time(motion, time_s);
    double up = gti_ease(t, 0.0, 0.5) * (1.0 - gti_ease(t, 1.95, 2.5));
    double apart = gti_through(apart_knots, COUNT(apart_knots), t);
    GtiPuppet puppet = { { 0.0 } };
    clap_channels(t, up * (clap->roll_deg - 20.0 * apart), up * (clap->wrist_deg + 8.0 * apart), &puppet);
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_nod = { "nod", false, NOD_S, NULL, NULL, pose_nod };
const GtiMotionTable gti_motion_shake = { "shake", false, SHAKE_S, NULL, NULL, pose_shake };
const GtiMotionTable gti_motion_shrug = { "shrug", false, SHRUG_S, NULL, NULL, pose_shrug };
const GtiMotionTable gti_motion_point = { "point", false, POINT_S, NULL, NULL, pose_point };
const GtiMotionTable gti_motion_clap = { "clap", false, CLAP_S, NULL, prepare_clap, pose_clap };
