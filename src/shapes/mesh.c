// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Primitives put together. Each is decoded as a character's meshes are, so that strips, fans and sparse data are seen
// as they will be played, within the same limits of memory.

#include "shapes/mesh.h"

#include "gertie/accessor.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "build/primitive.h"
#include "scene/world.h"

#include <stdio.h>
#include <string.h>

int64_t gt_shapes_vertex_count(const GtScene* scene, int32_t mesh)
{
    int64_t count = 0;
    for (int32_t p = 0; p < scene->meshes[mesh].primitive_count; ++p) {
        int32_t position = gt_primitive_find(&scene->meshes[mesh].primitives[p], "POSITION");
        count += position == GT_NONE ? 0 : (int64_t)scene->accessors[position].count;
    }
    return count;
}

int32_t gt_shapes_find(const GtMesh* mesh, const char* name)
{
    for (int32_t t = 0; t < mesh->target_count && mesh->target_names; ++t) {
        if (mesh->target_names[t] && strcmp(mesh->target_names[t], name) == 0) {
            return t;
        }
    }
    return GT_NONE;
}

static GtResult decode(GtiDecoder* decoder, const GtPrimitive* primitive, int32_t mesh, int32_t p, GtMeshDef* out)
{
    char where[GTI_PLACE_SIZE];
    snprintf(where, sizeof where, "meshes[%d].primitives[%d]", (int)mesh, (int)p);
    if (gti_has_surface(primitive)) {
        return gti_decode_surface(decoder, primitive, where, out);
    }
    int32_t position = gt_primitive_find(primitive, "POSITION");
    const float* floats = NULL;
    GtResult result = position == GT_NONE ? GT_OK : gti_decode_floats(decoder, position, where, &floats);
    out->vertex_count = position == GT_NONE ? 0 : (int32_t)decoder->scene->accessors[position].count;
    out->positions = (const GtVec3*)floats;
    return result;
}

static GtResult count(const GtMeshDef* parts, GtArena* arena, GtiShapeMesh* out, GtError* error)
{
    int32_t part_count = out->mesh->primitive_count;
    int64_t vertex_count = 0;
    int64_t index_count = 0;
    bool has_normals = false;
    bool has_tangents = false;
    out->firsts = gt_arena_push_array(arena, (size_t)part_count + 1, sizeof *out->firsts);
    if (!out->firsts) {
        return gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < part_count; ++p) {
        vertex_count += parts[p].vertex_count;
        index_count += parts[p].index_count;
        if (vertex_count > INT32_MAX / 4 || index_count > INT32_MAX) {
            return gti_fail(error, GT_ERROR_LIMIT, "the mesh is too large for shapes");
        }
        out->firsts[p + 1] = (int32_t)vertex_count;
        has_normals = has_normals || parts[p].normals;
        has_tangents = has_tangents || parts[p].tangents;
    }
    size_t vertices = (size_t)vertex_count;
    out->vertex_count = (int32_t)vertex_count;
    out->index_count = (int32_t)index_count;
    out->positions = gt_arena_push_array(arena, vertices, sizeof *out->positions);
    out->normals = has_normals ? gt_arena_push_array(arena, vertices, sizeof *out->normals) : NULL;
    out->tangents = has_tangents ? gt_arena_push_array(arena, 4 * vertices, sizeof *out->tangents) : NULL;
    out->indices = gt_arena_push_array(arena, (size_t)index_count, sizeof *out->indices);
    bool ok = out->positions && out->indices && (out->normals || !has_normals) && (out->tangents || !has_tangents);
    return ok ? GT_OK : gti_out_of_memory(error);
}

static void put_together(const GtMeshDef* parts, GtiShapeMesh* out)
{
    uint32_t* index = out->indices;
    for (int32_t p = 0; p < out->mesh->primitive_count; ++p) {
        const GtMeshDef* part = &parts[p];
        int32_t first = out->firsts[p];
        if (part->vertex_count == 0) {
            continue; // its arrays are NULL, which memcpy() may not be given
        }
        memcpy(out->positions + first, part->positions, (size_t)part->vertex_count * sizeof(GtVec3));
        if (part->normals) {
            memcpy(out->normals + first, part->normals, (size_t)part->vertex_count * sizeof(GtVec3));
        }
        if (part->tangents) {
            memcpy(out->tangents + 4 * (size_t)first, part->tangents, (size_t)part->vertex_count * 4 * sizeof(float));
        }
        for (int32_t i = 0; i < part->index_count; ++i) {
            *index++ = (uint32_t)first + part->indices[i];
        }
    }
    GtBounds bounds = gti_bounds_of(out->positions, out->vertex_count);
    out->size_m = out->vertex_count > 0 ? gti_bounds_diagonal(bounds) : 0.0f;
}

GtResult gti_shape_mesh_read(const GtContext* context, const GtScene* scene, int32_t mesh, GtArena* arena,
                             GtiShapeMesh* out, GtError* error)
{
    *out = (GtiShapeMesh){ .scene = scene };
    if (mesh < 0 || mesh >= scene->mesh_count) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no mesh %d; the scene has %d", (int)mesh,
                        (int)scene->mesh_count);
    }
    out->mesh = &scene->meshes[mesh];
    GtMeshDef* parts = gt_arena_push_array(arena, (size_t)out->mesh->primitive_count, sizeof *parts);
    GtiDecoder decoder;
    GtResult result = gti_decoder_create(context, scene, &decoder, error);
    if (result == GT_OK && !parts) {
        result = gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < out->mesh->primitive_count && result == GT_OK; ++p) {
        result = decode(&decoder, &out->mesh->primitives[p], mesh, p, &parts[p]);
    }
    if (result == GT_OK) {
        result = count(parts, arena, out, error);
    }
    if (result == GT_OK) {
        put_together(parts, out);
    }
    gti_decoder_destroy(&decoder);
    return result;
}

GtResult gti_shape_world(const GtScene* scene, int32_t mesh, GtArena* arena, GtMat34* out, GtError* error)
{
    *out = gt_mat34_identity();
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (scene->nodes[n].mesh != mesh) {
            continue;
        }
        if (scene->nodes[n].skin != GT_NONE) {
            return GT_OK;
        }
        GtMat34* worlds = NULL;
        GtResult result = gti_scene_worlds(scene, arena, &worlds, error);
        *out = result == GT_OK ? worlds[n] : *out;
        return result;
    }
    return GT_OK;
}

GtResult gti_shape_read(const GtScene* scene, const GtiShapeMesh* surface, int32_t target, const char* name,
                        int32_t width, float* out)
{
    memset(out, 0, (size_t)surface->vertex_count * (size_t)width * sizeof *out);
    bool any = false;
    for (int32_t p = 0; p < surface->mesh->primitive_count; ++p) {
        int32_t accessor = gt_morph_target_find(&surface->mesh->primitives[p].targets[target], name);
        uint64_t count = (uint64_t)(surface->firsts[p + 1] - surface->firsts[p]);
        if (accessor != GT_NONE && count > 0 &&
            gt_element_components(scene->accessors[accessor].element_type) == width) {
            gt_accessor_read_floats(scene, accessor, 0, count, out + (size_t)surface->firsts[p] * (size_t)width);
            any = true;
        }
    }
    return any ? GT_OK : GT_ERROR_NOT_FOUND;
}
