// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/clip/surface.h"

#include "harmonic/markers/markers.h"

static const double near = 1e-4; // of the body's size

GtResult gti_marked_body_open(const GtContext* context, GtFigure* figure, const GtMarkers* markers, GtArena* arena,
                              GtiMarkedBody* out, GtError* error)
{
    *out = (GtiMarkedBody){ .markers = markers };
    GtResult result = gti_figure_shell(context, figure, &out->shell, error);
    if (result == GT_OK) {
        result = gti_marker_set_check(markers, out->shell, NULL, error);
    }
    if (result == GT_OK) {
        result = gti_bone_tree_find(out->shell, arena, &out->bones, error);
    }
    if (result == GT_OK) {
        out->axes = gti_bone_axes_find(&out->bones, arena);
        bool found = out->axes && gti_clip_parts_find(out->shell, &out->bones, arena, &out->parts);
        result = found ? GT_OK : gti_out_of_memory(error);
    }
    return result;
}

static GtResult put_markers(const GtiMarkedBody* body, GtHarmonicMarker* out, GtError* error)
{
    const GtiShell* shell = body->shell;
    for (int32_t i = 0; i < body->markers->count; ++i) {
        const GtMarker* marker = &body->markers->markers[i];
        out[i] = gti_marker_on(shell, marker);
        if (marker->mesh != GT_NONE && out[i].triangle == GT_NONE) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "marker %d is on no triangle of this mesh", (int)i);
        }
        int32_t node = gt_character_node_from_source(shell->figure->character, marker->node);
        if (node != GT_NONE) {
            gti_bone_axes_mark(&body->bones, body->axes, body->bones.of_nodes[node], gti_marker_middle(shell, &out[i]),
                               &out[i]);
        }
    }
    return GT_OK;
}

GtResult gti_marked_body_factor(const GtContext* context, const GtiMarkedBody* body, float squeeze, bool is_quick,
                                GtHarmonic** out, GtHarmonicReport* report, GtError* error)
{
    *out = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    GtHarmonicMarker* markers = gt_arena_push_array(&scratch, (size_t)body->markers->count, sizeof *markers);
    GtResult result = markers ? put_markers(body, markers, error) : gti_out_of_memory(error);
    GtHarmonicDef def = gt_default_harmonic_def();
    def.positions = body->shell->positions;
    def.vertex_count = body->shell->point_count;
    def.indices = body->shell->corners;
    def.triangle_count = body->shell->triangle_count;
    def.markers = markers;
    def.marker_count = body->markers->count;
    def.align_signs = false;
    def.is_quick = is_quick;
    def.handles = body->parts.made;
    def.handle_count = body->parts.handle_count;
    def.squeeze = squeeze;
    if (body->markers->anchor.node != GT_NONE) {
        def.anchor = gti_marker_on(body->shell, &body->markers->anchor);
        def.anchor_everywhere = false;
    }
    if (result == GT_OK) {
        result = gt_harmonic_create(context, &def, out, report, error);
    }
    gt_arena_destroy(&scratch);
    return result;
}

// Whether a matrix takes the vertices of a mesh to their points, as near as welding leaves them.
static bool takes_to_points(const GtiShell* shell, int32_t m, const GtMat34* bind_from_mesh)
{
    const GtMeshDef* mesh = &shell->figure->def->meshes[m];
    const int32_t* points = shell->points + shell->first_vertex[m];
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        GtVec3 off = gt_vec3_sub(gt_mat34_point(bind_from_mesh, mesh->positions[v]), shell->positions[points[v]]);
        if (!((double)gt_vec3_length(off) <= near * shell->size_m)) {
            return false;
        }
    }
    return true;
}

GtMat34 gti_bind_from_mesh(const GtiShell* shell, int32_t m)
{
    const GtMeshDef* mesh = &shell->figure->def->meshes[m];
    if (mesh->skin == GT_NONE) {
        return shell->bind[mesh->node];
    }
    // Joints agree, unless another skin has bound some of them elsewhere; or shapes are there at rest, and none fits.
    const GtSkinDef* skin = &shell->figure->def->skins[mesh->skin];
    GtMat34 first = gt_mat34_mul(shell->bind[skin->joints[0]], skin->joint_from_mesh[0]);
    GtMat34 bind = first;
    for (int32_t j = 1; j < skin->joint_count && !takes_to_points(shell, m, &bind); ++j) {
        bind = gt_mat34_mul(shell->bind[skin->joints[j]], skin->joint_from_mesh[j]);
    }
    return takes_to_points(shell, m, &bind) ? bind : first;
}
