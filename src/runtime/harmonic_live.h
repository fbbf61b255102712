// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of one frame: x, y, z, w in the four lanes, and four triangles at a time where they turn. Included once by
// the file of each processor level, after its lanes; see harmonic_lanes.h.

#ifndef GERTIE_RUNTIME_HARMONIC_LIVE_H
#define GERTIE_RUNTIME_HARMONIC_LIVE_H

#define TURN_LANES       1
#define POINT_LANES      1
#define TURN_PASS        1
#define GROUPS           1
#define LANE_STEP        LANE_SIZE
#define FETCHED          512
#define FETCHED_DIAGONAL 512

#include "runtime/harmonic_lanes.h"

_Static_assert(LANE_SIZE == 4 && GTI_FLOCK == 4, "four components, and four triangles to be turned into rows of them");

INLINE void transpose(Lane m[4])
{
    Lane a = __builtin_shufflevector(m[0], m[1], 0, 4, 1, 5);
    Lane b = __builtin_shufflevector(m[0], m[1], 2, 6, 3, 7);
    Lane c = __builtin_shufflevector(m[2], m[3], 0, 4, 1, 5);
    Lane d = __builtin_shufflevector(m[2], m[3], 2, 6, 3, 7);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    m[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

INLINE void add_to(float* to, Lane value)
{
    lane_store(to, lane_add(lane_load(to), value));
}

// Triangles [begin, end) of one flock, lanes 0 to 3.
INLINE void turn_flock(const GtiHarmonicJob* job, int32_t flock, const int begin, const int end)
{
    const int32_t(*corners)[3] = &job->cut->corners[flock * GTI_FLOCK];
    Lane q[4];
    Lane rest[6];
    Lane turned[6];
    for (int i = 0; i < 4; ++i) {
        q[i] = lane_set(0.0f);
        if (i >= begin && i < end) {
            const int32_t* c = corners[i];
            q[i] =
                lane_add(lane_add(lane_load(&job->turns[4 * (size_t)c[0]]), lane_load(&job->turns[4 * (size_t)c[1]])),
                         lane_load(&job->turns[4 * (size_t)c[2]]));
        }
    }
    transpose(q);
    for (int k = 0; k < 6; ++k) {
        rest[k] = lane_load(job->harmonic->vectors[flock][k]);
    }
    turn_vectors(q, rest, turned);
    Lane first[4] = { turned[0], turned[1], turned[2], lane_set(0.0f) };
    Lane second[4] = { turned[3], turned[4], turned[5], lane_set(0.0f) };
    transpose(first);
    transpose(second);
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

#define LIVE_KERNELS                                                                                                   \
    {                                                                                                                  \
        .turn_size = TURN_SIZE, .point_size = POINT_SIZE, .spread = spread, .turn = turn, .gather = gather,            \
        .settle = settle,                                                                                              \
    }

#endif
