// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The surface is cut with the plane of the ring first, in one pass over its triangles; what remains is a ray against
// segments in two dimensions. Only the side of the surface that looks outwards counts, so that a ray that starts
// outside, or passes through a mouth, finds the skin.

#include "harmonic/markers/rings.h"

#include "base/sort.h"

#include <math.h>

static const float far_off = 2.0f; // times the median

typedef struct Ring {
    GtVec3 center;
    GtVec3 axis, u, v; // right-handed
    int32_t ray_count;
    GtVec3 rays[GTI_MAX_RING];
    int32_t layer_counts[GTI_MAX_RING];
    int32_t pieces[GTI_MAX_RING][GTI_RING_LAYERS];
    GtiHit hits[GTI_MAX_RING][GTI_RING_LAYERS];
} Ring;

// Turn the ring so that left and right limbs get mirrored rays: from what is ahead, or up for bones that point ahead.
static void lay_ring(Ring* ring)
{
    GtVec3 ahead = fabsf(ring->axis.z) < 0.8f ? gt_vec3(0.0f, 0.0f, 1.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 across = gt_vec3_scale(ring->axis, gt_vec3_dot(ahead, ring->axis));
    ring->u = gt_vec3_normalize_or(gt_vec3_sub(ahead, across), ahead);
    ring->v = gt_vec3_cross(ring->axis, ring->u);
    for (int32_t i = 0; i < ring->ray_count; ++i) {
        float angle = 6.2831853f * (float)i / (float)ring->ray_count;
        ring->rays[i] = gt_vec3_add(gt_vec3_scale(ring->u, cosf(angle)), gt_vec3_scale(ring->v, sinf(angle)));
        ring->layer_counts[i] = 0;
    }
}

static bool is_admitted(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, int32_t triangle)
{
    int32_t piece = shell->pieces[shell->corners[3 * (size_t)triangle]];
    return gti_bones_are_neighbours(bones, bones->of_triangles[triangle], bone) &&
           shell->piece_areas[piece] >= GTI_LARGE_PIECE * shell->area_m2;
}

static void offer(Ring* ring, int32_t ray, int32_t piece, GtiHit hit)
{
    int32_t* count = &ring->layer_counts[ray];
    int32_t layer = 0;
    while (layer < *count && ring->pieces[ray][layer] != piece) {
        ++layer;
    }
    if (layer == GTI_RING_LAYERS || (layer < *count && ring->hits[ray][layer].distance_m <= hit.distance_m)) {
        return;
    }
    ring->pieces[ray][layer] = piece;
    ring->hits[ray][layer] = hit;
    *count += layer == *count;
}

// Where the plane cuts a triangle: two points, in (u, v) from the center. False where it does not.
static bool cut(const Ring* ring, const GtVec3 corners[3], float ends[2][2])
{
    float heights[3];
    for (int i = 0; i < 3; ++i) {
        heights[i] = gt_vec3_dot(gt_vec3_sub(corners[i], ring->center), ring->axis);
    }
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i) {
        int j = (i + 1) % 3;
        if ((heights[i] < 0.0f) == (heights[j] < 0.0f)) {
            continue;
        }
        GtVec3 p = gt_vec3_lerp(corners[i], corners[j], heights[i] / (heights[i] - heights[j]));
        p = gt_vec3_sub(p, ring->center);
        ends[count][0] = gt_vec3_dot(p, ring->u);
        ends[count++][1] = gt_vec3_dot(p, ring->v);
    }
    return count == 2;
}

static void meet_rays(const GtiShell* shell, Ring* ring, int32_t triangle, float ends[2][2])
{
    GtVec3 normal = gti_shell_normal(shell, triangle);
    for (int32_t i = 0; i < ring->ray_count; ++i) {
        float x = gt_vec3_dot(ring->rays[i], ring->u);
        float y = gt_vec3_dot(ring->rays[i], ring->v);
        float a = x * ends[0][1] - y * ends[0][0]; // across the ray
        float b = x * ends[1][1] - y * ends[1][0];
        if ((a < 0.0f) == (b < 0.0f) || !(gt_vec3_dot(normal, ring->rays[i]) > 0.0f)) {
            continue;
        }
        float t = a / (a - b);
        float distance =
            x * (ends[0][0] + t * (ends[1][0] - ends[0][0])) + y * (ends[0][1] + t * (ends[1][1] - ends[0][1]));
        if (distance > 0.0f) {
            GtVec3 place = gt_vec3_add(ring->center, gt_vec3_scale(ring->rays[i], distance));
            offer(ring, i, shell->pieces[shell->corners[3 * (size_t)triangle]], (GtiHit){ triangle, place, distance });
        }
    }
}

static void meet_surface(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, Ring* ring)
{
    for (int32_t t = 0; t < shell->triangle_count; ++t) {
        GtVec3 corners[3] = { gti_shell_corner(shell, t, 0), gti_shell_corner(shell, t, 1),
                              gti_shell_corner(shell, t, 2) };
        float ends[2][2];
        if (is_admitted(shell, bones, bone, t) && cut(ring, corners, ends)) {
            meet_rays(shell, ring, t, ends);
        }
    }
}

float gti_hits_radius(const GtiHit* hits, int32_t count)
{
    float distances[GTI_MAX_RING * GTI_RING_LAYERS];
    for (int32_t i = 0; i < count; ++i) {
        distances[i] = hits[i].distance_m;
    }
    gti_sort_floats(distances, count);
    return count > 0 ? distances[count / 2] : 0.0f;
}

int32_t gti_ring_cast(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, GtVec3 center, GtVec3 axis,
                      int32_t ray_count, GtiHit* hits)
{
    Ring ring = { .center = center, .axis = axis, .ray_count = ray_count };
    lay_ring(&ring);
    meet_surface(shell, bones, bone, &ring);
    int32_t count = 0;
    for (int32_t i = 0; i < ray_count; ++i) {
        for (int32_t layer = 0; layer < ring.layer_counts[i]; ++layer) {
            hits[count++] = ring.hits[i][layer];
        }
    }
    float most = far_off * gti_hits_radius(hits, count);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (hits[i].distance_m <= most) {
            hits[kept++] = hits[i];
        }
    }
    return kept;
}

bool gti_ray_cast(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, GtVec3 from, GtVec3 direction,
                  GtiHit* hit)
{
    GtVec3 side = fabsf(direction.x) < 0.6f ? gt_vec3(1.0f, 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 across = gt_vec3_cross(direction, side);
    Ring ring = { .center = from, .axis = gt_vec3_normalize_or(across, side), .u = direction, .ray_count = 1 };
    ring.v = gt_vec3_cross(ring.axis, ring.u);
    ring.rays[0] = direction;
    meet_surface(shell, bones, bone, &ring);
    if (ring.layer_counts[0] == 0) {
        return false;
    }
    *hit = ring.hits[0][0];
    return true;
}
