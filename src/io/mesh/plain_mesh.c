// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The way of a plain mesh into a scene: check faces, cut them into triangles, split vertices whose corners carry
// texture coordinates of their own, and lay out the rest as it came.

#include "io/mesh/plain_mesh.h"

#include "base/fail.h"
#include "base/memory.h"
#include "geometry/triangulate.h"
#include "io/mesh/part.h"
#include "io/name.h"
#include "io/obj/join.h"
#include "io/obj/mtl.h"

#include <math.h>
#include <string.h>

#define FAR_AWAY 16384.0 // units from the origin on which floats no longer hold a thousandth of a unit

// Make `*items`, which holds `used`, hold `needed` of `size` bytes.
static bool grow(GtAllocator allocator, void** items, uint64_t used, uint64_t* capacity, uint64_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    uint64_t larger = *capacity + *capacity / 2;
    larger = larger > needed ? larger : needed + 64;
    void* grown = gti_reallocate(allocator, *items, (size_t)used * size, (size_t)larger * size);
    if (!grown) {
        return false;
    }
    *items = grown;
    *capacity = larger;
    return true;
}

uint32_t* gti_faces_add(GtAllocator allocator, GtiFaces* faces, uint32_t corner_count, float** texcoords)
{
    uint64_t corners = faces->corner_count + corner_count;
    bool sized = faces->sizes || corner_count != 3;
    bool first_sized = sized && !faces->sizes;
    if (!grow(allocator, (void**)&faces->corners, faces->corner_count, &faces->corner_capacity, corners,
              sizeof *faces->corners) ||
        (texcoords && !grow(allocator, (void**)&faces->texcoords, faces->corner_count, &faces->texcoord_capacity,
                            corners, 2 * sizeof *faces->texcoords)) ||
        (sized && !grow(allocator, (void**)&faces->sizes, first_sized ? 0 : faces->face_count, &faces->size_capacity,
                        faces->face_count + 1, sizeof *faces->sizes))) {
        return NULL;
    }
    for (uint64_t i = 0; first_sized && i < faces->face_count; ++i) {
        faces->sizes[i] = 3;
    }
    if (sized) {
        faces->sizes[faces->face_count] = corner_count;
    }
    if (texcoords) {
        *texcoords = faces->texcoords + 2 * faces->corner_count;
    }
    uint32_t* out = faces->corners + faces->corner_count;
    faces->corner_count = corners;
    ++faces->face_count;
    return out;
}

void gti_faces_release(GtAllocator allocator, GtiFaces* faces)
{
    allocator.release(allocator.user, faces->corners);
    allocator.release(allocator.user, faces->sizes);
    allocator.release(allocator.user, faces->texcoords);
    *faces = (GtiFaces){ 0 };
}

void gti_plain_mesh_release(GtAllocator allocator, GtiPlainMesh* mesh)
{
    for (int32_t i = 0; i < mesh->face_list_count; ++i) {
        gti_faces_release(allocator, &mesh->faces[i]);
    }
    allocator.release(allocator.user, mesh->positions);
    allocator.release(allocator.user, mesh->normals);
    allocator.release(allocator.user, mesh->texcoords);
    allocator.release(allocator.user, mesh->colors);
    mesh->positions = mesh->normals = mesh->texcoords = NULL;
    mesh->colors = NULL;
}

void gti_choose_origin(const double first[3], double origin[3])
{
    for (int k = 0; k < 3; ++k) {
        bool far = fabs(first[k]) >= FAR_AWAY && fabs(first[k]) < 1e12;
        origin[k] = far ? round(first[k] / 1024.0) * 1024.0 : 0.0; // which floats hold exactly
    }
}

void gti_say_origin(const GtContext* context, const char* path, const double origin[3])
{
    if (origin[0] != 0.0 || origin[1] != 0.0 || origin[2] != 0.0) {
        gti_note(context, path, NULL,
                 "the mesh lies far from the origin: its vertices are kept relative to (%.9g, %.9g, %.9g), which "
                 "preserves their precision, and the nodes are moved there",
                 origin[0], origin[1], origin[2]);
    }
}

// Triangles in the making.
typedef struct Builder {
    const GtContext* context;
    GtAllocator allocator;
    GtiPlainMesh* mesh;
    const char* path;
    GtError* error;
    GtiObjElements elements;
    GtiObjJoin join;
    bool split;  // corners have texture coordinates of their own
    bool* holes; // [vertex_count] not finite, or NULL for none
    int64_t hole_count;
    int64_t bad_count, hole_face_count, short_count;
    uint64_t bad_face; // the first
    uint32_t bad_index;
    uint64_t face_count;
    uint32_t* indices; // [index_capacity]
    uint64_t index_count;
    void* scratch;
    size_t scratch_size;
} Builder;

static GtResult find_holes(Builder* builder)
{
    const float* p = builder->mesh->positions;
    for (uint32_t i = 0; i < builder->mesh->vertex_count; ++i, p += 3) {
        if (isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2])) {
            continue;
        }
        if (!builder->holes) {
            builder->holes = builder->allocator.allocate(builder->allocator.user, builder->mesh->vertex_count);
            if (!builder->holes) {
                return gti_out_of_memory(builder->error);
            }
            memset(builder->holes, 0, builder->mesh->vertex_count);
        }
        builder->holes[i] = true;
        ++builder->hole_count;
    }
    return GT_OK;
}

// Whether a face can be used.
static bool check_face(Builder* builder, const uint32_t* corners, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (corners[i] >= builder->mesh->vertex_count) {
            if (builder->bad_count++ == 0) {
                builder->bad_face = builder->face_count;
                builder->bad_index = corners[i];
            }
            return false;
        }
        if (builder->holes && builder->holes[corners[i]]) {
            ++builder->hole_face_count;
            return false;
        }
    }
    return true;
}

static GtVec3 position_at(const Builder* builder, uint32_t vertex)
{
    const float* p = builder->mesh->positions + 3 * (size_t)vertex;
    return gt_vec3(p[0], p[1], p[2]);
}

static bool cut_polygon(Builder* builder, const uint32_t* corners, uint32_t count)
{
    size_t inner = gti_triangulate_scratch_size(count);
    size_t size = inner + (size_t)count * sizeof(GtVec3);
    if (!gti_need(builder->allocator, &builder->scratch, &builder->scratch_size, size)) {
        return false;
    }
    GtVec3* points = (GtVec3*)((char*)builder->scratch + inner);
    for (uint32_t i = 0; i < count; ++i) {
        points[i] = position_at(builder, corners[i]);
    }
    uint32_t* out = builder->indices + builder->index_count;
    gti_triangulate(points, count, builder->scratch, out);
    for (size_t i = 0; i < 3 * ((size_t)count - 2); ++i) {
        out[i] = corners[out[i]];
    }
    builder->index_count += 3 * ((uint64_t)count - 2);
    return true;
}

static bool add_face(Builder* builder, const uint32_t* corners, uint32_t count)
{
    uint32_t* out = builder->indices + builder->index_count;
    if (count == 3) {
        memcpy(out, corners, 3 * sizeof *out);
        builder->index_count += 3;
        return true;
    }
    if (count > 4) {
        return cut_polygon(builder, corners, count);
    }
    GtVec3 points[4];
    uint32_t cut[6];
    for (int i = 0; i < 4; ++i) {
        points[i] = position_at(builder, corners[i]);
    }
    gti_triangulate_quad(points, cut);
    for (int i = 0; i < 6; ++i) {
        out[i] = corners[cut[i]];
    }
    builder->index_count += 6;
    return true;
}

// A face whose corners have texture coordinates of their own, which are numbers `first_texcoord` on of the list's.
static bool add_split_face(Builder* builder, const uint32_t* corners, uint32_t count, uint64_t first_texcoord)
{
    size_t size = 2 * (size_t)count * sizeof(int32_t);
    if (!gti_need(builder->allocator, &builder->scratch, &builder->scratch_size, size)) {
        return false;
    }
    int32_t* pairs = builder->scratch;
    for (uint32_t i = 0; i < count; ++i) {
        pairs[2 * i] = (int32_t)corners[i];
        pairs[2 * i + 1] = (int32_t)(first_texcoord + i);
    }
    GtiObjRun run = { .face_count = 1, .corner_count = count, .layout = GTI_OBJ_TEXCOORD };
    GtiObjFaces faces = { .run = &run, .corners = pairs };
    return gti_obj_join_run(&builder->join, &faces);
}

static GtResult add_list(Builder* builder, const GtiFaces* list, uint64_t first_texcoord)
{
    const uint32_t* corners = list->corners;
    for (uint64_t f = 0; f < list->face_count; ++f, ++builder->face_count) {
        uint32_t count = list->sizes ? list->sizes[f] : 3;
        bool ok = true;
        if (check_face(builder, corners, count)) {
            ok = builder->split
                     ? add_split_face(builder, corners, count, first_texcoord + (uint64_t)(corners - list->corners))
                     : add_face(builder, corners, count);
        }
        if (!ok) {
            return gti_out_of_memory(builder->error);
        }
        corners += count;
    }
    return GT_OK;
}

// Texture coordinates of all lists, one after the other, for the join.
static GtResult prepare_split(Builder* builder, uint64_t corner_count, uint64_t triangle_count)
{
    GtiPlainMesh* mesh = builder->mesh;
    if (corner_count > INT32_MAX / 4) {
        return gti_fail(builder->error, GT_ERROR_LIMIT, "it has more than %d corners with texture coordinates",
                        INT32_MAX / 4);
    }
    builder->allocator.release(builder->allocator.user, mesh->texcoords);
    mesh->texcoords = builder->allocator.allocate(builder->allocator.user, (size_t)corner_count * 2 * sizeof(float));
    if (!mesh->texcoords) {
        return gti_out_of_memory(builder->error);
    }
    float* out = mesh->texcoords;
    for (int32_t i = 0; i < mesh->face_list_count; ++i) {
        GtiFaces* list = &mesh->faces[i];
        if (list->corner_count) {
            memcpy(out, list->texcoords, (size_t)list->corner_count * 2 * sizeof *out);
            out += 2 * list->corner_count;
        }
        builder->allocator.release(builder->allocator.user, list->texcoords);
        list->texcoords = NULL;
    }
    builder->elements = (GtiObjElements){ .positions = mesh->positions,
                                          .texcoords = mesh->texcoords,
                                          .position_count = mesh->vertex_count,
                                          .texcoord_count = (uint32_t)corner_count };
    builder->split = true;
    if (!gti_obj_join_create(builder->allocator, &builder->elements, triangle_count, &builder->join)) {
        return gti_out_of_memory(builder->error);
    }
    return GT_OK;
}

static GtResult make_triangles(Builder* builder)
{
    GtiPlainMesh* mesh = builder->mesh;
    uint64_t corner_count = 0;
    uint64_t triangle_count = 0;
    bool split = false;
    for (int32_t i = 0; i < mesh->face_list_count; ++i) {
        const GtiFaces* list = &mesh->faces[i];
        corner_count += list->corner_count;
        triangle_count += list->corner_count - 2 * list->face_count;
        builder->short_count += list->short_count;
        split |= list->texcoords != NULL;
    }
    if (triangle_count > INT32_MAX) {
        return gti_fail(builder->error, GT_ERROR_LIMIT, "it has more than %d triangles", INT32_MAX);
    }
    GtResult result = find_holes(builder);
    if (result == GT_OK && split) {
        result = prepare_split(builder, corner_count, triangle_count);
    } else if (result == GT_OK) {
        builder->indices = builder->allocator.allocate(builder->allocator.user, (size_t)triangle_count * 12 + 1);
        result = builder->indices ? GT_OK : gti_out_of_memory(builder->error);
    }
    uint64_t first_texcoord = 0;
    for (int32_t i = 0; i < mesh->face_list_count && result == GT_OK; ++i) {
        result = add_list(builder, &mesh->faces[i], first_texcoord);
        first_texcoord += mesh->faces[i].corner_count;
        gti_faces_release(builder->allocator, &mesh->faces[i]);
    }
    return result;
}

static GtResult say_repairs(Builder* builder)
{
    GtResult result = GT_OK;
    if (builder->bad_count) {
        result = gti_repair(builder->context, builder->error, builder->path, NULL,
                            "%lld face%s vertices that do not exist, such as face %llu with vertex %u of %u: left out",
                            (long long)builder->bad_count, builder->bad_count == 1 ? " names" : "s name",
                            (unsigned long long)builder->bad_face, builder->bad_index, builder->mesh->vertex_count);
    }
    if (result == GT_OK && builder->short_count) {
        result = gti_repair(builder->context, builder->error, builder->path, NULL,
                            "%lld face%s fewer than three corners: left out", (long long)builder->short_count,
                            builder->short_count == 1 ? " has" : "s have");
    }
    if (result == GT_OK && builder->hole_count) {
        result =
            gti_repair(builder->context, builder->error, builder->path, NULL,
                       "%lld vert%s not finite: left out with the faces that use %s", (long long)builder->hole_count,
                       builder->hole_count == 1 ? "ex is" : "ices are", builder->hole_count == 1 ? "it" : "them");
    }
    return result;
}

// Without vertices that are not finite: the others move up.
static void close_holes(Builder* builder, uint32_t* places)
{
    GtiPlainMesh* mesh = builder->mesh;
    uint32_t at = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        places[i] = at;
        if (builder->holes[i]) {
            continue;
        }
        memmove(mesh->positions + 3 * (size_t)at, mesh->positions + 3 * (size_t)i, 3 * sizeof(float));
        if (mesh->normals) {
            memmove(mesh->normals + 3 * (size_t)at, mesh->normals + 3 * (size_t)i, 3 * sizeof(float));
        }
        if (mesh->texcoords) {
            memmove(mesh->texcoords + 2 * (size_t)at, mesh->texcoords + 2 * (size_t)i, 2 * sizeof(float));
        }
        if (mesh->colors) {
            memmove(mesh->colors + 4 * (size_t)at, mesh->colors + 4 * (size_t)i, 4 * sizeof(uint16_t));
        }
        ++at;
    }
    for (uint64_t i = 0; i < builder->index_count; ++i) {
        builder->indices[i] = places[builder->indices[i]];
    }
    mesh->vertex_count = at;
}

static void fill_part(const Builder* builder, GtiMeshPart* part)
{
    const GtiPlainMesh* mesh = builder->mesh;
    size_t count = part->vertex_count;
    memcpy(part->positions, mesh->positions, count * 3 * sizeof(float));
    if (part->has & GTI_PART_NORMALS) {
        memcpy(part->normals, mesh->normals, count * 3 * sizeof(float));
    }
    if (part->has & GTI_PART_TEXCOORDS) {
        memcpy(part->texcoords, mesh->texcoords, count * 2 * sizeof(float));
    }
    if (part->has & GTI_PART_COLORS) {
        memcpy(part->colors, mesh->colors, count * 4 * sizeof(uint16_t));
    }
    if (part->index_count) {
        memcpy(part->indices, builder->indices, (size_t)part->index_count * sizeof *part->indices);
    }
}

static void fill_split_part(const Builder* builder, GtiMeshPart* part)
{
    const GtiPlainMesh* mesh = builder->mesh;
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        const GtiObjVertex* v = &builder->join.vertices[i];
        size_t at = (size_t)v->next;
        size_t from = (size_t)v->position;
        memcpy(part->positions + 3 * at, mesh->positions + 3 * from, 3 * sizeof(float));
        memcpy(part->texcoords + 2 * at, mesh->texcoords + 2 * (size_t)v->texcoord, 2 * sizeof(float));
        if (part->has & GTI_PART_NORMALS) {
            memcpy(part->normals + 3 * at, mesh->normals + 3 * from, 3 * sizeof(float));
        }
        if (part->has & GTI_PART_COLORS) {
            memcpy(part->colors + 4 * at, mesh->colors + 4 * from, 4 * sizeof(uint16_t));
        }
    }
    if (part->index_count) {
        memcpy(part->indices, builder->join.indices, (size_t)part->index_count * sizeof *part->indices);
    }
}

static GtResult order(Builder* builder)
{
    if (builder->split) {
        return gti_obj_join_order(&builder->join, 0, (uint32_t)builder->join.vertex_count, builder->join.indices,
                                  builder->join.index_count)
                   ? GT_OK
                   : gti_out_of_memory(builder->error);
    }
    if (!builder->holes) {
        return GT_OK;
    }
    uint32_t* places =
        builder->allocator.allocate(builder->allocator.user, (size_t)builder->mesh->vertex_count * sizeof *places);
    if (!places) {
        return gti_out_of_memory(builder->error);
    }
    close_holes(builder, places);
    builder->allocator.release(builder->allocator.user, places);
    return GT_OK;
}

static GtResult add_material(Builder* builder, GtScene* scene, GtiMeshPart* part)
{
    const char* file = builder->mesh->texture;
    if (!file || !*file || !(part->has & GTI_PART_TEXCOORDS)) {
        return GT_OK;
    }
    GtArena scratch = gt_arena_create(builder->allocator);
    GtMaterial material = gti_plain_material(NULL);
    GtResult result =
        gti_add_texture(scene, &scratch, file, strlen(file), &material.base_color_texture, builder->error);
    if (result == GT_OK) {
        result = gt_scene_add_material(scene, &material, &part->material, builder->error);
    }
    gt_arena_destroy(&scratch);
    return result;
}

static GtResult make_scene(Builder* builder, const GtLoadDef* def, GtScene** out)
{
    GtiPlainMesh* mesh = builder->mesh;
    GtError* error = builder->error;
    GtResult result = gt_scene_create(builder->context, out, error);
    if (result != GT_OK) {
        return result;
    }
    GtScene* scene = *out;
    scene->source = (GtSource){ .format = mesh->format, .metres_per_unit = 1.0 };
    const char* name = gti_push_stem(scene, builder->path, "mesh");
    if (!gti_push_directory(scene, builder->path) || !name) {
        return gti_out_of_memory(error);
    }
    result = order(builder);
    GtiMeshPart part = { .has = (mesh->normals ? GTI_PART_NORMALS : 0u) | (mesh->texcoords ? GTI_PART_TEXCOORDS : 0u) |
                                (mesh->colors ? GTI_PART_COLORS : 0u),
                         .vertex_count = builder->split ? (uint32_t)builder->join.vertex_count : mesh->vertex_count,
                         .index_count = builder->split ? builder->join.index_count : builder->index_count,
                         .material = GT_NONE };
    bool any = part.vertex_count > 0;
    if (result == GT_OK && any) {
        result = add_material(builder, scene, &part);
    }
    GtiMeshParts parts = { .parts = &part, .part_count = any, .names = &name, .mesh_count = any };
    memcpy(parts.origin, mesh->origin, sizeof parts.origin);
    if (result == GT_OK && any) {
        result = gti_lay_out_parts(builder->context, &parts, error);
    }
    if (result == GT_OK && any) {
        if (builder->split) {
            fill_split_part(builder, &part);
        } else {
            fill_part(builder, &part);
        }
    }
    gti_plain_mesh_release(builder->allocator, mesh);
    if (result == GT_OK) {
        result = gti_add_parts(builder->context, scene, &parts, def, builder->path, error);
    }
    gt_blob_release(parts.blob);
    return result;
}

GtResult gti_plain_mesh_finish(const GtContext* context, GtiPlainMesh* mesh, const char* path, const GtLoadDef* def,
                               GtScene** out, GtError* error)
{
    Builder builder = {
        .context = context, .allocator = context->allocator, .mesh = mesh, .path = path, .error = error
    };
    GtResult result = make_triangles(&builder);
    if (result == GT_OK) {
        result = say_repairs(&builder);
    }
    if (result == GT_OK && mesh->vertex_count == 0) {
        result = gti_repair(context, error, path, NULL, "it has no vertices: the scene is empty");
    }
    if (result == GT_OK) {
        gti_say_origin(context, path, mesh->origin);
        result = make_scene(&builder, def, out);
    }
    gti_obj_join_destroy(&builder.join);
    context->allocator.release(context->allocator.user, builder.holes);
    context->allocator.release(context->allocator.user, builder.indices);
    context->allocator.release(context->allocator.user, builder.scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
