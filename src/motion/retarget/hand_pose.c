// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// In the T-pose fingers are straight, side by side, and the palm is down, so that bends are turns about known axes. A
// thumb is led to where its first bone points and its nail faces, and then bends in the plane of both. In a fist it
// goes down until it lies over the fingers, a finger's thickness off their bones.

#include "motion/retarget/hand_pose.h"

#include "base/direction.h"
#include "base/scalar.h"
#include "motion/retarget/limits.h"

#include <math.h>

enum {
    THUMB,
    INDEX,
    LITTLE = 4,
    FINGERS,
    BONES = 3,     // of a finger
    THUMB_WAYS = 4 // that a thumb is searched in
};

// Angles in degrees; vectors in the axes of a left hand: out along the fingers, up from the palm, to the thumb's side.
typedef struct HandPose {
    float bends[BONES];    // of the index
    float more[BONES];     // for each finger further to the little one
    float spread[FINGERS]; // to the thumb's side
    float thumb_along[3];  // of its first bone
    float thumb_nail[3];
    float thumb_bends[BONES]; // the first is 0
} HandPose;

static const HandPose hand_poses[] = {
    [GT_HAND_POSE_RELAXED] = { { 20.0f, 24.0f, 14.0f },
                               { 4.0f, 4.0f, 2.0f },
                               { 0.0f, 3.0f, 0.0f, -3.0f, -7.0f },
                               { 0.87f, -0.28f, 0.40f },
                               { -0.35f, 0.25f, 0.90f },
                               { 0.0f, 10.0f, 14.0f } },
    [GT_HAND_POSE_FIST] = { { 84.0f, 110.0f, 72.0f },
                            { 2.0f, 1.0f, 1.0f },
                            { 0.0f },
                            { 0.80f, -0.45f, 0.40f },
                            { -0.30f, 0.25f, 0.92f },
                            { 0.0f, 38.0f, 62.0f } },
    [GT_HAND_POSE_FLAT] = { { 0.0f },
                            { 0.0f },
                            { 0.0f },
                            { 0.85f, -0.05f, 0.52f },
                            { -0.40f, 0.60f, 0.69f },
                            { 0.0f, 4.0f, 4.0f } },
};

// A hand in the axes of the T-pose, as a chain of turns.
typedef struct Hand {
    const GtiAlignedFigure* figure;
    int first; // GtHumanoidJoint of its thumb's metacarpal
    float side;
    GtQuat turns[FINGERS][BONES]; // of each joint against the one before it
} Hand;

static int32_t node_of(const Hand* h, int finger, int bone)
{
    return h->figure->joints[h->first + BONES * finger + bone];
}

static GtVec3 in_hand(const Hand* h, const float v[3])
{
    return gt_vec3(h->side * v[0], v[1], v[2]);
}

// The rotation of axes that have their first along one direction and their second as near to another as that leaves.
static GtQuat frame_of(GtVec3 along, GtVec3 nail)
{
    const GtVec3 zero = { 0.0f, 0.0f, 0.0f };
    along = gt_vec3_normalize_or(along, zero);
    nail = gt_vec3_sub(nail, gt_vec3_scale(along, gt_vec3_dot(along, nail)));
    nail = gt_vec3_normalize_or(nail, zero);
    return gti_quat_from_axes(along, nail, gt_vec3_cross(along, nail));
}

static GtQuat bend_by(GtVec3 axis, float degrees)
{
    return gt_quat_from_axis_angle(axis, degrees * (float)GTI_DEGREE);
}

static void pose_finger(Hand* h, const HandPose* pose, int finger)
{
    GtiJointAxes axes;
    gti_joint_axes(h->first + BONES * finger, &axes);
    for (int k = 0; k < BONES; ++k) {
        h->turns[finger][k] = bend_by(axes.bend, pose->bends[k] + pose->more[k] * (float)(finger - INDEX));
    }
    h->turns[finger][0] = gt_quat_mul(bend_by(axes.side, pose->spread[finger]), h->turns[finger][0]);
}

// What is added to the pose of a thumb, in degrees: its first bone down and across, its other joints bent.
typedef struct ThumbFit {
    float down, across, bends[BONES - 1];
} ThumbFit;

static void pose_thumb(Hand* h, const HandPose* pose, const ThumbFit* fit)
{
    GtiJointAxes axes;
    gti_joint_axes(h->first, &axes);
    GtQuat from = frame_of(axes.along, axes.side);
    GtQuat to = frame_of(in_hand(h, pose->thumb_along), in_hand(h, pose->thumb_nail));
    GtQuat down = bend_by(gt_vec3(0.0f, 0.0f, -h->side), fit->down);
    GtQuat across = bend_by(gt_vec3(0.0f, h->side, 0.0f), fit->across);
    GtQuat led = gt_quat_mul(gt_quat_mul(across, down), gt_quat_mul(to, gt_quat_conjugate(from)));
    bool is_led = false;
    for (int k = 0; k < BONES; ++k) {
        GtQuat bend = bend_by(axes.bend, pose->thumb_bends[k] + (k ? fit->bends[k - 1] : 0.0f));
        bool leads = !is_led && node_of(h, THUMB, k) != GT_NONE;
        h->turns[THUMB][k] = leads ? gt_quat_mul(led, bend) : bend;
        is_led = is_led || leads;
    }
}

// Places of a finger's joints and of its tip.
// returns: how many, 0 for a finger that the figure lacks
static int places_of(const Hand* h, int finger, GtVec3 places[BONES + 1])
{
    const GtVec3* at = h->figure->aligned.places;
    GtQuat turn = gt_quat_identity();
    GtVec3 bone = { 0.0f, 0.0f, 0.0f };
    int32_t before = GT_NONE;
    int count = 0;
    for (int k = 0; k < BONES; ++k) {
        int32_t node = node_of(h, finger, k);
        if (node == GT_NONE) {
            continue;
        }
        bone = count ? gt_vec3_sub(at[node], at[before]) : at[node];
        places[count] = count ? gt_vec3_add(places[count - 1], gt_quat_rotate(turn, bone)) : at[node];
        turn = gt_quat_mul(turn, h->turns[finger][k]);
        before = node;
        ++count;
    }
    if (count < 2) {
        return 0;
    }
    places[count] = gt_vec3_add(places[count - 1], gt_quat_rotate(turn, gt_vec3_scale(bone, 0.8f)));
    return count + 1;
}

// How near the bones of the thumb beyond its first come to those of index and middle finger.
static float gap_of_thumb(const Hand* h)
{
    GtVec3 thumb[BONES + 1], finger[BONES + 1];
    int thumb_count = places_of(h, THUMB, thumb);
    float gap = INFINITY;
    for (int f = INDEX; f <= INDEX + 1; ++f) {
        int count = places_of(h, f, finger);
        for (int a = 1; a + 1 < thumb_count; ++a) {
            for (int b = 0; b + 1 < count; ++b) {
                for (int i = 0; i <= 8; ++i) { // along the thumb
                    GtVec3 p = gt_vec3_lerp(thumb[a], thumb[a + 1], (float)i / 8.0f);
                    GtVec3 bone = gt_vec3_sub(finger[b + 1], finger[b]);
                    float square = gt_vec3_dot(bone, bone);
                    float t = square > 0.0f ? gt_vec3_dot(gt_vec3_sub(p, finger[b]), bone) / square : 0.0f;
                    GtVec3 near = gt_vec3_add(finger[b], gt_vec3_scale(bone, gti_clampf(t, 0.0f, 1.0f)));
                    gap = fminf(gap, gt_vec3_length(gt_vec3_sub(p, near)));
                }
            }
        }
    }
    return gap;
}

// Neighbouring fingers are about as far apart as they are thick.
static float thickness_of(const Hand* h)
{
    const GtVec3* at = h->figure->aligned.places;
    float sum = 0.0f;
    int count = 0;
    for (int f = INDEX; f < LITTLE; ++f) {
        int32_t one = node_of(h, f, 0), other = node_of(h, f + 1, 0);
        if (one != GT_NONE && other != GT_NONE) {
            sum += gt_vec3_length(gt_vec3_sub(at[one], at[other]));
            ++count;
        }
    }
    return count ? sum / (float)count : 0.0f;
}

// A point over the middle bone of a finger, on its back. False for a finger without one.
static bool point_over(const Hand* h, int finger, float height_m, GtVec3* out)
{
    GtVec3 places[BONES + 1];
    if (places_of(h, finger, places) != BONES + 1) {
        return false;
    }
    GtQuat turn = gt_quat_mul(h->turns[finger][0], h->turns[finger][1]);
    GtVec3 back = gt_quat_rotate(turn, gt_vec3(0.0f, height_m, 0.0f));
    *out = gt_vec3_add(gt_vec3_lerp(places[1], places[2], 0.5f), back);
    return true;
}

// How far the last bone of the thumb is from lying over two points, and inside of what else there is, squared.
static float miss_of_thumb(Hand* h, const HandPose* pose, const float ways[THUMB_WAYS], const GtVec3 over[2],
                           float thick_m)
{
    const ThumbFit fit = { ways[0], ways[1], { ways[2], ways[3] } };
    GtVec3 places[BONES + 1];
    pose_thumb(h, pose, &fit);
    int count = places_of(h, THUMB, places);
    float overlap = fmaxf(thick_m - gap_of_thumb(h), 0.0f);
    GtVec3 first = gt_vec3_sub(places[count - 2], over[0]);
    GtVec3 last = gt_vec3_sub(places[count - 1], over[1]);
    return 0.5f * gt_vec3_dot(first, first) + gt_vec3_dot(last, last) + 6.0f * overlap * overlap;
}

static void lay_thumb_over(Hand* h, const HandPose* pose)
{
    static const float least[THUMB_WAYS] = { -25.0f, -40.0f, -30.0f, -30.0f };
    static const float most[THUMB_WAYS] = { 45.0f, 40.0f, 30.0f, 25.0f };
    float thick_m = 0.85f * thickness_of(h);
    GtVec3 over[2], places[BONES + 1];
    if (places_of(h, THUMB, places) == 0 || !point_over(h, INDEX, thick_m, &over[0])) {
        return;
    }
    over[1] = point_over(h, INDEX + 1, thick_m, &over[1]) ? over[1] : over[0];
    float ways[THUMB_WAYS] = { 0.0f };
    float best = miss_of_thumb(h, pose, ways, over, thick_m);
    float step = 16.0f; // degrees
    for (int halvings = 0; halvings < 6; ++halvings, step *= 0.5f) {
        for (int way = 0; way < 2 * THUMB_WAYS; ++way) {
            float before = ways[way / 2];
            ways[way / 2] = gti_clampf(before + (way % 2 ? step : -step), least[way / 2], most[way / 2]);
            float miss = miss_of_thumb(h, pose, ways, over, thick_m);
            if (miss < best) {
                best = miss;
                way = -1; // all of them again
            } else {
                ways[way / 2] = before;
            }
        }
    }
    miss_of_thumb(h, pose, ways, over, thick_m);
}

int gti_hand_pose_find(const GtiAlignedFigure* figure, GtHandPose pose, int hand, GtiHeldJoint out[15])
{
    bool is_left = hand == GT_HUMANOID_LEFT_HAND;
    Hand h = { .figure = figure,
               .first = is_left ? GT_HUMANOID_LEFT_THUMB_METACARPAL : GT_HUMANOID_RIGHT_THUMB_METACARPAL,
               .side = is_left ? 1.0f : -1.0f };
    if (pose == GT_HAND_POSE_MOTION || figure->joints[hand] == GT_NONE) {
        return 0;
    }
    for (int f = INDEX; f < FINGERS; ++f) {
        pose_finger(&h, &hand_poses[pose], f);
    }
    pose_thumb(&h, &hand_poses[pose], &(ThumbFit){ 0.0f, 0.0f, { 0.0f } });
    if (pose == GT_HAND_POSE_FIST) {
        lay_thumb_over(&h, &hand_poses[pose]);
    }
    int count = 0;
    for (int f = 0; f < FINGERS; ++f) {
        for (int k = 0; k < BONES; ++k) {
            int32_t node = node_of(&h, f, k);
            if (node == GT_NONE) {
                continue;
            }
            GtQuat before = gt_quat_conjugate(gti_parent_rotation(figure->def, figure->aligned.rotations, node));
            GtQuat turned = gt_quat_mul(h.turns[f][k], figure->aligned.rotations[node]);
            out[count++] = (GtiHeldJoint){ node, gt_quat_normalize(gt_quat_mul(before, turned)) };
        }
    }
    return count;
}
