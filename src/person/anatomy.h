// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The anatomy of the person: which metaballs there are, and how they change with build, muscle and sex.

#ifndef GERTIE_PERSON_ANATOMY_H
#define GERTIE_PERSON_ANATOMY_H

#include "person/layers.h"

// Whether a metaball has a twin on the other side.
typedef enum GtiSide {
    GTI_MIDDLE, // on the middle line, or itself symmetric
    GTI_PAIR,   // the left one of two
} GtiSide;

// A metaball of the reference person, who is 1 m tall, of average build and blended sex, in the T-pose.
typedef struct GtiMetaballDef {
    GtiLayerPart part;
    GtHumanoidJoint joint;
    GtiSide side;
    GtiLayerOp op;
    float blend;
    GtVec3 a, b;      // of a plane: a point and its normal
    float radii_a[2]; // across x (y for what lies along x), and the other one
    float radii_b[2];
    float caps[2];         // beyond a and beyond b
    float fat;             // how much radii grow from average to heavy build (half of it from thin to average)
    float muscle;          // how much they grow from no muscle to all
    float male;            // how much they grow from female to male
    GtHumanoidJoint bends; // joint whose bending makes it swell
    float swell;           // how much its radii grow when that joint bends by a right angle
} GtiMetaballDef;

extern const GtiMetaballDef gti_body_balls[];
extern const int32_t gti_body_ball_count;
extern const GtiMetaballDef gti_head_balls[];
extern const int32_t gti_head_ball_count;

// Fill in the metaballs of a person, not posed yet.
void gti_anatomy_build(const GtPersonDef* def, const GtiSkeleton* skeleton, GtiLayers* out);

// Factor by which a size grows for a person.
float gti_anatomy_growth(const GtPersonDef* def, float fat, float muscle, float male);

#endif
