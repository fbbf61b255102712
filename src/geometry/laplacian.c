// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cotangents by edge lengths alone: cot A = (b^2 + c^2 - a^2) / (4 area), areas by Kahan's arrangement of Heron's
// formula (1986), which keeps its digits on needles. Mollified lengths after Sharp and Crane, "A Laplacian for
// Nonmanifold Triangle Meshes" (2020), section 4.5; mixed areas after Meyer, Desbrun, Schroeder and Barr (2003). The
// graph sums over triangles, so an edge may have any number of them.

#include "geometry/laplacian.h"

#include "base/quat_double.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// lengths[k] is of the edge that faces corner k.
static void edge_lengths(const GtiTrimesh* mesh, int32_t triangle, double lengths[3])
{
    for (int k = 0; k < 3; ++k) {
        const int32_t* corners = mesh->triangles[triangle];
        lengths[k] = gti_distance(mesh->positions[corners[(k + 1) % 3]], mesh->positions[corners[(k + 2) % 3]]);
    }
}

// What must be added to all edges; positive for a mesh of single points too, so that no length is 0.
static double mollifier(const GtiTrimesh* mesh, double slack)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double l[3];
        edge_lengths(mesh, t, l);
        sum += l[0] + l[1] + l[2];
    }
    double delta = slack * sum / fmax(3.0 * mesh->triangle_count, 1.0);
    if (!(delta > 0.0)) {
        return 1.0;
    }
    double epsilon = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double l[3];
        edge_lengths(mesh, t, l);
        double longest = fmax(l[0], fmax(l[1], l[2]));
        epsilon = fmax(epsilon, delta + 2.0 * longest - (l[0] + l[1] + l[2]));
    }
    return epsilon;
}

static double heron(const double l[3])
{
    double a = fmax(l[0], fmax(l[1], l[2]));
    double c = fmin(l[0], fmin(l[1], l[2]));
    double b = fmax(fmin(l[0], l[1]), fmin(fmax(l[0], l[1]), l[2]));
    return 0.25 * sqrt(fmax((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c)), 0.0));
}

static void mixed_areas(const double l[3], const double cotangents[3], double area, double shares[3])
{
    for (int k = 0; k < 3; ++k) {
        if (cotangents[k] < 0.0) {
            shares[k] = area / 2.0;
            shares[(k + 1) % 3] = shares[(k + 2) % 3] = area / 4.0;
            return;
        }
    }
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3;
        int j = (k + 2) % 3;
        shares[k] = (l[i] * l[i] * cotangents[i] + l[j] * l[j] * cotangents[j]) / 8.0;
    }
}

void gti_laplacian_corners(const GtiTrimesh* mesh, double slack, double (*cotangents)[3], double* areas)
{
    double epsilon = mollifier(mesh, slack);
    if (areas) {
        memset(areas, 0, (size_t)mesh->vertex_count * sizeof *areas);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double l[3];
        double cot[3];
        edge_lengths(mesh, t, l);
        for (int k = 0; k < 3; ++k) {
            l[k] += epsilon;
        }
        double area = heron(l);
        double squares = l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
        for (int k = 0; k < 3; ++k) {
            cot[k] = area > 0.0 ? (squares - 2.0 * l[k] * l[k]) / (4.0 * area) : 0.0;
        }
        if (cotangents) {
            memcpy(cotangents[t], cot, sizeof cot);
        }
        if (areas) {
            double shares[3];
            mixed_areas(l, cot, area, shares);
            for (int k = 0; k < 3; ++k) {
                areas[mesh->triangles[t][k]] += shares[k];
            }
        }
    }
}

// Neighbours by vertex, each as often as triangles say it.
typedef struct Rows {
    int32_t* ends; // [vertex_count] where each vertex's neighbours end
    int32_t* neighbours;
    double* weights;
} Rows;

static bool push_rows(GtArena* arena, size_t vertex_count, size_t entry_count, Rows* out)
{
    *out = (Rows){
        .ends = gt_arena_push(arena, vertex_count * sizeof *out->ends),
        .neighbours = gt_arena_push(arena, entry_count * sizeof *out->neighbours),
        .weights = gt_arena_push(arena, entry_count * sizeof *out->weights),
    };
    return out->ends && out->neighbours && out->weights;
}

static void add(const Rows* rows, int32_t row, int32_t neighbour, double weight)
{
    int32_t at = rows->ends[row]++;
    rows->neighbours[at] = neighbour;
    rows->weights[at] = weight;
}

// Every triangle says each of its corners twice.
static void count_rows(const GtiTrimesh* mesh, int32_t* starts)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            starts[mesh->triangles[t][k] + 1] += 2;
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        starts[v + 1] += starts[v];
    }
}

static void gather(const GtiTrimesh* mesh, double (*const cotangents)[3], const Rows* rows)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int32_t a = mesh->triangles[t][(k + 1) % 3];
            int32_t b = mesh->triangles[t][(k + 2) % 3];
            add(rows, a, b, cotangents[t][k] / 2.0);
            add(rows, b, a, cotangents[t][k] / 2.0);
        }
    }
}

// Rows are symmetric, so sending each entry to its neighbour's row, rows in order, sorts them all in one pass.
static void sort_rows(const Rows* from, const int32_t* starts, int32_t vertex_count, const Rows* to)
{
    for (int32_t v = 0; v < vertex_count; ++v) {
        for (int32_t i = starts[v]; i < starts[v + 1]; ++i) {
            add(to, from->neighbours[i], v, from->weights[i]);
        }
    }
}

// Equal neighbours become one, in place.
static void join_rows(int32_t* starts, int32_t vertex_count, const Rows* rows)
{
    int32_t kept = 0;
    int32_t first = 0;
    for (int32_t v = 0; v < vertex_count; ++v) {
        int32_t end = starts[v + 1];
        starts[v] = kept;
        for (int32_t i = first; i < end; ++i) {
            if (rows->neighbours[i] == v) {
                continue;
            }
            if (kept > starts[v] && rows->neighbours[kept - 1] == rows->neighbours[i]) {
                rows->weights[kept - 1] += rows->weights[i];
                continue;
            }
            rows->neighbours[kept] = rows->neighbours[i];
            rows->weights[kept++] = rows->weights[i];
        }
        first = end;
    }
    starts[vertex_count] = kept;
}

bool gti_laplacian_make(const GtiTrimesh* mesh, double slack, GtArena* arena, GtiLaplacian* out)
{
    size_t vertex_count = (size_t)mesh->vertex_count;
    size_t entry_count = (size_t)mesh->triangle_count * 6;
    if (entry_count > INT32_MAX) {
        return false;
    }
    int32_t* starts = gt_arena_push_array(arena, vertex_count + 1, sizeof *starts);
    double* areas = gt_arena_push_array(arena, vertex_count, sizeof *areas);
    Rows sorted;
    if (!starts || !areas || !push_rows(arena, vertex_count, entry_count, &sorted)) {
        return false;
    }
    GtArena scratch = gt_arena_create(arena->allocator);
    double(*cotangents)[3] = gt_arena_push_array(&scratch, (size_t)mesh->triangle_count, sizeof *cotangents);
    Rows raw;
    bool made = cotangents && push_rows(&scratch, vertex_count, entry_count, &raw);
    if (made) {
        gti_laplacian_corners(mesh, slack, cotangents, areas);
        count_rows(mesh, starts);
        memcpy(raw.ends, starts, vertex_count * sizeof *raw.ends);
        memcpy(sorted.ends, starts, vertex_count * sizeof *sorted.ends);
        gather(mesh, cotangents, &raw);
        sort_rows(&raw, starts, mesh->vertex_count, &sorted);
        join_rows(starts, mesh->vertex_count, &sorted);
        *out = (GtiLaplacian){ mesh->vertex_count, starts, sorted.neighbours, sorted.weights, areas };
    }
    gt_arena_destroy(&scratch);
    return made;
}
