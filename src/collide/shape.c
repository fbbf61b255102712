// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/shape.h"

#include "base/bounds.h"
#include "base/scalar.h"

#include <math.h>

enum {
    LEAST_POINTS = 8, // of a capsule
    STRIDE = 8        // from one plane that is tried alone to the next
};

static const float CLOSED = 0.4f; // cosine
static const float MIDDLE = 0.8f; // share of a capsule's length, whose points tell its radii: joints bulge

// A spiral from pole to pole, evenly dense (Saff and Kuijlaars 1997).
void gti_hull_normals(GtiHullNormals* out)
{
    const double golden_rad = 2.399963229728653;
    for (int i = 0; i < GTI_HULL_PLANES; ++i) {
        double height = 1.0 - (2.0 * i + 1.0) / GTI_HULL_PLANES, across = sqrt(1.0 - height * height);
        out->x[i] = (float)(across * cos(golden_rad * i));
        out->y[i] = (float)height;
        out->z[i] = (float)(across * sin(golden_rad * i));
    }
}

GtiHull gti_hull_fit(const GtiHullNormals* normals, const GtVec3* points, int32_t count)
{
    GtiHull hull = { .radius = -1.0f };
    for (int i = 0; i < GTI_HULL_PLANES; ++i) {
        hull.reaches[i] = -INFINITY;
    }
    for (int32_t p = 0; p < count; ++p) {
        for (int i = 0; i < GTI_HULL_PLANES; ++i) {
            float reach = normals->x[i] * points[p].x + normals->y[i] * points[p].y + normals->z[i] * points[p].z;
            hull.reaches[i] = reach > hull.reaches[i] ? reach : hull.reaches[i];
        }
    }
    if (count > 0) {
        GtBounds bounds = gti_bounds_of(points, count);
        hull.middle = gt_vec3_lerp(bounds.low, bounds.high, 0.5f);
    }
    for (int32_t p = 0; p < count; ++p) {
        hull.radius = fmaxf(hull.radius, gt_vec3_length(gt_vec3_sub(points[p], hull.middle)));
    }
    return hull;
}

void gti_hull_close(const GtiHullNormals* normals, GtVec3 way, GtiHull* hull)
{
    for (int i = 0; i < GTI_HULL_PLANES; ++i) {
        float along = normals->x[i] * way.x + normals->y[i] * way.y + normals->z[i] * way.z;
        hull->closed[i] = hull->closed[i] || along > CLOSED;
    }
}

bool gti_capsule_fit(const GtVec3* points, int32_t count, GtVec3 a, GtVec3 b, GtiCapsule* out)
{
    GtVec3 axis = gt_vec3_sub(b, a);
    float square = gt_vec3_dot(axis, axis);
    double n = 0.0, sum_t = 0.0, sum_tt = 0.0, sum_r = 0.0, sum_tr = 0.0;
    for (int32_t i = 0; square > 0.0f && i < count; ++i) {
        float t = gt_vec3_dot(gt_vec3_sub(points[i], a), axis) / square;
        if (fabsf(t - 0.5f) > 0.5f * MIDDLE) {
            continue;
        }
        float r = gt_vec3_length(gt_vec3_sub(points[i], gt_vec3_lerp(a, b, t)));
        n += 1.0;
        sum_t += (double)t;
        sum_tt += (double)(t * t);
        sum_r += (double)r;
        sum_tr += (double)(t * r);
    }
    if (n < LEAST_POINTS) {
        return false;
    }
    double spread = sum_tt - sum_t * sum_t / n;
    double slope = spread > 1e-3 * n ? (sum_tr - sum_t * sum_r / n) / spread : 0.0;
    double start = (sum_r - slope * sum_t) / n;
    *out = (GtiCapsule){ a, b, fmaxf((float)start, 0.0f), fmaxf((float)(start + slope), 0.0f) };
    return true;
}

// The least of all depths, in lanes that a compiler makes wide.
static float least_of(const float depths[GTI_HULL_PLANES])
{
    enum {
        LANES = 8
    };
    float least[LANES];
    for (int k = 0; k < LANES; ++k) {
        least[k] = depths[k];
    }
    for (int i = LANES; i < GTI_HULL_PLANES; i += LANES) {
        for (int k = 0; k < LANES; ++k) {
            least[k] = depths[i + k] < least[k] ? depths[i + k] : least[k];
        }
    }
    float all = least[0];
    for (int k = 1; k < LANES; ++k) {
        all = least[k] < all ? least[k] : all;
    }
    return all;
}

// How deep the deepest ball is under one plane.
static float depth_under(const GtiHullNormals* normals, const GtiBall* balls, int count, const GtiHull* hull, int plane)
{
    GtVec3 normal = gt_vec3(normals->x[plane], normals->y[plane], normals->z[plane]);
    float deepest = -INFINITY;
    for (int b = 0; b < count; ++b) {
        float depth = hull->reaches[plane] - gt_vec3_dot(normal, balls[b].at) + balls[b].radius;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

GtiDepth gti_balls_in_hull(const GtiHullNormals* normals, const GtiBall* balls, int count, const GtiHull* hull)
{
    float depths[GTI_HULL_PLANES];
    int apart = GT_NONE;
    float apart_m = 0.0f;
    for (int i = STRIDE / 2; i < GTI_HULL_PLANES; i += STRIDE) { // some planes show most of what is apart
        float depth = depth_under(normals, balls, count, hull, i);
        if (depth < apart_m) {
            apart = i;
            apart_m = depth;
        }
    }
    if (apart != GT_NONE) {
        return (GtiDepth){ apart_m, gt_vec3(normals->x[apart], normals->y[apart], normals->z[apart]) };
    }
    for (int b = 0; b < count; ++b) {
        GtVec3 at = balls[b].at;
        for (int i = 0; i < GTI_HULL_PLANES; ++i) {
            float inner = normals->x[i] * at.x + normals->y[i] * at.y + normals->z[i] * at.z - balls[b].radius;
            float depth = hull->reaches[i] - inner;
            depths[i] = b == 0 || depth > depths[i] ? depth : depths[i];
        }
    }
    float least = least_of(depths);
    bool is_inside = least > 0.0f;
    if (is_inside) { // the way out is through an open plane
        for (int i = 0; i < GTI_HULL_PLANES; ++i) {
            depths[i] = hull->closed[i] ? INFINITY : depths[i];
        }
        least = least_of(depths);
    }
    int best = 0;
    for (int i = 0; i < GTI_HULL_PLANES; ++i) {
        if (depths[i] <= least) {
            best = i;
            break;
        }
    }
    return (GtiDepth){ depths[best], gt_vec3(normals->x[best], normals->y[best], normals->z[best]) };
}

// Where two lines are nearest (Ericson, Real-Time Collision Detection (2005), 5.1.9), 0 to 1 along each.
static void nearest_of_lines(GtVec3 p, GtVec3 along_p, GtVec3 q, GtVec3 along_q, float* s, float* t)
{
    GtVec3 r = gt_vec3_sub(p, q);
    float a = gt_vec3_dot(along_p, along_p), e = gt_vec3_dot(along_q, along_q), f = gt_vec3_dot(along_q, r);
    float b = gt_vec3_dot(along_p, along_q), c = gt_vec3_dot(along_p, r);
    float across = a * e - b * b;
    *s = across > 1e-6f * a * e ? gti_clampf((b * f - c * e) / across, 0.0f, 1.0f) : 0.5f; // parallel: anywhere
    *t = e > 0.0f ? gti_clampf((b * *s + f) / e, 0.0f, 1.0f) : 0.0f;
    *s = a > 0.0f ? gti_clampf((b * *t - c) / a, 0.0f, 1.0f) : 0.0f;
}

GtiDepth gti_capsule_in_capsule(const GtiCapsule* capsule, const GtiCapsule* other, float* at, float* other_at)
{
    GtVec3 along = gt_vec3_sub(capsule->b, capsule->a), other_along = gt_vec3_sub(other->b, other->a);
    nearest_of_lines(capsule->a, along, other->a, other_along, at, other_at);
    GtVec3 way = gt_vec3_sub(gt_vec3_lerp(capsule->a, capsule->b, *at), gt_vec3_lerp(other->a, other->b, *other_at));
    float radii = capsule->radius_a + *at * (capsule->radius_b - capsule->radius_a) + other->radius_a +
                  *other_at * (other->radius_b - other->radius_a);
    GtVec3 across = gt_vec3_normalize_or(gt_vec3_cross(along, other_along), gt_vec3(1.0f, 0.0f, 0.0f));
    return (GtiDepth){ radii - gt_vec3_length(way), gt_vec3_normalize_or(way, across) };
}
