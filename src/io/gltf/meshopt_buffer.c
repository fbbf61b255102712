// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// EXT_meshopt_compression (and KHR_meshopt_compression, in the bitstreams they share): compressed views of fallback
// buffers, which hold nothing, are decoded into one new buffer and read from there, so that nothing after knows of it,
// and what is written is plain. Views whose plain data is there are read as if they were not compressed.

#include "base/fail.h"
#include "io/gltf/hooks.h"
#include "io/gltf/meshopt.h"
#include "io/gltf/reader.h"

#include <string.h>

#define MOST_FREE  ((uint64_t)256 << 20) // decoded bytes that any file may ask for
#define MOST_TIMES 128                   // and so many times its size

const char* const gti_meshopt_extensions[] = { "EXT_meshopt_compression", "KHR_meshopt_compression", NULL };

// A compressed view.
typedef struct Packed {
    const GtiJson* json;
    int64_t buffer, offset, size, stride, count;
    const char* mode;
    const char* filter;
} Packed;

static const GtiJson* find_extension(const GtiJson* object)
{
    const GtiJson* extensions = gti_json_find(object, "extensions");
    const GtiJson* found = gti_json_find(extensions, gti_meshopt_extensions[0]);
    return found ? found : gti_json_find(extensions, gti_meshopt_extensions[1]);
}

bool gti_meshopt_is_fallback(const GtiJson* buffer)
{
    const GtiJson* fallback = gti_json_find(find_extension(buffer), "fallback");
    return fallback && fallback->type == GTI_JSON_TRUE;
}

static const char* word_of(const GtiJson* json, const char* const* words, const char* none)
{
    for (; json && *words; ++words) {
        if (gti_json_equals(json, *words)) {
            return *words;
        }
    }
    return json ? NULL : none;
}

static bool read_size(const GtiJson* json, const char* key, int64_t fallback, int64_t* out)
{
    const GtiJson* value = gti_json_find(json, key);
    *out = fallback;
    return (!value && fallback >= 0) || (gti_json_int64(value, out) && *out >= 0);
}

static bool fits(const Packed* packed)
{
    bool attributes = !strcmp(packed->mode, "ATTRIBUTES");
    if (attributes ? packed->stride < 4 || packed->stride > 256 || packed->stride % 4
                   : packed->stride != 2 && packed->stride != 4) {
        return false;
    }
    if (!strcmp(packed->mode, "TRIANGLES") && packed->count % 3) {
        return false;
    }
    if (!strcmp(packed->filter, "OCTAHEDRAL")) {
        return attributes && (packed->stride == 4 || packed->stride == 8);
    }
    if (!strcmp(packed->filter, "QUATERNION")) {
        return attributes && packed->stride == 8;
    }
    return attributes || !strcmp(packed->filter, "NONE");
}

static GtResult read_packed(GtiGltfReader* reader, const GtiJson* json, Packed* out)
{
    static const char* const modes[] = { "ATTRIBUTES", "TRIANGLES", "INDICES", NULL };
    static const char* const filters[] = { "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", NULL };
    *out = (Packed){ .json = json };
    bool ok = read_size(json, "buffer", -1, &out->buffer) && read_size(json, "byteOffset", 0, &out->offset) &&
              read_size(json, "byteLength", -1, &out->size) && read_size(json, "byteStride", -1, &out->stride) &&
              read_size(json, "count", -1, &out->count);
    out->mode = word_of(gti_json_find(json, "mode"), modes, NULL);
    out->filter = word_of(gti_json_find(json, "filter"), filters, "NONE");
    if (!ok || !out->mode || !out->filter || !fits(out)) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE,
                             "needs buffer, byteLength, byteStride, count and mode that fit each other");
    }
    const GtScene* scene = reader->scene;
    const GtBlob* blob = out->buffer < scene->buffer_count ? scene->buffers[out->buffer].blob : NULL;
    size_t there = blob ? gt_blob_size(blob) : 0;
    if ((uint64_t)out->offset > there || (uint64_t)out->size > there - (uint64_t)out->offset) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "lies outside of its buffer");
    }
    if ((uint64_t)out->count > gti_meshopt_most((size_t)out->size) / (uint64_t)out->stride) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "%lld bytes cannot hold %lld elements",
                             (long long)out->size, (long long)out->count);
    }
    return GT_OK;
}

static bool decode(const GtScene* scene, const Packed* packed, uint8_t* out)
{
    const uint8_t* data = gt_blob_bytes(scene->buffers[packed->buffer].blob) + packed->offset;
    size_t size = (size_t)packed->size;
    uint64_t count = (uint64_t)packed->count;
    uint32_t stride = (uint32_t)packed->stride;
    if (!strcmp(packed->mode, "TRIANGLES")) {
        return gti_meshopt_decode_triangles(data, size, count, stride, out);
    }
    if (!strcmp(packed->mode, "INDICES")) {
        return gti_meshopt_decode_indices(data, size, count, stride, out);
    }
    if (!gti_meshopt_decode_vertices(data, size, count, stride, out)) {
        return false;
    }
    if (!strcmp(packed->filter, "OCTAHEDRAL")) {
        gti_meshopt_unfilter_octahedral(out, count, stride);
    } else if (!strcmp(packed->filter, "QUATERNION")) {
        gti_meshopt_unfilter_quaternion(out, count);
    } else if (!strcmp(packed->filter, "EXPONENTIAL")) {
        gti_meshopt_unfilter_exponential(out, count, stride);
    }
    return true;
}

// Whether a view's own buffer was left empty.
static bool is_fallback_view(const GtScene* scene, uint32_t view)
{
    int32_t buffer = scene->buffer_views[view].buffer;
    return buffer < scene->buffer_count && scene->buffers[buffer].blob &&
           gt_blob_size(scene->buffers[buffer].blob) == 0;
}

// Go over all compressed views; with `bytes`, decode them there and let the views of `buffer` take their place.
static GtResult each_view(GtiGltfReader* reader, uint8_t* bytes, int32_t buffer, uint64_t* total)
{
    const GtiJson* views = gti_json_find(reader->root, "bufferViews");
    const GtiJson* json = gti_json_first(views);
    *total = 0;
    for (uint32_t i = 0; json && i < views->count; ++i, json = gti_json_next(json)) {
        const GtiJson* extension = find_extension(json);
        if (!extension || !is_fallback_view(reader->scene, i)) {
            continue;
        }
        Packed packed;
        GtResult result = read_packed(reader, extension, &packed);
        if (result != GT_OK) {
            return result;
        }
        uint64_t size = (uint64_t)(packed.count * packed.stride);
        if (bytes) {
            if (!decode(reader->scene, &packed, bytes + *total)) {
                return gti_gltf_fail(reader, extension, GT_ERROR_BAD_VALUE, "its compressed data is damaged");
            }
            GtBufferView* view = &reader->scene->buffer_views[i];
            view->buffer = buffer;
            view->offset = *total;
            view->size = size;
        }
        *total += (size + 7) & ~(uint64_t)7;
        if (*total > MOST_FREE && *total / MOST_TIMES > reader->input->size) {
            return gti_gltf_fail(reader, extension, GT_ERROR_LIMIT,
                                 "the compressed views would take more than %d times the size of the file", MOST_TIMES);
        }
    }
    return GT_OK;
}

// Filters round, so bounds that were taken before are not those of what was decoded; the writer takes them anew.
static void drop_bounds(GtScene* scene, int32_t buffer)
{
    for (int32_t i = 0; i < scene->accessor_count; ++i) {
        GtAccessor* accessor = &scene->accessors[i];
        bool decoded = accessor->view >= 0 && accessor->view < scene->buffer_view_count &&
                       scene->buffer_views[accessor->view].buffer == buffer;
        if (decoded) {
            accessor->min = accessor->max = NULL;
        }
    }
}

static void drop_names(const char** names, int32_t* count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < *count; ++i) {
        if (strcmp(names[i], gti_meshopt_extensions[0]) != 0 && strcmp(names[i], gti_meshopt_extensions[1]) != 0) {
            names[kept++] = names[i];
        }
    }
    *count = kept;
}

GtResult gti_meshopt_root_read(GtiGltfReader* reader)
{
    GtScene* scene = reader->scene;
    uint64_t total = 0;
    GtResult result = each_view(reader, NULL, GT_NONE, &total);
    drop_names(scene->extensions_used, &scene->extension_used_count);
    drop_names(scene->extensions_required, &scene->extension_required_count);
    if (result != GT_OK || total == 0) {
        return result;
    }
    uint8_t* bytes = NULL;
    GtBuffer buffer = { .blob = gt_blob_create(reader->context->allocator, (size_t)total, &bytes) };
    if (!buffer.blob) {
        return gti_out_of_memory(reader->error);
    }
    memset(bytes, 0, (size_t)total);
    result = each_view(reader, bytes, scene->buffer_count, &total);
    if (result != GT_OK) {
        gt_blob_release(buffer.blob);
        return result;
    }
    drop_bounds(scene, scene->buffer_count);
    return gt_scene_add_buffer(scene, &buffer, NULL, reader->error);
}
