// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Rotations along a segment. Cubics and B-splines are products of turns about fixed axes by the sums of their basis
// functions (M. Kim, M. Kim, S. Shin, "A general construction scheme for unit quaternion curves with simple high order
// derivatives", SIGGRAPH 1995): they keep the ends, velocities and smoothness of the curves of numbers that they
// mirror. Angular velocities are carried along in the axes of the rotation itself: that of a product a b is the one of
// `a`, turned back by b, plus that of b.

#include "runtime/curve/curve.h"

#include "base/scalar.h"

// A rotation and its angular velocity in its own axes.
typedef struct Moving {
    GtiQuat q;
    GtiVec velocity;
} Moving;

// Then turn by `amount` of the axis times angle `v`, which changes at `rate`.
static Moving turn(Moving a, GtiVec v, double amount, double rate)
{
    GtiQuat by = gti_quat_exp(gti_vec_scale(v, amount));
    GtiVec before = gti_quat_rotate(gti_quat_conjugate(by), a.velocity);
    return (Moving){ gti_quat_mul(a.q, by), gti_vec_add_scaled(before, v, rate) };
}

// The logarithm of a turn that is nearest to `expected`, which may be more than half a turn.
static GtiVec log_near(GtiQuat q, GtiVec expected)
{
    static const double whole = 2.0 * GTI_PI;
    GtiVec v = gti_quat_log(q);
    double angle = gti_vec_length(v);
    GtiVec axis = gti_vec_unit_or(angle > 1e-9 ? v : expected, gti_vec(1.0, 0.0, 0.0));
    double more = whole * round((gti_vec_dot(expected, axis) - angle) / whole);
    return gti_vec_add_scaled(v, axis, more);
}

static Moving cubic(const GtCurve* curve, int32_t key, double u)
{
    GtiQuat a = gti_curve_key(curve, key);
    GtiQuat b = gti_curve_key(curve, key + 1);
    GtiVec first = gti_curve_direction(curve->out, key);
    GtiVec third = gti_vec_scale(gti_curve_direction(curve->in, key + 1), -1.0);
    GtiQuat from = gti_quat_mul(a, gti_quat_exp(first));
    GtiQuat to = gti_quat_mul(b, gti_quat_exp(gti_vec_scale(third, -1.0)));
    GtiVec chord = gti_quat_log(gti_quat_mul(gti_quat_conjugate(a), b));
    GtiVec expected = gti_vec_sub(gti_vec_sub(chord, first), third); // and so it is about one axis
    GtiVec second = log_near(gti_quat_mul(gti_quat_conjugate(from), to), expected);
    double v = 1.0 - u;
    Moving m = { .q = a };
    m = turn(m, first, 1.0 - v * v * v, 3.0 * v * v);
    m = turn(m, second, u * u * (3.0 - 2.0 * u), 6.0 * u * v);
    return turn(m, third, u * u * u, 3.0 * u * u);
}

// A cubic from `a` to `b` with slopes at its ends, and its own slope.
static double hermite(double a, double slope_a, double b, double slope_b, double u, double* rate)
{
    double v = 1.0 - u;
    *rate = 6.0 * u * v * (b - a) + v * (v - 2.0 * u) * slope_a + u * (u - 2.0 * v) * slope_b;
    return a + u * u * (3.0 - 2.0 * u) * (b - a) + u * v * (v * slope_a - u * slope_b);
}

static Moving b_spline(const GtCurve* curve, int32_t key, double d, double u)
{
    GtiCurveKnot a = gti_curve_knot(curve->times_s, curve->key_count, key, curve->closed);
    GtiCurveKnot b = gti_curve_knot(curve->times_s, curve->key_count, key + 1, curve->closed);
    GtiVec before = gti_curve_direction(curve->in, key);
    GtiQuat start = gti_quat_mul(gti_curve_key(curve, key), gti_quat_exp(gti_vec_scale(before, -1.0)));
    double rate;
    Moving m = { .q = start };
    double amount = hermite(1.0 - a.before, a.rate_before * d, 1.0, 0.0, u, &rate);
    m = turn(m, before, amount, rate);
    amount = hermite(a.after, a.rate_after * d, 1.0 - b.before, b.rate_before * d, u, &rate);
    m = turn(m, gti_curve_direction(curve->out, key), amount, rate);
    amount = hermite(0.0, 0.0, b.after, b.rate_after * d, u, &rate);
    return turn(m, gti_curve_direction(curve->out, key + 1), amount, rate);
}

// From a turn's own velocity to the change of its logarithm `v`, and back (the inverse right Jacobian, and itself).
static GtiVec log_rate(GtiVec v, GtiVec velocity)
{
    double angle = gti_vec_length(v);
    double k = angle > 1e-4 ? (1.0 - 0.5 * angle * cos(0.5 * angle) / sin(0.5 * angle)) / (angle * angle) : 1.0 / 12.0;
    GtiVec once = gti_vec_cross(v, velocity);
    return gti_vec_add_scaled(gti_vec_add_scaled(velocity, once, 0.5), gti_vec_cross(v, once), k);
}

static GtiVec exp_velocity(GtiVec v, GtiVec rate)
{
    double angle = gti_vec_length(v);
    double square = angle * angle;
    bool small = angle < 1e-3;
    double k1 = small ? 0.5 - square / 24.0 : (1.0 - cos(angle)) / square;
    double k2 = small ? 1.0 / 6.0 - square / 120.0 : (angle - sin(angle)) / (square * angle);
    GtiVec once = gti_vec_cross(v, rate);
    return gti_vec_add_scaled(gti_vec_add_scaled(rate, once, -k1), gti_vec_cross(v, once), k2);
}

// From `a` to `b`, both moving, the share `t` of the way.
static Moving slerp(Moving a, Moving b, double t, double rate)
{
    GtiQuat between = gti_quat_mul(gti_quat_conjugate(a.q), b.q);
    GtiVec v = gti_quat_log(between);
    GtiVec turning = gti_vec_sub(b.velocity, gti_quat_rotate(gti_quat_conjugate(between), a.velocity));
    GtiVec part = gti_vec_scale(v, t);
    GtiVec part_rate = gti_vec_add_scaled(gti_vec_scale(log_rate(v, turning), t), v, rate);
    GtiQuat by = gti_quat_exp(part);
    return (Moving){
        gti_quat_mul(a.q, by),
        gti_vec_add(gti_quat_rotate(gti_quat_conjugate(by), a.velocity), exp_velocity(part, part_rate)),
    };
}

static Moving still(GtiQuat q)
{
    return (Moving){ .q = q };
}

static Moving squad(const GtCurve* curve, int32_t key, double u)
{
    GtiQuat a = gti_curve_key(curve, key);
    GtiQuat b = gti_curve_key(curve, key + 1);
    GtiQuat corner_a = gti_quat_mul(a, gti_quat_exp(gti_curve_direction(curve->out, key)));
    GtiQuat corner_b = gti_quat_mul(b, gti_quat_exp(gti_curve_direction(curve->in, key + 1)));
    Moving keys = slerp(still(a), still(b), u, 1.0);
    Moving corners = slerp(still(corner_a), still(corner_b), u, 1.0);
    return slerp(keys, corners, 2.0 * u * (1.0 - u), 2.0 - 4.0 * u);
}

static Moving rotation_at(const GtCurve* curve, const GtiCurvePlace* place)
{
    GtiQuat a = gti_curve_key(curve, place->key);
    if (curve->key_count == 1) {
        return still(a);
    }
    GtiQuat b = gti_curve_key(curve, place->key + 1);
    switch (curve->form) {
    case GTI_CURVE_STEP:
        return still(place->u < 1.0 ? a : b);
    case GTI_CURVE_LINEAR:
        return slerp(still(a), still(b), place->u, 1.0);
    case GTI_CURVE_SQUAD:
        return squad(curve, place->key, place->u);
    case GTI_CURVE_B_SPLINE:
        return b_spline(curve, place->key, place->d, place->u);
    default:
        return cubic(curve, place->key, place->u);
    }
}

GtiQuat gti_curve_rotation(const GtCurve* curve, const GtiCurvePlace* place, GtiVec* velocity)
{
    Moving m = rotation_at(curve, place);
    if (velocity) {
        *velocity = gti_quat_rotate(m.q, m.velocity);
    }
    return m.q;
}
