// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From keys and a law to control points: D. Kochanek, R. Bartels, "Interpolating splines with local tension,
// continuity, and bias control", SIGGRAPH 1984; K. Shoemake, "Quaternion calculus and fast animation", SIGGRAPH course
// 1987; cubic B-splines after de Boor. A chord is the way from a key to the next; for rotations the logarithm of the
// turn between them, which has the same coordinates in the axes of both, so that all laws but the last two read alike
// for both kinds.

#include "runtime/curve/curve.h"

#include "base/fail.h"

// What a law makes of a key: how far it is to the control points before and after it.
typedef struct Offsets {
    double in;
    double out;
} Offsets;

// The neighbourhood of a key, in one component.
typedef struct Around {
    double chord_before;
    double chord_after;
    double d_before;
    double d_after;
} Around;

static Offsets kochanek_bartels(GtKeyShape shape, const Around* a)
{
    double t = 0.5 * (1.0 - (double)shape.tension);
    double c = (double)shape.continuity;
    double b = (double)shape.bias;
    double both = a->d_before + a->d_after;
    double source = t * ((1.0 - c) * (1.0 + b) * a->chord_before + (1.0 + c) * (1.0 - b) * a->chord_after);
    double destination = t * ((1.0 + c) * (1.0 + b) * a->chord_before + (1.0 - c) * (1.0 - b) * a->chord_after);
    return (Offsets){ -source * (2.0 * a->d_before / both) / 3.0, destination * (2.0 * a->d_after / both) / 3.0 };
}

// Slerps of the corners, at 2u(1-u) of the way, add twice the turn to the corner to the chord's velocity: this gives
// both sides of a key Catmull-Rom's.
static Offsets squad(const Around* a)
{
    double rate = (a->chord_before + a->chord_after) / (a->d_before + a->d_after);
    return (Offsets){ 0.5 * (a->chord_before - rate * a->d_before), 0.5 * (rate * a->d_after - a->chord_after) };
}

static Offsets b_spline(const GtiCurveKnot* knot, const Around* a)
{
    double rate = knot->rate_before * a->chord_before + knot->rate_after * a->chord_after;
    return (Offsets){ -rate * a->d_before / 3.0, rate * a->d_after / 3.0 };
}

GtiCurveKnot gti_curve_knot(const float* times_s, int32_t key_count, int32_t key, bool closed)
{
    double d[4]; // from two segments before the key on
    for (int32_t k = 0; k < 4; ++k) {
        d[k] = gti_curve_duration(times_s, key_count, key - 2 + k, closed);
    }
    double middle = d[1] + d[2];
    double left = middle + d[0];
    double right = middle + d[3];
    return (GtiCurveKnot){
        .before = d[2] / middle * (d[2] / left),
        .after = d[1] / middle * (d[1] / right),
        .rate_before = 3.0 / left * (d[2] / middle),
        .rate_after = 3.0 / right * (d[1] / middle),
    };
}

// How much of a Bezier handle fits into its segment.
static double fitting(const float* times_s, int32_t key, double d)
{
    return times_s && (double)times_s[key] > d ? d / (double)times_s[key] : 1.0;
}

static Offsets shape_key(const GtCurve* curve, const GtCurveDef* def, int32_t key, size_t at, const Around* a)
{
    static const GtKeyShape plain = { 0.0f, 0.0f, 0.0f };
    switch (def->law) {
    case GT_LAW_CARDINAL:
        return kochanek_bartels((GtKeyShape){ def->tension, 0.0f, 0.0f }, a);
    case GT_LAW_KOCHANEK_BARTELS:
        return kochanek_bartels(def->shapes ? def->shapes[key] : plain, a);
    case GT_LAW_HERMITE:
        return (Offsets){ -(double)def->in[at] * a->d_before / 3.0, (double)def->out[at] * a->d_after / 3.0 };
    case GT_LAW_BEZIER:
        return (Offsets){ (double)def->in[at] * fitting(def->in_times_s, key, a->d_before),
                          (double)def->out[at] * fitting(def->out_times_s, key, a->d_after) };
    case GT_LAW_B_SPLINE:
        if (curve->form == GTI_CURVE_B_SPLINE) {
            return (Offsets){ a->chord_before, a->chord_after };
        } else {
            GtiCurveKnot knot = gti_curve_knot(curve->times_s, curve->key_count, key, curve->closed);
            curve->values[at] =
                (float)((double)curve->values[at] - knot.before * a->chord_before + knot.after * a->chord_after);
            return b_spline(&knot, a);
        }
    case GT_LAW_SQUAD:
        return squad(a);
    default:
        return kochanek_bartels(plain, a);
    }
}

// Chords, first of all into `out`, where each is replaced when its key has been shaped.
static void find_chords(GtCurve* curve)
{
    size_t count = (size_t)curve->direction_count;
    for (int32_t i = 0; i + 1 < curve->key_count; ++i) {
        float* chord = &curve->out[(size_t)i * count];
        if (curve->kind == GT_CURVE_ROTATION) {
            GtiQuat turn = gti_quat_mul(gti_quat_conjugate(gti_curve_key(curve, i)), gti_curve_key(curve, i + 1));
            GtVec3 v = gti_vec_to_float(gti_quat_log(turn));
            chord[0] = v.x;
            chord[1] = v.y;
            chord[2] = v.z;
        } else {
            const float* a = &curve->values[(size_t)i * count];
            for (size_t k = 0; k < count; ++k) {
                chord[k] = a[k + count] - a[k];
            }
        }
    }
}

static void shape_component(GtCurve* curve, const GtCurveDef* def, size_t k)
{
    size_t count = (size_t)curve->direction_count;
    int32_t last = curve->key_count - 1;
    double first_chord = (double)curve->out[k];
    Around a;
    a.chord_after = curve->closed ? (double)curve->out[(size_t)(last - 1) * count + k] : first_chord;
    for (int32_t i = 0; i <= last; ++i) {
        size_t at = (size_t)i * count + k;
        a.chord_before = a.chord_after;
        if (i < last) {
            a.chord_after = (double)curve->out[at];
        } else if (curve->closed) {
            a.chord_after = first_chord;
        }
        a.d_before = gti_curve_duration(curve->times_s, curve->key_count, i - 1, curve->closed);
        a.d_after = gti_curve_duration(curve->times_s, curve->key_count, i, curve->closed);
        Offsets offsets = shape_key(curve, def, i, at, &a);
        curve->in[at] = (float)offsets.in;
        curve->out[at] = (float)offsets.out;
    }
}

static void shorten_handles(GtCurve* curve, const GtCurveDef* def)
{
    for (int32_t i = 0; i < curve->key_count; ++i) {
        double before = gti_curve_duration(curve->times_s, curve->key_count, i - 1, curve->closed);
        double after = gti_curve_duration(curve->times_s, curve->key_count, i, curve->closed);
        curve->in_times_s[i] = (float)fmin((double)def->in_times_s[i], before);
        curve->out_times_s[i] = (float)fmin((double)def->out_times_s[i], after);
    }
}

GtResult gti_curve_shape(GtCurve* curve, const GtCurveDef* def, GtError* error)
{
    if (!curve->out) {
        return GT_OK;
    }
    size_t count = (size_t)curve->direction_count;
    find_chords(curve);
    for (size_t k = 0; k < count; ++k) {
        shape_component(curve, def, k);
    }
    if (curve->in_times_s) {
        shorten_handles(curve, def);
    }
    for (size_t i = 0; i < count * (size_t)curve->key_count; ++i) {
        if (!isfinite(curve->in[i]) || !isfinite(curve->out[i])) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "the speed at key %zu is beyond what a float holds", i / count);
        }
    }
    return GT_OK;
}
