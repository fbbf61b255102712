// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The leg is solved in closed form: the knee is a hinge about the x axis of the shank, so the distance from hip to
// ankle gives its angle by the law of cosines (with the bones' rest directions, which are not quite in line); the thigh
// then turns the ankle onto its place and the hinge into the wanted plane.

#include "motions/leg.h"

#include "motions/curve.h"

// The toes bend this far before their tips carry; then the tips take this share of what is rolled beyond.
#define TOE_BEND_DEG   28.0
#define TOE_ROLL       0.75
#define TOE_EASE_DEG   12.0
#define LEAST_KNEE_DEG 0.5

static const GtVec3 x_axis = { 1.0f, 0.0f, 0.0f };

double gti_foot_out_deg(const GtiSkeleton* skeleton)
{
    GtVec3 way = gt_vec3_sub(skeleton->toe_tips[GTI_LEFT], skeleton->heels[GTI_LEFT]);
    return atan2((double)way.x, (double)way.z) / GTI_DEGREE;
}

GtVec3 gti_heel_offset(const GtiSkeleton* skeleton, int side)
{
    return gt_vec3_sub(skeleton->heels[side], skeleton->joints[gti_side_joint(GT_HUMANOID_LEFT_FOOT, side)]);
}

// How far the toes themselves have rolled when the foot's heel is `up_deg` up.
static double toe_roll_deg(double up_deg)
{
    double over = up_deg - TOE_BEND_DEG;
    if (over <= 0.0) {
        return 0.0;
    }
    return TOE_ROLL * (over < TOE_EASE_DEG ? over * over / (2.0 * TOE_EASE_DEG) : over - 0.5 * TOE_EASE_DEG);
}

// Turn `point` about `pivot`.
static GtVec3 turned(GtQuat turn, GtVec3 pivot, GtVec3 point)
{
    return gt_vec3_add(pivot, gt_quat_rotate(turn, gt_vec3_sub(point, pivot)));
}

// About the axis across the foot, which is level and to the left of the foot's way.
static GtQuat pitch_turn(double out_deg, double up_deg)
{
    GtVec3 axis = gt_quat_rotate(gti_turn(0.0, out_deg, 0.0), x_axis);
    return gt_quat_from_axis_angle(axis, (float)(-up_deg * GTI_DEGREE));
}

static GtQuat toes_bent(const GtiSkeleton* skeleton, int side, double up_deg)
{
    return pitch_turn(gti_side_sign(side) * gti_foot_out_deg(skeleton), up_deg);
}

GtiLegSole gti_foot_sole(const GtiSkeleton* skeleton, int side, const GtiFoot* foot)
{
    GtHumanoidJoint ankle_joint = gti_side_joint(GT_HUMANOID_LEFT_FOOT, side);
    GtHumanoidJoint toes_joint = gti_side_joint(GT_HUMANOID_LEFT_TOES, side);
    double out_deg = gti_side_sign(side) * gti_foot_out_deg(skeleton);
    GtVec3 ankle = skeleton->joints[ankle_joint];
    GtQuat pitch = pitch_turn(out_deg, foot->pitch_deg);
    GtiLegSole sole = { .bend_deg = foot->bend_deg, .planted = GTI_SOLE_PLANTED };
    if (foot->pitch_deg > 0.0) {
        ankle = turned(pitch, skeleton->heels[side], ankle);
        sole.planted = GTI_HEEL_PLANTED;
    } else if (foot->pitch_deg < 0.0) {
        double roll_deg = toe_roll_deg(-foot->pitch_deg);
        GtVec3 toes = turned(pitch_turn(out_deg, -roll_deg), skeleton->toe_tips[side], skeleton->joints[toes_joint]);
        ankle = gt_vec3_add(toes, gt_quat_rotate(pitch, gt_vec3_sub(ankle, skeleton->joints[toes_joint])));
        sole.bend_deg += -foot->pitch_deg - roll_deg;
        sole.planted = roll_deg > 0.0 ? GTI_TIP_PLANTED : GTI_BALL_PLANTED | GTI_TIP_PLANTED;
    }
    GtQuat yaw = gti_turn(0.0, foot->yaw_deg, 0.0);
    GtVec3 from_heel = gt_quat_rotate(yaw, gt_vec3_sub(ankle, skeleton->heels[side]));
    sole.ankle = gt_vec3_add(gt_vec3((float)foot->x, (float)foot->lift, (float)foot->z), from_heel);
    sole.turn = gt_quat_mul(yaw, pitch);
    if (foot->lift > 0.0) {
        sole.planted = 0;
    }
    return sole;
}

double gti_sole_low(const GtiSkeleton* skeleton, int side, const GtiLegSole* sole)
{
    GtVec3 ankle = skeleton->joints[gti_side_joint(GT_HUMANOID_LEFT_FOOT, side)];
    GtVec3 toes = skeleton->joints[gti_side_joint(GT_HUMANOID_LEFT_TOES, side)];
    GtQuat toes_turn = gt_quat_mul(sole->turn, toes_bent(skeleton, side, sole->bend_deg));
    GtVec3 toes_at = gt_vec3_add(sole->ankle, gt_quat_rotate(sole->turn, gt_vec3_sub(toes, ankle)));
    float heel = sole->ankle.y + gt_quat_rotate(sole->turn, gt_vec3_sub(skeleton->heels[side], ankle)).y;
    float ball = toes_at.y + gt_quat_rotate(toes_turn, gt_vec3_sub(skeleton->balls[side], toes)).y;
    float tip = toes_at.y + gt_quat_rotate(toes_turn, gt_vec3_sub(skeleton->toe_tips[side], toes)).y;
    return (double)fminf(heel, fminf(ball, tip));
}

// The thigh's and the shank's rest vectors and what the law of cosines needs: the squared length at knee angle k is
// constant + 2 (a cos k + b sin k).
typedef struct Bones {
    GtVec3 thigh, shank;
    double constant, a, b;
} Bones;

static Bones leg_bones(const GtiSkeleton* skeleton, int side)
{
    Bones bones = { .thigh = gti_offset(skeleton, gti_side_joint(GT_HUMANOID_LEFT_LOWER_LEG, side)),
                    .shank = gti_offset(skeleton, gti_side_joint(GT_HUMANOID_LEFT_FOOT, side)) };
    GtVec3 t = bones.thigh;
    GtVec3 s = bones.shank;
    bones.constant = (double)(gt_vec3_dot(t, t) + gt_vec3_dot(s, s) + 2.0f * t.x * s.x);
    bones.a = (double)(t.y * s.y + t.z * s.z);
    bones.b = (double)(t.z * s.y - t.y * s.z);
    return bones;
}

double gti_leg_straight_deg(const GtiSkeleton* skeleton)
{
    Bones bones = leg_bones(skeleton, GTI_LEFT);
    return atan2(bones.b, bones.a) / GTI_DEGREE;
}

double gti_leg_length(const GtiSkeleton* skeleton, double knee_deg)
{
    Bones bones = leg_bones(skeleton, GTI_LEFT);
    double k = knee_deg * GTI_DEGREE;
    return sqrt(bones.constant + 2.0 * (bones.a * cos(k) + bones.b * sin(k)));
}

double gti_leg_knee_deg(const GtiSkeleton* skeleton, double length_m)
{
    Bones bones = leg_bones(skeleton, GTI_LEFT);
    double wanted = 0.5 * (length_m * length_m - bones.constant) / hypot(bones.a, bones.b);
    double straight = atan2(bones.b, bones.a);
    return fmax((straight + acos(gti_clamp(wanted, -1.0, 1.0))) / GTI_DEGREE, LEAST_KNEE_DEG);
}

GtVec3 gti_hip_joint(const GtiSkeleton* skeleton, const GtiPose* pose, int side)
{
    GtVec3 offset = gti_offset(skeleton, gti_side_joint(GT_HUMANOID_LEFT_UPPER_LEG, side));
    return gt_vec3_add(pose->hips, gt_quat_rotate(pose->turns[GT_HUMANOID_HIPS], offset));
}

// The rotation that turns `from` onto the direction `to` and `from_side` into the half plane of `to_side`.
static GtQuat aim(GtVec3 from, GtVec3 from_side, GtVec3 to, GtVec3 to_side)
{
    GtVec3 a = gt_vec3_normalize_or(from, x_axis);
    GtVec3 b = gt_vec3_normalize_or(to, x_axis);
    GtQuat swing = gt_quat_between(a, b);
    GtVec3 side = gt_quat_rotate(swing, from_side);
    side = gt_vec3_normalize_or(gt_vec3_sub(side, gt_vec3_scale(b, gt_vec3_dot(side, b))), x_axis);
    GtVec3 wanted = gt_vec3_normalize_or(gt_vec3_sub(to_side, gt_vec3_scale(b, gt_vec3_dot(to_side, b))), side);
    float sine = gt_vec3_dot(gt_vec3_cross(side, wanted), b);
    GtQuat roll = gt_quat_from_axis_angle(b, atan2f(sine, gt_vec3_dot(side, wanted)));
    return gt_quat_normalize(gt_quat_mul(roll, swing));
}

void gti_leg_reach(const GtiSkeleton* skeleton, GtiPose* pose, int side, const GtiLegSole* sole, double knee_out_deg)
{
    Bones bones = leg_bones(skeleton, side);
    GtQuat hips = pose->turns[GT_HUMANOID_HIPS];
    GtVec3 reach = gt_vec3_sub(sole->ankle, gti_hip_joint(skeleton, pose, side));
    GtQuat knee = gti_turn(gti_leg_knee_deg(skeleton, (double)gt_vec3_length(reach)), 0.0, 0.0);
    GtVec3 ankle_in_thigh = gt_vec3_add(bones.thigh, gt_quat_rotate(knee, bones.shank));
    double out_deg = gti_side_sign(side) * (0.5 * gti_foot_out_deg(skeleton) + knee_out_deg);
    GtVec3 hinge = gt_vec3_add(gt_quat_rotate(hips, x_axis), gt_quat_rotate(sole->turn, x_axis));
    hinge = gt_quat_rotate(gti_turn(0.0, out_deg, 0.0), gt_vec3_normalize_or(hinge, x_axis));
    GtQuat thigh = aim(ankle_in_thigh, x_axis, reach, hinge);
    GtQuat shank = gt_quat_mul(thigh, knee);
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_UPPER_LEG, side)] =
        gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(hips), thigh));
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_LOWER_LEG, side)] = knee;
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_FOOT, side)] =
        gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(shank), sole->turn));
    pose->turns[gti_side_joint(GT_HUMANOID_LEFT_TOES, side)] = toes_bent(skeleton, side, sole->bend_deg);
}
