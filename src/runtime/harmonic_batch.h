// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of a batch: GTI_BATCH frames side by side in the lanes. Included once by the file of each processor level,
// after its lanes; see harmonic_lanes.h. REGISTERS is how many vectors the processor holds.

#ifndef GERTIE_RUNTIME_HARMONIC_BATCH_H
#define GERTIE_RUNTIME_HARMONIC_BATCH_H

#define TURN_LANES       4
#define POINT_LANES      3
#define TURN_PASS        (REGISTERS > 16 ? 4 : 2)
#define GROUPS           (GT_HARMONIC_BATCH / LANE_SIZE)
#define LANE_STEP        GT_HARMONIC_BATCH
#define FETCHED          256
#define FETCHED_DIAGONAL 0

#include "runtime/harmonic_lanes.h"

INLINE void turn_triangle(const GtiHarmonicJob* job, int32_t triangle, int lane)
{
    const int32_t* corners = job->cut->corners[triangle];
    const float* q0 = &job->turns[(size_t)corners[0] * TURN_SIZE + (size_t)lane];
    const float* q1 = &job->turns[(size_t)corners[1] * TURN_SIZE + (size_t)lane];
    const float* q2 = &job->turns[(size_t)corners[2] * TURN_SIZE + (size_t)lane];
    const float(*vectors)[GTI_FLOCK] = job->harmonic->vectors[triangle / GTI_FLOCK];
    Lane q[4];
    Lane rest[6];
    Lane turned[6];
    for (int c = 0; c < 4; ++c) {
        q[c] = lane_add(lane_add(lane_load(&q0[c * LANE_STEP]), lane_load(&q1[c * LANE_STEP])),
                        lane_load(&q2[c * LANE_STEP]));
    }
    for (int k = 0; k < 6; ++k) {
        rest[k] = lane_set(vectors[k][triangle % GTI_FLOCK]);
    }
    turn_vectors(q, rest, turned);
    for (int k = 0; k < 2; ++k) {
        float* to = &job->points[(size_t)corners[k] * POINT_SIZE + (size_t)lane];
        for (int c = 0; c < 3; ++c) {
            lane_store(&to[c * LANE_STEP], lane_add(lane_load(&to[c * LANE_STEP]), turned[3 * k + c]));
        }
    }
    float* to = &job->points[(size_t)corners[2] * POINT_SIZE + (size_t)lane];
    for (int c = 0; c < 3; ++c) {
        Lane both = lane_add(turned[c], turned[3 + c]);
        lane_store(&to[c * LANE_STEP], lane_sub(lane_load(&to[c * LANE_STEP]), both));
    }
}

static void turn_run(const GtiHarmonicJob* job, int32_t begin, int32_t end)
{
    for (int32_t t = begin; t < end; ++t) {
        for (int group = 0; group < GROUPS; ++group) {
            turn_triangle(job, t, group * LANE_SIZE);
        }
    }
}

static void turn(const GtiHarmonicJob* job)
{
    turn_runs(job, turn_run);
}

#define BATCH_KERNELS                                                                                                  \
    {                                                                                                                  \
        .turn_size = TURN_SIZE, .point_size = POINT_SIZE, .spread = spread, .turn = turn, .gather = gather,            \
        .settle = settle,                                                                                              \
    }

#endif
