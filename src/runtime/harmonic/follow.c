// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A harmonic field blends the four numbers of quaternions, so that of q and -q, the same rotation, neighbours must take
// those on one side. Only the rotation of a joint relative to its parent tells which: all joints of a body that turns
// round have real parts near 0, and nothing is wrong. In a clip, the sign stays with the joint through time, so that a
// joint that passes 180 degrees goes on the long way instead of snapping; beyond 240 degrees the short way is taken
// after all.
//
// Before that, twist is taken off: the part of a rotation about the limb (the projection of its quaternion on the
// axis), an angle that adds up along the limb and in a clip goes on through time for any number of turns. Where a joint
// swings by nearly 180 degrees there is no telling its twist, and turns it had before are forgotten.
//
// Through a joint that is bent at rest a twist cannot go on: about a line with a corner the surface would be spun in
// place. So towards such a joint the twist of a bone becomes a rotation like any other, evenly along the bone, where
// the two are the same, and the next bone starts with none.

#include "runtime/harmonic/follow.h"

#include <math.h>

static const float shorten = -0.5f; // real part of a rotation of 240 degrees
static const float unclear = 0.25f; // length of the projection of a rotation on its axis; a swing of 151 degrees
static const float round_rad = 6.28318531f;

static GtQuat negated(GtQuat q)
{
    return gt_quat(-q.x, -q.y, -q.z, -q.w);
}

static GtQuat rotation_of(const GtHarmonicSkinDef* skin, const GtMat34* model_from_node, int32_t node)
{
    GtQuat now = gt_mat34_polar(&model_from_node[node], NULL);
    return gt_quat_normalize(gt_quat_mul(now, skin->node_from_bind[node]));
}

// The twist of a rotation about an axis, by the number of turns that is nearest to the one before.
static float twist_rad(GtQuat rotation, GtVec3 axis, float before)
{
    float along = gt_vec3_dot(gt_vec3(rotation.x, rotation.y, rotation.z), axis);
    if (rotation.w < 0.0f) {
        rotation.w = -rotation.w;
        along = -along;
    }
    float twist = 2.0f * atan2f(along, rotation.w);
    return hypotf(along, rotation.w) < unclear ? twist : twist + round_rad * roundf((before - twist) / round_rad);
}

// The rotation of a bone without what the next one carries on of its twist.
static GtQuat end_of(const GtHarmonicSkinDef* skin, const GtiBoneRotations* frame, int32_t b, float carry)
{
    float rest_rad = (1.0f - carry) * frame->angles[b];
    return gt_quat_mul(frame->swings[b], gt_quat_from_axis_angle(skin->bones[b].axis, rest_rad));
}

// Choose the sign of what is left of a bone's rotation without its twist, by its bend; the topmost bone's by its own
// past.
static void swing_bone(const GtHarmonicSkinDef* skin, GtiBoneRotations* frame, int32_t b)
{
    const GtHarmonicBone* bone = &skin->bones[b];
    int32_t parent = bone->parent;
    GtQuat above = parent == GT_NONE ? gt_quat_identity() : end_of(skin, frame, parent, bone->carry);
    GtQuat untwist = gt_quat_from_axis_angle(bone->axis, -frame->angles[b]);
    GtQuat bend = gt_quat_mul(gt_quat_conjugate(above), gt_quat_mul(frame->rotations[b], untwist));
    bool other = frame->has_frame ? gt_quat_dot(bend, frame->bends[b]) < 0.0f : bend.w < 0.0f;
    bend = other ? negated(bend) : bend;
    if (parent != GT_NONE && bend.w < shorten) {
        bend = negated(bend);
    }
    frame->bends[b] = bend;
    frame->swings[b] = gt_quat_mul(above, bend);
    double angle = 2.0 * (double)atan2f(gt_vec3_length(gt_vec3(bend.x, bend.y, bend.z)), bend.w);
    if (parent != GT_NONE && angle > frame->largest_bend_rad) {
        frame->largest_bend_rad = angle;
        frame->largest_bend_bone = b;
    }
}

void gti_harmonic_rotate_bones(const GtHarmonicSkinDef* skin, const GtMat34* model_from_node, GtiBoneRotations* frame)
{
    frame->largest_bend_rad = 0.0;
    frame->largest_bend_bone = GT_NONE;
    for (int32_t b = 0; b < skin->bone_count; ++b) {
        const GtHarmonicBone* bone = &skin->bones[b];
        int32_t parent = bone->parent;
        frame->rotations[b] = rotation_of(skin, model_from_node, bone->node);
        float twist_before = frame->has_frame ? frame->twists[b] : 0.0f;
        frame->twists[b] = 0.0f;
        if (parent != GT_NONE && bone->twists) {
            GtQuat rotation = gt_quat_mul(gt_quat_conjugate(frame->rotations[parent]), frame->rotations[b]);
            frame->twists[b] = twist_rad(rotation, bone->axis, twist_before);
        }
        frame->angles[b] = frame->twists[b] + (parent != GT_NONE ? bone->carry * frame->angles[parent] : 0.0f);
        swing_bone(skin, frame, b);
    }
}

// What a marker adds about the bone to the rotation of its joint.
static float added_twist_rad(const GtHarmonicSkinDef* skin, const GtiBoneRotations* frame, int32_t b, float share)
{
    int32_t next = skin->bones[b].next;
    if (share > 0.0f) {
        return next != GT_NONE ? share * frame->twists[next] : 0.0f;
    }
    return share * frame->twists[b];
}

void gti_harmonic_rotate_markers(const GtHarmonicSkinDef* skin, const GtMat34* model_from_node, int32_t marker_count,
                                 const GtiBoneRotations* frame, GtQuat* rotations, float* twists)
{
    for (int32_t i = 0; i < marker_count; ++i) {
        const GtHarmonicFollower* follower = &skin->followers[i];
        const GtHarmonicBone* bone = &skin->bones[follower->bone];
        float angle = frame->angles[follower->bone];
        GtQuat swing = frame->swings[follower->bone];
        if (bone->node != follower->node) { // a joint between bones
            GtQuat untwist = gt_quat_from_axis_angle(bone->axis, -angle);
            GtQuat own = gt_quat_mul(rotation_of(skin, model_from_node, follower->node), untwist);
            swing = gt_quat_dot(own, swing) < 0.0f ? negated(own) : own;
        }
        float added = added_twist_rad(skin, frame, follower->bone, follower->twist);
        twists[i] = follower->angle_share * angle + added;
        rotations[i] = gt_quat_mul(swing, gt_quat_from_axis_angle(bone->axis, angle + added));
    }
}
