// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: curves through keys.
///
/// Curves through keys: numbers, vectors or rotations over time, by the laws that animators know. Make one, then
/// evaluate it at any time, in any order, at the price of one bisection of its keys; nothing allocates after creation.
/// (What a channel did, sampled to be drawn, is a GtPlotSeries of gertie/plot.h.)
///
/// Between the keys i and i + 1, d(i) seconds apart, a law is a cubic. Its derivatives at the keys, in the time of the
/// segment before (source) and of the segment after (destination), are for Kochanek and Bartels
///
///     source(i)      = (1-t)(1-c)(1+b)/2 chord(i-1) + (1-t)(1+c)(1-b)/2 chord(i),  times 2 d(i-1) / (d(i-1) + d(i))
///     destination(i) = (1-t)(1+c)(1+b)/2 chord(i-1) + (1-t)(1-c)(1-b)/2 chord(i),  times 2 d(i)   / (d(i-1) + d(i))
///
/// with chord(i) = value(i+1) - value(i), or, for rotations, the axis times the angle of the shorter turn from one to
/// the other. A chord that is missing at an end is the same as its neighbour, or that across the seam of a closed
/// curve.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_CURVE_H
#define GERTIE_CURVE_H

#include "gertie/error.h"
#include "gertie/memory.h"
#include "gertie/quat.h"

GT_EXTERN_C_BEGIN

/// A curve through keys. Immutable, one block of memory; any thread may read it.
typedef struct GtCurve GtCurve;

/// What a curve gives.
typedef enum GtCurveKind {
    GT_CURVE_NUMBERS,  ///< 1 or more numbers, each on its own
    GT_CURVE_ROTATION, ///< a unit quaternion x, y, z, w; its keys at most half a turn apart
} GtCurveKind;

/// How a curve goes from key to key. C0, C1, C2: its value, velocity, acceleration have no jumps.
typedef enum GtCurveLaw {
    GT_LAW_STEP,             ///< each key holds until the next
    GT_LAW_LINEAR,           ///< C0; slerp for rotations
    GT_LAW_CATMULL_ROM,      ///< C1, through all keys, at each as fast as from its neighbour to its neighbour
    GT_LAW_CARDINAL,         ///< C1, the same with all speeds times 1 - tension
    GT_LAW_KOCHANEK_BARTELS, ///< through all keys, each with tension, continuity and bias of its own; C1 where c = 0
    GT_LAW_HERMITE,          ///< through all keys, with given velocities before and after each
    GT_LAW_BEZIER,           ///< through all keys, with handles before and after each
    GT_LAW_B_SPLINE,         ///< C2, near its keys; through the first and the last, unless closed
    GT_LAW_SQUAD,            ///< rotations only: Shoemake's quadrangles, C1 for uneven keys too
    GT_LAW_COUNT
} GtCurveLaw;

/// Shape of a Kochanek-Bartels curve at a key. Each is 0 for Catmull-Rom, and usually from -1 to 1.
typedef struct GtKeyShape {
    float tension;    ///< 1: tight, the curve stops at the key; -1: loose, twice as fast
    float continuity; ///< -1: a corner as of straight lines, as where a ball bounces; 1: a corner the other way round
    float bias;       ///< -1: undershoots, turns early towards the next key; 1: overshoots, turns late
} GtKeyShape;

/// Gentle start and stop of a segment: the share of its time that passes while it gathers speed evenly, and while it
/// loses it. Both 0: the law as it is. Neither is negative, together they are at most 1.
typedef struct GtEase {
    float in;
    float out;
} GtEase;

/// What a curve is outside its keys. A curve of one key, or one that is asked for a time that is not finite, holds.
typedef enum GtExtrapolation {
    GT_EXTRAPOLATE_HOLD,         ///< the value at the end
    GT_EXTRAPOLATE_LINEAR,       ///< on with the velocity of the end
    GT_EXTRAPOLATE_CYCLE,        ///< all over again; what was at the last key is now at the first
    GT_EXTRAPOLATE_CYCLE_OFFSET, ///< likewise, going on from the value at the end, as somebody who walks
    GT_EXTRAPOLATE_PING_PONG,    ///< back and forth
    GT_EXTRAPOLATE_COUNT
} GtExtrapolation;

/// Keys and law of a curve. Start from gt_default_curve_def(). C is component_count; D, what the arrays of
/// directions have for each key, is C, or 3 for a rotation: axis times angle in radians, in the axes of that key.
typedef struct GtCurveDef {
    GtCurveKind kind;
    GtCurveLaw law;
    int32_t component_count;  ///< 1 or more; 4 for a rotation
    int32_t key_count;        ///< 1 or more
    const float* times_s;     ///< [key_count] increasing
    const float* values;      ///< [key_count * C]; quaternions need not have unit length, but some
    float tension;            ///< CARDINAL
    const GtKeyShape* shapes; ///< [key_count] KOCHANEK_BARTELS; NULL for 0, 0, 0
    const float* in; ///< [key_count * D] HERMITE: velocity before the key, a second; BEZIER: from the key to the handle
                     ///< before it; needed by these two
    const float* out;        ///< [key_count * D] likewise after the key
    const float* in_times_s; ///< [key_count] BEZIER: how long before the key its handle is, 0 or more; NULL for a third
                             ///< of the segment; a handle that is longer than its segment is shortened, as it points
    const float* out_times_s; ///< [key_count] BEZIER: how long after the key; given where in_times_s is
    const GtEase* eases;      ///< [key_count - 1] of the segment after each key; NULL for none
    bool closed;              ///< the last key is the first one again: end keys have their neighbours across the seam
    GtExtrapolation before;
    GtExtrapolation after;
} GtCurveDef;

/// One number, linear, that holds at both ends; no keys yet.
GT_API GtCurveDef gt_default_curve_def(void);

/// Make a curve. Everything in `def` is checked and copied. GT_ERROR_BAD_VALUE where times do not increase (two keys at
/// one time are refused: jumps are for GT_LAW_STEP), where anything is not finite, a quaternion has no direction, a law
/// lacks its arrays, an ease is out of range, or speeds are beyond what floats hold.
/// @param out    receives the curve, or NULL on failure; free with gt_curve_destroy()
/// @param error  may be NULL; names the key at fault
GT_API GtResult gt_curve_create(GtAllocator allocator, const GtCurveDef* def, GtCurve** out, GtError* error);

/// Free a curve; `curve` may be NULL.
GT_API void gt_curve_destroy(GtCurve* curve);

GT_API GtCurveKind gt_curve_kind(const GtCurve* curve);
GT_API int32_t gt_curve_component_count(const GtCurve* curve);

/// Times of the first and the last key, in seconds.
GT_API double gt_curve_start_s(const GtCurve* curve);
GT_API double gt_curve_end_s(const GtCurve* curve);

/// Value at a time. Always finite; rotations have unit length. A time that is NaN counts as before the first key.
/// @param out  [component_count]
GT_API void gt_curve_eval(const GtCurve* curve, double time_s, float* out);

/// The first component at a time, for curves of one number.
GT_API float gt_curve_number(const GtCurve* curve, double time_s);

/// The derivative of gt_curve_eval(), in closed form: a second, or, for a rotation, the angular velocity in radians
/// a second about the axes that the quaternion turns into (its parent's). At a key, that of the segment after it. 0
/// where a curve holds; what is beyond a float (a handle that points straight up) is cut to the largest.
/// @param out  [component_count], 3 for a rotation
GT_API void gt_curve_derivative(const GtCurve* curve, double time_s, float* out);

/// How much of the way is done after a share of the time, both 0 to 1: evenly faster for `in`, even, evenly slower for
/// `out`. A share outside is cut to 0 or 1, NaN is 0.
GT_API float gt_ease(GtEase ease, float share);

GT_EXTERN_C_END

#endif
