// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How a body's mass is spread over its segments: Winter, "Biomechanics and Motor Control of Human Movement"
// (table 4.1).

#ifndef GERTIE_MOTION_MASS_H
#define GERTIE_MOTION_MASS_H

#include "gertie/humanoid.h"

// Acceleration of what falls, in m/s^2.
#define GTI_GRAVITY 9.80665

// A body segment: its share of the body's mass, and its centre of mass on the line between two joints of the T-pose
// (or from a joint to the tip of its bone), all moving with the first. Thorax, abdomen and pelvis are between joints
// that lie near Winter's landmarks.
typedef struct GtiMassSegment {
    GtHumanoidJoint joint;
    GtHumanoidJoint end; // the same as `joint`: the tip of its bone
    double mass, along;
} GtiMassSegment;

enum {
    GTI_MASS_SEGMENT_COUNT = 16
};

extern const GtiMassSegment gti_mass_segments[GTI_MASS_SEGMENT_COUNT];

#endif
