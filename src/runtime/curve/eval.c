// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A curve at a time: extrapolation brings the time between the keys, a bisection finds the segment, ease and handles
// say how far along its cubic it is. All in double, so that what is finite in floats stays so on the way; what comes
// out beyond a float is cut to the largest.

#include "runtime/curve/curve.h"

#include "base/scalar.h"

#include <float.h>

// A time brought between the keys.
typedef struct Inside {
    double time_s;
    double direction; // -1 on the way back of a ping-pong, 0 where the curve holds
    double cycles;    // whole ones of a cycle with offset
    double beyond_s;  // past the end, for going on straight; negative before the start
} Inside;

static float to_float(double a)
{
    return (float)fmax(-(double)FLT_MAX, fmin((double)FLT_MAX, a));
}

static Inside bring_inside(const GtCurve* curve, double time_s)
{
    double start_s = gt_curve_start_s(curve);
    double end_s = gt_curve_end_s(curve);
    double period_s = end_s - start_s;
    if (time_s >= start_s && time_s <= end_s) {
        return (Inside){ .time_s = time_s, .direction = 1.0 };
    }
    bool after = time_s > end_s; // else before, or NaN
    Inside inside = { .time_s = after ? end_s : start_s };
    GtExtrapolation how = after ? curve->after : curve->before;
    if (how == GT_EXTRAPOLATE_HOLD || !isfinite(time_s) || !(period_s > 0.0)) {
        return inside;
    }
    inside.direction = 1.0;
    if (how == GT_EXTRAPOLATE_LINEAR) {
        inside.beyond_s = time_s - inside.time_s;
        return inside;
    }
    double cycles = floor((time_s - start_s) / period_s);
    double offset_s = fmax(0.0, fmin(period_s, time_s - start_s - cycles * period_s));
    if (how == GT_EXTRAPOLATE_PING_PONG && fmod(cycles, 2.0) != 0.0) {
        offset_s = period_s - offset_s;
        inside.direction = -1.0;
    }
    inside.time_s = fmin(end_s, start_s + offset_s);
    inside.cycles = how == GT_EXTRAPOLATE_CYCLE_OFFSET ? cycles : 0.0;
    return inside;
}

static double ease(GtEase e, double share, double* rate)
{
    double in = (double)e.in;
    double out = (double)e.out;
    double cruise = 2.0 / (2.0 - in - out);
    double left = 1.0 - share;
    if (share < in) {
        *rate = cruise * share / in;
        return 0.5 * share * *rate;
    }
    if (left < out) {
        *rate = cruise * left / out;
        return 1.0 - 0.5 * left * *rate;
    }
    *rate = cruise;
    return cruise * (share - 0.5 * in);
}

static double handle_slope(double a, double b, double u)
{
    double v = 1.0 - u;
    return 3.0 * (v * v * a + 2.0 * u * v * (b - a) + u * u * (1.0 - b));
}

// Where the cubic from 0 over a and b to 1 is x; 0 <= a, b, x <= 1, so that it never goes back. Newton's steps, halving
// where they leave the bracket, at most 60 of them.
static double solve_handle(double a, double b, double x)
{
    double low = 0.0;
    double high = 1.0;
    double u = x;
    for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
        double v = 1.0 - u;
        double off = 3.0 * u * v * (v * a + u * b) + u * u * u - x;
        if (fabs(off) <= 1e-15) {
            break;
        }
        low = off < 0.0 ? u : low;
        high = off < 0.0 ? high : u;
        double next = u - off / handle_slope(a, b, u);
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}

// Where time stands still, at a key without a handle, both velocities are 0 and their quotient is that of a moment
// aside.
static void follow_handles(const GtCurve* curve, bool moving, GtiCurvePlace* place)
{
    double a = fmin((double)curve->out_times_s[place->key] / place->d, 1.0); // a float may be rounded up
    double b = fmax(1.0 - (double)curve->in_times_s[place->key + 1] / place->d, 0.0);
    place->u = solve_handle(a, b, place->u);
    if (moving && !(handle_slope(a, b, place->u) > 1e-6)) {
        place->u = fmax(1e-4, fmin(1.0 - 1e-4, place->u));
    }
    place->rate_u /= fmax(1e-12, handle_slope(a, b, place->u));
}

// `moving` asks for a place whose velocity is told; values there may be a moment aside.
static GtiCurvePlace find_place(const GtCurve* curve, double time_s, bool moving)
{
    int32_t low = 0; // times[low] <= time, which is before times[high] or at the last key
    int32_t high = curve->key_count - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((double)curve->times_s[middle] <= time_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    GtiCurvePlace place = { .key = low };
    if (high == low) {
        return place;
    }
    place.d = (double)curve->times_s[high] - (double)curve->times_s[low];
    place.u = (time_s - (double)curve->times_s[low]) / place.d;
    place.rate_u = 1.0 / place.d;
    if (curve->eases) {
        double rate = 1.0;
        place.u = ease(curve->eases[low], place.u, &rate);
        place.rate_u *= rate;
    }
    if (curve->in_times_s) {
        follow_handles(curve, moving, &place);
    }
    return place;
}

static double number_at(const GtCurve* curve, const GtiCurvePlace* place, int32_t component)
{
    size_t count = (size_t)curve->component_count;
    size_t at = (size_t)place->key * count + (size_t)component;
    double a = (double)curve->values[at];
    if (curve->key_count == 1) {
        return a;
    }
    double b = (double)curve->values[at + count];
    double u = place->u;
    double v = 1.0 - u;
    switch (curve->form) {
    case GTI_CURVE_STEP:
        return u < 1.0 ? a : b; // the last key itself belongs to the last segment
    case GTI_CURVE_LINEAR:
        return v * a + u * b;
    default:
        return v * v * (v * a + 3.0 * u * (a + (double)curve->out[at])) +
               u * u * (u * b + 3.0 * v * (b + (double)curve->in[at + count]));
    }
}

static double slope_at(const GtCurve* curve, const GtiCurvePlace* place, int32_t component)
{
    size_t count = (size_t)curve->component_count;
    size_t at = (size_t)place->key * count + (size_t)component;
    if (curve->key_count == 1 || curve->form == GTI_CURVE_STEP) {
        return 0.0;
    }
    double chord = (double)curve->values[at + count] - (double)curve->values[at];
    if (curve->form == GTI_CURVE_LINEAR) {
        return chord * place->rate_u;
    }
    double out = (double)curve->out[at];
    double in = (double)curve->in[at + count];
    double u = place->u;
    double v = 1.0 - u;
    return 3.0 * (v * v * out + 2.0 * u * v * (chord + in - out) - u * u * in) * place->rate_u;
}

static double eval_number(const GtCurve* curve, const Inside* inside, const GtiCurvePlace* place, int32_t component)
{
    double value = number_at(curve, place, component);
    if (inside->beyond_s != 0.0) {
        GtiCurvePlace end = find_place(curve, inside->time_s, true);
        value += slope_at(curve, &end, component) * inside->beyond_s;
    }
    if (inside->cycles != 0.0) {
        GtiCurvePlace first = { .key = 0 };
        GtiCurvePlace last = { .key = curve->key_count - 2, .u = 1.0 };
        value += inside->cycles * (number_at(curve, &last, component) - number_at(curve, &first, component));
    }
    return value;
}

static GtiVec velocity_at(const GtCurve* curve, const GtiCurvePlace* place)
{
    GtiVec velocity;
    gti_curve_rotation(curve, place, &velocity);
    return gti_vec_scale(velocity, place->rate_u);
}

// A turn by many radians keeps its digits as what is left over whole turns.
static GtiQuat turn_by(GtiVec v, double times)
{
    double angle = gti_vec_length(v);
    GtiVec axis = gti_vec_unit_or(v, gti_vec(1.0, 0.0, 0.0));
    double whole = fmod(angle * times, 4.0 * GTI_PI);
    return isfinite(whole) ? gti_quat_about(axis, whole) : gti_quat_identity();
}

// Whole cycles turn by what one does, about the axes outside.
static GtiQuat turn_of_cycles(const GtCurve* curve, double cycles)
{
    int32_t end = curve->key_count - 2;
    GtiCurvePlace first = { .key = 0, .d = gti_curve_duration(curve->times_s, curve->key_count, 0, false) };
    GtiCurvePlace last = { .key = end,
                           .u = 1.0,
                           .d = gti_curve_duration(curve->times_s, curve->key_count, end, false) };
    GtiQuat a = gti_curve_rotation(curve, &first, NULL);
    GtiQuat b = gti_curve_rotation(curve, &last, NULL);
    return turn_by(gti_quat_log(gti_quat_mul(b, gti_quat_conjugate(a))), cycles);
}

static GtiQuat eval_rotation(const GtCurve* curve, const Inside* inside)
{
    GtiCurvePlace place = find_place(curve, inside->time_s, false);
    GtiQuat q = gti_curve_rotation(curve, &place, NULL);
    if (inside->beyond_s != 0.0) {
        GtiCurvePlace end = find_place(curve, inside->time_s, true);
        q = gti_quat_mul(turn_by(velocity_at(curve, &end), inside->beyond_s), q);
    }
    if (inside->cycles != 0.0) {
        q = gti_quat_mul(turn_of_cycles(curve, inside->cycles), q);
    }
    return gti_quat_unit(q);
}

void gt_curve_eval(const GtCurve* curve, double time_s, float* out)
{
    Inside inside = bring_inside(curve, time_s);
    if (curve->kind == GT_CURVE_NUMBERS) {
        GtiCurvePlace place = find_place(curve, inside.time_s, false);
        for (int32_t i = 0; i < curve->component_count; ++i) {
            out[i] = to_float(eval_number(curve, &inside, &place, i));
        }
        return;
    }
    GtQuat q = gti_quat_to_float(eval_rotation(curve, &inside));
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

float gt_curve_number(const GtCurve* curve, double time_s)
{
    Inside inside = bring_inside(curve, time_s);
    GtiCurvePlace place = find_place(curve, inside.time_s, false);
    return to_float(eval_number(curve, &inside, &place, 0));
}

void gt_curve_derivative(const GtCurve* curve, double time_s, float* out)
{
    Inside inside = bring_inside(curve, time_s);
    GtiCurvePlace place = find_place(curve, inside.time_s, true);
    place.rate_u *= inside.direction;
    if (curve->kind == GT_CURVE_NUMBERS) {
        for (int32_t i = 0; i < curve->component_count; ++i) {
            out[i] = to_float(slope_at(curve, &place, i));
        }
        return;
    }
    GtiVec velocity = velocity_at(curve, &place);
    if (inside.cycles != 0.0) {
        velocity = gti_quat_rotate(turn_of_cycles(curve, inside.cycles), velocity);
    }
    out[0] = to_float(velocity.x);
    out[1] = to_float(velocity.y);
    out[2] = to_float(velocity.z);
}

float gt_ease(GtEase e, float share)
{
    double rate;
    if (!(share > 0.0f)) {
        return 0.0f;
    }
    return share < 1.0f ? (float)ease(e, (double)share, &rate) : 1.0f;
}
