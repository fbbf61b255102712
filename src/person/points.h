// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Points of the person's skin, found on the layers without a mesh: what a fit to another body needs, in milliseconds.

#ifndef GERTIE_PERSON_POINTS_H
#define GERTIE_PERSON_POINTS_H

#include "person/skeleton.h"

// What changes the flesh over one skeleton.
typedef enum GtiFlesh {
    GTI_FLESH_BUILD,
    GTI_FLESH_MUSCLE,
    GTI_FLESH_SEX,
    GTI_FLESH_COUNT
} GtiFlesh;

enum {
    GTI_POINT_INFLUENCES = 4
};

// A point of the skin in the T-pose.
typedef struct GtiPersonPoint {
    GtVec3 position;
    GtVec3 normal; // unit
    uint16_t joints[GTI_POINT_INFLUENCES];
    float weights[GTI_POINT_INFLUENCES]; // sum 1
    float growth[GTI_FLESH_COUNT];       // metres along the normal per unit of build, muscle, sex
} GtiPersonPoint;

typedef struct GtiPersonPoints {
    GtiSkeleton skeleton;
    GtiPersonPoint* points; // those of the left half, then their twins on the right in the same order
    int32_t count;
} GtiPersonPoints;

// About one point for every square of the given size, evenly over the skin. false when memory ran out.
bool gti_person_points(const GtPersonDef* def, float spacing_m, GtArena* arena, GtiPersonPoints* out);

#endif
