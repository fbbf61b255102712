// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Fields of shapes whose area and volume are known.

#ifndef GERTIE_TESTS_GEOMETRY_SHAPES_H
#define GERTIE_TESTS_GEOMETRY_SHAPES_H

#include "gertie/surface.h"

#include "geometry/field.h"
#include "geometry/isosurface.h"

#include "support/test.h"

#define TEST_PI 3.14159265358979323846

static inline float sphere_slope(const void* user, GtVec3 p, GtVec3* gradient)
{
    float length = gt_vec3_length(p);
    *gradient = gt_vec3_scale(p, 1.0f / fmaxf(length, 1e-9f));
    return length - *(const float*)user;
}

static inline float sphere_value(const void* user, GtVec3 p)
{
    return gt_vec3_length(p) - *(const float*)user;
}

// A ring around the y axis; `user` has the radii of the ring and of its section.
static inline float torus_value(const void* user, GtVec3 p)
{
    const float* radii = user;
    float out = sqrtf(p.x * p.x + p.z * p.z) - radii[0];
    return sqrtf(out * out + p.y * p.y) - radii[1];
}

enum {
    SHAPE_LINES = 41
};

// Lines from -1 to 1, or from 0 to 1, closer together towards the end.
static inline void shape_lines(float low, float lines[SHAPE_LINES])
{
    for (int i = 0; i < SHAPE_LINES; ++i) {
        float at = (float)i / (SHAPE_LINES - 1);
        lines[i] = low + (1.0f - low) * (1.3f * at - 0.3f * at * at);
    }
}

static inline GtSurfaceReport survey(const GtiTrimesh* mesh)
{
    GtContext context = gt_default_context();
    GtError error;
    GtSurfaceReport report;
    GtSurface surface = { mesh->positions, mesh->vertex_count, (const uint32_t*)mesh->triangles, mesh->triangle_count };
    GT_EXPECT_OK(gt_surface_survey(&context, &surface, &report, &error));
    return report;
}

#endif
