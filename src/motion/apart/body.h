// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A body whose limbs can go into it: what has to be known of each frame is small, the joints of the limbs and how the
// trunk is turned.

#ifndef GERTIE_MOTION_APART_BODY_H
#define GERTIE_MOTION_APART_BODY_H

#include "collide/collider.h"
#include "motion/retarget/aligned_figure.h"

enum {
    GTI_LIMB_LEFT_ARM,
    GTI_LIMB_RIGHT_ARM,
    GTI_LIMB_LEFT_LEG,
    GTI_LIMB_RIGHT_LEG,
    GTI_LIMB_COUNT,
    GTI_LIMB_SEGMENTS = 3, // upper arm, forearm, hand; thigh, shank, foot
    GTI_FINGERS = 5,
    GTI_OBSTACLES = 8 // of an arm: head, chest, belly, pelvis; thigh and shank of each side
};

static const float GTI_LIMB_LEAVE_M = 0.02f; // of depth that is let be: shapes are not the skin, and flesh gives way

// Joints of a limb in a frame: shoulder, elbow, wrist and the end of the hand, or hip, knee, ankle and toes.
typedef struct GtiLimbPoints {
    GtVec3 at[GTI_LIMB_SEGMENTS + 1];
} GtiLimbPoints;

typedef struct GtiLimbFrame {
    GtiLimbPoints limbs[GTI_LIMB_COUNT];
    GtVec3 fingers[GTI_SIDE_COUNT][GTI_FINGERS]; // their tips, against the wrist
    GtiColliderPlace obstacles[GTI_OBSTACLES];
} GtiLimbFrame;

// How deep everything is in everything else, in metres.
typedef struct GtiLimbDepths {
    float arms[GTI_SIDE_COUNT][GTI_LIMB_SEGMENTS][GTI_OBSTACLES];
    float legs[GTI_LIMB_SEGMENTS][GTI_LIMB_SEGMENTS]; // of the left leg against those of the right
} GtiLimbDepths;

typedef struct GtiLimbBody {
    const GtiAlignedFigure* figure;
    GtiCollider collider;
    bool has_limb[GTI_LIMB_COUNT];
    int32_t nodes[GTI_LIMB_COUNT][GTI_LIMB_SEGMENTS]; // shoulder, elbow, wrist; hip, knee, ankle
    int finger_count[GTI_SIDE_COUNT];
    int32_t fingers[GTI_SIDE_COUNT][GTI_FINGERS][2]; // nodes of each: its last joint, and the one before
    float size;                                      // times as large as a person
    GtiLimbDepths stand;                             // in the common pose
} GtiLimbBody;

// Fit a body to the skin of a figure.
GtResult gti_limbs_open(const GtContext* context, GtArena* scratch, const GtiAlignedFigure* figure, GtiLimbBody* out,
                        GtError* error);

// Where limbs and trunk of a body are in a pose.
void gti_limbs_see(const GtiLimbBody* body, const GtMat34* model_from_node, const GtQuat* rotations, GtiLimbFrame* out);

void gti_limbs_depths(const GtiLimbBody* body, const GtiLimbFrame* frame, GtiLimbDepths* out);

// Which bit stands for a segment of an arm and an obstacle, and the bits of all that are not far from each other.
static inline int gti_limb_pair(int side, int segment, int obstacle)
{
    return (side * GTI_LIMB_SEGMENTS + segment) * GTI_OBSTACLES + obstacle;
}
uint64_t gti_limbs_near(const GtiLimbBody* body, const GtiLimbDepths* depths);

// How much more than what is allowed and let be the deepest is deep.
float gti_limbs_excess(const GtiLimbBody* body, const GtiLimbDepths* depths, const GtiLimbDepths* allowed);

// A segment of a limb; of an upper arm and a thigh the half that is away from the trunk.
GtiCapsule gti_limb_capsule(const GtiLimbBody* body, const GtiLimbPoints* points, int limb, int segment);

// A segment of an arm in an obstacle.
typedef struct GtiLimbTouch {
    GtiDepth depth;
    float depth_a, depth_b; // of its ends
} GtiLimbTouch;

GtiLimbTouch gti_limb_on_obstacle(const GtiLimbBody* body, const GtiLimbFrame* frame, int limb, int segment,
                                  int obstacle);

// A limb of a frame comes to other points: what it is as an obstacle goes along.
void gti_limb_place(const GtiLimbBody* body, GtiLimbFrame* frame, int limb, const GtiLimbPoints* points);

// A segment of the left leg in one of the right.
GtiDepth gti_limb_on_leg(const GtiLimbBody* body, const GtiLimbFrame* frame, int left, int right, float* left_at,
                         float* right_at);

#endif
