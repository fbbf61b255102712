// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What feet stand on that is higher than the floor: steps, boxes, a platform that is jumped onto. There is no mesh of
// it; that the body is carried by a foot which does not move shows that something is under it. And which part of a foot
// stands.

#ifndef GERTIE_MOTION_CONTACT_LEVEL_H
#define GERTIE_MOTION_CONTACT_LEVEL_H

#include "motion/contact/tread.h"

// Times the height up to which a foot is on the floor, from which on it may be on something else.
#define GTI_LEAST_LEVEL 1.5

// How heels and balls go through a motion of even frames, part by part where there are several arrays in one.
typedef struct GtiTreading {
    int32_t frame_count;
    double step_s;
    double size;          // times as large as a person
    const GtVec3* marks;  // [GTI_SOLE_PART_COUNT * frame_count] the point that stands for a part
    const float* heights; // likewise, above the floor
    const GtVec3* hips;   // [frame_count] the middle between the hip joints, or the centre of mass
    double speed_mps;     // of a person: what is slower is at rest,
    double height_m;      // and what is lower is on nothing but the floor
} GtiTreading;

// Find them.
// @param levels  [GTI_SIDE_COUNT * frame_count] receives how high above the floor what is under a foot is: 0 but for
//                the frames in which it is on something higher, or next to that
// @param any     receives whether there is something
GtResult gti_levels_find(const GtiTreading* treading, GtArena* scratch, float* levels, bool* any, GtError* error);

// Of a foot whose heel and ball both stand, but that is tilted by more than `tilt_m` of a person, only the lower part
// does, however still the other one is held.
// @param stands  [GTI_SOLE_PART_COUNT] of [frame_count]
// @param room    [frame_count]
void gti_lift_tilted(const GtiTreading* treading, double tilt_m, bool* const* stands, float* room);

#endif
