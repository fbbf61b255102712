// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices on a round surface leave all triangles inside it: a limb of six sides has lost a sixth of its flesh. Here
// triangles are brought onto the zero level instead, each vertex by the mean of how deep the triangles around it lie.
// The values in the middles of the edges are what the depth of a triangle is taken from, exact to second order.

#include "geometry/live_mesh.h"
#include "geometry/remesh.h"

#include <string.h>

#define SHARE_OF_EDGE 0.3f // how far a vertex may go

enum {
    MAX_ROUNDS = 4
};

typedef struct Fit {
    const GtiRemeshDef* def;
    GtiLiveMesh surface;
    const GtVec3* starts; // [vertex_count]
    GtVec3* moved;        // [vertex_count]
    float* depths;        // [3 * triangle_count] value in the middle of each corner's edge
} Fit;

static void measure_edges(void* data, int32_t first, int32_t end)
{
    Fit* fit = data;
    const GtiLiveMesh* s = &fit->surface;
    for (int32_t c = 3 * first; c < 3 * end; ++c) {
        int32_t opposite = gti_corner_opposite(s, c);
        if (opposite > c) {
            continue; // measured there
        }
        GtVec3 a = s->positions[gti_corner_vertex(s, c)];
        GtVec3 b = s->positions[gti_corner_vertex(s, gti_next_corner(c))];
        float most = 0.5f * gt_vec3_length(gt_vec3_sub(b, a));
        float value = gti_field_value(&fit->def->field, gt_vec3_lerp(a, b, 0.5f));
        fit->depths[c] = fmaxf(fminf(value, most), -most);
        if (opposite >= 0) {
            fit->depths[opposite] = fit->depths[c];
        }
    }
}

// No farther than a share of the edges around, and outwards only where the value rises on the way: between two fingers
// it does not.
static GtVec3 fitted(const Fit* fit, int32_t v, const GtiRing* ring)
{
    const GtiLiveMesh* s = &fit->surface;
    GtVec3 p = s->positions[v];
    GtVec3 normal = gt_vec3(0.0f, 0.0f, 0.0f);
    float depth = 0.0f;
    float total = 0.0f;
    float shortest = INFINITY;
    for (int i = 0; i < ring->count; ++i) {
        int32_t c = ring->corners[i];
        GtVec3 u = gt_vec3_sub(s->positions[gti_corner_vertex(s, gti_next_corner(c))], p);
        GtVec3 w = gt_vec3_sub(s->positions[gti_corner_vertex(s, gti_prev_corner(c))], p);
        GtVec3 cross = gt_vec3_cross(u, w);
        float area = gt_vec3_length(cross);
        const float* d = &fit->depths[c - c % 3];
        depth += area * (d[0] + d[1] + d[2]) / 3.0f;
        total += area;
        normal = gt_vec3_add(normal, cross);
        shortest = fminf(shortest, fminf(gt_vec3_length(u), gt_vec3_length(w)));
    }
    normal.x = ring->boundary ? 0.0f : normal.x;
    normal = gt_vec3_normalize_or(normal, gt_vec3(0.0f, 0.0f, 0.0f));
    GtVec3 q = gt_vec3_sub(p, gt_vec3_scale(normal, total > 0.0f ? depth / total : 0.0f));
    GtVec3 way = gt_vec3_sub(q, fit->starts[v]);
    float length = gt_vec3_length(way);
    float most = SHARE_OF_EDGE * shortest;
    q = length > most ? gt_vec3_add(fit->starts[v], gt_vec3_scale(way, most / length)) : q;
    float rise = gt_vec3_dot(gt_vec3_sub(q, p), normal);
    const GtiField* field = &fit->def->field;
    bool free = rise <= 0.0f || gti_field_value(field, q) - gti_field_value(field, p) > 0.5f * rise;
    return free && (ring->boundary || q.x > 0.0f) ? q : p;
}

static void fit_vertices(void* data, int32_t first, int32_t end)
{
    Fit* fit = data;
    for (int32_t v = first; v < end; ++v) {
        GtiRing ring;
        bool known = gti_live_mesh_ring(&fit->surface, v, &ring);
        fit->moved[v] = known ? fitted(fit, v, &ring) : fit->surface.positions[v];
    }
}

// Mean over the edges of how far their middles are from the zero level.
static double mean_depth(const Fit* fit)
{
    double sum = 0.0;
    int32_t count = 3 * fit->surface.triangle_count;
    for (int32_t c = 0; c < count; ++c) {
        sum += fabs((double)fit->depths[c]);
    }
    return sum / count;
}

bool gti_fit(const GtiRemeshDef* def, double tolerance, GtAllocator allocator, GtiTrimesh* mesh, bool* moved)
{
    *moved = false;
    GtArena scratch = gt_arena_create(allocator);
    size_t size = (size_t)mesh->vertex_count * sizeof(GtVec3);
    Fit fit = { .def = def, .moved = gt_arena_push(&scratch, size) };
    GtVec3* starts = gt_arena_push(&scratch, size);
    fit.depths = gt_arena_push(&scratch, 3 * (size_t)mesh->triangle_count * sizeof *fit.depths);
    bool ok =
        fit.moved && starts && fit.depths && gti_live_mesh_create(mesh, mesh->triangle_count, &scratch, &fit.surface);
    if (ok) {
        memcpy(starts, mesh->positions, size);
        fit.starts = starts;
    }
    for (int round = 0; round < MAX_ROUNDS && ok; ++round) {
        gt_executor_run(def->executor, mesh->triangle_count, 1024, measure_edges, &fit);
        if (mean_depth(&fit) < tolerance) {
            break;
        }
        gt_executor_run(def->executor, mesh->vertex_count, 512, fit_vertices, &fit);
        memcpy(fit.surface.positions, fit.moved, size);
        *moved = true;
    }
    if (ok) {
        memcpy(mesh->positions, fit.surface.positions, size);
    }
    gt_arena_destroy(&scratch);
    return ok;
}
