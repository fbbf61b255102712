// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/bones.h"

#include <math.h>
#include <string.h>

enum {
    SIDES = 10,
    SPINDLE_RINGS = 5, // along a bone
    BALL_RINGS = 6,
    VERTICES_A_BONE = SIDES * (SPINDLE_RINGS + BALL_RINGS + 1),
    INDICES_A_BONE = SIDES * 6 * (SPINDLE_RINGS - 1 + BALL_RINGS),
};

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
static void color_bone(const GtMat34* model_from_node, int32_t joint, float middle, float reach, uint8_t* colors)
{
    static const uint8_t cream[4] = { 180, 150, 105, 255 };
    static const uint8_t teal[4] = { 5, 65, 67, 255 };
    static const uint8_t orange[4] = { 186, 55, 8, 255 };
    float x = model_from_node[joint].m[0][3] - middle;
    const uint8_t* color = x > 0.03f * reach ? teal : x < -0.03f * reach ? orange : cream;
    for (int i = 0; i < VERTICES_A_BONE; ++i) {
        memcpy(colors + 4 * i, color, 4);
    }
}

static uint32_t* add_rings(uint32_t* out, uint32_t first, int rings)
{
    for (int r = 0; r + 1 < rings; ++r) {
        for (uint32_t s = 0; s < SIDES; ++s) {
            uint32_t a = first + (uint32_t)r * SIDES + s;
            uint32_t b = first + (uint32_t)r * SIDES + (s + 1) % SIDES;
            const uint32_t corners[6] = { a, b, b + SIDES, a, b + SIDES, a + SIDES };
            memcpy(out, corners, sizeof corners);
            out += 6;
        }
    }
    return out;
}

bool gti_bones_create(GtArena* arena, const GtCharacterDef* def, const GtMat34* model_from_node, GtiBoneFigure* out)
{
    memset(out, 0, sizeof *out);
    bool* is_joint = gt_arena_push_array(arena, (size_t)def->node_count, sizeof *is_joint);
    out->joints = gt_arena_push_array(arena, (size_t)def->node_count, sizeof *out->joints);
    if (!is_joint || !out->joints) {
        return false;
    }
    mark_joints(def, is_joint);
    GtVec3 low = { INFINITY, INFINITY, INFINITY };
    GtVec3 high = { -INFINITY, -INFINITY, -INFINITY };
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (is_joint[i]) {
            GtVec3 p = gt_mat34_translation(&model_from_node[i]);
            low = gt_vec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
            high = gt_vec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
            if (def->parents[i] != GT_NONE && is_joint[def->parents[i]]) {
                out->joints[out->bone_count++] = i;
            }
        }
    }
    float reach = gt_vec3_length(gt_vec3_sub(high, low));
    size_t bones = (size_t)out->bone_count;
    out->thickness = 0.011f * reach;
    out->vertex_count = out->bone_count * VERTICES_A_BONE;
    out->index_count = out->bone_count * INDICES_A_BONE;
    out->positions = gt_arena_push_array(arena, bones * VERTICES_A_BONE, sizeof *out->positions);
    out->normals = gt_arena_push_array(arena, bones * VERTICES_A_BONE, sizeof *out->normals);
    out->colors = gt_arena_push_array(arena, bones * VERTICES_A_BONE, 4);
    out->indices = gt_arena_push_array(arena, bones * INDICES_A_BONE, sizeof *out->indices);
    if (!out->positions || !out->normals || !out->colors || !out->indices) {
        return false;
    }
    uint32_t* next = out->indices;
    for (int32_t b = 0; b < out->bone_count; ++b) {
        uint32_t first = (uint32_t)b * VERTICES_A_BONE;
        next = add_rings(next, first, SPINDLE_RINGS);
        next = add_rings(next, first + SIDES * SPINDLE_RINGS, BALL_RINGS + 1);
        color_bone(model_from_node, out->joints[b], 0.5f * (low.x + high.x), reach, out->colors + 4 * (size_t)first);
    }
    return true;
}

typedef struct Frame {
    GtVec3 origin, u, v, axis;
} Frame;

static void put_ring(const Frame* f, float along, float radius, float lean, GtVec3* positions, GtVec3* normals)
{
    float upright = sqrtf(fmaxf(0.0f, 1.0f - lean * lean));
    GtVec3 center = gt_vec3_add(f->origin, gt_vec3_scale(f->axis, along));
    for (int s = 0; s < SIDES; ++s) {
        float angle = 6.28318531f * (float)s / SIDES;
        GtVec3 out = gt_vec3_add(gt_vec3_scale(f->u, cosf(angle)), gt_vec3_scale(f->v, sinf(angle)));
        positions[s] = gt_vec3_add(center, gt_vec3_scale(out, radius));
        normals[s] = gt_vec3_add(gt_vec3_scale(out, upright), gt_vec3_scale(f->axis, lean));
    }
}

static void pose_bone(GtVec3 from, GtVec3 to, float ball, GtVec3* positions, GtVec3* normals)
{
    GtVec3 along = gt_vec3_sub(to, from);
    float length = gt_vec3_length(along);
    GtVec3 axis = gt_vec3_normalize_or(along, gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 helper = fabsf(axis.x) < 0.7f ? gt_vec3(1.0f, 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 u = gt_vec3_normalize_or(gt_vec3_cross(helper, axis), gt_vec3(0.0f, 0.0f, 1.0f));
    Frame frame = { from, u, gt_vec3_cross(axis, u), axis };
    for (int r = 0; r < SPINDLE_RINGS; ++r) {
        int k = r * SIDES;
        put_ring(&frame, profile[r][0] * length, profile[r][1] * ball, 0.0f, positions + k, normals + k);
    }
    frame.origin = to;
    for (int r = 0; r <= BALL_RINGS; ++r) {
        int k = (SPINDLE_RINGS + r) * SIDES;
        float angle = 3.14159265f * ((float)r / BALL_RINGS - 0.5f);
        put_ring(&frame, ball * sinf(angle), ball * cosf(angle), sinf(angle), positions + k, normals + k);
    }
}

void gti_bones_pose(GtiBoneFigure* figure, const GtCharacterDef* def, const GtMat34* model_from_node)
{
    for (int32_t b = 0; b < figure->bone_count; ++b) {
        int32_t joint = figure->joints[b];
        GtVec3 from = gt_mat34_translation(&model_from_node[def->parents[joint]]);
        GtVec3 to = gt_mat34_translation(&model_from_node[joint]);
        size_t first = (size_t)b * VERTICES_A_BONE;
        float length = gt_vec3_length(gt_vec3_sub(to, from)); // fingers are thinner than legs
        float ball = figure->thickness * fminf(1.0f, fmaxf(0.35f, 0.22f * length / figure->thickness));
        pose_bone(from, to, ball, figure->positions + first, figure->normals + first);
    }
}
