// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Arms that reach. What is too far for the arm is reached for with the clavicle, as far as those go. The elbow bends
// about the axis that it bent about, and the arm turns by the smallest rotation from where its wrist was to where it
// shall be, so that elbows stay about as high as they were.

#include "motion/touch/touch.h"

#include "gertie/ik.h"

#include <math.h>

enum {
    MOST_MARKED = 1024 // nodes
};

static const float SOFT = 0.95f;       // share of its length from which on an arm stretches ever less,
static const float HARDEST = 0.985f;   // unless it was stretched further before; likewise, of one that touches
static const float CLEAR_BEND = 0.25f; // sine of it
static const float UNCLEAR_BEND = 0.05f;
static const float MOST_SHRUG_RAD = 0.35f; // that a clavicle turns
static const float SAME_PLACE_M = 1e-5f;   // goals this near leave an arm alone

// Bring a node up to date, and all that hangs from it.
static void update_below(const GtCharacterDef* def, int32_t node, const GtTransform* pose, GtMat34* model,
                         GtQuat* rotations)
{
    uint64_t below[MOST_MARKED / 64] = { 0 }; // of characters with more nodes than that, all after it are updated
    for (int32_t i = node; i < def->node_count; ++i) {
        int32_t parent = def->parents[i];
        bool is_marked = parent >= node && parent < MOST_MARKED && (below[parent / 64] >> parent % 64 & 1u);
        if (i != node && !is_marked && def->node_count <= MOST_MARKED) {
            continue;
        }
        if (i < MOST_MARKED) {
            below[i / 64] |= (uint64_t)1 << i % 64;
        }
        GtMat34 local = gt_mat34_from_transform(pose[i]);
        GtQuat rotation = gt_quat_normalize(pose[i].rotation);
        model[i] = parent == GT_NONE ? local : gt_mat34_mul(model[parent], local);
        rotations[i] = gt_quat_mul(gti_parent_rotation(def, rotations, i), rotation);
    }
}

void gti_touch_turn(const GtiAlignedFigure* figure, int32_t node, GtQuat rotation, GtTransform* pose, GtMat34* model,
                    GtQuat* rotations)
{
    GtQuat parent = gti_parent_rotation(figure->def, rotations, node);
    pose[node].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(parent), rotation));
    update_below(figure->def, node, pose, model, rotations);
}

// Across upper arm and forearm where the elbow is clearly bent, else the axis that elbows of the common pose bend
// about.
static GtVec3 hinge_of(const GtHingeLimb* arm, GtVec3 usual)
{
    GtVec3 upper = gt_vec3_normalize_or(gt_vec3_sub(arm->middle, arm->root), gt_vec3(1.0f, 0.0f, 0.0f));
    GtVec3 fore = gt_vec3_normalize_or(gt_vec3_sub(arm->end, arm->middle), upper);
    GtVec3 across = gt_vec3_cross(upper, fore); // as long as the sine of the bend
    if (gt_vec3_dot(across, usual) < 0.0f && gt_vec3_length(across) < CLEAR_BEND) {
        across = gt_vec3_scale(across, -1.0f);
    }
    return gt_vec3_add(across, gt_vec3_scale(usual, UNCLEAR_BEND));
}

static float softness_of(const GtHingeLimb* arm, float weight)
{
    float length =
        gt_vec3_length(gt_vec3_sub(arm->middle, arm->root)) + gt_vec3_length(gt_vec3_sub(arm->end, arm->middle));
    float was = gt_vec3_length(gt_vec3_sub(arm->end, arm->root)) / fmaxf(length, 1e-12f);
    float soft = fminf(fmaxf(SOFT, was), 1.0f); // an arm that was straight is not bent at once
    return soft + weight * (HARDEST - soft);
}

// A hand that does not hang from its forearm is taken along.
static void move_hand(const GtiAlignedFigure* figure, int32_t hand, GtVec3 place, GtTransform* pose, GtMat34* model)
{
    int32_t parent = figure->def->parents[hand];
    bool invertible = true;
    if (parent != GT_NONE) {
        GtMat34 parent_from_model = gt_mat34_inverse(&model[parent], &invertible);
        place = gt_mat34_point(&parent_from_model, place);
    }
    if (invertible) {
        pose[hand].translation = place;
        gt_character_to_model(figure->character, pose, model);
    }
}

// Turn the clavicle so that the arm needs not be straight, and tell where the shoulder is.
static GtVec3 lend_shoulder(const GtiAlignedFigure* figure, const GtiArmGoal* goal, float arm_m, GtTransform* pose,
                            GtMat34* model, GtQuat* rotations)
{
    int32_t clavicle = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_SHOULDER, goal->side)];
    int32_t upper = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_ARM, goal->side)];
    GtVec3 shoulder = gt_mat34_translation(&model[upper]), way = gt_vec3_sub(goal->wrist, shoulder);
    float far = gt_vec3_length(way), missing = far - SOFT * arm_m;
    if (clavicle == GT_NONE || !(missing > 0.0f) || !gti_hangs_from(figure->def, upper, clavicle)) {
        return shoulder;
    }
    GtVec3 bone = gt_vec3_sub(shoulder, gt_mat34_translation(&model[clavicle]));
    GtVec3 ahead = gt_vec3_add(bone, gt_vec3_scale(way, missing / far));
    GtQuat turn = gt_quat_between(bone, ahead);
    float angle = gt_quat_angle_rad(gt_quat_identity(), turn), most = MOST_SHRUG_RAD * goal->weight;
    turn = gt_quat_slerp(gt_quat_identity(), turn, angle > 0.0f ? most * (1.0f - expf(-angle / most)) / angle : 0.0f);
    gti_touch_turn(figure, clavicle, gt_quat_mul(turn, rotations[clavicle]), pose, model, rotations);
    return gt_mat34_translation(&model[upper]);
}

void gti_touch_reach(const GtiAlignedFigure* figure, const GtiArmGoal* goal, GtTransform* pose, GtMat34* model,
                     GtQuat* rotations)
{
    int32_t upper = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_ARM, goal->side)];
    int32_t fore = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_LOWER_ARM, goal->side)];
    int32_t hand = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_HAND, goal->side)];
    GtHingeLimb arm = { .root = gt_mat34_translation(&model[upper]),
                        .middle = gt_mat34_translation(&model[fore]),
                        .end = gt_mat34_translation(&model[hand]),
                        .target = goal->wrist };
    if (!(gt_vec3_length(gt_vec3_sub(arm.end, arm.target)) > SAME_PLACE_M)) {
        return;
    }
    GtQuat held = rotations[hand];
    float arm_m = gt_vec3_length(gt_vec3_sub(arm.middle, arm.root)) + gt_vec3_length(gt_vec3_sub(arm.end, arm.middle));
    arm.root = lend_shoulder(figure, goal, arm_m, pose, model, rotations);
    arm.middle = gt_mat34_translation(&model[fore]);
    arm.end = gt_mat34_translation(&model[hand]);
    GtQuat turn = gt_quat_mul(rotations[upper], gt_quat_conjugate(figure->aligned.rotations[upper]));
    arm.hinge = hinge_of(&arm, gt_quat_rotate(turn, gt_vec3(0.0f, goal->side == GTI_LEFT_SIDE ? -1.0f : 1.0f, 0.0f)));
    arm.soft = softness_of(&arm, goal->weight);
    GtTwoBoneTurns turns = gt_ik_hinge(&arm);
    GtQuat bent = gt_quat_mul(turns.middle_turn, gt_quat_mul(turns.root_turn, rotations[fore]));
    gti_touch_turn(figure, upper, gt_quat_mul(turns.root_turn, rotations[upper]), pose, model, rotations);
    gti_touch_turn(figure, fore, bent, pose, model, rotations);
    gti_touch_turn(figure, hand, held, pose, model, rotations);
    if (!gti_hangs_from(figure->def, hand, fore)) {
        move_hand(figure, hand, turns.end, pose, model);
    }
}
