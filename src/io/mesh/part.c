// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One buffer holds all parts: positions, normals, texture coordinates, colours and corners of the first, then of the
// next. Every array has a view of its own, as glTF's validator likes it.

#include "io/mesh/part.h"

#include "base/fail.h"
#include "gertie/accessor.h"
#include "io/bvh/axes.h"
#include "io/mesh/units.h"

#include <math.h>

enum {
    ARRAY_COUNT = 5, // of a part: positions, normals, texcoords, colors, indices
    TARGET_VERTEX = 34962,
    TARGET_INDEX = 34963
};

// An array of a part as the scene knows it.
typedef struct Array {
    const char* attribute; // NULL for indices
    GtElementType element;
    GtComponentType component;
    bool normalized;
    uint64_t count; // 0 where the part has none
    void** place;
} Array;

static void list_arrays(GtiMeshPart* part, Array arrays[ARRAY_COUNT])
{
    uint64_t count = part->vertex_count;
    const Array all[ARRAY_COUNT] = {
        { "POSITION", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, false, count, (void**)&part->positions },
        { "NORMAL", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, false, part->has & GTI_PART_NORMALS ? count : 0,
          (void**)&part->normals },
        { "TEXCOORD_0", GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, false, part->has & GTI_PART_TEXCOORDS ? count : 0,
          (void**)&part->texcoords },
        { "COLOR_0", GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, true, part->has & GTI_PART_COLORS ? count : 0,
          (void**)&part->colors },
        { NULL, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, false, part->index_count, (void**)&part->indices },
    };
    for (int i = 0; i < ARRAY_COUNT; ++i) {
        arrays[i] = all[i];
    }
}

static uint64_t array_size(const Array* array)
{
    return array->count * (uint64_t)gt_element_size(array->element, array->component);
}

GtResult gti_lay_out_parts(const GtContext* context, GtiMeshParts* parts, GtError* error)
{
    Array arrays[ARRAY_COUNT];
    uint64_t size = 0;
    for (int32_t p = 0; p < parts->part_count; ++p) {
        list_arrays(&parts->parts[p], arrays);
        for (int i = 0; i < ARRAY_COUNT; ++i) {
            size += array_size(&arrays[i]);
        }
    }
    uint8_t* bytes = NULL;
    parts->blob = gt_blob_create(context->allocator, (size_t)size, &bytes);
    if (!parts->blob) {
        return gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < parts->part_count; ++p) {
        list_arrays(&parts->parts[p], arrays);
        for (int i = 0; i < ARRAY_COUNT; ++i) {
            *arrays[i].place = bytes;
            bytes += array_size(&arrays[i]);
        }
    }
    return GT_OK;
}

static void find_bounds(const GtiMeshPart* part, double min[3], double max[3])
{
    float low[3] = { INFINITY, INFINITY, INFINITY };
    float high[3] = { -INFINITY, -INFINITY, -INFINITY };
    const float* p = part->positions;
    for (uint32_t i = 0; i < part->vertex_count; ++i, p += 3) {
        for (int k = 0; k < 3; ++k) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        min[k] = (double)low[k];
        max[k] = (double)high[k];
    }
}

static GtResult add_array(GtScene* scene, const GtBlob* blob, int32_t buffer, const Array* array, double* bounds,
                          int32_t* index, GtError* error)
{
    GtBufferView view = {
        .buffer = buffer,
        .offset = (uint64_t)((const uint8_t*)*array->place - gt_blob_bytes(blob)),
        .size = array_size(array),
        .target = array->attribute ? TARGET_VERTEX : TARGET_INDEX,
    };
    GtAccessor accessor = {
        .component_type = array->component,
        .element_type = array->element,
        .normalized = array->normalized,
        .count = array->count,
        .min = bounds,
        .max = bounds ? bounds + 3 : NULL,
    };
    GtResult result = gt_scene_add_buffer_view(scene, &view, &accessor.view, error);
    return result == GT_OK ? gt_scene_add_accessor(scene, &accessor, index, error) : result;
}

static GtResult add_primitive(GtScene* scene, const GtBlob* blob, int32_t buffer, GtiMeshPart* part,
                              GtPrimitive* primitive, double bounds[6], GtError* error)
{
    Array arrays[ARRAY_COUNT];
    GtAttribute* attributes = gt_scene_push(scene, ARRAY_COUNT - 1, sizeof *attributes);
    double* kept = gt_scene_push(scene, 6, sizeof *kept);
    if (!attributes || !kept) {
        return gti_out_of_memory(error);
    }
    find_bounds(part, kept, kept + 3);
    for (int k = 0; k < 3; ++k) {
        bounds[k] = fmin(bounds[k], kept[k]);
        bounds[k + 3] = fmax(bounds[k + 3], kept[k + 3]);
    }
    *primitive = (GtPrimitive){
        .mode = part->index_count ? GT_MODE_TRIANGLES : GT_MODE_POINTS,
        .indices = GT_NONE,
        .material = part->material,
        .attributes = attributes,
    };
    list_arrays(part, arrays);
    for (int i = 0; i < ARRAY_COUNT; ++i) {
        int32_t accessor = GT_NONE;
        if (!arrays[i].count) {
            continue;
        }
        GtResult result = add_array(scene, blob, buffer, &arrays[i], i == 0 ? kept : NULL, &accessor, error);
        if (result != GT_OK) {
            return result;
        }
        if (arrays[i].attribute) {
            attributes[primitive->attribute_count++] = (GtAttribute){ arrays[i].attribute, accessor };
        } else {
            primitive->indices = accessor;
        }
    }
    return GT_OK;
}

static GtResult add_meshes(GtScene* scene, GtiMeshParts* parts, double bounds[6], GtError* error)
{
    GtPrimitive* primitives = gt_scene_push(scene, (size_t)parts->part_count, sizeof *primitives);
    GtBuffer buffer = { .blob = gt_blob_retain(parts->blob) };
    int32_t index = GT_NONE;
    GtResult result = gt_scene_add_buffer(scene, &buffer, &index, error);
    if (result == GT_OK && !primitives) {
        result = gti_out_of_memory(error);
    }
    for (int32_t p = 0; p < parts->part_count && result == GT_OK; ++p) {
        result = add_primitive(scene, parts->blob, index, &parts->parts[p], &primitives[p], bounds, error);
    }
    for (int32_t p = 0, mesh = 0; mesh < parts->mesh_count && result == GT_OK; ++mesh) {
        GtMesh made = { .name = parts->names[mesh], .primitives = &primitives[p] };
        for (; p < parts->part_count && parts->parts[p].mesh == mesh; ++p) {
            ++made.primitive_count;
        }
        result = gt_scene_add_mesh(scene, &made, NULL, error);
    }
    return result;
}

static GtTransform scene_from_file(const GtiMeshUnits* units, const double origin[3])
{
    GtTransform t = gt_transform_identity();
    double moved[3];
    for (int k = 0; k < 3; ++k) {
        moved[k] = origin[k] * units->metres_per_unit;
    }
    gti_bvh_y_from_file_vector(units->up_axis, moved);
    if (units->up_axis != GT_UP_Y) {
        double turn[4];
        gti_bvh_y_from_file_turn(units->up_axis, turn);
        t.rotation = gt_quat((float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]);
    }
    float scale = (float)units->metres_per_unit;
    t.scale = gt_vec3(scale, scale, scale);
    t.translation = gt_vec3((float)moved[0], (float)moved[1], (float)moved[2]);
    return t;
}

static GtResult add_nodes(GtScene* scene, const GtiMeshParts* parts, GtTransform local, GtError* error)
{
    int32_t* roots = gt_scene_push(scene, (size_t)parts->mesh_count, sizeof *roots);
    if (!roots) {
        return gti_out_of_memory(error);
    }
    GtStage stage = { .nodes = roots, .node_count = parts->mesh_count };
    GtResult result = GT_OK;
    for (int32_t i = 0; i < parts->mesh_count && result == GT_OK; ++i) {
        GtNode node = gt_default_node();
        node.name = parts->names[i];
        node.mesh = i;
        node.local = local;
        roots[i] = i;
        result = gt_scene_add_node(scene, &node, NULL, error);
    }
    return result == GT_OK ? gt_scene_add_stage(scene, &stage, &scene->default_stage, error) : result;
}

static void say_units(const GtContext* context, const char* path, const GtiMeshUnits* units, const double bounds[6])
{
    if (units->guessed) {
        static const int up_component[] = { 1, 2, 0 };
        int up = up_component[units->up_axis];
        gti_note(context, path, NULL,
                 "the file states no units; %s are assumed, in which its height of %.4g is that of a person, %.3g m; "
                 "--units overrides this",
                 gti_unit_name(units->metres_per_unit), bounds[up + 3] - bounds[up],
                 (bounds[up + 3] - bounds[up]) * units->metres_per_unit);
    }
}

GtResult gti_add_parts(const GtContext* context, GtScene* scene, GtiMeshParts* parts, const GtLoadDef* def,
                       const char* path, GtError* error)
{
    double bounds[6] = { INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY };
    GtResult result = parts->part_count ? add_meshes(scene, parts, bounds, error) : GT_OK;
    GtiMeshUnits units = gti_mesh_units(def, bounds, bounds + 3);
    if (result == GT_OK) {
        say_units(context, path, &units, bounds);
        scene->source.metres_per_unit = units.metres_per_unit;
        scene->source.up_axis = units.up_axis;
        scene->source.units_guessed = units.guessed;
        result = add_nodes(scene, parts, scene_from_file(&units, parts->origin), error);
    }
    gt_blob_release(parts->blob);
    parts->blob = NULL;
    return result;
}
