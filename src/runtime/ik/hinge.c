// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// With u from root to middle, l from middle to end and h the hinge, the end is |u + R(h, t) l| from the root once the
// hinge has turned by t, and u . R l = A cos t + B sin t + C: one cosine, so t comes in closed form. Of its two
// answers the one that bends forwards is taken, whichever way the limb was bent: so nothing ever turns round.

#include "gertie/ik.h"

#include "base/quat_double.h"
#include "runtime/ik/soft_reach.h"

static bool is_finite(const GtHingeLimb* limb)
{
    return gti_vec_is_finite(gti_vec_from(limb->root)) && gti_vec_is_finite(gti_vec_from(limb->middle)) &&
           gti_vec_is_finite(gti_vec_from(limb->end)) && gti_vec_is_finite(gti_vec_from(limb->target)) &&
           gti_vec_is_finite(gti_vec_from(limb->hinge));
}

// How far to turn the hinge for the end to be `distance` from the root, or as near to that as it can be.
static double hinge_turn(GtiVec upper, GtiVec lower, GtiVec hinge, double distance)
{
    double along = gti_vec_dot(lower, hinge);
    double a = gti_vec_dot(upper, gti_vec_add_scaled(lower, hinge, -along));
    double b = gti_vec_dot(upper, gti_vec_cross(hinge, lower));
    double most = hypot(a, b);
    if (!(most > 0.0)) {
        return 0.0;
    }
    double lengths = gti_vec_dot(upper, upper) + gti_vec_dot(lower, lower);
    double wanted = 0.5 * (distance * distance - lengths) - along * gti_vec_dot(upper, hinge);
    return atan2(b, a) + acos(fmin(fmax(wanted / most, -1.0), 1.0));
}

GtTwoBoneTurns gt_ik_hinge(const GtHingeLimb* given)
{
    GtTwoBoneTurns turns = { gt_quat_identity(), gt_quat_identity(), given->middle, given->end, INFINITY };
    if (!is_finite(given)) {
        return turns;
    }
    GtiVec root = gti_vec_from(given->root);
    GtiVec upper = gti_vec_sub(gti_vec_from(given->middle), root);
    GtiVec lower = gti_vec_sub(gti_vec_from(given->end), gti_vec_from(given->middle));
    GtiVec aim = gti_vec_sub(gti_vec_from(given->target), root);
    GtiVec hinge = gti_vec_unit_or(gti_vec_from(given->hinge), gti_vec(1.0, 0.0, 0.0));
    double soft = given->soft > 0.0f && given->soft <= 1.0f ? (double)given->soft : 1.0;
    double length = gti_vec_length(upper) + gti_vec_length(lower);
    double distance = gti_ik_soft_reach(gti_vec_length(aim), length, soft);
    GtiQuat bend = gti_quat_about(hinge, hinge_turn(upper, lower, hinge, distance));
    GtiVec line = gti_vec_add(upper, gti_quat_rotate(bend, lower));
    GtiVec from = gti_vec_unit_or(line, gti_vec(0.0, -1.0, 0.0));
    GtiVec to = gti_vec_length(aim) > 1e-9 * length ? gti_vec_unit_or(aim, from) : from;
    GtiQuat swing = gti_quat_between(from, to, hinge);
    GtiVec middle = gti_vec_add(root, gti_quat_rotate(swing, upper));
    GtiVec end = gti_vec_add(root, gti_quat_rotate(swing, line));
    turns.root_turn = gti_quat_to_float(swing);
    turns.middle_turn = gti_quat_to_float(gti_quat_mul(gti_quat_mul(swing, bend), gti_quat_conjugate(swing)));
    turns.middle = gti_vec_to_float(middle);
    turns.end = gti_vec_to_float(end);
    turns.miss_m = (float)gti_vec_length(gti_vec_sub(end, gti_vec_from(given->target)));
    return turns;
}
