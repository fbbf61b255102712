// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: loops, events and time warping.
///
/// Time beside clips: loops, events that a motion passes, and motions kept in step although they are not equally long.
/// Plain functions on the caller's arrays; nothing is kept, nothing allocates.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_PLAYBACK_H
#define GERTIE_PLAYBACK_H

#include "gertie/error.h"

GT_EXTERN_C_BEGIN

/// What comes after the end of a clip.
typedef enum GtLoop {
    GT_LOOP_ONCE,      ///< nothing: the end holds
    GT_LOOP_REPEAT,    ///< the start again
    GT_LOOP_PING_PONG, ///< the way back
} GtLoop;

/// From a time that only grows, or shrinks, to a time of the clip. A clip without length is always at its start, and so
/// is a time that is not finite in a loop.
/// @param time_s  0 at the first start of the clip
/// @param cycle   receives how many times the clip has been gone through, rounded down; may be NULL
/// @return a time from start_s to end_s
GT_API double gt_loop_time(GtLoop loop, double start_s, double end_s, double time_s, int64_t* cycle);

/// Something that happens at a time of a clip: a footstep, a blow.
typedef struct GtClipEvent {
    double time_s; ///< of the clip
    int32_t id;    ///< the caller's
} GtClipEvent;

/// A step of a playing clip, in the time that gt_loop_time() takes; backwards where it ends before it begins.
typedef struct GtPlayStep {
    GtLoop loop;
    double start_s, end_s; ///< of the clip
    double from_s;         ///< this moment has been seen already, unless `first`
    double to_s;           ///< this moment is part of the step
    bool first;            ///< the step includes from_s, too
} GtPlayStep;

/// An event that a step passes.
typedef struct GtEventHit {
    double time_s; ///< from from_s to to_s
    int32_t event; ///< index into the events
} GtEventHit;

/// Events that a step passes, in the order it passes them, across ends of loops, however many. At the turn of a
/// ping-pong an event happens once. Events outside the clip never do.
/// @param events    [event_count] times not decreasing
/// @param out       [capacity]
/// @return how many were written; when that is `capacity` there may be more: go on from the last one's time
GT_API int32_t gt_events_in_step(const GtClipEvent* events, int32_t event_count, const GtPlayStep* step,
                                 GtEventHit* out, int32_t capacity);

/// Times of the same moments in every motion of a family, such as steps of a walk and of a run: the phase is i at the
/// time of key i, and goes smoothly from key to key. In cycles the last key is the first one again.
typedef struct GtPhaseKeys {
    const float* times_s; ///< [key_count] increasing
    int32_t key_count;    ///< 2 or more
    bool cyclic;          ///< go on with the cycle outside the keys, not straight
} GtPhaseKeys;

/// See whether keys are as they have to be for the calls below.
GT_API GtResult gt_phase_keys_check(const GtPhaseKeys* keys, GtError* error);

/// Time at a phase, and phase at a time: monotone and without jumps of speed, each the inverse of the other. What is
/// not finite is the first key.
GT_API double gt_phase_time(const GtPhaseKeys* keys, double phase);
GT_API double gt_time_phase(const GtPhaseKeys* keys, double time_s);

/// The moment of one motion that corresponds to a time of another: time warping.
GT_API double gt_time_warp(const GtPhaseKeys* from, const GtPhaseKeys* to, double time_s);

/// Speed of several motions that are blended in step, in phases a second: each pulls as much as it weighs. Add it times
/// the frame's seconds to the phase, and sample each motion at gt_phase_time().
/// @param keys     [count] with equally many keys each
/// @param weights  [count] those that are not above 0 do not count; 0 is the result when none is
GT_API double gt_phase_rate(const GtPhaseKeys* keys, const float* weights, int32_t count, double phase);

GT_EXTERN_C_END

#endif
