// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "map/front.h"

#include "base/fail.h"
#include "map/cloud.h"

#include "gertie/build.h"
#include "gertie/instance.h"

#include <math.h>

// From which length on a clue is clear, and what it weighs against the others then: knees of straight legs are modelled
// a little backwards at times.
static const struct {
    float clear;
    float weight;
} kinds[GTI_FRONT_CLUE_COUNT] = {
    [GTI_FRONT_TOES] = { 0.08f, 1.0f },
    [GTI_FRONT_FACE] = { 0.03f, 0.75f },
    [GTI_FRONT_FEET] = { 0.08f, 1.0f },
    [GTI_FRONT_KNEES] = { 0.03f, 0.5f },
};

static GtVec3 position(const GtiMapTree* tree, int32_t joint)
{
    return tree->joints[joint].position;
}

static GtVec3 over_ground(const GtiMapBody* body, GtVec3 v)
{
    return gt_vec3_sub(v, gt_vec3_scale(body->up, gt_vec3_dot(v, body->up)));
}

static GtVec3 face_of(const GtiMapTree* tree, const GtiMapBody* body)
{
    GtVec3 face = { 0 };
    for (int32_t c = body->head == GT_NONE ? GT_NONE : tree->joints[body->head].first_child; c != GT_NONE;
         c = tree->joints[c].next_sibling) {
        bool is_face = tree->joints[c].hint.parts & ((1u << GTI_BODY_PART_EYE) | (1u << GTI_BODY_PART_JAW));
        GtVec3 from_head = gt_vec3_sub(position(tree, c), position(tree, body->head));
        face = is_face ? gt_vec3_add(face, over_ground(body, from_head)) : face;
    }
    return face;
}

GtiFront gti_front_of_joints(const GtiMapTree* tree, const GtiMapBody* body)
{
    GtVec3 toes = { 0 };
    GtVec3 knees = { 0 };
    for (int i = 0; i < 2; ++i) {
        const GtiMapLimb* leg = &body->legs[i];
        int32_t foot = gti_limb_foot(tree, leg, 0);
        if (foot == GT_NONE) {
            continue;
        }
        for (int32_t tip = tree->joints[foot].farthest; tip != GT_NONE; tip = tree->joints[tip].farthest) {
            toes = gt_vec3_add(toes, over_ground(body, gt_vec3_sub(position(tree, tip), position(tree, foot))));
        }
        GtVec3 hip = position(tree, leg->chain[leg->upper]);
        GtVec3 knee = position(tree, leg->chain[leg->lower]);
        GtVec3 middle = gt_vec3_scale(gt_vec3_add(hip, position(tree, foot)), 0.5f);
        knees = gt_vec3_add(knees, over_ground(body, gt_vec3_sub(knee, middle)));
    }
    GtiFront front = { 0 };
    float legs = body->leg_m > 0.0f ? 1.0f / body->leg_m : 0.0f;
    front.clues[GTI_FRONT_TOES] = gt_vec3_scale(toes, legs);
    front.clues[GTI_FRONT_FACE] = gt_vec3_scale(face_of(tree, body), legs);
    front.clues[GTI_FRONT_KNEES] = gt_vec3_scale(knees, legs);
    return front;
}

typedef struct FootPoints {
    GtVec3 sum;
    double count;
} FootPoints;

static void add_point(void* user, GtVec3 p)
{
    FootPoints* points = user;
    points->sum = gt_vec3_add(points->sum, p);
    points->count += 1.0;
}

// Matrices of the pose that the tree is in; nodes that are no joints hang on those as they do at rest.
static void pose_nodes(const GtiMapTree* tree, const GtCharacter* character, GtMat34* model_from_node, bool* is_joint)
{
    const GtCharacterDef* def = gt_character_def(character);
    for (int32_t j = 0; j < tree->count; ++j) {
        int32_t node = gt_character_node_from_source(character, tree->joints[j].node);
        model_from_node[node] = tree->joints[j].model_from_joint;
        is_joint[node] = true;
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (!is_joint[i]) {
            GtMat34 local = gt_mat34_from_transform(def->rest[i]);
            int32_t parent = def->parents[i];
            model_from_node[i] = parent == GT_NONE ? local : gt_mat34_mul(model_from_node[parent], local);
        }
    }
}

static GtResult look_at_feet(GtArena* scratch, const GtScene* scene, const GtCharacter* character,
                             const GtiMapTree* tree, const GtiMapBody* body, GtiFront* front, GtError* error)
{
    size_t count = (size_t)gt_character_def(character)->node_count;
    GtMat34* model_from_node = gt_arena_push_array(scratch, count, sizeof *model_from_node);
    bool* marks = gt_arena_push_array(scratch, count, sizeof *marks);
    if (!model_from_node || !marks) {
        return gti_out_of_memory(error);
    }
    pose_nodes(tree, character, model_from_node, marks);
    GtVec3 sum = { 0 };
    for (int i = 0; i < 2; ++i) {
        int32_t foot = gti_limb_foot(tree, &body->legs[i], 0);
        if (foot == GT_NONE) {
            return GT_OK;
        }
        int32_t node = gt_character_node_from_source(character, tree->joints[foot].node);
        gti_cloud_mark_below(gt_character_def(character), node, marks);
        GtiCloud cloud = { .scene = scene,
                           .character = character,
                           .model_from_node = model_from_node,
                           .marks = marks,
                           .origin = position(tree, foot),
                           .shown_from_model = gt_quat_identity() };
        FootPoints points = { 0 };
        gti_cloud_show(&cloud, add_point, &points);
        if (points.count < 4.0) {
            return GT_OK;
        }
        sum = gt_vec3_add(sum, gt_vec3_scale(points.sum, (float)(1.0 / (points.count * (double)body->leg_m))));
    }
    front->clues[GTI_FRONT_FEET] = over_ground(body, sum);
    return GT_OK;
}

GtResult gti_front_add_feet(const GtContext* context, const GtScene* scene, const GtiMapTree* tree,
                            const GtiMapBody* body, GtiFront* front, GtError* error)
{
    if (scene->mesh_count == 0 || !(body->leg_m > 0.0f)) {
        return GT_OK;
    }
    GtBuildDef build = gt_default_build_def();
    build.joints_only = true;
    GtCharacter* character = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = gt_character_build(context, scene, &build, &character, NULL, error);
    if (result == GT_OK) {
        result = look_at_feet(&scratch, scene, character, tree, body, front, error);
    }
    gt_character_destroy(character);
    gt_arena_destroy(&scratch);
    return result;
}

GtVec3 gti_front_direction(const GtiFront* front)
{
    GtVec3 none = { 0 };
    for (int c = 0; c < GTI_FRONT_CLUE_COUNT; ++c) {
        if (gt_vec3_length(front->clues[c]) > kinds[c].clear) {
            return gt_vec3_normalize_or(front->clues[c], none);
        }
    }
    return none;
}

float gti_front_support(const GtiFront* front, GtVec3 direction)
{
    float sum = 0.0f;
    for (int c = 0; c < GTI_FRONT_CLUE_COUNT; ++c) {
        float ahead = gt_vec3_dot(front->clues[c], direction) / kinds[c].clear;
        sum += kinds[c].weight * fminf(fmaxf(ahead, -1.0f), 1.0f);
    }
    return sum;
}
