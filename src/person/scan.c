// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin as a scanner would give it: vertices a little off along their normals, patches missing, lumps floating
// around, in the units and with the up axis of a scanner.

#include "person/person.h"

#include "geometry/live_mesh.h"
#include "person/random.h"

#include <string.h>

// An icosahedron, the simplest lump.
#define A 0.525731112f
#define B 0.850650808f
static const GtVec3 lump_corners[12] = {
    { -A, 0, B }, { A, 0, B },   { -A, 0, -B }, { A, 0, -B }, { 0, B, A },  { 0, B, -A },
    { 0, -B, A }, { 0, -B, -A }, { B, A, 0 },   { -B, A, 0 }, { B, -A, 0 }, { -B, -A, 0 },
};
static const uint8_t lump_triangles[20][3] = {
    { 0, 1, 4 }, { 0, 4, 9 },  { 9, 4, 5 },  { 4, 8, 5 },  { 4, 1, 8 },  { 8, 1, 10 }, { 8, 10, 3 },
    { 5, 8, 3 }, { 5, 3, 2 },  { 2, 3, 7 },  { 7, 3, 10 }, { 7, 10, 6 }, { 7, 6, 11 }, { 11, 6, 0 },
    { 0, 6, 1 }, { 6, 10, 1 }, { 9, 11, 0 }, { 9, 2, 11 }, { 9, 5, 2 },  { 7, 11, 2 },
};

// The sum of three even numbers is bell-shaped enough, and the same on every machine.
static float bell(uint64_t* state)
{
    return (float)(gti_random(state, -1.0, 1.0) + gti_random(state, -1.0, 1.0) + gti_random(state, -1.0, 1.0));
}

static void add_noise(const GtiPerson* person, uint64_t* state, GtiTrimesh* mesh)
{
    GtiField field = gti_layers_field(&person->posed);
    float step = 5e-4f * (float)person->skeleton.height_m;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        GtVec3 normal = gti_field_gradient(&field, mesh->positions[v], step);
        normal = gt_vec3_normalize_or(normal, gt_vec3(0.0f, 1.0f, 0.0f));
        float off = (float)person->def->scan.noise_m * bell(state);
        mesh->positions[v] = gt_vec3_add(mesh->positions[v], gt_vec3_scale(normal, off));
    }
}

// Every triangle with a corner near one of some chosen vertices goes.
static void cut_holes(const GtiPerson* person, uint64_t* state, GtiTrimesh* mesh)
{
    int32_t vertices = mesh->vertex_count;
    for (int32_t h = 0; h < person->def->scan.hole_count && mesh->triangle_count > 0; ++h) {
        GtVec3 center = mesh->positions[(int32_t)gti_random(state, 0.0, vertices)];
        float radius = (float)(gti_random(state, 0.006, 0.02) * person->skeleton.height_m);
        int32_t kept = 0;
        for (int32_t t = 0; t < mesh->triangle_count; ++t) {
            bool near = false;
            for (int i = 0; i < 3; ++i) {
                GtVec3 p = mesh->positions[mesh->triangles[t][i]];
                near = near || gt_vec3_length(gt_vec3_sub(p, center)) < radius;
            }
            if (!near) {
                memmove(mesh->triangles[kept++], mesh->triangles[t], sizeof mesh->triangles[t]);
            }
        }
        mesh->triangle_count = kept;
    }
}

// Two holes, or two ends of one, may meet in a vertex, which then is no manifold: what is left around it goes too,
// until there is none. A vertex is such when more than one edge of a rim leaves it. false when memory ran out.
static bool open_pinches(GtArena* arena, GtiTrimesh* mesh)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    uint8_t* rims = gt_arena_push(&scratch, (size_t)mesh->vertex_count);
    bool ok = rims != NULL;
    for (bool found = true; found && ok;) {
        GtiLiveMesh live;
        GtArenaMark mark = gt_arena_mark(&scratch);
        ok = gti_live_mesh_create(mesh, mesh->triangle_count, &scratch, &live);
        memset(rims, 0, (size_t)mesh->vertex_count);
        for (int32_t c = 0; c < 3 * mesh->triangle_count && ok; ++c) {
            uint8_t* rim = &rims[gti_corner_vertex(&live, c)];
            *rim = (uint8_t)(*rim + (*rim < 2 && gti_corner_opposite(&live, c) < 0));
        }
        int32_t kept = 0;
        for (int32_t t = 0; t < mesh->triangle_count && ok; ++t) {
            const int32_t* v = mesh->triangles[t];
            if (rims[v[0]] < 2 && rims[v[1]] < 2 && rims[v[2]] < 2) {
                memmove(mesh->triangles[kept++], v, sizeof mesh->triangles[t]);
            }
        }
        found = kept < mesh->triangle_count;
        mesh->triangle_count = ok ? kept : mesh->triangle_count;
        gt_arena_reset(&scratch, mark);
    }
    gt_arena_destroy(&scratch);
    return ok;
}

static void add_islands(const GtiPerson* person, uint64_t* state, GtiTrimesh* mesh)
{
    double h = person->skeleton.height_m;
    for (int32_t i = 0; i < person->def->scan.island_count; ++i) {
        GtVec3 center = gt_vec3((float)gti_random(state, -0.5 * h, 0.5 * h), (float)gti_random(state, 0.0, 1.1 * h),
                                (float)gti_random(state, 0.25 * h, 0.5 * h));
        float radius = (float)gti_random(state, 0.002 * h, 0.01 * h);
        for (int t = 0; t < 20; ++t) {
            for (int k = 0; k < 3; ++k) {
                mesh->triangles[mesh->triangle_count][k] = mesh->vertex_count + lump_triangles[t][k];
            }
            ++mesh->triangle_count;
        }
        for (int v = 0; v < 12; ++v) {
            mesh->positions[mesh->vertex_count++] = gt_vec3_add(center, gt_vec3_scale(lump_corners[v], radius));
        }
    }
}

// Vertices that no triangle uses any more go.
static bool drop_unused(GtArena* arena, GtiTrimesh* mesh)
{
    int32_t* renamed = gt_arena_push(arena, (size_t)mesh->vertex_count * sizeof *renamed);
    if (!renamed) {
        return false;
    }
    memset(renamed, 0xFF, (size_t)mesh->vertex_count * sizeof *renamed);
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        renamed[mesh->triangles[c / 3][c % 3]] = 0;
    }
    int32_t count = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (renamed[v] == 0) {
            mesh->positions[count] = mesh->positions[v];
            renamed[v] = count++;
        }
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        mesh->triangles[c / 3][c % 3] = renamed[mesh->triangles[c / 3][c % 3]];
    }
    mesh->vertex_count = count;
    return true;
}

static GtVec3 as_scanned(const GtPersonScan* scan, GtVec3 p)
{
    GtVec3 q = gt_vec3_scale(p, (float)(1.0 / scan->metres_per_unit));
    switch (scan->up_axis) {
    case GT_UP_Z:
        return gt_vec3(q.x, -q.z, q.y);
    case GT_UP_X:
        return gt_vec3(q.y, -q.x, q.z);
    default:
        return q;
    }
}

bool gti_person_scan(const GtiPerson* person, GtArena* arena, GtiTrimesh* mesh)
{
    const GtPersonScan* scan = &person->def->scan;
    size_t islands = (size_t)scan->island_count;
    GtiTrimesh copy = *mesh;
    copy.positions = gt_arena_push_array(arena, (size_t)mesh->vertex_count + 12 * islands, sizeof *copy.positions);
    copy.triangles = gt_arena_push_array(arena, (size_t)mesh->triangle_count + 20 * islands, sizeof *copy.triangles);
    if (!copy.positions || !copy.triangles) {
        return false;
    }
    memcpy(copy.positions, mesh->positions, (size_t)mesh->vertex_count * sizeof *copy.positions);
    memcpy(copy.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *copy.triangles);
    uint64_t state = scan->seed;
    if (scan->noise_m > 0.0) {
        add_noise(person, &state, &copy);
    }
    cut_holes(person, &state, &copy);
    if (scan->hole_count > 0 && !open_pinches(arena, &copy)) {
        return false;
    }
    add_islands(person, &state, &copy);
    if (!drop_unused(arena, &copy)) {
        return false;
    }
    for (int32_t v = 0; v < copy.vertex_count; ++v) {
        copy.positions[v] = as_scanned(scan, copy.positions[v]);
    }
    *mesh = copy;
    return true;
}
