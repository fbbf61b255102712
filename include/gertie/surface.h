// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: triangle surfaces as plain arrays.
///
/// Triangle surfaces as plain arrays: one topology for geometry out of vertices that files split at seams, and what can
/// be told of a surface: closed or open, in how many pieces, manifold or not.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_SURFACE_H
#define GERTIE_SURFACE_H

#include "gertie/context.h"
#include "gertie/vec.h"

GT_EXTERN_C_BEGIN

/// Triangles over vertices. The arrays are the caller's.
typedef struct GtSurface {
    const GtVec3* positions; ///< [vertex_count], finite
    int32_t vertex_count;
    const uint32_t* indices; ///< [3 * triangle_count], each below vertex_count
    int64_t triangle_count;
} GtSurface;

/// Find vertices that lie in the same place. A file splits a vertex where texture coordinates or normals differ on its
/// sides; geometry wants it whole. Corners keep their attributes through the old vertices, and take their place in the
/// topology through `points`: corner i of the mesh is point points[indices[i]].
///
/// Points are numbered in order of their first vertices, so that the same vertices give the same points, whatever the
/// number of threads.
/// @param positions    [count]
/// @param tolerance_m  0 joins what is equal (-0 is 0). Else each vertex, in order, joins the nearest earlier point
///                     within this distance, if there is one; so points lie further apart than that.
/// @param points       [count] receives the point of each vertex
/// @param vertices     [count] receives, for each point, its first vertex; may be NULL
/// @param point_count  receives how many points there are
GT_API GtResult gt_weld_vertices(const GtContext* context, const GtVec3* positions, int32_t count, float tolerance_m,
                                 int32_t* points, int32_t* vertices, int32_t* point_count, GtError* error);

/// What gt_surface_survey() found. An edge is a pair of vertices; triangles that use a vertex twice have none and count
/// as degenerate.
typedef struct GtSurfaceReport {
    int32_t component_count;      ///< pieces whose triangles hang together by edges
    int64_t edge_count;           ///< without degenerate triangles
    int64_t boundary_edge_count;  ///< edges of one triangle
    int64_t crowded_edge_count;   ///< edges of more than two
    int64_t flipped_edge_count;   ///< edges of two triangles that wind against each other
    int64_t pinched_vertex_count; ///< vertices at which several fans of triangles meet
    int64_t degenerate_count;     ///< triangles that use a vertex twice
    int64_t unused_vertex_count;  ///< vertices of no triangle
    int32_t hole_count;           ///< chains of boundary edges that hang together
    bool is_closed;               ///< there are triangles, and no boundary edges
    bool is_manifold;             ///< no crowded edges, no pinched vertices
    bool is_oriented;             ///< no flipped edges
    double area;                  ///< in the square of the positions' unit
    double volume;                ///< enclosed, by the divergence theorem; of use where it is closed and oriented
    GtVec3 min, max;              ///< of all vertices in use
} GtSurfaceReport;

/// Look at the topology and the size of a surface, in time in proportion to it. Weld it first: seams are boundaries.
GT_API GtResult gt_surface_survey(const GtContext* context, const GtSurface* surface, GtSurfaceReport* out,
                                  GtError* error);

GT_EXTERN_C_END

#endif
