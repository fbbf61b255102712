// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Motions in step: time as a monotone cubic of phase, whose slopes at the keys are harmonic means of those to both
// sides (F. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic interpolants", 1984).

#include "gertie/playback.h"

#include "base/fail.h"

#include <math.h>

// A key and what follows it.
typedef struct Segment {
    double time_s;
    double length_s;
    double slope; // at its start and its end, seconds a phase
    double end_slope;
} Segment;

GtResult gt_phase_keys_check(const GtPhaseKeys* keys, GtError* error)
{
    if (keys->key_count < 2 || !keys->times_s) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "phases need two keys or more, not %d", keys->key_count);
    }
    for (int32_t i = 0; i < keys->key_count; ++i) {
        if (!isfinite(keys->times_s[i]) || (i && !(keys->times_s[i] > keys->times_s[i - 1]))) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "time of key %d is not after that of the key before", i);
        }
    }
    return GT_OK;
}

static double length_at(const GtPhaseKeys* keys, int32_t segment)
{
    int32_t count = keys->key_count - 1;
    if (segment < 0 || segment >= count) {
        segment = keys->cyclic ? (segment + count) % count : (segment < 0 ? 0 : count - 1);
    }
    return (double)keys->times_s[segment + 1] - (double)keys->times_s[segment];
}

static double slope_at(const GtPhaseKeys* keys, int32_t key)
{
    double before = length_at(keys, key - 1);
    double after = length_at(keys, key);
    return 2.0 / (1.0 / before + 1.0 / after);
}

static Segment segment_at(const GtPhaseKeys* keys, int32_t key)
{
    return (Segment){ (double)keys->times_s[key], length_at(keys, key), slope_at(keys, key), slope_at(keys, key + 1) };
}

static double time_in(const Segment* s, double u)
{
    double v = 1.0 - u;
    return s->time_s + u * u * (3.0 - 2.0 * u) * s->length_s + u * v * (v * s->slope - u * s->end_slope);
}

static double rate_in(const Segment* s, double u)
{
    double v = 1.0 - u;
    return 6.0 * u * v * s->length_s + v * (v - 2.0 * u) * s->slope + u * (u - 2.0 * v) * s->end_slope;
}

// How many whole cycles to take off to come between the keys, 0 where there are no cycles.
static double cycles_of(const GtPhaseKeys* keys, double from_start, double length)
{
    return keys->cyclic && isfinite(from_start) ? floor(from_start / length) : 0.0;
}

static double duration_of(const GtPhaseKeys* keys)
{
    return (double)keys->times_s[keys->key_count - 1] - (double)keys->times_s[0];
}

// Which segment, and how far along it: outside 0 to 1 only where the first or the last goes straight on.
static int32_t split_phase(const GtPhaseKeys* keys, double phase, double* u)
{
    if (!isfinite(phase)) {
        *u = 0.0;
        return 0;
    }
    double key = fmax(0.0, fmin((double)(keys->key_count - 2), floor(phase)));
    *u = phase - key;
    return (int32_t)key;
}

double gt_phase_time(const GtPhaseKeys* keys, double phase)
{
    double u;
    double cycles = cycles_of(keys, phase, (double)(keys->key_count - 1));
    int32_t key = split_phase(keys, phase - cycles * (double)(keys->key_count - 1), &u);
    Segment s = segment_at(keys, key);
    double inside = fmax(0.0, fmin(1.0, u));
    double beyond = (u - inside) * (u < 0.0 ? s.slope : s.end_slope);
    return time_in(&s, inside) + beyond + cycles * duration_of(keys);
}

// How many seconds of the motion one phase takes, at a phase.
static double phase_duration(const GtPhaseKeys* keys, double phase)
{
    double u;
    double cycles = cycles_of(keys, phase, (double)(keys->key_count - 1));
    int32_t key = split_phase(keys, phase - cycles * (double)(keys->key_count - 1), &u);
    Segment s = segment_at(keys, key);
    return rate_in(&s, fmax(0.0, fmin(1.0, u)));
}

// The cubic is monotone: Newton's steps, halving where they leave the bracket.
static double solve(const Segment* s, double time_s)
{
    double low = 0.0;
    double high = 1.0;
    double u = (time_s - s->time_s) / s->length_s;
    for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
        double off = time_in(s, u) - time_s;
        if (fabs(off) <= 1e-15 * s->length_s) {
            break;
        }
        low = off < 0.0 ? u : low;
        high = off < 0.0 ? high : u;
        double next = u - off / rate_in(s, u);
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}

double gt_time_phase(const GtPhaseKeys* keys, double time_s)
{
    int32_t count = keys->key_count - 1;
    double start_s = (double)keys->times_s[0];
    double cycles = cycles_of(keys, time_s - start_s, duration_of(keys));
    double inside = time_s - cycles * duration_of(keys);
    if (!isfinite(inside)) {
        return 0.0;
    }
    int32_t low = 0;
    int32_t high = count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        low = (double)keys->times_s[middle] <= inside ? middle : low;
        high = (double)keys->times_s[middle] <= inside ? high : middle;
    }
    Segment s = segment_at(keys, low);
    double phase = (double)low + cycles * (double)count;
    if (inside < s.time_s) {
        return phase + (inside - s.time_s) / s.slope;
    }
    if (inside > s.time_s + s.length_s) {
        return phase + 1.0 + (inside - s.time_s - s.length_s) / s.end_slope;
    }
    return phase + solve(&s, inside);
}

double gt_time_warp(const GtPhaseKeys* from, const GtPhaseKeys* to, double time_s)
{
    return gt_phase_time(to, gt_time_phase(from, time_s));
}

double gt_phase_rate(const GtPhaseKeys* keys, const float* weights, int32_t count, double phase)
{
    double seconds = 0.0;
    double total = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        if (weights[i] > 0.0f) {
            seconds += (double)weights[i] * phase_duration(&keys[i], phase);
            total += (double)weights[i];
        }
    }
    return total > 0.0 && seconds > 0.0 ? total / seconds : 0.0;
}
