// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The outermost points of a body: those that can be its lowest in some pose. Each moves with one joint, so that the
// lowest is found in microseconds.

#ifndef GERTIE_MOTION_TOUCH_OUTER_H
#define GERTIE_MOTION_TOUCH_OUTER_H

#include "motion/touch/touch.h"

// What of a body can be low: its supports, and both hands.
enum {
    GTI_OUTER_LEFT_HAND = GT_SUPPORT_COUNT,
    GTI_OUTER_RIGHT_HAND,
    GTI_OUTER_PART_COUNT,
    GTI_OUTER_ENDS = 3, // middle and ends of a bone: knees, elbows and wrists are other parts than the rest
    GTI_OUTER_BUCKETS = GTI_OUTER_ENDS * GT_HUMANOID_JOINT_COUNT
};

typedef struct GtiOuterPoints {
    const GtiTouchBody* body;
    int32_t count;
    GtVec3* offsets;                      // [count] from their joints, in the common pose; joint by joint
    int32_t first[GTI_OUTER_BUCKETS + 1]; // of the points of a piece of a joint's bone, which are of one part
    int8_t parts[GTI_OUTER_BUCKETS];      // GtSupport or a hand
    float reach[GTI_OUTER_BUCKETS];       // from the joint to the farthest point
} GtiOuterPoints;

// Find the outermost points of a body, whose outline is enough: of its meshes, or of a skeleton's assumed skin. Soles
// are not of it.
GtResult gti_outer_points_find(const GtContext* context, GtArena* arena, const GtiTouchBody* body, GtiOuterPoints* out,
                               GtError* error);

// The lowest points of all parts in a pose.
typedef struct GtiOuterLows {
    float heights[GTI_OUTER_PART_COUNT];  // above the ground; INFINITY for what is higher than `most_m`
    int32_t points[GTI_OUTER_PART_COUNT]; // one of the outermost, or GT_NONE
} GtiOuterLows;

// ground: or NULL for a level floor at `floor_m`
void gti_outer_points_lows(const GtiOuterPoints* hull, const GtiBodyPose* pose, const GtGround* ground, float floor_m,
                           float most_m, GtiOuterLows* out);

// Where a point is in a pose.
GtVec3 gti_outer_point(const GtiOuterPoints* hull, const GtiBodyPose* pose, int32_t point);

#endif
