// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Poses of those nodes alone that legs and soles hang on: a tenth of a figure with fingers and a face.

#ifndef GERTIE_MOTION_PLANT_POSE_H
#define GERTIE_MOTION_PLANT_POSE_H

#include "motion/plant/plant.h"

// Of one frame. Arrays of all nodes, in which only those of the plant count.
typedef struct GtiLegPose {
    GtTransform* pose; // [nodes]
    GtMat34* model;    // [nodes]
    GtQuat* rotations; // [nodes] in the model
} GtiLegPose;

// Choose the nodes.
GtResult gti_plant_choose_nodes(GtiPlant* plant);

// Room for one; false where memory ran out.
bool gti_leg_pose_push(const GtiPlant* plant, GtiLegPose* out);

// Take over a frame.
void gti_leg_pose_load(const GtiPlant* plant, int32_t frame, const GtiLegPose* out);

#endif
