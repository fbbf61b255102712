// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies made of capsules for tests of weights: a mesh from a field, gathered without looking for up and front.

#ifndef GERTIE_TESTS_RIG_WEIGHING_H
#define GERTIE_TESTS_RIG_WEIGHING_H

#include "geometry/isosurface.h"
#include "rig/weigh/weights.h"

#include "support/test.h"

typedef struct Capsule {
    GtVec3 a, b;
    float radius;
} Capsule;

typedef struct Capsules {
    const Capsule* capsules;
    int count;
} Capsules;

static inline float capsules_value(const void* user, GtVec3 p)
{
    const Capsules* all = user;
    float least = 1e9f;
    for (int i = 0; i < all->count; ++i) {
        const Capsule* c = &all->capsules[i];
        GtVec3 axis = gt_vec3_sub(c->b, c->a);
        float t = gt_vec3_dot(gt_vec3_sub(p, c->a), axis) / fmaxf(gt_vec3_dot(axis, axis), 1e-12f);
        GtVec3 q = gt_vec3_lerp(c->a, c->b, fminf(fmaxf(t, 0.0f), 1.0f));
        least = fminf(least, gt_vec3_length(gt_vec3_sub(p, q)) - c->radius);
    }
    return least;
}

// The mesh around the capsules that hangs together with the first, in cells of the given width.
static inline GtiTrimesh capsules_mesh(const Capsule* capsules, int count, float cell, GtArena* arena)
{
    Capsules all = { capsules, count };
    GtiField field = { .value = capsules_value, .user = &all };
    GtVec3 low = { 1e9f, 1e9f, 1e9f };
    GtVec3 high = { -1e9f, -1e9f, -1e9f };
    for (int i = 0; i < count; ++i) {
        const Capsule* c = &capsules[i];
        low.x = fminf(low.x, fminf(c->a.x, c->b.x) - c->radius);
        low.y = fminf(low.y, fminf(c->a.y, c->b.y) - c->radius);
        low.z = fminf(low.z, fminf(c->a.z, c->b.z) - c->radius);
        high.x = fmaxf(high.x, fmaxf(c->a.x, c->b.x) + c->radius);
        high.y = fmaxf(high.y, fmaxf(c->a.y, c->b.y) + c->radius);
        high.z = fmaxf(high.z, fmaxf(c->a.z, c->b.z) + c->radius);
    }
    const float lows[3] = { low.x, low.y, low.z };
    const float highs[3] = { high.x, high.y, high.z };
    GtiGrid grid;
    for (int k = 0; k < 3; ++k) {
        grid.counts[k] = (int32_t)((highs[k] - lows[k]) / cell) + 6;
        float* lines = gt_arena_push_array(arena, (size_t)grid.counts[k], sizeof *lines);
        assert_non_null(lines);
        for (int32_t i = 0; i < grid.counts[k]; ++i) {
            lines[i] = lows[k] + cell * ((float)i - 2.37f); // off the capsules' own planes
        }
        grid.lines[k] = lines;
    }
    GtiTrimesh mesh;
    GtVec3 seed = gt_vec3(capsules[0].a.x, capsules[0].a.y, capsules[0].a.z + 0.3f * capsules[0].radius);
    assert_true(gti_isosurface(&field, &grid, seed, arena, &mesh));
    assert_true(mesh.triangle_count > 0);
    return mesh;
}

// A body of meshes, each a piece of its kind; normals by areas.
static inline GtiRigBody body_of(const GtiTrimesh* meshes, const GtiPieceKind* kinds, int count, GtArena* arena)
{
    GtiRigBody body = { .piece_count = count };
    for (int m = 0; m < count; ++m) {
        body.point_count += meshes[m].vertex_count;
        body.triangle_count += meshes[m].triangle_count;
        body.skin_triangle_count += kinds[m] == GTI_PIECE_SKIN ? meshes[m].triangle_count : 0;
        body.island_count += kinds[m] == GTI_PIECE_ISLAND;
    }
    body.points = gt_arena_push_array(arena, (size_t)body.point_count, sizeof *body.points);
    body.normals = gt_arena_push_array(arena, (size_t)body.point_count, sizeof *body.normals);
    body.pieces = gt_arena_push_array(arena, (size_t)body.point_count, sizeof *body.pieces);
    body.triangles = gt_arena_push_array(arena, (size_t)body.triangle_count, sizeof *body.triangles);
    body.kinds = gt_arena_push_array(arena, (size_t)count, sizeof *body.kinds);
    assert_true(body.points && body.normals && body.pieces && body.triangles && body.kinds);
    memcpy(body.kinds, kinds, (size_t)count * sizeof *kinds);
    int32_t point = 0;
    int32_t triangle = 0;
    for (int m = 0; m < count; ++m) {
        for (int32_t i = 0; i < meshes[m].vertex_count; ++i) {
            body.points[point + i] = meshes[m].positions[i];
            body.pieces[point + i] = m;
        }
        for (int32_t t = 0; t < meshes[m].triangle_count; ++t, ++triangle) {
            for (int k = 0; k < 3; ++k) {
                body.triangles[triangle][k] = point + meshes[m].triangles[t][k];
            }
        }
        point += meshes[m].vertex_count;
    }
    for (int32_t t = 0; t < body.triangle_count; ++t) {
        const int32_t* v = body.triangles[t];
        GtVec3 normal = gt_vec3_cross(gt_vec3_sub(body.points[v[1]], body.points[v[0]]),
                                      gt_vec3_sub(body.points[v[2]], body.points[v[0]]));
        for (int k = 0; k < 3; ++k) {
            body.normals[v[k]] = gt_vec3_add(body.normals[v[k]], normal);
        }
    }
    for (int32_t i = 0; i < body.point_count; ++i) {
        body.normals[i] = gt_vec3_normalize_or(body.normals[i], gt_vec3(0.0f, 0.0f, 0.0f));
    }
    return body;
}

static inline GtiSolid solid_of(const GtiRigBody* body, GtArena* arena)
{
    GtContext context = gt_default_context();
    GtError error;
    GtiSolid solid;
    GtiTrimesh skin = gti_body_skin(body);
    GT_EXPECT_OK(gti_solid_make(&context, &skin, 0.01f, 1 << 20, arena, &solid, &error));
    return solid;
}

// Every point: joints that exist, each once; weights that descend and sum to 1.
static inline void expect_sound(const GtiWeights* weights, const GtiRigBody* body, int32_t joint_count)
{
    for (int32_t i = 0; i < body->point_count; ++i) {
        const uint16_t* joints = &weights->joints[(size_t)i * (size_t)weights->influences];
        const float* row = &weights->weights[(size_t)i * (size_t)weights->influences];
        float sum = 0.0f;
        for (int32_t k = 0; k < weights->influences; ++k) {
            assert_true(row[k] >= 0.0f && joints[k] < joint_count);
            assert_true(k == 0 || row[k] <= row[k - 1]);
            for (int32_t other = 0; other < k && row[k] > 0.0f; ++other) {
                assert_int_not_equal(joints[other], joints[k]);
            }
            sum += row[k];
        }
        GT_EXPECT_NEAR(sum, 1.0, 1e-5);
    }
}

// A body that is weighed in different ways; `arena` holds all of it.
typedef struct Weighing {
    GtContext context;
    GtArena arena;
    GtiRigBody body;
    GtiSolid solid;
} Weighing;

static inline Weighing weighing_of(const GtiTrimesh* meshes, const GtiPieceKind* kinds, int count, GtArena arena)
{
    Weighing w = { .context = gt_default_context(), .arena = arena };
    w.body = body_of(meshes, kinds, count, &w.arena);
    w.solid = solid_of(&w.body, &w.arena);
    return w;
}

// One piece of skin around capsules.
static inline Weighing weighing_start(const Capsule* capsules, int count, float cell)
{
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh = capsules_mesh(capsules, count, cell, &arena);
    const GtiPieceKind skin = GTI_PIECE_SKIN;
    return weighing_of(&mesh, &skin, 1, arena);
}

// Weights that are sound, at most `influences` for a point.
static inline GtiWeights weigh(Weighing* w, const GtiRigSkeleton* skeleton, GtRigWeights method, int32_t influences)
{
    GtiWeights weights;
    GtError error;
    GT_EXPECT_OK(
        gti_weights_make(&w->context, &w->body, &w->solid, skeleton, method, influences, &w->arena, &weights, &error));
    expect_sound(&weights, &w->body, skeleton->joint_count);
    return weights;
}

static inline float weight_of(const GtiWeights* weights, int32_t point, int32_t joint)
{
    float sum = 0.0f;
    for (int32_t k = 0; k < weights->influences; ++k) {
        size_t at = (size_t)point * (size_t)weights->influences + (size_t)k;
        sum += weights->joints[at] == joint ? weights->weights[at] : 0.0f;
    }
    return sum;
}

#endif
