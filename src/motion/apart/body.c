// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs are three capsules each, the trunk is hulls. Of upper arms and thighs only the half away from the body counts.

#include "motion/apart/body.h"

#include "base/fail.h"

#include <math.h>

static const float PERSON_LEG_M = 0.86f; // hip to ankle
static const float NEAR_BODY = 0.5f;     // of an upper arm and a thigh, that is near the trunk by nature
static const float NEAR_M = 0.08f;       // of what is not far from each other
static const float FINGERTIP = 0.8f;     // of a finger's last bone but one, from its last joint to its tip
static const float FINGER_M = 0.008f;    // radius of a person's
static const float PALM_SHARE = 0.8f;    // of a hand's mean radius: hands are flat, and lie on what they touch

static int part_of(int limb, int segment)
{
    static const int8_t first[GTI_LIMB_COUNT] = { GTI_COLLIDER_LEFT_UPPER_ARM, GTI_COLLIDER_RIGHT_UPPER_ARM,
                                                  GTI_COLLIDER_LEFT_THIGH, GTI_COLLIDER_RIGHT_THIGH };
    return first[limb] + segment;
}

static int obstacle_part(int obstacle)
{
    static const int8_t parts[GTI_OBSTACLES] = { GTI_COLLIDER_HEAD,        GTI_COLLIDER_CHEST,
                                                 GTI_COLLIDER_BELLY,       GTI_COLLIDER_PELVIS,
                                                 GTI_COLLIDER_LEFT_THIGH,  GTI_COLLIDER_LEFT_SHANK,
                                                 GTI_COLLIDER_RIGHT_THIGH, GTI_COLLIDER_RIGHT_SHANK };
    return parts[obstacle];
}

static GtHumanoidJoint joint_of(int limb, int segment)
{
    GtHumanoidJoint left = limb < GTI_LIMB_LEFT_LEG ? GT_HUMANOID_LEFT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_LEG;
    return (GtHumanoidJoint)((int)gti_joint_on(left, limb & 1) + segment);
}

// The last two joints of each finger that has as many.
static void find_fingers(GtiLimbBody* body, int side)
{
    const int32_t* joints = body->figure->joints;
    for (int k = 0; k < GTI_FINGERS; ++k) {
        int first = (int)gti_joint_on(GT_HUMANOID_LEFT_THUMB_METACARPAL, side) + 3 * k;
        int last = first + 2;
        while (last > first && joints[last] == GT_NONE) {
            --last;
        }
        if (last > first && joints[last - 1] != GT_NONE) {
            int32_t* nodes = body->fingers[side][body->finger_count[side]++];
            nodes[0] = joints[last];
            nodes[1] = joints[last - 1];
        }
    }
}

static void find_limbs(GtiLimbBody* body)
{
    const GtiAlignedFigure* figure = body->figure;
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        int32_t* nodes = body->nodes[limb];
        bool has = true;
        for (int s = 0; s < GTI_LIMB_SEGMENTS; ++s) {
            nodes[s] = figure->joints[joint_of(limb, s)];
            has = has && nodes[s] != GT_NONE && (s == 0 || gti_hangs_from(figure->def, nodes[s], nodes[s - 1]));
        }
        body->has_limb[limb] = has && body->collider.parts[part_of(limb, 0)].has_capsule &&
                               body->collider.parts[part_of(limb, 1)].has_capsule;
    }
}

GtResult gti_limbs_open(const GtContext* context, GtArena* scratch, const GtiAlignedFigure* figure, GtiLimbBody* out,
                        GtError* error)
{
    *out = (GtiLimbBody){ .figure = figure, .size = figure->leg_m / PERSON_LEG_M };
    size_t nodes = (size_t)figure->def->node_count;
    GtMat34* model = gt_arena_push_array(scratch, nodes, sizeof *model);
    GtQuat* rotations = gt_arena_push_array(scratch, nodes, sizeof *rotations);
    if (!model || !rotations) {
        return gti_out_of_memory(error);
    }
    gt_character_to_model(figure->character, figure->def->rest, model);
    gti_model_rotations(figure->def, figure->def->rest, rotations);
    GtResult result = gti_collider_fit(context, figure->figure, model, rotations, &out->collider, error);
    if (result != GT_OK) {
        return result;
    }
    find_limbs(out);
    find_fingers(out, GTI_LEFT_SIDE);
    find_fingers(out, GTI_RIGHT_SIDE);
    for (size_t i = 0; i < nodes; ++i) {
        GtTransform at = gt_transform(figure->aligned.places[i], gt_quat_identity(), gt_vec3(1.0f, 1.0f, 1.0f));
        model[i] = gt_mat34_from_transform(at);
    }
    GtiLimbFrame stand;
    gti_limbs_see(out, model, figure->aligned.rotations, &stand);
    gti_limbs_depths(out, &stand, &out->stand);
    return GT_OK;
}

static GtiColliderPlace place_of(const GtiLimbBody* body, int part, const GtMat34* model, const GtQuat* rotations)
{
    int32_t node = body->collider.parts[part].node;
    GtVec3 origin = node == GT_NONE ? gt_vec3(0.0f, 0.0f, 0.0f) : gt_mat34_translation(&model[node]);
    return gti_collider_place(&body->collider, part, origin, node == GT_NONE ? gt_quat_identity() : rotations[node]);
}

void gti_limbs_see(const GtiLimbBody* body, const GtMat34* model_from_node, const GtQuat* rotations, GtiLimbFrame* out)
{
    *out = (GtiLimbFrame){ 0 };
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        if (!body->has_limb[limb]) {
            continue;
        }
        GtVec3* at = out->limbs[limb].at;
        for (int s = 0; s < GTI_LIMB_SEGMENTS; ++s) {
            at[s] = gt_mat34_translation(&model_from_node[body->nodes[limb][s]]);
        }
        const GtiColliderPart* last = &body->collider.parts[part_of(limb, 2)];
        for (int k = 0; limb < GTI_SIDE_COUNT && k < body->finger_count[limb]; ++k) {
            GtVec3 joint = gt_mat34_translation(&model_from_node[body->fingers[limb][k][0]]);
            GtVec3 before = gt_mat34_translation(&model_from_node[body->fingers[limb][k][1]]);
            GtVec3 end = gt_vec3_lerp(before, joint, 1.0f + FINGERTIP);
            out->fingers[limb][k] = gt_vec3_sub(end, at[2]);
        }
        GtVec3 tip = last->has_capsule ? last->capsule.b : gt_vec3(0.0f, 0.0f, 0.0f);
        at[3] = gt_vec3_add(at[2], gt_quat_rotate(rotations[body->nodes[limb][2]], tip));
    }
    for (int o = 0; o < GTI_OBSTACLES; ++o) {
        out->obstacles[o] = place_of(body, obstacle_part(o), model_from_node, rotations);
    }
}

void gti_limb_place(const GtiLimbBody* body, GtiLimbFrame* frame, int limb, const GtiLimbPoints* points)
{
    const GtVec3* was = frame->limbs[limb].at;
    for (int s = 0; s < 2 && limb >= GTI_LIMB_LEFT_LEG; ++s) {
        int obstacle = 4 + 2 * (limb - GTI_LIMB_LEFT_LEG) + s;
        GtiColliderPlace* place = &frame->obstacles[obstacle];
        GtVec3 bone_was = gt_vec3_sub(was[s + 1], was[s]), bone = gt_vec3_sub(points->at[s + 1], points->at[s]);
        GtVec3 origin = gt_vec3_add(place->origin, gt_vec3_sub(points->at[s], was[s]));
        GtQuat rotation = gt_quat_normalize(gt_quat_mul(gt_quat_between(bone_was, bone), place->rotation));
        *place = gti_collider_place(&body->collider, obstacle_part(obstacle), origin, rotation);
    }
    frame->limbs[limb] = *points;
}

GtiCapsule gti_limb_capsule(const GtiLimbBody* body, const GtiLimbPoints* points, int limb, int segment)
{
    GtiCapsule capsule = body->collider.parts[part_of(limb, segment)].capsule;
    capsule.a = points->at[segment];
    capsule.b = points->at[segment + 1];
    if (segment == 0) {
        capsule.a = gt_vec3_lerp(capsule.a, capsule.b, NEAR_BODY);
        capsule.radius_a += NEAR_BODY * (capsule.radius_b - capsule.radius_a);
    }
    if (limb < GTI_LIMB_LEFT_LEG && segment == 2) {
        capsule.radius_a *= PALM_SHARE;
        capsule.radius_b *= PALM_SHARE;
    }
    return capsule;
}

GtiLimbTouch gti_limb_on_obstacle(const GtiLimbBody* body, const GtiLimbFrame* frame, int limb, int segment,
                                  int obstacle)
{
    GtiCapsule own = gti_limb_capsule(body, &frame->limbs[limb], limb, segment);
    GtiBall balls[2 + GTI_FINGERS] = { { own.a, own.radius_a }, { own.b, own.radius_b } };
    int count = 2;
    for (int k = 0; segment == 2 && k < body->finger_count[limb]; ++k) {
        GtVec3 tip = gt_vec3_add(frame->limbs[limb].at[2], frame->fingers[limb][k]);
        balls[count++] = (GtiBall){ tip, FINGER_M * body->size };
    }
    GtiDepth depth =
        gti_collider_depth(&body->collider, obstacle_part(obstacle), &frame->obstacles[obstacle], balls, count);
    float a = gt_vec3_dot(depth.way, own.a) - own.radius_a, b = gt_vec3_dot(depth.way, own.b) - own.radius_b;
    return (GtiLimbTouch){ depth, depth.depth_m - fmaxf(a - b, 0.0f), depth.depth_m - fmaxf(b - a, 0.0f) };
}

GtiDepth gti_limb_on_leg(const GtiLimbBody* body, const GtiLimbFrame* frame, int left, int right, float* left_at,
                         float* right_at)
{
    GtiCapsule a = gti_limb_capsule(body, &frame->limbs[GTI_LIMB_LEFT_LEG], GTI_LIMB_LEFT_LEG, left);
    GtiCapsule b = gti_limb_capsule(body, &frame->limbs[GTI_LIMB_RIGHT_LEG], GTI_LIMB_RIGHT_LEG, right);
    return gti_capsule_in_capsule(&a, &b, left_at, right_at);
}

void gti_limbs_depths(const GtiLimbBody* body, const GtiLimbFrame* frame, GtiLimbDepths* out)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int s = 0; s < GTI_LIMB_SEGMENTS; ++s) {
            for (int o = 0; o < GTI_OBSTACLES; ++o) {
                out->arms[side][s][o] =
                    body->has_limb[side] ? gti_limb_on_obstacle(body, frame, side, s, o).depth.depth_m : -INFINITY;
            }
        }
    }
    bool has_legs = body->has_limb[GTI_LIMB_LEFT_LEG] && body->has_limb[GTI_LIMB_RIGHT_LEG];
    for (int left = 0; left < GTI_LIMB_SEGMENTS; ++left) {
        for (int right = 0; right < GTI_LIMB_SEGMENTS; ++right) {
            float left_at, right_at;
            out->legs[left][right] =
                has_legs ? gti_limb_on_leg(body, frame, left, right, &left_at, &right_at).depth_m : -INFINITY;
        }
    }
}

uint64_t gti_limbs_near(const GtiLimbBody* body, const GtiLimbDepths* depths)
{
    const float* depth = &depths->arms[0][0][0];
    uint64_t near = 0;
    for (int i = 0; i < GTI_SIDE_COUNT * GTI_LIMB_SEGMENTS * GTI_OBSTACLES; ++i) {
        near |= depth[i] > -NEAR_M * body->size ? (uint64_t)1 << i : 0;
    }
    return near;
}

float gti_limbs_excess(const GtiLimbBody* body, const GtiLimbDepths* depths, const GtiLimbDepths* allowed)
{
    const float *now = &depths->arms[0][0][0], *may = &allowed->arms[0][0][0];
    float most = -INFINITY;
    for (int i = 0; i < GTI_SIDE_COUNT * GTI_LIMB_SEGMENTS * GTI_OBSTACLES; ++i) {
        most = fmaxf(most, now[i] - fmaxf(may[i], 0.0f));
    }
    now = &depths->legs[0][0];
    may = &allowed->legs[0][0];
    for (int i = 0; i < GTI_LIMB_SEGMENTS * GTI_LIMB_SEGMENTS; ++i) {
        most = fmaxf(most, now[i] - fmaxf(may[i], 0.0f));
    }
    return most - GTI_LIMB_LEAVE_M * body->size;
}
