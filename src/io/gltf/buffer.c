// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where a buffer's bytes come from: the BIN chunk of a GLB, which stays where it is in the input; a data URI; or a
// regular file beside the document. No scheme but data: is followed and no absolute path, so that a document from
// elsewhere cannot reach into the network or name a device. A file that several buffers name is read once.

#include "base/fail.h"
#include "data/files.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/uri.h"
#include "scene/storage.h"

#include <string.h>
#include <sys/stat.h>

enum {
    MAX_FILES = 4096 // distinct files that buffers may name
};

struct GtiGltfFile {
    GtiGltfFile* next;
    dev_t device;
    ino_t inode;
    GtBlob* blob; // held by the buffer that brought it
};

static GtResult read_binary(GtiGltfReader* reader, const GtiJson* json, uint64_t size, GtBlob** out)
{
    bool first = json == reader->first_buffer;
    if (!first || !reader->binary) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "\"uri\" is missing, and there is no %s for this buffer",
                             first ? "BIN chunk" : "second BIN chunk");
    }
    if (size > reader->binary_size) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "has %llu bytes, but the BIN chunk only %zu",
                             (unsigned long long)size, reader->binary_size);
    }
    GtAllocator allocator = reader->context->allocator;
    GtiInput* input = reader->input;
    if (input->block) {
        *out = gti_blob_adopt(allocator, input->block, (size_t)(reader->binary - input->bytes), (size_t)size);
        if (*out) {
            input->block = NULL;
        }
    } else {
        uint8_t* bytes = NULL;
        *out = gt_blob_create(allocator, (size_t)size, &bytes);
        if (*out && size) {
            memcpy(bytes, reader->binary, (size_t)size);
        }
    }
    return *out ? GT_OK : gti_out_of_memory(reader->error);
}

static GtResult read_data_uri(GtiGltfReader* reader, const GtiJson* json, const char* uri, size_t length,
                              uint64_t wanted, GtBlob** out)
{
    size_t text_length = 0;
    size_t size = 0;
    const char* text = gti_uri_base64(uri, length, &text_length);
    if (!text) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "a data URI must hold \";base64,\"");
    }
    if (!gti_base64_size(text, text_length, &size)) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "is no base64: its %zu characters are no multiple of 4",
                             text_length);
    }
    if (size < wanted) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "holds %zu bytes, but \"byteLength\" says %llu", size,
                             (unsigned long long)wanted);
    }
    uint8_t* bytes = NULL;
    *out = gt_blob_create(reader->context->allocator, size, &bytes);
    if (!*out) {
        return gti_out_of_memory(reader->error);
    }
    if (!gti_base64_decode(text, text_length, bytes)) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE,
                             "is no base64: it holds a character that has no place there");
    }
    return GT_OK;
}

static GtResult read_new_file(GtiGltfReader* reader, const GtiJson* json, const char* path, const struct stat* status,
                              GtBlob** out)
{
    int32_t count = 0;
    for (const GtiGltfFile* file = reader->files; file; file = file->next) {
        ++count;
    }
    if (count >= MAX_FILES) {
        return gti_gltf_fail(reader, json, GT_ERROR_LIMIT, "buffers lie in more than %d files", MAX_FILES);
    }
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtError reason = { 0 };
    GtResult result = gti_file_read(reader->context, path, &bytes, &size, &reason);
    if (result != GT_OK) {
        return gti_gltf_fail(reader, json, result, "cannot read '%s': %s", path, reason.message);
    }
    GtiGltfFile* file = gt_arena_push_array(reader->scratch, 1, sizeof *file);
    *out = file ? gti_blob_adopt(reader->context->allocator, bytes, 0, size) : NULL;
    if (!*out) {
        reader->context->allocator.release(reader->context->allocator.user, bytes);
        return gti_out_of_memory(reader->error);
    }
    *file = (GtiGltfFile){ reader->files, status->st_dev, status->st_ino, *out };
    reader->files = file;
    return GT_OK;
}

static GtResult read_file(GtiGltfReader* reader, const GtiJson* json, const char* uri, size_t length, uint64_t wanted,
                          GtBlob** out)
{
    if (!reader->scene->source.directory) {
        return gti_gltf_fail(reader, json, GT_ERROR_IO, "names a file, but the document was read from memory");
    }
    const char* name = gti_uri_decode(reader->scratch, uri, length);
    const char* path = name ? gti_path_join(reader->scratch, reader->scene->source.directory, name) : NULL;
    if (!path) {
        return gti_out_of_memory(reader->error);
    }
    struct stat status;
    if (stat(path, &status) != 0) {
        return gti_gltf_fail(reader, json, GT_ERROR_IO,
                             "cannot find '%s', which holds this buffer; put it beside the file", path);
    }
    if (!S_ISREG(status.st_mode)) {
        return gti_gltf_fail(reader, json, GT_ERROR_IO, "'%s' is no regular file", path);
    }
    for (const GtiGltfFile* file = reader->files; file && !*out; file = file->next) {
        if (file->device == status.st_dev && file->inode == status.st_ino) {
            *out = gt_blob_retain(file->blob);
        }
    }
    GtResult result = *out ? GT_OK : read_new_file(reader, json, path, &status, out);
    if (result == GT_OK && gt_blob_size(*out) < wanted) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "'%s' has %zu bytes, but \"byteLength\" says %llu", path,
                             gt_blob_size(*out), (unsigned long long)wanted);
    }
    return result;
}

GtResult gti_gltf_buffer_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtBuffer* buffer = object;
    const GtiJson* length = gti_json_find(json, "byteLength");
    int64_t size = 0;
    if (!gti_json_int64(length, &size) || size < 0) {
        return gti_gltf_fail(reader, length, GT_ERROR_BAD_VALUE, "must be an integer of 0 or more");
    }
    if (gti_meshopt_is_fallback(json)) { // all that is in it is decoded from other buffers
        uint8_t* none = NULL;
        buffer->blob = gt_blob_create(reader->context->allocator, 0, &none);
        return buffer->blob ? GT_OK : gti_out_of_memory(reader->error);
    }
    const GtiJson* uri = gti_json_find(json, "uri");
    if (!uri) {
        return read_binary(reader, json, (uint64_t)size, &buffer->blob);
    }
    if (uri->type != GTI_JSON_STRING) {
        return gti_gltf_fail(reader, uri, GT_ERROR_BAD_VALUE, "must be a string, not %s", gti_gltf_type_name(uri));
    }
    size_t uri_length = 0;
    const char* text = gti_json_view(reader->scratch, uri, &uri_length);
    if (!text) {
        return gti_out_of_memory(reader->error);
    }
    switch (gti_uri_kind(text, uri_length)) {
    case GTI_URI_DATA:
        return read_data_uri(reader, uri, text, uri_length, (uint64_t)size, &buffer->blob);
    case GTI_URI_FILE:
        return read_file(reader, uri, text, uri_length, (uint64_t)size, &buffer->blob);
    case GTI_URI_OUTSIDE:
        break;
    }
    return gti_gltf_fail(reader, uri, GT_ERROR_UNSUPPORTED,
                         "'%.*s' is not followed, only names of files beside the document are; fetch the file and "
                         "name it without a scheme or a leading slash",
                         uri_length < 80 ? (int)uri_length : 80, text);
}
