// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An elbow or a knee: what linear skin makes of it as it bends, and what it should be. A linear skin blends points of
// two rigid halves along straight lines and so pulls the joint in; the goal turns each point by its own share of the
// bend, and then swells around the joint by as much as keeps the volume of one radius to either side.

#ifndef GERTIE_SECTIONS_PRESET_HINGE_H
#define GERTIE_SECTIONS_PRESET_HINGE_H

#include "sections/preset/limb.h"

typedef struct GtiHinge {
    const GtiSculptBody* body;
    GtVec3 origin;
    GtVec3 axis;        // unit; positive angles bend
    GtVec3 along;       // unit, from the upper half to the lower
    float radius_m;     // mean of the limb at the joint
    float blend_m;      // how far to either side of the joint the skin blends its halves, two radii or more
    float most_m;       // the largest radius there
    float* shares;      // [point_count] of what turns
    int32_t* triangles; // [triangle_count] of the shell, one radius to either side of the joint
    int32_t triangle_count;
    int32_t (*rims)[3]; // [rim_count] edges that end it: from, to, and which of two lids
    int32_t rim_count;
    double volume_m3; // in the bind pose
} GtiHinge;

// @param towards  where the lower half goes as it bends
// @return GT_ERROR_NOT_FOUND where the body lacks the joints or has no skin there
GtResult gti_hinge_make(const GtContext* context, GtArena* arena, const GtiSculptBody* body, const GtiSculptLimb* upper,
                        const GtiSculptLimb* lower, GtVec3 towards, GtiHinge* out, GtError* error);

// Points of the shell with the joint bent.
// @param out  [point_count]
void gti_hinge_bend_linear(const GtiHinge* hinge, float angle_rad, GtVec3* out);
void gti_hinge_bend_full(const GtiHinge* hinge, float angle_rad, GtVec3* out);

// Volume around the joint, of its volume in the bind pose.
double gti_hinge_volume(const GtiHinge* hinge, const GtVec3* positions);

// How the lower half turns.
GtQuat gti_hinge_turn(const GtiHinge* hinge, float angle_rad);

#endif
