// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The closed form of two bones on a pose. A turn in model space becomes one in the space of the node's parent by the
// rotation of that parent's polar decomposition, which is exact but where a parent shears. There bones change their
// length as they turn: the limb is measured again and solved again, until its end lies where the closed form put it.

#include "runtime/ik/pose.h"

#include "base/fail.h"

enum {
    MOST_ROUNDS = 16
};

// Of the limb's length: a few roundings of floats.
#define CLOSE 1e-6f

void gti_ik_turn(const GtCharacter* character, int32_t node, GtQuat turn, GtTransform* pose,
                 const GtMat34* model_from_parent)
{
    if (gt_character_def(character)->parents[node] != GT_NONE) {
        GtQuat parent = gt_mat34_polar(model_from_parent, NULL);
        turn = gt_quat_mul(gt_quat_mul(gt_quat_conjugate(parent), turn), parent);
    }
    pose[node].rotation = gt_quat_normalize(gt_quat_mul(turn, pose[node].rotation));
}

GtMat34 gti_ik_model_from(const GtCharacter* character, const GtTransform* pose, const GtMat34* model_from_node,
                          int32_t top, int32_t node)
{
    const int32_t* parents = gt_character_def(character)->parents;
    GtMat34 result = gt_mat34_identity();
    for (int32_t i = node; i != GT_NONE; i = parents[i]) {
        if (i < top) {
            return gt_mat34_mul(model_from_node[i], result);
        }
        result = gt_mat34_mul(gt_mat34_from_transform(pose[i]), result);
    }
    return result;
}

void gti_ik_update_below(const GtCharacter* character, int32_t top, const GtTransform* pose, GtMat34* model_from_node)
{
    const GtCharacterDef* def = gt_character_def(character);
    for (int32_t i = top; i < def->node_count; ++i) {
        int32_t parent = def->parents[i];
        if (i == top || parent >= top) {
            GtMat34 local = gt_mat34_from_transform(pose[i]);
            model_from_node[i] = parent == GT_NONE ? local : gt_mat34_mul(model_from_node[parent], local);
        }
    }
}

bool gti_ik_is_above(const GtCharacter* character, int32_t node, int32_t below)
{
    const int32_t* parents = gt_character_def(character)->parents;
    while (below > node) {
        below = parents[below];
    }
    return below == node;
}

// Where the limb is.
static GtTwoBone find(const GtCharacter* character, const GtIkLimb* limb, const GtTransform* pose,
                      const GtMat34* model_from_node)
{
    GtVec3 points[3];
    for (int i = 0; i < 3; ++i) {
        GtMat34 m = gti_ik_model_from(character, pose, model_from_node, limb->nodes[0], limb->nodes[i]);
        points[i] = gt_mat34_translation(&m);
    }
    return (GtTwoBone){ points[0], points[1], points[2], limb->target, limb->pole, limb->soft };
}

static void turn_node(const GtCharacter* character, const GtIkLimb* limb, int which, GtQuat turn, GtTransform* pose,
                      const GtMat34* model_from_node)
{
    int32_t node = limb->nodes[which];
    int32_t parent = gt_character_def(character)->parents[node];
    GtMat34 model_from_parent = gti_ik_model_from(character, pose, model_from_node, limb->nodes[0], parent);
    gti_ik_turn(character, node, turn, pose, &model_from_parent);
}

static float distance(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

GtIkLimb gt_default_ik_limb(void)
{
    return (GtIkLimb){
        .nodes = { GT_NONE, GT_NONE, GT_NONE },
        .soft = 0.99f, // a knee bent by 16 degrees; a leg that shall be straight misses by 0.4 % of its length
    };
}

GtTwoBoneTurns gt_ik_limb(const GtCharacter* character, const GtIkLimb* limb, GtTransform* pose,
                          GtMat34* model_from_node)
{
    GT_ASSERT(limb->nodes[0] >= 0 && limb->nodes[2] < gt_character_def(character)->node_count);
    GT_ASSERT(limb->nodes[0] < limb->nodes[1] && gti_ik_is_above(character, limb->nodes[0], limb->nodes[1]));
    GT_ASSERT(limb->nodes[1] < limb->nodes[2] && gti_ik_is_above(character, limb->nodes[1], limb->nodes[2]));
    GtQuat root_turn = gt_quat_identity();
    GtQuat end_turn = gt_quat_identity();
    GtTwoBone now = find(character, limb, pose, model_from_node);
    float length = distance(now.root, now.middle) + distance(now.middle, now.end);
    float miss_m = INFINITY;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        GtTwoBoneTurns turns = gt_ik_two_bone(&now);
        if (!isfinite(turns.miss_m)) {
            break;
        }
        turn_node(character, limb, 0, turns.root_turn, pose, model_from_node);
        turn_node(character, limb, 1, turns.middle_turn, pose, model_from_node);
        root_turn = gt_quat_mul(turns.root_turn, root_turn);
        end_turn = gt_quat_mul(gt_quat_mul(turns.middle_turn, turns.root_turn), end_turn);
        now = find(character, limb, pose, model_from_node);
        miss_m = distance(now.end, limb->target);
        if (!(distance(now.end, turns.end) > CLOSE * length)) {
            break;
        }
    }
    if (limb->keep_end_turned) {
        turn_node(character, limb, 2, gt_quat_conjugate(end_turn), pose, model_from_node);
    }
    gti_ik_update_below(character, limb->nodes[0], pose, model_from_node);
    return (GtTwoBoneTurns){
        .root_turn = gt_quat_normalize(root_turn),
        .middle_turn = gt_quat_normalize(gt_quat_mul(end_turn, gt_quat_conjugate(root_turn))),
        .middle = now.middle,
        .end = now.end,
        .miss_m = miss_m,
    };
}
