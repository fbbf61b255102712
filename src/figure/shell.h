// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A rigged character as one surface, in the pose that it is bound in: all its meshes together, vertices that files
// split at seams made one point again.

#ifndef GERTIE_FIGURE_SHELL_H
#define GERTIE_FIGURE_SHELL_H

#include "figure/figure.h"

typedef struct GtiShell {
    const GtFigure* figure; // whose surface it is
    GtMat34* bind;          // [node_count] model_from_node in the bind pose; nodes that bind nothing hang on as at rest

    int32_t vertex_count;    // of all meshes of the character, one after the other
    int32_t* first_vertex;   // [mesh_count + 1]
    int32_t* first_triangle; // [mesh_count + 1]
    int32_t* points;         // [vertex_count] the point that each vertex is at

    GtVec3* positions; // [point_count] in the bind pose
    int32_t point_count;
    uint32_t* corners; // [3 * triangle_count] points
    int32_t triangle_count;
    double size_m;  // diagonal of the box around it
    double area_m2; // of all
    float outward;  // -1 where most triangles are turned inside out, else 1

    int32_t* pieces; // [point_count] that hang together by triangles
    int32_t piece_count;
    double* piece_areas; // [piece_count]
    uint64_t hash;       // of vertices and corners as the scene has them
} GtiShell;

// The surface of a figure, made when it is first asked for; it lives as long as the figure, which must not be moved.
// The figure's instance is left in the rest pose. Fails with GT_ERROR_NOT_FOUND where there are no triangles.
GtResult gti_figure_shell(const GtContext* context, GtFigure* figure, const GtiShell** out, GtError* error);

// The triangle of a body that is triangle `triangle` of a primitive, or GT_NONE. Of a mesh that is shown at several
// nodes, the first counts.
int32_t gti_shell_triangle(const GtiShell* shell, int32_t mesh, int32_t primitive, int64_t triangle);

// The other way.
void gti_shell_source(const GtiShell* shell, int32_t triangle, int32_t* mesh, int32_t* primitive, int32_t* source);

static inline GtVec3 gti_shell_corner(const GtiShell* shell, int32_t triangle, int corner)
{
    return shell->positions[shell->corners[3 * (size_t)triangle + (size_t)corner]];
}

static inline GtVec3 gti_shell_middle(const GtiShell* shell, int32_t triangle)
{
    GtVec3 sum = gt_vec3_add(gti_shell_corner(shell, triangle, 0), gti_shell_corner(shell, triangle, 1));
    return gt_vec3_scale(gt_vec3_add(sum, gti_shell_corner(shell, triangle, 2)), 1.0f / 3.0f);
}

// Twice the area, along the normal that looks out of the shell.
static inline GtVec3 gti_shell_normal(const GtiShell* shell, int32_t triangle)
{
    GtVec3 a = gti_shell_corner(shell, triangle, 0);
    GtVec3 normal = gt_vec3_cross(gt_vec3_sub(gti_shell_corner(shell, triangle, 1), a),
                                  gt_vec3_sub(gti_shell_corner(shell, triangle, 2), a));
    return gt_vec3_scale(normal, shell->outward);
}

#endif
