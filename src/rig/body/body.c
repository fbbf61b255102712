// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The steps from a scene to a body, and into body space.

#include "rig/body/body.h"

#include "base/fail.h"
#include "geometry/orient.h"
#include "rig/body/parts.h"

#include <float.h>
#include <math.h>

static GtResult orient(const GtContext* context, GtiRigBody* body, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiTrimesh mesh = { body->points, body->point_count, body->triangles, body->triangle_count };
    GtiEdges edges;
    bool ok =
        gti_edges_find(&mesh, &scratch, &edges) && gti_orient(&mesh, &edges, context->allocator, &body->turned_count);
    gt_arena_destroy(&scratch);
    if (!ok) {
        return gti_out_of_memory(error);
    }
    if (body->turned_count > 0) {
        gti_note(context, NULL, NULL, "%d of %d triangles faced inwards and are flipped", body->turned_count,
                 body->triangle_count);
    }
    return GT_OK;
}

static GtRigAxis axis_of(GtVec3 v)
{
    float x = fabsf(v.x);
    float y = fabsf(v.y);
    float z = fabsf(v.z);
    if (x >= y && x >= z) {
        return v.x > 0.0f ? GT_RIG_AXIS_X : GT_RIG_AXIS_MINUS_X;
    }
    if (y >= z) {
        return v.y > 0.0f ? GT_RIG_AXIS_Y : GT_RIG_AXIS_MINUS_Y;
    }
    return v.z > 0.0f ? GT_RIG_AXIS_Z : GT_RIG_AXIS_MINUS_Z;
}

// Where the skin begins and ends along a direction.
static void measure_along(const GtiRigBody* body, GtVec3 way, float* low, float* high)
{
    *low = FLT_MAX;
    *high = -FLT_MAX;
    for (int32_t t = 0; t < body->skin_triangle_count; ++t) {
        for (int c = 0; c < 3; ++c) {
            float at = gt_vec3_dot(body->points[body->triangles[t][c]], way);
            *low = fminf(*low, at);
            *high = fmaxf(*high, at);
        }
    }
}

static void move_to_body_space(GtiRigBody* body, const GtiUpright* upright)
{
    float ground;
    float top;
    float back;
    float front;
    measure_along(body, upright->up, &ground, &top);
    measure_along(body, upright->front, &back, &front);
    float scale = 1.0f / (top - ground);
    const GtVec3 rows[3] = { upright->left, upright->up, upright->front };
    const float origin[3] = { upright->middle, ground, 0.5f * (back + front) };
    GtMat34 turn;
    for (int i = 0; i < 3; ++i) {
        turn.m[i][0] = rows[i].x * scale;
        turn.m[i][1] = rows[i].y * scale;
        turn.m[i][2] = rows[i].z * scale;
        turn.m[i][3] = -origin[i] * scale;
    }
    for (int32_t p = 0; p < body->point_count; ++p) {
        body->points[p] = gt_mat34_point(&turn, body->points[p]);
    }
    body->body_from_scene = gt_mat34_mul(turn, body->body_from_scene);
}

// Weights after Max (1999), which are right on a sphere and need no angles.
static GtResult find_normals(GtArena* arena, GtiRigBody* body, GtError* error)
{
    body->normals = gt_arena_push_array(arena, (size_t)body->point_count, sizeof *body->normals);
    if (!body->normals) {
        return gti_out_of_memory(error);
    }
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        const GtVec3 sides[3] = { gt_vec3_sub(body->points[c[1]], body->points[c[0]]),
                                  gt_vec3_sub(body->points[c[2]], body->points[c[1]]),
                                  gt_vec3_sub(body->points[c[0]], body->points[c[2]]) };
        const float squares[3] = { gt_vec3_dot(sides[0], sides[0]), gt_vec3_dot(sides[1], sides[1]),
                                   gt_vec3_dot(sides[2], sides[2]) };
        GtVec3 n = gt_vec3_cross(sides[0], sides[1]);
        for (int i = 0; i < 3; ++i) {
            float weight = 1.0f / (squares[i] * squares[i == 0 ? 2 : i - 1] + 1e-20f);
            body->normals[c[i]] = gt_vec3_add(body->normals[c[i]], gt_vec3_scale(n, weight));
        }
    }
    for (int32_t p = 0; p < body->point_count; ++p) {
        body->normals[p] = gt_vec3_normalize_or(body->normals[p], gt_vec3(0.0f, 0.0f, 0.0f));
    }
    return GT_OK;
}

GtResult gti_body_gather(const GtContext* context, const GtScene* scene, const GtRigDef* def, GtArena* arena,
                         GtiRigBody* out, GtError* error)
{
    *out = (GtiRigBody){ 0 };
    GtiUpright upright = { .symmetry = 0.0f };
    GtResult result = gti_body_join(context, scene, arena, out, error);
    if (result == GT_OK) {
        result = orient(context, out, error);
    }
    if (result == GT_OK) {
        result = gti_body_find_pieces(context, arena, out, error);
    }
    if (result == GT_OK) {
        result = gti_body_find_upright(context, out, def->up, def->front, &upright, error);
    }
    if (result == GT_OK) {
        move_to_body_space(out, &upright);
        out->up = axis_of(upright.up);
        out->front = axis_of(upright.front);
        out->up_confidence = upright.up_confidence;
        out->front_confidence = upright.front_confidence;
        out->symmetry = upright.symmetry;
        result = find_normals(arena, out, error);
    }
    return result;
}
