// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lines through centres of cells cross the triangles; what enters less what leaves before a cell is its winding number
// where the surface is closed, and then one axis is enough. Where it is open, both ways along all axes vote, and cells
// with two votes or more against them are settled by the generalised winding number itself, unless the surface is in so
// many shreds that this would take forever.
//
// Crossings are exact: corners are taken to 1/256 of a cell, and a line through an edge belongs to one side of it.

#include "geometry/solid_parts.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 256 // of corners in a cell
};

static const int64_t step_limit = 20000000; // a second or so

typedef struct Corner {
    int32_t at[3]; // x, y, z in steps
} Corner;

typedef struct Scan {
    const GtiTrimesh* mesh;
    const GtiSolid* solid;
    size_t strides[3];
    size_t cell_count;
    Corner* corners;    // [vertex_count]
    int32_t* crossings; // [cell_count] that lie before each cell and after the one before it, then before each cell
} Scan;

static int64_t edge_value(const int32_t a[2], const int32_t b[2], int64_t u, int64_t v)
{
    return ((int64_t)b[0] - a[0]) * (v - a[1]) - ((int64_t)b[1] - a[1]) * (u - a[0]);
}

// 0 where points on the edge belong to the left side of it, else -1.
static int64_t edge_bias(const int32_t a[2], const int32_t b[2])
{
    int32_t u = b[0] - a[0];
    int32_t v = b[1] - a[1];
    return v < 0 || (v == 0 && u > 0) ? 0 : -1;
}

static int32_t least(int32_t a, int32_t b, int32_t c)
{
    int32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int32_t largest(int32_t a, int32_t b, int32_t c)
{
    int32_t ab = a > b ? a : b;
    return ab > c ? ab : c;
}

// The corners are right of cell 0 by the margin of the grid, so divisions are of positive numbers.
static int32_t first_cell(int32_t steps)
{
    return (steps + STEPS - 1) / STEPS;
}

static void cross_triangle(Scan* scan, int32_t triangle, int axis)
{
    int along_u = (axis + 1) % 3;
    int along_v = (axis + 2) % 3;
    const int32_t* t = scan->mesh->triangles[triangle];
    int32_t p[3][2];
    double depths[3];
    for (int i = 0; i < 3; ++i) {
        const int32_t* at = scan->corners[t[i]].at;
        p[i][0] = at[along_u];
        p[i][1] = at[along_v];
        depths[i] = at[axis];
    }
    int32_t first[2];
    int32_t last[2];
    for (int k = 0; k < 2; ++k) {
        first[k] = first_cell(least(p[0][k], p[1][k], p[2][k]));
        last[k] = largest(p[0][k], p[1][k], p[2][k]) / STEPS;
        if (first[k] > last[k]) {
            return;
        }
    }
    int64_t area = edge_value(p[0], p[1], p[2][0], p[2][1]);
    if (area == 0) {
        return;
    }
    int b = area > 0 ? 1 : 2;
    int c = 3 - b;
    const int64_t bias[3] = { edge_bias(p[b], p[c]), edge_bias(p[c], p[0]), edge_bias(p[0], p[b]) };
    double scale = 1.0 / ((double)(area > 0 ? area : -area) * STEPS);
    int32_t sign = area > 0 ? -1 : 1; // it faces along the axis: a line leaves through it
    for (int32_t v = first[1]; v <= last[1]; ++v) {
        for (int32_t u = first[0]; u <= last[0]; ++u) {
            int64_t at_u = (int64_t)u * STEPS;
            int64_t at_v = (int64_t)v * STEPS;
            int64_t wa = edge_value(p[b], p[c], at_u, at_v);
            int64_t wb = edge_value(p[c], p[0], at_u, at_v);
            int64_t wc = edge_value(p[0], p[b], at_u, at_v);
            if (wa + bias[0] < 0 || wb + bias[1] < 0 || wc + bias[2] < 0) {
                continue;
            }
            double depth = ((double)wa * depths[0] + (double)wb * depths[b] + (double)wc * depths[c]) * scale;
            size_t cell = (size_t)depth + 1; // the first behind the crossing
            scan->crossings[(size_t)u * scan->strides[along_u] + (size_t)v * scan->strides[along_v] +
                            cell * scan->strides[axis]] += sign;
        }
    }
}

static void cross_all(Scan* scan, int axis)
{
    memset(scan->crossings, 0, scan->cell_count * sizeof *scan->crossings);
    for (int32_t t = 0; t < scan->mesh->triangle_count; ++t) {
        cross_triangle(scan, t, axis);
    }
    int32_t* crossings = scan->crossings;
    const int32_t* counts = scan->solid->counts;
    if (axis == 0) {
        for (size_t row = 0; row < scan->cell_count; row += (size_t)counts[0]) {
            for (int32_t x = 1; x < counts[0]; ++x) {
                crossings[row + (size_t)x] += crossings[row + (size_t)x - 1];
            }
        }
        return;
    }
    size_t run = scan->strides[axis]; // cells that lie side by side on the way
    size_t block = run * (size_t)counts[axis];
    for (size_t start = 0; start < scan->cell_count; start += block) {
        for (size_t i = start + run; i < start + block; ++i) {
            crossings[i] += crossings[i - run];
        }
    }
}

// Both ways along an axis.
static void vote(const Scan* scan, int axis, uint8_t* votes)
{
    size_t run = scan->strides[axis];
    size_t block = run * (size_t)scan->solid->counts[axis];
    for (size_t start = 0; start < scan->cell_count; start += block) {
        const int32_t* totals = scan->crossings + start + block - run;
        for (size_t row = start; row < start + block; row += run) {
            for (size_t i = 0; i < run; ++i) {
                int32_t before = scan->crossings[row + i];
                votes[row + i] = (uint8_t)(votes[row + i] + (before > 0) + (before > totals[i]));
            }
        }
    }
}

static void settle(const Scan* scan, const GtiRim* rim, uint8_t* votes)
{
    const GtiSolid* solid = scan->solid;
    int64_t steps = 0;
    size_t i = 0;
    for (int32_t z = 0; z < solid->counts[2]; ++z) {
        for (int32_t y = 0; y < solid->counts[1]; ++y) {
            for (int32_t x = 0; x < solid->counts[0]; ++x, ++i) {
                if (votes[i] >= 2 && votes[i] <= 4 && steps < step_limit) {
                    float winding = gti_rim_winding(rim, gti_solid_centre(solid, x, y, z), &steps);
                    votes[i] = (float)scan->crossings[i] + winding > 0.5f;
                } else {
                    votes[i] = votes[i] > 3;
                }
            }
        }
    }
}

// Vertices of no triangle may lie anywhere.
static int32_t to_steps(float from, float scale, int32_t count)
{
    return (int32_t)fminf(fmaxf(from * scale, 0.0f), (float)(STEPS * (count - 1)));
}

static bool take_corners(Scan* scan, GtArena* scratch)
{
    const GtiTrimesh* mesh = scan->mesh;
    const GtiSolid* solid = scan->solid;
    scan->corners = gt_arena_push(scratch, (size_t)mesh->vertex_count * sizeof *scan->corners);
    scan->crossings = gt_arena_push(scratch, scan->cell_count * sizeof *scan->crossings);
    if (!scan->corners || !scan->crossings) {
        return false;
    }
    float scale = STEPS / solid->cell;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        GtVec3 p = gt_vec3_sub(mesh->positions[i], solid->origin);
        scan->corners[i] = (Corner){ { to_steps(p.x, scale, solid->counts[0]), to_steps(p.y, scale, solid->counts[1]),
                                       to_steps(p.z, scale, solid->counts[2]) } };
    }
    return true;
}

bool gti_solid_fill(const GtiTrimesh* mesh, const GtiSolid* solid, GtAllocator allocator, uint8_t* inside, bool* open)
{
    GtArena scratch = gt_arena_create(allocator);
    size_t row = (size_t)solid->counts[0];
    size_t slice = row * (size_t)solid->counts[1];
    Scan scan = {
        .mesh = mesh, .solid = solid, .strides = { 1, row, slice }, .cell_count = slice * (size_t)solid->counts[2]
    };
    GtiRim* rim = NULL;
    bool ok = take_corners(&scan, &scratch) && gti_rim_make(mesh, &scratch, &rim);
    *open = rim != NULL;
    if (ok && rim) {
        cross_all(&scan, 2);
        vote(&scan, 2, inside);
        cross_all(&scan, 1);
        vote(&scan, 1, inside);
    }
    if (ok) {
        cross_all(&scan, 0);
        if (rim) {
            vote(&scan, 0, inside);
            settle(&scan, rim, inside);
        } else {
            for (size_t i = 0; i < scan.cell_count; ++i) {
                inside[i] = scan.crossings[i] > 0;
            }
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}
