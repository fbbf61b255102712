// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One frame. With W the rotation of a joint in model space and W0 that in the common pose, each joint of the target
// gets W_t = (W_s W_s0^-1) W_t0, which is Feng et al. (2012), 4.1, in world terms: q' = q_init R^-1 q R without the
// sum of what joints in between add. Parents come first, so local rotations follow in the same pass.

#include "motion/retarget/data.h"

#include "base/scalar.h"

#include "gertie/bake.h"

#include <math.h>

// Scratch of a frame.
typedef struct Frame {
    GtMat34* model_from_node; // [target nodes], where there are loose joints
    GtQuat* source;           // [source nodes] model rotations
    GtQuat* target;           // [target nodes] likewise
} Frame;

static Frame lay_out(const GtRetarget* r, void* scratch)
{
    Frame frame;
    frame.model_from_node = scratch;
    size_t matrices = r->holds_loose ? (size_t)r->target.def->node_count : 0;
    frame.source = (GtQuat*)(frame.model_from_node + matrices);
    frame.target = frame.source + r->source.def->node_count;
    return frame;
}

size_t gt_retarget_scratch_size(const GtRetarget* retarget)
{
    size_t source = (size_t)retarget->source.def->node_count, target = (size_t)retarget->target.def->node_count;
    return (retarget->holds_loose ? target * sizeof(GtMat34) : 0) + (source + target) * sizeof(GtQuat);
}

GtQuat gti_retarget_turn(const GtRetarget* r, const GtQuat* source_rotations, int32_t node)
{
    GtQuat turn = gt_quat_mul(source_rotations[node], r->common_from_source[node]);
    return r->def.mirror ? gt_quat(turn.x, -turn.y, -turn.z, turn.w) : turn;
}

// Half a turn one way is half a turn the other way, so a share of an angle would jump there. From `from_rad` on it
// fades: the angle to take the share of.
static float faded(float angle_rad, float from_rad)
{
    float most = ((float)GTI_PI - fabsf(angle_rad)) * from_rad /
                 ((float)GTI_PI - from_rad); // meets the angle where fading begins
    return fabsf(angle_rad) > from_rad ? copysignf(most, angle_rad) : angle_rad;
}

// The angle about `axis` of a rotation's twist that is to be shared out. A bone that has swung to where it came from
// has none: towards that it fades, too.
static float twist_of(GtQuat q, GtVec3 axis)
{
    const float fade_rad = 2.0943951f; // 120 degrees: forearms turn that far
    float s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    float twist = q.w < 0.0f ? 2.0f * atan2f(-s, -q.w) : 2.0f * atan2f(s, q.w);
    float swing = fminf((q.w * q.w + s * s) * 5.0f, 1.0f);
    return faded(twist, fade_rad) * swing;
}

// Part of the way from one end of a spine to the other; from that end which is nearer, where they are turned against
// each other.
static GtQuat chord_of(GtQuat bottom, GtQuat top, float arc)
{
    const float fade_rad = 1.5707963f;
    float angle = gt_quat_angle_rad(bottom, top);
    float kept = angle > fade_rad ? faded(angle, fade_rad) / angle : 1.0f;
    return gt_quat_slerp(bottom, top, arc > 0.5f ? 1.0f - (1.0f - arc) * kept : arc * kept);
}

// 1 up to `sound`, 0 from `broken` on.
static float soundness(float angle_rad, float sound_rad, float broken_rad)
{
    return fminf(fmaxf((broken_rad - angle_rad) / (broken_rad - sound_rad), 0.0f), 1.0f);
}

// An orientation off the curve of a spine. Captures break inside necks, where a joint is turned round between a chest
// and a head that are not: what is 40 to 80 degrees off the straight way between those is left out. Where chest and
// head themselves are turned against each other, the way tells nothing, and neighbours have to agree.
static GtQuat curve_of(const GtRetarget* r, const GtQuat* source, const GtiRetargetLink* link, GtQuat from, GtQuat to)
{
    GtQuat curve = gt_quat_slerp(from, to, link->blend);
    GtQuat bottom = gti_retarget_turn(r, source, link->bottom), top = gti_retarget_turn(r, source, link->top);
    GtQuat chord = chord_of(bottom, top, link->arc);
    float near_chord = soundness(gt_quat_angle_rad(chord, curve), 0.7f, 1.4f);
    float near_neighbour = soundness(gt_quat_angle_rad(from, to), 1.4f, 2.2f);
    float chord_is_sound = soundness(gt_quat_angle_rad(bottom, top), 1.0f, 1.9f);
    float kept = near_neighbour + (near_chord - near_neighbour) * chord_is_sound;
    return kept < 1.0f ? gt_quat_slerp(chord, curve, kept) : curve;
}

static GtQuat turn_of_link(const GtRetarget* r, const GtQuat* source, const GtiRetargetLink* link)
{
    GtQuat from = gti_retarget_turn(r, source, link->from);
    if (link->from == link->to) {
        return from;
    }
    GtQuat to = gti_retarget_turn(r, source, link->to);
    if (link->is_wrist) { // captures break in the bend of wrists, where it comes near to a right angle
        return gt_quat_slerp(from, to, soundness(gt_quat_angle_rad(from, to), 1.05f, 1.6f));
    }
    if (link->twist == 0.0f) {
        return curve_of(r, source, link, from, to);
    }
    float twist = twist_of(gt_quat_mul(gt_quat_conjugate(from), to), link->axis);
    GtQuat share = gt_quat_from_axis_angle(link->axis, link->twist * twist);
    return gt_quat_mul(link->blend > 0.5f ? to : from, share);
}

// Legs scale, and under them are ankles, which stay as high as they are when knees bend. Nearer to the ground than in
// any squat there are no feet under the body.
static float height_of(const GtRetarget* r, float height_m)
{
    const float squat = 0.35f;
    float under = r->stand_m > 0.0f ? fminf(fmaxf(height_m / (squat * r->stand_m), 0.0f), 1.0f) : 0.0f;
    return height_m * r->path_scale + r->rise_m * under;
}

// Where the hips of the target are to be, in model space. What is scaled is where the legs begin: rigs have their hips
// anywhere between that and the navel.
static GtVec3 hips_place(const GtRetarget* r, const Frame* frame, const GtTransform* source_pose)
{
    GtMat34 model_from_node = gt_mat34_identity();
    for (int32_t i = 0; i < r->source_path_count; ++i) {
        model_from_node = gt_mat34_mul(model_from_node, gt_mat34_from_transform(source_pose[r->source_path[i]]));
    }
    GtVec3 hips = gt_mat34_translation(&model_from_node);
    GtVec3 over = r->source.hips_over_legs_m;
    if (r->def.mirror) {
        hips.x = -hips.x;
        over.x = -over.x;
    }
    GtQuat turn = gti_retarget_turn(r, frame->source, r->source_hips);
    GtVec3 p = gt_vec3_sub(hips, gt_quat_rotate(turn, over));
    GtVec3 legs = gt_vec3(p.x * r->path_scale, height_of(r, p.y - r->source_floor_m), p.z * r->path_scale);
    return gt_vec3_add(legs, gt_quat_rotate(turn, r->target.hips_over_legs_m));
}

// The part of a turn that is about the vertical.
static GtQuat heading_of(GtQuat turn)
{
    return gt_quat_normalize(gt_quat(0.0f, turn.y, 0.0f, turn.w));
}

static void move_root(const GtRetarget* r, const Frame* frame, GtVec3 hips, GtTransform* pose)
{
    const GtTransform* rest = &r->target.def->rest[r->root];
    GtQuat heading = heading_of(gti_retarget_turn(r, frame->source, r->source_hips));
    frame->target[r->root] = gt_quat_mul(heading, gt_quat_normalize(rest->rotation));
    pose[r->root].rotation = frame->target[r->root];
    pose[r->root].translation = gt_vec3(hips.x, rest->translation.y, hips.z);
}

static void move_hips(const GtRetarget* r, GtVec3 place, GtTransform* pose)
{
    if (r->target_path_count) {
        GtMat34 model_from_parent = gt_mat34_identity();
        for (int32_t i = 0; i < r->target_path_count; ++i) {
            model_from_parent = gt_mat34_mul(model_from_parent, gt_mat34_from_transform(pose[r->target_path[i]]));
        }
        bool invertible = false;
        GtMat34 parent_from_model = gt_mat34_inverse(&model_from_parent, &invertible);
        if (!invertible) {
            return; // a parent of no size: the hips stay where they rest
        }
        place = gt_mat34_point(&parent_from_model, place);
    }
    pose[r->target_hips].translation = place;
}

static void turn_joints(const GtRetarget* r, const Frame* frame, GtTransform* pose)
{
    const GtCharacterDef* def = r->target.def;
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (i == r->root) {
            continue;
        }
        GtQuat above = gti_parent_rotation(def, frame->target, i);
        const GtiRetargetLink* link = &r->links.of[i];
        if (link->from == GT_NONE) {
            frame->target[i] = gt_quat_mul(above, gt_quat_normalize(pose[i].rotation));
            continue;
        }
        GtQuat turn = turn_of_link(r, frame->source, link);
        frame->target[i] = gt_quat_normalize(gt_quat_mul(turn, r->target.aligned.rotations[i]));
        pose[i].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(above), frame->target[i]));
    }
}

static void stretch_joints(const GtRetarget* r, const GtTransform* source_pose, GtTransform* pose)
{
    for (int32_t k = 0; k < r->stretch_count; ++k) {
        const GtiRetargetStretch* s = &r->stretches[k];
        const GtTransform* here = &source_pose[s->source];
        const GtTransform* source_rest = &r->source.def->rest[s->source];
        const GtTransform* rest = &r->target.def->rest[s->target];
        if (s->paths & GT_BAKE_TRANSLATION) {
            GtVec3 moved = gt_quat_rotate(s->axes, gt_vec3_sub(here->translation, source_rest->translation));
            pose[s->target].translation = gt_vec3_add(rest->translation, gt_vec3_scale(moved, s->scale));
        }
        if (s->paths & GT_BAKE_SCALE) {
            pose[s->target].scale = here->scale;
        }
    }
}

void gt_retarget_pose(const GtRetarget* retarget, const GtTransform* source_pose, GtTransform* target_pose,
                      void* scratch)
{
    const GtRetarget* r = retarget;
    Frame frame = lay_out(r, scratch);
    gti_model_rotations(r->source.def, source_pose, frame.source);
    GtVec3 place = { 0.0f, 0.0f, 0.0f };
    if (r->target_hips != GT_NONE) {
        place = hips_place(r, &frame, source_pose);
    }
    if (r->root != GT_NONE) {
        move_root(r, &frame, place, target_pose);
    }
    for (int k = 0; k < r->held_count; ++k) {
        target_pose[r->held[k].node].rotation = r->held[k].rotation;
    }
    turn_joints(r, &frame, target_pose);
    gti_limits_apply(&r->limits, &r->target, frame.target, target_pose);
    stretch_joints(r, source_pose, target_pose);
    if (r->target_hips != GT_NONE) {
        if (r->def.root_motion == GT_ROOT_MOTION_NONE) {
            GtVec3 stand = r->target.aligned.places[r->target_hips];
            place = gt_vec3(stand.x, place.y, stand.z);
        }
        move_hips(r, place, target_pose);
    }
    if (r->holds_loose) {
        gt_character_to_model(r->target.character, target_pose, frame.model_from_node);
        for (int k = 0; k < r->target.loose_count; ++k) {
            gti_aligned_hold(&r->target, k, frame.target, target_pose, frame.model_from_node);
        }
    }
}
