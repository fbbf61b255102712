// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planting the feet of frames that have been carried over.

#ifndef GERTIE_MOTION_RETARGET_PLANT_H
#define GERTIE_MOTION_RETARGET_PLANT_H

#include "motion/plant/plant.h"
#include "motion/retarget/data.h"
#include "motion/take/cycle.h"

// Frames of the target's nodes that get keys.
typedef struct GtiCarried {
    int32_t frame_count;
    const float* times; // [frame_count] of the source
    int32_t node_count;
    const int32_t* nodes;  // [node_count] of the scene
    GtTransform* poses;    // [frame_count * node_count]; NULL where only the others count
    const int32_t* frames; // [frame_count] which frame of the motion each is, or NULL where these are all of it
    int32_t before, after; // frames at the ends that are there to settle the others with
} GtiCarried;

// Means between the paths of the feet and those of the source, scaled, against the heading of the hips.
typedef struct GtiWarpMeans {
    bool found;
    GtVec3 off[GTI_SIDE_COUNT];
} GtiWarpMeans;

// Warp the paths of feet that have been traced along those of the source, at its times, and turn the legs there.
// means: taken where found, else found in these frames
GtResult gti_retarget_warp(const GtRetarget* retarget, const float* times, GtiWarpMeans* means, GtiPlant* plant);

// What plants or warps the feet of a motion between two humanoids. The path must be on the hips or on the root.
typedef struct GtiPlanter GtiPlanter;

// See when the feet of the source stand.
// motion: all of it, but for its poses
GtResult gti_planter_open(const GtContext* context, const GtRetarget* retarget, const GtiCarried* motion,
                          GtiPlanter** out, GtError* error);

void gti_planter_close(GtiPlanter* planter);

// Whether a motion of two humanoids that is to be planted in windows closes into a cycle, which then is continued at
// both ends.
// ends: poses of its first and last frame, one after the other
bool gti_planter_find_cycle(GtiPlanter* planter, const GtTransform* ends, GtiCycle* out);

// See what is the same for all windows of a motion, in some of its frames: where the ground is, how far feet are from
// the source's.
GtResult gti_planter_look_around(GtiPlanter* planter, const GtiCarried* some);

// Plant or warp feet: of the whole motion, or of a window. The report is added to.
GtResult gti_planter_plant(GtiPlanter* planter, const GtiCarried* carried, GtPlantReport* report);

// Raise the hips of frames that have been planted, and legs with them; feet that stand stay where they are.
// rises: [frame_count]
GtResult gti_planter_lift(GtiPlanter* planter, const GtiCarried* carried, const float* rises);

// Height of the ground, once feet have been planted.
float gti_planter_floor(const GtiPlanter* planter);

// Contact bits of all frames of the motion.
const uint8_t* gti_planter_contacts(const GtiPlanter* planter);

#endif
