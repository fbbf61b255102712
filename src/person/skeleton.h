// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person's skeleton: the 55 joints of the VRM vocabulary, segment lengths as fractions of the height from Winter,
// "Biomechanics and Motor Control of Human Movement" (after Drillis and Contini 1966), fingers as fractions of the
// hand's length from Buryanov and Kotiuk, "Proportions of Hand Segments" (2010). Joint i is GtHumanoidJoint i, which is
// parent-first. The body is built on it and the motions are made for it.

#ifndef GERTIE_PERSON_SKELETON_H
#define GERTIE_PERSON_SKELETON_H

#include "gertie/person.h"

// Of pairs: the left one comes first.
enum {
    GTI_LEFT,
    GTI_RIGHT
};

// A skeleton of a given size. Positions are in model space, in metres, in the T-pose whatever the rest pose is, soles
// at y = 0; all joint axes are those of the model there. Arms lie along x, fingers nearly so, palms down.
typedef struct GtiSkeleton {
    double height_m;
    GtPersonPose pose; // in which the joints rest
    GtVec3 joints[GT_HUMANOID_JOINT_COUNT];
    GtVec3 tips[GT_HUMANOID_JOINT_COUNT]; // end of the joint's own bone: where its main child is, or the end of a leaf
    GtVec3 heels[2];                      // lowest points of the soles
    GtVec3 balls[2];
    GtVec3 toe_tips[2];
    double leg_m;  // hip joint to the ground
    double hand_m; // wrist to tip of the middle finger
    double foot_m; // heel to toe
} GtiSkeleton;

// The skeleton of a person whose def has been checked.
void gti_person_skeleton(const GtPersonDef* def, GtiSkeleton* out);

// parent_from_joint of every joint at rest. In the T-pose no joint is turned; in the A-pose the upper arms are.
void gti_skeleton_rest(const GtiSkeleton* skeleton, GtTransform rest[GT_HUMANOID_JOINT_COUNT]);

// model_from_joint of every joint at rest.
void gti_skeleton_model(const GtiSkeleton* skeleton, GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT]);

// Append the joints as nodes 0 to 54 with their VRM names, the humanoid map and, in the A-pose, the retarget pose,
// under one stage. The scene has no nodes yet.
GtResult gti_skeleton_add(GtScene* scene, const GtiSkeleton* skeleton, GtError* error);

#endif
