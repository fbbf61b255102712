// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Making a scene ready for its file. Buffers become one, laid out in order at multiples of 8 bytes; views keep their
// indices and move with their buffers. What glTF demands and a scene may lack is added.

#include "base/fail.h"
#include "base/memory.h"
#include "io/gltf/reader.h"
#include "io/gltf/writer.h"

#include <stdio.h>
#include <string.h>

enum {
    BUFFER_ALIGNMENT = 8
};

static const char zeros[BUFFER_ALIGNMENT];

static void add_span(GtiGltfWriter* writer, const void* bytes, size_t size)
{
    if (size) {
        writer->spans[writer->span_count++] = (GtiSpan){ bytes, size };
        writer->buffer_size += size;
    }
}

static GtResult lay_out_buffers(GtiGltfWriter* writer)
{
    GtScene* scene = writer->scene;
    size_t count = (size_t)scene->buffer_count;
    uint64_t* starts = gt_arena_push_array(writer->scratch, count, sizeof *starts);
    writer->spans = gt_arena_push_array(writer->scratch, 2 * count + 1, sizeof *writer->spans);
    if (!starts || !writer->spans) {
        return gti_out_of_memory(writer->error);
    }
    for (size_t i = 0; i < count; ++i) {
        const GtBlob* blob = scene->buffers[i].blob;
        size_t size = blob ? gt_blob_size(blob) : 0;
        if (size) {
            add_span(writer, zeros, (size_t)(-writer->buffer_size % BUFFER_ALIGNMENT));
        }
        starts[i] = writer->buffer_size;
        add_span(writer, blob ? gt_blob_bytes(blob) : NULL, size);
    }
    if (writer->buffer_size == 0 && scene->buffer_view_count) {
        add_span(writer, zeros, BUFFER_ALIGNMENT); // views of no bytes need a buffer all the same
    }
    for (int32_t i = 0; i < scene->buffer_view_count; ++i) {
        GtBufferView* view = &scene->buffer_views[i];
        view->offset += starts[view->buffer];
        view->buffer = 0;
    }
    return GT_OK;
}

// The one buffer is called what the only buffer of the scene was.
static void keep_buffer_name(GtiGltfWriter* writer)
{
    const GtScene* scene = writer->scene;
    if (scene->buffer_count == 1) {
        writer->buffer = scene->buffers[0];
        return;
    }
    for (int32_t i = 0; i < scene->buffer_count; ++i) {
        const GtExtra* extra = &scene->buffers[i].extra;
        if (extra->extras || extra->extensions || extra->unknown) {
            char where[32];
            snprintf(where, sizeof where, "buffers[%d]", (int)i);
            gti_warn(writer->context, NULL, where,
                     "all buffers are written as one: extras and extensions of this one are left out");
        }
    }
}

// glTF allows no matrix on an animated node.
static void turn_animated_matrices(GtScene* scene)
{
    for (int32_t a = 0; a < scene->animation_count; ++a) {
        for (int32_t c = 0; c < scene->animations[a].channel_count; ++c) {
            const GtAnimationChannel* channel = &scene->animations[a].channels[c];
            if (channel->node != GT_NONE && channel->path <= GT_PATH_SCALE) {
                scene->nodes[channel->node].matrix = NULL;
            }
        }
    }
}

// Whether the humanoid map must be written: it is there, and no VRM extension says the same.
static GtResult check_humanoid(GtiGltfWriter* writer)
{
    const GtScene* scene = writer->scene;
    const char* extensions = scene->extra.extensions;
    writer->own_humanoid = scene->humanoid != NULL;
    if (!scene->humanoid || !extensions || !strstr(extensions, "VRM")) {
        return GT_OK;
    }
    const GtiJson* json = NULL;
    GtResult result = gti_json_parse(writer->scratch, extensions, strlen(extensions), &json, writer->error);
    GtHumanoidMap map;
    if (result == GT_OK && gti_vrm_find_map(json, scene->node_count, &map, NULL)) {
        writer->own_humanoid = memcmp(&map, scene->humanoid, sizeof map) != 0;
    }
    return result;
}

GtResult gti_gltf_prepare(GtiGltfWriter* writer, const GtScene* scene, const char* directory)
{
    GtResult result = gt_scene_copy(writer->context, scene, &writer->scene, writer->error);
    if (result == GT_OK) {
        result = gti_gltf_embed_images(writer, directory);
    }
    if (result == GT_OK) {
        result = gti_gltf_complete_bounds(writer->scene, writer->error);
    }
    if (result == GT_OK) {
        result = gti_gltf_add_common_roots(writer);
    }
    if (result == GT_OK) {
        result = check_humanoid(writer);
    }
    if (result == GT_OK) {
        result = gti_gertie_list(writer, writer->scene, writer->error);
    }
    if (result != GT_OK) {
        return result;
    }
    turn_animated_matrices(writer->scene);
    keep_buffer_name(writer);
    return lay_out_buffers(writer);
}
