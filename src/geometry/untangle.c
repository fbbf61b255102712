// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles that cut others are smoothed until they do not. What does not give way after a few rounds takes the
// triangles around it along, since a fold that is pressed flat needs room.

#include "geometry/live_mesh.h"
#include "geometry/remesh.h"

#include <string.h>

enum {
    MAX_ROUNDS = 20
};

// Mark every triangle that has a corner in common with a marked one.
static void widen_marks(const GtiTrimesh* mesh, uint8_t* marks, uint8_t* touched)
{
    memset(touched, 0, (size_t)mesh->vertex_count);
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        touched[mesh->triangles[c / 3][c % 3]] |= marks[c / 3];
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        marks[c / 3] |= touched[mesh->triangles[c / 3][c % 3]];
    }
}

// Pull the vertices of marked triangles to the middle of their neighbours.
static void smooth_marked(GtiLiveMesh* s, const uint8_t* marks)
{
    for (int32_t c = 0; c < 3 * s->triangle_count; ++c) {
        GtiRing ring;
        int32_t v = gti_corner_vertex(s, c);
        if (!marks[c / 3] || !gti_live_mesh_ring(s, v, &ring)) {
            continue;
        }
        GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
        for (int i = 0; i < ring.count; ++i) {
            int32_t a = gti_corner_vertex(s, gti_next_corner(ring.corners[i]));
            int32_t b = gti_corner_vertex(s, gti_prev_corner(ring.corners[i]));
            sum = gt_vec3_add(sum, gt_vec3_add(s->positions[a], s->positions[b]));
        }
        GtVec3 middle = gt_vec3_scale(sum, 0.5f / (float)ring.count);
        s->positions[v] = gt_vec3_lerp(s->positions[v], middle, 0.5f);
        s->positions[v].x = ring.boundary ? 0.0f : s->positions[v].x;
    }
}

static bool untangle(GtArena* scratch, GtiTrimesh* mesh)
{
    GtiLiveMesh s = { 0 };
    uint8_t* marks = gt_arena_push(scratch, (size_t)mesh->triangle_count);
    uint8_t* touched = gt_arena_push(scratch, (size_t)mesh->vertex_count);
    if (!marks || !touched) {
        return false;
    }
    for (int attempt = 0; attempt < MAX_ROUNDS; ++attempt) {
        int64_t found = gti_trimesh_self_intersections(mesh, scratch->allocator, marks);
        if (found <= 0) {
            return found == 0;
        }
        if (!s.positions && !gti_live_mesh_create(mesh, mesh->triangle_count, scratch, &s)) {
            return false;
        }
        for (int ring = 0; ring < attempt / 3; ++ring) { // what does not give way needs more room
            widen_marks(mesh, marks, touched);
        }
        smooth_marked(&s, marks);
        memcpy(mesh->positions, s.positions, (size_t)mesh->vertex_count * sizeof *mesh->positions);
    }
    return true;
}

bool gti_untangle(GtAllocator allocator, GtiTrimesh* mesh)
{
    GtArena scratch = gt_arena_create(allocator);
    bool ok = untangle(&scratch, mesh);
    gt_arena_destroy(&scratch);
    return ok;
}
