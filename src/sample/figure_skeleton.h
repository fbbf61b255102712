// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The sample figure's skeleton: 22 joints of the VRM vocabulary in the T-pose, segment lengths as fractions of the
// height from Winter, "Biomechanics and Motor Control of Human Movement" (after Drillis and Contini 1966).

#ifndef GERTIE_SAMPLE_FIGURE_SKELETON_H
#define GERTIE_SAMPLE_FIGURE_SKELETON_H

#include "gertie/scene.h"

enum {
    GTI_SAMPLE_JOINT_COUNT = 22
};

// One joint of the figure.
typedef struct GtiSampleJoint {
    GtHumanoidJoint joint;
    int32_t parent;  // index into the table, or GT_NONE
    GtVec3 position; // in the T-pose, in heights; the soles are at y = 0
} GtiSampleJoint;

extern const GtiSampleJoint gti_sample_joints[GTI_SAMPLE_JOINT_COUNT];

// Index in the table of a humanoid joint, or GT_NONE.
int32_t gti_sample_joint_index(GtHumanoidJoint joint);

// parent_from_joint of every joint at rest.
void gti_sample_rest(double height_m, GtTransform rest[GTI_SAMPLE_JOINT_COUNT]);

// Append the joints as nodes 0 to 21, with their names and the humanoid map, under one stage.
GtResult gti_sample_add_skeleton(GtScene* scene, double height_m, GtError* error);

// The height is one a person or a puppet can have.
GtResult gti_sample_check_height(double height_m, GtError* error);

#endif
