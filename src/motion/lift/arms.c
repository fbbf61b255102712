// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Arms that lift what of them is in the ground: hands by their elbows, then elbows by their shoulders.

#include "motion/lift/work.h"

#include <math.h>

static const float FULL_M = 0.02f; // way up from which on an arm does what it can

static void raise_hands(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiLifter* l = gti_lifter_of(k);
    if (!(l->ways[GTI_LEFT_SIDE][frame] > 0.0f) && !(l->ways[GTI_RIGHT_SIDE][frame] > 0.0f)) {
        return;
    }
    GtiBodyPose pose;
    gti_touch_load(k, room, frame, &pose);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        GtVec3 goal = gti_wrist(&pose, side);
        goal.y += l->ways[side][frame];
        GtiArmGoal arm = { side, goal, fminf(l->ways[side][frame] / (FULL_M * k->scale.size), 1.0f) };
        if (l->ways[side][frame] > 0.0f && k->target->body->hands[side].exists) {
            gti_touch_reach(k->target->figure, &arm, room->pose, room->model, room->rotations);
        }
    }
    gti_touch_store(k, room, frame);
}

// Turn an arm about its shoulder so that its elbow is higher, and the forearm to where its wrist was.
static void raise_elbow(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int side, float way_m)
{
    const GtiAlignedFigure* figure = k->target->figure;
    int32_t upper = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_UPPER_ARM, side)];
    int32_t fore = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_LOWER_ARM, side)];
    int32_t hand = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_HAND, side)];
    GtVec3 shoulder = gt_mat34_translation(&room->model[upper]), elbow = gt_mat34_translation(&room->model[fore]);
    GtVec3 wrist = gt_mat34_translation(&room->model[hand]);
    GtVec3 was = gt_vec3_sub(elbow, shoulder), goal = was;
    goal.y += way_m;
    GtQuat turn = gt_quat_between(was, goal), held = room->rotations[hand];
    GtVec3 there = gt_vec3_add(shoulder, gt_quat_rotate(turn, was));
    GtVec3 bone = gt_quat_rotate(turn, gt_vec3_sub(wrist, elbow));
    GtQuat back = gt_quat_between(bone, gt_vec3_sub(wrist, there));
    GtQuat bent = gt_quat_mul(back, gt_quat_mul(turn, room->rotations[fore]));
    gti_touch_turn(figure, upper, gt_quat_mul(turn, room->rotations[upper]), room->pose, room->model, room->rotations);
    gti_touch_turn(figure, fore, bent, room->pose, room->model, room->rotations);
    gti_touch_turn(figure, hand, held, room->pose, room->model, room->rotations);
}

static void raise_elbows(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiLifter* l = gti_lifter_of(k);
    if (l->ways[GTI_LEFT_SIDE][frame] > 0.0f || l->ways[GTI_RIGHT_SIDE][frame] > 0.0f) {
        GtiBodyPose pose;
        gti_touch_load(k, room, frame, &pose);
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            if (l->ways[side][frame] > 0.0f && k->target->body->hands[side].exists) {
                raise_elbow(k, room, side, l->ways[side][frame]);
            }
        }
        gti_touch_store(k, room, frame);
    }
}

GtResult gti_lifter_lift_hands(GtiLifter* l, bool touched, GtLiftReport* report)
{
    static const int hands[GTI_SIDE_COUNT] = { GTI_OUTER_LEFT_HAND, GTI_OUTER_RIGHT_HAND };
    static const int elbows[GTI_SIDE_COUNT] = { GT_SUPPORT_LEFT_ELBOW, GT_SUPPORT_RIGHT_ELBOW };
    static const int forearms[GTI_SIDE_COUNT] = { GT_SUPPORT_LEFT_FOREARM, GT_SUPPORT_RIGHT_FOREARM };
    GtResult result = GT_OK;
    bool any = touched ? gti_lift_look(l) : l->any_near;
    if (any) {
        result = gti_lift_measure(l);
        float most = result == GT_OK ? gti_lift_find_ways(l, hands, hands) : 0.0f;
        report->hand_lift_m = fmax(report->hand_lift_m, (double)most);
        if (most > 0.0f) {
            gti_touch_pass(&l->keeper, raise_hands);
            result = gti_lift_measure(l);
        }
        if (result == GT_OK && gti_lift_find_ways(l, elbows, forearms) > 0.0f) {
            gti_touch_pass(&l->keeper, raise_elbows);
        }
    }
    gti_lift_end(l);
    return result;
}
