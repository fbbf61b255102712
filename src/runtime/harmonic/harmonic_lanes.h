// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The kernels of a harmonic deformation over any vector type: a file of one processor level says what its lanes are and
// includes this once. All levels do the same operations in the same order, but for the fused ones.
//
// Before: Lane, a vector of LANE_SIZE floats; lane_load, lane_store, lane_set, lane_add, lane_sub, lane_mul, lane_div;
// lane_mul_add(a, b, c) = a b + c; lane_mul_sub(a, b, c) = c - a b. And
//   TURN_LANES                vectors of a quaternion in one group of lanes; after them comes one of an angle
//   POINT_LANES               vectors of a position, and of the way of a twist
//   TURN_PASS, CURED_PASS     how many of the turn's are summed at a time, without and with the angle, so that sums
//   stay
//                             in registers
//   GROUPS                    groups of lanes in a slot
//   LANE_STEP                 floats from one component to the next
//   FETCHED, FETCHED_DIAGONAL floats of a node's panels that are asked for ahead of time

#ifndef GERTIE_RUNTIME_HARMONIC_HARMONIC_LANES_H
#define GERTIE_RUNTIME_HARMONIC_HARMONIC_LANES_H

#include "runtime/harmonic/harmonic.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    TURN_SIZE = GROUPS * (TURN_LANES + POINT_LANES) * LANE_SIZE,
    POINT_SIZE = GROUPS * POINT_LANES * LANE_SIZE,
    MOST_LANES = 5, // summed at a time
    AHEAD = 3,      // nodes whose numbers are asked for before they are needed
};

// sums[j][c] -= panel[i][j] * field[rows[i]][c], or field[i] where rows are NULL; `step` floats from one row of the
// panel to the next and `stride` from one of the field. Two rows at a time where one would leave the adders waiting.
INLINE void subtract_rows(Lane sums[GTI_PANEL][MOST_LANES], const float* panel, const int step, const int32_t* rows,
                          int32_t height, const float* field, const int stride, const int columns, const int lanes)
{
    int32_t i = 0;
    if (columns * lanes <= 4) {
        Lane others[GTI_PANEL][MOST_LANES];
        for (int j = 0; j < columns; ++j) {
            for (int c = 0; c < lanes; ++c) {
                others[j][c] = lane_set(0.0f);
            }
        }
        for (; i + 1 < height; i += 2, panel += 2 * step) {
            const float* from = &field[(size_t)(rows ? rows[i] : i) * (size_t)stride];
            const float* next = &field[(size_t)(rows ? rows[i + 1] : i + 1) * (size_t)stride];
            for (int c = 0; c < lanes; ++c) {
                Lane x = lane_load(&from[c * LANE_STEP]);
                Lane y = lane_load(&next[c * LANE_STEP]);
                for (int j = 0; j < columns; ++j) {
                    sums[j][c] = lane_mul_sub(lane_set(panel[j]), x, sums[j][c]);
                    others[j][c] = lane_mul_sub(lane_set(panel[step + j]), y, others[j][c]);
                }
            }
        }
        for (int j = 0; j < columns; ++j) {
            for (int c = 0; c < lanes; ++c) {
                sums[j][c] = lane_add(sums[j][c], others[j][c]);
            }
        }
    }
    for (; i < height; ++i, panel += step) {
        const float* from = &field[(size_t)(rows ? rows[i] : i) * (size_t)stride];
        Lane x[MOST_LANES];
        for (int c = 0; c < lanes; ++c) {
            x[c] = lane_load(&from[c * LANE_STEP]);
        }
        for (int j = 0; j < columns; ++j) {
            Lane entry = lane_set(panel[j]);
            for (int c = 0; c < lanes; ++c) {
                sums[j][c] = lane_mul_sub(entry, x[c], sums[j][c]);
            }
        }
    }
}

// A panel of `columns` columns of one node, in one group of lanes.
typedef struct Panel {
    const GtiHarmonicJob* job;
    const GtiHarmonicNode* node;
    const int32_t* rows;
    int32_t slot;   // of the node's first column
    int32_t column; // first of the panel
    int32_t lane;   // first float of the group
} Panel;

INLINE void spread_lanes(const Panel* at, const int columns, const int lanes, const int most)
{
    const GtHarmonic* harmonic = at->job->harmonic;
    const int32_t* starts = &harmonic->weight_starts[at->node->panel_index + at->column / GTI_PANEL];
    const float* panel = &harmonic->spread_panels[at->node->panel + (int64_t)at->column * at->node->height];
    float* to = &at->job->turns[(size_t)(at->slot + at->column) * TURN_SIZE + (size_t)at->lane];
    for (int pass = 0; pass < lanes; pass += most) {
        const int count = lanes - pass < most ? lanes - pass : most;
        size_t lane = (size_t)(at->lane + pass * LANE_STEP);
        Lane sums[GTI_PANEL][MOST_LANES];
        for (int j = 0; j < columns; ++j) {
            for (int c = 0; c < count; ++c) {
                sums[j][c] = lane_set(0.0f);
            }
        }
        subtract_rows(sums, harmonic->weights[starts[0]], GTI_PANEL, &harmonic->weight_markers[starts[0]],
                      starts[1] - starts[0], &at->job->markers[lane], TURN_SIZE, columns, count);
        subtract_rows(sums, panel, columns, at->rows, at->node->height, &at->job->turns[lane], TURN_SIZE, columns,
                      count);
        for (int j = 0; j < columns; ++j) {
            for (int c = 0; c < count; ++c) {
                lane_store(&to[j * TURN_SIZE + (pass + c) * LANE_STEP], sums[j][c]);
            }
        }
    }
}

INLINE void spread_panel(const Panel* at, const int columns)
{
    spread_lanes(at, columns, TURN_LANES, TURN_PASS);
}

INLINE void spread_angle_panel(const Panel* at, const int columns)
{
    spread_lanes(at, columns, TURN_LANES + 1, CURED_PASS);
}

INLINE void gather_panel(const Panel* at, const int columns)
{
    const float* panel = &at->job->harmonic->solve_panels[at->node->panel + (int64_t)at->column * at->node->height];
    const float* from = &at->job->points[(size_t)(at->slot + at->column) * POINT_SIZE + (size_t)at->lane];
    float* points = &at->job->points[at->lane];
    Lane values[GTI_PANEL][POINT_LANES];
    for (int j = 0; j < columns; ++j) {
        for (int c = 0; c < POINT_LANES; ++c) {
            values[j][c] = lane_load(&from[j * POINT_SIZE + c * LANE_STEP]);
        }
    }
    for (int32_t i = 0; i < at->node->height; ++i, panel += columns) {
        float* to = &points[(size_t)at->rows[i] * POINT_SIZE];
        Lane sums[POINT_LANES];
        for (int c = 0; c < POINT_LANES; ++c) {
            sums[c] = lane_load(&to[c * LANE_STEP]);
        }
        for (int j = 0; j < columns; ++j) {
            Lane entry = lane_set(panel[j]);
            for (int c = 0; c < POINT_LANES; ++c) {
                sums[c] = lane_mul_sub(entry, values[j][c], sums[c]);
            }
        }
        for (int c = 0; c < POINT_LANES; ++c) {
            lane_store(&to[c * LANE_STEP], sums[c]);
        }
    }
}

INLINE void settle_panel(const Panel* at, const int columns)
{
    const GtHarmonic* harmonic = at->job->harmonic;
    const GtiHarmonicNode* node = at->node;
    const float* diagonal = &harmonic->solve_diagonals[node->diagonal + (int64_t)at->column * node->width];
    const float* panel = &harmonic->solve_panels[node->panel + (int64_t)at->column * node->height];
    const float* points = &at->job->points[at->lane];
    const float* own = &points[(size_t)at->slot * POINT_SIZE];
    Lane sums[GTI_PANEL][MOST_LANES];
    for (int j = 0; j < columns; ++j) {
        for (int c = 0; c < POINT_LANES; ++c) {
            sums[j][c] = lane_set(0.0f);
        }
    }
    subtract_rows(sums, diagonal, columns, NULL, node->width, own, POINT_SIZE, columns, POINT_LANES);
    subtract_rows(sums, panel, columns, at->rows, node->height, points, POINT_SIZE, columns, POINT_LANES);
    // The other panels still need what is on the right side of this one.
    float* to = &at->job->spare[(size_t)at->column * POINT_SIZE + (size_t)at->lane];
    if (node->width <= GTI_PANEL) {
        to = &at->job->points[(size_t)at->slot * POINT_SIZE + (size_t)at->lane];
    }
    for (int j = 0; j < columns; ++j) {
        for (int c = 0; c < POINT_LANES; ++c) {
            lane_store(&to[j * POINT_SIZE + c * LANE_STEP], sums[j][c]);
        }
    }
}

// A function with the number of columns written out in each of its calls.
#define BY_COLUMNS(function)                                                                                           \
    static void function##s(Panel* at)                                                                                 \
    {                                                                                                                  \
        for (at->column = 0; at->column < at->node->width; at->column += GTI_PANEL) {                                  \
            for (int group = 0; group < at->job->group_count; ++group) {                                               \
                at->lane = group * LANE_SIZE;                                                                          \
                switch (at->node->width - at->column) {                                                                \
                case 1:                                                                                                \
                    function(at, 1);                                                                                   \
                    break;                                                                                             \
                case 2:                                                                                                \
                    function(at, 2);                                                                                   \
                    break;                                                                                             \
                case 3:                                                                                                \
                    function(at, 3);                                                                                   \
                    break;                                                                                             \
                default:                                                                                               \
                    function(at, GTI_PANEL);                                                                           \
                    break;                                                                                             \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

BY_COLUMNS(spread_panel)
BY_COLUMNS(spread_angle_panel)
BY_COLUMNS(gather_panel)
BY_COLUMNS(settle_panel)

INLINE Panel panel_of(const GtiHarmonicJob* job, int32_t index)
{
    int32_t s = job->cut->nodes[index];
    const GtiHarmonicNode* node = &job->harmonic->nodes[s];
    const int32_t* rows = job->cut->rows ? &job->cut->rows[node->row] : NULL;
    return (Panel){ .job = job, .node = node, .rows = rows, .slot = job->cut->firsts[s] };
}

INLINE void fetch(const float* from, int64_t count, const int most)
{
    for (int64_t i = 0; i < count && i < most; i += 16) {
        __builtin_prefetch(&from[i]);
    }
}

// Nodes from the root down are too short runs of memory backwards for the processor to see what comes next.
INLINE void fetch_node(const GtiHarmonicJob* job, int32_t index, const float* panels, const int most_of_diagonal)
{
    if (index >= job->piece->node_begin) {
        const GtiHarmonicNode* node = &job->harmonic->nodes[job->cut->nodes[index]];
        fetch(&panels[node->panel], (int64_t)node->width * node->height, FETCHED);
        fetch(&job->harmonic->solve_diagonals[node->diagonal], (int64_t)node->width * node->width, most_of_diagonal);
        __builtin_prefetch(&job->cut->rows[node->row]);
    }
}

static void spread(const GtiHarmonicJob* job)
{
    for (int32_t i = job->piece->node_end - 1; i >= job->piece->node_begin; --i) {
        Panel at = panel_of(job, i);
        fetch_node(job, i - AHEAD, job->harmonic->spread_panels, 0);
        if (job->harmonic->has_axes) {
            spread_angle_panels(&at);
        } else {
            spread_panels(&at);
        }
    }
}

static void gather(const GtiHarmonicJob* job)
{
    for (int32_t i = job->piece->node_begin; i < job->piece->node_end; ++i) {
        Panel at = panel_of(job, i);
        gather_panels(&at);
    }
}

static void settle(const GtiHarmonicJob* job)
{
    for (int32_t i = job->piece->node_end - 1; i >= job->piece->node_begin; --i) {
        Panel at = panel_of(job, i);
        fetch_node(job, i - AHEAD, job->harmonic->solve_panels, FETCHED_DIAGONAL);
        settle_panels(&at);
        if (at.node->width > GTI_PANEL) {
            memcpy(&job->points[(size_t)at.slot * POINT_SIZE], job->spare,
                   (size_t)at.node->width * POINT_SIZE * sizeof(float));
        }
    }
}

INLINE Lane dot(const Lane* a, const Lane* b, const int count)
{
    Lane sum = lane_mul(a[0], b[0]);
    for (int c = 1; c < count; ++c) {
        sum = lane_mul_add(a[c], b[c], sum);
    }
    return sum;
}

// out = (R - 1) rest for `count` vectors, R the rotation of q, which has any length: with t = 2 / |q|^2 (v x rest),
// (R - 1) rest = w t + v x t. A q of no length turns nothing.
INLINE void turn_vectors(const Lane q[4], const Lane* rest, Lane* out, const int count)
{
    Lane scale = lane_div(lane_set(2.0f), lane_add(dot(q, q, 4), lane_set(1e-30f)));
    Lane v[3];
    for (int c = 0; c < 3; ++c) {
        v[c] = lane_mul(q[c], scale);
    }
    for (int k = 0; k < 3 * count; k += 3) {
        Lane t[3];
        for (int c = 0; c < 3; ++c) {
            int a = (c + 1) % 3;
            int b = (c + 2) % 3;
            t[c] = lane_mul_sub(v[b], rest[k + a], lane_mul(v[a], rest[k + b]));
        }
        for (int c = 0; c < 3; ++c) {
            int a = (c + 1) % 3;
            int b = (c + 2) % 3;
            Lane cross = lane_mul_sub(q[b], t[a], lane_mul(q[a], t[b]));
            out[k + c] = lane_mul_add(q[3], t[c], cross);
        }
    }
}

// sine = sin x, versine = 1 - cos x, of any number of turns, by their half: sin 2h = 2 sin h cos h,
// 1 - cos 2h = 2 (sin h)^2. Within 3e-7 and, as turns are taken off in single precision, 1e-7 |x|.
INLINE void sine_versine(Lane x, Lane* sine, Lane* versine)
{
    static const float sines[] = { 2.6089303e-6f, -1.9811111e-4f, 8.333088e-3f, -1.6666661e-1f, 1.0f };
    static const float cosines[] = { 2.3194361e-5f, -1.3855926e-3f, 4.166399e-2f, -0.4999993f, 1.0f };
    Lane whole = lane_set(12582912.0f); // 1.5 * 2^23: what is added to it is rounded
    Lane turns = lane_sub(lane_mul_add(x, lane_set(0.15915494f), whole), whole);
    Lane h = lane_mul(lane_set(0.5f),
                      lane_mul_sub(turns, lane_set(-1.7484555e-7f), lane_mul_sub(turns, lane_set(6.2831855f), x)));
    Lane square = lane_mul(h, h);
    Lane s = lane_set(sines[0]);
    Lane c = lane_set(cosines[0]);
    for (int i = 1; i < 5; ++i) {
        s = lane_mul_add(s, square, lane_set(sines[i]));
        c = lane_mul_add(c, square, lane_set(cosines[i]));
    }
    s = lane_mul(s, h);
    Lane twice = lane_add(s, s);
    *sine = lane_mul(twice, c);
    *versine = lane_mul(twice, s);
}

// out: what corners 0 and 1 of a triangle add to the right side. q: quaternions of the corners; ways: of their twists;
// rest: what they add at rest; cure: of GtHarmonic.cures. See harmonic.h.
INLINE void turn_cured(const Lane q[3][4], const Lane ways[3][3], const Lane rest[6], const Lane cure[GTI_CURE_SIZE],
                       Lane out[6])
{
    Lane mean[4];
    Lane steps[2][4];
    Lane twisted[2][3];
    Lane both[9]; // what is turned: both corners' vectors, and the offset
    Lane turned[9];
    for (int c = 0; c < 4; ++c) {
        mean[c] = lane_add(lane_add(q[0][c], q[1][c]), q[2][c]);
        Lane a = lane_sub(q[0][c], q[2][c]);
        Lane b = lane_sub(q[1][c], q[2][c]);
        steps[0][c] = lane_mul_sub(cure[GTI_CURE_BETWEEN], b, lane_mul(cure[GTI_CURE_DIAGONAL_0], a));
        steps[1][c] = lane_mul_sub(cure[GTI_CURE_BETWEEN], a, lane_mul(cure[GTI_CURE_DIAGONAL_1], b));
        Lane part = lane_mul_add(a, steps[0][c], lane_mul(b, steps[1][c]));
        turned[0] = c == 0 ? part : lane_add(turned[0], part);
    }
    Lane energy = turned[0];
    for (int c = 0; c < 3; ++c) {
        Lane a = lane_sub(ways[0][c], ways[2][c]);
        Lane b = lane_sub(ways[1][c], ways[2][c]);
        twisted[0][c] = lane_mul_sub(cure[GTI_CURE_BETWEEN], b, lane_mul(cure[GTI_CURE_DIAGONAL_0], a));
        twisted[1][c] = lane_mul_sub(cure[GTI_CURE_BETWEEN], a, lane_mul(cure[GTI_CURE_DIAGONAL_1], b));
        both[c] = lane_add(rest[c], twisted[0][c]);
        both[3 + c] = lane_add(rest[3 + c], twisted[1][c]);
        Lane way = lane_add(lane_add(ways[0][c], ways[1][c]), ways[2][c]);
        both[6 + c] = lane_mul_add(way, lane_set(1.0f / 3.0f), cure[GTI_CURE_OFFSET + c]);
    }
    turn_vectors(mean, both, turned, 3);
    Lane reach = lane_mul(lane_mul(cure[GTI_CURE_LIMIT], dot(&both[6], &both[6], 3)), energy);
    Lane scale = lane_div(lane_set(6.0f), lane_add(lane_add(dot(mean, mean, 4), reach), lane_set(1e-30f)));
    for (int c = 0; c < 3; ++c) {
        turned[6 + c] = lane_mul(scale, lane_add(both[6 + c], turned[6 + c]));
    }
    for (int k = 0; k < 2; ++k) {
        const Lane* step = steps[k];
        Lane spin[3]; // the vector part of step * conjugate of mean
        for (int c = 0; c < 3; ++c) {
            int a = (c + 1) % 3;
            int b = (c + 2) % 3;
            Lane cross = lane_mul_sub(mean[b], step[a], lane_mul(mean[a], step[b]));
            spin[c] = lane_mul_add(mean[3], step[c], lane_mul_sub(step[3], mean[c], cross));
        }
        for (int c = 0; c < 3; ++c) {
            int a = (c + 1) % 3;
            int b = (c + 2) % 3;
            Lane cross = lane_mul_sub(spin[b], turned[6 + a], lane_mul(spin[a], turned[6 + b]));
            out[3 * k + c] = lane_add(lane_add(turned[3 * k + c], twisted[k][c]), cross);
        }
    }
}

// Triangles of the nodes [begin, end) of the piece's list, run by run of what lies side by side.
static void turn_runs(const GtiHarmonicJob* job, void (*run)(const GtiHarmonicJob* job, int32_t begin, int32_t end))
{
    const GtiHarmonicNode* nodes = job->harmonic->nodes;
    const int32_t* list = job->cut->nodes;
    for (int32_t i = job->piece->node_begin; i < job->piece->node_end;) {
        int32_t first = list[i++];
        int32_t last = first;
        while (i < job->piece->node_end && list[i] == last + 1) {
            last = list[i++];
        }
        run(job, nodes[first].triangle, nodes[last + 1].triangle);
    }
}

#endif
