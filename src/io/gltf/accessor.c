// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bounds "min" and "max" of accessors. Those of floats are rounded to floats, as the specification asks of readers
// (section 3.6.2.5), so that the shortest text of a float writes them exactly. Where glTF demands bounds (positions and
// animation times) and the scene has none, they are found from the data: of integers as they lie in the file, not
// normalised.

#include "gertie/accessor.h"
#include "base/fail.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/gltf/writer.h"

#include <float.h>
#include <math.h>

enum {
    CHUNK = 256, // elements read at a time
    MAX_COMPONENTS = 16
};

static GtResult read_bound(GtiGltfReader* reader, const GtiJson* json, const GtAccessor* accessor, const double** out)
{
    uint32_t components = (uint32_t)gt_element_components(accessor->element_type);
    if (json->type != GTI_JSON_ARRAY || json->count != components) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must be an array of %u numbers", components);
    }
    double* values = gt_scene_push(reader->scene, components, sizeof *values);
    if (!values) {
        return gti_out_of_memory(reader->error);
    }
    const GtiJson* item = gti_json_first(json);
    for (uint32_t i = 0; i < components; ++i, item = gti_json_next(item)) {
        if (!gti_json_double(item, &values[i])) {
            bool is_huge = item->type == GTI_JSON_NUMBER;
            return gti_gltf_fail(reader, item, GT_ERROR_BAD_VALUE, "must be a number, not %s",
                                 is_huge ? "one too large for any float" : gti_gltf_type_name(item));
        }
        if (accessor->component_type == GT_COMPONENT_FLOAT) {
            values[i] = (double)(float)fmin(fmax(values[i], -(double)FLT_MAX), (double)FLT_MAX);
        }
    }
    *out = values;
    return GT_OK;
}

GtResult gti_gltf_accessor_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtAccessor* accessor = object;
    const GtiJson* min = gti_json_find(json, "min");
    const GtiJson* max = gti_json_find(json, "max");
    GtResult result = min ? read_bound(reader, min, accessor, &accessor->min) : GT_OK;
    return result == GT_OK && max ? read_bound(reader, max, accessor, &accessor->max) : result;
}

static void write_bound(GtiGltfWriter* writer, const char* key, const double* values, const GtAccessor* accessor)
{
    if (!values) {
        return;
    }
    gt_json_member_array(&writer->json, key);
    for (int32_t i = 0; i < gt_element_components(accessor->element_type); ++i) {
        if (accessor->component_type == GT_COMPONENT_FLOAT) {
            gt_json_float(&writer->json, (float)values[i]);
        } else {
            gt_json_number(&writer->json, values[i]);
        }
    }
    gt_json_end_array(&writer->json);
}

void gti_gltf_accessor_write(GtiGltfWriter* writer, const void* object)
{
    const GtAccessor* accessor = object;
    write_bound(writer, "min", accessor->min, accessor);
    write_bound(writer, "max", accessor->max, accessor);
}

// Smallest and largest of each component over all elements, of integers as they lie in the file.
static void find_bounds(const GtScene* scene, int32_t index, double* min, double* max)
{
    const GtAccessor* accessor = &scene->accessors[index];
    uint64_t components = (uint64_t)gt_element_components(accessor->element_type);
    bool is_float = accessor->component_type == GT_COMPONENT_FLOAT;
    bool is_signed = accessor->component_type == GT_COMPONENT_INT8 || accessor->component_type == GT_COMPONENT_INT16;
    float floats[CHUNK * MAX_COMPONENTS];
    uint32_t integers[CHUNK * MAX_COMPONENTS];
    for (uint64_t c = 0; c < components; ++c) {
        min[c] = INFINITY;
        max[c] = -INFINITY;
    }
    for (uint64_t first = 0; first < accessor->count; first += CHUNK) {
        uint64_t count = accessor->count - first < CHUNK ? accessor->count - first : CHUNK;
        if (is_float) {
            gt_accessor_read_floats(scene, index, first, count, floats);
        } else {
            gt_accessor_read_uints(scene, index, first, count, integers);
        }
        for (uint64_t i = 0; i < count * components; ++i) {
            double value = is_float    ? (double)floats[i]
                           : is_signed ? (double)(int32_t)integers[i]
                                       : (double)integers[i];
            min[i % components] = fmin(min[i % components], value);
            max[i % components] = fmax(max[i % components], value);
        }
    }
}

static GtResult complete(GtScene* scene, int32_t index, GtError* error)
{
    GtAccessor* accessor = &scene->accessors[index];
    if ((accessor->min && accessor->max) || accessor->count == 0) {
        return GT_OK;
    }
    size_t components = (size_t)gt_element_components(accessor->element_type);
    double* bounds = gt_scene_push(scene, 2 * components, sizeof *bounds);
    if (!bounds) {
        return gti_out_of_memory(error);
    }
    find_bounds(scene, index, bounds, bounds + components);
    accessor->min = bounds;
    accessor->max = bounds + components;
    return GT_OK;
}

static GtResult complete_mesh(GtScene* scene, const GtMesh* mesh, GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t p = 0; p < mesh->primitive_count && result == GT_OK; ++p) {
        const GtPrimitive* primitive = &mesh->primitives[p];
        int32_t position = gt_primitive_find(primitive, "POSITION");
        result = position == GT_NONE ? GT_OK : complete(scene, position, error);
        for (int32_t t = 0; t < mesh->target_count && result == GT_OK; ++t) {
            position = gt_morph_target_find(&primitive->targets[t], "POSITION");
            result = position == GT_NONE ? GT_OK : complete(scene, position, error);
        }
    }
    return result;
}

GtResult gti_gltf_complete_bounds(GtScene* scene, GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t m = 0; m < scene->mesh_count && result == GT_OK; ++m) {
        result = complete_mesh(scene, &scene->meshes[m], error);
    }
    for (int32_t a = 0; a < scene->animation_count; ++a) {
        for (int32_t s = 0; s < scene->animations[a].sampler_count && result == GT_OK; ++s) {
            result = complete(scene, scene->animations[a].samplers[s].input, error);
        }
    }
    return result;
}
