// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// KHR_draco_mesh_compression: accessors of compressed primitives have no view. Each is decoded into a buffer of its
// own, from where it is read, so that nothing after knows of it, and what is written is plain. Accessors whose plain
// data is there are read as if they were not compressed. libgertie-scene, which cannot decode, has refused files that
// require the extension before this is called.

#include "base/fail.h"
#include "gertie/accessor.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/imports.h"

#include <string.h>

#define MOST_FREE  ((uint64_t)256 << 20) // decoded bytes that any file may ask for
#define MOST_TIMES 128                   // and so many times its size

static const char extension_name[] = "KHR_draco_mesh_compression";

// One compressed primitive.
typedef struct DracoPrimitive {
    GtiGltfReader* reader;
    const GtiJson* json; // the extension
    GtPrimitive* primitive;
    GtiDracoAttribute* attributes;
    int32_t* accessors; // [attribute_count] of each
    int32_t attribute_count;
    uint64_t* total; // bytes that the file has asked for so far
} DracoPrimitive;

// Bytes of an accessor in a new buffer, which becomes the accessor's.
static GtResult make_space(DracoPrimitive* p, GtAccessor* accessor, uint8_t** bytes)
{
    GtiGltfReader* reader = p->reader;
    uint64_t element = (uint64_t)gt_element_size(accessor->element_type, accessor->component_type);
    if (accessor->count > UINT32_MAX || element == 0) {
        return gti_gltf_fail(reader, p->json, GT_ERROR_BAD_VALUE, "an accessor's count or type is not possible");
    }
    uint64_t size = accessor->count * element;
    *p->total += size + 64;
    if (*p->total > MOST_FREE && *p->total / MOST_TIMES > reader->input->size) {
        return gti_gltf_fail(reader, p->json, GT_ERROR_LIMIT,
                             "the compressed meshes would take more than %d times the size of the file", MOST_TIMES);
    }
    GtBuffer buffer = { .blob = gt_blob_create(reader->context->allocator, (size_t)size, bytes) };
    GtBufferView view = { .size = size };
    if (!buffer.blob) {
        return gti_out_of_memory(reader->error);
    }
    memset(*bytes, 0, (size_t)size);
    GtResult result = gt_scene_add_buffer(reader->scene, &buffer, &view.buffer, reader->error);
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(reader->scene, &view, &accessor->view, reader->error);
    }
    accessor->offset = 0;
    accessor->min = accessor->max = NULL; // quantisation has moved them; the writer takes them anew
    return result;
}

static GtAccessor* accessor_of(DracoPrimitive* p, int32_t index)
{
    GtScene* scene = p->reader->scene;
    return index >= 0 && index < scene->accessor_count ? &scene->accessors[index] : NULL;
}

// The attributes that are to be decoded: those that the extension names, and that have no plain data.
static GtResult list_attributes(DracoPrimitive* p)
{
    const GtiJson* ids = gti_json_find(p->json, "attributes");
    size_t most = (size_t)p->primitive->attribute_count;
    p->attributes = gt_arena_push_array(p->reader->scratch, most, sizeof *p->attributes);
    p->accessors = gt_arena_push_array(p->reader->scratch, most, sizeof *p->accessors);
    if (!p->attributes || !p->accessors) {
        return gti_out_of_memory(p->reader->error);
    }
    for (size_t i = 0; i < most; ++i) {
        const GtAttribute* attribute = &p->primitive->attributes[i];
        const GtiJson* id_json = gti_json_find(ids, attribute->name);
        GtAccessor* accessor = accessor_of(p, attribute->accessor);
        int64_t id = 0;
        if (!id_json || !accessor || accessor->view != GT_NONE || accessor->sparse) {
            continue;
        }
        if (!gti_json_int64(id_json, &id) || id < 0 || id > INT32_MAX) {
            return gti_gltf_fail(p->reader, id_json, GT_ERROR_BAD_VALUE, "must be the id of a Draco attribute");
        }
        p->accessors[p->attribute_count] = attribute->accessor;
        p->attributes[p->attribute_count++] = (GtiDracoAttribute){ .id = (uint32_t)id,
                                                                   .component_type = accessor->component_type,
                                                                   .element_type = accessor->element_type,
                                                                   .count = accessor->count };
    }
    return GT_OK;
}

static GtResult find_bytes(DracoPrimitive* p, const uint8_t** bytes, size_t* size)
{
    const GtScene* scene = p->reader->scene;
    const GtiJson* json = gti_json_find(p->json, "bufferView");
    int64_t index = -1;
    bool ok = gti_json_int64(json, &index) && index >= 0 && index < scene->buffer_view_count;
    const GtBufferView* view = ok ? &scene->buffer_views[index] : NULL;
    const GtBlob* blob =
        ok && view->buffer >= 0 && view->buffer < scene->buffer_count ? scene->buffers[view->buffer].blob : NULL;
    size_t there = blob ? gt_blob_size(blob) : 0;
    if (!blob || view->offset > there || view->size > there - view->offset) {
        return gti_gltf_fail(p->reader, p->json, GT_ERROR_BAD_VALUE, "its buffer view does not exist or is too long");
    }
    *bytes = gt_blob_bytes(blob) + view->offset;
    *size = (size_t)view->size;
    return GT_OK;
}

// Indices as the accessor has them; those that do not fit are an error.
static bool store_indices(const uint32_t* indices, const GtAccessor* accessor, uint8_t* out)
{
    int32_t width = gt_component_size(accessor->component_type);
    uint32_t most = width == 1 ? UINT8_MAX : width == 2 ? UINT16_MAX : UINT32_MAX;
    for (uint64_t i = 0; i < accessor->count; ++i) {
        if (indices[i] > most) {
            return false;
        }
        memcpy(out + i * (uint64_t)width, &indices[i], (size_t)width); // little-endian, as glTF is
    }
    return true;
}

static GtResult decode_primitive(DracoPrimitive* p)
{
    GtiGltfReader* reader = p->reader;
    const uint8_t* bytes = NULL;
    size_t size = 0;
    GtResult result = find_bytes(p, &bytes, &size);
    if (result == GT_OK) {
        result = list_attributes(p);
    }
    for (int32_t i = 0; i < p->attribute_count && result == GT_OK; ++i) {
        uint8_t* out = NULL;
        result = make_space(p, accessor_of(p, p->accessors[i]), &out);
        p->attributes[i].out = out;
    }
    GtAccessor* indices = accessor_of(p, p->primitive->indices);
    bool wants_indices = indices && indices->view == GT_NONE && !indices->sparse;
    uint8_t* out_indices = NULL;
    uint32_t* wide = NULL;
    if (result == GT_OK && wants_indices) {
        result = make_space(p, indices, &out_indices);
    }
    if (result == GT_OK && wants_indices) {
        wide = gt_arena_push_array(reader->scratch, (size_t)indices->count, sizeof *wide);
        result = wide ? GT_OK : gti_out_of_memory(reader->error);
    }
    if (result != GT_OK || (p->attribute_count == 0 && !wants_indices)) {
        return result;
    }
    GtError error = { 0 };
    result = gti_imports.decode_draco(reader->context, bytes, size, p->attributes, p->attribute_count, wide,
                                      wide ? indices->count : 0, &error);
    if (result == GT_ERROR_OUT_OF_MEMORY) {
        return gti_out_of_memory(reader->error);
    }
    if (result != GT_OK) {
        return gti_gltf_fail(reader, p->json, result, "%s", error.message);
    }
    return !wide || store_indices(wide, indices, out_indices)
               ? GT_OK
               : gti_gltf_fail(reader, p->json, GT_ERROR_BAD_VALUE, "an index does not fit the type of its accessor");
}

static GtResult read_primitive(GtiGltfReader* reader, const GtiJson* json, GtPrimitive* primitive, uint64_t* total)
{
    static const char* const decoded[] = { extension_name, NULL };
    const GtiJson* extensions = gti_json_find(json, "extensions");
    const GtiJson* extension = gti_json_find(extensions, extension_name);
    if (!extension) {
        return GT_OK;
    }
    GtArenaMark mark = gt_arena_mark(reader->scratch);
    DracoPrimitive p = { .reader = reader, .json = extension, .primitive = primitive, .total = total };
    GtResult result = decode_primitive(&p);
    gt_arena_reset(reader->scratch, mark);
    return result == GT_OK ? gti_gltf_keep_members(reader, extensions, decoded, true, &primitive->extra.extensions)
                           : result;
}

static void drop_name(const char** names, int32_t* count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < *count; ++i) {
        if (strcmp(names[i], extension_name) != 0) {
            names[kept++] = names[i];
        }
    }
    *count = kept;
}

GtResult gti_draco_root_read(GtiGltfReader* reader)
{
    GtScene* scene = reader->scene;
    if (!gti_imports.decode_draco) {
        return GT_OK;
    }
    const GtiJson* mesh = gti_json_first(gti_json_find(reader->root, "meshes"));
    uint64_t total = 0;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < scene->mesh_count && result == GT_OK; ++i, mesh = gti_json_next(mesh)) {
        const GtiJson* primitive = gti_json_first(gti_json_find(mesh, "primitives"));
        for (int32_t k = 0; k < scene->meshes[i].primitive_count && result == GT_OK; ++k) {
            result = read_primitive(reader, primitive, (GtPrimitive*)&scene->meshes[i].primitives[k], &total);
            primitive = gti_json_next(primitive);
        }
    }
    drop_name(scene->extensions_used, &scene->extension_used_count);
    drop_name(scene->extensions_required, &scene->extension_required_count);
    return result;
}
