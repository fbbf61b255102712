// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the feet do in every frame of a motion, as far as it tells when they stand.

#ifndef GERTIE_MOTION_CONTACT_FOOTPRINT_H
#define GERTIE_MOTION_CONTACT_FOOTPRINT_H

#include "motion/contact/tread.h"

// How the parts of both feet go through a motion of even frames.
typedef struct GtiFootprints {
    const GtiTread* sole;
    int32_t frame_count;
    double start_s, step_s;
    double size; // times as large as a person
    // [GT_CONTACT_PART_COUNT * frame_count], part by part: the point that stands for the part; the height of its
    // lowest point, and how fast that is, which is another one at every moment while the foot rolls.
    GtVec3* marks;
    float* lows;
    float* slips_mps;
    GtVec3* hips;      // [frame_count]
    int8_t* parts;     // [point_count] of the sole that roll, or GT_NONE
    GtVec3* recent[3]; // [point_count] of the sole in the frames before last, last and now
    int32_t added;     // frames
} GtiFootprints;

// Make room in an arena; false when memory ran out.
bool gti_footprints_begin(GtArena* arena, const GtiTread* sole, int32_t frame_count, double start_s, double step_s,
                          GtiFootprints* out);

// Add the next frame: the points of the sole, and the middle between the hip joints.
void gti_footprints_add(GtiFootprints* prints, const GtVec3* points, GtVec3 hips);

#endif
