// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/markers/markers.h"

#include "base/memory.h"

GtResult gti_marker_set_create(const GtContext* context, const GtiShell* shell, GtMarkers** out, GtError* error)
{
    GtMarkers* markers = context->allocator.allocate(context->allocator.user, sizeof *markers);
    if (!markers) {
        return gti_out_of_memory(error);
    }
    *markers = (GtMarkers){ .anchor = { .node = GT_NONE, .mesh = GT_NONE },
                            .vertex_count = shell->vertex_count,
                            .triangle_count = shell->triangle_count,
                            .hash = shell->hash,
                            .arena = gt_arena_create(context->allocator) };
    *out = markers;
    return GT_OK;
}

void gt_markers_destroy(GtMarkers* markers)
{
    if (markers) {
        gti_arena_destroy_owner(&markers->arena, markers);
    }
}

GtResult gti_marker_set_check(const GtMarkers* markers, const GtiShell* shell, const char* where, GtError* error)
{
    if ((markers->vertex_count && markers->vertex_count != shell->vertex_count) ||
        (markers->triangle_count && markers->triangle_count != shell->triangle_count)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where ? where : "",
                           "the markers are for a mesh of %lld vertices and %lld triangles, this one has %d and %d: "
                           "take the mesh that they were made for, or find markers anew",
                           (long long)markers->vertex_count, (long long)markers->triangle_count,
                           (int)shell->vertex_count, (int)shell->triangle_count);
    }
    if (markers->hash && markers->hash != shell->hash) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where ? where : "",
                           "the markers are for another mesh of as many vertices and triangles: its hash is %016llx, "
                           "this one's is %016llx; if they fit nevertheless, leave out \"mesh\"",
                           (unsigned long long)markers->hash, (unsigned long long)shell->hash);
    }
    return GT_OK;
}

GtHarmonicMarker gti_marker_on(const GtiShell* shell, const GtMarker* marker)
{
    GtHarmonicMarker on = {
        .triangle = GT_NONE, .point = marker->point, .radius = marker->radius_m, .band = marker->band
    };
    if (marker->mesh != GT_NONE) {
        on.triangle = gti_shell_triangle(shell, marker->mesh, marker->primitive, marker->triangle);
    }
    return on;
}

GtVec3 gti_marker_middle(const GtiShell* shell, const GtHarmonicMarker* marker)
{
    return marker->triangle == GT_NONE ? marker->point : gti_shell_middle(shell, marker->triangle);
}

void gti_marker_place(const GtiShell* shell, int32_t triangle, GtMarker* marker)
{
    if (triangle == GT_NONE) {
        return;
    }
    marker->point = gti_shell_middle(shell, triangle);
    gti_shell_source(shell, triangle, &marker->mesh, &marker->primitive, &marker->triangle);
    if (gti_shell_triangle(shell, marker->mesh, marker->primitive, marker->triangle) != triangle) {
        marker->mesh = GT_NONE;
    }
}
