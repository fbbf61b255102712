// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The outermost points of a body: those that can be its lowest in some pose. Each moves with one joint, so that the
// lowest is found in microseconds.

#ifndef GERTIE_MOTION_TOUCH_HULL_H
#define GERTIE_MOTION_TOUCH_HULL_H

#include "motion/touch/touch.h"

// What of a body can be low: its supports, and both hands.
enum {
    GTI_HULL_LEFT_HAND = GT_SUPPORT_COUNT,
    GTI_HULL_RIGHT_HAND,
    GTI_HULL_PART_COUNT,
    GTI_HULL_ENDS = 3, // middle and ends of a bone: knees, elbows and wrists are other parts than the rest
    GTI_HULL_BUCKETS = GTI_HULL_ENDS * GT_HUMANOID_JOINT_COUNT
};

typedef struct GtiHull {
    const GtiTouchBody* body;
    int32_t count;
    GtVec3* offsets;                     // [count] from their joints, in the common pose; joint by joint
    int32_t first[GTI_HULL_BUCKETS + 1]; // of the points of a piece of a joint's bone, which are of one part
    int8_t parts[GTI_HULL_BUCKETS];      // GtSupport or a hand
    float reach[GTI_HULL_BUCKETS];       // from the joint to the farthest point
} GtiHull;

// Find the hull of a body, whose outline is enough: of its meshes, or of a skeleton's assumed skin. Soles are not of
// it.
GtResult gti_hull_find(const GtContext* context, GtArena* arena, const GtiTouchBody* body, GtiHull* out,
                       GtError* error);

// The lowest points of all parts in a pose.
typedef struct GtiHullLows {
    float heights[GTI_HULL_PART_COUNT];  // above the ground; INFINITY for what is higher than `most_m`
    int32_t points[GTI_HULL_PART_COUNT]; // of the hull, or GT_NONE
} GtiHullLows;

// ground: or NULL for a level floor at `floor_m`
void gti_hull_lows(const GtiHull* hull, const GtiBodyPose* pose, const GtGround* ground, float floor_m, float most_m,
                   GtiHullLows* out);

// Where a point is in a pose.
GtVec3 gti_hull_point(const GtiHull* hull, const GtiBodyPose* pose, int32_t point);

#endif
