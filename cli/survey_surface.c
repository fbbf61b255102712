// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed or open, in how many pieces: asked of all meshes together, because files cut one surface by materials and
// groups.

#include "survey.h"

#include "fail.h"

#include <string.h>

static int64_t count_corners(const GtCharacterDef* def, int64_t* vertex_count)
{
    int64_t corners = 0;
    *vertex_count = 0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        corners += def->meshes[i].index_count;
        *vertex_count += def->meshes[i].vertex_count;
    }
    return corners;
}

static void gather(GtInstance* instance, const GtCharacterDef* def, GtVec3* positions, uint32_t* indices)
{
    uint32_t first = 0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const GtMeshDef* mesh = &def->meshes[i];
        gt_instance_deform(instance, i, positions + first, NULL, NULL);
        for (int32_t k = 0; k < mesh->index_count; ++k) {
            *indices++ = first + mesh->indices[k];
        }
        first += (uint32_t)mesh->vertex_count;
    }
}

GtResult survey_surface(const GtContext* context, GtInstance* instance, Survey* survey, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    int64_t vertex_count = 0;
    int64_t corner_count = count_corners(def, &vertex_count);
    if (corner_count == 0 || vertex_count > INT32_MAX || corner_count > INT32_MAX) {
        return GT_OK;
    }
    GtArena arena = gt_arena_create(context->allocator);
    size_t count = (size_t)vertex_count;
    GtVec3* positions = gt_arena_push(&arena, count * sizeof *positions);
    uint32_t* indices = gt_arena_push(&arena, (size_t)corner_count * sizeof *indices);
    int32_t* points = gt_arena_push(&arena, count * sizeof *points);
    int32_t* vertices = gt_arena_push(&arena, count * sizeof *vertices);
    int32_t point_count = 0;
    GtResult result = GT_OK;
    if (!positions || !indices || !points || !vertices) {
        result = fail(error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
    } else {
        gather(instance, def, positions, indices);
        result =
            gt_weld_vertices(context, positions, (int32_t)vertex_count, 0.0f, points, vertices, &point_count, error);
    }
    if (result == GT_OK) {
        for (int64_t i = 0; i < corner_count; ++i) {
            indices[i] = (uint32_t)points[indices[i]];
        }
        for (int32_t i = 0; i < point_count; ++i) { // in place: a point never comes before its first vertex
            positions[i] = positions[vertices[i]];
        }
        GtSurface surface = { positions, point_count, indices, corner_count / 3 };
        result = gt_surface_survey(context, &surface, &survey->surface, error);
        survey->has_surface = result == GT_OK;
    }
    gt_arena_destroy(&arena);
    return result;
}
