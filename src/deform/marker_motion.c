// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A harmonic field blends the four numbers of quaternions, so that of q and -q, the same rotation, neighbours must take
// those on one side. Only the turn of a joint relative to its parent tells which: all joints of a body that turns round
// have real parts near 0, and nothing is wrong. The sign stays with the joint through time, so that a joint that passes
// 180 degrees goes on the long way instead of snapping; beyond 240 degrees the short way is taken after all.
//
// Twist is the part of a turn about the bone (the projection of its quaternion on the bone's axis), an angle that grows
// past 180 degrees with the sign.

#include "deform/marker_motion.h"

#include <math.h>

static const float shorten = -0.5f; // real part of a turn of 240 degrees

static GtQuat negated(GtQuat q)
{
    return gt_quat(-q.x, -q.y, -q.z, -q.w);
}

GtResult gti_marker_motion_open(const GtiShell* shell, const GtiBoneTree* bones, const GtMarkers* markers,
                                GtArena* arena, GtiMarkerMotion* out, GtError* error)
{
    int32_t node_count = shell->figure.def->node_count;
    *out = (GtiMarkerMotion){
        .shell = shell,
        .bones = bones,
        .markers = markers,
        .marker_nodes = gt_arena_push_array(arena, (size_t)markers->count, sizeof *out->marker_nodes),
        .unbind = gt_arena_push_array(arena, (size_t)node_count, sizeof *out->unbind),
        .turns = gt_arena_push_array(arena, (size_t)bones->count, sizeof *out->turns),
        .bends = gt_arena_push_array(arena, (size_t)bones->count, sizeof *out->bends),
        .turn_bone = GT_NONE,
    };
    if (!out->marker_nodes || !out->unbind || !out->turns || !out->bends) {
        return gti_out_of_memory(error);
    }
    for (int32_t n = 0; n < node_count; ++n) {
        out->unbind[n] = gt_quat_conjugate(gt_mat34_polar(&shell->bind[n], NULL));
    }
    for (int32_t i = 0; i < markers->count; ++i) {
        out->marker_nodes[i] = gt_character_node_from_source(shell->figure.character, markers->markers[i].node);
        if (out->marker_nodes[i] == GT_NONE) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "marker %d follows node %d, which is not there", (int)i,
                            (int)markers->markers[i].node);
        }
    }
    return GT_OK;
}

static GtQuat turn_of(const GtiMarkerMotion* motion, int32_t node)
{
    GtQuat now = gt_mat34_polar(&motion->shell->figure.instance->model_from_node[node], NULL);
    return gt_quat_normalize(gt_quat_mul(now, motion->unbind[node]));
}

// Choose the sign of a bone's turn by its bend; the topmost bone's by its own past.
static void turn_bone(GtiMarkerMotion* motion, int32_t b)
{
    int32_t parent = motion->bones->bones[b].parent;
    GtQuat above = parent == GT_NONE ? gt_quat_identity() : motion->turns[parent];
    GtQuat bend = gt_quat_mul(gt_quat_conjugate(above), turn_of(motion, motion->bones->bones[b].node));
    bool other = motion->has_frame ? gt_quat_dot(bend, motion->bends[b]) < 0.0f : bend.w < 0.0f;
    bend = other ? negated(bend) : bend;
    if (parent != GT_NONE && bend.w < shorten) {
        bend = negated(bend);
    }
    motion->bends[b] = bend;
    motion->turns[b] = gt_quat_mul(above, bend);
    double angle = 2.0 * (double)atan2f(gt_vec3_length(gt_vec3(bend.x, bend.y, bend.z)), bend.w);
    if (parent != GT_NONE && angle > motion->turn_rad) {
        motion->turn_rad = angle;
        motion->turn_bone = b;
    }
}

static float twist_rad(GtQuat q, GtVec3 axis)
{
    return 2.0f * atan2f(gt_vec3_dot(gt_vec3(q.x, q.y, q.z), axis), q.w);
}

// What a marker adds about the bone to the turn of its joint.
static float added_twist_rad(const GtiMarkerMotion* motion, int32_t b, float share)
{
    const GtiBone* bone = &motion->bones->bones[b];
    if (share > 0.0f && bone->next != GT_NONE) {
        return share * twist_rad(motion->bends[bone->next], bone->axis);
    }
    return share < 0.0f && bone->parent != GT_NONE ? share * twist_rad(motion->bends[b], bone->axis) : 0.0f;
}

void gti_marker_motion_step(GtiMarkerMotion* motion, GtQuat* rotations)
{
    motion->turn_rad = 0.0;
    motion->turn_bone = GT_NONE;
    for (int32_t b = 0; b < motion->bones->count; ++b) {
        turn_bone(motion, b);
    }
    motion->has_frame = true;
    for (int32_t i = 0; i < motion->markers->count; ++i) {
        int32_t node = motion->marker_nodes[i];
        int32_t b = motion->bones->of_nodes[node];
        GtQuat turn = motion->turns[b];
        if (motion->bones->bones[b].node != node) { // a joint between bones
            GtQuat own = turn_of(motion, node);
            turn = gt_quat_dot(own, turn) < 0.0f ? negated(own) : own;
        }
        float angle = added_twist_rad(motion, b, motion->markers->markers[i].twist);
        rotations[i] = gt_quat_mul(turn, gt_quat_from_axis_angle(motion->bones->bones[b].axis, angle));
    }
}
