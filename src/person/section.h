// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cross-sections of the body, after Shen and Thalmann, "Realistic human body modeling and deformation" (1995). Chains
// of bones carry rings: in the middle of a bone its plane lies across it, at a joint it halves the angle, and between
// them it turns evenly, so that planes of neighbours do not cross within the flesh. From the bone rays go to the
// layers; how much longer they are in a pose than in the T-pose is blended by cubic B-splines along the chain and
// around it.
//
// A point of the skin keeps its place on its chain: how far along, at which angle, how far out. That is what lets one
// mesh follow the layers through all poses.

#ifndef GERTIE_PERSON_SECTION_H
#define GERTIE_PERSON_SECTION_H

#include "gertie/executor.h"

#include "person/layers.h"

enum {
    GTI_CHAIN_COUNT = 17,
    GTI_MAX_RINGS = 48,
    GTI_RAYS = 24 // of a ring
};

// Where a point is on a chain.
typedef struct GtiSectionPoint {
    float along; // in bones: 1.5 is the middle of the second one
    float angle; // in rays
    float out;   // metres
    float off;   // metres in front of the plane, which is only nearly through the point
} GtiSectionPoint;

// Lengths of the rays of all chains, 0 where none ends on the skin.
typedef struct GtiSections {
    float radii[GTI_CHAIN_COUNT][GTI_MAX_RINGS][GTI_RAYS];
} GtiSections;

// The chain that a joint is in, or GT_NONE: collar bones, eyes and the jaw have none.
int32_t gti_section_chain(GtHumanoidJoint joint);

// Cast the rays of the T-pose.
void gti_sections_rest(const GtiSkeleton* skeleton, const GtiLayers* layers, const GtExecutor* executor,
                       GtiSections* out);

// Cast the rays in a pose, and tell by how much they are longer than at rest; 0 where one of the two does not end.
// @param turns  of each joint against the T-pose, in model space
void gti_sections_pose(const GtiSkeleton* skeleton, const GtiLayers* posed, const GtVec3* points, const GtQuat* turns,
                       const GtiSections* rest, const GtExecutor* executor, GtiSections* out);

// Where a point of the T-pose is on a chain.
GtiSectionPoint gti_section_locate(const GtiSkeleton* skeleton, int32_t chain, GtVec3 p);

// Where it is in a pose.
// @param points  [GT_HUMANOID_JOINT_COUNT] the joints
// @param longer  what gti_sections_pose() gave
GtVec3 gti_section_place(const GtiSkeleton* skeleton, int32_t chain, const GtVec3* points, const GtQuat* turns,
                         const GtiSections* longer, GtiSectionPoint at);

#endif
