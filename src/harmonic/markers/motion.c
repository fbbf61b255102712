// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A harmonic field blends the four numbers of quaternions, so that of q and -q, the same rotation, neighbours must take
// those on one side. Only the turn of a joint relative to its parent tells which: all joints of a body that turns round
// have real parts near 0, and nothing is wrong. The sign stays with the joint through time, so that a joint that passes
// 180 degrees goes on the long way instead of snapping; beyond 240 degrees the short way is taken after all.
//
// Before that, twist is taken off: the part of a turn about the limb (the projection of its quaternion on the axis),
// an angle that adds up along the limb and goes on through time for any number of turns. Where a joint swings by nearly
// 180 degrees there is no telling its twist, and turns it had before are forgotten.
//
// Through a joint that is bent at rest a twist cannot go on: about a line with a corner the surface would be spun in
// place. So towards such a joint the twist of a bone becomes a rotation like any other, evenly along the bone, where
// the two are the same, and the next bone starts with none.

#include "harmonic/markers/motion.h"

#include "harmonic/markers/markers.h"

#include <math.h>

static const float shorten = -0.5f; // real part of a turn of 240 degrees
static const float unclear = 0.25f; // length of the projection of a turn on its axis; a swing of 151 degrees
static const float round_rad = 6.28318531f;

static GtQuat negated(GtQuat q)
{
    return gt_quat(-q.x, -q.y, -q.z, -q.w);
}

// Of a bone's angle, the share that is a twist at a marker: all at its beginning, at its end what the next bone carries
// on.
static float share_kept(const GtiMarkerMotion* motion, int32_t index)
{
    GtHarmonicMarker on = gti_marker_on(motion->shell, &motion->markers->markers[index]);
    GtVec3 place = gti_marker_middle(motion->shell, &on);
    const GtiMarkerBone* bone = &motion->bones->bones[motion->bones->of_nodes[motion->marker_nodes[index]]];
    if (bone->next == GT_NONE || !(bone->length_m > 0.0f)) {
        return 1.0f;
    }
    float along = gt_vec3_dot(gt_vec3_sub(place, bone->from), bone->axis) / bone->length_m;
    return 1.0f - (1.0f - motion->axes[bone->next].carry) * fminf(fmaxf(along, 0.0f), 1.0f);
}

GtResult gti_marker_motion_open(const GtiShell* shell, const GtiBoneTree* bones, const GtiBoneAxis* axes,
                                const GtMarkers* markers, GtArena* arena, GtiMarkerMotion* out, GtError* error)
{
    size_t bone_count = (size_t)bones->count;
    int32_t node_count = shell->figure->def->node_count;
    *out = (GtiMarkerMotion){
        .shell = shell,
        .bones = bones,
        .axes = axes,
        .markers = markers,
        .marker_nodes = gt_arena_push_array(arena, (size_t)markers->count, sizeof *out->marker_nodes),
        .unbind = gt_arena_push_array(arena, (size_t)node_count, sizeof *out->unbind),
        .turns = gt_arena_push_array(arena, bone_count, sizeof *out->turns),
        .swings = gt_arena_push_array(arena, bone_count, sizeof *out->swings),
        .bends = gt_arena_push_array(arena, bone_count, sizeof *out->bends),
        .twists = gt_arena_push_array(arena, bone_count, sizeof *out->twists),
        .angles = gt_arena_push_array(arena, bone_count, sizeof *out->angles),
        .keeps = gt_arena_push_array(arena, (size_t)markers->count, sizeof *out->keeps),
        .turn_bone = GT_NONE,
    };
    if (!out->marker_nodes || !out->unbind || !out->turns || !out->swings || !out->bends || !out->twists ||
        !out->angles || !out->keeps) {
        return gti_out_of_memory(error);
    }
    for (int32_t n = 0; n < node_count; ++n) {
        out->unbind[n] = gt_quat_conjugate(gt_mat34_polar(&shell->bind[n], NULL));
    }
    for (int32_t i = 0; i < markers->count; ++i) {
        out->marker_nodes[i] = gt_character_node_from_source(shell->figure->character, markers->markers[i].node);
        if (out->marker_nodes[i] == GT_NONE) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "marker %d follows node %d, which does not exist", (int)i,
                            (int)markers->markers[i].node);
        }
        out->keeps[i] = share_kept(out, i);
    }
    return GT_OK;
}

static GtQuat turn_of(const GtiMarkerMotion* motion, int32_t node)
{
    GtQuat now = gt_mat34_polar(&motion->shell->figure->instance->model_from_node[node], NULL);
    return gt_quat_normalize(gt_quat_mul(now, motion->unbind[node]));
}

// The twist of a turn about an axis, the number of turns that is nearest to the one before.
static float twist_rad(GtQuat turn, GtVec3 axis, float before)
{
    float along = gt_vec3_dot(gt_vec3(turn.x, turn.y, turn.z), axis);
    if (turn.w < 0.0f) {
        turn.w = -turn.w;
        along = -along;
    }
    float twist = 2.0f * atan2f(along, turn.w);
    return hypotf(along, turn.w) < unclear ? twist : twist + round_rad * roundf((before - twist) / round_rad);
}

// A bone's turn without what the next one carries on of its twist.
static GtQuat end_of(const GtiMarkerMotion* motion, int32_t b, float carry)
{
    float rest_rad = (1.0f - carry) * motion->angles[b];
    return gt_quat_mul(motion->swings[b], gt_quat_from_axis_angle(motion->axes[b].axis, rest_rad));
}

// Choose the sign of what is left of a bone's turn without its twist, by its bend; the topmost bone's by its own past.
static void swing_bone(GtiMarkerMotion* motion, int32_t b)
{
    int32_t parent = motion->bones->bones[b].parent;
    GtQuat above = parent == GT_NONE ? gt_quat_identity() : end_of(motion, parent, motion->axes[b].carry);
    GtQuat untwist = gt_quat_from_axis_angle(motion->axes[b].axis, -motion->angles[b]);
    GtQuat bend = gt_quat_mul(gt_quat_conjugate(above), gt_quat_mul(motion->turns[b], untwist));
    bool other = motion->has_frame ? gt_quat_dot(bend, motion->bends[b]) < 0.0f : bend.w < 0.0f;
    bend = other ? negated(bend) : bend;
    if (parent != GT_NONE && bend.w < shorten) {
        bend = negated(bend);
    }
    motion->bends[b] = bend;
    motion->swings[b] = gt_quat_mul(above, bend);
    double angle = 2.0 * (double)atan2f(gt_vec3_length(gt_vec3(bend.x, bend.y, bend.z)), bend.w);
    if (parent != GT_NONE && angle > motion->turn_rad) {
        motion->turn_rad = angle;
        motion->turn_bone = b;
    }
}

static void turn_bone(GtiMarkerMotion* motion, int32_t b)
{
    int32_t parent = motion->bones->bones[b].parent;
    const GtiBoneAxis* axis = &motion->axes[b];
    motion->turns[b] = turn_of(motion, motion->bones->bones[b].node);
    if (parent != GT_NONE && axis->twists) {
        GtQuat turn = gt_quat_mul(gt_quat_conjugate(motion->turns[parent]), motion->turns[b]);
        motion->twists[b] = twist_rad(turn, axis->axis, motion->has_frame ? motion->twists[b] : 0.0f);
    }
    motion->angles[b] = motion->twists[b] + (parent != GT_NONE ? axis->carry * motion->angles[parent] : 0.0f);
    swing_bone(motion, b);
}

// What a marker adds about the bone to the turn of its joint.
static float added_twist_rad(const GtiMarkerMotion* motion, int32_t b, float share)
{
    int32_t next = motion->bones->bones[b].next;
    if (share > 0.0f) {
        return next != GT_NONE && motion->axes[next].turns ? share * motion->twists[next] : 0.0f;
    }
    return share * motion->twists[b];
}

void gti_marker_motion_step(GtiMarkerMotion* motion, GtQuat* rotations, float* twists)
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
        GtQuat swing = motion->swings[b];
        if (motion->bones->bones[b].node != node) { // a joint between bones
            GtQuat untwist = gt_quat_from_axis_angle(motion->axes[b].axis, -motion->angles[b]);
            GtQuat own = gt_quat_mul(turn_of(motion, node), untwist);
            swing = gt_quat_dot(own, swing) < 0.0f ? negated(own) : own;
        }
        float added = added_twist_rad(motion, b, motion->markers->markers[i].twist);
        twists[i] = motion->keeps[i] * motion->angles[b] + added;
        rotations[i] = gt_quat_mul(swing, gt_quat_from_axis_angle(motion->axes[b].axis, motion->angles[b] + added));
    }
}
