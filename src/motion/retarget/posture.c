// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// In glTF the pose a skin is bound in is that of the inverses of its inverse bind matrices, which need not be the rest
// pose of its nodes. It lives in the space of the mesh, which may be turned, moved and scaled against the model's;
// that is no matter here, because all that is taken from a posture is directions against its own body axes. Where the
// model mirrors the mesh, places are taken through the mesh's origin, which is a mirror, too.

#include "motion/retarget/posture.h"

#include "base/direction.h"
#include "base/fail.h"

#include "gertie/accessor.h"

#include <math.h>

static const float LEAN_COS = 0.819f; // 35 degrees

bool gti_posture_push(GtArena* arena, int32_t node_count, GtiPosture* out)
{
    out->node_count = node_count;
    out->places = gt_arena_push_array(arena, (size_t)node_count, sizeof *out->places);
    out->rotations = gt_arena_push_array(arena, (size_t)node_count, sizeof *out->rotations);
    return out->places && out->rotations;
}

bool gti_hangs_from(const GtCharacterDef* def, int32_t node, int32_t above)
{
    while (node != GT_NONE && node > above) { // parents come first
        node = def->parents[node];
    }
    return node == above;
}

GtQuat gti_children_rotation(GtQuat rotation, GtVec3 scale)
{
    bool x = scale.x < 0.0f, y = scale.y < 0.0f, z = scale.z < 0.0f;
    if (x == y && y == z) {
        return rotation;
    }
    GtQuat half_turn = gt_quat(y == z ? 1.0f : 0.0f, x == z ? 1.0f : 0.0f, x == y ? 1.0f : 0.0f, 0.0f);
    return gt_quat_mul(rotation, half_turn);
}

GtQuat gti_model_rotation(const GtCharacterDef* def, const GtTransform* pose, int32_t node)
{
    GtQuat rotation = gt_quat_identity();
    for (int32_t i = node; i != GT_NONE; i = def->parents[i]) {
        GtQuat local = gt_quat_normalize(pose[i].rotation);
        rotation = gt_quat_mul(i == node ? local : gti_children_rotation(local, def->rest[i].scale), rotation);
    }
    return rotation;
}

GtQuat gti_rotation_of_matrix(const GtCharacterDef* def, int32_t node, const GtMat34* model_from_node)
{
    GtTransform model = gt_transform_from_mat34(model_from_node, NULL);
    GtQuat children = gti_children_rotation(model.rotation, model.scale);
    return gti_children_rotation(children, def->rest[node].scale); // half a turn is its own inverse
}

// Whether what hangs from a node is mirrored at rest.
static bool mirrors(const GtCharacterDef* def, int32_t node)
{
    bool odd = false;
    for (; node != GT_NONE; node = def->parents[node]) {
        GtVec3 scale = def->rest[node].scale;
        odd = odd != (scale.x * scale.y * scale.z < 0.0f);
    }
    return odd;
}

GtQuat gti_parent_rotation(const GtCharacterDef* def, const GtQuat* rotations, int32_t node)
{
    int32_t parent = def->parents[node];
    if (parent == GT_NONE) {
        return gt_quat_identity();
    }
    return gti_children_rotation(rotations[parent], def->rest[parent].scale);
}

void gti_model_rotations(const GtCharacterDef* def, const GtTransform* pose, GtQuat* rotations)
{
    for (int32_t i = 0; i < def->node_count; ++i) {
        GtQuat local = gt_quat_normalize(pose[i].rotation);
        rotations[i] = def->parents[i] == GT_NONE ? local : gt_quat_mul(gti_parent_rotation(def, rotations, i), local);
    }
}

void gti_posture_of_pose(const GtCharacter* character, const GtTransform* pose, GtMat34* scratch, GtiPosture* out)
{
    gti_model_rotations(gt_character_def(character), pose, out->rotations);
    gt_character_to_model(character, pose, scratch);
    for (int32_t i = 0; i < out->node_count; ++i) {
        out->places[i] = gt_mat34_translation(&scratch[i]);
    }
}

static void read_bind_matrices(const GtScene* scene, const GtCharacter* character, GtMat34* mesh_from_node, bool* bound)
{
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        const GtSkin* skin = &scene->skins[s];
        for (int32_t j = 0; skin->inverse_bind != GT_NONE && j < skin->joint_count; ++j) {
            int32_t node = gt_character_node_from_source(character, skin->joints[j]);
            float columns[16];
            if (node == GT_NONE || bound[node] || (uint64_t)j >= scene->accessors[skin->inverse_bind].count) {
                continue;
            }
            gt_accessor_read_floats(scene, skin->inverse_bind, (uint64_t)j, 1, columns);
            GtMat34 node_from_mesh = gt_mat34_from_columns(columns);
            mesh_from_node[node] = gt_mat34_inverse(&node_from_mesh, &bound[node]);
        }
    }
}

GtResult gti_posture_of_bind(GtArena* scratch, const GtScene* scene, const GtCharacter* character,
                             const int32_t* joints, GtiPosture* out, bool* found, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(character);
    size_t count = (size_t)def->node_count;
    GtMat34* mesh_from_node = gt_arena_push_array(scratch, count, sizeof *mesh_from_node);
    bool* bound = gt_arena_push_array(scratch, count, sizeof *bound);
    *found = false;
    if (!mesh_from_node || !bound) {
        return gti_out_of_memory(error);
    }
    read_bind_matrices(scene, character, mesh_from_node, bound);
    int32_t hips = joints[GT_HUMANOID_HIPS];
    bool is_mirrored =
        hips != GT_NONE && bound[hips] && (gt_mat34_determinant(&mesh_from_node[hips]) < 0.0f) != mirrors(def, hips);
    for (int32_t i = 0; i < def->node_count; ++i) {
        int32_t parent = def->parents[i];
        if (bound[i]) {
            GtQuat children = gt_mat34_polar(&mesh_from_node[i], NULL);
            out->rotations[i] = gti_children_rotation(children, def->rest[i].scale); // half a turn is its own inverse
        } else {
            GtMat34 local = gt_mat34_from_transform(def->rest[i]);
            GtQuat turn = gt_quat_normalize(def->rest[i].rotation);
            bool hangs = parent != GT_NONE;
            mesh_from_node[i] = hangs ? gt_mat34_mul(mesh_from_node[parent], local) : local;
            out->rotations[i] = hangs ? gt_quat_mul(gti_parent_rotation(def, out->rotations, i), turn) : turn;
            bound[i] = hangs && bound[parent];
        }
        GtVec3 place = gt_mat34_translation(&mesh_from_node[i]);
        out->places[i] = is_mirrored ? gt_vec3_scale(place, -1.0f) : place;
    }
    *found = true;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (joints[j] != GT_NONE && !bound[joints[j]]) {
            *found = false;
        }
    }
    return GT_OK;
}

static GtVec3 middle(const GtiPosture* p, int32_t a, int32_t b)
{
    return gt_vec3_scale(gt_vec3_add(p->places[a], p->places[b]), 0.5f);
}

bool gti_body_axes(const GtiPosture* posture, const int32_t* joints, GtiBodyAxes* out)
{
    const GtVec3 zero = { 0.0f, 0.0f, 0.0f };
    int32_t thighs[2] = { joints[GT_HUMANOID_LEFT_UPPER_LEG], joints[GT_HUMANOID_RIGHT_UPPER_LEG] };
    int32_t arms[2] = { joints[GT_HUMANOID_LEFT_UPPER_ARM], joints[GT_HUMANOID_RIGHT_UPPER_ARM] };
    if (thighs[0] == GT_NONE || thighs[1] == GT_NONE || arms[0] == GT_NONE || arms[1] == GT_NONE) {
        return false;
    }
    const GtVec3* at = posture->places;
    GtVec3 across = gt_vec3_add(gt_vec3_normalize_or(gt_vec3_sub(at[thighs[0]], at[thighs[1]]), zero),
                                gt_vec3_normalize_or(gt_vec3_sub(at[arms[0]], at[arms[1]]), zero));
    GtVec3 rise = gt_vec3_sub(middle(posture, arms[0], arms[1]), middle(posture, thighs[0], thighs[1]));
    GtVec3 up = gt_vec3_normalize_or(rise, zero);
    GtVec3 axis = gti_nearest_axis(up);
    if (gt_vec3_dot(up, axis) > LEAN_COS) {
        up = axis;
    }
    GtVec3 left = gt_vec3_normalize_or(gt_vec3_sub(across, gt_vec3_scale(up, gt_vec3_dot(across, up))), zero);
    *out = (GtiBodyAxes){ left, up, gt_vec3_cross(left, up) };
    return gt_vec3_length(up) > 0.5f && gt_vec3_length(left) > 0.5f;
}

GtQuat gti_quat_from_axes(GtVec3 x, GtVec3 y, GtVec3 z)
{
    GtMat34 m = { { { x.x, y.x, z.x, 0.0f }, { x.y, y.y, z.y, 0.0f }, { x.z, y.z, z.z, 0.0f } } };
    return gt_mat34_polar(&m, NULL);
}

// How far the arms rise over level, and how far bones are from where modelled figures have them, in radians.
typedef struct Stance {
    float rise_rad;
    float odd_rad;
} Stance;

static void look_at_side(const GtiPosture* p, const int32_t* joints, const GtiBodyAxes* axes, int side, Stance* stance)
{
    static const GtHumanoidJoint arm[2] = { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM };
    static const GtHumanoidJoint leg[2] = { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG };
    const float straight_rad = 0.7f; // legs of modelled figures are within 40 degrees of straight down
    const float bent_rad = 1.2f;     // and their elbows bent by less than 70
    GtVec3 down = gt_vec3_scale(axes->up, -1.0f);
    for (int k = 0; k < 2; ++k) {
        int32_t above = joints[leg[side] + k], below = joints[leg[side] + k + 1];
        if (above != GT_NONE && below != GT_NONE) {
            float lean = gti_angle_between(gt_vec3_sub(p->places[below], p->places[above]), down);
            stance->odd_rad += fmaxf(0.0f, lean - straight_rad);
        }
    }
    int32_t shoulder = joints[arm[side]], elbow = joints[arm[side] + 1], hand = joints[arm[side] + 2];
    if (shoulder == GT_NONE || elbow == GT_NONE || hand == GT_NONE) {
        return;
    }
    GtVec3 upper = gt_vec3_sub(p->places[elbow], p->places[shoulder]);
    GtVec3 lower = gt_vec3_sub(p->places[hand], p->places[elbow]);
    float rise = 1.5707963f - gti_angle_between(upper, axes->up);
    stance->rise_rad += 0.5f * rise;
    stance->odd_rad += fmaxf(0.0f, gti_angle_between(upper, lower) - bent_rad) + fmaxf(0.0f, rise - 0.6f);
}

GtRestPose gti_posture_name(const GtiPosture* posture, const int32_t* joints, const GtiBodyAxes* axes, float* oddness)
{
    Stance stance = { 0 };
    look_at_side(posture, joints, axes, 0, &stance);
    look_at_side(posture, joints, axes, 1, &stance);
    *oddness = stance.odd_rad;
    if (stance.odd_rad > 0.0f || stance.rise_rad > 0.3f) {
        return GT_REST_OTHER;
    }
    return stance.rise_rad > -0.3f ? GT_REST_T : stance.rise_rad > -1.15f ? GT_REST_A : GT_REST_I;
}
