// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// In the air nothing but gravity moves the centre of mass: its height is y = a + b t - g t^2 / 2, its way over the
// ground even. The path of free fall with the least squared distance is taken off, and what is left is the miss. A
// second fit leaves gravity free.

#include "measure/ground.h"

#include "base/sort.h"

#include <math.h>

enum {
    LEAST_FRAMES = 5 // to tell a parabola from noise
};

static const double least_gravity = 0.25; // of the real one, to be a fall at all

// Sums of a least-squares fit of a straight line.
typedef struct Line {
    double n, t, tt, v, tv;
} Line;

static void line_add(Line* line, double t, double v)
{
    line->n += 1.0;
    line->t += t;
    line->tt += t * t;
    line->v += v;
    line->tv += t * v;
}

static void line_solve(const Line* line, double* start, double* slope)
{
    double det = line->n * line->tt - line->t * line->t;
    *slope = det > 0.0 ? (line->n * line->tv - line->t * line->v) / det : 0.0;
    *start = (line->v - *slope * line->t) / line->n;
}

// Gravity of the best parabola: project t^2 and y off the straight lines, and compare what is left.
static double fit_gravity(const GtiPath* path, int32_t first, int32_t count)
{
    Line square = { 0 };
    Line height = { 0 };
    for (int32_t i = 0; i < count; ++i) {
        double t = i * path->step_s;
        line_add(&square, t, t * t);
        line_add(&height, t, (double)path->centers[first + i].y);
    }
    double square_start, square_slope, height_start, height_slope;
    line_solve(&square, &square_start, &square_slope);
    line_solve(&height, &height_start, &height_slope);
    double together = 0.0;
    double own = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double t = i * path->step_s;
        double s = t * t - square_start - square_slope * t;
        together += s * ((double)path->centers[first + i].y - height_start - height_slope * t);
        own += s * s;
    }
    return own > 0.0 ? -2.0 * together / own : NAN;
}

static double fall_miss(const GtiPath* path, int32_t first, int32_t count)
{
    Line lines[3] = { { 0 } };
    for (int32_t i = 0; i < count; ++i) {
        double t = i * path->step_s;
        GtVec3 c = path->centers[first + i];
        line_add(&lines[0], t, (double)c.x);
        line_add(&lines[1], t, (double)c.y + 0.5 * GTI_GRAVITY * t * t);
        line_add(&lines[2], t, (double)c.z);
    }
    double start[3];
    double slope[3];
    for (int k = 0; k < 3; ++k) {
        line_solve(&lines[k], &start[k], &slope[k]);
    }
    double miss = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double t = i * path->step_s;
        GtVec3 c = path->centers[first + i];
        double x = (double)c.x - start[0] - slope[0] * t;
        double y = (double)c.y - start[1] - slope[1] * t + 0.5 * GTI_GRAVITY * t * t;
        double z = (double)c.z - start[2] - slope[2] * t;
        miss = fmax(miss, sqrt(x * x + y * y + z * z));
    }
    return miss;
}

static GtResult find_airborne(GtArena* scratch, const GtiPath* judge, bool* airborne, GtError* error)
{
    size_t count = (size_t)judge->frame_count;
    float* room = gt_arena_push_array(scratch, count, sizeof *room);
    if (!room) {
        return gti_out_of_memory(error);
    }
    for (size_t f = 0; f < count; ++f) {
        airborne[f] = true;
    }
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        for (size_t f = 0; f < count; ++f) {
            room[f] = judge->marks[p][f].y;
        }
        float height = gti_percentile(room, judge->frame_count, GT_FLIGHT_PERCENTILE) + (float)GT_FLIGHT_HEIGHT_M;
        for (size_t f = 0; f < count; ++f) {
            airborne[f] = airborne[f] && judge->marks[p][f].y > height;
        }
    }
    return GT_OK;
}

GtResult gti_measure_flights(GtArena* arena, GtArena* scratch, const GtiPath* judge, const GtiPath* path,
                             double start_s, const GtFlightMeasure** flights, int32_t* flight_count, GtError* error)
{
    bool* airborne = gt_arena_push_array(scratch, (size_t)path->frame_count, sizeof *airborne);
    GtFlightMeasure* list = gt_arena_push_array(arena, (size_t)path->frame_count / LEAST_FRAMES + 1, sizeof *list);
    if (!airborne || !list) {
        return gti_out_of_memory(error);
    }
    GtResult result = find_airborne(scratch, judge, airborne, error);
    *flights = list;
    *flight_count = 0;
    for (int32_t f = 0, end; result == GT_OK && f < path->frame_count; f = end + 1) {
        end = f;
        while (end < path->frame_count && airborne[end]) {
            ++end;
        }
        int32_t count = end - f;
        if (count < LEAST_FRAMES || count * path->step_s < GT_FLIGHT_TIME_S ||
            !(fit_gravity(judge, f, count) > least_gravity * GTI_GRAVITY)) {
            continue;
        }
        list[(*flight_count)++] = (GtFlightMeasure){
            .start_s = start_s + f * path->step_s,
            .end_s = start_s + (end - 1) * path->step_s,
            .miss_m = fall_miss(path, f, count),
            .gravity_mps2 = fit_gravity(path, f, count),
        };
    }
    return result;
}
