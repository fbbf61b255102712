// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The swing is quintic in the angles of the leg, with the speeds and accelerations of the stance at both ends, so that
// no joint jerks when a foot lands or leaves; the knee passes through the bend the model asks for on the way. Working
// in angles rather than along a path of the foot, the knee cannot overstretch.

#include "motions/gait.h"

#include "base/scalar.h"

#include <math.h>

#define FREE_FOOT  0.4
#define DIFFERENCE 0.008 // of phase, for rates at the ends of the stance

enum {
    CLEARANCE_SAMPLES = 48
};

static double fraction(double phase)
{
    return phase - floor(phase);
}

// Toes up at a phase of the stance.
static double stance_pitch_deg(const GtiGait* gait, double phase)
{
    if (phase < gait->flat) {
        double s = 1.0 - phase / gait->flat;
        return gait->strike_deg * s * s * (1.0 + 0.35 * (1.0 - s));
    }
    if (phase > gait->heel_off) {
        double s = (phase - gait->heel_off) / (gait->support - gait->heel_off);
        return -gait->push_deg * s * s * gti_mix(gait->push_shape, 1.0, s);
    }
    return 0.0;
}

GtiFoot gti_gait_foot(const GtiGait* gait, int side, double phase, double strike_phase)
{
    double pitch_deg = stance_pitch_deg(gait, phase);
    return (GtiFoot){ .x = gti_side_sign(side) * gait->heel_out_m,
                      .z = gait->cycle_m * strike_phase + gait->heel_ahead_m,
                      .yaw_deg = gti_side_sign(side) * gait->toes_out_deg,
                      .pitch_deg = pitch_deg,
                      .bend_deg = pitch_deg > 0.0 ? 0.45 * pitch_deg : 0.0 };
}

double gti_gait_overstretch_m(const GtiGait* gait, const GtiPose* pose, double phase, double leg_m)
{
    const GtiSkeleton* skeleton = &gait->stand->skeleton;
    GtiFoot foot = gti_gait_foot(gait, GTI_LEFT, phase, 0.0);
    GtVec3 ankle = gti_foot_sole(skeleton, GTI_LEFT, &foot).ankle;
    GtVec3 hip = gti_hip_joint(skeleton, pose, GTI_LEFT);
    double level = hypot((double)(hip.x - ankle.x), (double)(hip.z - ankle.z));
    double highest = (double)ankle.y + sqrt(fmax(leg_m * leg_m - level * level, 0.0));
    return (double)hip.y - highest;
}

// How far forwards the shank points of a leg whose line from hip to ankle does by `angle_deg`.
static double shank_deg(const GtiSkeleton* skeleton, double angle_deg, double knee_deg)
{
    double thigh_m = (double)gt_vec3_length(gti_offset(skeleton, GT_HUMANOID_LEFT_LOWER_LEG));
    double sine = thigh_m * sin(knee_deg * GTI_DEGREE) / gti_leg_length(skeleton, knee_deg);
    return angle_deg - asin(gti_clamp(sine, -1.0, 1.0)) / GTI_DEGREE;
}

// The left leg's swing coordinates, had it been on the ground.
static void stance_coordinates(const GtiGait* gait, double phase, double out[GTI_SWING_COUNT])
{
    const GtiSkeleton* skeleton = &gait->stand->skeleton;
    GtiPose pose;
    gait->body(gait, phase, &pose);
    GtiFoot foot = gti_gait_foot(gait, GTI_LEFT, phase, 0.0);
    GtiLegSole sole = gti_foot_sole(skeleton, GTI_LEFT, &foot);
    GtVec3 reach = gt_vec3_sub(sole.ankle, gti_hip_joint(skeleton, &pose, GTI_LEFT));
    out[GTI_SWING_ANGLE] = atan2((double)reach.z, (double)-reach.y) / GTI_DEGREE;
    out[GTI_SWING_KNEE] = gti_leg_knee_deg(skeleton, (double)gt_vec3_length(reach));
    out[GTI_SWING_ANKLE] = foot.pitch_deg - shank_deg(skeleton, out[GTI_SWING_ANGLE], out[GTI_SWING_KNEE]);
    out[GTI_SWING_BEND] = sole.bend_deg;
    out[GTI_SWING_OUT] = (double)sole.ankle.x;
}

// States at a phase from values there and at three more in the direction of `step`.
static void states_at(const GtiGait* gait, double phase, double step, GtiState states[GTI_SWING_COUNT])
{
    double y[4][GTI_SWING_COUNT];
    for (int i = 0; i < 4; ++i) {
        stance_coordinates(gait, phase + i * step, y[i]);
    }
    for (int c = 0; c < GTI_SWING_COUNT; ++c) {
        states[c].value = y[0][c];
        states[c].rate = (-11.0 * y[0][c] + 18.0 * y[1][c] - 9.0 * y[2][c] + 2.0 * y[3][c]) / (6.0 * step);
    }
}

// The knee goes through its greatest bend at rest, with the bend of a parabola between the ends. Where it lands
// bending, it is straightest a moment before.
static double swing_knee_deg(const GtiGait* gait, double phase)
{
    GtiState leave = gait->leave[GTI_SWING_KNEE];
    GtiState strike = gait->strike[GTI_SWING_KNEE];
    double before = gait->knee_at - gait->support;
    double after = 1.0 - gait->knee_at;
    double peak_deg = fmax(gait->knee_deg, leave.value + 4.0);
    double fall = peak_deg - 0.5 * (leave.value + strike.value);
    GtiState peak = { peak_deg, 0.0, -5.0 * fall / (before * before + after * after) };
    if (phase < gait->knee_at) {
        return gti_between(leave, peak, before, phase - gait->support);
    }
    if (strike.rate <= 0.0) {
        return gti_between(peak, strike, after, phase - gait->knee_at);
    }
    double yield = gti_clamp(1.2 * strike.value / strike.rate, 0.005, 0.5 * after);
    double turn = 1.0 - yield;
    GtiState straight = { strike.value - 0.5 * strike.rate * yield, 0.0, 0.0 };
    return phase < turn ? gti_between(peak, straight, turn - gait->knee_at, phase - gait->knee_at)
                        : gti_between(straight, strike, yield, phase - turn);
}

// Ankle and toes are back at rest midway; a leg that retracts is farthest ahead a while before it
// lands, and swings back evenly.
static double swing_value(const GtiGait* gait, GtiSwing channel, double phase)
{
    if (channel == GTI_SWING_ANKLE || channel == GTI_SWING_BEND) {
        double middle = gti_mix(gait->support, 1.0, 0.55);
        GtiState rest = { channel == GTI_SWING_ANKLE ? 2.0 : 4.0, 0.0, 0.0 };
        return phase < middle ? gti_between(gait->leave[channel], rest, middle - gait->support, phase - gait->support)
                              : gti_between(rest, gait->strike[channel], 1.0 - middle, phase - middle);
    }
    if (channel == GTI_SWING_ANGLE && gait->retract > 0.0) {
        double front = 1.0 - gait->retract;
        GtiState strike = gait->strike[channel];
        strike.bend = strike.rate / gait->retract;
        GtiState ahead = { strike.value - 0.5 * strike.rate * gait->retract, 0.0, strike.bend };
        return phase < front ? gti_between(gait->leave[channel], ahead, front - gait->support, phase - gait->support)
                             : gti_between(ahead, strike, gait->retract, phase - front);
    }
    return gti_between(gait->leave[channel], gait->strike[channel], 1.0 - gait->support, phase - gait->support);
}

// 0 at both ends of the swing and 1 within it, later than the knee is bent most: when the foot passes under the hips.
static double lift_shape(const GtiGait* gait, double phase)
{
    double s = (phase - gait->support) / (1.0 - gait->support);
    double late = s * (0.7 + 0.3 * s);
    return gti_cubic_step(4.0 * late * (1.0 - late));
}

static GtiLegSole swing_sole(const GtiGait* gait, const GtiPose* pose, int side, double phase)
{
    const GtiSkeleton* skeleton = &gait->stand->skeleton;
    double sign = gti_side_sign(side);
    double angle_deg = swing_value(gait, GTI_SWING_ANGLE, phase);
    double knee_deg = fmax(swing_knee_deg(gait, phase), 1.0);
    GtVec3 hip = gti_hip_joint(skeleton, pose, side);
    double across = sign * swing_value(gait, GTI_SWING_OUT, phase) - (double)hip.x;
    double length = gti_leg_length(skeleton, knee_deg);
    double level = sqrt(fmax(length * length - across * across, 0.0));
    GtiFoot foot = { .yaw_deg = sign * gait->toes_out_deg,
                     .pitch_deg =
                         swing_value(gait, GTI_SWING_ANKLE, phase) + shank_deg(skeleton, angle_deg, knee_deg) };
    GtiLegSole sole = gti_foot_sole(skeleton, side, &foot); // for its turn
    double lift = gait->lift_m * lift_shape(gait, phase);
    sole.ankle = gt_vec3_add(hip, gt_vec3((float)across, (float)(lift - level * cos(angle_deg * GTI_DEGREE)),
                                          (float)(level * sin(angle_deg * GTI_DEGREE))));
    sole.bend_deg = swing_value(gait, GTI_SWING_BEND, phase);
    sole.planted = 0;
    return sole;
}

// The least lift that leaves the clearance under the foot throughout.
static double needed_lift_m(GtiGait* gait)
{
    double needed = 0.0;
    gait->lift_m = 0.0;
    for (int i = 2; i < CLEARANCE_SAMPLES - 1; ++i) {
        double phase = gti_mix(gait->support, 1.0, (double)i / CLEARANCE_SAMPLES);
        GtiPose pose;
        gait->body(gait, phase, &pose);
        GtiLegSole sole = swing_sole(gait, &pose, GTI_LEFT, phase);
        double shape = lift_shape(gait, phase);
        double short_of = gait->clearance_m * shape - gti_sole_low(&gait->stand->skeleton, GTI_LEFT, &sole);
        needed = fmax(needed, short_of / shape);
    }
    return needed;
}

void gti_gait_prepare(GtiGait* gait)
{
    states_at(gait, gait->support, -DIFFERENCE, gait->leave);
    states_at(gait, 0.0, DIFFERENCE, gait->strike);
    // What the ground does to a foot ends and begins at once.
    for (int c = GTI_SWING_ANKLE; c <= GTI_SWING_BEND; ++c) {
        gait->leave[c].rate *= FREE_FOOT;
        gait->strike[c].rate *= FREE_FOOT;
    }
    gait->lift_m = needed_lift_m(gait);
}

void gti_gait_legs(const GtiGait* gait, double phase, GtiPose* pose, int planted[2])
{
    for (int side = 0; side < 2; ++side) {
        double own = fraction(phase + 0.5 * side);
        GtiLegSole sole;
        if (own < gait->support) {
            GtiFoot foot = gti_gait_foot(gait, side, own, phase - own);
            sole = gti_foot_sole(&gait->stand->skeleton, side, &foot);
        } else {
            sole = swing_sole(gait, pose, side, own);
        }
        gti_leg_reach(&gait->stand->skeleton, pose, side, &sole, 0.0);
        planted[side] = sole.planted;
    }
}

void gti_gait_pose(const GtiGait* gait, double phase, GtiPose* out, int planted[2])
{
    gait->body(gait, phase, out);
    gti_gait_legs(gait, phase, out, planted);
}
