// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Loops and events. A cycle is a half-open interval of the time that only grows, so that an event at its end belongs to
// the next one and happens once; events at the end of a clip that repeats happen as it ends.

#include "gertie/playback.h"

#include <math.h>

double gt_loop_time(GtLoop loop, double start_s, double end_s, double time_s, int64_t* cycle)
{
    double length = end_s - start_s;
    double cycles = 0.0;
    double offset = time_s > 0.0 ? fmin(length, time_s) : 0.0; // NaN is 0
    if (!(length > 0.0)) {
        offset = 0.0;
    } else if (loop != GT_LOOP_ONCE) {
        cycles = isfinite(time_s) ? floor(time_s / length) : 0.0;
        offset = isfinite(time_s) ? fmax(0.0, fmin(length, time_s - cycles * length)) : 0.0;
        if (loop == GT_LOOP_PING_PONG && fmod(cycles, 2.0) != 0.0) {
            offset = length - offset;
        }
    }
    if (cycle) {
        *cycle = (int64_t)fmax(-9e18, fmin(9e18, cycles));
    }
    return start_s + offset;
}

// When an event happens in a cycle, from its start; negative where it does not.
static double offset_in_cycle(const GtPlayStep* step, const GtClipEvent* event, double cycle)
{
    double length = step->end_s - step->start_s;
    double offset = event->time_s - step->start_s;
    if (!(offset >= 0.0 && offset <= length)) {
        return -1.0;
    }
    if (step->loop == GT_LOOP_PING_PONG) {
        offset = fmod(cycle, 2.0) != 0.0 ? length - offset : offset;
        return offset < length ? offset : -1.0;
    }
    return offset;
}

static bool is_passed(const GtPlayStep* step, double time_s)
{
    if (step->first && time_s == step->from_s) {
        return true;
    }
    return step->to_s >= step->from_s ? time_s > step->from_s && time_s <= step->to_s
                                      : time_s < step->from_s && time_s >= step->to_s;
}

static bool any_in_clip(const GtClipEvent* events, int32_t count, const GtPlayStep* step)
{
    for (int32_t i = 0; i < count; ++i) {
        if (events[i].time_s >= step->start_s && events[i].time_s <= step->end_s) {
            return true;
        }
    }
    return false;
}

int32_t gt_events_in_step(const GtClipEvent* events, int32_t event_count, const GtPlayStep* step, GtEventHit* out,
                          int32_t capacity)
{
    double length = step->end_s - step->start_s;
    bool loops = step->loop != GT_LOOP_ONCE && length > 0.0;
    if (!isfinite(step->from_s) || !isfinite(step->to_s) || !any_in_clip(events, event_count, step)) {
        return 0; // so that every cycle but the first and last writes something, and the loop below ends
    }
    double direction = step->to_s >= step->from_s ? 1.0 : -1.0;
    double cycle = loops ? floor(step->from_s / length) - (direction > 0.0 ? 1.0 : 0.0) : 0.0;
    double last = loops ? floor(step->to_s / length) - (direction > 0.0 ? 0.0 : 1.0) : 0.0;
    int32_t count = 0;
    for (; direction * (last - cycle) >= 0.0 && count < capacity; cycle += direction) {
        bool turned = step->loop == GT_LOOP_PING_PONG && loops && fmod(cycle, 2.0) != 0.0;
        for (int32_t i = 0; i < event_count && count < capacity; ++i) {
            int32_t event = turned == (direction < 0.0) ? i : event_count - 1 - i;
            double offset = offset_in_cycle(step, &events[event], cycle);
            double time_s = (loops ? cycle * length : 0.0) + offset;
            if (offset >= 0.0 && is_passed(step, time_s)) {
                out[count++] = (GtEventHit){ time_s, event };
            }
        }
        if (cycle + direction == cycle) { // beyond what a double counts
            break;
        }
    }
    return count;
}
