// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every array of a primitive is a blob of its own, filled in place.

#include "io/fbx/vertex.h"

#include "base/fail.h"
#include "base/quat_double.h"
#include "io/srgb.h"
#include "scene/storage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_ATTRIBUTES = 4 + GTI_FBX_MAX_UV_SETS + 8 // position, normal, tangent, colour, and joints with weights
};

// The attributes of a primitive on their way.
typedef struct Filler {
    GtiFbxReader* reader;
    const GtiFbxPrimitiveData* data;
    GtAttribute* attributes; // [MAX_ATTRIBUTES]
    int32_t count;
    GtResult result;
} Filler;

// Begin an array; NULL after a failure. end_array() must follow.
static void* begin_array(Filler* filler, GtiBlobData* array, GtElementType element, GtComponentType component)
{
    uint8_t* bytes = NULL;
    size_t count = filler->data->vertices->count;
    *array = (GtiBlobData){ .use = GT_USE_VERTEX, .element = element, .component = component, .count = count };
    if (filler->result == GT_OK) {
        size_t size = (size_t)gt_element_size(element, component);
        array->blob = gt_blob_create(gti_scene_allocator(filler->reader->scene), count * size, &bytes);
        filler->result = array->blob ? GT_OK : gti_out_of_memory(filler->reader->error);
    }
    return bytes;
}

static void end_array(Filler* filler, const GtiBlobData* array, const char* name, bool normalized)
{
    if (filler->result != GT_OK) {
        return;
    }
    GtScene* scene = filler->reader->scene;
    GtAttribute* attribute = &filler->attributes[filler->count++];
    attribute->name = name;
    filler->result = gti_scene_add_blob(scene, array, &attribute->accessor, filler->reader->error);
    if (filler->result == GT_OK) {
        scene->accessors[attribute->accessor].normalized = normalized;
    }
}

// A name such as "TEXCOORD_1".
static const char* numbered(Filler* filler, const char* name, int32_t number)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%s_%d", name, (int)number);
    const char* kept = gt_scene_push_text(filler->reader->scene, text, (size_t)length);
    if (!kept && filler->result == GT_OK) {
        filler->result = gti_out_of_memory(filler->reader->error);
    }
    return kept;
}

static void add_positions(Filler* filler)
{
    GtiBlobData array;
    float* out = begin_array(filler, &array, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT);
    for (uint32_t i = 0; i < array.count && out; ++i) {
        memcpy(out + (size_t)i * 3, filler->data->polygons->positions + (size_t)filler->data->vertices->points[i] * 3,
               3 * sizeof *out);
    }
    end_array(filler, &array, "POSITION", false);
}

static GtiVec vector_at(const GtiFbxLayer* layer, GtiFbxCorner at)
{
    const float* v = layer->values ? gti_fbx_layer_at(layer, at) : NULL;
    return v ? gti_vec((double)v[0], (double)v[1], (double)v[2]) : gti_vec(0.0, 0.0, 0.0);
}

// Newell's normal of a polygon.
static GtiVec polygon_normal(const GtiFbxPolygons* polygons, uint32_t polygon)
{
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    uint32_t first = polygons->starts[polygon];
    uint32_t end = polygons->starts[polygon + 1];
    const float* base = polygons->positions + (size_t)polygons->corners[first] * 3;
    for (uint32_t i = first + 1; i + 1 < end && i < first + 64; ++i) {
        const float* a = polygons->positions + (size_t)polygons->corners[i] * 3;
        const float* b = polygons->positions + (size_t)polygons->corners[i + 1] * 3;
        GtVec3 from = gt_vec3(base[0], base[1], base[2]);
        sum = gti_vec_add(sum, gti_vec_cross(gti_vec_between(from, gt_vec3(a[0], a[1], a[2])),
                                             gti_vec_between(from, gt_vec3(b[0], b[1], b[2]))));
    }
    return gti_vec_unit_or(sum, gti_vec(0.0, 1.0, 0.0));
}

// Unit; that of the polygon where the file has none.
static GtiVec normal_at(const GtiFbxPolygons* polygons, GtiFbxCorner at)
{
    GtiVec normal = vector_at(&polygons->normals, at);
    double length = gti_vec_length(normal);
    return length > 1e-12 && length < 1e30 ? gti_vec_divide(normal, length) : polygon_normal(polygons, at.polygon);
}

static void put_vector(float* out, GtiVec v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void add_normals(Filler* filler)
{
    GtiBlobData array;
    float* out = begin_array(filler, &array, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT);
    for (uint32_t i = 0; i < array.count && out; ++i) {
        put_vector(out + (size_t)i * 3, normal_at(filler->data->polygons, filler->data->corners[i]));
    }
    end_array(filler, &array, "NORMAL", false);
}

// Across the normal; the fourth number says on which side the binormal is.
static void add_tangents(Filler* filler)
{
    GtiBlobData array;
    const GtiFbxPolygons* polygons = filler->data->polygons;
    float* out = begin_array(filler, &array, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT);
    for (uint32_t i = 0; i < array.count && out; ++i) {
        GtiFbxCorner at = filler->data->corners[i];
        GtiVec normal = normal_at(polygons, at);
        GtiVec read = vector_at(&polygons->tangents, at);
        GtiVec flat = gti_vec_is_finite(read) ? gti_vec_across(read, normal) : gti_vec(0.0, 0.0, 0.0);
        GtiVec axis = fabs(normal.x) < 0.7 ? gti_vec(1.0, 0.0, 0.0) : gti_vec(0.0, 1.0, 0.0);
        GtiVec some = gti_vec_unit_or(gti_vec_across(axis, normal), axis);
        GtiVec tangent = gti_vec_unit_or(flat, some);
        GtiVec binormal = vector_at(&polygons->binormals, at);
        put_vector(out + (size_t)i * 4, tangent);
        out[(size_t)i * 4 + 3] = gti_vec_dot(gti_vec_cross(normal, tangent), binormal) < 0.0 ? -1.0f : 1.0f;
    }
    end_array(filler, &array, "TANGENT", false);
}

static void add_colors(Filler* filler)
{
    GtiBlobData array;
    const GtiFbxLayer* layer = &filler->data->polygons->colors;
    uint16_t* out = begin_array(filler, &array, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16);
    for (uint32_t i = 0; i < array.count && out; ++i) {
        static const float white[4] = { 1.0f, 1.0f, 1.0f, 1.0f };
        const float* color = gti_fbx_layer_at(layer, filler->data->corners[i]);
        color = color ? color : white;
        for (int k = 0; k < 3; ++k) {
            out[(size_t)i * 4 + (size_t)k] = gti_linear16_from_srgb((double)color[k]);
        }
        float alpha = color[3] >= 0.0f ? fminf(color[3], 1.0f) : 0.0f;
        out[(size_t)i * 4 + 3] = (uint16_t)lrintf(alpha * 65535.0f);
    }
    end_array(filler, &array, "COLOR_0", true);
}

static void add_uvs(Filler* filler, int32_t set)
{
    GtiBlobData array;
    const GtiFbxLayer* layer = &filler->data->polygons->uvs[set];
    const char* name = numbered(filler, "TEXCOORD", set);
    float* out = begin_array(filler, &array, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT);
    for (uint32_t i = 0; i < array.count && out; ++i) {
        const float* uv = layer->values ? gti_fbx_layer_at(layer, filler->data->corners[i]) : NULL;
        bool ok = uv && fabsf(uv[0]) < 1e30f && fabsf(uv[1]) < 1e30f;
        out[(size_t)i * 2] = ok ? uv[0] : 0.0f;
        out[(size_t)i * 2 + 1] = ok ? 1.0f - uv[1] : 0.0f;
    }
    end_array(filler, &array, name, false);
}

// Four joints and their weights, from `set` * 4 on.
static void add_influences(Filler* filler, int32_t set)
{
    const GtiFbxGeometry* geometry = filler->data->geometry;
    bool small = geometry->cluster_count + geometry->has_loose_points <= 256;
    GtiBlobData joints;
    GtiBlobData weights;
    const char* joints_name = numbered(filler, "JOINTS", set);
    const char* weights_name = numbered(filler, "WEIGHTS", set);
    GtComponentType type = small ? GT_COMPONENT_UINT8 : GT_COMPONENT_UINT16;
    uint8_t* joint_bytes = begin_array(filler, &joints, GT_ELEMENT_VEC4, type);
    for (uint32_t i = 0; i < joints.count && joint_bytes; ++i) {
        uint32_t point = filler->data->vertices->points[i];
        for (uint32_t k = 0; k < 4; ++k) {
            uint32_t at = geometry->first_influence[point] + (uint32_t)set * 4 + k;
            uint16_t joint = at < geometry->first_influence[point + 1] ? geometry->influence_joints[at] : 0;
            if (small) {
                joint_bytes[(size_t)i * 4 + k] = (uint8_t)joint;
            } else {
                ((uint16_t*)joint_bytes)[(size_t)i * 4 + k] = joint;
            }
        }
    }
    end_array(filler, &joints, joints_name, false);
    float* out = begin_array(filler, &weights, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT);
    for (uint32_t i = 0; i < weights.count && out; ++i) {
        uint32_t point = filler->data->vertices->points[i];
        for (uint32_t k = 0; k < 4; ++k) {
            uint32_t at = geometry->first_influence[point] + (uint32_t)set * 4 + k;
            bool has = at < geometry->first_influence[point + 1];
            out[(size_t)i * 4 + k] = has ? geometry->influence_weights[at] : 0.0f;
        }
    }
    end_array(filler, &weights, weights_name, false);
}

static int32_t influence_sets(const GtiFbxPrimitiveData* data)
{
    const GtiFbxGeometry* geometry = data->geometry;
    uint32_t most = 0;
    for (uint32_t i = 0; geometry->skin != GT_NONE && i < data->vertices->count; ++i) {
        uint32_t point = data->vertices->points[i];
        uint32_t count = geometry->first_influence[point + 1] - geometry->first_influence[point];
        most = count > most ? count : most;
    }
    return (int32_t)((most + 3) / 4);
}

static GtResult add_indices(GtiFbxReader* reader, const GtiFbxPrimitiveData* data, int32_t* index)
{
    uint8_t* bytes = NULL;
    size_t count = (size_t)data->triangle_count * 3;
    bool small = data->vertices->count < UINT16_MAX; // glTF has a use of its own for the largest index
    GtiBlobData array = { .use = GT_USE_INDICES,
                          .element = GT_ELEMENT_SCALAR,
                          .component = small ? GT_COMPONENT_UINT16 : GT_COMPONENT_UINT32,
                          .count = count };
    array.blob = gt_blob_create(gti_scene_allocator(reader->scene), count * (small ? 2 : 4), &bytes);
    if (!array.blob) {
        return gti_out_of_memory(reader->error);
    }
    for (size_t i = 0; i < count; ++i) {
        if (small) {
            ((uint16_t*)bytes)[i] = (uint16_t)data->triangles[i];
        } else {
            ((uint32_t*)bytes)[i] = data->triangles[i];
        }
    }
    return gti_scene_add_blob(reader->scene, &array, index, reader->error);
}

static void release_if_last(const GtiFbxPrimitiveData* data, GtiFbxLayer* layer)
{
    if (data->is_last) {
        gti_fbx_layer_release(layer);
    }
}

GtResult gti_fbx_add_vertices(GtiFbxReader* reader, const GtiFbxPrimitiveData* data, GtPrimitive* primitive)
{
    Filler filler = { .reader = reader,
                      .data = data,
                      .attributes = gt_scene_push(reader->scene, MAX_ATTRIBUTES, sizeof(GtAttribute)) };
    if (!filler.attributes) {
        return gti_out_of_memory(reader->error);
    }
    GtiFbxPolygons* polygons = data->polygons;
    add_positions(&filler);
    if (polygons->normals.values) {
        add_normals(&filler);
    }
    if (polygons->tangents.values) {
        add_tangents(&filler);
    }
    release_if_last(data, &polygons->normals);
    release_if_last(data, &polygons->tangents);
    release_if_last(data, &polygons->binormals);
    if (polygons->colors.values) {
        add_colors(&filler);
    }
    release_if_last(data, &polygons->colors);
    for (int32_t i = 0; i < polygons->uv_count; ++i) {
        add_uvs(&filler, i);
        release_if_last(data, &polygons->uvs[i]);
    }
    int32_t sets = influence_sets(data);
    for (int32_t i = 0; i < sets; ++i) {
        add_influences(&filler, i);
    }
    primitive->attributes = filler.attributes;
    primitive->attribute_count = filler.count;
    return filler.result == GT_OK ? add_indices(reader, data, &primitive->indices) : filler.result;
}
