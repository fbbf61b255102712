// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sitting down on a chair that breaks: down to the seat, a moment of rest, a free fall to the floor, a bounce, a
// stunned pause, and up again over a deep squat. The soles stay where they are.

#include "motions/motion.h"

#include <math.h>

#define DROP_S    7.6
#define SEATED_S  1.6 // on the chair
#define BREAKS_S  2.1
#define RISES_S   4.6
#define STANDS_S  7.2
#define GRAVITY   9.81
#define BOUNCE_HZ 3.2

// Heights and places of the hips, in leg lengths from standing.
typedef struct Way {
    double seat, floor, back;
    double fall_s;
} Way;

static Way find_way(const GtiMotion* motion)
{
    const GtiSkeleton* skeleton = &motion->stand.skeleton;
    double knee_m = (double)skeleton->joints[GT_HUMANOID_LEFT_LOWER_LEG].y;
    double hip_m = (double)gti_offset(skeleton, GT_HUMANOID_LEFT_UPPER_LEG).y;
    double thigh_m = (double)gt_vec3_length(gti_offset(skeleton, GT_HUMANOID_LEFT_LOWER_LEG));
    double stand_m = (double)motion->stand.hips.y + hip_m;
    double floor_m = 0.13 * skeleton->leg_m + 0.03 * fmax(motion->stand.girth, 0.0);
    Way way = { (knee_m * 1.02 - stand_m) / skeleton->leg_m, (floor_m - stand_m) / skeleton->leg_m,
                -1.02 * thigh_m / skeleton->leg_m, 0.0 };
    way.fall_s = sqrt(2.0 * fmax(knee_m * 1.02 - floor_m, 0.0) / GRAVITY);
    return way;
}

// Down in free fall, and then a bounce that dies away.
static double fallen(const Way* way, double t)
{
    double since = t - BREAKS_S;
    if (since <= 0.0) {
        return 0.0;
    }
    if (since < way->fall_s) {
        return since * since / (way->fall_s * way->fall_s);
    }
    double after = since - way->fall_s;
    return 1.0 - 0.16 * fabs(sin(GTI_PI * BOUNCE_HZ * after)) * exp(-5.0 * after);
}

static void pose(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    Way way = find_way(motion);
    double t = gti_natural_time(motion, time_s);
    double hits_s = BREAKS_S + way.fall_s;
    double down = gti_ease(t, 0.15, SEATED_S) * (1.0 - gti_ease(t, RISES_S, STANDS_S));
    double low = fallen(&way, t) * (1.0 - gti_ease(t, RISES_S, RISES_S + 1.3));
    double held = gti_ease(t, 0.7, SEATED_S) * (1.0 - gti_ease(t, RISES_S + 0.2, RISES_S + 1.2));
    double lean = gti_ease(t, 0.1, 1.1) * (1.0 - gti_ease(t, 1.2, 1.9)) +
                  0.95 * gti_ease(t, RISES_S - 0.3, RISES_S + 0.6) * (1.0 - gti_ease(t, RISES_S + 0.9, STANDS_S));
    double start = gti_ease(t, BREAKS_S - 0.02, BREAKS_S + 0.25) * (1.0 - gti_ease(t, hits_s, hits_s + 0.7));
    double slump = gti_ease(t, hits_s, hits_s + 0.25) * (1.0 - gti_ease(t, RISES_S - 0.6, RISES_S + 0.5));
    GtiPuppet puppet = { { 0.0 } };
    double* v = puppet.values;
    v[GTI_BALANCE] = 1.0 - held;
    v[GTI_HIPS_UP] = way.seat * down + (way.floor - way.seat) * low * down;
    v[GTI_HIPS_AHEAD] = way.back * down;
    v[GTI_HIPS_LEAN] = 34.0 * lean - 10.0 * start - 6.0 * slump;
    v[GTI_SPINE_LEAN] = 22.0 * lean - 8.0 * start + 16.0 * slump;
    v[GTI_HEAD_NOD] = -32.0 * lean - 16.0 * start + 14.0 * slump;
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        arm[GTI_SHRUG] = 12.0 * start;
        arm[GTI_RAISE] = 28.0 * lean + 62.0 * start + (34.0 + 20.0 * lean) * low;
        arm[GTI_SPREAD] = 3.0 * lean + 58.0 * start + 8.0 * slump;
        arm[GTI_ELBOW] = 18.0 * lean + 30.0 * start + 36.0 * low;
        arm[GTI_PRONATE] = 30.0 * lean + 50.0 * start + 30.0 * slump;
        arm[GTI_FIST] = -0.9 * start;
        v[gti_leg(side, GTI_KNEE_OUT)] = 10.0 * low * down;
    }
    gti_puppet_pose(&motion->stand, &puppet, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_drop = { "drop", false, DROP_S, NULL, NULL, pose };
