// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Normals of a shape that came without. Vertices that share a place and a normal are one corner of the smooth surface
// (a seam of texture coordinates splits it, a hard edge gives it other normals); its normal is the mean of its
// triangles', weighted by their angles there. A vertex's own normal, which somebody may have painted, turns as that of
// its corner does.

#include "shapes/mesh.h"

#include "gertie/quat.h"
#include "gertie/surface.h"

#include "base/direction.h"
#include "base/fail.h"

#include <stdlib.h>

typedef struct Key {
    uint64_t pair; // place and direction
    int32_t vertex;
} Key;

static int compare_keys(const void* a, const void* b)
{
    const Key* x = a;
    const Key* y = b;
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

// corners: [vertex_count] receives the corner of each vertex, named by one of its vertices
static GtResult find_corners(const GtContext* context, const GtiShapeMesh* mesh, GtArena* arena, int32_t* corners,
                             GtError* error)
{
    size_t count = (size_t)mesh->vertex_count;
    int32_t* places = gt_arena_push_array(arena, count, sizeof *places);
    int32_t* directions = gt_arena_push_array(arena, count, sizeof *directions);
    Key* keys = gt_arena_push_array(arena, count, sizeof *keys);
    if (!places || !directions || !keys) {
        return gti_out_of_memory(error);
    }
    int32_t number = 0;
    GtResult result =
        gt_weld_vertices(context, mesh->positions, mesh->vertex_count, 0.0f, places, NULL, &number, error);
    if (result == GT_OK && mesh->normals) {
        result = gt_weld_vertices(context, mesh->normals, mesh->vertex_count, 0.0f, directions, NULL, &number, error);
    }
    for (int32_t i = 0; i < mesh->vertex_count && result == GT_OK; ++i) {
        keys[i] = (Key){ (uint64_t)(uint32_t)places[i] << 32 | (uint32_t)directions[i], i };
    }
    if (result != GT_OK || count == 0) {
        return result;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; ++i) {
        bool is_new = i == 0 || keys[i].pair != keys[i - 1].pair;
        corners[keys[i].vertex] = is_new ? keys[i].vertex : corners[keys[i - 1].vertex];
    }
    return GT_OK;
}

// sums: [vertex_count] of corners, not of unit length
static void add_normals(const GtiShapeMesh* mesh, const GtVec3* positions, const int32_t* corners, GtVec3* sums)
{
    for (int32_t t = 0; t + 2 < mesh->index_count; t += 3) {
        const uint32_t* v = &mesh->indices[t];
        GtVec3 cross =
            gt_vec3_cross(gt_vec3_sub(positions[v[1]], positions[v[0]]), gt_vec3_sub(positions[v[2]], positions[v[0]]));
        GtVec3 normal = gt_vec3_normalize_or(cross, gt_vec3(0.0f, 0.0f, 0.0f));
        for (int i = 0; i < 3; ++i) {
            GtVec3 at = positions[v[i]];
            float angle = gti_angle_between(gt_vec3_sub(positions[v[(i + 1) % 3]], at),
                                            gt_vec3_sub(positions[v[(i + 2) % 3]], at));
            GtVec3* sum = &sums[corners[v[i]]];
            *sum = gt_vec3_add(*sum, gt_vec3_scale(normal, angle));
        }
    }
}

static GtVec3 turn(GtQuat q, GtVec3 v)
{
    return gt_vec3_sub(gt_quat_rotate(q, v), v);
}

GtResult gti_shape_normals(const GtContext* context, const GtiShapeMesh* mesh, const GtVec3* moved, GtVec3* normals,
                           GtVec3* tangents, GtError* error)
{
    size_t count = (size_t)mesh->vertex_count;
    GtVec3 none = gt_vec3(0.0f, 0.0f, 0.0f);
    GtArena arena = gt_arena_create(context->allocator);
    int32_t* corners = gt_arena_push_array(&arena, count, sizeof *corners);
    GtVec3* before = gt_arena_push_array(&arena, count, sizeof *before);
    GtVec3* after = gt_arena_push_array(&arena, count, sizeof *after);
    GtResult result =
        corners && before && after ? find_corners(context, mesh, &arena, corners, error) : gti_out_of_memory(error);
    if (result == GT_OK) {
        add_normals(mesh, mesh->positions, corners, before);
        add_normals(mesh, moved, corners, after);
    }
    for (size_t i = 0; i < count && result == GT_OK; ++i) {
        GtVec3 from = before[corners[i]];
        GtVec3 to = after[corners[i]];
        bool stays = (from.x == to.x && from.y == to.y && from.z == to.z) || !(gt_vec3_length(from) > 0.0f) ||
                     !(gt_vec3_length(to) > 0.0f);
        GtQuat q = stays ? gt_quat_identity()
                         : gt_quat_between(gt_vec3_normalize_or(from, none), gt_vec3_normalize_or(to, none));
        if (normals) {
            normals[i] = stays || !mesh->normals ? none : turn(q, mesh->normals[i]);
        }
        if (tangents) {
            const float* t = mesh->tangents ? &mesh->tangents[4 * i] : NULL;
            tangents[i] = stays || !t ? none : turn(q, gt_vec3(t[0], t[1], t[2]));
        }
    }
    gt_arena_destroy(&arena);
    return result;
}
