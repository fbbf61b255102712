// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of one frame: x, y, z, w in the four lanes, and four triangles at a time where they turn. Included once by
// the file of each processor level, after its lanes; see harmonic_lanes.h.

#ifndef GERTIE_RUNTIME_HARMONIC_LIVE_H
#define GERTIE_RUNTIME_HARMONIC_LIVE_H

#define TURN_LANES       1
#define POINT_LANES      1
#define TURN_PASS        1
#define CURED_PASS       2
#define GROUPS           1
#define LANE_STEP        LANE_SIZE
#define FETCHED          512
#define FETCHED_DIAGONAL 512

#include "runtime/harmonic/harmonic_lanes.h"

_Static_assert(LANE_SIZE == 4 && GTI_FLOCK == 4, "four components, and four triangles to be turned into rows of them");

INLINE void add_to(float* to, Lane value)
{
    lane_store(to, lane_add(lane_load(to), value));
}

// Vectors of corner k of triangles [begin, end), a triangle a lane.
INLINE void load_corners(const float* turns, const int32_t (*corners)[3], int k, const int begin, const int end,
                         Lane out[4])
{
    for (int i = 0; i < 4; ++i) {
        bool is_in = i >= begin && i < end;
        out[i] = is_in ? lane_load(&turns[TURN_SIZE * (size_t)corners[i][k]]) : lane_set(0.0f);
    }
    lane_transpose(out);
}

INLINE void turn_corners(const GtiHarmonicJob* job, int32_t flock, const int begin, const int end, const Lane rest[6],
                         Lane turned[6])
{
    const int32_t(*corners)[3] = &job->cut->corners[flock * GTI_FLOCK];
    Lane q[4];
    for (int i = 0; i < 4; ++i) {
        q[i] = lane_set(0.0f);
        for (int k = 0; k < 3 && i >= begin && i < end; ++k) {
            q[i] = lane_add(q[i], lane_load(&job->turns[TURN_SIZE * (size_t)corners[i][k]]));
        }
    }
    lane_transpose(q);
    turn_vectors(q, rest, turned, 2);
}

INLINE void turn_cured_corners(const GtiHarmonicJob* job, int32_t flock, const int begin, const int end,
                               const Lane rest[6], Lane turned[6])
{
    const int32_t(*corners)[3] = &job->cut->corners[flock * GTI_FLOCK];
    Lane q[3][4];
    Lane ways[3][3];
    Lane cure[GTI_CURE_SIZE];
    for (int k = 0; k < 3; ++k) {
        Lane way[4];
        load_corners(job->turns, corners, k, begin, end, q[k]);
        load_corners(&job->turns[LANE_SIZE], corners, k, begin, end, way);
        memcpy(ways[k], way, sizeof ways[k]);
    }
    for (int k = 0; k < GTI_CURE_SIZE; ++k) {
        cure[k] = lane_load(job->harmonic->cures[flock][k]);
    }
    turn_cured((const Lane(*)[4])q, (const Lane(*)[3])ways, rest, cure, turned);
}

// Triangles [begin, end) of one flock, lanes 0 to 3.
INLINE void turn_flock(const GtiHarmonicJob* job, int32_t flock, const int begin, const int end)
{
    const int32_t(*corners)[3] = &job->cut->corners[flock * GTI_FLOCK];
    Lane rest[6];
    Lane turned[6];
    for (int k = 0; k < 6; ++k) {
        rest[k] = lane_load(job->harmonic->vectors[flock][k]);
    }
    if (job->harmonic->has_axes) {
        turn_cured_corners(job, flock, begin, end, rest, turned);
    } else {
        turn_corners(job, flock, begin, end, rest, turned);
    }
    Lane first[4] = { turned[0], turned[1], turned[2], lane_set(0.0f) };
    Lane second[4] = { turned[3], turned[4], turned[5], lane_set(0.0f) };
    lane_transpose(first);
    lane_transpose(second);
    for (int i = begin; i < end; ++i) {
        const int32_t* c = corners[i];
        add_to(&job->points[4 * (size_t)c[0]], first[i]);
        add_to(&job->points[4 * (size_t)c[1]], second[i]);
        float* to = &job->points[4 * (size_t)c[2]];
        lane_store(to, lane_sub(lane_load(to), lane_add(first[i], second[i])));
    }
}

static void turn_ragged(const GtiHarmonicJob* job, int32_t flock, int begin, int end)
{
    turn_flock(job, flock, begin, end);
}

static void turn_run(const GtiHarmonicJob* job, int32_t begin, int32_t end)
{
    for (int32_t t = begin; t < end;) {
        int32_t flock = t / GTI_FLOCK;
        int32_t flock_end = (flock + 1) * GTI_FLOCK;
        if (t % GTI_FLOCK == 0 && flock_end <= end) {
            turn_flock(job, flock, 0, GTI_FLOCK);
        } else {
            turn_ragged(job, flock, t % GTI_FLOCK, (flock_end < end ? flock_end : end) - flock * GTI_FLOCK);
        }
        t = flock_end;
    }
}

static void turn(const GtiHarmonicJob* job)
{
    turn_runs(job, turn_run);
}

// Four slots at a time, as far as there are so many.
static void twist(const GtiHarmonicJob* job)
{
    int32_t count = job->piece->vertex_count + job->piece->border_count;
    for (int32_t first = 0; first < count; first += 4) {
        int32_t end = count - first < 4 ? count - first : 4;
        float angles[4] = { 0.0f };
        float sines[4];
        float versines[4];
        for (int32_t i = 0; i < end; ++i) {
            angles[i] = job->turns[(size_t)(first + i) * TURN_SIZE + LANE_SIZE];
        }
        Lane sine;
        Lane versine;
        sine_versine(lane_load(angles), &sine, &versine);
        lane_store(sines, sine);
        lane_store(versines, versine);
        for (int32_t i = 0; i < end; ++i) {
            const float(*offset)[4] = job->cut->offsets[job->piece->slot + first + i];
            Lane across = lane_mul(lane_set(sines[i]), lane_load(offset[1]));
            lane_store(&job->turns[(size_t)(first + i) * TURN_SIZE + LANE_SIZE],
                       lane_mul_sub(lane_set(versines[i]), lane_load(offset[0]), across));
        }
    }
}

#define LIVE_KERNELS                                                                                                   \
    {                                                                                                                  \
        .turn_size = TURN_SIZE, .point_size = POINT_SIZE, .spread = spread, .twist = twist, .turn = turn,              \
        .gather = gather, .settle = settle,                                                                            \
    }

#endif
