// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Near vertices are joined through a grid whose cells are four times as wide as the tolerance, so that all that is near
// enough lies in one cell or few; points of one cell hang in a list, and are no nearer to each other than the
// tolerance. Vertices are taken in order and join what came before, which makes the result unique.

#include "gertie/surface.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/quat_double.h"
#include "geometry/welder.h"

#include <math.h>
#include <string.h>

#define CELL_TOLERANCES 4.0

enum {
    LOOK_AFTER = 1 << 16 // vertices between two looks at whether the caller wants to stop
};

// A cell's numbers; doubles, because positions and tolerances may be of any size.
typedef struct Cell {
    double x, y, z;
} Cell;

typedef struct Grid {
    GtAllocator allocator;
    const GtVec3* positions;
    double tolerance;
    double cells_per_unit;
    uint32_t* slots; // [1 << bits] vertex of the newest point in a cell + 1, or 0; at most half are taken
    uint32_t bits;
    int32_t* next; // [count] vertex of the next point in the same cell, or GT_NONE
} Grid;

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0; // -0 becomes 0
    memcpy(&bits, &value, sizeof bits);
    return gti_hash_mix(hash, bits);
}

static Cell cell_of(const Grid* grid, GtVec3 p)
{
    return (Cell){ floor((double)p.x * grid->cells_per_unit), floor((double)p.y * grid->cells_per_unit),
                   floor((double)p.z * grid->cells_per_unit) };
}

// The slot of a cell, or the free one where it would be.
static uint32_t find_cell(const Grid* grid, Cell cell)
{
    uint32_t mask = (1u << grid->bits) - 1;
    uint64_t hash = mix(mix(mix(0, cell.x), cell.y), cell.z);
    uint32_t slot = gti_hash_slot(hash, grid->bits);
    for (; grid->slots[slot]; slot = (slot + 1) & mask) {
        Cell other = cell_of(grid, grid->positions[grid->slots[slot] - 1]);
        if (cell.x == other.x && cell.y == other.y && cell.z == other.z) {
            break;
        }
    }
    return slot;
}

static double distance_squared(GtVec3 a, GtVec3 b)
{
    GtiVec way = gti_vec_between(a, b);
    return gti_vec_dot(way, way);
}

// The vertex of the nearest point within the tolerance, the earliest of equal ones; GT_NONE where there is none.
static int32_t find_near(const Grid* grid, GtVec3 p)
{
    int32_t best = GT_NONE;
    double least = grid->tolerance * grid->tolerance;
    double reach = grid->tolerance * (1.0 + 1e-6); // more than rounding takes away
    const double at[3] = { (double)p.x, (double)p.y, (double)p.z };
    double low[3];
    int spans[3]; // cells beyond the low one, along an axis
    for (int i = 0; i < 3; ++i) {
        low[i] = floor((at[i] - reach) * grid->cells_per_unit);
        spans[i] = floor((at[i] + reach) * grid->cells_per_unit) > low[i] ? 1 : 0;
    }
    for (int i = 0; i < 8; ++i) {
        const int step[3] = { i & 1, i >> 1 & 1, i >> 2 };
        if (step[0] > spans[0] || step[1] > spans[1] || step[2] > spans[2]) {
            continue;
        }
        Cell cell = { low[0] + step[0], low[1] + step[1], low[2] + step[2] };
        int32_t vertex = (int32_t)grid->slots[find_cell(grid, cell)] - 1;
        for (; vertex != GT_NONE; vertex = grid->next[vertex]) {
            double d = distance_squared(p, grid->positions[vertex]);
            if (d < least || (d == least && (best == GT_NONE || vertex < best))) {
                least = d;
                best = vertex;
            }
        }
    }
    return best;
}

static bool create_grid(GtAllocator allocator, const GtVec3* positions, int32_t count, float tolerance, Grid* grid)
{
    *grid = (Grid){ .allocator = allocator,
                    .positions = positions,
                    .tolerance = (double)tolerance,
                    .cells_per_unit = 1.0 / (CELL_TOLERANCES * (double)tolerance),
                    .bits = 1 };
    while (grid->bits < 31 && (uint32_t)count > 1u << (grid->bits - 1)) {
        ++grid->bits;
    }
    size_t size = ((size_t)1 << grid->bits) * sizeof *grid->slots;
    grid->slots = allocator.allocate(allocator.user, size);
    grid->next = allocator.allocate(allocator.user, ((size_t)count + 1) * sizeof *grid->next);
    if (grid->slots) {
        memset(grid->slots, 0, size);
    }
    return grid->slots && grid->next;
}

// What both ways share: where results go.
typedef struct Results {
    int32_t* points;
    int32_t* vertices; // or NULL
    int32_t point_count;
} Results;

static void join(Results* results, Grid* grid, int32_t vertex)
{
    GtVec3 p = grid->positions[vertex];
    int32_t near = find_near(grid, p);
    if (near != GT_NONE) {
        results->points[vertex] = results->points[near];
        return;
    }
    uint32_t slot = find_cell(grid, cell_of(grid, p));
    grid->next[vertex] = (int32_t)grid->slots[slot] - 1;
    grid->slots[slot] = (uint32_t)vertex + 1;
    results->points[vertex] = results->point_count++;
}

static GtResult weld_all(const GtContext* context, GtiWelder* welder, Grid* grid, const GtVec3* positions,
                         int32_t count, Results* results, GtError* error)
{
    for (int32_t i = 0; i < count; ++i) {
        if (i % LOOK_AFTER == 0) {
            GtResult result = gti_progress(context, error, "joining vertices", (double)i / (double)count);
            if (result != GT_OK) {
                return result;
            }
        }
        int32_t before = results->point_count;
        if (grid) {
            join(results, grid, i);
        } else {
            results->points[i] = gti_welder_add(welder, positions[i]);
            if (results->points[i] == GT_NONE) {
                return gti_out_of_memory(error);
            }
            results->point_count = (int32_t)welder->count;
        }
        if (results->vertices && results->point_count > before) {
            results->vertices[before] = i;
        }
    }
    return GT_OK;
}

GtResult gt_weld_vertices(const GtContext* context, const GtVec3* positions, int32_t count, float tolerance_m,
                          int32_t* points, int32_t* vertices, int32_t* point_count, GtError* error)
{
    *point_count = 0;
    if (!(tolerance_m >= 0.0f) || !isfinite(tolerance_m)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a tolerance of %g m: give 0 or more", (double)tolerance_m);
    }
    GtAllocator allocator = context->allocator;
    GtiWelder welder = { .allocator = allocator };
    Grid grid = { 0 };
    Results results = { points, vertices, 0 };
    bool near = tolerance_m > 0.0f;
    GtResult result = GT_OK;
    if (near && !create_grid(allocator, positions, count, tolerance_m, &grid)) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result = weld_all(context, &welder, near ? &grid : NULL, positions, count, &results, error);
    }
    *point_count = result == GT_OK ? results.point_count : 0;
    allocator.release(allocator.user, grid.slots);
    allocator.release(allocator.user, grid.next);
    gti_welder_release(&welder);
    return result;
}
