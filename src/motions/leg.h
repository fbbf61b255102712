// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Legs: how a foot stands and rolls on the ground, and the hip, knee and ankle that carry it there.

#ifndef GERTIE_MOTIONS_LEG_H
#define GERTIE_MOTIONS_LEG_H

#include "motions/pose.h"

// Which points of a sole do not move now.
enum {
    GTI_HEEL_PLANTED = 1,
    GTI_BALL_PLANTED = 2,
    GTI_TIP_PLANTED = 4,
    GTI_SOLE_PLANTED = 7
};

// A foot against the ground. Pitched up, it turns about the heel; pitched down, first about the ball, while the toes
// stay flat, then about the tip of the toes as well.
typedef struct GtiFoot {
    double x, z;      // of the heel, as if the foot stood flat; metres
    double lift;      // of the whole foot above the ground; metres
    double yaw_deg;   // of the foot's rest direction, to the left
    double pitch_deg; // toes up
    double bend_deg;  // of the toes upwards, beside what rolling asks for
} GtiFoot;

// Where the foot's joints go.
typedef struct GtiLegSole {
    GtVec3 ankle;
    GtQuat turn;     // of the foot in model space
    double bend_deg; // of the toes upwards against the foot
    int planted;     // GTI_HEEL_PLANTED...
} GtiLegSole;

// The rest direction of a foot points this much outwards.
double gti_foot_out_deg(const GtiSkeleton* skeleton);

// From ankle to heel as seen from above, in the T-pose.
GtVec3 gti_heel_offset(const GtiSkeleton* skeleton, int side);

GtiLegSole gti_foot_sole(const GtiSkeleton* skeleton, int side, const GtiFoot* foot);

// Height of the lowest point of a sole.
double gti_sole_low(const GtiSkeleton* skeleton, int side, const GtiLegSole* sole);

// What the knee's hinge says when thigh and shank are in line, which they are not quite at rest.
double gti_leg_straight_deg(const GtiSkeleton* skeleton);

// From hip joint to ankle when the knee is bent.
double gti_leg_length(const GtiSkeleton* skeleton, double knee_deg);

// The bend of the knee, 0 or more, at which the ankle is `length_m` from the hip joint.
double gti_leg_knee_deg(const GtiSkeleton* skeleton, double length_m);

// Where the hip joint is. The hips must be set.
GtVec3 gti_hip_joint(const GtiSkeleton* skeleton, const GtiPose* pose, int side);

// Turn hip, knee, ankle and toes so that the foot is where the sole says; the knee looks between the ways of pelvis and
// foot, `knee_out_deg` further outwards. A foot out of reach is reached for.
void gti_leg_reach(const GtiSkeleton* skeleton, GtiPose* pose, int side, const GtiLegSole* sole, double knee_out_deg);

#endif
