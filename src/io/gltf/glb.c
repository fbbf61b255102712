// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The GLB container, section 4 of the glTF 2.0 specification: a header of 12 bytes, a JSON chunk, at most one BIN
// chunk; all numbers little-endian. Chunks that nobody knows are skipped, as the specification asks.

#include "base/fail.h"
#include "io/gltf/reader.h"

#include "io/bytes.h"

#include <stdio.h>
#include <string.h>

enum {
    HEADER_SIZE = 12,
    CHUNK_HEADER_SIZE = 8,
    CHUNK_JSON = 0x4E4F534A,
    CHUNK_BIN = 0x004E4942,
};

bool gti_glb_sniff(const uint8_t* bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "glTF", 4) == 0;
}

static GtResult parse_header(const GtContext* context, const GtiInput* input, size_t* length, GtError* error)
{
    if (input->size < HEADER_SIZE) {
        return gti_fail_at(error, GT_ERROR_BAD_FILE, "byte 0", "the GLB header is truncated: %zu of %d bytes",
                           input->size, HEADER_SIZE);
    }
    uint32_t version = gti_load_u32(input->bytes + 4);
    if (version == 1) {
        return gti_fail_at(error, GT_ERROR_UNSUPPORTED, "byte 4",
                           "this is a binary glTF 1.0, and only glTF 2.0 is read; convert it, for example with "
                           "gltf-pipeline");
    }
    if (version != 2) {
        return gti_fail_at(error, GT_ERROR_UNSUPPORTED, "byte 4", "GLB version %u is unknown, only 2 is read", version);
    }
    *length = gti_load_u32(input->bytes + 8);
    if (*length < HEADER_SIZE) {
        return gti_fail_at(error, GT_ERROR_BAD_FILE, "byte 8",
                           "the header declares a length of %zu bytes, less than its own", *length);
    }
    if (*length > input->size) {
        return gti_fail_at(error, GT_ERROR_BAD_FILE, "byte 8",
                           "the file is truncated: its header declares %zu bytes, but there are %zu", *length,
                           input->size);
    }
    if (*length < input->size) {
        return gti_repair(context, error, input->path, "byte 8",
                          "the header declares %zu bytes, but there are %zu: the rest is ignored", *length,
                          input->size);
    }
    return GT_OK;
}

static GtResult parse_chunk(const GtiInput* input, size_t length, size_t at, uint32_t* type, size_t* size,
                            GtError* error)
{
    char where[32];
    snprintf(where, sizeof where, "byte %zu", at);
    if (length - at < CHUNK_HEADER_SIZE) {
        return gti_fail_at(error, GT_ERROR_BAD_FILE, where, "a chunk header is truncated: %zu of %d bytes", length - at,
                           CHUNK_HEADER_SIZE);
    }
    *size = gti_load_u32(input->bytes + at);
    *type = gti_load_u32(input->bytes + at + 4);
    size_t left = length - at - CHUNK_HEADER_SIZE;
    if (*size > left) {
        return gti_fail_at(error, GT_ERROR_BAD_FILE, where,
                           "a chunk of %zu bytes begins, but only %zu bytes follow: the file is truncated", *size,
                           left);
    }
    return GT_OK;
}

// Some writers pad the JSON with zeros, where spaces are due.
static GtResult trim_json(const GtContext* context, const GtiInput* input, GtiGlb* glb, GtError* error)
{
    size_t padded = glb->json_size;
    while (glb->json_size && glb->json[glb->json_size - 1] == 0) {
        --glb->json_size;
    }
    return glb->json_size == padded
               ? GT_OK
               : gti_repair(context, error, input->path, "byte 12", "the JSON is padded with zeros instead of spaces");
}

GtResult gti_glb_parse(const GtContext* context, const GtiInput* input, GtiGlb* out, GtError* error)
{
    *out = (GtiGlb){ 0 };
    size_t length = 0;
    GtResult result = parse_header(context, input, &length, error);
    size_t at = HEADER_SIZE;
    for (int32_t chunk = 0; result == GT_OK && (chunk == 0 || at < length); ++chunk) {
        uint32_t type = 0;
        size_t size = 0;
        result = parse_chunk(input, length, at, &type, &size, error);
        if (result != GT_OK) {
            return result;
        }
        if (chunk == 0 && type != CHUNK_JSON) {
            return gti_fail_at(error, GT_ERROR_BAD_FILE, "byte 16", "the first chunk of a GLB must be its JSON");
        }
        const uint8_t* data = input->bytes + at + CHUNK_HEADER_SIZE;
        if (chunk == 0) {
            out->json = (const char*)data;
            out->json_size = size;
        } else if (type == CHUNK_BIN && !out->binary) {
            out->binary = data;
            out->binary_size = size;
        }
        at += CHUNK_HEADER_SIZE + size;
    }
    return result == GT_OK ? trim_json(context, input, out, error) : result;
}
