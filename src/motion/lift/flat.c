// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands that point into the ground are laid flat on it, as those are that carry somebody: the wrist bends to the back
// of the hand, until the hand is level or the wrist at its end.

#include "motion/lift/work.h"

#include "motion/take/take.h"

#include <math.h>
#include <string.h>

enum {
    HAND_JOINTS = 15, // of fingers and thumb
    FLAT_ROUNDS = 6
};

static const float PALM_UP = -0.3f; // how far up the back of a hand faces, from where on its palm can be laid down
static const float PALM_DOWN = 0.1f;
static const float MOST_BEND_RAD = 1.45f; // of a wrist, to the back of the hand

// A hand about its wrist: where its fingers point, and what its back faces.
typedef struct Hand {
    int side;
    GtVec3 wrist;
    GtVec3 axis; // about which its fingers go up, away from the palm; unit
    float most;  // radians that it can be turned by until it is level, or the wrist is at its end
} Hand;

// The joints that a hand's points move with: its wrist, and its fingers.
static int joint_of(int side, int i)
{
    int thumb = side == GTI_LEFT_SIDE ? GT_HUMANOID_LEFT_THUMB_METACARPAL : GT_HUMANOID_RIGHT_THUMB_METACARPAL;
    return i == HAND_JOINTS ? (int)gti_joint_on(GT_HUMANOID_LEFT_HAND, side) : thumb + i;
}

// Where a hand points in the common pose, from its wrist to the middle of its points, thumb and all.
static GtVec3 along_of(const GtiOuterPoints* hull, int side)
{
    const GtiTouchBody* body = hull->body;
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int i = 0; i <= HAND_JOINTS; ++i) {
        int joint = joint_of(side, i);
        GtVec3 from_wrist = gt_vec3_sub(body->places[joint], body->places[gti_joint_on(GT_HUMANOID_LEFT_HAND, side)]);
        for (int32_t k = hull->first[joint * GTI_OUTER_ENDS]; k < hull->first[(joint + 1) * GTI_OUTER_ENDS]; ++k) {
            sum = gt_vec3_add(sum, gt_vec3_add(from_wrist, hull->offsets[k]));
        }
    }
    sum.z = 0.0f; // thumbs are on one side
    return gt_vec3_normalize_or(sum, body->hands[side].along);
}

static Hand hand_of(const GtiOuterPoints* hull, const GtiBodyPose* pose, int side)
{
    int joint = (int)gti_joint_on(GT_HUMANOID_LEFT_HAND, side);
    GtVec3 common = along_of(hull, side), up = gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 along = gt_quat_rotate(pose->turns[joint], common);
    up = gt_vec3_normalize_or(gt_vec3_sub(up, gt_vec3_scale(common, common.y)), up);
    GtVec3 back = gt_quat_rotate(pose->turns[joint], up);
    GtVec3 elbow = pose->places[gti_joint_on(GT_HUMANOID_LEFT_LOWER_ARM, side)];
    GtVec3 fore = gt_vec3_normalize_or(gt_vec3_sub(pose->places[joint], elbow), along);
    float level = atan2f(-along.y, back.y),
          bend = atan2f(gt_vec3_dot(along, back) - gt_vec3_dot(fore, back), gt_vec3_dot(fore, along));
    float faces_down = gti_smooth_step((double)((back.y - PALM_UP) / (PALM_DOWN - PALM_UP)));
    Hand hand = { side, pose->places[joint], gt_vec3_normalize_or(gt_vec3_cross(along, back), along), 0.0f };
    hand.most = faces_down * fmaxf(fminf(level, MOST_BEND_RAD - bend), 0.0f);
    return hand;
}

// How far the lowest point of a hand is above its wrist, once it is turned by an angle.
static float hand_low(const GtiOuterPoints* hull, const GtiBodyPose* pose, const Hand* hand, float angle)
{
    float low = INFINITY, c = cosf(angle), s = sinf(angle);
    GtVec3 up = gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 row = gt_vec3_add(gt_vec3_scale(up, c), gt_vec3_scale(gt_vec3_cross(up, hand->axis), s));
    row = gt_vec3_add(row, gt_vec3_scale(hand->axis, (1.0f - c) * hand->axis.y)); // of the rotation, that gives heights
    for (int i = 0; i <= HAND_JOINTS; ++i) {
        int joint = joint_of(hand->side, i);
        float base = gt_vec3_dot(row, gt_vec3_sub(pose->places[joint], hand->wrist));
        GtVec3 own = gt_quat_rotate(gt_quat_conjugate(pose->turns[joint]), row);
        int32_t first = joint * GTI_OUTER_ENDS;
        for (int32_t k = hull->first[first]; k < hull->first[first + GTI_OUTER_ENDS]; ++k) {
            low = fminf(low, base + gt_vec3_dot(own, hull->offsets[k]));
        }
    }
    return low;
}

// How far fingertips have to go up for a hand to lie on the ground, rather than to be in it.
static void want_flat(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiLifter* l = gti_lifter_of(k);
    GtiBodyPose pose;
    bool is_loaded = false;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        float depth = l->depths[GTI_OUTER_LEFT_HAND + side][frame] - l->rises[frame];
        l->ways[side][frame] = 0.0f;
        if (!(depth > 0.0f)) {
            continue;
        }
        if (!is_loaded) {
            gti_touch_load(k, room, frame, &pose);
            is_loaded = true;
        }
        Hand hand = hand_of(&l->hull, &pose, side);
        float flat = hand_low(&l->hull, &pose, &hand, 0.0f), low = 0.0f, high = hand.most;
        for (int round = 0; round < FLAT_ROUNDS; ++round) {
            float middle = 0.5f * (low + high);
            bool is_enough = hand_low(&l->hull, &pose, &hand, middle) - flat > depth;
            high = is_enough ? middle : high;
            low = is_enough ? low : middle;
        }
        l->ways[side][frame] = high * k->target->body->hands[side].length;
    }
}

static void flatten_hands(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiLifter* l = gti_lifter_of(k);
    const GtiAlignedFigure* figure = k->target->figure;
    if (!(l->ways[GTI_LEFT_SIDE][frame] > 0.0f) && !(l->ways[GTI_RIGHT_SIDE][frame] > 0.0f)) {
        return;
    }
    GtiBodyPose pose;
    gti_touch_load(k, room, frame, &pose);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        Hand hand = hand_of(&l->hull, &pose, side);
        float angle = fminf(l->ways[side][frame] / k->target->body->hands[side].length, hand.most);
        int32_t node = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_HAND, side)];
        if (l->ways[side][frame] > 0.0f && angle > 0.0f) {
            GtQuat rotation = gt_quat_mul(gt_quat_from_axis_angle(hand.axis, angle), room->rotations[node]);
            gti_touch_turn(figure, node, rotation, room->pose, room->model, room->rotations);
        }
    }
    gti_touch_store(k, room, frame);
}

bool gti_lift_flatten(GtiLifter* l)
{
    float most = 0.0f;
    gti_touch_pass(&l->keeper, want_flat);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        if (l->body.hands[side].exists) {
            memcpy(l->needs, l->ways[side], (size_t)gti_lift_frame_count(l) * sizeof *l->needs);
            most = fmaxf(most, gti_lift_rise_over(l, l->needs, l->ways[side]));
        }
    }
    if (most > 0.0f) {
        gti_touch_pass(&l->keeper, flatten_hands);
    }
    return most > 0.0f;
}
