// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which turn brings a bone into the T-pose. A direction alone leaves its roll open, so arms and legs take the roll that
// puts the axis of elbow and knee where the T-pose has it, as far as the bend shows that axis; hands take the plane
// through the roots of their fingers. Feet stand on their soles, the head is held as the mirror of its mesh shows, with
// half of that for the neck, and hips, spine and clavicles turn with the body alone: their bones lead to where the next
// joint happens to be, which says nothing about how they are held.
// A shortest arc is right where nothing shows the roll: from an A-pose, hanging or stretched-out arms it brings palms
// that face the thighs or the ground down.

#include "motion/retarget/align.h"

#include "base/scalar.h"

#include <math.h>

static const float BEND_FROM = 0.17f; // sine of the bend from which a hinge axis begins to count: 10 degrees
static const float BEND_FULL = 0.42f; // and counts in full: 25 degrees
static const float MAX_ROLL_RAD = 1.75f;
static const float MAX_FOOT_YAW_RAD = 0.9f;
static const float MAX_FINGER_TURN_RAD = 2.1f;
static const float NECK_SHARE = 0.5f; // of what brings the head upright

typedef struct Aligner {
    const GtCharacterDef* def;
    const GtiPosture* posture;
    const int32_t* joints;
    GtQuat body; // canonical_from_model
    GtiAlignment* out;
} Aligner;

static bool has(const Aligner* a, int joint)
{
    return a->joints[joint] != GT_NONE;
}

// From joint to joint in canonical axes, with unit length; zero where they are in one place.
static GtVec3 direction(const Aligner* a, int32_t from, int32_t to)
{
    GtVec3 d = gt_vec3_sub(a->posture->places[to], a->posture->places[from]);
    return gt_vec3_normalize_or(gt_quat_rotate(a->body, d), gt_vec3(0.0f, 0.0f, 0.0f));
}

// The turn about `axis` that brings `from` nearest to `to`.
static float angle_about(GtVec3 axis, GtVec3 from, GtVec3 to)
{
    GtVec3 f = gt_vec3_sub(from, gt_vec3_scale(axis, gt_vec3_dot(axis, from)));
    GtVec3 t = gt_vec3_sub(to, gt_vec3_scale(axis, gt_vec3_dot(axis, to)));
    return atan2f(gt_vec3_dot(axis, gt_vec3_cross(f, t)), gt_vec3_dot(f, t));
}

static float smooth_step(float from, float to, float x)
{
    return gti_cubic_stepf((x - from) / (to - from));
}

static GtQuat arc(GtVec3 from, GtVec3 to)
{
    return gt_vec3_length(from) > 0.5f ? gt_quat_between(from, to) : gt_quat_identity();
}

// Two bones and their hinge: the upper one to `along` with the hinge to `hinge`, the lower one straight behind it.
// turns: canonical_from_canonical of both.
static void align_limb(const Aligner* a, int upper_joint, GtVec3 along, GtVec3 hinge, GtQuat turns[2])
{
    turns[0] = gt_quat_identity();
    turns[1] = gt_quat_identity();
    if (!has(a, upper_joint) || !has(a, upper_joint + 1)) {
        return;
    }
    GtVec3 upper = direction(a, a->joints[upper_joint], a->joints[upper_joint + 1]);
    turns[0] = arc(upper, along);
    turns[1] = turns[0];
    if (!has(a, upper_joint + 2)) {
        return;
    }
    GtVec3 lower = direction(a, a->joints[upper_joint + 1], a->joints[upper_joint + 2]);
    GtVec3 bend = gt_vec3_cross(upper, lower);
    float roll = angle_about(along, gt_quat_rotate(turns[0], bend), hinge);
    if (fabsf(roll) < MAX_ROLL_RAD) {
        roll *= smooth_step(BEND_FROM, BEND_FULL, gt_vec3_length(bend));
        turns[0] = gt_quat_mul(gt_quat_from_axis_angle(along, roll), turns[0]);
    }
    turns[1] = gt_quat_mul(arc(gt_quat_rotate(turns[0], lower), along), turns[0]);
}

static void set_turn(Aligner* a, int joint, GtQuat turn)
{
    a->out->turns[joint] = gt_quat_normalize(gt_quat_mul(turn, a->body));
}

static void set_limb_turn(Aligner* a, int joint, GtQuat turn)
{
    set_turn(a, joint, turn);
    float angle = gt_quat_angle_rad(turn, gt_quat_identity());
    a->out->max_limb_turn_rad = fmaxf(a->out->max_limb_turn_rad, angle);
}

// Fingers ahead and palm down by the roots of the fingers, or as the forearm is where they do not tell.
static GtQuat align_hand(const Aligner* a, int hand, int first_finger, float side, GtQuat forearm)
{
    GtVec3 roots[4];
    int count = 0;
    for (int f = 1; f < 5; ++f) { // the thumb tells nothing about the palm
        int32_t root = a->joints[first_finger + 3 * f];
        if (root != GT_NONE) {
            roots[count++] = gt_quat_rotate(a->body, a->posture->places[root]);
        }
    }
    if (count < 2 || !has(a, hand)) {
        return forearm;
    }
    const GtVec3 zero = { 0.0f, 0.0f, 0.0f };
    GtVec3 sum = zero;
    for (int i = 0; i < count; ++i) {
        sum = gt_vec3_add(sum, roots[i]);
    }
    GtVec3 wrist = gt_quat_rotate(a->body, a->posture->places[a->joints[hand]]);
    GtVec3 ahead = gt_vec3_normalize_or(gt_vec3_sub(gt_vec3_scale(sum, 1.0f / (float)count), wrist), zero);
    GtVec3 x = gt_vec3_scale(ahead, side);
    GtVec3 y = gt_vec3_normalize_or(gt_vec3_cross(gt_vec3_sub(roots[0], roots[count - 1]), x), zero);
    if (gt_vec3_length(x) < 0.5f || gt_vec3_length(y) < 0.5f) {
        return forearm;
    }
    GtQuat turn = gt_quat_conjugate(gti_quat_from_axes(x, y, gt_vec3_cross(x, y)));
    return gt_quat_angle_rad(turn, forearm) < MAX_ROLL_RAD ? turn : forearm;
}

// The joint that a finger's bone leads to: the next one, or a tip that is not mapped.
static int32_t finger_end(const Aligner* a, int joint, bool last)
{
    if (!last && has(a, joint + 1)) {
        return a->joints[joint + 1];
    }
    for (int32_t i = a->joints[joint] + 1; i < a->def->node_count; ++i) {
        if (a->def->parents[i] == a->joints[joint]) {
            return i;
        }
    }
    return GT_NONE;
}

static void align_fingers(Aligner* a, int first_finger, float side, GtQuat hand)
{
    const float half = 0.70710678f;
    for (int f = 0; f < 5; ++f) {
        GtVec3 along = f == 0 ? gt_vec3(half * side, 0.0f, half) : gt_vec3(side, 0.0f, 0.0f);
        GtQuat turn = hand;
        for (int k = 0; k < 3; ++k) {
            int joint = first_finger + 3 * f + k;
            int32_t end = has(a, joint) ? finger_end(a, joint, k == 2) : GT_NONE;
            if (end != GT_NONE) {
                GtVec3 bone = gt_quat_rotate(turn, direction(a, a->joints[joint], end));
                GtQuat straight = arc(bone, along);
                if (gt_quat_angle_rad(straight, gt_quat_identity()) < MAX_FINGER_TURN_RAD) {
                    turn = gt_quat_mul(straight, turn);
                }
            }
            set_turn(a, joint, turn);
        }
    }
}

static void align_arm(Aligner* a, int side)
{
    static const int upper[2] = { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM };
    static const int thumb[2] = { GT_HUMANOID_LEFT_THUMB_METACARPAL, GT_HUMANOID_RIGHT_THUMB_METACARPAL };
    float sign = side == 0 ? 1.0f : -1.0f;
    GtQuat turns[2];
    align_limb(a, upper[side], gt_vec3(sign, 0.0f, 0.0f), gt_vec3(0.0f, -sign, 0.0f), turns);
    GtQuat hand = align_hand(a, upper[side] + 2, thumb[side], sign, turns[1]);
    set_limb_turn(a, upper[side], turns[0]);
    set_limb_turn(a, upper[side] + 1, turns[1]);
    set_turn(a, upper[side] + 2, hand);
    align_fingers(a, thumb[side], sign, hand);
}

float gti_foot_yaw(const GtiPosture* posture, const int32_t* joints, GtQuat canonical_from_model, int side,
                   const GtiFigureSole* sole)
{
    static const int foot[2] = { GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_RIGHT_FOOT };
    int32_t ankle = joints[foot[side]], toes = joints[foot[side] + 1];
    float yaw = sole->found ? sole->yaw_rad : 0.0f;
    if (ankle != GT_NONE && toes != GT_NONE) {
        GtVec3 d = gt_vec3_sub(posture->places[toes], posture->places[ankle]);
        GtVec3 ahead = gt_quat_rotate(canonical_from_model, d);
        if (ahead.x * ahead.x + ahead.z * ahead.z > 0.1f * gt_vec3_dot(ahead, ahead)) {
            yaw = atan2f(ahead.x, ahead.z);
        }
    }
    return fabsf(yaw) < MAX_FOOT_YAW_RAD ? yaw : 0.0f;
}

static void align_leg(Aligner* a, int side, const GtiFigureSole* sole)
{
    static const int upper[2] = { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG };
    GtQuat turns[2];
    align_limb(a, upper[side], gt_vec3(0.0f, -1.0f, 0.0f), gt_vec3(1.0f, 0.0f, 0.0f), turns);
    set_limb_turn(a, upper[side], turns[0]);
    set_limb_turn(a, upper[side] + 1, turns[1]);
    float yaw = gti_foot_yaw(a->posture, a->joints, a->body, side, sole);
    GtQuat foot = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -yaw);
    foot = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), -sole->pitch_rad), foot);
    set_turn(a, upper[side] + 2, foot);
    set_turn(a, upper[side] + 3, foot);
}

void gti_align(const GtCharacterDef* def, const GtiPosture* posture, const int32_t* joints, const GtiBodyAxes* axes,
               const GtiAlignHints* hints, GtiAlignment* out)
{
    GtQuat body = gt_quat_conjugate(gti_quat_from_axes(axes->left, axes->up, axes->forward));
    Aligner a = { def, posture, joints, body, out };
    out->max_limb_turn_rad = 0.0f;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        out->turns[j] = a.body;
    }
    set_turn(&a, GT_HUMANOID_NECK, gt_quat_slerp(gt_quat_identity(), hints->head.upright, NECK_SHARE));
    GtQuat gaze = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), -hints->gaze_rad);
    gaze = gt_quat_mul(gaze, hints->head.upright);
    for (int j = GT_HUMANOID_HEAD; j <= GT_HUMANOID_JAW; ++j) {
        set_turn(&a, j, gaze);
    }
    for (int side = 0; side < 2; ++side) {
        align_arm(&a, side);
        align_leg(&a, side, &hints->soles[side]);
    }
}
