// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Geometries: the primitives of a mesh in one list of vertices, with layers by corner that point at values by vertex.
// Models share the geometry of a mesh that neither a skin nor shapes deform; else each has one of its own, because in
// FBX weights of shapes belong to the geometry.

#include "io/fbx/write_mesh.h"

#include "base/fail.h"
#include "base/scalar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same_attributes(const GtPrimitive* a, const GtPrimitive* b)
{
    bool same = a->attribute_count == b->attribute_count;
    for (int32_t i = 0; i < a->attribute_count && same; ++i) {
        same = a->attributes[i].accessor == b->attributes[i].accessor &&
               strcmp(a->attributes[i].name, b->attributes[i].name) == 0;
    }
    return same;
}

// Primitives that have the same vertices also have the same shapes.
static bool has_same_vertices(const GtMesh* mesh, int32_t a, int32_t b)
{
    const GtPrimitive* p = &mesh->primitives[a];
    const GtPrimitive* q = &mesh->primitives[b];
    bool same = same_attributes(p, q);
    for (int32_t t = 0; t < mesh->target_count && same; ++t) {
        const GtPrimitive one = { .attributes = p->targets[t].attributes,
                                  .attribute_count = p->targets[t].attribute_count };
        const GtPrimitive other = { .attributes = q->targets[t].attributes,
                                    .attribute_count = q->targets[t].attribute_count };
        same = same_attributes(&one, &other);
    }
    return same;
}

// Append a primitive's vertices, unless those of the one before are the same.
static GtResult add_part(GtiFbxWriter* writer, GtiFbxOutGeometry* geometry, int32_t p, bool is_skinned, int32_t* before)
{
    const GtMesh* mesh = &writer->scene->meshes[geometry->mesh];
    const GtPrimitive* primitive = &mesh->primitives[p];
    GtMeshDef* part = &geometry->parts[p];
    char where[GTI_PLACE_SIZE];
    snprintf(where, sizeof where, "meshes[%d].primitives[%d]", (int)geometry->mesh, (int)p);
    *part = (GtMeshDef){ .skin = GT_NONE, .material = primitive->material };
    GtResult result = gti_decode_surface(&writer->decoder, primitive, where, part);
    if (result != GT_OK || part->vertex_count == 0) {
        return result;
    }
    geometry->corner_count += part->index_count;
    if (*before != GT_NONE && has_same_vertices(mesh, *before, p)) {
        geometry->first[p] = geometry->first[*before];
        geometry->is_twin[p] = true;
        return GT_OK;
    }
    *before = p;
    if (geometry->vertex_count > INT32_MAX - part->vertex_count || geometry->corner_count > INT32_MAX) {
        return gti_fail_at(writer->error, GT_ERROR_LIMIT, where, "the mesh has too many vertices for FBX");
    }
    geometry->first[p] = geometry->vertex_count;
    geometry->vertex_count += part->vertex_count;
    geometry->has_normals |= part->normals != NULL;
    geometry->has_tangents |= part->tangents != NULL && part->normals != NULL;
    geometry->has_texcoords[0] |= part->texcoords != NULL;
    geometry->has_texcoords[1] |= part->texcoords1 != NULL;
    geometry->has_colors |= part->colors != NULL;
    if (mesh->target_count > 0) {
        result = gti_decode_morphs(&writer->decoder, mesh, primitive, where, part);
    }
    if (result == GT_OK && is_skinned) {
        GtBuildReport report = { 0 };
        result = gti_decode_influences(&writer->decoder, primitive, GT_MAX_INFLUENCES, where, part, &report);
    }
    return result;
}

static GtResult make_geometry(GtiFbxWriter* writer, int32_t mesh, bool is_skinned, GtiFbxOutGeometry* out)
{
    int32_t count = writer->scene->meshes[mesh].primitive_count;
    int32_t before = GT_NONE;
    int32_t skipped = 0;
    GtArena* arena = &writer->arena;
    *out = (GtiFbxOutGeometry){ .mesh = mesh, .part_count = count };
    out->parts = gt_arena_push_array(arena, (size_t)count, sizeof *out->parts);
    out->first = gt_arena_push_array(arena, (size_t)count, sizeof *out->first);
    out->slots = gt_arena_push_array(arena, (size_t)count, sizeof *out->slots);
    out->part_slots = gt_arena_push_array(arena, (size_t)count, sizeof *out->part_slots);
    out->is_twin = gt_arena_push_array(arena, (size_t)count, sizeof *out->is_twin);
    int32_t* slot_of = gt_arena_push_array(arena, (size_t)writer->scene->material_count + 1, sizeof *slot_of);
    if (!out->parts || !out->first || !out->slots || !out->part_slots || !out->is_twin || !slot_of) {
        return gti_out_of_memory(writer->error);
    }
    for (int32_t p = 0; p < count; ++p) {
        if (!gti_has_surface(&writer->scene->meshes[mesh].primitives[p])) {
            ++skipped;
            continue;
        }
        GtResult result = add_part(writer, out, p, is_skinned, &before);
        if (result != GT_OK) {
            return result;
        }
        int32_t material = out->parts[p].material == GT_NONE ? writer->scene->material_count : out->parts[p].material;
        if (out->parts[p].index_count > 0 && !slot_of[material]) {
            out->slots[out->slot_count] = material;
            slot_of[material] = ++out->slot_count;
        }
        out->part_slots[p] = slot_of[material] - 1;
    }
    if (skipped) {
        gti_warn(writer->context, NULL, NULL, "mesh %d has %d primitives of points or lines, which are left out",
                 (int)mesh, (int)skipped);
    }
    return GT_OK;
}

static void write_vertices(GtiFbxOut* out, const GtiFbxOutGeometry* geometry)
{
    gti_fbx_begin(out, "Vertices");
    double* to = gti_fbx_begin_array(out, 'd', 3 * (size_t)geometry->vertex_count);
    for (int32_t p = 0; p < geometry->part_count && to; ++p) {
        const GtMeshDef* part = &geometry->parts[p];
        for (int32_t i = 0; i < part->vertex_count && !geometry->is_twin[p]; ++i) {
            double v[3];
            gti_vec_put(v, gti_vec_from(part->positions[i]), GTI_FBX_CM_PER_M);
            memcpy((uint8_t*)to + 24 * ((size_t)geometry->first[p] + (size_t)i), v, sizeof v);
        }
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
}

// Vertices of all corners; with `ends`, the last of each triangle is inverted, as FBX marks the end of a polygon.
static void write_corners(GtiFbxOut* out, const GtiFbxOutGeometry* geometry, const char* name, bool ends)
{
    gti_fbx_begin(out, name);
    uint8_t* to = gti_fbx_begin_array(out, 'i', (size_t)geometry->corner_count);
    for (int32_t p = 0; p < geometry->part_count && to; ++p) {
        const GtMeshDef* part = &geometry->parts[p];
        for (int32_t i = 0; i < part->index_count; ++i, to += sizeof(int32_t)) {
            int32_t vertex = geometry->first[p] + (int32_t)part->indices[i];
            vertex = ends && i % 3 == 2 ? -1 - vertex : vertex;
            memcpy(to, &vertex, sizeof vertex);
        }
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
}

// One vertex's values for a layer.
typedef void (*GtiFbxLayerValue)(const GtMeshDef* part, int32_t vertex, double out[4]);

// A layer whose values lie by vertex, and which corners point at.
typedef struct GtiFbxOutLayer {
    const char* element; // "LayerElementNormal"
    const char* values;  // "Normals"
    const char* index;   // "NormalsIndex"
    int32_t version;
    int width;
    GtiFbxLayerValue value;
} GtiFbxOutLayer;

static GtiVec normal_of(const GtMeshDef* part, int32_t vertex)
{
    GtiVec n = part->normals ? gti_vec_from(part->normals[vertex]) : gti_vec(0.0, 1.0, 0.0);
    return gti_vec_unit_or(n, gti_vec(0.0, 1.0, 0.0));
}

static void normal_value(const GtMeshDef* part, int32_t vertex, double out[4])
{
    gti_vec_put(out, normal_of(part, vertex), 1.0);
}

static GtiVec tangent_of(const GtMeshDef* part, int32_t vertex)
{
    const float* t = part->tangents ? part->tangents + 4 * (size_t)vertex : NULL;
    return t ? gti_vec((double)t[0], (double)t[1], (double)t[2]) : gti_vec(1.0, 0.0, 0.0);
}

static void tangent_value(const GtMeshDef* part, int32_t vertex, double out[4])
{
    gti_vec_put(out, tangent_of(part, vertex), 1.0);
}

static void binormal_value(const GtMeshDef* part, int32_t vertex, double out[4])
{
    double sign = part->tangents && part->tangents[4 * (size_t)vertex + 3] < 0.0f ? -1.0 : 1.0;
    gti_vec_put(out, gti_vec_cross(normal_of(part, vertex), tangent_of(part, vertex)), sign);
}

static void color_value(const GtMeshDef* part, int32_t vertex, double out[4])
{
    for (int k = 0; k < 4; ++k) {
        double value = part->colors ? (double)part->colors[4 * (size_t)vertex + (size_t)k] : 1.0;
        out[k] = k < 3 ? gti_srgb_from_linear(gti_clamp(value, 0.0, 1.0)) : gti_clamp(value, 0.0, 1.0);
    }
}

static void put_texcoord(const float* texcoords, int32_t vertex, double out[4])
{
    out[0] = texcoords ? (double)texcoords[2 * (size_t)vertex] : 0.0;
    out[1] = texcoords ? 1.0 - (double)texcoords[2 * (size_t)vertex + 1] : 0.0;
}

static void texcoord_value(const GtMeshDef* part, int32_t vertex, double out[4])
{
    put_texcoord(part->texcoords, vertex, out);
}

static void texcoord1_value(const GtMeshDef* part, int32_t vertex, double out[4])
{
    put_texcoord(part->texcoords1, vertex, out);
}

static const GtiFbxOutLayer normal_layer = { "LayerElementNormal", "Normals", "NormalsIndex", 102, 3, normal_value };
static const GtiFbxOutLayer tangent_layer = {
    "LayerElementTangent", "Tangents", "TangentsIndex", 102, 3, tangent_value
};
static const GtiFbxOutLayer binormal_layer = { "LayerElementBinormal", "Binormals", "BinormalsIndex", 102, 3,
                                               binormal_value };
static const GtiFbxOutLayer color_layer = { "LayerElementColor", "Colors", "ColorIndex", 101, 4, color_value };
static const GtiFbxOutLayer texcoord_layers[2] = { { "LayerElementUV", "UV", "UVIndex", 101, 2, texcoord_value },
                                                   { "LayerElementUV", "UV", "UVIndex", 101, 2, texcoord1_value } };

static void begin_element(GtiFbxOut* out, const char* element, int32_t number, int32_t version, const char* name,
                          const char* mapping, const char* reference)
{
    gti_fbx_begin(out, element);
    gti_fbx_put_int(out, number);
    gti_fbx_int_node(out, "Version", version);
    gti_fbx_text_node(out, "Name", name);
    gti_fbx_text_node(out, "MappingInformationType", mapping);
    gti_fbx_text_node(out, "ReferenceInformationType", reference);
}

static void write_layer(GtiFbxOut* out, const GtiFbxOutGeometry* geometry, const GtiFbxOutLayer* layer, int32_t number,
                        const char* name)
{
    begin_element(out, layer->element, number, layer->version, name, "ByPolygonVertex", "IndexToDirect");
    gti_fbx_begin(out, layer->values);
    size_t size = (size_t)layer->width * sizeof(double);
    uint8_t* to = gti_fbx_begin_array(out, 'd', (size_t)layer->width * (size_t)geometry->vertex_count);
    for (int32_t p = 0; p < geometry->part_count && to; ++p) {
        const GtMeshDef* part = &geometry->parts[p];
        for (int32_t i = 0; i < part->vertex_count && !geometry->is_twin[p]; ++i) {
            double value[4];
            layer->value(part, i, value);
            memcpy(to + size * ((size_t)geometry->first[p] + (size_t)i), value, size);
        }
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
    write_corners(out, geometry, layer->index, false);
    gti_fbx_end(out);
}

static void write_slots(GtiFbxOut* out, const GtiFbxOutGeometry* geometry)
{
    bool is_one = geometry->slot_count == 1;
    begin_element(out, "LayerElementMaterial", 0, 101, "", is_one ? "AllSame" : "ByPolygon", "IndexToDirect");
    gti_fbx_begin(out, "Materials");
    uint8_t* to = gti_fbx_begin_array(out, 'i', is_one ? 1 : (size_t)(geometry->corner_count / 3));
    for (int32_t p = 0; p < geometry->part_count && to && !is_one; ++p) {
        for (int32_t i = 0; i < geometry->parts[p].index_count / 3; ++i, to += sizeof(int32_t)) {
            memcpy(to, &geometry->part_slots[p], sizeof(int32_t));
        }
    }
    if (is_one && to) {
        memset(to, 0, sizeof(int32_t));
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
    gti_fbx_end(out);
}

static void write_element(GtiFbxOut* out, const char* type, int32_t number)
{
    gti_fbx_begin(out, "LayerElement");
    gti_fbx_text_node(out, "Type", type);
    gti_fbx_int_node(out, "TypedIndex", number);
    gti_fbx_end(out);
}

static void write_layers(GtiFbxOut* out, const GtiFbxOutGeometry* geometry)
{
    for (int32_t number = 0; number < 2; ++number) {
        if (number == 1 && !geometry->has_texcoords[1]) {
            break;
        }
        gti_fbx_begin(out, "Layer");
        gti_fbx_put_int(out, number);
        gti_fbx_int_node(out, "Version", 100);
        if (number == 0) {
            const char* const types[] = {
                geometry->has_normals ? "LayerElementNormal" : NULL,
                geometry->has_tangents ? "LayerElementTangent" : NULL,
                geometry->has_tangents ? "LayerElementBinormal" : NULL,
                geometry->has_colors ? "LayerElementColor" : NULL,
                geometry->slot_count ? "LayerElementMaterial" : NULL,
            };
            for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
                if (types[i]) {
                    write_element(out, types[i], 0);
                }
            }
        }
        if (geometry->has_texcoords[0] || geometry->has_texcoords[1]) {
            write_element(out, "LayerElementUV", number);
        }
        gti_fbx_end(out);
    }
}

static void write_geometry(GtiFbxWriter* writer, const GtiFbxOutGeometry* geometry, const char* name, int64_t id)
{
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin_object(writer, GTI_FBX_GEOMETRY, id, name, "Mesh");
    gti_fbx_begin(out, "Properties70");
    gti_fbx_end(out);
    gti_fbx_int_node(out, "GeometryVersion", 124);
    write_vertices(out, geometry);
    write_corners(out, geometry, "PolygonVertexIndex", true);
    if (geometry->has_normals) {
        write_layer(out, geometry, &normal_layer, 0, "");
    }
    if (geometry->has_tangents) {
        write_layer(out, geometry, &binormal_layer, 0, "UVMap");
        write_layer(out, geometry, &tangent_layer, 0, "UVMap");
    }
    if (geometry->has_colors) {
        write_layer(out, geometry, &color_layer, 0, "Col");
    }
    if (geometry->has_texcoords[0] || geometry->has_texcoords[1]) {
        write_layer(out, geometry, &texcoord_layers[0], 0, "UVMap");
    }
    if (geometry->has_texcoords[1]) {
        write_layer(out, geometry, &texcoord_layers[1], 1, "UVMap1");
    }
    if (geometry->slot_count) {
        write_slots(out, geometry);
    }
    write_layers(out, geometry);
    gti_fbx_end(out);
}

// Materials of a model, in the order of the geometry's slots.
static void link_materials(GtiFbxWriter* writer, const GtiFbxOutGeometry* geometry, int32_t model)
{
    for (int32_t i = 0; i < geometry->slot_count; ++i) {
        gti_fbx_link(writer, writer->materials[geometry->slots[i]], gti_fbx_model_id(model), NULL);
    }
}

static GtResult write_own_mesh(GtiFbxWriter* writer, int32_t index)
{
    GtiFbxOutModel* model = &writer->models[index];
    GtiFbxOutGeometry geometry;
    GtResult result = make_geometry(writer, model->mesh, model->skin != GT_NONE, &geometry);
    if (result != GT_OK) {
        return result;
    }
    geometry.id = gti_fbx_new_id(writer);
    write_geometry(writer, &geometry, model->name, geometry.id);
    gti_fbx_link(writer, geometry.id, gti_fbx_model_id(index), NULL);
    link_materials(writer, &geometry, index);
    if (writer->scene->meshes[model->mesh].target_count > 0) {
        result = gti_fbx_write_shapes(writer, model, &geometry);
    }
    return result == GT_OK && model->skin != GT_NONE ? gti_fbx_write_skin(writer, model, &geometry) : result;
}

static GtResult write_shared_mesh(GtiFbxWriter* writer, int32_t index, GtiFbxOutGeometry** shared)
{
    GtiFbxOutModel* model = &writer->models[index];
    if (!shared[model->mesh]) {
        GtiFbxOutGeometry* geometry = gt_arena_push_array(&writer->arena, 1, sizeof *geometry);
        if (!geometry) {
            return gti_out_of_memory(writer->error);
        }
        GtResult result = make_geometry(writer, model->mesh, false, geometry);
        const char* name = gti_fbx_out_name(writer, writer->scene->meshes[model->mesh].name, "", model->name);
        if (result != GT_OK || !name) {
            return result != GT_OK ? result : gti_out_of_memory(writer->error);
        }
        geometry->id = gti_fbx_new_id(writer);
        write_geometry(writer, geometry, name, geometry->id);
        shared[model->mesh] = geometry;
    }
    gti_fbx_link(writer, shared[model->mesh]->id, gti_fbx_model_id(index), NULL);
    link_materials(writer, shared[model->mesh], index);
    return GT_OK;
}

GtResult gti_fbx_write_meshes(GtiFbxWriter* writer)
{
    const GtScene* scene = writer->scene;
    GtiFbxOutGeometry** shared =
        gt_arena_push_array(&writer->arena, (size_t)scene->mesh_count, sizeof(GtiFbxOutGeometry*));
    GtResult result = shared ? GT_OK : gti_out_of_memory(writer->error);
    for (int32_t i = 0; i < writer->model_count && result == GT_OK && !writer->out.bytes.failed; ++i) {
        const GtiFbxOutModel* model = &writer->models[i];
        if (model->mesh == GT_NONE) {
            continue;
        }
        result = gti_progress(writer->context, writer->error, "writing meshes", (double)i / writer->model_count);
        bool is_own = model->skin != GT_NONE || scene->meshes[model->mesh].target_count > 0;
        if (result == GT_OK) {
            result = is_own ? write_own_mesh(writer, i) : write_shared_mesh(writer, i, shared);
        }
    }
    return result == GT_OK ? gti_fbx_write_pose(writer) : result;
}
