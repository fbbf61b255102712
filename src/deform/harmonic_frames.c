// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A frame as a morph shape under a linear skin. Between frames the joints turn and the shapes blend, which is far
// nearer to the motion than a blend of positions, and the file remains a rigged character.

#include "deform/harmonic_bake.h"

#include <math.h>

static GtResult check_size(GtiBaker* k)
{
    const GtCharacterDef* def = k->unskin.shell.figure.def;
    int64_t size = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        size += (int64_t)def->meshes[m].vertex_count * (def->meshes[m].normals ? 24 : 12) * k->clip->frame_count;
    }
    k->report.byte_size = size;
    k->report.shape_count = k->clip->frame_count;
    if (size > GT_HARMONIC_MAX_BAKE_SIZE) {
        return gti_fail(k->error, GT_ERROR_LIMIT,
                        "%d frames of %d vertices are %.1f GB of shapes, and %.1f are the most: take fewer frames a "
                        "second, a part of the clip, or principal shapes instead of frames",
                        (int)k->clip->frame_count, (int)k->clip->vertex_count, 1e-9 * (double)size,
                        1e-9 * (double)GT_HARMONIC_MAX_BAKE_SIZE);
    }
    return GT_OK;
}

GtResult gti_bake_frames(GtiBaker* k)
{
    const GtiShell* shell = &k->unskin.shell;
    const GtCharacterDef* def = shell->figure.def;
    size_t vertex_count = (size_t)shell->vertex_count;
    GtiShapes shapes = { .word = "frame", .count = k->clip->frame_count };
    GtResult result = check_size(k);
    if (result != GT_OK) {
        return result;
    }
    GtVec3* deltas = gt_arena_push_array(&k->scratch, vertex_count, sizeof *deltas);
    GtVec3* normals = gt_arena_push_array(&k->scratch, vertex_count, sizeof *normals);
    shapes.accessors =
        gt_arena_push_array(&k->scratch, 2 * (size_t)def->mesh_count * (size_t)shapes.count, sizeof *shapes.accessors);
    if (!deltas || !normals || !shapes.accessors) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t f = 0; f < shapes.count && result == GT_OK; ++f) {
        const GtVec3* wanted = NULL;
        result = gti_bake_frame(k, f, &wanted);
        if (result == GT_OK) {
            double error_m = (double)gti_unskin_exactly(&k->unskin, wanted, deltas);
            k->report.error_max_m = fmax(k->report.error_max_m, error_m);
            gti_unskin_normals(&k->unskin, wanted, normals);
        }
        for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
            const GtMeshDef* mesh = &def->meshes[m];
            int32_t* accessors = &shapes.accessors[2 * ((size_t)f * (size_t)def->mesh_count + (size_t)m)];
            result = gti_shape_add(k->scene, mesh, deltas + shell->first_vertex[m],
                                   mesh->normals ? normals + shell->first_vertex[m] : NULL, accessors, k->error);
        }
    }
    if (result == GT_OK) {
        result = gti_shapes_put(k->context, k->scene, def, k->clip->animation, &shapes, k->error);
    }
    return result == GT_OK ? gti_bake_keys(k, &shapes, NULL) : result;
}
