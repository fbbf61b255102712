// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of a batch: GTI_BATCH frames side by side in the lanes. Included once by the file of each processor level,
// after its lanes; see harmonic_lanes.h. REGISTERS is how many vectors the processor holds.

#ifndef GERTIE_RUNTIME_HARMONIC_BATCH_H
#define GERTIE_RUNTIME_HARMONIC_BATCH_H

#define TURN_LANES       4
#define POINT_LANES      3
#define TURN_PASS        (REGISTERS > 16 ? 4 : 2)
#define CURED_PASS       (REGISTERS > 16 ? 5 : 3)
#define GROUPS           (GT_HARMONIC_BATCH / LANE_SIZE)
#define LANE_STEP        GT_HARMONIC_BATCH
#define FETCHED          256
#define FETCHED_DIAGONAL 0

#include "runtime/harmonic/harmonic_lanes.h"

INLINE void add_turned(const GtiHarmonicJob* job, const int32_t corners[3], int lane, const Lane turned[6])
{
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

INLINE void turn_triangle(const GtiHarmonicJob* job, int32_t triangle, int lane, const bool is_cured)
{
    const int32_t* corners = job->cut->corners[triangle];
    const float(*vectors)[GTI_FLOCK] = job->harmonic->vectors[triangle / GTI_FLOCK];
    Lane q[3][4];
    Lane rest[6];
    Lane turned[6];
    for (int k = 0; k < 3; ++k) {
        const float* from = &job->turns[(size_t)corners[k] * TURN_SIZE + (size_t)lane];
        for (int c = 0; c < 4; ++c) {
            q[k][c] = lane_load(&from[c * LANE_STEP]);
        }
    }
    for (int k = 0; k < 6; ++k) {
        rest[k] = lane_set(vectors[k][triangle % GTI_FLOCK]);
    }
    if (is_cured) {
        Lane ways[3][3];
        Lane cure[GTI_CURE_SIZE];
        for (int k = 0; k < 9; ++k) {
            size_t slot = (size_t)corners[k / 3];
            ways[k / 3][k % 3] = lane_load(&job->turns[slot * TURN_SIZE + (size_t)(lane + (4 + k % 3) * LANE_STEP)]);
        }
        for (int k = 0; k < GTI_CURE_SIZE; ++k) {
            cure[k] = lane_set(job->harmonic->cures[triangle / GTI_FLOCK][k][triangle % GTI_FLOCK]);
        }
        turn_cured((const Lane(*)[4])q, (const Lane(*)[3])ways, rest, cure, turned);
    } else {
        for (int c = 0; c < 4; ++c) {
            q[0][c] = lane_add(lane_add(q[0][c], q[1][c]), q[2][c]);
        }
        turn_vectors(q[0], rest, turned, 2);
    }
    add_turned(job, corners, lane, turned);
}

static void turn_run(const GtiHarmonicJob* job, int32_t begin, int32_t end)
{
    for (int32_t t = begin; t < end; ++t) {
        for (int group = 0; group < job->group_count; ++group) {
            turn_triangle(job, t, group * LANE_SIZE, false);
        }
    }
}

static void turn_cured_run(const GtiHarmonicJob* job, int32_t begin, int32_t end)
{
    for (int32_t t = begin; t < end; ++t) {
        for (int group = 0; group < job->group_count; ++group) {
            turn_triangle(job, t, group * LANE_SIZE, true);
        }
    }
}

static void turn(const GtiHarmonicJob* job)
{
    turn_runs(job, job->harmonic->has_axes ? turn_cured_run : turn_run);
}

static void twist(const GtiHarmonicJob* job)
{
    int32_t count = job->piece->vertex_count + job->piece->border_count;
    for (int32_t slot = 0; slot < count; ++slot) {
        const float(*offset)[4] = job->cut->offsets[job->piece->slot + slot];
        for (int group = 0; group < job->group_count; ++group) {
            float* way = &job->turns[(size_t)slot * TURN_SIZE + (size_t)(4 * LANE_STEP + group * LANE_SIZE)];
            Lane sine;
            Lane versine;
            sine_versine(lane_load(way), &sine, &versine);
            for (int c = 0; c < 3; ++c) {
                Lane across = lane_mul(sine, lane_set(offset[1][c]));
                lane_store(&way[c * LANE_STEP], lane_mul_sub(versine, lane_set(offset[0][c]), across));
            }
        }
    }
}

#define BATCH_KERNELS                                                                                                  \
    {                                                                                                                  \
        .group_size = LANE_SIZE, .turn_size = TURN_SIZE, .point_size = POINT_SIZE, .spread = spread, .twist = twist,   \
        .turn = turn, .gather = gather, .settle = settle,                                                              \
    }

#endif
