// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A joint's axes are tied to its bone: whoever brings a skeleton brings clips for it, and they play as before when each
// bone points the same way as seen from its joint. So joints turn by the least turn that takes their bone from where it
// was to where it is.

#include "rig/embed/own_skeleton.h"

#include "base/fail.h"
#include "gertie/map.h"
#include "scene/world.h"

#include <math.h>

enum {
    MAX_JOINTS = 4096
};

static bool is_joint(const GtScene* scene, int32_t node)
{
    if (scene->skin_count == 0) {
        const GtNode* n = &scene->nodes[node];
        return n->mesh == GT_NONE && n->camera == GT_NONE && !(n->bvh && n->bvh->end_site);
    }
    for (int32_t j = 0; j < scene->skins[0].joint_count; ++j) {
        if (scene->skins[0].joints[j] == node) {
            return true;
        }
    }
    return false;
}

// The nearest joint above a node.
static int32_t joint_above(const GtScene* scene, const int32_t* joint_of, int32_t node)
{
    int32_t at = scene->nodes[node].parent;
    while (at != GT_NONE && joint_of[at] == GT_NONE) {
        at = scene->nodes[at].parent;
    }
    return at == GT_NONE ? GT_NONE : joint_of[at];
}

static GtQuat upright_from_scene(const GtMapReport* report)
{
    GtVec3 y = report->up;
    GtVec3 z = gt_vec3_normalize_or(gt_vec3_sub(report->forward, gt_vec3_scale(y, gt_vec3_dot(report->forward, y))),
                                    gt_vec3(0.0f, 0.0f, 1.0f));
    GtQuat up = gt_quat_between(y, gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 front = gt_quat_rotate(up, z);
    return gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -atan2f(front.x, front.z)), up);
}

// How far joints are from where others are in a mirror, in all.
static float mirror_error(const GtiOwnSkeleton* own, GtVec3 signs)
{
    float sum = 0.0f;
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        GtVec3 image = gt_vec3_mul(own->rest[j], signs);
        float least = INFINITY;
        for (int32_t k = 0; k < own->skeleton.joint_count; ++k) {
            GtVec3 off = gt_vec3_sub(own->rest[k], image);
            least = fminf(least, gt_vec3_dot(off, off));
        }
        sum += sqrtf(least);
    }
    return sum;
}

// A creature that faces along x is turned to face along z; where it looks forward or back the body tells.
static void turn_sideways(GtiOwnSkeleton* own, GtVec3* places, int32_t place_count)
{
    float along_z = mirror_error(own, gt_vec3(-1.0f, 1.0f, 1.0f));
    float along_x = mirror_error(own, gt_vec3(1.0f, 1.0f, -1.0f));
    if (!(along_x < 0.5f * along_z)) {
        return;
    }
    GtQuat quarter = gt_quat_between(gt_vec3(1.0f, 0.0f, 0.0f), gt_vec3(0.0f, 0.0f, 1.0f));
    for (int32_t i = 0; i < place_count; ++i) {
        places[i] = gt_quat_rotate(quarter, places[i]);
    }
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        own->rest[j] = gt_quat_rotate(quarter, own->rest[j]);
        own->rotations[j] = gt_quat_mul(quarter, own->rotations[j]);
    }
}

static GtResult list_joints(const GtScene* scene, GtArena* arena, GtiOwnSkeleton* out, int32_t* joint_of,
                            GtError* error)
{
    size_t count = (size_t)scene->node_count;
    int32_t* order = gt_arena_push_array(arena, count + 1, sizeof *order);
    out->skeleton.joints = gt_arena_push_array(arena, count + 1, sizeof *out->skeleton.joints);
    out->names = gt_arena_push_array(arena, count + 1, sizeof *out->names);
    out->rest = gt_arena_push_array(arena, count + 1, sizeof *out->rest);
    out->rest_tips = gt_arena_push_array(arena, count + 1, sizeof *out->rest_tips);
    out->rotations = gt_arena_push_array(arena, count + 1, sizeof *out->rotations);
    if (!order || !out->skeleton.joints || !out->names || !out->rest || !out->rest_tips || !out->rotations) {
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_parent_first(scene, order, error);
    for (int32_t i = 0; i < scene->node_count && result == GT_OK; ++i) {
        int32_t node = order[i];
        joint_of[node] = GT_NONE;
        if (is_joint(scene, node)) {
            int32_t j = out->skeleton.joint_count++;
            joint_of[node] = j;
            out->skeleton.joints[j] =
                (GtiRigJoint){ .parent = joint_above(scene, joint_of, node), .humanoid = GT_NONE, .mirror = j };
            out->names[j] = scene->nodes[node].name && scene->nodes[node].name[0] ? scene->nodes[node].name : "joint";
        }
    }
    if (result == GT_OK && (out->skeleton.joint_count < 2 || out->skeleton.joint_count > MAX_JOINTS)) {
        result = gti_fail(error, GT_ERROR_UNSUPPORTED, "a skeleton needs 2 to %d joints, and this has %d", MAX_JOINTS,
                          (int)out->skeleton.joint_count);
    }
    return result;
}

static void map_joints(GtiRigSkeleton* skeleton, const GtHumanoidMap* map, const int32_t* joint_of)
{
    int32_t at[GT_HUMANOID_JOINT_COUNT];
    for (int32_t h = 0; h < GT_HUMANOID_JOINT_COUNT; ++h) {
        at[h] = map->nodes[h] == GT_NONE ? GT_NONE : joint_of[map->nodes[h]];
        if (at[h] != GT_NONE) {
            skeleton->joints[at[h]].humanoid = h;
        }
    }
    for (int32_t h = 0; h < GT_HUMANOID_JOINT_COUNT; ++h) {
        int32_t other = at[gt_humanoid_mirror((GtHumanoidJoint)h)];
        if (at[h] != GT_NONE && other != GT_NONE) {
            skeleton->joints[at[h]].mirror = other;
        }
    }
}

// The child that a bone leads to: of a humanoid the next of the limb, else the farthest.
static int32_t main_child(const GtiOwnSkeleton* own, int32_t joint)
{
    const GtiRigJoint* joints = own->skeleton.joints;
    int32_t best = GT_NONE;
    float best_rank = -1.0f;
    for (int32_t c = joint + 1; c < own->skeleton.joint_count; ++c) {
        if (joints[c].parent != joint) {
            continue;
        }
        bool next = joints[joint].humanoid != GT_NONE && joints[c].humanoid != GT_NONE;
        bool is_middle =
            next && gt_humanoid_mirror((GtHumanoidJoint)joints[c].humanoid) == (GtHumanoidJoint)joints[c].humanoid;
        float length = gt_vec3_length(gt_vec3_sub(own->rest[c], own->rest[joint]));
        float rank = length + (next ? 10.0f : 0.0f) + (is_middle ? 100.0f : 0.0f);
        if (rank > best_rank) {
            best = c;
            best_rank = rank;
        }
    }
    return best;
}

// End sites are tips; leaves without one point on as their parent's bone does, half as long.
static void find_tips(const GtScene* scene, const int32_t* joint_of, const GtVec3* places, GtiOwnSkeleton* out)
{
    GtiRigSkeleton* skeleton = &out->skeleton;
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        int32_t child = main_child(out, j);
        int32_t parent = skeleton->joints[j].parent;
        GtVec3 on = parent == GT_NONE ? gt_vec3(0.0f, 0.0f, 0.0f) : gt_vec3_sub(out->rest[j], out->rest[parent]);
        out->rest_tips[j] = child == GT_NONE ? gt_vec3_add(out->rest[j], gt_vec3_scale(on, 0.5f)) : out->rest[child];
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        const GtNode* node = &scene->nodes[i];
        int32_t above = node->bvh && node->bvh->end_site && node->parent != GT_NONE ? joint_of[node->parent] : GT_NONE;
        if (above != GT_NONE && main_child(out, above) == GT_NONE) {
            out->rest_tips[above] = places[i];
        }
    }
}

// Height 1, standing on the ground.
static void normalise(GtiOwnSkeleton* own)
{
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        low = fminf(low, fminf(own->rest[j].y, own->rest_tips[j].y));
        high = fmaxf(high, fmaxf(own->rest[j].y, own->rest_tips[j].y));
    }
    float scale = high > low ? 1.0f / (high - low) : 1.0f;
    const GtVec3 ground = { 0.0f, low, 0.0f };
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        own->rest[j] = gt_vec3_scale(gt_vec3_sub(own->rest[j], ground), scale);
        own->rest_tips[j] = gt_vec3_scale(gt_vec3_sub(own->rest_tips[j], ground), scale);
        own->skeleton.joints[j].position = own->rest[j];
        own->skeleton.joints[j].tip = own->rest_tips[j];
    }
}

GtResult gti_own_skeleton_read(const GtContext* context, const GtScene* scene, GtArena* arena, GtiOwnSkeleton* out,
                               GtError* error)
{
    *out = (GtiOwnSkeleton){ 0 };
    GtHumanoidMap map;
    GtMapReport report;
    GtMat34* worlds = NULL;
    int32_t* joint_of = gt_arena_push_array(arena, (size_t)scene->node_count + 1, sizeof *joint_of);
    GtVec3* places = gt_arena_push_array(arena, (size_t)scene->node_count + 1, sizeof *places);
    GtMapDef def = gt_default_map_def();
    GtResult result =
        joint_of && places ? gt_map_humanoid(context, scene, &def, &map, &report, error) : gti_out_of_memory(error);
    result = result == GT_OK ? gti_scene_worlds(scene, arena, &worlds, error) : result;
    result = result == GT_OK ? list_joints(scene, arena, out, joint_of, error) : result;
    if (result != GT_OK) {
        return result;
    }
    out->is_humanoid = report.verdict == GT_MAP_HUMANOID || report.verdict == GT_MAP_AMBIGUOUS;
    GtQuat turn = out->is_humanoid ? upright_from_scene(&report) : gt_quat_identity();
    for (int32_t i = 0; i < scene->node_count; ++i) {
        places[i] = gt_quat_rotate(turn, gt_mat34_translation(&worlds[i]));
        if (joint_of[i] != GT_NONE) {
            float stretch[9];
            out->rest[joint_of[i]] = places[i];
            out->rotations[joint_of[i]] = gt_quat_mul(turn, gt_mat34_polar(&worlds[i], stretch));
        }
    }
    if (out->is_humanoid) {
        map_joints(&out->skeleton, &map, joint_of);
    } else {
        turn_sideways(out, places, scene->node_count);
    }
    find_tips(scene, joint_of, places, out);
    normalise(out);
    return GT_OK;
}

// The similarity that takes one bone to another.
typedef struct Carry {
    GtVec3 from, to;
    GtQuat turn;
    float scale;
} Carry;

static Carry carry_between(GtVec3 from, GtVec3 from_tip, GtVec3 to, GtVec3 to_tip)
{
    GtVec3 old_bone = gt_vec3_sub(from_tip, from);
    GtVec3 new_bone = gt_vec3_sub(to_tip, to);
    float old_length = gt_vec3_length(old_bone);
    float new_length = gt_vec3_length(new_bone);
    bool ok = old_length > 1e-6f && new_length > 1e-6f;
    return (Carry){ .from = from,
                    .to = to,
                    .turn = ok ? gt_quat_between(gt_vec3_scale(old_bone, 1.0f / old_length),
                                                 gt_vec3_scale(new_bone, 1.0f / new_length))
                               : gt_quat_identity(),
                    .scale = ok ? new_length / old_length : 1.0f };
}

static GtVec3 carried(const Carry* carry, GtVec3 p)
{
    GtVec3 offset = gt_quat_rotate(carry->turn, gt_vec3_sub(p, carry->from));
    return gt_vec3_add(carry->to, gt_vec3_scale(offset, carry->scale));
}

static bool hangs_below(const GtiRigSkeleton* skeleton, int32_t joint, int32_t above)
{
    while (joint != GT_NONE && joint != above) {
        joint = skeleton->joints[joint].parent;
    }
    return joint == above;
}

static int32_t placed_above(const GtiRigSkeleton* skeleton, const bool* placed, int32_t joint)
{
    do {
        joint = skeleton->joints[joint].parent;
    } while (joint != GT_NONE && !placed[joint]);
    return joint;
}

static int32_t placed_below(const GtiRigSkeleton* skeleton, const bool* placed, int32_t joint)
{
    for (int32_t k = joint + 1; k < skeleton->joint_count; ++k) {
        if (placed[k] && hangs_below(skeleton, k, joint)) {
            return k;
        }
    }
    return GT_NONE;
}

// A joint that the humanoid does not have, by those that it has.
static void place_between(GtiOwnSkeleton* own, const bool* placed, int32_t joint)
{
    GtiRigJoint* joints = own->skeleton.joints;
    int32_t above = placed_above(&own->skeleton, placed, joint);
    int32_t below = placed_below(&own->skeleton, placed, joint);
    int32_t from = above != GT_NONE ? above : below;
    if (from == GT_NONE) {
        return;
    }
    Carry carry;
    if (above != GT_NONE && below != GT_NONE) {
        carry = carry_between(own->rest[above], own->rest[below], joints[above].position, joints[below].position);
    } else if (above != GT_NONE) {
        carry = carry_between(own->rest[above], own->rest_tips[above], joints[above].position, joints[above].tip);
    } else { // over the hips, such as a root on the ground
        float scale = own->rest[below].y > 1e-3f ? joints[below].position.y / own->rest[below].y : 1.0f;
        carry = (Carry){ own->rest[below], joints[below].position, gt_quat_identity(), scale };
    }
    joints[joint].position = carried(&carry, own->rest[joint]);
    joints[joint].tip = carried(&carry, own->rest_tips[joint]);
}

void gti_own_skeleton_follow(GtiOwnSkeleton* own, const GtiRigSkeleton* humanoid)
{
    GtiRigJoint* joints = own->skeleton.joints;
    bool placed[MAX_JOINTS] = { false };
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        for (int32_t k = 0; k < humanoid->joint_count && joints[j].humanoid != GT_NONE; ++k) {
            if (humanoid->joints[k].humanoid == joints[j].humanoid) {
                joints[j].position = humanoid->joints[k].position;
                joints[j].tip = humanoid->joints[k].tip;
                placed[j] = true;
            }
        }
    }
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        if (!placed[j]) {
            place_between(own, placed, j);
        }
    }
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        int32_t child = main_child(own, j);
        joints[j].tip = child != GT_NONE ? joints[child].position : joints[j].tip;
    }
}

void gti_own_skeleton_turn(GtiOwnSkeleton* own)
{
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        const GtiRigJoint* joint = &own->skeleton.joints[j];
        Carry carry = carry_between(own->rest[j], own->rest_tips[j], joint->position, joint->tip);
        own->rotations[j] = gt_quat_normalize(gt_quat_mul(carry.turn, own->rotations[j]));
    }
}
