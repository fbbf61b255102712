// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How a figure's motion shows what it stands on, where there is no mesh to show it.

#ifndef GERTIE_MOTION_CONTACT_STANCE_H
#define GERTIE_MOTION_CONTACT_STANCE_H

#include "motion/retarget/aligned_figure.h"

#include "gertie/clip.h"

typedef struct GtiStance {
    float height_m;  // of the lower foot's lowest joint while it stands
    float pitch_rad; // of standing feet, toes up, since the aligned pose; 0 where it cannot be told
    float gaze_rad;  // how far up the head looks, likewise
} GtiStance;

// Align a figure without a mesh anew by how flat its feet stand. A T-pose that the clip begins with is its reference,
// in which the head is level as far as the motion bears that out.
// pose, model_from_node: [node_count] scratch.
GtResult gti_stance_flatten(const GtContext* context, GtiAlignedFigure* figure, const GtClip* clip,
                            bool starts_in_tpose, GtTransform* pose, GtMat34* model_from_node, GtError* error);

// Align a figure by its clip: a T-pose that this begins with says more about it than its rest pose does, and feet that
// stand in it show how they lie flat. pose, model_from_node: [node_count] scratch.
GtResult gti_stance_align(const GtContext* context, GtiAlignedFigure* figure, GtTransform* pose,
                          GtMat34* model_from_node, GtError* error);

// Look at a clip of an aligned figure.
// pose: [nodes] its rest pose; changed. model_from_node: [nodes] scratch.
void gti_stance_find(const GtiAlignedFigure* figure, const GtClip* clip, GtTransform* pose, GtMat34* model_from_node,
                     GtiStance* out);

// Height of the floor that a clip goes over, likewise: 0 where its figure stands there at rest. Where that rests
// elsewhere, as a BVH does whose hips are at the origin, its motion tells.
// sole_m: receives how far its soles are under its lowest joint, by how near that comes to the floor
float gti_stance_floor(const GtiAlignedFigure* figure, const GtClip* clip, GtTransform* pose, GtMat34* model_from_node,
                       float* sole_m);

#endif
