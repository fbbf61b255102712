// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A foot that is held in the air is as still as one on a box, but it does not carry the body: the other one does. So
// what counts is a foot that rests, under the hips, while the other one swings or rests as high. From there on it is
// on something for as long as it is about as high. Rests of about one height are on one thing.

#include "motion/contact/level.h"

#include "base/fail.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_S = 0.15;       // that a foot rests,
static const double LEAST_CARRY_S = 0.1;  // and carries the body within that
static const double TREMBLE_S = 0.04;     // before and after a moment, over which its speed is taken
static const double DRIFT_M = 0.04;       // that it may rise or sink by
static const double AROUND_M = 0.36;      // from hips to foot over the ground, at most, and
static const double UNDER_M = 0.45;       // from foot to hips, at least
static const double SWING_MPS = 0.3;      // of both parts of a foot that carries nothing
static const double AS_HIGH_M = 0.06;     // that the other foot may be lower by and not carry the body alone
static const double SAME_LEVEL_M = 0.035; // between the lowest and the highest rests that are on one thing
static const double NEAR_M = 0.07;        // from what it is on, that a foot may be to be still there

// Frames in which a foot rests on something.
typedef struct Rest {
    int side;
    int32_t first, last;
    float height; // metres above the floor
} Rest;

typedef struct Levels {
    const GtiTreading* t;
    Rest* rests;
    int32_t count;
} Levels;

static size_t place_of(const GtiTreading* t, int part, int32_t frame)
{
    return (size_t)part * (size_t)t->frame_count + (size_t)frame;
}

static double height_of(const GtiTreading* t, int side, int32_t frame)
{
    return fmin((double)t->heights[place_of(t, 2 * side, frame)], (double)t->heights[place_of(t, 2 * side + 1, frame)]);
}

// Of the slower part, since a foot may stand on its heel or its ball alone, and over some frames, since captures
// tremble.
static double speed_of(const GtiTreading* t, int side, int32_t frame)
{
    int32_t last = t->frame_count - 1;
    int32_t reach = t->step_s > 0.0 && TREMBLE_S / t->step_s < last ? (int32_t)(TREMBLE_S / t->step_s) + 1 : 1;
    int32_t before = frame > reach ? frame - reach : 0;
    int32_t after = frame < last - reach ? frame + reach : last;
    double least_m = INFINITY;
    for (int part = 2 * side; part < 2 * side + 2; ++part) {
        GtVec3 way = gt_vec3_sub(t->marks[place_of(t, part, after)], t->marks[place_of(t, part, before)]);
        least_m = fmin(least_m, (double)gt_vec3_length(way));
    }
    return after > before ? least_m / ((after - before) * t->step_s) : 0.0;
}

static bool rests_high(const GtiTreading* t, int side, int32_t frame)
{
    return speed_of(t, side, frame) < t->speed_mps * t->size && height_of(t, side, frame) > t->height_m * t->size;
}

static bool carries(const GtiTreading* t, int side, int32_t frame)
{
    int other = 1 - side;
    GtVec3 foot =
        gt_vec3_lerp(t->marks[place_of(t, 2 * side, frame)], t->marks[place_of(t, 2 * side + 1, frame)], 0.5f);
    GtVec3 up = gt_vec3_sub(t->hips[frame], foot);
    bool swings = speed_of(t, other, frame) > SWING_MPS * t->size;
    bool is_as_high = height_of(t, other, frame) > height_of(t, side, frame) - AS_HIGH_M * t->size;
    return (swings || is_as_high) && (double)up.y > UNDER_M * t->size &&
           hypot((double)up.x, (double)up.z) < AROUND_M * t->size;
}

static void find_rests(Levels* l, int side)
{
    const GtiTreading* t = l->t;
    for (int32_t f = 0; f < t->frame_count; ++f) {
        if (!rests_high(t, side, f)) {
            continue;
        }
        double start_m = height_of(t, side, f), sum_m = 0.0;
        int32_t first = f, carried = 0;
        for (;
             f < t->frame_count && rests_high(t, side, f) && fabs(height_of(t, side, f) - start_m) < DRIFT_M * t->size;
             ++f) {
            sum_m += height_of(t, side, f);
            carried += carries(t, side, f);
        }
        if ((f - first) * t->step_s >= LEAST_S && carried * t->step_s >= LEAST_CARRY_S) {
            l->rests[l->count++] = (Rest){ side, first, f - 1, (float)(sum_m / (f - first)) };
        }
        --f;
    }
}

static int compare_rests(const void* a, const void* b)
{
    const Rest* x = a;
    const Rest* y = b;
    return x->height != y->height ? (x->height > y->height) - (x->height < y->height) : x->first - y->first;
}

// Rests of about one height get their mean, each for as long as it lasts.
static void level_out(Levels* l)
{
    qsort(l->rests, (size_t)l->count, sizeof *l->rests, compare_rests);
    for (int32_t i = 0, end; i < l->count; i = end) {
        double sum = 0.0, frames = 0.0;
        float most = l->rests[i].height + (float)(SAME_LEVEL_M * l->t->size);
        for (end = i; end < l->count && l->rests[end].height <= most; ++end) {
            double length = l->rests[end].last - l->rests[end].first + 1;
            sum += length * (double)l->rests[end].height;
            frames += length;
        }
        for (int32_t k = i; k < end; ++k) {
            l->rests[k].height = (float)(sum / frames);
        }
    }
}

// From a frame of a rest on, as long as the foot is about as high and nothing else is said.
static void spread(const GtiTreading* t, const Rest* rest, int32_t from, int32_t step, float* levels)
{
    for (int32_t f = from; f >= 0 && f < t->frame_count && levels[f] == 0.0f &&
                           fabs(height_of(t, rest->side, f) - (double)rest->height) < NEAR_M * t->size;
         f += step) {
        levels[f] = rest->height;
    }
}

GtResult gti_levels_find(const GtiTreading* treading, GtArena* scratch, float* levels, bool* any, GtError* error)
{
    size_t count = (size_t)treading->frame_count;
    Levels l = { .t = treading };
    memset(levels, 0, GTI_SIDE_COUNT * count * sizeof *levels);
    l.rests = gt_arena_push_array(scratch, GTI_SIDE_COUNT * count, sizeof *l.rests);
    if (!l.rests) {
        return gti_out_of_memory(error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        find_rests(&l, side);
    }
    level_out(&l);
    for (int32_t i = 0; i < l.count; ++i) {
        float* own = levels + (size_t)l.rests[i].side * count;
        for (int32_t f = l.rests[i].first; f <= l.rests[i].last; ++f) {
            own[f] = l.rests[i].height;
        }
    }
    for (int32_t i = 0; i < l.count; ++i) {
        float* own = levels + (size_t)l.rests[i].side * count;
        spread(treading, &l.rests[i], l.rests[i].first - 1, -1, own);
        spread(treading, &l.rests[i], l.rests[i].last + 1, 1, own);
    }
    *any = l.count > 0;
    return GT_OK;
}

static double tilt_at(const GtiTreading* t, int side, int32_t frame)
{
    return (double)t->marks[place_of(t, 2 * side, frame)].y - (double)t->marks[place_of(t, 2 * side + 1, frame)].y;
}

// How much higher than its ball the heel of a foot is that lies flat. Figures without a skin are not always right about
// that; it is what it is most of the time on the foot that is less tilted.
static double flat_tilt(const GtiTreading* t, double most_m, bool* const* stands, float* room)
{
    double least = INFINITY;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t count = 0;
        for (int32_t f = 0; f < t->frame_count; ++f) {
            if (stands[2 * side][f] && stands[2 * side + 1][f]) {
                room[count++] = (float)tilt_at(t, side, f);
            }
        }
        double tilt = count > 0 ? (double)gti_percentile(room, count, 0.5) : INFINITY;
        least = fabs(tilt) < fabs(least) ? tilt : least;
    }
    return isfinite(least) ? fmin(fmax(least, -most_m), most_m) : 0.0;
}

void gti_lift_tilted(const GtiTreading* treading, double tilt_m, bool* const* stands, float* room)
{
    double most_m = tilt_m * treading->size;
    double flat_m = flat_tilt(treading, most_m, stands, room);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < treading->frame_count; ++f) {
            double tilt = tilt_at(treading, side, f) - flat_m;
            if (stands[2 * side][f] && stands[2 * side + 1][f] && fabs(tilt) > most_m) {
                stands[tilt > 0.0 ? 2 * side : 2 * side + 1][f] = false;
            }
        }
    }
}
