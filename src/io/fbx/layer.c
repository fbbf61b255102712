// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "io/fbx/layer.h"

#include "base/fail.h"

#include <math.h>

#define MOST_FREE  ((uint64_t)256 << 20) // bytes of decoded arrays that any file may ask for
#define MOST_TIMES 1024                  // and so many times its size

// Decode an array into the arena. A damaged one is as good as none.
static void* read_array(GtiFbxReader* reader, const GtiFbxNode* parent, const char* name, char type, uint32_t* count,
                        GtResult* result)
{
    const GtiFbxNode* node = gti_fbx_find(parent, name);
    *count = 0;
    if (*result != GT_OK || !node) {
        return NULL;
    }
    uint32_t size = gti_fbx_array_count(&reader->tree, node);
    reader->decoded += (uint64_t)size * gti_fbx_element_size(type);
    if (reader->decoded > MOST_FREE && reader->decoded / MOST_TIMES > reader->tree.size) {
        *result = gti_fail(reader->error, GT_ERROR_LIMIT,
                           "the meshes share arrays so often that they take more than %d times the size of the file",
                           MOST_TIMES);
        return NULL;
    }
    void* values = gt_arena_push(&reader->arena, (size_t)size * gti_fbx_element_size(type));
    if (!values) {
        *result = gti_out_of_memory(reader->error);
        return NULL;
    }
    GtError error = { 0 };
    if (size == 0 || gti_fbx_decode(&reader->tree, node, type, values, &error) != GT_OK) {
        if (size > 0) {
            *result = gti_repair(reader->context, reader->error, reader->path, error.where,
                                 "the array '%s' is damaged and left out: %s", name, error.message);
        }
        return NULL;
    }
    *count = size;
    return values;
}

float* gti_fbx_read_floats(GtiFbxReader* reader, const GtiFbxNode* parent, const char* name, uint32_t* count,
                           GtResult* result)
{
    return read_array(reader, parent, name, 'f', count, result);
}

int32_t* gti_fbx_read_integers(GtiFbxReader* reader, const GtiFbxNode* parent, const char* name, uint32_t* count,
                               GtResult* result)
{
    return read_array(reader, parent, name, 'i', count, result);
}

// Whether a child's first value is one of these words, which end with NULL.
static bool is_any(const GtiFbxReader* reader, const GtiFbxNode* element, const char* child, const char* const* words)
{
    const GtiFbxNode* node = gti_fbx_find(element, child);
    GtiSlice text;
    if (!node || !gti_fbx_string(gti_fbx_value(&reader->tree, node, 0), &text)) {
        return false;
    }
    while (*words && !gti_slice_is(text, *words)) {
        ++words;
    }
    return *words;
}

// False for mappings that mean nothing here, such as ByEdge.
static bool read_mapping(const GtiFbxReader* reader, const GtiFbxNode* element, GtiFbxMapping* mapping)
{
    static const char* const corner[] = { "ByPolygonVertex", NULL };
    static const char* const point[] = { "ByVertex", "ByVertice", "ByControlPoint", NULL };
    static const char* const polygon[] = { "ByPolygon", NULL };
    static const char* const all[] = { "AllSame", NULL };
    static const char* const* const words[] = { corner, point, polygon, all };
    for (int i = 0; i < 4; ++i) {
        if (is_any(reader, element, "MappingInformationType", words[i])) {
            *mapping = (GtiFbxMapping)i;
            return true;
        }
    }
    return false;
}

// What a layer element's arrays are called.
typedef struct LayerNames {
    const char* element;
    const char* values;
    const char* indices;
    uint32_t width;
} LayerNames;

static const LayerNames normal_names = { "LayerElementNormal", "Normals", "NormalsIndex", 3 };
static const LayerNames tangent_names = { "LayerElementTangent", "Tangents", "TangentsIndex", 3 };
static const LayerNames binormal_names = { "LayerElementBinormal", "Binormals", "BinormalsIndex", 3 };
static const LayerNames color_names = { "LayerElementColor", "Colors", "ColorIndex", 4 };
static const LayerNames uv_names = { "LayerElementUV", "UV", "UVIndex", 2 };

static GtResult read_layer(GtiFbxReader* reader, const GtiFbxNode* element, const LayerNames* names, GtiFbxLayer* out)
{
    static const char* const by_index[] = { "IndexToDirect", "Index", NULL };
    GtResult result = GT_OK;
    uint32_t count = 0;
    *out = (GtiFbxLayer){ .width = names->width };
    if (!read_mapping(reader, element, &out->mapping)) {
        return GT_OK;
    }
    GtArena kept = reader->arena;
    reader->arena = gt_arena_create(kept.allocator);
    const float* values = gti_fbx_read_floats(reader, element, names->values, &count, &result);
    if (is_any(reader, element, "ReferenceInformationType", by_index)) {
        out->indices = gti_fbx_read_integers(reader, element, names->indices, &out->index_count, &result);
    }
    out->arena = reader->arena;
    reader->arena = kept;
    out->values = values;
    out->value_count = count / names->width;
    return result;
}

// The first element of a kind; without values where there is none.
static GtResult read_first(GtiFbxReader* reader, const GtiFbxNode* geometry, const LayerNames* names, GtiFbxLayer* out)
{
    const GtiFbxNode* element = gti_fbx_find(geometry, names->element);
    return element ? read_layer(reader, element, names, out) : GT_OK;
}

static GtResult read_uvs(GtiFbxReader* reader, const GtiFbxNode* geometry, GtiFbxPolygons* out)
{
    GtResult result = GT_OK;
    for (const GtiFbxNode* at = geometry + 1; at < gti_fbx_next(geometry) && result == GT_OK; at = gti_fbx_next(at)) {
        if (!gti_fbx_is(at, uv_names.element)) {
            continue;
        }
        if (out->uv_count == GTI_FBX_MAX_UV_SETS) {
            gti_note(reader->context, reader->path, NULL,
                     "more than %d sets of texture coordinates: the rest is left out", GTI_FBX_MAX_UV_SETS);
            break;
        }
        result = read_layer(reader, at, &uv_names, &out->uvs[out->uv_count++]);
    }
    return result;
}

static GtResult read_materials(GtiFbxReader* reader, const GtiFbxNode* geometry, GtiFbxPolygons* out)
{
    GtResult result = GT_OK;
    GtiFbxMapping mapping = GTI_FBX_ALL_SAME;
    const GtiFbxNode* element = gti_fbx_find(geometry, "LayerElementMaterial");
    if (!element || !read_mapping(reader, element, &mapping) ||
        (mapping != GTI_FBX_BY_POLYGON && mapping != GTI_FBX_ALL_SAME)) {
        return GT_OK;
    }
    out->materials = gti_fbx_read_integers(reader, element, "Materials", &out->material_count, &result);
    if (mapping == GTI_FBX_ALL_SAME && out->material_count > 1) {
        out->material_count = 1;
    }
    return result;
}

static GtResult read_points(GtiFbxReader* reader, const GtiFbxNode* geometry, GtiFbxPolygons* out)
{
    GtResult result = GT_OK;
    uint32_t count = 0;
    uint32_t broken = 0;
    out->positions = gti_fbx_read_floats(reader, geometry, "Vertices", &count, &result);
    out->point_count = count / 3;
    for (uint32_t i = 0; i < out->point_count * 3; ++i) {
        double metres = (double)out->positions[i] * reader->metres_per_unit;
        bool finite = fabs(metres) <= 1e30; // so that no later sum overflows
        broken += !finite;
        out->positions[i] = finite ? (float)metres : 0.0f;
    }
    if (broken > 0 && result == GT_OK) {
        result = gti_repair(reader->context, reader->error, reader->path, NULL,
                            "%u coordinates of vertices are not finite numbers; they are taken as 0", broken);
    }
    return result;
}

// Corners are control points; the last of a polygon is -1 - the point.
static GtResult read_corners(GtiFbxReader* reader, const GtiFbxNode* geometry, GtiFbxPolygons* out)
{
    GtResult result = GT_OK;
    int32_t* corners = gti_fbx_read_integers(reader, geometry, "PolygonVertexIndex", &out->corner_count, &result);
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->corner_count; ++i) {
        count += corners[i] < 0 || i + 1 == out->corner_count;
    }
    out->starts = gt_arena_push_array(&reader->arena, (size_t)count + 1, sizeof *out->starts);
    if (result != GT_OK || !out->starts) {
        return result == GT_OK ? gti_out_of_memory(reader->error) : result;
    }
    for (uint32_t i = 0; i < out->corner_count; ++i) {
        if (corners[i] < 0 || i + 1 == out->corner_count) {
            corners[i] = corners[i] < 0 ? ~corners[i] : corners[i];
            out->starts[++out->polygon_count] = i + 1;
        }
    }
    out->corners = (uint32_t*)corners;
    return GT_OK;
}

void gti_fbx_layer_release(GtiFbxLayer* layer)
{
    gt_arena_destroy(&layer->arena);
    *layer = (GtiFbxLayer){ .width = layer->width };
}

void gti_fbx_layers_release(GtiFbxPolygons* polygons)
{
    GtiFbxLayer* layers[] = { &polygons->normals, &polygons->tangents, &polygons->binormals, &polygons->colors };
    for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i) {
        gti_fbx_layer_release(layers[i]);
    }
    for (int32_t i = 0; i < polygons->uv_count; ++i) {
        gti_fbx_layer_release(&polygons->uvs[i]);
    }
}

GtResult gti_fbx_read_polygons(GtiFbxReader* reader, int32_t object, GtiFbxPolygons* out)
{
    const GtiFbxNode* geometry = reader->graph.objects[object].node;
    *out = (GtiFbxPolygons){ 0 };
    GtResult result = read_points(reader, geometry, out);
    if (result == GT_OK) {
        result = read_corners(reader, geometry, out);
    }
    if (result == GT_OK) {
        result = read_first(reader, geometry, &normal_names, &out->normals);
    }
    if (result == GT_OK && out->normals.values) {
        result = read_first(reader, geometry, &tangent_names, &out->tangents);
    }
    if (result == GT_OK && out->tangents.values) {
        result = read_first(reader, geometry, &binormal_names, &out->binormals);
    }
    if (result == GT_OK) {
        result = read_first(reader, geometry, &color_names, &out->colors);
    }
    if (result == GT_OK) {
        result = read_uvs(reader, geometry, out);
    }
    return result == GT_OK ? read_materials(reader, geometry, out) : result;
}
