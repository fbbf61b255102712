// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "geometry/trimesh.h"

#include "base/scalar.h"

#include "gertie/quat.h"

static const double SLIVER_DEG = 15.0;

static double min_angle_rad(GtVec3 a, GtVec3 b, GtVec3 c)
{
    const GtVec3 corners[5] = { a, b, c, a, b };
    double least = GTI_PI;
    for (int i = 0; i < 3; ++i) {
        GtVec3 u = gt_vec3_sub(corners[i + 1], corners[i]);
        GtVec3 v = gt_vec3_sub(corners[i + 2], corners[i]);
        double cross = (double)gt_vec3_length(gt_vec3_cross(u, v));
        double angle = atan2(cross, (double)gt_vec3_dot(u, v));
        least = angle < least ? angle : least;
    }
    return least;
}

GtiTriangleShape gti_trimesh_shape(const GtiTrimesh* mesh)
{
    GtiTriangleShape shape = { .min_angle_rad = GTI_PI };
    int32_t slivers = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        GtVec3 a = mesh->positions[mesh->triangles[t][0]];
        GtVec3 b = mesh->positions[mesh->triangles[t][1]];
        GtVec3 c = mesh->positions[mesh->triangles[t][2]];
        double angle = min_angle_rad(a, b, c);
        shape.min_angle_rad = angle < shape.min_angle_rad ? angle : shape.min_angle_rad;
        shape.mean_min_angle_rad += angle / mesh->triangle_count;
        slivers += gt_degrees(angle) < SLIVER_DEG;
        GtVec3 normal = gt_vec3_cross(gt_vec3_sub(b, a), gt_vec3_sub(c, a));
        shape.area_m2 += 0.5 * (double)gt_vec3_length(normal);
        shape.volume_m3 += (double)gt_vec3_dot(a, gt_vec3_cross(b, c)) / 6.0;
    }
    shape.sliver_share = mesh->triangle_count ? (double)slivers / mesh->triangle_count : 0.0;
    return shape;
}
