// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Swing and twist. Of the quaternion D, the part along the axis T and w make the twist; what is left is a swing about
// an axis across T, by at most half a turn.

#include "runtime/ik/limits.h"

#include "base/scalar.h"

// As near to a limit as this, in rad, is at it; a range that lacks less than this to all is none.
#define CLOSE 1e-6

GtiIkNode gti_ik_joint_node(const GtIkJoint* joint, int32_t turn_count)
{
    GtiIkNode node = {
        .turn_count = turn_count,
        .axis = gti_vec_unit_or(gti_vec_from(joint->axis), gti_vec(0.0, 1.0, 0.0)),
        .neutral = gti_quat_unit(gti_quat_from(joint->neutral)),
        .min_turn = (double)joint->min_turn_rad,
        .max_turn = (double)joint->max_turn_rad,
        .max_swing = (double)joint->max_swing_rad,
    };
    node.twist_limited = turn_count > 0 && node.max_turn - node.min_turn < 2.0 * GTI_PI - CLOSE;
    node.swing_limited = turn_count == 3 && node.max_swing < GTI_PI - CLOSE;
    return node;
}

GtiSwingTwist gti_ik_swing_twist(const GtiIkNode* node, GtiQuat rotation)
{
    GtiSwingTwist result = { .axis = gti_quat_rotate(node->neutral, node->axis) };
    GtiQuat turn = gti_quat_mul(rotation, gti_quat_conjugate(node->neutral));
    double along = gti_vec_dot(gti_vec(turn.x, turn.y, turn.z), result.axis);
    double length = sqrt(along * along + turn.w * turn.w);
    GtiQuat twist = gti_quat_identity();
    if (length > 1e-12) { // else half a turn of swing, which leaves the twist open
        double sign = turn.w < 0.0 ? -1.0 : 1.0;
        result.twist = 2.0 * atan2(sign * along, sign * turn.w);
        GtiVec v = gti_vec_scale(result.axis, along / length);
        twist = (GtiQuat){ v.x, v.y, v.z, turn.w / length };
    }
    GtiQuat swing = gti_quat_mul(turn, gti_quat_conjugate(twist));
    GtiVec v = gti_vec(swing.x, swing.y, swing.z);
    v = gti_vec_across(swing.w < 0.0 ? gti_vec_scale(v, -1.0) : v, result.axis);
    double sine = gti_vec_length(v);
    GtiVec helper = fabs(result.axis.x) < 0.7 ? gti_vec(1.0, 0.0, 0.0) : gti_vec(0.0, 1.0, 0.0);
    GtiVec any = gti_vec_unit_or(gti_vec_cross(result.axis, helper), gti_vec(0.0, 0.0, 1.0));
    result.swing = 2.0 * atan2(sine, fabs(swing.w));
    result.swing_axis = sine > 1e-9 ? gti_vec_scale(v, 1.0 / sine) : any;
    return result;
}

bool gti_ik_is_limited(const GtiIkNode* node, GtiQuat rotation)
{
    if (!node->twist_limited && !node->swing_limited) {
        return false;
    }
    GtiSwingTwist at = gti_ik_swing_twist(node, rotation);
    bool twisted = at.twist < node->min_turn + CLOSE || at.twist > node->max_turn - CLOSE;
    return (node->twist_limited && twisted) || (node->swing_limited && at.swing > node->max_swing - CLOSE);
}

// To the nearer of both ends, the shorter way round.
static double limit_turn(double turn, double low, double high)
{
    if (turn >= low && turn <= high) {
        return turn;
    }
    double below = turn < low ? low - turn : low + 2.0 * GTI_PI - turn;
    double above = turn > high ? turn - high : turn + 2.0 * GTI_PI - high;
    return below <= above ? low : high;
}

GtiQuat gti_ik_limit(const GtiIkNode* node, GtiQuat rotation)
{
    if (!node->twist_limited && !node->swing_limited) {
        return rotation;
    }
    GtiSwingTwist at = gti_ik_swing_twist(node, rotation);
    double twist = node->twist_limited ? limit_turn(at.twist, node->min_turn, node->max_turn) : at.twist;
    double swing = node->swing_limited ? fmin(at.swing, node->max_swing) : at.swing;
    if (twist == at.twist && swing == at.swing) {
        return rotation;
    }
    GtiQuat turn = gti_quat_mul(gti_quat_about(at.swing_axis, swing), gti_quat_about(at.axis, twist));
    return gti_quat_unit(gti_quat_mul(turn, node->neutral));
}
