// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A turn is taken apart into a twist about the bone and a swing, whose parts about the axes of bending and of going
// aside are limited by themselves. Ranges of wrists and fingers are those of healthy people with some slack, because
// captures and rigs have their axes a little off; knuckles bend back by 30 degrees, as on a floor that is pushed off
// from. Toes rise as far as the heel is up: what they do beyond that no foot explains.

#include "motion/retarget/limits.h"

#include "base/scalar.h"

#include <math.h>

// Of one joint, in degrees.
typedef struct JointRange {
    float bend[2], side[2], twist; // least and most; twist either way
    float slant; // of side and twist, that a hinge whose axis is askew has for each degree of its bend
} JointRange;

static const JointRange wrist_range = { { -80.0f, 80.0f }, { -35.0f, 20.0f }, 180.0f, 0.0f };
static const JointRange finger_ranges[3] = {
    { { -30.0f, 100.0f }, { -30.0f, 30.0f }, 30.0f, 0.5f },
    { { -10.0f, 120.0f }, { -15.0f, 15.0f }, 20.0f, 0.5f },
    { { -10.0f, 95.0f }, { -15.0f, 15.0f }, 20.0f, 0.5f },
};
static const JointRange thumb_ranges[3] = {
    // rigs have the axes of thumbs anywhere
    { { -60.0f, 80.0f }, { -70.0f, 70.0f }, 80.0f, 0.0f },
    { { -40.0f, 90.0f }, { -45.0f, 45.0f }, 45.0f, 0.0f },
    { { -30.0f, 100.0f }, { -40.0f, 40.0f }, 45.0f, 0.0f },
};
static const JointRange toes_range = { { -30.0f, 60.0f }, { -20.0f, 20.0f }, 20.0f, 0.0f };

static const float SOFT_RAD = 0.17453293f; // 10 degrees beyond a limit take up all that is beyond it
// 130 degrees of swing, which no joint has: from there on it is straightened, because half a turn to one side is half a
// turn to the other.
static const float BROKEN_RAD = 2.26892803f;
static const float TOES_FREE_RAD = 0.43633231f;  // 25 degrees that toes move by themselves
static const float SHARE_FROM_RAD = 0.78539816f; // twist of a hand that its skin bears: 45 degrees
static const float SHARE_FADE_RAD = 2.0943951f;  // and from which on a share would jump at half a turn: 120 degrees

static bool is_left(int joint)
{
    return joint == GT_HUMANOID_LEFT_HAND || joint == GT_HUMANOID_LEFT_TOES ||
           (joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL && joint <= GT_HUMANOID_LEFT_LITTLE_DISTAL);
}

static bool is_finger(int joint)
{
    return joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL && joint <= GT_HUMANOID_RIGHT_LITTLE_DISTAL;
}

static bool is_toes(int joint)
{
    return joint == GT_HUMANOID_LEFT_TOES || joint == GT_HUMANOID_RIGHT_TOES;
}

// Thumb 0 to little finger 4.
static int finger_of(int joint)
{
    return (joint - GT_HUMANOID_LEFT_THUMB_METACARPAL) % 15 / 3;
}

bool gti_joint_axes(int joint, GtiJointAxes* out)
{
    const float half = 0.70710678f;
    float side = is_left(joint) ? 1.0f : -1.0f;
    if (is_toes(joint)) {
        *out = (GtiJointAxes){ { 0.0f, 0.0f, 1.0f }, { -1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
        return true;
    }
    if (joint != GT_HUMANOID_LEFT_HAND && joint != GT_HUMANOID_RIGHT_HAND && !is_finger(joint)) {
        return false;
    }
    *out = (GtiJointAxes){ { side, 0.0f, 0.0f }, { 0.0f, 0.0f, -side }, { 0.0f, -side, 0.0f } };
    if (is_finger(joint) && finger_of(joint) == 0) { // half ahead, and its nail half ahead, too
        GtVec3 along = gt_vec3(side * half, 0.0f, half);
        GtVec3 nail = gt_vec3(-0.5f * side, half, 0.5f);
        *out = (GtiJointAxes){ along, gt_vec3_cross(nail, along), nail };
    }
    return true;
}

// What is between two angles stays as it is, to the bit. What is beyond is compressed: with slope 1 at the limit,
// towards 10 degrees beyond it.
static float soft_limit(float angle_rad, float least_rad, float most_rad)
{
    if (angle_rad > most_rad) {
        return most_rad + SOFT_RAD * (1.0f - expf((most_rad - angle_rad) / SOFT_RAD));
    }
    if (angle_rad < least_rad) {
        return least_rad - SOFT_RAD * (1.0f - expf((angle_rad - least_rad) / SOFT_RAD));
    }
    return angle_rad;
}

static float twist_about(GtQuat q, GtVec3 axis)
{
    float s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    return q.w < 0.0f ? 2.0f * atan2f(-s, -q.w) : 2.0f * atan2f(s, q.w);
}

// The turn of a swing as a vector: its axis, as long as its angle.
static GtVec3 vector_of(GtQuat q)
{
    GtVec3 axis = gt_vec3(q.x, q.y, q.z);
    float sine = gt_vec3_length(axis);
    float angle = 2.0f * atan2f(sine, fabsf(q.w));
    return sine > 1e-9f ? gt_vec3_scale(axis, copysignf(angle / sine, q.w)) : gt_vec3_scale(axis, 2.0f);
}

static GtQuat rotation_by(GtVec3 vector)
{
    float angle = gt_vec3_length(vector);
    return angle > 1e-9f ? gt_quat_from_axis_angle(gt_vec3_scale(vector, 1.0f / angle), angle) : gt_quat_identity();
}

// A turn within a range, in degrees. False where it is already.
static bool limit_turn(const GtiJointAxes* axes, const JointRange* range, GtQuat* turn)
{
    float twist = twist_about(*turn, axes->along);
    GtQuat swing = gt_quat_mul(*turn, gt_quat_from_axis_angle(axes->along, -twist));
    GtVec3 vector = vector_of(swing);
    float bend = gt_vec3_dot(vector, axes->bend);
    float side = gt_vec3_dot(vector, axes->side);
    const float degree = (float)GTI_PI / 180.0f;
    float slant = range->slant * fabsf(bend);
    float most_twist = range->twist * degree + slant;
    float new_bend = soft_limit(bend, range->bend[0] * degree, range->bend[1] * degree);
    float new_side = soft_limit(side, range->side[0] * degree - slant, range->side[1] * degree + slant);
    float new_twist = range->twist < 180.0f ? soft_limit(twist, -most_twist, most_twist) : twist;
    if (new_bend == bend && new_side == side && new_twist == twist) {
        return false;
    }
    GtVec3 wanted = gt_vec3_add(gt_vec3_scale(axes->bend, new_bend), gt_vec3_scale(axes->side, new_side));
    float fade = ((float)GTI_PI - gt_vec3_length(vector)) / ((float)GTI_PI - BROKEN_RAD);
    fade = gti_clampf(fade, 0.0f, 1.0f);
    *turn =
        gt_quat_mul(rotation_by(gt_vec3_scale(wanted, fade)), gt_quat_from_axis_angle(axes->along, fade * new_twist));
    return true;
}

// How far toes may bend, given how far the heel is up: not more than that and a little.
static JointRange range_of_toes(const GtiLimitedJoint* joint, const GtiAlignedFigure* figure, const GtQuat* rotations)
{
    const float degrees = 180.0f / (float)GTI_PI;
    GtQuat turn = gt_quat_mul(rotations[joint->above], gt_quat_conjugate(figure->aligned.rotations[joint->above]));
    GtVec3 ahead = gt_quat_rotate(turn, gt_vec3(0.0f, 0.0f, 1.0f));
    float heel_up = asinf(fminf(fmaxf(-ahead.y, -1.0f), 1.0f));
    JointRange range = toes_range;
    range.bend[1] = fminf(range.bend[1], degrees * (fmaxf(heel_up, 0.0f) + TOES_FREE_RAD));
    range.bend[0] = fmaxf(range.bend[0], degrees * (fminf(heel_up, 0.0f) - TOES_FREE_RAD));
    return range;
}

static JointRange range_of(const GtiLimitedJoint* joint, const GtiAlignedFigure* figure, const GtQuat* rotations)
{
    if (is_finger(joint->joint)) {
        int k = (joint->joint - GT_HUMANOID_LEFT_THUMB_METACARPAL) % 3;
        return finger_of(joint->joint) == 0 ? thumb_ranges[k] : finger_ranges[k];
    }
    return is_toes(joint->joint) ? range_of_toes(joint, figure, rotations) : wrist_range;
}

// The rotation that the nodes between two add.
static GtQuat rotation_between(const GtCharacterDef* def, const GtTransform* pose, int32_t above, int32_t node)
{
    GtQuat sum = gt_quat_identity();
    for (int32_t i = def->parents[node]; i != above; i = def->parents[i]) {
        sum = gt_quat_mul(gt_quat_normalize(pose[i].rotation), sum);
    }
    return sum;
}

// The part of a hand's turn about a forearm that the forearm takes: half of the twist that is more than its skin bears.
// Towards half a turn of twist or swing, where the twist would jump, it fades.
static float share_of(GtQuat turn, GtVec3 along)
{
    float twist = twist_about(turn, along);
    float over = fabsf(twist) - SHARE_FROM_RAD;
    if (!(over > 0.0f)) {
        return 0.0f;
    }
    float share = 0.5f * fminf(over, SHARE_FADE_RAD - SHARE_FROM_RAD);
    float s = turn.x * along.x + turn.y * along.y + turn.z * along.z;
    float fade = fminf(((float)GTI_PI - fabsf(twist)) / ((float)GTI_PI - SHARE_FADE_RAD), 1.0f);
    float upright = gti_clampf((turn.w * turn.w + s * s - 0.15f) / 0.35f, 0.0f, 1.0f); // 1 up to a right angle
    return copysignf(share * fade * upright, twist);
}

void gti_limits_share_twist(const GtiForearm* forearm, GtTransform* lower, GtTransform* hand)
{
    GtQuat turn = gt_quat_mul(forearm->before, gt_quat_mul(hand->rotation, forearm->after));
    float share = share_of(turn, forearm->along);
    if (share != 0.0f) {
        GtQuat with = gt_quat_from_axis_angle(forearm->bone, share);
        lower->rotation = gt_quat_normalize(gt_quat_mul(lower->rotation, with));
        hand->rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(with), hand->rotation));
    }
}

void gti_limits_apply(const GtiLimits* limits, const GtiAlignedFigure* figure, const GtQuat* rotations,
                      GtTransform* pose)
{
    for (int k = 0; k < limits->count; ++k) {
        const GtiLimitedJoint* joint = &limits->joints[k];
        GtQuat between = rotation_between(figure->def, pose, joint->above, joint->node);
        GtQuat* local = &pose[joint->node].rotation;
        GtQuat turn = gt_quat_mul(joint->before, gt_quat_mul(gt_quat_mul(between, *local), joint->after));
        JointRange range = range_of(joint, figure, rotations);
        if (limit_turn(&joint->axes, &range, &turn)) {
            GtQuat wanted =
                gt_quat_mul(gt_quat_conjugate(joint->before), gt_quat_mul(turn, gt_quat_conjugate(joint->after)));
            *local = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(between), wanted));
        }
    }
    for (int side = 0; side < 2; ++side) {
        const GtiForearm* forearm = &limits->forearms[side];
        if (forearm->hand != GT_NONE) {
            gti_limits_share_twist(forearm, &pose[forearm->lower], &pose[forearm->hand]);
        }
    }
}

static void find_forearm(const GtiAlignedFigure* f, const GtiLinks* links, int side, GtiForearm* out)
{
    int hand_joint = side == 0 ? GT_HUMANOID_LEFT_HAND : GT_HUMANOID_RIGHT_HAND;
    int32_t lower = f->joints[hand_joint - 1], hand = f->joints[hand_joint];
    *out = (GtiForearm){ .lower = GT_NONE, .hand = GT_NONE };
    if (lower == GT_NONE || hand == GT_NONE || f->def->parents[hand] != lower || links->of[hand].from == GT_NONE ||
        links->of[lower].from == GT_NONE) {
        return;
    }
    for (int32_t i = lower + 1; i < f->def->node_count && gti_hangs_from(f->def, i, lower); ++i) {
        if (links->of[i].twist != 0.0f) {
            return;
        }
    }
    GtVec3 bone = gt_vec3_normalize_or(f->def->rest[hand].translation, gt_vec3(0.0f, 0.0f, 0.0f));
    if (gt_vec3_length(bone) > 0.5f) {
        GtQuat before = f->aligned.rotations[lower];
        *out = (GtiForearm){
            lower, hand, bone, before, gt_quat_conjugate(f->aligned.rotations[hand]), gt_quat_rotate(before, bone)
        };
    }
}

// The joint above in the body that the figure has.
static int32_t node_above(const GtiAlignedFigure* f, int joint)
{
    int32_t above = gt_humanoid_parent((GtHumanoidJoint)joint);
    while (above != GT_NONE && f->joints[above] == GT_NONE) {
        above = gt_humanoid_parent((GtHumanoidJoint)above);
    }
    return above == GT_NONE ? GT_NONE : f->joints[above];
}

void gti_limits_find(const GtiAlignedFigure* figure, const GtiLinks* links, GtiLimits* out)
{
    out->count = 0;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtiLimitedJoint joint = { .joint = j, .node = figure->joints[j] };
        if (!gti_joint_axes(j, &joint.axes) || joint.node == GT_NONE || links->of[joint.node].from == GT_NONE) {
            continue;
        }
        joint.above = node_above(figure, j);
        if (joint.above == GT_NONE || !gti_hangs_from(figure->def, joint.node, joint.above)) {
            continue;
        }
        joint.before = figure->aligned.rotations[joint.above];
        joint.after = gt_quat_conjugate(figure->aligned.rotations[joint.node]);
        out->joints[out->count++] = joint;
    }
    find_forearm(figure, links, 0, &out->forearms[0]);
    find_forearm(figure, links, 1, &out->forearms[1]);
}

void gti_limits_free_wrists(GtiLimits* limits)
{
    int kept = 0;
    for (int k = 0; k < limits->count; ++k) {
        if (is_finger(limits->joints[k].joint) || is_toes(limits->joints[k].joint)) {
            limits->joints[kept++] = limits->joints[k];
        }
    }
    limits->count = kept;
    limits->forearms[0].hand = limits->forearms[1].hand = GT_NONE;
}
