// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints moved so that a linear skin comes as near as it can to a posed surface, each frame by itself.

#ifndef GERTIE_HARMONIC_BAKE_JOINT_FIT_H
#define GERTIE_HARMONIC_BAKE_JOINT_FIT_H

#include "harmonic/bake/unskin.h"

// What two joints share of the surface.
typedef struct GtiJointPair {
    int32_t a, b;         // joints
    double moments[4][4]; // sum of both weights times x x', of points (x, 1) in the bind pose
} GtiJointPair;

// A joint in the frame at hand.
typedef struct GtiFitJoint {
    int32_t node;        // runtime
    double unbind[4][4]; // bind_from_model
    double moved[4][4];  // how it moves the bind pose in the clip
    double fitted[4][4]; // how it shall
    double right[4][3];  // sum of its weight times x p', of points in the bind pose and where they are wanted
    double by[4][4];     // from the one to the other
    int32_t parent;      // joint, or GT_NONE
    int32_t first_pair;  // with others: they follow each other
    int32_t self;        // pair with itself
} GtiFitJoint;

typedef struct GtiJointFit {
    const GtiUnskin* unskin;
    int32_t joint_count; // that move some of the surface; 0 where there are too many to be fitted
    GtiFitJoint* joints; // [joint_count] parents first
    int32_t* of_nodes;   // [node_count] joint, or GT_NONE
    GtiJointPair* pairs; // [pair_count] by `a`
    int32_t pair_count;
    int32_t* samples; // [sample_count] vertices that are looked at
    int32_t sample_count;
} GtiJointFit;

GtResult gti_joint_fit_open(const GtiUnskin* unskin, GtArena* arena, GtiJointFit* out, GtError* error);

// The figure's instance has the pose of a frame: change it.
// wanted: [vertex_count] in model space
void gti_joint_fit_pose(GtiJointFit* fit, const GtVec3* wanted);

#endif
