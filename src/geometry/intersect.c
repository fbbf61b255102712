// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which triangles of a mesh cut each other. Two triangles do when an edge of one passes through the other, by the
// signs of five determinants (Segura and Feito 2001). Candidates come from a grid of cells about as large as a
// triangle; a pair is tested in one cell only: that of the lowest corner of the overlap of their boxes.

#include "geometry/trimesh.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
    uint64_t cell;
    int32_t triangle;
} Entry;

typedef struct Box {
    GtVec3 low, high;
} Box;

typedef struct Grid {
    const GtiTrimesh* mesh;
    GtVec3 origin;
    float cell; // size
} Grid;

static int compare_entries(const void* a, const void* b)
{
    const Entry* p = a;
    const Entry* q = b;
    if (p->cell != q->cell) {
        return p->cell < q->cell ? -1 : 1;
    }
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static Box box_of(const GtiTrimesh* mesh, int32_t triangle)
{
    const int32_t* t = mesh->triangles[triangle];
    GtVec3 a = mesh->positions[t[0]];
    Box box = { a, a };
    for (int i = 1; i < 3; ++i) {
        GtVec3 p = mesh->positions[t[i]];
        box.low = gt_vec3(fminf(box.low.x, p.x), fminf(box.low.y, p.y), fminf(box.low.z, p.z));
        box.high = gt_vec3(fmaxf(box.high.x, p.x), fmaxf(box.high.y, p.y), fmaxf(box.high.z, p.z));
    }
    return box;
}

static int32_t cell_along(float x, float origin, float cell)
{
    return (int32_t)floorf((x - origin) / cell);
}

static uint64_t cell_key(int32_t x, int32_t y, int32_t z)
{
    return ((uint64_t)(uint32_t)z << 42) + ((uint64_t)(uint32_t)y << 21) + (uint64_t)(uint32_t)x;
}

// Six times the volume of a tetrahedron.
static double volume(GtVec3 a, GtVec3 b, GtVec3 c, GtVec3 d)
{
    double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
    double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
    double wx = (double)d.x - (double)a.x, wy = (double)d.y - (double)a.y, wz = (double)d.z - (double)a.z;
    return ux * (vy * wz - vz * wy) - uy * (vx * wz - vz * wx) + uz * (vx * wy - vy * wx);
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

// Whether the pair is to be tested in this cell, and cuts.
static bool pair_cuts(const Grid* grid, const Box* boxes, uint64_t cell, int32_t i, int32_t j)
{
    const Box* a = &boxes[i];
    const Box* b = &boxes[j];
    GtVec3 low = gt_vec3(fmaxf(a->low.x, b->low.x), fmaxf(a->low.y, b->low.y), fmaxf(a->low.z, b->low.z));
    if (low.x > fminf(a->high.x, b->high.x) || low.y > fminf(a->high.y, b->high.y) ||
        low.z > fminf(a->high.z, b->high.z)) {
        return false;
    }
    if (cell_key(cell_along(low.x, grid->origin.x, grid->cell), cell_along(low.y, grid->origin.y, grid->cell),
                 cell_along(low.z, grid->origin.z, grid->cell)) != cell) {
        return false;
    }
    const int32_t* s = grid->mesh->triangles[i];
    const int32_t* t = grid->mesh->triangles[j];
    return edges_pass(grid->mesh, s, t) || edges_pass(grid->mesh, t, s);
}

static int64_t count_pairs(const Grid* grid, const Box* boxes, const Entry* entries, size_t count, uint8_t* marks)
{
    int64_t found = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && entries[end].cell == entries[begin].cell) {
            ++end;
        }
        for (size_t i = begin; i < end; ++i) {
            for (size_t j = i + 1; j < end; ++j) {
                if (pair_cuts(grid, boxes, entries[i].cell, entries[i].triangle, entries[j].triangle)) {
                    ++found;
                    if (marks) {
                        marks[entries[i].triangle] = 1;
                        marks[entries[j].triangle] = 1;
                    }
                }
            }
        }
        begin = end;
    }
    return found;
}

// Put every triangle into the cells its box touches; only counts when `entries` is NULL.
static size_t fill_cells(const Grid* grid, const Box* boxes, Entry* entries)
{
    size_t count = 0;
    for (int32_t t = 0; t < grid->mesh->triangle_count; ++t) {
        GtVec3 o = grid->origin;
        const Box* box = &boxes[t];
        for (int32_t z = cell_along(box->low.z, o.z, grid->cell); z <= cell_along(box->high.z, o.z, grid->cell); ++z) {
            for (int32_t y = cell_along(box->low.y, o.y, grid->cell); y <= cell_along(box->high.y, o.y, grid->cell);
                 ++y) {
                for (int32_t x = cell_along(box->low.x, o.x, grid->cell); x <= cell_along(box->high.x, o.x, grid->cell);
                     ++x) {
                    if (entries) {
                        entries[count] = (Entry){ cell_key(x, y, z), t };
                    }
                    ++count;
                }
            }
        }
    }
    return count;
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
    Box* boxes = gt_arena_push(&scratch, (size_t)mesh->triangle_count * sizeof *boxes);
    if (boxes) {
        Box all = box_of(mesh, 0);
        double sum = 0.0;
        for (int32_t t = 0; t < mesh->triangle_count; ++t) {
            Box b = boxes[t] = box_of(mesh, t);
            all.low = gt_vec3(fminf(all.low.x, b.low.x), fminf(all.low.y, b.low.y), fminf(all.low.z, b.low.z));
            all.high = gt_vec3(fmaxf(all.high.x, b.high.x), fmaxf(all.high.y, b.high.y), fmaxf(all.high.z, b.high.z));
            sum += (double)gt_vec3_length(gt_vec3_sub(b.high, b.low));
        }
        float widest = fmaxf(fmaxf(all.high.x - all.low.x, all.high.y - all.low.y), all.high.z - all.low.z);
        Grid grid = { mesh, all.low, fmaxf((float)(sum / mesh->triangle_count), widest / 1e6f) };
        size_t count = grid.cell > 0.0f ? fill_cells(&grid, boxes, NULL) : 0;
        Entry* entries = gt_arena_push_array(&scratch, count, sizeof *entries);
        if (entries) {
            fill_cells(&grid, boxes, entries);
            qsort(entries, count, sizeof *entries, compare_entries);
            found = count_pairs(&grid, boxes, entries, count, marks);
        }
    }
    gt_arena_destroy(&scratch);
    return found;
}
