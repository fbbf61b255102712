// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The way of a mesh through the room: gathered and turned upright, made solid, given a skeleton by one of two
// proposers, judged, weighed, and written back into a scene.

#include "gertie/rig.h"

#include "base/direction.h"
#include "base/fail.h"
#include "base/field_table.h"
#include "gertie/figure.h"
#include "gertie/file.h"
#include "io/mesh/units.h"
#include "rig/attach.h"
#include "rig/body/crotch.h"
#include "rig/embed/embed.h"
#include "rig/embed/fixed.h"
#include "rig/embed/own_skeleton.h"
#include "rig/judge/trust.h"
#include "rig/medial/template.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float solid_cell = 1.0f / 160.0f;
static const int64_t solid_cell_limit = 4000000;
static const float front_sure = 0.95f;    // of what feet and head say of the front, so that the other is not tried
static const float front_fit = 0.03f;     // by which the person fits better on one side, for odds of e to 1
static const float person_fits = 0.6f;    // from which on that counts in full: where it hardly fits, it says nothing
static const double least_height_m = 0.1; // of a figure that is as likely to be in metres as in another unit
static const double most_height_m = 5.0;
static const float straight_cosine = 0.98f; // of a figure that stands along the axes of its file

typedef struct Rigging {
    const GtContext* context;
    const GtScene* scene;
    const GtRigDef* def;
    GtRigReport* report;
    GtError* error;
    GtArena* arena;
    GtiRigBody body;
    GtiSolid solid;
    GtiRigSkeleton skeleton;
    GtiVerdict verdict;
    float confidence; // in the skeleton
    GtRigWay way;
    GtiPersonGoodness person; // how well it fits
    float cost;               // of a skeleton that is none
    GtiOwnSkeleton own;
    const char** names; // of the skeleton's joints
    GtMat34 rigged_from_scene;
    GtMat34 rigged_from_body;
} Rigging;

GtRigDef gt_default_rig_def(void)
{
    return (GtRigDef){ .influences = 4, .min_confidence = 0.5 };
}

static GtResult check_def(const GtScene* scene, const GtRigDef* def, GtError* error)
{
    GtResult result = gti_fields_check(gt_rig_def_fields(), def, error);
    if (result != GT_OK) {
        return result;
    }
    if (def->up != GT_RIG_AXIS_AUTO && def->front != GT_RIG_AXIS_AUTO && (def->up - 1) % 3 == (def->front - 1) % 3) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "up and front are one axis: a figure cannot face up or down");
    }
    for (int32_t i = 0; i < def->joint_count; ++i) {
        GtVec3 p = def->joints[i].position;
        if (!gt_vec3_is_finite(p)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "the position of joint '%.64s' is not finite",
                            def->joints[i].name);
        }
    }
    if (scene->skin_count > 0) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "it is rigged already, with %d joints",
                        (int)scene->skins[0].joint_count);
    }
    return GT_OK;
}

// Directions of the scene that are the figure's right hand side, up and front.
static void figure_axes(const GtMat34* body_from_scene, GtVec3 axes[3])
{
    for (int i = 0; i < 3; ++i) {
        const float* row = body_from_scene->m[i];
        axes[i] = gt_vec3_normalize_or(gt_vec3(row[0], row[1], row[2]), gt_vec3(i == 0, i == 1, i == 2));
    }
}

// A figure that stands along the axes of its file turns by quarters only, so that what is straight stays so. It is
// scaled where its height is given.
static void find_turn(Rigging* r)
{
    GtVec3 axes[3];
    GtVec3 straight[3];
    figure_axes(&r->body.body_from_scene, axes);
    straight[1] = gti_nearest_axis(axes[1]);
    straight[2] = gti_nearest_axis(axes[2]);
    bool is_straight =
        gt_vec3_dot(axes[1], straight[1]) > straight_cosine && gt_vec3_dot(axes[2], straight[2]) > straight_cosine;
    straight[0] = gt_vec3_cross(straight[1], straight[2]);
    bool ok;
    GtMat34 scene_from_body = gt_mat34_inverse(&r->body.body_from_scene, &ok);
    float height_m = gt_vec3_length(gt_mat34_vector(&scene_from_body, gt_vec3(0.0f, 1.0f, 0.0f)));
    float scale = r->def->body_height_m > 0.0 ? (float)r->def->body_height_m / height_m : 1.0f;
    r->rigged_from_scene = gt_mat34_identity();
    for (int i = 0; i < 3; ++i) {
        GtVec3 row = gt_vec3_scale(is_straight ? straight[i] : axes[i], scale);
        r->rigged_from_scene.m[i][0] = row.x;
        r->rigged_from_scene.m[i][1] = row.y;
        r->rigged_from_scene.m[i][2] = row.z;
    }
    r->rigged_from_body = gt_mat34_mul(r->rigged_from_scene, scene_from_body);
}

static void report_body(Rigging* r)
{
    GtRigReport* report = r->report;
    GtVec3 unit = gt_mat34_vector(&r->rigged_from_body, gt_vec3(0.0f, 1.0f, 0.0f));
    report->up = r->body.up;
    report->front = r->body.front;
    report->up_confidence = r->body.up_confidence;
    report->front_confidence = r->body.front_confidence;
    report->symmetry = r->body.symmetry;
    report->height_m = (double)gt_vec3_length(unit);
    report->triangle_count = r->body.triangle_count;
    report->helper_triangle_count = r->body.helper_triangle_count;
    report->piece_count = r->body.piece_count;
    report->island_count = r->body.island_count;
}

static GtResult gather(Rigging* r)
{
    GtResult result = gti_body_gather(r->context, r->scene, r->def, r->arena, &r->body, r->error);
    if (result != GT_OK) {
        return result;
    }
    find_turn(r);
    GtiTrimesh skin = gti_body_skin(&r->body);
    return gti_solid_make(r->context, &skin, solid_cell, solid_cell_limit, r->arena, &r->solid, r->error);
}

// Of a skeleton that is no humanoid no person's fit tells.
static float confidence_in(const Rigging* r, const GtiVerdict* verdict, GtRigWay way)
{
    bool is_humanoid = !r->def->skeleton || r->own.is_humanoid;
    GtiTrustDef trust = { .verdict = verdict, .way = way, .least_part = r->person.least_part };
    return is_humanoid ? gti_rig_trust(&trust) : verdict->confidence;
}

static GtResult judge(Rigging* r, const GtiRigSkeleton* skeleton, GtRigWay way)
{
    GtiVerdict verdict;
    GtResult result = gti_rig_judge(r->context, &r->body, &r->solid, skeleton, &verdict, r->error);
    float confidence = confidence_in(r, &verdict, way);
    if (result == GT_OK && (!r->skeleton.joints || confidence > r->confidence)) {
        r->skeleton = *skeleton;
        r->verdict = verdict;
        r->confidence = confidence;
        r->way = way;
    }
    return result;
}

static bool is_finger(int32_t humanoid)
{
    return humanoid >= GT_HUMANOID_LEFT_THUMB_METACARPAL;
}

// Take the fingers away; the bone of a hand goes on to where its middle finger ended.
static bool drop_fingers(Rigging* r)
{
    GtiRigSkeleton* skeleton = &r->skeleton;
    int32_t* places = gt_arena_push_array(r->arena, (size_t)skeleton->joint_count, sizeof *places);
    if (!places) {
        return false;
    }
    int32_t count = 0;
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        const GtiRigJoint* joint = &skeleton->joints[j];
        bool left = joint->humanoid == GT_HUMANOID_LEFT_MIDDLE_DISTAL;
        bool right = joint->humanoid == GT_HUMANOID_RIGHT_MIDDLE_DISTAL;
        for (int32_t h = 0; (left || right) && h < j; ++h) {
            if (skeleton->joints[h].humanoid == (int32_t)(left ? GT_HUMANOID_LEFT_HAND : GT_HUMANOID_RIGHT_HAND)) {
                skeleton->joints[h].tip = joint->tip;
            }
        }
        places[j] = is_finger(joint->humanoid) ? GT_NONE : count++;
    }
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        if (places[j] != GT_NONE) {
            GtiRigJoint joint = skeleton->joints[j];
            joint.parent = joint.parent == GT_NONE ? GT_NONE : places[joint.parent];
            joint.mirror = places[joint.mirror];
            if (joint.humanoid == GT_HUMANOID_LEFT_HAND || joint.humanoid == GT_HUMANOID_RIGHT_HAND) {
                joint.no_fingers = "none were asked for";
            }
            skeleton->joints[places[j]] = joint;
        }
    }
    skeleton->joint_count = count;
    return true;
}

// Ask the proposers for a humanoid; the judge keeps the better one.
static GtResult propose_humanoid(Rigging* r)
{
    GtiRigSkeleton proposal;
    GtResult result = gti_embed_person(r->context, &r->body, &r->solid, r->arena, &proposal, &r->person, r->error);
    result = result == GT_OK ? judge(r, &proposal, GT_RIG_WAY_PERSON) : result;
    if (result != GT_OK || r->confidence >= GTI_RIG_MEDIAL_MOST) {
        return result;
    }
    float cost;
    GtiRigSkeleton template;
    if (!gti_rig_template(r->arena, &template)) {
        return gti_out_of_memory(r->error);
    }
    result = gti_embed_medial(r->context, &r->body, &r->solid, &template, r->arena, &proposal, &cost, r->error);
    if (result == GT_ERROR_BAD_VALUE) {
        return GT_OK; // it has nothing to propose
    }
    return result == GT_OK ? judge(r, &proposal, GT_RIG_WAY_MEDIAL) : result;
}

static GtResult name_humanoid(Rigging* r)
{
    r->names = gt_arena_push_array(r->arena, (size_t)r->skeleton.joint_count, sizeof *r->names);
    if (!r->names) {
        return gti_out_of_memory(r->error);
    }
    for (int32_t j = 0; j < r->skeleton.joint_count; ++j) {
        r->names[j] = gt_humanoid_name((GtHumanoidJoint)r->skeleton.joints[j].humanoid);
    }
    return GT_OK;
}

// The user's own joints, where the humanoid's are; a skeleton that is none is embedded by itself.
static GtResult embed_own(Rigging* r)
{
    GtResult result = gti_own_skeleton_read(r->context, r->def->skeleton, r->arena, &r->own, r->error);
    if (result != GT_OK) {
        return result;
    }
    r->names = r->own.names;
    if (r->own.is_humanoid) {
        result = propose_humanoid(r);
        if (result == GT_OK) {
            gti_own_skeleton_follow(&r->own, &r->skeleton);
        }
    } else {
        GtiRigSkeleton proposal;
        result = gti_embed_medial(r->context, &r->body, &r->solid, &r->own.skeleton, r->arena, &proposal, &r->cost,
                                  r->error);
        result = result == GT_OK ? judge(r, &proposal, GT_RIG_WAY_MEDIAL) : result;
        if (result == GT_OK) {
            r->own.skeleton = r->skeleton;
        }
    }
    r->skeleton = r->own.skeleton;
    return result;
}

static GtResult move_fixed(Rigging* r)
{
    if (r->def->joint_count == 0) {
        return GT_OK;
    }
    GtVec3* scratch = gt_arena_push_array(r->arena, 2 * (size_t)r->skeleton.joint_count, sizeof *scratch);
    if (!scratch) {
        return gti_out_of_memory(r->error);
    }
    GtResult result = gti_fixed_find(r->def, r->names, &r->skeleton, r->error);
    if (result == GT_OK) {
        bool ok;
        GtMat34 body_from_rigged = gt_mat34_inverse(&r->rigged_from_body, &ok);
        gti_fixed_move(r->def, r->names, &body_from_rigged, &r->skeleton, scratch);
        result = gti_rig_judge(r->context, &r->body, &r->solid, &r->skeleton, &r->verdict, r->error);
        r->confidence = confidence_in(r, &r->verdict, r->way);
    }
    return result;
}

static GtResult embed(Rigging* r)
{
    GtResult result = r->def->skeleton ? embed_own(r) : propose_humanoid(r);
    if (result == GT_OK && !r->def->skeleton) {
        if (r->def->fingers == GT_RIG_FINGERS_NONE && !drop_fingers(r)) {
            return gti_out_of_memory(r->error);
        }
        result = name_humanoid(r);
    }
    result = result == GT_OK ? move_fixed(r) : result;
    if (result == GT_OK && r->def->skeleton) {
        r->own.skeleton = r->skeleton;
        gti_own_skeleton_turn(&r->own);
    }
    return result;
}

// The axis of the scene that lies some quarters to the left of the front that was found.
static GtRigAxis front_after(const GtiRigBody* body, int quarters)
{
    GtVec3 axes[3];
    figure_axes(&body->body_from_scene, axes);
    GtVec3 front = gti_nearest_axis(quarters % 2 ? axes[0] : axes[2]);
    front = quarters >= 2 ? gt_vec3_scale(front, -1.0f) : front;
    const float parts[3] = { front.x, front.y, front.z };
    for (int i = 0; i < 3; ++i) {
        if (parts[i] != 0.0f) {
            return (GtRigAxis)((int)(parts[i] > 0.0f ? GT_RIG_AXIS_X : GT_RIG_AXIS_MINUS_X) + i);
        }
    }
    return body->front;
}

// The same, facing elsewhere.
static GtResult embed_facing(const Rigging* r, GtRigAxis front, Rigging* out)
{
    GtRigDef def = *r->def;
    def.up = r->body.up;
    def.front = front;
    *out = *r;
    out->def = &def;
    out->skeleton = (GtiRigSkeleton){ NULL, 0 };
    GtResult result = gather(out);
    result = result == GT_OK ? embed(out) : result;
    out->def = r->def;
    return result;
}

// Feet that are in long trousers, or none at all, tell little of the front: a person fits better from there than from
// behind, by 0.11 and more, where it fits at all.
static GtResult turn_person(Rigging* r)
{
    Rigging other;
    float confidence = r->body.front_confidence;
    if (confidence >= front_sure) {
        return GT_OK;
    }
    GtResult result = embed_facing(r, front_after(&r->body, 2), &other);
    if (result != GT_OK) {
        return result;
    }
    float fits = fminf(fmaxf(r->person.fit, other.person.fit) / person_fits, 1.0f);
    float odds = logf(confidence / (1.0f - confidence)) + fits * fits * (r->person.fit - other.person.fit) / front_fit;
    if (odds < 0.0f) {
        *r = other;
    }
    r->body.front_confidence = 1.0f / (1.0f + expf(-fabsf(odds)));
    return GT_OK;
}

// Which end of a skeleton that is no humanoid is in front its file does not say: the way that costs less is right.
static GtResult turn_creature(Rigging* r)
{
    Rigging other;
    GtResult result = embed_facing(r, front_after(&r->body, 2), &other);
    if (result == GT_OK && other.cost < r->cost) {
        *r = other;
    }
    return result == GT_ERROR_BAD_VALUE ? GT_OK : result; // no room that way
}

static GtResult find_front(Rigging* r)
{
    if (r->def->front != GT_RIG_AXIS_AUTO) {
        return GT_OK;
    }
    return !r->def->skeleton || r->own.is_humanoid ? turn_person(r) : turn_creature(r);
}

static bool is_finger_root(int32_t humanoid)
{
    switch (humanoid) {
    case GT_HUMANOID_LEFT_THUMB_METACARPAL:
    case GT_HUMANOID_LEFT_INDEX_PROXIMAL:
    case GT_HUMANOID_LEFT_MIDDLE_PROXIMAL:
    case GT_HUMANOID_LEFT_RING_PROXIMAL:
    case GT_HUMANOID_LEFT_LITTLE_PROXIMAL:
    case GT_HUMANOID_RIGHT_THUMB_METACARPAL:
    case GT_HUMANOID_RIGHT_INDEX_PROXIMAL:
    case GT_HUMANOID_RIGHT_MIDDLE_PROXIMAL:
    case GT_HUMANOID_RIGHT_RING_PROXIMAL:
    case GT_HUMANOID_RIGHT_LITTLE_PROXIMAL:
        return true;
    default:
        return false;
    }
}

static void report_skeleton(Rigging* r)
{
    GtRigReport* report = r->report;
    report->way = r->way;
    report->confidence = r->confidence;
    memcpy(report->why, r->verdict.why, sizeof report->why);
    report->joint_count = r->skeleton.joint_count;
    for (int32_t j = 0; j < r->skeleton.joint_count; ++j) {
        const GtiRigJoint* joint = &r->skeleton.joints[j];
        if (joint->humanoid != GT_NONE) {
            report->joints[joint->humanoid] = gt_mat34_point(&r->rigged_from_body, joint->position);
            report->finger_count += is_finger_root(joint->humanoid);
            report->hand_fingers[joint->humanoid >= GT_HUMANOID_RIGHT_THUMB_METACARPAL] +=
                is_finger_root(joint->humanoid);
        }
    }
}

static void report_hands(Rigging* r)
{
    for (int32_t j = 0; j < r->skeleton.joint_count && !r->def->skeleton; ++j) {
        const GtiRigJoint* joint = &r->skeleton.joints[j];
        int side = joint->humanoid == GT_HUMANOID_RIGHT_HAND;
        if ((side || joint->humanoid == GT_HUMANOID_LEFT_HAND) && r->report->hand_fingers[side] == 0) {
            const char* why =
                joint->no_fingers ? joint->no_fingers : "the built-in person, which has them, does not fit";
            snprintf(r->report->no_fingers[side], sizeof r->report->no_fingers[side], "%s", why);
        }
    }
}

// A file whose format states no units may be in any: then all lengths are as wrong as its height.
static void warn_of_size(const Rigging* r)
{
    const GtSource* source = &r->scene->source;
    double height_m = r->report->height_m;
    double metres_per_unit = gt_format_holds(source->file_format, 0) &&
                                     !gt_format_holds(source->file_format, GT_HOLDS_UNITS) && !source->units_guessed &&
                                     r->def->body_height_m <= 0.0
                                 ? gti_unit_of_person(height_m / source->metres_per_unit)
                                 : 0.0;
    if (metres_per_unit > 0.0 && (height_m < least_height_m || height_m > most_height_m)) {
        gti_warn(r->context, source->file, NULL,
                 "the figure is %.4g m tall; in %s it would be %.2f m: say with --units what the file is in, or with "
                 "--body-height how tall it is",
                 height_m, gti_unit_name(metres_per_unit), height_m / source->metres_per_unit * metres_per_unit);
    }
}

// Whoever places joints has seen the body: nothing is refused then.
static GtResult refuse_if_unsure(const Rigging* r)
{
    if ((double)r->confidence >= r->def->min_confidence || r->def->joint_count > 0) {
        return GT_OK;
    }
    const char* why =
        r->verdict.why[0] ? r->verdict.why : "it is unlike the people and figures that it was compared with";
    GtiCrotch crotch;
    if (!gti_body_find_crotch(&r->solid, NULL, &crotch)) {
        why = "no legs that part were found, as in a bust, a robe or somebody who sits";
    }
    return gti_fail(r->error, GT_ERROR_UNSUPPORTED,
                    "no figure is found that a skeleton fits into (confidence %.2f, and at least %.2f is wanted): %s; "
                    "'gertie rig' takes places of joints with --joints FILE, and rigs it as it is with "
                    "--min-confidence 0",
                    (double)r->confidence, r->def->min_confidence, why);
}

static GtRigWeights weights_used(const GtRigDef* def, const GtiWeights* weights)
{
    if (def->weights != GT_RIG_WEIGHTS_AUTO) {
        return def->weights;
    }
    int32_t heat = weights->heat_piece_count;
    int32_t voxel = weights->voxel_piece_count;
    int32_t rigid = weights->rigid_piece_count;
    return heat > 0 && heat >= voxel ? GT_RIG_WEIGHTS_HEAT
           : voxel > 0 || rigid == 0 ? GT_RIG_WEIGHTS_VOXEL
                                     : GT_RIG_WEIGHTS_RIGID;
}

static GtResult weigh_and_attach(Rigging* r, GtScene* out)
{
    GtiWeights weights;
    GtResult result = gti_weights_make(r->context, &r->body, &r->solid, &r->skeleton, r->def->weights,
                                       r->def->influences, r->arena, &weights, r->error);
    if (result != GT_OK) {
        return result;
    }
    r->report->weights = weights_used(r->def, &weights);
    r->report->pruned_weight = (double)weights.pruned_weight;
    r->report->pruned_m = (double)weights.pruned_distance * r->report->height_m;
    GtiRigAttachment attachment = { .body = &r->body,
                                    .skeleton = &r->skeleton,
                                    .weights = &weights,
                                    .names = r->names,
                                    .rotations = r->def->skeleton ? r->own.rotations : NULL,
                                    .rigged_from_scene = r->rigged_from_scene,
                                    .rigged_from_body = r->rigged_from_body };
    return gti_rig_attach(r->context, out, &attachment, r->error);
}

// How the body stands, which motions put onto it straighten.
static GtResult report_stand(const Rigging* r, const GtScene* rigged)
{
    GtFigure figure;
    GtFigureDef def = gt_default_figure_def();
    GtRetargetPose pose;
    GtRetargetPoseReport report;
    def.build.joints_only = true;
    if (!rigged->humanoid) {
        return GT_OK;
    }
    GtResult result = gt_figure_open(r->context, rigged, &def, &figure, r->error);
    if (result == GT_OK) {
        result = gt_retarget_pose_find(r->context, &figure, &pose, &report, r->error);
    }
    gt_figure_close(&figure);
    if (result == GT_OK) {
        r->report->rest_angles = report.angles;
    }
    return result == GT_ERROR_BAD_VALUE ? GT_OK : result; // joints without size have no angles
}

static GtResult step(const Rigging* r, double fraction)
{
    return gti_progress(r->context, r->error, "rigging", fraction);
}

static GtResult rig(Rigging* r, GtScene** out)
{
    GtResult result = step(r, 0.0);
    result = result == GT_OK ? gather(r) : result;
    result = result == GT_OK ? step(r, 0.3) : result;
    result = result == GT_OK ? embed(r) : result;
    result = result == GT_OK ? find_front(r) : result;
    if (result == GT_OK) {
        report_body(r);
        report_skeleton(r);
        report_hands(r);
        warn_of_size(r);
        result = refuse_if_unsure(r);
    }
    result = result == GT_OK ? step(r, 0.6) : result;
    result = result == GT_OK ? gt_scene_copy(r->context, r->scene, out, r->error) : result;
    result = result == GT_OK ? weigh_and_attach(r, *out) : result;
    result = result == GT_OK ? report_stand(r, *out) : result;
    return result == GT_OK ? step(r, 1.0) : result;
}

GtResult gt_rig(const GtContext* context, const GtScene* scene, const GtRigDef* def, GtScene** out, GtRigReport* report,
                GtError* error)
{
    def = def ? def : (GtRigDef[]){ gt_default_rig_def() };
    *out = NULL;
    GtRigReport unasked;
    GtArena arena = gt_arena_create(context->allocator);
    Rigging r = { .context = context,
                  .scene = scene,
                  .def = def,
                  .report = report ? report : &unasked,
                  .error = error,
                  .arena = &arena };
    *r.report = (GtRigReport){ 0 };
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        r.report->joints[j] = gt_vec3(NAN, NAN, NAN);
    }
    GtResult result = check_def(scene, r.def, error);
    result = result == GT_OK ? rig(&r, out) : result;
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    gt_arena_destroy(&arena);
    return result;
}
