// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bones compete for a point by rank = sqrt(d^2 + b^2) - r, where d is the distance, b how far the point lies behind the
// bone's head, and r the ball about the bone's nearest place that fits into the body. Without r a thigh takes the
// groin from the much thicker trunk; without b a child takes as much of its parent's side of a joint as the parent does
// of the child's. On the MakeHuman body both together halve what plain distance leaves to be desired.

#include "rig/weigh/bones.h"

#include <math.h>

// Neighbours whose bones are this many times as far apart along the skeleton as through the flesh begin to count as
// touching, and at the second number they do.
#define TOUCH_BEGIN 2.5f
#define TOUCH_FULL  4.0f

// Tips and children closer than this are one place, in heights.
#define SAME_PLACE 0.004f

// Where no ball fits, this part of the distance counts as the girth.
#define CAP         0.8f
#define LEAST_GIRTH 1e-3f

enum {
    WALK_LIMIT = 512 // joints on the way from one bone to another; more are far apart in any case
};

static GtiWeighBone make_bone(int32_t joint, GtVec3 head, GtVec3 tail, const GtiSolid* solid)
{
    GtVec3 axis = gt_vec3_sub(tail, head);
    GtiWeighBone bone = {
        .joint = joint,
        .head = head,
        .axis = gt_vec3_normalize_or(axis, gt_vec3(0.0f, 0.0f, 0.0f)),
        .length = gt_vec3_length(axis),
        .middle = gt_vec3_lerp(head, tail, 0.5f),
    };
    float largest = 0.0f;
    for (int i = 0; i < GTI_BONE_RADII; ++i) {
        GtVec3 p = gt_vec3_lerp(head, tail, (float)i / (GTI_BONE_RADII - 1));
        bone.radii[i] = fmaxf(-gti_solid_distance(solid, p), 0.0f);
        largest = fmaxf(largest, bone.radii[i]);
    }
    bone.reach = 0.5f * bone.length + largest;
    return bone;
}

static bool same_place(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b)) < SAME_PLACE;
}

bool gti_bones_make(const GtiRigSkeleton* skeleton, const GtiSolid* solid, GtArena* arena, GtiWeighBones* out)
{
    size_t joint_count = (size_t)skeleton->joint_count;
    *out = (GtiWeighBones){
        .skeleton = skeleton,
        .bones = gt_arena_push_array(arena, 2 * joint_count, sizeof *out->bones),
        .ways = gt_arena_push_array(arena, joint_count, sizeof *out->ways),
        .depths = gt_arena_push_array(arena, joint_count, sizeof *out->depths),
    };
    if (!out->bones || !out->ways || !out->depths) {
        return false;
    }
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        const GtiRigJoint* joint = &skeleton->joints[j];
        out->bones[out->count++] = make_bone(j, joint->position, joint->tip, solid);
        if (joint->parent == GT_NONE) {
            continue;
        }
        const GtiRigJoint* parent = &skeleton->joints[joint->parent];
        out->depths[j] = out->depths[joint->parent] + 1;
        out->ways[j] = out->ways[joint->parent] + gt_vec3_length(gt_vec3_sub(joint->position, parent->position));
        if (!same_place(joint->position, parent->tip) && !same_place(joint->position, parent->position)) {
            out->bones[out->count++] = make_bone(joint->parent, parent->position, joint->position, solid);
        }
    }
    return true;
}

float gti_bone_radius(const GtiWeighBone* bone, float along)
{
    float at = bone->length > 0.0f ? along / bone->length * (GTI_BONE_RADII - 1) : 0.0f;
    int i = (int)at;
    if (i >= GTI_BONE_RADII - 1) {
        return bone->radii[GTI_BONE_RADII - 1];
    }
    return bone->radii[i] + (bone->radii[i + 1] - bone->radii[i]) * (at - (float)i);
}

GtiBeside gti_bone_beside(const GtiWeighBones* bones, int32_t index, GtVec3 p)
{
    const GtiWeighBone* bone = &bones->bones[index];
    GtVec3 from = gt_vec3_sub(p, bone->head);
    float ahead = gt_vec3_dot(from, bone->axis);
    float along = fminf(fmaxf(ahead, 0.0f), bone->length);
    float distance = gt_vec3_length(gt_vec3_sub(from, gt_vec3_scale(bone->axis, along)));
    float behind = fmaxf(-ahead, 0.0f);
    return (GtiBeside){
        .bone = index,
        .along = along,
        .distance = distance,
        .rank = sqrtf(distance * distance + behind * behind) - gti_bone_radius(bone, along),
    };
}

float gti_bones_girth(const GtiWeighBones* bones, GtiBeside beside)
{
    float radius = gti_bone_radius(&bones->bones[beside.bone], beside.along);
    float girth = fminf(beside.distance, fmaxf(radius, CAP * beside.distance));
    return fmaxf(girth, LEAST_GIRTH);
}

float gti_bones_way(const GtiWeighBones* bones, GtiBeside a, GtiBeside b)
{
    const GtiRigJoint* joints = bones->skeleton->joints;
    int32_t first = bones->bones[a.bone].joint;
    int32_t second = bones->bones[b.bone].joint;
    float way_a = bones->ways[first] + a.along;
    float way_b = bones->ways[second] + b.along;
    int32_t i = first;
    int32_t j = second;
    for (int step = 0; i != j && i != GT_NONE && j != GT_NONE && step < WALK_LIMIT; ++step) {
        if (bones->depths[i] >= bones->depths[j]) {
            i = joints[i].parent;
        } else {
            j = joints[j].parent;
        }
    }
    if (i != j) { // of two trees, or very far apart
        return way_a + way_b;
    }
    if (i == first || i == second) { // one is on the other's way from the root
        return fabsf(way_a - way_b);
    }
    return way_a + way_b - 2.0f * bones->ways[i];
}

float gti_bones_passage(const GtiWeighBones* bones, GtiBeside a, GtiBeside b, float gap)
{
    if (bones->bones[a.bone].joint == bones->bones[b.bone].joint) {
        return 1.0f;
    }
    float through = a.distance + b.distance + gap;
    float times = gti_bones_way(bones, a, b) / fmaxf(through, 1e-6f);
    return fminf(fmaxf((TOUCH_FULL - times) / (TOUCH_FULL - TOUCH_BEGIN), 0.0f), 1.0f);
}
