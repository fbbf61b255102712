// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planting the feet of frames that have been carried over.

#ifndef GERTIE_MOTION_RETARGET_PLANT_H
#define GERTIE_MOTION_RETARGET_PLANT_H

#include "motion/plant/plant.h"
#include "motion/retarget/data.h"

// Frames of the target's nodes that get keys.
typedef struct GtiCarried {
    int32_t frame_count;
    const float* times; // [frame_count] of the source
    int32_t node_count;
    const int32_t* nodes; // [node_count] of the scene
    GtTransform* poses;   // [frame_count * node_count]
} GtiCarried;

// Warp the paths of feet that have been traced along those of the source, at its times, and turn the legs there.
GtResult gti_retarget_warp(const GtRetarget* retarget, const float* times, GtiPlant* plant);

// Plant or warp the feet of two humanoids. The path must be on the hips or on the root.
GtResult gti_retarget_plant(const GtContext* context, const GtRetarget* retarget, const GtiCarried* carried,
                            GtPlantReport* report, GtError* error);

#endif
