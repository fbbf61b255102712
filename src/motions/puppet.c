// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Spine, neck and fingers share what their channel asks for; legs are solved for the feet. Balance is found by moving
// the hips by what the centre of mass is off and solving the legs anew: the planted legs hold a third of the mass and
// follow by about half, so the error falls to a sixth each time.

#include "motions/puppet.h"

#include "base/fail.h"

#include <math.h>

#define EASE_KNEE_DEG   6.0
#define EASE_AHEAD      0.03 // leg lengths
#define EASE_OUT_DEG    4.0  // of the feet, beside their rest direction
#define EASE_SPREAD_DEG 8.0  // of an average build
#define EASE_ELBOW_DEG  14.0
#define EASE_RAISE_DEG  (-2.0)

#define CLOSED_DEG 5.0

enum {
    BALANCE_STEPS = 10
};

// Feet stand under the hip joints, a little apart; the hips are as high as slightly bent knees hold them, and where the
// centre of mass is a little ahead of the ankles.
void gti_stand(const GtPersonDef* person, GtiStand* out)
{
    gti_person_skeleton(person, &out->skeleton);
    out->girth = fmax(fmin(person->build, 2.0), -0.2);
    out->spread_deg = EASE_SPREAD_DEG + 8.0 * out->girth;
    const GtiSkeleton* skeleton = &out->skeleton;
    for (int side = 0; side < 2; ++side) {
        GtVec3 heel = skeleton->heels[side];
        double apart = gti_side_sign(side) * (0.015 + 0.02 * out->girth) * skeleton->leg_m;
        out->feet[side] = (GtiFoot){ .x = (double)heel.x + apart,
                                     .z = (double)heel.z,
                                     .yaw_deg = gti_side_sign(side) * EASE_OUT_DEG };
    }
    GtiPose pose = gti_pose_rest(skeleton);
    GtVec3 hip = gti_hip_joint(skeleton, &pose, GTI_LEFT);
    GtVec3 ankle = gti_foot_sole(skeleton, GTI_LEFT, &out->feet[GTI_LEFT]).ankle;
    double length = gti_leg_length(skeleton, EASE_KNEE_DEG);
    double level = hypot((double)(hip.x - ankle.x), (double)(hip.z - ankle.z));
    out->hips = pose.hips;
    out->hips.y += (float)((double)ankle.y + sqrt(length * length - level * level) - (double)hip.y);

    const GtiPuppet at_ease = { { 0.0 } };
    GtiPlaces places;
    int planted[2];
    GtVec3 over = gt_vec3(0.0f, 0.0f, (float)((double)ankle.z + EASE_AHEAD * skeleton->leg_m));
    gti_puppet_settle(out, &at_ease, out->feet, over, 1 | 4, &pose, planted);
    gti_pose_places(skeleton, &pose, &places);
    out->hips = pose.hips;
    out->center = gti_center_of_mass(skeleton, &places);
}

static double value(const GtiPuppet* puppet, int channel)
{
    return puppet->values[channel];
}

// A turn of the trunk shared between joints.
static void share(GtiPose* pose, GtHumanoidJoint joint, double lean, double yaw, double list, double part)
{
    pose->turns[joint] = gti_turn(part * lean, part * yaw, part * list);
}

static void pose_trunk(const GtiPuppet* puppet, GtiPose* pose)
{
    double lean = value(puppet, GTI_SPINE_LEAN);
    double yaw = value(puppet, GTI_SPINE_YAW);
    double list = value(puppet, GTI_SPINE_LIST);
    double breath = value(puppet, GTI_BREATH);
    pose->turns[GT_HUMANOID_HIPS] =
        gti_turn(value(puppet, GTI_HIPS_LEAN), value(puppet, GTI_HIPS_YAW), value(puppet, GTI_HIPS_LIST));
    share(pose, GT_HUMANOID_SPINE, lean, yaw, list, 0.3);
    share(pose, GT_HUMANOID_CHEST, lean - 3.0 * breath, yaw, list, 0.4);
    share(pose, GT_HUMANOID_UPPER_CHEST, lean - 5.0 * breath, yaw, list, 0.3);
    double nod = value(puppet, GTI_HEAD_NOD) + 2.7 * breath; // the head stays level
    share(pose, GT_HUMANOID_NECK, nod, value(puppet, GTI_HEAD_YAW), value(puppet, GTI_HEAD_LIST), 0.4);
    share(pose, GT_HUMANOID_HEAD, nod, value(puppet, GTI_HEAD_YAW), value(puppet, GTI_HEAD_LIST), 0.6);
}

// Bends of knuckle, middle and end joint: straight, at ease, closed; the thumb's, which closes in a way of its own.
static const double finger_bends_deg[3][3] = { { -4.0, 20.0, 85.0 }, { 0.0, 26.0, 104.0 }, { 0.0, 14.0, 72.0 } };
static const double thumb_bends_deg[3][3] = { { -4.0, 8.0, 8.0 }, { 0.0, 12.0, 12.0 }, { 0.0, 14.0, 14.0 } };

// A left thumb that lies over the middle bones of index and middle finger, as the retargeter's fist has it.
static const GtQuat thumb_closed[3] = { { 0.2073f, -0.0813f, -0.0089f, 0.9749f },
                                        { 0.2429f, 0.1567f, -0.1896f, 0.9384f },
                                        { 0.3874f, 0.4859f, -0.2962f, 0.7254f } };

static double bend_of(const double bends[3], double fist)
{
    return fist < 0.0 ? gti_mix(bends[1], bends[0], -fist) : gti_mix(bends[1], bends[2], fist);
}

// The fingers bend to the palm about the hand's way across; the thumb about an axis that leads it over the palm.
void gti_pose_fingers(GtiPose* pose, int side, const double fists[5], double spread_deg)
{
    const double fans[5] = { 1.4, 1.0, 0.25, -0.5, -1.25 };
    double sign = gti_side_sign(side);
    for (int f = 0; f < 5; ++f) {
        GtVec3 axis =
            f == 0 ? gt_vec3(0.35f, (float)(sign * 0.78), (float)(-sign * 0.52)) : gt_vec3(0.0f, 0.0f, (float)-sign);
        axis = gt_vec3_normalize_or(axis, gt_vec3(0.0f, 1.0f, 0.0f));
        for (int i = 0; i < 3; ++i) {
            GtHumanoidJoint left = (GtHumanoidJoint)((int)GT_HUMANOID_LEFT_THUMB_METACARPAL + 3 * f + i);
            double bend_deg = bend_of(f == 0 ? thumb_bends_deg[i] : finger_bends_deg[i], fists[f]);
            bend_deg *= f == 0 ? 1.0 : 0.94 + 0.04 * f; // the little finger closes further than the index
            GtQuat bend = gt_quat_from_axis_angle(axis, (float)(bend_deg * GTI_DEGREE));
            double apart_deg = spread_deg - (f > 0 ? CLOSED_DEG * fmax(fists[f], 0.0) : 0.0); // fingers of a fist touch
            if (f == 0 && fists[f] > 0.0) {
                GtQuat closed = gt_quat_normalize(thumb_closed[i]);
                closed = side == GTI_LEFT ? closed : gt_quat(closed.x, -closed.y, -closed.z, closed.w);
                bend = gt_quat_slerp(bend, closed, (float)fists[f]);
            }
            GtQuat fan = gti_turn(0.0, i == 0 ? -sign * fans[f] * apart_deg : 0.0, 0.0);
            pose->turns[gti_side_joint(left, side)] = gt_quat_mul(fan, bend);
        }
    }
}

static void pose_arm(const GtiStand* stand, const GtiPuppet* puppet, int side, GtiPose* pose)
{
    const double* arm = puppet->values + gti_arm(side, GTI_SHRUG);
    double sign = gti_side_sign(side);
    double breath = value(puppet, GTI_BREATH);
    double spread = stand->spread_deg + arm[GTI_SPREAD];
    double raise = EASE_RAISE_DEG + arm[GTI_RAISE];
    GtQuat hang = gti_turn(0.0, 0.0, sign * (spread - 90.0));
    GtQuat upper = gt_quat_mul(gt_quat_mul(gti_turn(-raise, 0.0, 0.0), hang), gti_turn(arm[GTI_ROLL], 0.0, 0.0));
    GtQuat lower = gt_quat_mul(gti_turn(0.0, -sign * (EASE_ELBOW_DEG + arm[GTI_ELBOW]), 0.0),
                               gti_turn(0.5 * arm[GTI_PRONATE], 0.0, 0.0));
    GtQuat hand = gt_quat_mul(gti_turn(0.5 * arm[GTI_PRONATE], 0.0, 0.0),
                              gti_turn(0.0, -sign * arm[GTI_TILT], -sign * (4.0 + arm[GTI_WRIST])));
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_SHOULDER, side)] =
        gti_turn(0.0, -sign * arm[GTI_PUSH], sign * (arm[GTI_SHRUG] + 1.5 * breath));
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_UPPER_ARM, side)] = upper;
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_LOWER_ARM, side)] = lower;
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_HAND, side)] = hand;
    double fist = arm[GTI_FIST];
    gti_pose_fingers(pose, side, (double[5]){ fist, fist, fist, fist, fist }, 0.0);
}

void gti_puppet_body(const GtiStand* stand, const GtiPuppet* puppet, GtiPose* out)
{
    double leg_m = stand->skeleton.leg_m;
    *out = gti_pose_rest(&stand->skeleton);
    out->hips = gt_vec3_add(stand->hips, gt_vec3((float)(leg_m * value(puppet, GTI_HIPS_LEFT)),
                                                 (float)(leg_m * value(puppet, GTI_HIPS_UP)),
                                                 (float)(leg_m * value(puppet, GTI_HIPS_AHEAD))));
    pose_trunk(puppet, out);
    pose_arm(stand, puppet, GTI_LEFT, out);
    pose_arm(stand, puppet, GTI_RIGHT, out);
}

GtiFoot gti_puppet_foot(const GtiStand* stand, const GtiPuppet* puppet, int side)
{
    const double* leg = puppet->values + gti_leg(side, GTI_FOOT_OUT);
    double leg_m = stand->skeleton.leg_m;
    double sign = gti_side_sign(side);
    GtiFoot foot = stand->feet[side];
    foot.x += sign * leg_m * leg[GTI_FOOT_OUT];
    foot.z += leg_m * leg[GTI_FOOT_AHEAD];
    foot.lift = leg_m * leg[GTI_FOOT_LIFT];
    foot.yaw_deg += sign * leg[GTI_FOOT_YAW];
    foot.pitch_deg = leg[GTI_FOOT_PITCH];
    return foot;
}

static void reach(const GtiStand* stand, const GtiPuppet* puppet, const GtiLegSole soles[2], GtiPose* pose)
{
    for (int side = 0; side < 2; ++side) {
        gti_leg_reach(&stand->skeleton, pose, side, &soles[side], value(puppet, gti_leg(side, GTI_KNEE_OUT)));
    }
}

void gti_puppet_settle(const GtiStand* stand, const GtiPuppet* puppet, const GtiFoot feet[2], GtVec3 target, int axes,
                       GtiPose* out, int planted[2])
{
    GtiLegSole soles[2];
    for (int side = 0; side < 2; ++side) {
        soles[side] = gti_foot_sole(&stand->skeleton, side, &feet[side]);
        planted[side] = soles[side].planted;
    }
    gti_puppet_body(stand, puppet, out);
    reach(stand, puppet, soles, out);
    for (int step = 0; axes && step < BALANCE_STEPS; ++step) {
        GtiPlaces places;
        gti_pose_places(&stand->skeleton, out, &places);
        GtVec3 off = gt_vec3_sub(target, gti_center_of_mass(&stand->skeleton, &places));
        out->hips =
            gt_vec3_add(out->hips, gt_vec3(axes & 1 ? off.x : 0.0f, axes & 2 ? off.y : 0.0f, axes & 4 ? off.z : 0.0f));
        reach(stand, puppet, soles, out);
    }
}

void gti_puppet_pose(const GtiStand* stand, const GtiPuppet* puppet, GtiPose* out, int planted[2])
{
    double leg_m = stand->skeleton.leg_m;
    GtVec3 target = gt_vec3_add(stand->center, gt_vec3((float)(leg_m * value(puppet, GTI_WEIGHT_LEFT)), 0.0f,
                                                       (float)(leg_m * value(puppet, GTI_WEIGHT_AHEAD))));
    GtiFoot feet[2] = { gti_puppet_foot(stand, puppet, GTI_LEFT), gti_puppet_foot(stand, puppet, GTI_RIGHT) };
    double balance = value(puppet, GTI_BALANCE);
    gti_puppet_settle(stand, puppet, feet, target, balance > 0.0 ? 1 | 4 : 0, out, planted);
    if (balance > 0.0 && balance < 1.0) {
        GtiPuppet between = *puppet;
        GtVec3 own = gt_vec3_sub(out->hips, stand->hips);
        between.values[GTI_HIPS_LEFT] = gti_mix(value(puppet, GTI_HIPS_LEFT), (double)own.x / leg_m, balance);
        between.values[GTI_HIPS_AHEAD] = gti_mix(value(puppet, GTI_HIPS_AHEAD), (double)own.z / leg_m, balance);
        gti_puppet_settle(stand, &between, feet, target, 0, out, planted);
    }
}

enum {
    MAX_KNOTS = 32
};

// The keys of the channel that keys[0] is of.
static int take_knots(const GtiKey* keys, int count, GtiMotionKnot knots[MAX_KNOTS])
{
    int taken = 0;
    while (taken < count && keys[taken].channel == keys[0].channel) {
        GT_ASSERT(taken < MAX_KNOTS);
        knots[taken] = (GtiMotionKnot){ keys[taken].time, keys[taken].value };
        ++taken;
    }
    return taken;
}

void gti_puppet_keys(const GtiKey* keys, int count, double time, GtiPuppet* puppet)
{
    GtiMotionKnot knots[MAX_KNOTS];
    for (int i = 0; i < count;) {
        int taken = take_knots(keys + i, count - i, knots);
        puppet->values[keys[i].channel] = gti_through(knots, taken, time);
        i += taken;
    }
}

void gti_puppet_keys_cycle(const GtiKey* keys, int count, double period, double time, GtiPuppet* puppet)
{
    GtiMotionKnot knots[MAX_KNOTS];
    for (int i = 0; i < count;) {
        int taken = take_knots(keys + i, count - i, knots);
        puppet->values[keys[i].channel] = gti_through_cycle(knots, taken, period, time);
        i += taken;
    }
}
