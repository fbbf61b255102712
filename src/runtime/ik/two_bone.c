// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Two bones in closed form. The distance from root to end gives the triangle (law of cosines, its height by Heron's
// formula in factors, so that a limb near straight keeps its digits); the target gives its base, the pole its plane.
// Beyond the share `soft` of the reach the distance follows d0 + (L - d0) (1 - exp(-(d - d0) / (L - d0))): once
// continuously differentiable at d0, and the knee, whose angle goes with the root of what is left to L, slows down.

#include "gertie/ik.h"

#include "base/quat_double.h"
#include "runtime/ik/soft_reach.h"

// A bend is read out of a limb whose middle is this share of its length off the line from root to end: less is the
// rounding of floats.
#define LEAST_BEND 1e-5

// Within this (the sine of 3 degrees) of the limb's direction a pole fades into the way the limb bends now.
#define POLE_FADE 0.05

// Below twice this share of the length (a knee bent by some 4 degrees) the hinge that is read out of the limb fades
// into the one that it is to have: captured knees overextend a little, which must not turn them round.
#define CLEAR_BEND 0.01

// The limb, and the triangle it becomes.
typedef struct Limb {
    double upper, lower; // lengths
    GtiVec old_middle;   // unit vectors from root to middle, middle to end and root to end
    GtiVec old_lower;
    GtiVec old_line;
    GtiVec bend;       // across the old line, from it to the middle, as a share of the length
    GtiVec line;       // unit vector from the root to where the end shall lie
    GtiQuat old_swing; // from the old line to the new
    double reach;      // how far off that is
} Limb;

// Across the unit vector `line`: towards +Z, or +Y for a limb along Z.
static GtiVec default_bend(GtiVec line)
{
    GtiVec ahead = fabs(line.z) < 0.9 ? gti_vec(0.0, 0.0, 1.0) : gti_vec(0.0, 1.0, 0.0);
    return gti_vec_unit_or(gti_vec_across(ahead, line), gti_vec(1.0, 0.0, 0.0));
}

// `known` as far as it is longer than nothing, and `other` for what it lacks to `least`; a unit vector.
static GtiVec fade(GtiVec known, double least, GtiVec other)
{
    double lack = least - gti_vec_length(known);
    return gti_vec_unit_or(lack > 0.0 ? gti_vec_add_scaled(known, other, lack) : known, other);
}

static double reach_of(double distance, double upper, double lower, double soft)
{
    double reach = gti_ik_soft_reach(distance, upper + lower, soft);
    return fmin(fmax(reach, fabs(upper - lower)), upper + lower);
}

static Limb measure(const GtTwoBone* given)
{
    GtiVec root = gti_vec_from(given->root);
    GtiVec upper = gti_vec_sub(gti_vec_from(given->middle), root);
    GtiVec lower = gti_vec_sub(gti_vec_from(given->end), gti_vec_from(given->middle));
    GtiVec line = gti_vec_add(upper, lower);
    GtiVec aim = gti_vec_sub(gti_vec_from(given->target), root);
    Limb limb = { .upper = gti_vec_length(upper), .lower = gti_vec_length(lower) };
    double length = limb.upper + limb.lower;
    limb.old_middle = gti_vec_unit_or(upper, gti_vec_unit_or(lower, gti_vec(0.0, -1.0, 0.0)));
    limb.old_lower = gti_vec_unit_or(lower, limb.old_middle);
    limb.old_line = gti_vec_length(line) > 1e-9 * length ? gti_vec_unit_or(line, limb.old_middle) : limb.old_middle;
    limb.bend = length > 0.0 ? gti_vec_scale(gti_vec_across(upper, limb.old_line), 1.0 / length) : gti_vec(0, 0, 0);
    limb.line = gti_vec_length(aim) > 1e-9 * length ? gti_vec_unit_or(aim, limb.old_line) : limb.old_line;
    limb.old_swing = gti_quat_between(limb.old_line, limb.line, limb.bend);
    double soft = given->soft > 0.0f && given->soft <= 1.0f ? (double)given->soft : 1.0;
    limb.reach = reach_of(gti_vec_length(aim), limb.upper, limb.lower, soft);
    return limb;
}

// Where the middle goes off the new line: the pole's direction, as far as it has one across.
static GtiVec bend_direction(const Limb* limb, GtiVec pole)
{
    GtiVec now = gti_vec_across(gti_quat_rotate(limb->old_swing, limb->bend), limb->line);
    now = fade(now, LEAST_BEND, default_bend(limb->line));
    double length = gti_vec_is_finite(pole) ? gti_vec_length(pole) : 0.0;
    if (!(length > 1e-30)) {
        return now;
    }
    return fade(gti_vec_across(gti_vec_scale(pole, 1.0 / length), limb->line), POLE_FADE, now);
}

// Off the root, by how much along the line and how much across.
static GtiVec middle_of(const Limb* limb, GtiVec bend)
{
    double a = limb->upper;
    double b = limb->lower;
    double r = limb->reach;
    if (!(r > 1e-12 * (a + b))) {
        return gti_vec_scale(bend, a); // equal bones, folded
    }
    double along = ((a - b) * (a + b) + r * r) / (2.0 * r);
    double height = sqrt(fmax(0.0, (a + b + r) * (a + b - r) * (r + a - b) * (r - a + b))) / (2.0 * r);
    along = fmin(fmax(along, -a), a);
    return gti_vec_add_scaled(gti_vec_scale(limb->line, along), bend, height);
}

// The old upper bone onto the new one, and the old hinge onto the new: (bend x line) is the axis of the bend.
static GtiQuat root_turn_of(const Limb* limb, GtiVec middle, GtiVec bend)
{
    GtiVec hinge = gti_vec_unit_or(gti_vec_cross(bend, limb->line), gti_vec(1.0, 0.0, 0.0));
    GtiVec to = gti_vec_unit_or(middle, limb->line);
    GtiQuat swing = gti_quat_between(limb->old_middle, to, hinge);
    GtiVec old_hinge = gti_quat_rotate(swing, gti_vec_cross(limb->bend, limb->old_line));
    double unclear = 2.0 * CLEAR_BEND - gti_vec_length(old_hinge);
    if (unclear > 0.0) {
        old_hinge = gti_vec_add_scaled(old_hinge, hinge, unclear);
    }
    old_hinge = gti_vec_across(old_hinge, to);
    double twist = atan2(gti_vec_dot(to, gti_vec_cross(old_hinge, hinge)), gti_vec_dot(old_hinge, hinge));
    return gti_quat_mul(gti_quat_about(to, twist), swing);
}

static bool is_finite(const GtTwoBone* limb)
{
    return gti_vec_is_finite(gti_vec_from(limb->root)) && gti_vec_is_finite(gti_vec_from(limb->middle)) &&
           gti_vec_is_finite(gti_vec_from(limb->end)) && gti_vec_is_finite(gti_vec_from(limb->target));
}

GtTwoBoneTurns gt_ik_two_bone(const GtTwoBone* given)
{
    if (!is_finite(given)) {
        return (GtTwoBoneTurns){ gt_quat_identity(), gt_quat_identity(), given->middle, given->end, INFINITY };
    }
    Limb limb = measure(given);
    GtiVec bend = bend_direction(&limb, gti_vec_from(given->pole));
    GtiVec middle = middle_of(&limb, bend);
    GtiVec end = gti_vec_scale(limb.line, limb.reach);
    GtiVec lower = gti_vec_unit_or(gti_vec_sub(end, middle), limb.line);
    GtiQuat root_turn = limb.upper > 0.0 ? root_turn_of(&limb, middle, bend) : gti_quat_identity();
    GtiVec carried = gti_quat_rotate(root_turn, limb.old_lower);
    GtiQuat middle_turn = gti_quat_identity();
    if (limb.lower > 0.0) {
        middle_turn = gti_quat_between(carried, lower, gti_vec_cross(bend, limb.line));
    }
    GtiVec root = gti_vec_from(given->root);
    end = gti_vec_add(root, end);
    return (GtTwoBoneTurns){
        .root_turn = gti_quat_to_float(root_turn),
        .middle_turn = gti_quat_to_float(middle_turn),
        .middle = gti_vec_to_float(gti_vec_add(root, middle)),
        .end = gti_vec_to_float(end),
        .miss_m = (float)gti_vec_length(gti_vec_sub(end, gti_vec_from(given->target))),
    };
}
