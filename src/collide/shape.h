// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Convex shapes that stand for parts of a body, and how deep they are in each other. A hull is cut by planes whose
// normals are the same for all hulls, so that it is an array of numbers and a distance is one pass over it: exact
// inside, a lower bound outside, never the end of an iteration.

#ifndef GERTIE_COLLIDE_SHAPE_H
#define GERTIE_COLLIDE_SHAPE_H

#include "gertie/vec.h"

enum {
    GTI_HULL_PLANES = 128 // 18 degrees from one to the next: a ball's hull is 1 % larger than the ball on average
};

// Normals of the planes of all hulls, unit.
typedef struct GtiHullNormals {
    float x[GTI_HULL_PLANES], y[GTI_HULL_PLANES], z[GTI_HULL_PLANES];
} GtiHullNormals;

void gti_hull_normals(GtiHullNormals* out);

// All points less than a radius from a line, which changes evenly from one end to the other.
typedef struct GtiCapsule {
    GtVec3 a, b;
    float radius_a, radius_b;
} GtiCapsule;

// A ball; several are all that lies between them, too.
typedef struct GtiBall {
    GtVec3 at;
    float radius;
} GtiBall;

typedef struct GtiHull {
    float reaches[GTI_HULL_PLANES]; // of each plane from the origin, along its normal
    bool closed[GTI_HULL_PLANES];   // planes behind which there is another part: no way leads out there
    GtVec3 middle;                  // of a ball around the points
    float radius;                   // negative without points
} GtiHull;

// How far one shape has to move to be out of another: negative where they are apart.
typedef struct GtiDepth {
    float depth_m;
    GtVec3 way; // unit, to the outside
} GtiDepth;

// The tightest hull of some points; one without points has a negative radius, and nothing is inside.
// points: [count] finite
GtiHull gti_hull_fit(const GtiHullNormals* normals, const GtVec3* points, int32_t count);

// Close the planes whose normals are less than 66 degrees off a way.
void gti_hull_close(const GtiHullNormals* normals, GtVec3 way, GtiHull* hull);

// Fit the radii of a capsule to points around a given line: their distances by least squares over the middle 80 % of
// its length. False where there are too few points.
bool gti_capsule_fit(const GtVec3* points, int32_t count, GtVec3 a, GtVec3 b, GtiCapsule* out);

// How deep what lies between some balls is in a hull: the least way along a normal of an open plane that brings all of
// them out. Where they are apart, some plane between them, and how far they are from it. Both in the same space.
// balls: [count], at least one
GtiDepth gti_balls_in_hull(const GtiHullNormals* normals, const GtiBall* balls, int count, const GtiHull* hull);

// How deep two capsules are in each other where they are deepest, how to move the first out of the second, and where
// along each line that is, 0 at a and 1 at b.
GtiDepth gti_capsule_in_capsule(const GtiCapsule* capsule, const GtiCapsule* other, float* at, float* other_at);

#endif
