// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A frame as a morph shape under a linear skin. Between frames the joints turn and the shapes blend, which is far
// nearer to the motion than a blend of positions, and the file remains a rigged character.

#include "harmonic/bake/bake.h"

#include <math.h>

static GtResult check_size(GtiBaker* k)
{
    const GtCharacterDef* def = k->unskin.shell->figure->def;
    int64_t size = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        size += (int64_t)def->meshes[m].vertex_count * (def->meshes[m].normals ? 24 : 12) * k->clip->frame_count;
    }
    k->report.byte_size = size;
    k->report.shape_count = k->clip->frame_count;
    if (size > GT_HARMONIC_MAX_BAKE_SIZE) {
        return gti_fail(k->error, GT_ERROR_LIMIT,
                        "%d frames of %d vertices are %.1f GB of shapes, more than the limit of %.1f GB: use a lower "
                        "rate, a part of the clip, or principal shapes instead of frames",
                        (int)k->clip->frame_count, (int)k->clip->vertex_count, 1e-9 * (double)size,
                        1e-9 * (double)GT_HARMONIC_MAX_BAKE_SIZE);
    }
    return GT_OK;
}

// A frame that becomes shapes.
typedef struct Framing {
    const GtiBaker* baker;
    GtiUnskinFrame frame;
    GtVec3* deltas;  // [vertex_count]
    GtVec3* normals; // likewise
    float* lefts;    // [block_count] distances that are left
} Framing;

static void shape_blocks(void* data, int32_t first, int32_t end)
{
    const Framing* framing = data;
    const GtiUnskin* unskin = &framing->baker->unskin;
    for (int32_t i = first; i < end; ++i) {
        int32_t begin = i * GTI_BAKE_BLOCK;
        int32_t block_end = gti_bake_block_end(framing->baker, i);
        framing->lefts[i] = gti_unskin_exactly(unskin, &framing->frame, begin, block_end, framing->deltas + begin);
        gti_unskin_normals(unskin, &framing->frame, begin, block_end, framing->normals + begin);
    }
}

static GtResult shape_frame(GtiBaker* k, int32_t frame, Framing* framing, int32_t* accessors)
{
    const GtiShell* shell = k->unskin.shell;
    GtResult result = gti_bake_batch(k, frame, 1, &framing->frame);
    if (result != GT_OK) {
        return result;
    }
    gti_unskin_take_normals(&k->unskin, &framing->frame);
    gti_bake_run_blocks(k, shape_blocks, framing);
    for (int32_t i = 0; i < gti_bake_block_count(k); ++i) {
        k->report.error_max_m = fmax(k->report.error_max_m, (double)framing->lefts[i]);
    }
    for (int32_t m = 0; m < shell->figure->def->mesh_count && result == GT_OK; ++m, accessors += 2) {
        const GtMeshDef* mesh = &shell->figure->def->meshes[m];
        result = gti_shape_add(k->scene, mesh, framing->deltas + shell->first_vertex[m],
                               mesh->normals ? framing->normals + shell->first_vertex[m] : NULL, accessors, k->error);
    }
    return result;
}

GtResult gti_bake_frames(GtiBaker* k)
{
    const GtCharacterDef* def = k->unskin.shell->figure->def;
    size_t vertex_count = (size_t)k->clip->vertex_count;
    GtiShapes shapes = { .word = "frame", .count = k->clip->frame_count };
    Framing framing = { .baker = k };
    GtResult result = check_size(k);
    if (result == GT_OK) {
        result = gti_unskin_frames_open(&k->unskin, 1, true, &k->scratch, &framing.frame, k->error);
    }
    if (result != GT_OK) {
        return result;
    }
    framing.deltas = gt_arena_push_array(&k->scratch, vertex_count, sizeof *framing.deltas);
    framing.normals = gt_arena_push_array(&k->scratch, vertex_count, sizeof *framing.normals);
    framing.lefts = gt_arena_push_array(&k->scratch, (size_t)gti_bake_block_count(k), sizeof *framing.lefts);
    shapes.accessors =
        gt_arena_push_array(&k->scratch, 2 * (size_t)def->mesh_count * (size_t)shapes.count, sizeof *shapes.accessors);
    if (!framing.deltas || !framing.normals || !framing.lefts || !shapes.accessors) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t f = 0; f < shapes.count && result == GT_OK; ++f) {
        result = shape_frame(k, f, &framing, &shapes.accessors[2 * (size_t)f * (size_t)def->mesh_count]);
    }
    if (result == GT_OK) {
        result = gti_shapes_put(k->context, k->scene, def, k->clip->animation, &shapes, k->error);
    }
    return result == GT_OK ? gti_bake_keys(k, &shapes, NULL) : result;
}
