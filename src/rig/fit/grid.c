// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cells in shells around the one that a point is in, until the next shell can hold nothing nearer. What lies outside
// the cells' box is put into those at its border, so that any point is allowed.

#include "rig/fit/grid.h"

#include "base/bounds.h"

#include <string.h>

enum {
    MOST_ALONG = 32 // cells
};

bool gti_point_grid_create(int32_t count, GtArena* arena, GtiPointGrid* out)
{
    *out = (GtiPointGrid){ .cell = 1.0f };
    out->first = gt_arena_push_array(arena, MOST_ALONG * MOST_ALONG * MOST_ALONG + 1, sizeof *out->first);
    out->order = gt_arena_push_array(arena, (size_t)count, sizeof *out->order);
    return out->first && out->order;
}

static int32_t cell_along(float at, float low, float cell, int32_t count)
{
    float c = floorf((at - low) / cell);
    return !(c > 0.0f) ? 0 : c >= (float)count ? count - 1 : (int32_t)c;
}

static int32_t cell_of(const GtiPointGrid* grid, GtVec3 p)
{
    int32_t x = cell_along(p.x, grid->low.x, grid->cell, grid->counts[0]);
    int32_t y = cell_along(p.y, grid->low.y, grid->cell, grid->counts[1]);
    int32_t z = cell_along(p.z, grid->low.z, grid->cell, grid->counts[2]);
    return (z * grid->counts[1] + y) * grid->counts[0] + x;
}

static void choose_cells(GtiPointGrid* grid)
{
    GtBounds bounds = grid->count ? gti_bounds_of(grid->points, grid->count) : (GtBounds){ 0 };
    GtVec3 size = gti_bounds_size(bounds);
    grid->low = bounds.low;
    grid->cell = fmaxf(gti_bounds_longest(bounds) / (MOST_ALONG - 1), 1e-6f);
    const float sizes[3] = { size.x, size.y, size.z };
    for (int axis = 0; axis < 3; ++axis) {
        grid->counts[axis] = 1 + cell_along(sizes[axis], 0.0f, grid->cell, MOST_ALONG - 1);
    }
}

void gti_point_grid_fill(GtiPointGrid* grid, const GtVec3* points, const GtVec3* normals, int32_t count)
{
    grid->points = points;
    grid->normals = normals;
    grid->count = count;
    choose_cells(grid);
    int32_t cells = grid->counts[0] * grid->counts[1] * grid->counts[2];
    memset(grid->first, 0, ((size_t)cells + 1) * sizeof *grid->first);
    for (int32_t i = 0; i < count; ++i) {
        ++grid->first[cell_of(grid, points[i])];
    }
    int32_t sum = 0;
    for (int32_t c = 0; c <= cells; ++c) { // ends of the cells, which go back to their starts
        sum += grid->first[c];
        grid->first[c] = sum;
    }
    for (int32_t i = count; i-- > 0;) {
        grid->order[--grid->first[cell_of(grid, points[i])]] = i;
    }
}

typedef struct Search {
    const GtiPointGrid* grid;
    GtVec3 p, n;
    float turn2;
    float reach2;
    float best; // value of the nearest so far
    int32_t found;
} Search;

static void look_at(Search* s, int32_t at)
{
    const GtiPointGrid* grid = s->grid;
    GtVec3 d = gt_vec3_sub(grid->points[at], s->p);
    float away2 = gt_vec3_dot(d, d);
    if (away2 < s->best && away2 <= s->reach2) {
        float value = away2 + 2.0f * s->turn2 * (1.0f - gt_vec3_dot(grid->normals[at], s->n));
        if (value < s->best) {
            s->best = value;
            s->found = at;
        }
    }
}

static void look_into(Search* s, int32_t x, int32_t y, int32_t z)
{
    const GtiPointGrid* grid = s->grid;
    int32_t cell = (z * grid->counts[1] + y) * grid->counts[0] + x;
    for (int32_t i = grid->first[cell]; i < grid->first[cell + 1]; ++i) {
        look_at(s, grid->order[i]);
    }
}

// Cells of the cube's surface of that half size around the middle.
static void look_into_shell(Search* s, const int32_t middle[3], int32_t shell)
{
    const int32_t* counts = s->grid->counts;
    for (int32_t z = middle[2] - shell; z <= middle[2] + shell; ++z) {
        if (z < 0 || z >= counts[2]) {
            continue;
        }
        bool end_z = z == middle[2] - shell || z == middle[2] + shell;
        for (int32_t y = middle[1] - shell; y <= middle[1] + shell; ++y) {
            if (y < 0 || y >= counts[1]) {
                continue;
            }
            bool whole = end_z || y == middle[1] - shell || y == middle[1] + shell;
            int32_t step = whole || shell == 0 ? 1 : 2 * shell;
            for (int32_t x = middle[0] - shell; x <= middle[0] + shell; x += step) {
                if (x >= 0 && x < counts[0]) {
                    look_into(s, x, y, z);
                }
            }
        }
    }
}

int32_t gti_point_grid_nearest(const GtiPointGrid* grid, GtVec3 p, GtVec3 n, float turn, float reach, int32_t hint)
{
    Search s = { .grid = grid, .p = p, .n = n, .turn2 = turn * turn, .reach2 = reach * reach, .found = GT_NONE };
    s.best = INFINITY;
    if (hint < grid->count) {
        look_at(&s, hint);
    }
    const int32_t middle[3] = { cell_along(p.x, grid->low.x, grid->cell, grid->counts[0]),
                                cell_along(p.y, grid->low.y, grid->cell, grid->counts[1]),
                                cell_along(p.z, grid->low.z, grid->cell, grid->counts[2]) };
    int32_t last = (int32_t)ceilf(fminf(reach / grid->cell, MOST_ALONG));
    for (int32_t shell = 0; shell <= last; ++shell) {
        float nearer = fmaxf((float)(shell - 1), 0.0f) * grid->cell;
        if (s.found != GT_NONE && nearer * nearer >= s.best) {
            break;
        }
        look_into_shell(&s, middle, shell);
    }
    return s.found;
}
