// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A humanoid as sixteen convex shapes, fitted to its skin: each vertex belongs to the part whose joint moves it most. A
// part has a hull around all of its vertices and, of a limb, a capsule along its bone that is as thick as it is on
// average. Both are rigid and move with the part's joint.

#ifndef GERTIE_COLLIDE_COLLIDER_H
#define GERTIE_COLLIDE_COLLIDER_H

#include "collide/shape.h"

#include "gertie/figure.h"

typedef enum GtiColliderPartKind {
    GTI_COLLIDER_HEAD,
    GTI_COLLIDER_CHEST,
    GTI_COLLIDER_BELLY,
    GTI_COLLIDER_PELVIS,
    GTI_COLLIDER_LEFT_UPPER_ARM,
    GTI_COLLIDER_LEFT_FOREARM,
    GTI_COLLIDER_LEFT_HAND,
    GTI_COLLIDER_LEFT_THIGH,
    GTI_COLLIDER_LEFT_SHANK,
    GTI_COLLIDER_LEFT_FOOT,
    GTI_COLLIDER_RIGHT_UPPER_ARM,
    GTI_COLLIDER_RIGHT_FOREARM,
    GTI_COLLIDER_RIGHT_HAND,
    GTI_COLLIDER_RIGHT_THIGH,
    GTI_COLLIDER_RIGHT_SHANK,
    GTI_COLLIDER_RIGHT_FOOT,
    GTI_COLLIDER_PART_COUNT
} GtiColliderPartKind;

// The part that a joint of the vocabulary moves, or GT_NONE. Necks are of the head, clavicles of the chest.
int gti_collider_part_of(int32_t joint);

typedef struct GtiColliderPart {
    int32_t node; // runtime node that it moves with, or GT_NONE where it has no skin
    GtiHull hull; // metres, in the node's axes without its scale
    bool has_capsule;
    GtiCapsule capsule; // in the same axes
} GtiColliderPart;

typedef struct GtiCollider {
    GtiHullNormals normals;
    GtiColliderPart parts[GTI_COLLIDER_PART_COUNT];
} GtiCollider;

// Fit a collider to the skin of a humanoid.
// rest: [nodes] model_from_node of any pose that the figure can have, and its rotations without scale
GtResult gti_collider_fit(const GtContext* context, const GtFigure* figure, const GtMat34* rest,
                          const GtQuat* rest_rotations, GtiCollider* out, GtError* error);

// Where a part is in a pose.
typedef struct GtiColliderPlace {
    GtVec3 origin;
    GtQuat rotation; // model_from_part
    GtVec3 middle;   // of the ball around its hull
} GtiColliderPlace;

GtiColliderPlace gti_collider_place(const GtiCollider* collider, int part, GtVec3 origin, GtQuat rotation);

enum {
    GTI_MOST_BALLS = 8
};

// How deep what lies between some balls is in a part, all in model space.
// balls: [count] up to GTI_MOST_BALLS
GtiDepth gti_collider_depth(const GtiCollider* collider, int part, const GtiColliderPlace* place, const GtiBall* balls,
                            int count);

#endif
