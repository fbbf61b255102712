// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bones of a body: joints that move some of its surface, each from where it is to where the next one is. Of a
// humanoid these are the joints of the vocabulary; what else an artist put between them (twist and helper joints)
// belongs to the bone above. Of other figures, all joints with a surface of their own are bones.

#ifndef GERTIE_HARMONIC_MARKERS_BONE_TREE_H
#define GERTIE_HARMONIC_MARKERS_BONE_TREE_H

#include "figure/shell.h"

typedef struct GtiMarkerBone {
    int32_t node;    // runtime
    int32_t joint;   // GtHumanoidJoint, or GT_NONE
    int32_t parent;  // bone, or GT_NONE
    int32_t next;    // bone at its far end, or GT_NONE
    GtVec3 from, to; // in the bind pose
    GtVec3 axis;     // unit, from one to the other
    float length_m;
    int32_t point_count; // that it moves more than any other bone does
} GtiMarkerBone;

typedef struct GtiBoneTree {
    GtiMarkerBone* bones; // [count] parents first
    int32_t count;
    int32_t* of_nodes;     // [node_count] bone that each node moves with
    int32_t* of_points;    // [point_count] bone that moves each point most
    int32_t* of_triangles; // [triangle_count] bone of most of its corners
} GtiBoneTree;

GtResult gti_bone_tree_find(const GtiShell* shell, GtArena* arena, GtiBoneTree* out, GtError* error);

// Whether one hangs on the other, or both are the same.
static inline bool gti_bones_are_neighbours(const GtiBoneTree* bones, int32_t a, int32_t b)
{
    return a == b || bones->bones[a].parent == b || bones->bones[b].parent == a;
}

#endif
