// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A turn on the spot: the foot of the side turned to goes first, the other follows, as often as the angle asks for. The
// head looks where the turn goes, the chest follows, the hips come last; the weight is over the foot that stands.

#include "motions/motion.h"

#include "base/fail.h"

#include <math.h>

#define MOST_STEP_DEG 50.0
#define STEP_S        0.46
#define START_S       0.35 // shifting the weight
#define END_S         0.45
#define RAMP_S        0.5
#define LEAST_DEG     5.0
#define MOST_DEG      3600.0

static double angle_deg(const GtiMotion* motion)
{
    return motion->def->angle_rad / GTI_DEGREE;
}

// Pairs of steps.
static int pair_count(const GtiMotion* motion)
{
    return (int)ceil(fabs(angle_deg(motion)) / MOST_STEP_DEG);
}

static GtResult plan_turn(GtiMotion* motion, GtError* error)
{
    double degrees = fabs(angle_deg(motion));
    if (!(degrees >= LEAST_DEG && degrees <= MOST_DEG)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a turn by %g degrees is out of range; give %g to %g, less than 0 to the right",
                        angle_deg(motion), LEAST_DEG, MOST_DEG);
    }
    motion->turn_deg = angle_deg(motion);
    motion->natural_s = (START_S + END_S + 2.0 * STEP_S * pair_count(motion)) / motion->def->tempo;
    return GT_OK;
}

// The step that a foot takes now: where in it, and the angles it leaves and comes to.
typedef struct Step {
    double share; // 0 before and between steps
    double from_deg, to_deg;
} Step;

static Step step_at(const GtiMotion* motion, int side, double time_s)
{
    double total_deg = angle_deg(motion);
    int pairs = pair_count(motion);
    bool first = (side == GTI_LEFT) == (total_deg > 0.0);
    double since = (time_s - START_S) / STEP_S - (first ? 0.0 : 1.0);
    int pair = (int)gti_clamp(floor(0.5 * since), -1.0, pairs - 1.0);
    double share = since - 2.0 * pair;
    Step step = { 0.0, total_deg * pair / pairs, total_deg * (pair + 1) / pairs };
    if (pair < 0) {
        step.to_deg = step.from_deg = 0.0;
    } else if (share >= 1.0) {
        step.from_deg = step.to_deg;
    } else if (share > 0.0) {
        step.share = share;
    } else {
        step.to_deg = step.from_deg;
    }
    return step;
}

// The foot at ease, turned about the middle.
static GtiFoot turned_foot(const GtiStand* stand, int side, double deg)
{
    GtiFoot foot = stand->feet[side];
    GtVec3 heel = gt_quat_rotate(gti_turn(0.0, deg, 0.0), gt_vec3((float)foot.x, 0.0f, (float)foot.z));
    foot.x = (double)heel.x;
    foot.z = (double)heel.z;
    foot.yaw_deg += deg;
    return foot;
}

static GtiFoot foot_at(const GtiMotion* motion, int side, double time_s)
{
    const GtiStand* stand = &motion->stand;
    Step step = step_at(motion, side, time_s);
    GtiFoot foot = turned_foot(stand, side, gti_mix(step.from_deg, step.to_deg, gti_ease(step.share, 0.08, 0.92)));
    if (step.share > 0.0) {
        double up = sin(GTI_PI * step.share);
        foot.lift = 0.055 * stand->skeleton.leg_m * up * up;
        foot.pitch_deg = -26.0 * up * up * (1.0 - step.share);
    } else {
        foot = turned_foot(stand, side, step.to_deg);
    }
    return foot;
}

// From 0 over both feet to 1 over the left and -1 over the right.
static double weight_at(const GtiMotion* motion, double time_s)
{
    double first = angle_deg(motion) > 0.0 ? -1.0 : 1.0; // away from the foot that goes first
    double steps = 2.0 * pair_count(motion);
    double since = (time_s - START_S) / STEP_S;
    double end = gti_ease(since, steps - 0.3, steps + END_S / STEP_S - 0.1);
    double start = gti_ease(since, -START_S / STEP_S, 0.1);
    return first * start * (1.0 - end) * sin(GTI_PI * (gti_clamp(since, 0.0, steps) + 0.5));
}

static void pose_turn(const GtiMotion* motion, double time_s, GtiMoment* out)
{
    const GtiStand* stand = &motion->stand;
    double t = gti_natural_time(motion, time_s);
    double end = START_S + 2.0 * STEP_S * pair_count(motion);
    double total_deg = angle_deg(motion);
    double hips_deg = total_deg * gti_glide(t, 0.1, end + 0.15, RAMP_S);
    double chest_deg = total_deg * gti_glide(t, 0.03, end + 0.05, RAMP_S);
    double head_deg = total_deg * gti_glide(t, 0.0, end - 0.1, RAMP_S);
    double weight = weight_at(motion, t);
    GtiPuppet puppet = { { 0.0 } };
    double* v = puppet.values;
    v[GTI_HIPS_YAW] = hips_deg;
    v[GTI_SPINE_YAW] = gti_clamp(chest_deg - hips_deg, -25.0, 25.0);
    v[GTI_HEAD_YAW] = gti_clamp(head_deg - chest_deg, -45.0, 45.0);
    v[GTI_HIPS_UP] = -0.012 * weight * weight - 0.008 * gti_ease(t, 0.0, 0.3) * (1.0 - gti_ease(t, end, end + END_S));
    v[GTI_HIPS_LIST] = 2.5 * weight;
    v[GTI_SPINE_LIST] = -2.5 * weight;
    for (int side = 0; side < 2; ++side) {
        double* arm = v + gti_arm(side, GTI_SHRUG);
        double drag = gti_side_sign(side) * (hips_deg - chest_deg);
        arm[GTI_SPREAD] = 3.0 * weight * weight;
        arm[GTI_RAISE] = gti_clamp(drag, -15.0, 15.0);
        arm[GTI_ELBOW] = 4.0 * weight * weight;
    }
    double half_m = 0.62 * (double)stand->skeleton.joints[GT_HUMANOID_LEFT_UPPER_LEG].x;
    GtVec3 target =
        gt_quat_rotate(gti_turn(0.0, hips_deg, 0.0), gt_vec3((float)(weight * half_m), 0.0f, stand->center.z));
    GtiFoot feet[2] = { foot_at(motion, GTI_LEFT, t), foot_at(motion, GTI_RIGHT, t) };
    gti_puppet_settle(stand, &puppet, feet, target, 1 | 4, &out->pose, out->planted);
}

const GtiMotionTable gti_motion_turn = { "turn", false, 0.0, plan_turn, NULL, pose_turn };
