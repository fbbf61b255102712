// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Evaluation of AnimationCurves: where a time falls among the keys, the segment there, and what lies before the first
// key and after the last.

#include "io/fbx/curve.h"

#include <math.h>

enum {
    NEAR_STEPS = 4,    // keys that the cursor walks before the time is searched for
    BEZIER_STEPS = 24, // bisection takes over where a step leaves the bracket, so that this many always suffice
};

// The last key at or before a time that lies in [first key, last key].
static int32_t find_key(GtiFbxCurve* curve, double time)
{
    const GtiFbxKey* keys = curve->keys;
    int32_t at = curve->cursor;
    int32_t last = curve->key_count - 1;
    for (int32_t i = 0; i < NEAR_STEPS; ++i) {
        if (keys[at].time > time) {
            --at;
        } else if (at < last && keys[at + 1].time <= time) {
            ++at;
        } else {
            curve->cursor = at;
            return at;
        }
    }
    int32_t low = 0;
    int32_t high = last + 1; // keys[low].time <= time < keys[high].time
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    curve->cursor = low;
    return low;
}

// The parameter where a cubic Bezier from 0 to 1 with control points x1 and x2 in [0, 1], which is monotonic, is x, by
// Halley's method.
static double solve_bezier(double x1, double x2, double x)
{
    double c = 3.0 * x1;
    double b = 3.0 * (x2 - x1) - c;
    double a = 1.0 - c - b;
    double low = 0.0;
    double high = 1.0;
    double t = x;
    for (int i = 0; i < BEZIER_STEPS; ++i) {
        double miss = ((a * t + b) * t + c) * t - x;
        if (fabs(miss) < 1e-14) {
            break;
        }
        if (miss > 0.0) {
            high = t;
        } else {
            low = t;
        }
        double slope = (3.0 * a * t + 2.0 * b) * t + c;
        double bend = 3.0 * a * t + b; // half the second derivative
        double next = t - miss * slope / (slope * slope - miss * bend);
        bool is_inside = next > low && next < high;
        bool is_last = is_inside && fabs(next - t) < 1e-5 && slope > 0.1; // the next miss goes with its cube
        t = is_inside ? next : 0.5 * (low + high);                        // also where the slope is 0
        if (is_last) {
            break;
        }
    }
    return t;
}

// A cubic segment: values at its ends and of its control points.
typedef struct CubicSegment {
    double y0, y1, y2, y3;
} CubicSegment;

static CubicSegment cubic_segment(const GtiFbxCurve* curve, const GtiFbxKey* key)
{
    double seconds = (key[1].time - key->time) / curve->ticks_per_s;
    bool is_weighted = key->interpolation == GTI_FBX_CUBIC_WEIGHTED;
    double x1 = is_weighted ? (double)key->right_weight : 1.0 / 3.0;
    double x2 = is_weighted ? (double)key[1].left_weight : 1.0 / 3.0;
    return (CubicSegment){ key->value, key->value + x1 * seconds * (double)key->right_slope,
                           key[1].value - x2 * seconds * (double)key[1].left_slope, key[1].value };
}

static inline double evaluate_cubic(CubicSegment y, const GtiFbxKey* key, double x)
{
    double t = x;
    if (key->interpolation == GTI_FBX_CUBIC_WEIGHTED) {
        t = solve_bezier((double)key->right_weight, 1.0 - (double)key[1].left_weight, x);
    }
    double u = 1.0 - t;
    return u * u * (u * y.y0 + 3.0 * t * y.y1) + t * t * (3.0 * u * y.y2 + t * y.y3);
}

// The value at a time in [first key, last key], and at those that follow it in the same segment.
// @return how many
static int32_t evaluate_segment(GtiFbxCurve* curve, const double* times, int32_t count, double* out)
{
    const GtiFbxKey* key = &curve->keys[find_key(curve, times[0])];
    if (key == &curve->keys[curve->key_count - 1] || key->time == times[0] || key->interpolation == GTI_FBX_CONSTANT) {
        out[0] = key->value;
        return 1;
    }
    if (key->interpolation == GTI_FBX_CONSTANT_NEXT) {
        out[0] = key[1].value;
        return 1;
    }
    double length = key[1].time - key->time;
    bool is_linear = key->interpolation == GTI_FBX_LINEAR;
    CubicSegment segment = is_linear ? (CubicSegment){ 0 } : cubic_segment(curve, key);
    int32_t done = 0;
    do {
        double x = (times[done] - key->time) / length;
        out[done] = is_linear ? key->value + x * (key[1].value - key->value) : evaluate_cubic(segment, key, x);
        ++done;
    } while (done < count && times[done] > key->time && times[done] < key[1].time);
    return done;
}

// The value at a time in [first key, last key].
static double evaluate_inside(GtiFbxCurve* curve, double time)
{
    double value = 0.0;
    evaluate_segment(curve, &time, 1, &value);
    return value;
}

static double evaluate_repeated(GtiFbxCurve* curve, double time, bool is_before)
{
    const GtiFbxKey* first = &curve->keys[0];
    const GtiFbxKey* last = &curve->keys[curve->key_count - 1];
    const GtiFbxOutside* outside = is_before ? &curve->before : &curve->after;
    double length = last->time - first->time;
    double beyond = is_before ? first->time - time : time - last->time;
    if (!(length >= 1.0)) {
        return is_before ? first->value : last->value;
    }
    double turn = floor(beyond / length);
    double rest = beyond - turn * length;
    if (outside->repeat_count > 0 && turn >= (double)outside->repeat_count) {
        turn = (double)(outside->repeat_count - 1);
        rest = length;
    }
    if (outside->mode == GTI_FBX_MIRROR && fmod(turn, 2.0) == 0.0) {
        rest = length - rest;
    }
    rest = is_before ? length - rest : rest;
    double value = evaluate_inside(curve, fmin(fmax(first->time + rest, first->time), last->time));
    if (outside->mode == GTI_FBX_REPEAT_RELATIVE) {
        value += (is_before ? -1.0 : 1.0) * (turn + 1.0) * (last->value - first->value);
    }
    return value;
}

static double evaluate_outside(GtiFbxCurve* curve, double time, bool is_before)
{
    const GtiFbxKey* key = is_before ? &curve->keys[0] : &curve->keys[curve->key_count - 1];
    const GtiFbxOutside* outside = is_before ? &curve->before : &curve->after;
    if (outside->mode == GTI_FBX_SLOPE) {
        double slope = (double)(is_before ? key->right_slope : key->left_slope);
        return key->value + slope * (time - key->time) / curve->ticks_per_s;
    }
    return outside->mode == GTI_FBX_HOLD || outside->repeat_count == 0 ? key->value
                                                                       : evaluate_repeated(curve, time, is_before);
}

double gti_fbx_evaluate(GtiFbxCurve* curve, double time, double otherwise)
{
    if (curve->key_count <= 1) {
        return curve->key_count ? curve->keys[0].value : otherwise;
    }
    bool is_before = time < curve->keys[0].time;
    if (is_before || time > curve->keys[curve->key_count - 1].time) {
        return evaluate_outside(curve, time, is_before);
    }
    return evaluate_inside(curve, time);
}

void gti_fbx_evaluate_times(GtiFbxCurve* curve, const double* times, int32_t count, double otherwise, double* out)
{
    bool is_constant = curve->key_count <= 1;
    double begin = is_constant ? INFINITY : curve->keys[0].time;
    double end = is_constant ? INFINITY : curve->keys[curve->key_count - 1].time;
    for (int32_t i = 0; i < count;) {
        if (times[i] >= begin && times[i] <= end) {
            i += evaluate_segment(curve, times + i, count - i, out + i);
        } else {
            out[i] = gti_fbx_evaluate(curve, times[i], otherwise);
            ++i;
        }
    }
}

// A cubic is at most an eighth of its largest second derivative off its chord, which is at one of the ends; its slope
// is within those of its control polygon.
static GtiFbxBend cubic_bend(CubicSegment y, double part)
{
    double left = fabs(y.y0 - 2.0 * y.y1 + y.y2);
    double right = fabs(y.y1 - 2.0 * y.y2 + y.y3);
    double slope = fmax(fabs(y.y1 - y.y0), fmax(fabs(y.y2 - y.y1), fabs(y.y3 - y.y2)));
    return (GtiFbxBend){ 6.0 / 8.0 * fmax(left, right) * part * part, 3.0 * slope * part };
}

GtiFbxBend gti_fbx_curve_bend(GtiFbxCurve* curve, double begin, double end)
{
    const GtiFbxBend unknown = { INFINITY, INFINITY };
    const GtiFbxBend still = { 0.0, 0.0 };
    if (curve->key_count <= 1) {
        return still;
    }
    const GtiFbxKey* first = &curve->keys[0];
    const GtiFbxKey* last = &curve->keys[curve->key_count - 1];
    if (end < first->time || begin > last->time) {
        return (end < first->time ? curve->before : curve->after).mode == GTI_FBX_HOLD ? still : unknown;
    }
    if (begin < first->time || end > last->time) {
        return unknown;
    }
    const GtiFbxKey* key = &curve->keys[find_key(curve, begin)];
    // Of keys at one time the last counts, so that the curve jumps there.
    if (key == last || end > key[1].time || (key + 1 < last && key[2].time == key[1].time)) {
        return unknown;
    }
    double part = (end - begin) / (key[1].time - key->time);
    if (key->interpolation == GTI_FBX_LINEAR) {
        return (GtiFbxBend){ 0.0, fabs(key[1].value - key->value) * part };
    }
    return key->interpolation == GTI_FBX_CUBIC ? cubic_bend(cubic_segment(curve, key), part) : unknown;
}

// Times collected so far.
typedef struct TimeList {
    int64_t begin, end;
    int64_t last;
    size_t count, capacity;
    int64_t* out;
} TimeList;

static void add_time(TimeList* list, int64_t time)
{
    if (time > list->begin && time < list->end && time > list->last && list->count < list->capacity) {
        if (list->out) {
            list->out[list->count] = time;
        }
        ++list->count;
        list->last = time;
    }
}

// The key's time with the sides of a jump there.
static void add_key(TimeList* list, const GtiFbxKey* key, const GtiFbxKey* before, int64_t time)
{
    if (before && (before->interpolation == GTI_FBX_CONSTANT || before->time == key->time)) {
        add_time(list, time - 1);
    }
    add_time(list, time);
    if (key->interpolation == GTI_FBX_CONSTANT_NEXT) {
        add_time(list, time + 1);
    }
}

// One pass through the keys, moved to begin at `start`, backwards for a mirrored one.
static void add_turn(const GtiFbxCurve* curve, TimeList* list, int64_t start, bool mirrored)
{
    int64_t first = (int64_t)curve->keys[0].time;
    int64_t last = (int64_t)curve->keys[curve->key_count - 1].time;
    for (int32_t i = 0; i < curve->key_count && list->count < list->capacity; ++i) {
        const GtiFbxKey* key = &curve->keys[mirrored ? curve->key_count - 1 - i : i];
        int64_t time = start + (mirrored ? last - (int64_t)key->time : (int64_t)key->time - first);
        if (mirrored) { // a jump may be on either side
            add_time(list, time - 1);
            add_time(list, time);
            add_time(list, time + 1);
        } else {
            add_key(list, key, i > 0 ? key - 1 : NULL, time);
        }
        if (time >= list->end) {
            break;
        }
    }
}

// How many turns of a repeated curve lie between the keys and a far end.
static int64_t count_turns(const GtiFbxOutside* outside, int64_t distance, int64_t length)
{
    if (outside->mode < GTI_FBX_REPEAT || distance <= 0 || length < 1) {
        return 0;
    }
    int64_t turns = (distance - 1) / length + 1;
    return outside->repeat_count >= 0 && outside->repeat_count < turns ? outside->repeat_count : turns;
}

size_t gti_fbx_curve_times(const GtiFbxCurve* curve, int64_t begin, int64_t end, size_t capacity, int64_t* out)
{
    TimeList list = { begin, end, INT64_MIN, 0, capacity, out };
    if (curve->key_count == 0) {
        return 0;
    }
    int64_t first = (int64_t)curve->keys[0].time;
    int64_t last = (int64_t)curve->keys[curve->key_count - 1].time;
    int64_t length = last - first;
    int64_t turns_before = count_turns(&curve->before, first - begin, length);
    for (int64_t turn = turns_before; turn > 0 && list.count < capacity && first - turn * length < end; --turn) {
        add_time(&list, first - turn * length - 1);
        add_turn(curve, &list, first - turn * length, curve->before.mode == GTI_FBX_MIRROR && turn % 2 == 1);
        add_time(&list, first - (turn - 1) * length - 1);
        add_time(&list, first - (turn - 1) * length);
        add_time(&list, first - (turn - 1) * length + 1);
    }
    add_turn(curve, &list, first, false);
    int64_t turns_after = count_turns(&curve->after, end - last, length);
    int64_t turn_of_begin = length >= 1 && begin > last ? (begin - last) / length : 0;
    for (int64_t turn = turn_of_begin; turn < turns_after && list.count < capacity; ++turn) {
        add_time(&list, last + turn * length + 1);
        add_turn(curve, &list, last + turn * length, curve->after.mode == GTI_FBX_MIRROR && turn % 2 == 0);
        add_time(&list, last + (turn + 1) * length - 1);
        add_time(&list, last + (turn + 1) * length);
        add_time(&list, last + (turn + 1) * length + 1);
    }
    return list.count;
}
