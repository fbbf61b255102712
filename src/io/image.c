// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "io/image.h"

#include "base/fail.h"
#include "data/bitmap.h"
#include "data/files.h"
#include "io/uri.h"
#include "scene/storage.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_regular_file(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

typedef struct ImageSignature {
    const char* mime_type;
    const char* ending;
    const char* bytes;
    uint8_t offset;
    uint8_t size;
} ImageSignature;

static const ImageSignature* find_signature(const uint8_t* bytes, size_t size)
{
    static const ImageSignature signatures[] = {
        { "image/png", "png", "\x89PNG\r\n\x1A\n", 0, 8 },
        { "image/jpeg", "jpg", "\xFF\xD8\xFF", 0, 3 },
        { "image/webp", "webp", "WEBP", 8, 4 },
        { "image/ktx2", "ktx2", "\xABKTX 20\xBB", 0, 8 },
        { "image/vnd-ms.dds", "dds", "DDS ", 0, 4 },
        { "image/avif", "avif", "ftypavif", 4, 8 },
    };
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; ++i) {
        const ImageSignature* s = &signatures[i];
        if (size >= (size_t)s->offset + s->size && memcmp(bytes + s->offset, s->bytes, s->size) == 0) {
            return s;
        }
    }
    return NULL;
}

const char* gti_image_mime_type(const uint8_t* bytes, size_t size)
{
    const ImageSignature* s = find_signature(bytes, size);
    return s ? s->mime_type : NULL;
}

const char* gti_image_ending(const uint8_t* bytes, size_t size)
{
    const ImageSignature* s = find_signature(bytes, size);
    return s ? s->ending : gti_bitmap_ending(bytes, size);
}

bool gti_image_is_bitmap(const char* name)
{
    return gti_path_has_extension(name, "tga") || gti_path_has_extension(name, "bmp");
}

GtResult gti_image_to_png(const GtContext* context, const uint8_t* bytes, size_t size, GtBlob** out, GtError* error)
{
    GtiPixels pixels;
    *out = NULL;
    GtResult result = gti_bitmap_decode(context->allocator, bytes, size, &pixels, error);
    if (result != GT_OK) {
        return result;
    }
    GtAllocator allocator = context->allocator;
    size_t png_size = 0;
    uint8_t* png = gti_png_encode(allocator, &pixels, &png_size);
    *out = png ? gti_blob_adopt(allocator, png, 0, png_size) : NULL;
    if (!*out) {
        allocator.release(allocator.user, png);
    }
    allocator.release(allocator.user, pixels.rgba);
    return *out ? GT_OK : gti_out_of_memory(error);
}

const char* gti_image_file(GtArena* arena, const char* directory, const char* uri, bool* failed)
{
    size_t length = strlen(uri);
    if (!directory || gti_uri_kind(uri, length) != GTI_URI_FILE) {
        return NULL;
    }
    const char* name = gti_uri_decode(arena, uri, length);
    const char* path = name ? gti_path_join(arena, directory, name) : NULL;
    *failed = !path;
    return path && is_regular_file(path) ? path : NULL;
}

static GtResult copy_view(const GtContext* context, const GtScene* scene, int32_t view, GtBlob** out, GtError* error)
{
    const GtBufferView* v = &scene->buffer_views[view];
    uint8_t* bytes = NULL;
    *out = gt_blob_create(context->allocator, (size_t)v->size, &bytes);
    if (!*out) {
        return gti_out_of_memory(error);
    }
    if (v->size) {
        memcpy(bytes, gt_blob_bytes(scene->buffers[v->buffer].blob) + v->offset, (size_t)v->size);
    }
    return GT_OK;
}

static GtResult decode_data(const GtContext* context, const char* uri, GtBlob** out, GtError* error)
{
    size_t length = 0;
    size_t size = 0;
    const char* text = gti_uri_base64(uri, strlen(uri), &length);
    if (!text || !gti_base64_size(text, length, &size)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the data URI is not base64");
    }
    uint8_t* bytes = NULL;
    *out = gt_blob_create(context->allocator, size, &bytes);
    if (!*out) {
        return gti_out_of_memory(error);
    }
    if (!gti_base64_decode(text, length, bytes)) {
        gt_blob_release(*out);
        *out = NULL;
        return gti_fail(error, GT_ERROR_BAD_FILE, "the data URI is not base64");
    }
    return GT_OK;
}

static GtResult read_file(const GtContext* context, const GtScene* scene, const char* uri, GtBlob** out, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    bool failed = false;
    const char* path = gti_image_file(&scratch, scene->source.directory, uri, &failed);
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtResult result = failed  ? gti_out_of_memory(error)
                      : !path ? gti_fail(error, GT_ERROR_NOT_FOUND, "the image file '%.200s' does not exist", uri)
                              : gti_file_read(context, path, &bytes, &size, error);
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        return result;
    }
    *out = gti_blob_adopt(context->allocator, bytes, 0, size);
    if (!*out) {
        context->allocator.release(context->allocator.user, bytes);
        return gti_out_of_memory(error);
    }
    return GT_OK;
}

GtResult gt_image_read(const GtContext* context, const GtScene* scene, int32_t image, GtBlob** out, GtError* error)
{
    GT_ASSERT(image >= 0 && image < scene->image_count);
    const GtImage* i = &scene->images[image];
    *out = NULL;
    if (i->view != GT_NONE) {
        return copy_view(context, scene, i->view, out, error);
    }
    if (!i->uri) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "images[%d] has no data", (int)image);
    }
    bool is_data = gti_uri_kind(i->uri, strlen(i->uri)) == GTI_URI_DATA;
    return is_data ? decode_data(context, i->uri, out, error) : read_file(context, scene, i->uri, out, error);
}
