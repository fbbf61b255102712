// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Places along the sum of the triangles' areas follow the golden ratio, so that any number of them is even. Of meshes
// with very many triangles one of every few is looked at. Mouths, sockets and inner walls lie inside and are left out.

#include "rig/fit/target.h"

enum {
    MOST_TRIANGLES = 400000,
};

#define INSIDE 0.02f // heights

// Fraction of i times the reciprocal of the golden ratio (Roberts's sequences for more dimensions).
static float fraction(int32_t i, double ratio)
{
    double x = 0.5 + (double)i * ratio;
    return (float)(x - floor(x));
}

static float triangle_area(const GtiRigBody* body, int32_t t)
{
    const int32_t* c = body->triangles[t];
    GtVec3 ab = gt_vec3_sub(body->points[c[1]], body->points[c[0]]);
    GtVec3 ac = gt_vec3_sub(body->points[c[2]], body->points[c[0]]);
    float area = 0.5f * gt_vec3_length(gt_vec3_cross(ab, ac));
    return area < 1e6f ? area : 0.0f; // NaN too
}

// The one that is looked at of each run of triangles, whose order may follow the surface in steps of its own.
static int32_t pick(int32_t run, int32_t stride, int32_t count)
{
    int32_t t = run * stride + (int32_t)(fraction(run, 0.61803398874989485) * (float)stride);
    return t < count ? t : count - 1;
}

static int32_t find_sum(const double* sums, int32_t count, double at)
{
    int32_t low = 0;
    int32_t high = count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sums[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void put_point(const GtiRigBody* body, int32_t t, float u, float v, GtiFitTarget* out)
{
    const int32_t* c = body->triangles[t];
    if (u + v > 1.0f) {
        u = 1.0f - u;
        v = 1.0f - v;
    }
    GtVec3 ab = gt_vec3_sub(body->points[c[1]], body->points[c[0]]);
    GtVec3 ac = gt_vec3_sub(body->points[c[2]], body->points[c[0]]);
    GtVec3 face = gt_vec3_normalize_or(gt_vec3_cross(ab, ac), gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 normal =
        gt_vec3_add(gt_vec3_scale(body->normals[c[0]], 1.0f - u - v),
                    gt_vec3_add(gt_vec3_scale(body->normals[c[1]], u), gt_vec3_scale(body->normals[c[2]], v)));
    out->points[out->count] = gt_vec3_add(body->points[c[0]], gt_vec3_add(gt_vec3_scale(ab, u), gt_vec3_scale(ac, v)));
    out->normals[out->count] = gt_vec3_normalize_or(normal, face);
}

bool gti_target_sample(const GtiRigBody* body, const GtiSolid* solid, int32_t count, GtArena* arena, GtiFitTarget* out)
{
    *out = (GtiFitTarget){ .points = gt_arena_push_array(arena, (size_t)count, sizeof *out->points),
                           .normals = gt_arena_push_array(arena, (size_t)count, sizeof *out->normals) };
    int32_t triangles = body->skin_triangle_count;
    int32_t stride = 1 + triangles / MOST_TRIANGLES;
    int32_t looked = triangles / stride + (triangles % stride != 0);
    double* sums = gt_arena_push_array(arena, (size_t)looked, sizeof *sums);
    if (!out->points || !out->normals || !sums) {
        return false;
    }
    double sum = 0.0;
    for (int32_t i = 0; i < looked; ++i) {
        sum += (double)triangle_area(body, pick(i, stride, triangles));
        sums[i] = sum;
    }
    for (int32_t i = 0; i < count && sum > 0.0; ++i) {
        int32_t at = find_sum(sums, looked, sum * (double)fraction(i, 0.61803398874989485));
        put_point(body, pick(at, stride, triangles), fraction(i, 0.75487766624669276), fraction(i, 0.56984029099805327),
                  out);
        if (!solid || gti_solid_distance(solid, out->points[out->count]) > -INSIDE) {
            ++out->count;
        }
    }
    return true;
}
