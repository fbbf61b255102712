// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing glTF 2.0: a GLB in memory or as a file, or a .gltf with its .bin beside it. Buffers go out from where they
// lie; the same scene gives the same bytes.

#include "base/fail.h"
#include "io/file_set.h"
#include "io/gltf/hooks.h"
#include "io/gltf/writer.h"
#include "io/uri.h"

#include <string.h>

enum {
    HEADER_SIZE = 20,      // of the file and its JSON chunk
    CHUNK_HEADER_SIZE = 8, //
    CHUNK_ALIGNMENT = 4,
    INDENT = 2,
};

void gti_gltf_asset_write(GtiGltfWriter* writer, const void* object)
{
    const GtAsset* asset = object;
    gt_json_member_string(&writer->json, "version", "2.0");
    gt_json_key(&writer->json, "generator");
    gt_json_string(&writer->json, asset->generator ? asset->generator : "Gertie " GT_VERSION_STRING);
}

void gti_gltf_root_write(GtiGltfWriter* writer, const void* object)
{
    (void)object;
    if (writer->buffer_size) {
        gt_json_member_array(&writer->json, "buffers");
        gti_gltf_write_object(writer, &gti_gltf_buffer_schema, &writer->buffer);
        gt_json_end_array(&writer->json);
    }
}

void gti_gltf_buffer_write(GtiGltfWriter* writer, const void* object)
{
    (void)object;
    if (writer->buffer_uri) {
        gt_json_member_string(&writer->json, "uri", writer->buffer_uri);
    }
    gt_json_member_integer(&writer->json, "byteLength", (int64_t)writer->buffer_size);
}

GtResult gti_gltf_write_json(GtiGltfWriter* writer, char** out, size_t* size)
{
    writer->json = gt_json_create(writer->scratch, writer->buffer_uri ? INDENT : 0);
    gti_gltf_write_object(writer, &gti_gltf_root_schema, writer->scene);
    *size = writer->json.text.size;
    *out = gt_text_finish(&writer->json.text);
    return *out ? GT_OK : gti_out_of_memory(writer->error);
}

// What a GLB consists of, in order.
typedef struct Glb {
    uint8_t header[HEADER_SIZE];
    uint8_t binary_header[CHUNK_HEADER_SIZE];
    GtiSpan* spans;
    int32_t span_count;
    uint64_t size;
} Glb;

static void put_uint32(uint8_t* out, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(value >> 8 * i);
    }
}

static void add_span(Glb* glb, const void* bytes, size_t size)
{
    glb->spans[glb->span_count++] = (GtiSpan){ bytes, size };
    glb->size += size;
}

static GtResult assemble(GtiGltfWriter* writer, Glb* glb)
{
    static const char spaces[] = "   ";
    static const char zeros[CHUNK_ALIGNMENT];
    char* json = NULL;
    size_t json_size = 0;
    GtResult result = gti_gltf_write_json(writer, &json, &json_size);
    glb->spans = gt_arena_push_array(writer->scratch, (size_t)writer->span_count + 6, sizeof *glb->spans);
    if (result != GT_OK || !glb->spans) {
        return result != GT_OK ? result : gti_out_of_memory(writer->error);
    }
    size_t json_padding = -json_size % CHUNK_ALIGNMENT;
    size_t binary_padding = (size_t)(-writer->buffer_size % CHUNK_ALIGNMENT);
    add_span(glb, glb->header, HEADER_SIZE);
    add_span(glb, json, json_size);
    add_span(glb, spaces, json_padding);
    if (writer->buffer_size) {
        add_span(glb, glb->binary_header, CHUNK_HEADER_SIZE);
        for (int32_t i = 0; i < writer->span_count; ++i) {
            add_span(glb, writer->spans[i].bytes, writer->spans[i].size);
        }
        add_span(glb, zeros, binary_padding);
    }
    if (glb->size > UINT32_MAX) {
        return gti_fail(writer->error, GT_ERROR_LIMIT,
                        "a GLB holds at most 4 GiB, and this scene needs %llu bytes; write a .gltf",
                        (unsigned long long)glb->size);
    }
    memcpy(glb->header, "glTF", 4);
    put_uint32(glb->header + 4, 2);
    put_uint32(glb->header + 8, (uint32_t)glb->size);
    put_uint32(glb->header + 12, (uint32_t)(json_size + json_padding));
    memcpy(glb->header + 16, "JSON", 4);
    put_uint32(glb->binary_header, (uint32_t)(writer->buffer_size + binary_padding));
    memcpy(glb->binary_header + 4, "BIN", 4);
    return GT_OK;
}

static GtResult copy_out(const GtiGltfWriter* writer, const Glb* glb, GtBlob** out)
{
    uint8_t* bytes = NULL;
    *out = gt_blob_create(writer->context->allocator, (size_t)glb->size, &bytes);
    if (!*out) {
        return gti_out_of_memory(writer->error);
    }
    for (int32_t i = 0; i < glb->span_count; ++i) {
        if (glb->spans[i].size) {
            memcpy(bytes, glb->spans[i].bytes, glb->spans[i].size);
            bytes += glb->spans[i].size;
        }
    }
    return GT_OK;
}

// Write a GLB to `path`, or into `out` where that is NULL.
static GtResult write_glb(const GtContext* context, const GtScene* scene, const char* path, GtBlob** out,
                          GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiGltfWriter writer = { .context = context, .error = error, .scratch = &scratch };
    Glb glb = { 0 };
    GtResult result = gti_gltf_prepare(&writer, scene, NULL);
    if (result == GT_OK) {
        result = assemble(&writer, &glb);
    }
    if (result == GT_OK) {
        result = path ? gti_file_write(context, path, glb.spans, glb.span_count, error) : copy_out(&writer, &glb, out);
    }
    gt_scene_destroy(writer.scene);
    gt_arena_destroy(&scratch);
    return result;
}

GtResult gti_glb_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    (void)def;
    return write_glb(context, scene, NULL, out, error);
}

GtResult gti_glb_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                      GtError* error)
{
    (void)def;
    return write_glb(context, scene, path, NULL, error);
}

static GtResult write_gltf(GtiGltfWriter* writer, GtiFileSet* files, const GtScene* scene)
{
    const char* name = NULL;
    GtResult result = gti_gltf_prepare(writer, scene, files->folder);
    if (result == GT_OK && writer->buffer_size) {
        result = gti_file_set_add(files, ".bin", writer->spans, writer->span_count, &name, writer->error);
    }
    if (result == GT_OK && name) {
        writer->buffer_uri = gti_uri_encode(writer->scratch, name);
        result = writer->buffer_uri ? GT_OK : gti_out_of_memory(writer->error);
    }
    char* json = NULL;
    size_t size = 0;
    result = result == GT_OK ? gti_gltf_write_json(writer, &json, &size) : result;
    if (result != GT_OK) {
        gti_file_set_discard(files);
        return result;
    }
    const GtiSpan spans[] = { { json, size }, { "\n", 1 } };
    return gti_file_set_finish(files, spans, 2, writer->error);
}

GtResult gti_gltf_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                       GtError* error)
{
    (void)def;
    GtArena scratch = gt_arena_create(context->allocator);
    GtiGltfWriter writer = { .context = context, .error = error, .scratch = &scratch, .buffer_uri = "" };
    GtiFileSet files;
    GtResult result = gti_file_set_open(context, path, &files, error);
    result = result == GT_OK ? write_gltf(&writer, &files, scene) : result;
    gt_scene_destroy(writer.scene);
    gt_arena_destroy(&scratch);
    return result;
}

static GtResult check_vrm(const GtScene* scene, GtError* error)
{
    for (int32_t i = 0; i < scene->extension_used_count; ++i) {
        if (strcmp(scene->extensions_used[i], "VRMC_vrm") == 0 || strcmp(scene->extensions_used[i], "VRM") == 0) {
            return GT_OK;
        }
    }
    return gti_fail(error, GT_ERROR_UNSUPPORTED,
                    "a .vrm needs a VRM extension (licence, expressions...), which this scene lacks; write a .glb");
}

GtResult gti_vrm_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    GtResult result = check_vrm(scene, error);
    return result == GT_OK ? gti_glb_write(context, scene, def, out, error) : result;
}

GtResult gti_vrm_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                      GtError* error)
{
    GtResult result = check_vrm(scene, error);
    return result == GT_OK ? gti_glb_save(context, scene, path, def, error) : result;
}
