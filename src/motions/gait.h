// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Legs of a walk or a run. While a foot is on the ground its place is given, and the leg follows by inverse kinematics;
// in the air the leg is given by its angles, from where the ground left them to where the ground takes them up again.
// Time is the phase of the left leg, in cycles; 0 is its heel strike, and the right leg is half a cycle apart.

#ifndef GERTIE_MOTIONS_GAIT_H
#define GERTIE_MOTIONS_GAIT_H

#include "motions/puppet.h"

// A leg in the air: what it is interpolated in.
typedef enum GtiSwing {
    GTI_SWING_ANGLE, // of the line from hip joint to ankle, forwards of straight down; degrees
    GTI_SWING_KNEE,  // degrees
    GTI_SWING_ANKLE, // of the foot against the shank, toes up
    GTI_SWING_BEND,  // of the toes
    GTI_SWING_OUT,   // the ankle outwards of the middle line; metres
    GTI_SWING_COUNT
} GtiSwing;

typedef struct GtiGait GtiGait;
struct GtiGait {
    const GtiStand* stand;
    double cycle_s;
    double cycle_m;
    double support; // share of the cycle

    // The rolling foot; phases of its own leg.
    double strike_deg;   // toes up at heel strike
    double flat;         // when the sole is down
    double heel_off;     // when the heel comes up
    double push_deg;     // heel up at toe-off
    double push_shape;   // how early the heel comes up: 1 late to 2 early
    double heel_ahead_m; // of the hips' even path at heel strike
    double heel_out_m;   // of the middle line
    double toes_out_deg; // of the feet

    // The swing.
    double knee_deg; // bent most...
    double knee_at;  // ...at this phase
    double retract;  // how long before it lands the leg swings back already, in cycles; 0: as comes
    double clearance_m;
    double lift_m; // found by gti_gait_prepare()
    GtiState leave[GTI_SWING_COUNT];
    GtiState strike[GTI_SWING_COUNT];

    // All but the legs, at a phase; the hips are at their place on the way.
    void (*body)(const GtiGait* gait, double phase, GtiPose* out);
    const void* body_user;
};

// Find the states between which the legs swing, and how much the feet must be lifted to clear the ground. `body` must
// be able to work. Called again when the hips have changed.
void gti_gait_prepare(GtiGait* gait);

// Where a foot is planted; `phase` is that of its own leg, 0 to support.
GtiFoot gti_gait_foot(const GtiGait* gait, int side, double phase, double strike_phase);

// How far the left leg of a pose, which stands at `phase`, is from reaching the ground, `leg_m` long; negative where it
// does.
double gti_gait_overstretch_m(const GtiGait* gait, const GtiPose* pose, double phase, double leg_m);

// The whole pose at a phase.
void gti_gait_pose(const GtiGait* gait, double phase, GtiPose* out, int planted[2]);

// The legs of a pose whose body is set.
void gti_gait_legs(const GtiGait* gait, double phase, GtiPose* pose, int planted[2]);

#endif
