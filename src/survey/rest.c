// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The scene at rest, as the runtime shows it: its bounds, and whether it is closed or open, in how many pieces. That is
// asked of all meshes together, because files cut one surface by materials and groups.

#include "survey/rest.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "gertie/build.h"
#include "gertie/instance.h"

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

// Weld the meshes into one surface and look at it. `positions` are overwritten.
static GtResult survey_surface(const GtContext* context, const GtCharacterDef* def, GtVec3* positions,
                               int32_t vertex_count, int32_t corner_count, GtSurvey* survey, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    uint32_t* indices = gt_arena_push_array(&arena, (size_t)corner_count, sizeof *indices);
    int32_t* points = gt_arena_push_array(&arena, (size_t)vertex_count, sizeof *points);
    int32_t* vertices = gt_arena_push_array(&arena, (size_t)vertex_count, sizeof *vertices);
    int32_t point_count = 0;
    GtResult result = GT_OK;
    if (indices && points && vertices) {
        result = gt_weld_vertices(context, positions, vertex_count, 0.0f, points, vertices, &point_count, error);
    } else {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        uint32_t* corner = indices;
        const int32_t* mesh_points = points;
        for (int32_t i = 0; i < def->mesh_count; ++i) {
            for (int32_t k = 0; k < def->meshes[i].index_count; ++k) {
                *corner++ = (uint32_t)mesh_points[def->meshes[i].indices[k]];
            }
            mesh_points += def->meshes[i].vertex_count;
        }
        for (int32_t i = 0; i < point_count; ++i) { // in place: a point never comes before its first vertex
            positions[i] = positions[vertices[i]];
        }
        const GtSurface surface = { positions, point_count, indices, corner_count / 3 };
        result = gt_surface_survey(context, &surface, &survey->surface, error);
        survey->has_surface = result == GT_OK;
    }
    gt_arena_destroy(&arena);
    return result;
}

static GtResult measure_instance(const GtContext* context, GtInstance* instance, GtSurvey* survey, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    int64_t vertex_count = 0;
    int64_t corner_count = count_corners(def, &vertex_count);
    GtArena arena = gt_arena_create(context->allocator);
    GtVec3* positions = gt_arena_push_array(&arena, (size_t)vertex_count, sizeof *positions);
    if (!positions) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    gt_instance_update(instance);
    GtVec3* mesh_positions = positions;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        gt_instance_deform(instance, m, mesh_positions, NULL, NULL);
        mesh_positions += def->meshes[m].vertex_count;
    }
    survey->bounds_m = gti_bounds_empty();
    for (int64_t v = 0; v < vertex_count; ++v) {
        gti_bounds_add(&survey->bounds_m, positions[v]);
    }
    survey->bounds_are_joints = vertex_count == 0;
    for (int32_t n = 0; survey->bounds_are_joints && n < def->node_count; ++n) {
        gti_bounds_add(&survey->bounds_m, gt_mat34_translation(&instance->model_from_node[n]));
    }
    survey->has_bounds = vertex_count > 0 || def->node_count > 0;
    GtResult result = GT_OK;
    if (corner_count > 0 && vertex_count <= INT32_MAX && corner_count <= INT32_MAX) {
        result = survey_surface(context, def, positions, (int32_t)vertex_count, (int32_t)corner_count, survey, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

GtResult gti_survey_rest(const GtContext* context, GtSurvey* survey, GtError* error)
{
    GtBuildDef def = gt_default_build_def();
    def.stage = survey->scene->default_stage;
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtResult result = gt_character_build(context, survey->scene, &def, &character, NULL, error);
    result = result == GT_OK ? gt_instance_create(context->allocator, character, &instance, error) : result;
    result = result == GT_OK ? measure_instance(context, instance, survey, error) : result;
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return result;
}
