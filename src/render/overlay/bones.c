// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/overlay/bones.h"

#include "base/bounds.h"
#include "base/scalar.h"

#include <math.h>
#include <string.h>

enum {
    SIDES = 10,
    SPINDLE_RINGS = 5, // along a bone
    BALL_RINGS = 6,
    MANY_BONES = 2000, // more than that have fewer sides: they are small in the picture, and many in memory
    FEW_SIDES = 3,
    FEW_BALL_RINGS = 2,
};

static size_t vertices_a_bone(const GtiDrawnBones* bones)
{
    return (size_t)(bones->sides * (SPINDLE_RINGS + bones->ball_rings + 1));
}

static size_t indices_a_bone(const GtiDrawnBones* bones)
{
    return (size_t)(bones->sides * 6 * (SPINDLE_RINGS - 1 + bones->ball_rings));
}

// Radius of a bone along its length, in balls: slim at its ends, fullest near the parent.
static const float profile[SPINDLE_RINGS][2] = {
    { 0.0f, 0.55f }, { 0.12f, 1.0f }, { 0.35f, 0.95f }, { 0.8f, 0.62f }, { 1.0f, 0.5f },
};

// Which nodes are joints: those that move a skin and their ancestors below the root; all, where there is no skin.
static void mark_joints(const GtCharacterDef* def, bool* is_joint)
{
    memset(is_joint, def->skin_count == 0, (size_t)def->node_count * sizeof *is_joint);
    for (int32_t s = 0; s < def->skin_count; ++s) {
        for (int32_t j = 0; j < def->skins[s].joint_count; ++j) {
            is_joint[def->skins[s].joints[j]] = true;
        }
    }
}

// Sides are told by where a joint is at rest: the character's left is +x.
static void color_bone(const GtMat34* model_from_node, int32_t joint, float middle, float reach, size_t vertex_count,
                       uint8_t* colors)
{
    static const uint8_t cream[4] = { 180, 150, 105, 255 };
    static const uint8_t teal[4] = { 5, 65, 67, 255 };
    static const uint8_t orange[4] = { 186, 55, 8, 255 };
    float x = model_from_node[joint].m[0][3] - middle;
    const uint8_t* color = x > 0.03f * reach ? teal : x < -0.03f * reach ? orange : cream;
    for (size_t i = 0; i < vertex_count; ++i) {
        memcpy(colors + 4 * i, color, 4);
    }
}

bool gti_joints_find(GtArena* arena, const GtCharacterDef* def, const GtMat34* model_from_node, GtiJoints* out)
{
    *out = (GtiJoints){
        .nodes = gt_arena_push_array(arena, (size_t)def->node_count, sizeof *out->nodes),
        .is_joint = gt_arena_push_array(arena, (size_t)def->node_count, sizeof *out->is_joint),
        .bounds = gti_bounds_empty(),
    };
    if (!out->nodes || !out->is_joint) {
        return false;
    }
    mark_joints(def, out->is_joint);
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (out->is_joint[i]) {
            gti_bounds_add(&out->bounds, gt_mat34_translation(&model_from_node[i]));
            out->nodes[out->count++] = i;
        }
    }
    return true;
}

bool gti_bones_create(GtArena* arena, const GtCharacterDef* def, const GtiJoints* joints,
                      const GtMat34* model_from_node, GtiDrawnBones* out)
{
    memset(out, 0, sizeof *out);
    out->joints = gt_arena_push_array(arena, (size_t)joints->count, sizeof *out->joints);
    if (!out->joints) {
        return false;
    }
    for (int32_t i = 0; i < joints->count; ++i) {
        int32_t parent = def->parents[joints->nodes[i]];
        if (parent != GT_NONE && joints->is_joint[parent]) {
            out->joints[out->bone_count++] = joints->nodes[i];
        }
    }
    size_t bones = (size_t)out->bone_count;
    float reach = gti_bounds_diagonal(joints->bounds);
    out->thickness = 0.011f * reach;
    out->sides = out->bone_count > MANY_BONES ? FEW_SIDES : SIDES;
    out->ball_rings = out->bone_count > MANY_BONES ? FEW_BALL_RINGS : BALL_RINGS;
    size_t vertex_count = vertices_a_bone(out);
    if (!gti_shape_create(arena, bones * vertex_count, bones * indices_a_bone(out), &out->shape)) {
        return false;
    }
    uint32_t* next = out->shape.indices;
    for (int32_t b = 0; b < out->bone_count; ++b) {
        uint32_t first = (uint32_t)b * (uint32_t)vertex_count;
        uint32_t ball = first + (uint32_t)(out->sides * SPINDLE_RINGS);
        next = gti_shape_add_rings(next, first, SPINDLE_RINGS, out->sides);
        next = gti_shape_add_rings(next, ball, out->ball_rings + 1, out->sides);
        color_bone(model_from_node, out->joints[b], 0.5f * (joints->bounds.low.x + joints->bounds.high.x), reach,
                   vertex_count, out->shape.colors + 4 * (size_t)first);
    }
    return true;
}

static void pose_bone(const GtiDrawnBones* bones, GtVec3 from, GtVec3 to, float ball, GtVec3* positions,
                      GtVec3* normals)
{
    GtVec3 along = gt_vec3_sub(to, from);
    float length = gt_vec3_length(along);
    GtiFrame frame = gti_frame(from, along);
    for (int r = 0; r < SPINDLE_RINGS; ++r) {
        int k = r * bones->sides;
        gti_shape_put_ring(&frame, profile[r][0] * length, profile[r][1] * ball, 0.0f, bones->sides, positions + k,
                           normals + k);
    }
    frame.origin = to;
    for (int r = 0; r <= bones->ball_rings; ++r) {
        int k = (SPINDLE_RINGS + r) * bones->sides;
        float angle = (float)GTI_PI * ((float)r / (float)bones->ball_rings - 0.5f);
        gti_shape_put_ring(&frame, ball * sinf(angle), ball * cosf(angle), sinf(angle), bones->sides, positions + k,
                           normals + k);
    }
}

void gti_bones_pose(GtiDrawnBones* bones, const GtCharacterDef* def, const GtMat34* model_from_node)
{
    for (int32_t b = 0; b < bones->bone_count; ++b) {
        int32_t joint = bones->joints[b];
        GtVec3 from = gt_mat34_translation(&model_from_node[def->parents[joint]]);
        GtVec3 to = gt_mat34_translation(&model_from_node[joint]);
        size_t first = (size_t)b * vertices_a_bone(bones);
        float length = gt_vec3_length(gt_vec3_sub(to, from)); // fingers are thinner than legs
        float ball = bones->thickness * fminf(1.0f, fmaxf(0.35f, 0.22f * length / bones->thickness));
        pose_bone(bones, from, to, ball, bones->shape.positions + first, bones->shape.normals + first);
    }
}
