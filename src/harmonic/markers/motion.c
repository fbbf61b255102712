// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/markers/motion.h"

#include "harmonic/markers/markers.h"

#include <math.h>

// Of a bone's angle, the share that is a twist at a marker: all at its beginning, at its end what the next bone carries
// on.
static float share_of_angle(const GtiShell* shell, const GtiMarkerBone* bone, const GtiBoneAxis* axes,
                            const GtMarker* marker)
{
    GtHarmonicMarker on = gti_marker_on(shell, marker);
    GtVec3 place = gti_marker_middle(shell, &on);
    if (bone->next == GT_NONE || !(bone->length_m > 0.0f)) {
        return 1.0f;
    }
    float along = gt_vec3_dot(gt_vec3_sub(place, bone->from), bone->axis) / bone->length_m;
    return 1.0f - (1.0f - axes[bone->next].carry) * fminf(fmaxf(along, 0.0f), 1.0f);
}

static void take_bones(const GtiBoneTree* bones, const GtiBoneAxis* axes, GtHarmonicBone* out)
{
    for (int32_t b = 0; b < bones->count; ++b) {
        const GtiMarkerBone* bone = &bones->bones[b];
        out[b] = (GtHarmonicBone){
            .node = bone->node,
            .parent = bone->parent,
            .next = bone->next != GT_NONE && axes[bone->next].turns ? bone->next : GT_NONE,
            .twists = axes[b].twists,
            .axis = axes[b].axis,
            .carry = axes[b].carry,
        };
    }
}

static bool open_rotations(GtArena* arena, size_t bone_count, GtiBoneRotations* out)
{
    *out = (GtiBoneRotations){
        .rotations = gt_arena_push_array(arena, bone_count, sizeof *out->rotations),
        .swings = gt_arena_push_array(arena, bone_count, sizeof *out->swings),
        .bends = gt_arena_push_array(arena, bone_count, sizeof *out->bends),
        .twists = gt_arena_push_array(arena, bone_count, sizeof *out->twists),
        .angles = gt_arena_push_array(arena, bone_count, sizeof *out->angles),
    };
    return out->rotations && out->swings && out->bends && out->twists && out->angles;
}

GtResult gti_marker_motion_open(const GtiShell* shell, const GtiBoneTree* bones, const GtiBoneAxis* axes,
                                const GtMarkers* markers, GtArena* arena, GtiMarkerMotion* out, GtError* error)
{
    int32_t node_count = shell->figure->def->node_count;
    GtHarmonicBone* taken = gt_arena_push_array(arena, (size_t)bones->count, sizeof *taken);
    GtQuat* node_from_bind = gt_arena_push_array(arena, (size_t)node_count, sizeof *node_from_bind);
    GtHarmonicFollower* followers = gt_arena_push_array(arena, (size_t)markers->count, sizeof *followers);
    *out = (GtiMarkerMotion){
        .shell = shell, .skin = gt_default_harmonic_skin_def(), .marker_count = markers->count, .turn_bone = GT_NONE
    };
    if (!taken || !node_from_bind || !followers || !open_rotations(arena, (size_t)bones->count, &out->frame)) {
        return gti_out_of_memory(error);
    }
    take_bones(bones, axes, taken);
    for (int32_t n = 0; n < node_count; ++n) {
        node_from_bind[n] = gt_quat_conjugate(gt_mat34_polar(&shell->bind[n], NULL));
    }
    for (int32_t i = 0; i < markers->count; ++i) {
        const GtMarker* marker = &markers->markers[i];
        int32_t node = gt_character_node_from_source(shell->figure->character, marker->node);
        if (node == GT_NONE) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "marker %d follows node %d, which does not exist", (int)i,
                            (int)marker->node);
        }
        int32_t bone = bones->of_nodes[node];
        followers[i] = (GtHarmonicFollower){
            .bone = bone,
            .node = node,
            .angle_share = share_of_angle(shell, &bones->bones[bone], axes, marker),
            .twist = marker->twist,
        };
    }
    int32_t anchor = markers->anchor.node;
    out->skin.anchor_node =
        anchor == GT_NONE ? bones->bones[0].node : gt_character_node_from_source(shell->figure->character, anchor);
    if (out->skin.anchor_node == GT_NONE) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the anchor follows node %d, which does not exist", (int)anchor);
    }
    out->skin.bones = taken;
    out->skin.bone_count = bones->count;
    out->skin.node_from_bind = node_from_bind;
    out->skin.followers = followers;
    return GT_OK;
}

void gti_marker_motion_step(GtiMarkerMotion* motion, GtQuat* rotations, float* twists)
{
    const GtMat34* model_from_node = motion->shell->figure->instance->model_from_node;
    gti_harmonic_rotate_bones(&motion->skin, model_from_node, &motion->frame);
    gti_harmonic_rotate_markers(&motion->skin, model_from_node, motion->marker_count, &motion->frame, rotations,
                                twists);
    motion->frame.has_frame = true;
    motion->turn_rad = motion->frame.largest_bend_rad;
    motion->turn_bone = motion->frame.largest_bend_bone;
}
