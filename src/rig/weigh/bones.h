// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bones as weighing sees them: segments with flesh around.

#ifndef GERTIE_RIG_WEIGH_BONES_H
#define GERTIE_RIG_WEIGH_BONES_H

#include "gertie/memory.h"

#include "geometry/solid.h"
#include "rig/skeleton.h"

enum {
    GTI_BONE_RADII = 9
};

// A joint has a bone to its tip, and one to each child that starts elsewhere.
typedef struct GtiWeighBone {
    int32_t joint;
    GtVec3 head, axis; // from head to tail, unit
    float length;
    float radii[GTI_BONE_RADII]; // of balls about evenly spaced points of it that fit into the body
    GtVec3 middle;
    float reach; // length / 2 + largest radius
} GtiWeighBone;

typedef struct GtiWeighBones {
    const GtiRigSkeleton* skeleton;
    GtiWeighBone* bones;
    int32_t count;
    float* ways;     // [joint_count] along the skeleton from its root to each joint
    int32_t* depths; // [joint_count] joints on that way
} GtiWeighBones;

// Where a point lies beside a bone.
typedef struct GtiBeside {
    int32_t bone;
    float along;    // from the head, 0 to length
    float distance; // from the bone
    float rank;     // by which bones compete for the point: least wins
} GtiBeside;

// Arrays are the arena's; false when memory ran out.
bool gti_bones_make(const GtiRigSkeleton* skeleton, const GtiSolid* solid, GtArena* arena, GtiWeighBones* out);

GtiBeside gti_bone_beside(const GtiWeighBones* bones, int32_t bone, GtVec3 p);

static inline GtVec3 gti_bone_point(const GtiWeighBone* bone, float along)
{
    return gt_vec3_add(bone->head, gt_vec3_scale(bone->axis, along));
}

// The largest ball about a place of the bone that fits into the body.
float gti_bone_radius(const GtiWeighBone* bone, float along);

// The width of the flesh that the place belongs to: its distance from the bone, or, beyond the end of a limb, about the
// radius there; at least a thousandth of the height.
float gti_bones_girth(const GtiWeighBones* bones, GtiBeside beside);

// How far apart two places are along the skeleton.
float gti_bones_way(const GtiWeighBones* bones, GtiBeside a, GtiBeside b);

// How freely warmth passes between neighbours that lie beside these bones, 0 to 1: not where parts of the body touch
// that are far apart in the skeleton.
float gti_bones_passage(const GtiWeighBones* bones, GtiBeside a, GtiBeside b, float gap);

#endif
