// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Trunks that lean for hands that are to touch what the spine does not take along: legs, pelvis, ground. The frames are
// changed before arms are looked at, and head and arms stay turned as they were, so that all else goes on as if the
// motion itself had leaned.

#include "motion/touch/frame.h"

#include <math.h>

static const float LEAN_S = 0.06f;     // likewise, of trunks
static const float PATIENCE_M = 0.01f; // that a place on the body may be too far for nobody to lean

// Parts that the spine does not take along.
static bool is_below(int part)
{
    bool is_leg = part >= GT_TOUCHED_LEFT_THIGH && part <= GT_TOUCHED_LEFT_FOOT;
    return is_leg || part >= GT_TOUCHED_RIGHT_THIGH || part == GT_TOUCHED_PELVIS;
}

static GtiLeanGoal lean_goal(const GtiTouchKeeper* k, int32_t frame, const GtiBodyPose* base,
                             const GtiTouchFrameScratch* room)
{
    const GtiTouches* touches = k->target->touches;
    GtiLeanGoal goal = { 0 };
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        GtVec3 sum = { 0.0f, 0.0f, 0.0f };
        float total = 0.0f, most = 0.0f;
        for (int32_t t = 0; t < touches->track_count; ++t) {
            const GtiTouchTrack* track = &touches->tracks[t];
            float weight = track->samples[frame].weight;
            if (track->side == side && weight > 0.0f && is_below(track->part)) {
                GtVec3 way =
                    gt_vec3_sub(gti_touch_goal(k, track, frame, base, base, room), gti_touch_shoulder(base, side));
                float far = gt_vec3_length(way), pull = weight / (1.0f - weight + GTI_TOUCH_WHOLE);
                float borne = track->part == GT_TOUCHED_GROUND ? 0.0f : PATIENCE_M * k->scale.size;
                float lack = gti_touch_lack_m(k, base, side, far - borne);
                sum = gt_vec3_add(sum, gt_vec3_scale(way, pull * lack / fmaxf(far, 1e-6f)));
                total += pull;
                most = fmaxf(most, weight);
            }
        }
        float length = gt_vec3_length(sum);
        if (length > 0.0f) {
            goal.ways[side] = gt_vec3_scale(sum, 1.0f / length);
            goal.lacks_m[side] = length * most / total;
        }
    }
    return goal;
}

static GtiTrunk trunk_of(const GtiTouchKeeper* k, const GtiTouchFrameScratch* room, const GtiBodyPose* pose)
{
    GtiTrunk trunk = { .joint_count = k->spine_count,
                       .shoulders = { gti_touch_shoulder(pose, GTI_LEFT_SIDE),
                                      gti_touch_shoulder(pose, GTI_RIGHT_SIDE) } };
    for (int j = 0; j < k->spine_count; ++j) {
        trunk.joints[j] = gt_mat34_translation(&room->model[k->spine[j]]);
    }
    return trunk;
}

static void lean_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiTouches* touches = k->target->touches;
    bool any = false;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        any = any || (is_below(touches->tracks[t].part) && touches->tracks[t].samples[frame].weight > 0.0f);
    }
    if (any) {
        GtiBodyPose base;
        gti_touch_load(k, room, frame, &base);
        GtiLeanGoal goal = lean_goal(k, frame, &base, room);
        GtiTrunk trunk = trunk_of(k, room, &base);
        k->leans[frame] = gti_lean(&trunk, &goal);
    }
}

static GtVec3 smooth_lean(const GtiTouchKeeper* k, int32_t frame)
{
    GtiTouchWindow window = gti_touch_window(k, frame, LEAN_S);
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    float total = 0.0f;
    for (int32_t f = window.first; f < window.end; ++f) {
        float share = gti_touch_share(k, frame, f, LEAN_S);
        sum = gt_vec3_add(sum, gt_vec3_scale(k->leans[f], share));
        total += share;
    }
    return gt_vec3_scale(sum, 1.0f / total);
}

// The trunk turns; head and arms, which hang from it, stay as they are turned in the model.
static void bend_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    static const GtHumanoidJoint kept[] = { GT_HUMANOID_NECK, GT_HUMANOID_HEAD, GT_HUMANOID_LEFT_UPPER_ARM,
                                            GT_HUMANOID_RIGHT_UPPER_ARM };
    const GtiAlignedFigure* figure = k->target->figure;
    GtVec3 lean = smooth_lean(k, frame);
    float angle = gt_vec3_length(lean);
    if (!(angle > 0.0f)) {
        return;
    }
    GtiBodyPose base;
    gti_touch_load(k, room, frame, &base);
    GtiTrunk trunk = trunk_of(k, room, &base);
    GtQuat share = gti_lean_share(&trunk, lean), rotations[4];
    for (int i = 0; i < 4; ++i) {
        int32_t node = figure->joints[kept[i]];
        rotations[i] = node == GT_NONE ? gt_quat_identity() : room->rotations[node];
    }
    for (int j = 0; j < k->spine_count; ++j) { // what is turned already is taken along
        GtQuat rotation = gt_quat_mul(share, room->rotations[k->spine[j]]);
        gti_touch_turn(figure, k->spine[j], rotation, room->pose, room->model, room->rotations);
    }
    for (int i = 0; i < 4; ++i) {
        if (figure->joints[kept[i]] != GT_NONE) {
            gti_touch_turn(figure, figure->joints[kept[i]], rotations[i], room->pose, room->model, room->rotations);
        }
    }
    gti_touch_store(k, room, frame);
    room->lean_rad = fmaxf(room->lean_rad, angle);
}

static void find_spine(GtiTouchKeeper* k)
{
    static const GtHumanoidJoint joints[GTI_SPINE_JOINTS] = { GT_HUMANOID_SPINE, GT_HUMANOID_CHEST,
                                                              GT_HUMANOID_UPPER_CHEST };
    const GtiAlignedFigure* figure = k->target->figure;
    for (int j = 0; j < GTI_SPINE_JOINTS; ++j) {
        int32_t node = figure->joints[joints[j]];
        if (node != GT_NONE && k->columns[node] != GT_NONE) {
            k->spine[k->spine_count++] = node;
        }
    }
}

void gti_touch_bend(GtiTouchKeeper* k)
{
    find_spine(k);
    if (k->spine_count > 0) {
        gti_touch_pass(k, lean_frame);
        gti_touch_pass(k, bend_frame);
    }
}
