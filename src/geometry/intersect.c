// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which triangles of a mesh cut each other. Two triangles do when an edge of one passes through the other, by the
// signs of five determinants (Segura and Feito 2001). Candidates come from a grid of cells about as large as a
// triangle, of which a table holds as many buckets as there are triangles; a pair is tested in one bucket only: that of
// the cell of the lowest corner of the overlap of their boxes.

#include "geometry/trimesh.h"

#include "base/hash.h"
#include "base/quat_double.h"

#include <string.h>

typedef struct Grid {
    const GtiTrimesh* mesh;
    GtVec3 origin;
    float cell;    // size
    uint32_t mask; // of the number of buckets
} Grid;

static int32_t cell_along(float x, float origin, float cell)
{
    return (int32_t)floorf((x - origin) / cell);
}

static uint32_t bucket_of(const Grid* grid, int32_t x, int32_t y, int32_t z)
{
    return gti_hash_cell(x, y, z) & grid->mask;
}

// Six times the volume of a tetrahedron.
static double volume(GtVec3 a, GtVec3 b, GtVec3 c, GtVec3 d)
{
    return gti_vec_dot(gti_vec_between(a, b), gti_vec_cross(gti_vec_between(a, c), gti_vec_between(a, d)));
}

static bool edge_passes(GtVec3 p, GtVec3 q, GtVec3 a, GtVec3 b, GtVec3 c)
{
    double above = volume(a, b, c, p);
    double below = volume(a, b, c, q);
    if (!((above > 0.0 && below < 0.0) || (above < 0.0 && below > 0.0))) {
        return false;
    }
    double u = volume(p, q, a, b);
    double v = volume(p, q, b, c);
    double w = volume(p, q, c, a);
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

// Edges of `t` that have no corner in common with `other` against it.
static bool edges_pass(const GtiTrimesh* mesh, const int32_t* t, const int32_t* other)
{
    for (int i = 0; i < 3; ++i) {
        int32_t a = t[i];
        int32_t b = t[(i + 1) % 3];
        bool shares = false;
        for (int k = 0; k < 3; ++k) {
            shares = shares || other[k] == a || other[k] == b;
        }
        if (!shares && edge_passes(mesh->positions[a], mesh->positions[b], mesh->positions[other[0]],
                                   mesh->positions[other[1]], mesh->positions[other[2]])) {
            return true;
        }
    }
    return false;
}

// Whether the pair is to be tested in this bucket, and cuts.
static bool pair_cuts(const Grid* grid, const GtBounds* boxes, uint32_t bucket, int32_t i, int32_t j)
{
    const GtBounds* a = &boxes[i];
    const GtBounds* b = &boxes[j];
    GtVec3 low = gt_vec3_max(a->low, b->low);
    GtVec3 high = gt_vec3_min(a->high, b->high);
    if (low.x > high.x || low.y > high.y || low.z > high.z) {
        return false;
    }
    if (bucket_of(grid, cell_along(low.x, grid->origin.x, grid->cell), cell_along(low.y, grid->origin.y, grid->cell),
                  cell_along(low.z, grid->origin.z, grid->cell)) != bucket) {
        return false;
    }
    const int32_t* s = grid->mesh->triangles[i];
    const int32_t* t = grid->mesh->triangles[j];
    return edges_pass(grid->mesh, s, t) || edges_pass(grid->mesh, t, s);
}

// Triangles by bucket.
typedef struct Buckets {
    size_t* firsts;   // [buckets + 1]
    size_t* ends;     // [buckets] of those filled so far
    int32_t* entries; // ascending in each bucket, none twice
} Buckets;

static int64_t count_pairs(const Grid* grid, const GtBounds* boxes, const Buckets* buckets, uint8_t* marks)
{
    int64_t found = 0;
    for (uint32_t bucket = 0; bucket <= grid->mask; ++bucket) {
        size_t end = buckets->ends[bucket];
        for (size_t i = buckets->firsts[bucket]; i < end; ++i) {
            for (size_t j = i + 1; j < end; ++j) {
                if (pair_cuts(grid, boxes, bucket, buckets->entries[i], buckets->entries[j])) {
                    ++found;
                    if (marks) {
                        marks[buckets->entries[i]] = 1;
                        marks[buckets->entries[j]] = 1;
                    }
                }
            }
        }
    }
    return found;
}

// Put a triangle into the buckets of the cells that its box touches; only count it there while there are no entries.
static void fill_buckets(const Grid* grid, const GtBounds* box, int32_t triangle, Buckets* buckets)
{
    GtVec3 o = grid->origin;
    const int32_t low[3] = { cell_along(box->low.x, o.x, grid->cell), cell_along(box->low.y, o.y, grid->cell),
                             cell_along(box->low.z, o.z, grid->cell) };
    const int32_t high[3] = { cell_along(box->high.x, o.x, grid->cell), cell_along(box->high.y, o.y, grid->cell),
                              cell_along(box->high.z, o.z, grid->cell) };
    for (int32_t z = low[2]; z <= high[2]; ++z) {
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                uint32_t bucket = bucket_of(grid, x, y, z);
                if (!buckets->entries) {
                    ++buckets->firsts[bucket + 1];
                    continue;
                }
                size_t end = buckets->ends[bucket];
                if (end == buckets->firsts[bucket] || buckets->entries[end - 1] != triangle) {
                    buckets->entries[end] = triangle;
                    buckets->ends[bucket] = end + 1;
                }
            }
        }
    }
}

static bool make_buckets(const Grid* grid, const GtBounds* boxes, GtArena* scratch, Buckets* out)
{
    size_t count = (size_t)grid->mask + 1;
    *out = (Buckets){ .firsts = gt_arena_push_array(scratch, count + 1, sizeof *out->firsts),
                      .ends = gt_arena_push(scratch, count * sizeof *out->ends) };
    if (!out->firsts || !out->ends) {
        return false;
    }
    for (int32_t t = 0; t < grid->mesh->triangle_count; ++t) {
        fill_buckets(grid, &boxes[t], t, out);
    }
    for (size_t i = 0; i < count; ++i) {
        out->firsts[i + 1] += out->firsts[i];
        out->ends[i] = out->firsts[i];
    }
    out->entries = gt_arena_push_array(scratch, out->firsts[count], sizeof *out->entries);
    for (int32_t t = 0; t < grid->mesh->triangle_count && out->entries; ++t) {
        fill_buckets(grid, &boxes[t], t, out);
    }
    return out->entries != NULL;
}

int64_t gti_trimesh_self_intersections(const GtiTrimesh* mesh, GtAllocator allocator, uint8_t* marks)
{
    if (mesh->triangle_count == 0) {
        return 0;
    }
    if (marks) {
        memset(marks, 0, (size_t)mesh->triangle_count);
    }
    GtArena scratch = gt_arena_create(allocator);
    int64_t found = -1;
    GtBounds* boxes = gt_arena_push(&scratch, (size_t)mesh->triangle_count * sizeof *boxes);
    if (boxes) {
        GtBounds all = gti_bounds_empty();
        double sum = 0.0;
        for (int32_t t = 0; t < mesh->triangle_count; ++t) {
            GtBounds b = boxes[t] = gti_triangle_bounds(mesh, t);
            gti_bounds_unite(&all, &b);
            sum += (double)gti_bounds_diagonal(b);
        }
        float widest = gti_bounds_longest(all);
        Grid grid = { mesh, all.low, fmaxf((float)(sum / mesh->triangle_count), widest / 1e6f), 1023 };
        while (grid.mask < (uint32_t)mesh->triangle_count && grid.mask < UINT32_MAX / 4) {
            grid.mask = 2 * grid.mask + 1;
        }
        Buckets buckets;
        found = !(grid.cell > 0.0f)                              ? 0
                : make_buckets(&grid, boxes, &scratch, &buckets) ? count_pairs(&grid, boxes, &buckets, marks)
                                                                 : -1;
    }
    gt_arena_destroy(&scratch);
    return found;
}
