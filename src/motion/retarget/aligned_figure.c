// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/retarget/aligned_figure.h"

#include "motion/contact/sole.h"
#include "motion/retarget/align.h"
#include "motion/retarget/rest_angles.h"

#include "base/fail.h"

#include "gertie/retarget.h"

#include <math.h>
#include <string.h>

// A figure can be carried with less than VRM requires: it must stand on legs and have arms to tell its sides by.
static bool is_needed(GtHumanoidJoint j)
{
    bool above = j == GT_HUMANOID_SPINE || j == GT_HUMANOID_HEAD;
    bool forearm = j == GT_HUMANOID_LEFT_LOWER_ARM || j == GT_HUMANOID_LEFT_HAND || j == GT_HUMANOID_RIGHT_LOWER_ARM ||
                   j == GT_HUMANOID_RIGHT_HAND;
    return gt_humanoid_required(j) && !above && !forearm;
}

GtResult gti_aligned_open(GtArena* arena, const GtFigure* figure, GtiAlignedFigure* out, GtError* error)
{
    *out = (GtiAlignedFigure){ .figure = figure,
                               .scene = figure->scene,
                               .character = figure->character,
                               .def = figure->def,
                               .joints = figure->joints,
                               .clip = figure->clip,
                               .given = figure->scene->retarget_pose,
                               .is_humanoid = true,
                               .retarget_pose = gt_retarget_pose_identity() };
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (out->joints[j] == GT_NONE && is_needed((GtHumanoidJoint)j)) {
            out->is_humanoid = false;
        }
    }
    out->of_feet = gt_arena_push_array(arena, (size_t)out->def->node_count, sizeof *out->of_feet);
    bool ok = gti_posture_push(arena, out->def->node_count, &out->aligned) && out->of_feet;
    return ok ? GT_OK : gti_out_of_memory(error);
}

float gti_aligned_lowest(const GtiAlignedFigure* figure, const GtMat34* model_from_node)
{
    float lowest = INFINITY;
    for (int32_t i = 0; i < figure->def->node_count; ++i) {
        if (figure->of_feet[i]) {
            lowest = fminf(lowest, model_from_node[i].m[1][3]);
        }
    }
    return isfinite(lowest) ? lowest : 0.0f;
}

// Tips beyond the toes do not count: captures turn toes about as they like.
static void mark_feet(GtiAlignedFigure* f)
{
    for (int32_t i = 0; i < f->def->node_count; ++i) { // parents come first
        f->of_feet[i] = !f->is_humanoid;
        for (int side = 0; f->is_humanoid && side < 2; ++side) {
            GtHumanoidJoint foot = side ? GT_HUMANOID_RIGHT_FOOT : GT_HUMANOID_LEFT_FOOT;
            int32_t ankle = f->joints[foot], toes = f->joints[foot + 1];
            bool under = toes == GT_NONE && i > ankle && gti_hangs_from(f->def, i, ankle);
            f->of_feet[i] = f->of_feet[i] || i == ankle || i == toes || under;
        }
    }
}

static void find_loose_joints(GtiAlignedFigure* f, const GtiPosture* rest)
{
    static const GtHumanoidJoint upper[4] = { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG,
                                              GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM };
    for (int limb = 0; limb < 4; ++limb) {
        for (int k = 0; k < (limb < 2 ? 3 : 2); ++k) {
            int32_t holder = f->joints[upper[limb] + k], node = f->joints[upper[limb] + k + 1];
            if (holder == GT_NONE || node == GT_NONE || gti_hangs_from(f->def, node, holder)) {
                continue;
            }
            GtVec3 offset = gt_vec3_sub(rest->places[node], rest->places[holder]);
            offset = gt_quat_rotate(gt_quat_conjugate(rest->rotations[holder]), offset);
            f->loose[f->loose_count++] = (GtiLooseJoint){ node, holder, offset };
        }
    }
}

void gti_aligned_hold(const GtiAlignedFigure* figure, int k, const GtQuat* rotations, GtTransform* pose,
                      GtMat34* model_from_node)
{
    const GtiLooseJoint* joint = &figure->loose[k];
    GtVec3 place = gt_vec3_add(gt_mat34_translation(&model_from_node[joint->holder]),
                               gt_quat_rotate(rotations[joint->holder], joint->offset_m));
    int32_t parent = figure->def->parents[joint->node];
    bool invertible = true;
    if (parent != GT_NONE) {
        GtMat34 parent_from_model = gt_mat34_inverse(&model_from_node[parent], &invertible);
        place = gt_mat34_point(&parent_from_model, place);
    }
    if (invertible) {
        pose[joint->node].translation = place;
        gt_character_to_model(figure->character, pose, model_from_node);
    }
}

// What a figure is measured in.
typedef struct Fitting {
    const GtContext* context;
    GtArena scratch;
    GtiAlignedFigure* figure;
    GtError* error;
    GtTransform* pose;        // [node_count] reference pose, then the aligned one
    GtMat34* model_from_node; // [node_count] at rest, then in the aligned pose
    bool* marks;              // [node_count]
    GtiPosture rest;
    GtiPosture start; // what is aligned: rest, bind or reference
    GtiBodyAxes axes;
    GtiAlignHints hints;
} Fitting;

static GtResult open_fitting(Fitting* f, const GtTransform* reference)
{
    const GtCharacterDef* def = f->figure->def;
    size_t count = (size_t)def->node_count;
    f->pose = gt_arena_push_array(&f->scratch, count, sizeof *f->pose);
    f->model_from_node = gt_arena_push_array(&f->scratch, count, sizeof *f->model_from_node);
    f->marks = gt_arena_push_array(&f->scratch, count, sizeof *f->marks);
    if (!f->pose || !f->model_from_node || !f->marks || !gti_posture_push(&f->scratch, def->node_count, &f->rest) ||
        !gti_posture_push(&f->scratch, def->node_count, &f->start)) {
        return gti_out_of_memory(f->error);
    }
    if (count) {
        memcpy(f->pose, reference ? reference : def->rest, count * sizeof *f->pose);
    }
    gti_posture_of_pose(f->figure->character, f->pose, f->model_from_node, &f->start);
    gti_posture_of_pose(f->figure->character, def->rest, f->model_from_node, &f->rest);
    return GT_OK;
}

// Name the rest pose, and take the bind pose where that one is odd and this is not. A body that lies may as well be
// bent over, so that its axes are not what they seem.
static GtResult choose_start(Fitting* f)
{
    GtiAlignedFigure* figure = f->figure;
    float oddness = 0.0f, bind_oddness = 0.0f;
    figure->rest_pose = gti_posture_name(&f->start, figure->joints, &f->axes, &oddness);
    bool lies = f->axes.up.y < 0.5f;
    if ((!(oddness > 0.0f) && !lies) || figure->scene->skin_count == 0) {
        return GT_OK;
    }
    GtiPosture bind;
    GtiBodyAxes bind_axes;
    bool found = false;
    if (!gti_posture_push(&f->scratch, figure->def->node_count, &bind)) {
        return gti_out_of_memory(f->error);
    }
    GtResult result =
        gti_posture_of_bind(&f->scratch, figure->scene, figure->character, figure->joints, &bind, &found, f->error);
    if (result != GT_OK || !found || !gti_body_axes(&bind, figure->joints, &bind_axes)) {
        return result;
    }
    gti_posture_name(&bind, figure->joints, &bind_axes, &bind_oddness);
    if (bind_oddness < 0.5f * oddness || (lies && bind_oddness <= oddness)) {
        f->start = bind;
        f->axes = bind_axes;
        figure->used_bind_pose = true;
    }
    return GT_OK;
}

// The pose in which joints have the rotations of `turned`, for those that it knows, and places follow.
static void take_aligned(Fitting* f, const GtiAlignment* alignment)
{
    GtiAlignedFigure* figure = f->figure;
    const GtCharacterDef* def = figure->def;
    memset(f->marks, 0, (size_t)def->node_count * sizeof *f->marks);
    GtQuat* rotations = figure->aligned.rotations;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = figure->joints[j];
        if (node != GT_NONE) {
            rotations[node] = gt_quat_normalize(gt_quat_mul(alignment->turns[j], f->start.rotations[node]));
            f->marks[node] = true;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        GtQuat above = gti_parent_rotation(def, rotations, i);
        if (f->marks[i]) {
            f->pose[i].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(above), rotations[i]));
        } else {
            rotations[i] = gt_quat_mul(above, gt_quat_normalize(f->pose[i].rotation));
        }
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = figure->joints[j];
        if (node != GT_NONE) {
            GtQuat back = gt_quat_conjugate(gt_quat_normalize(def->rest[node].rotation));
            figure->retarget_pose.rotations[j] = gt_quat_normalize(gt_quat_mul(f->pose[node].rotation, back));
        }
    }
}

// What the scene or the user says of the pose.
static void take_given(Fitting* f)
{
    GtiAlignedFigure* figure = f->figure;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = figure->joints[j];
        GtQuat given = figure->given->rotations[j];
        if (node != GT_NONE && gt_quat_length(given) > 0.5f) {
            GtQuat rest = gt_quat_normalize(figure->def->rest[node].rotation);
            f->pose[node].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_normalize(given), rest));
            figure->retarget_pose.rotations[j] = given;
        }
    }
}

static GtResult align_humanoid(Fitting* f, bool has_reference)
{
    GtiAlignedFigure* figure = f->figure;
    float oddness;
    if (has_reference) {
        figure->rest_pose = gti_posture_name(&f->start, figure->joints, &f->axes, &oddness);
    } else {
        GtResult result = choose_start(f);
        if (result != GT_OK) {
            return result;
        }
    }
    GtQuat canonical_from_model = gt_quat_conjugate(gti_quat_from_axes(f->axes.left, f->axes.up, f->axes.forward));
    for (int side = 0; side < 2; ++side) {
        gti_sole_find(figure->scene, figure->character, f->model_from_node, &f->rest, &f->start, figure->joints,
                      canonical_from_model, side, f->marks, &f->hints.soles[side]);
        if (!f->hints.soles[side].found) {
            f->hints.soles[side].pitch_rad = figure->foot_pitch_rad;
        }
    }
    GtiAlignment alignment;
    gti_head_find(figure->scene, figure->character, f->model_from_node, &f->rest, &f->start, figure->joints,
                  canonical_from_model, f->marks, &f->hints.head);
    gti_rest_angles_find(&f->start, figure->joints, canonical_from_model, &f->hints.head, &figure->angles);
    f->hints.gaze_rad = figure->gaze_rad;
    gti_align(figure->def, &f->start, figure->joints, &f->axes, &f->hints, &alignment);
    figure->max_limb_turn_rad = alignment.max_limb_turn_rad;
    take_aligned(f, &alignment);
    if (figure->given) {
        take_given(f);
    }
    return GT_OK;
}

static float bone_length(const GtiAlignedFigure* f, GtHumanoidJoint from, GtHumanoidJoint to)
{
    return gt_vec3_length(gt_vec3_sub(f->aligned.places[f->joints[to]], f->aligned.places[f->joints[from]]));
}

static float lowest_place(const GtiAlignedFigure* figure, const GtiPosture* posture)
{
    float lowest = INFINITY;
    for (int32_t i = 0; i < posture->node_count; ++i) {
        lowest = figure->of_feet[i] ? fminf(lowest, posture->places[i].y) : lowest;
    }
    return lowest;
}

static void measure(Fitting* f, float start_lowest)
{
    GtiAlignedFigure* figure = f->figure;
    const GtVec3* at = figure->aligned.places;
    static const GtHumanoidJoint hip[2] = { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG };
    figure->hips_over_legs_m = gt_vec3(0.0f, 0.0f, 0.0f);
    if (!figure->is_humanoid) {
        return;
    }
    float sole_y = INFINITY;
    figure->leg_m = 0.0f;
    for (int side = 0; side < 2; ++side) {
        figure->leg_m +=
            0.5f * (bone_length(figure, hip[side], hip[side] + 1) + bone_length(figure, hip[side] + 1, hip[side] + 2));
        if (f->hints.soles[side].found) {
            sole_y = fminf(sole_y, at[figure->joints[hip[side] + 2]].y - f->hints.soles[side].depth_m);
        }
    }
    float lowest = gti_aligned_lowest(figure, f->model_from_node);
    GtVec3 legs = gt_vec3_scale(gt_vec3_add(at[figure->joints[hip[0]]], at[figure->joints[hip[1]]]), 0.5f);
    figure->hips_over_legs_m = gt_vec3_sub(at[figure->joints[GT_HUMANOID_HIPS]], legs);
    figure->hip_height_m = legs.y - lowest;
    figure->has_sole = isfinite(sole_y);
    figure->sole_m = figure->has_sole ? lowest - sole_y : 0.0f;
    figure->stand_m = start_lowest;
    figure->is_humanoid = figure->leg_m > 0.0f && figure->hip_height_m > 0.0f;
}

static void hold_aligned(Fitting* f)
{
    GtiAlignedFigure* figure = f->figure;
    if (!figure->is_humanoid) {
        return;
    }
    figure->loose_count = 0;
    find_loose_joints(figure, &f->rest);
    for (int k = 0; k < figure->loose_count; ++k) {
        gti_aligned_hold(figure, k, figure->aligned.rotations, f->pose, f->model_from_node);
        gti_posture_of_pose(figure->character, f->pose, f->model_from_node, &figure->aligned);
    }
}

GtResult gti_aligned_find(const GtContext* context, GtiAlignedFigure* figure, const GtTransform* reference,
                          GtError* error)
{
    Fitting f = {
        .context = context, .scratch = gt_arena_create(context->allocator), .figure = figure, .error = error
    };
    GtResult result = open_fitting(&f, reference);
    if (result == GT_OK) {
        figure->is_humanoid = figure->is_humanoid && gti_body_axes(&f.start, figure->joints, &f.axes);
        mark_feet(figure);
        float start_lowest = lowest_place(figure, &f.start);
        result = figure->is_humanoid ? align_humanoid(&f, reference != NULL) : GT_OK;
        if (result == GT_OK) {
            gti_posture_of_pose(figure->character, f.pose, f.model_from_node, &figure->aligned);
            hold_aligned(&f);
            measure(&f, start_lowest);
        }
    }
    gt_arena_destroy(&f.scratch);
    return result;
}
