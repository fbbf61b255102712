// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PNG through libpng's simplified interface. Nothing that changes between runs, such as the time, goes into a file; a
// picture without transparent pixels is written without alpha.

#include "gertie/picture.h"

#include "base/fail.h"
#include "data/files.h"
#include "render/picture/decode.h"

#include <png.h>
#include <string.h>

static bool is_opaque(const GtPicture* picture)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; ++i) {
        if (picture->rgba[4 * i + 3] != 255) {
            return false;
        }
    }
    return true;
}

static uint8_t* without_alpha(GtAllocator allocator, const GtPicture* picture)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    uint8_t* rgb = allocator.allocate(allocator.user, count * 3);
    for (size_t i = 0; rgb && i < count; ++i) {
        memcpy(rgb + 3 * i, picture->rgba + 4 * i, 3);
    }
    return rgb;
}

static GtResult encode(GtAllocator allocator, const GtPicture* picture, uint8_t** bytes, size_t* size, GtError* error)
{
    bool opaque = is_opaque(picture);
    uint8_t* packed = opaque ? without_alpha(allocator, picture) : NULL;
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)picture->width,
        .height = (png_uint_32)picture->height,
        .format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA,
    };
    png_alloc_size_t written = PNG_IMAGE_PNG_SIZE_MAX(image);
    GtResult result = GT_OK;
    *bytes = opaque && !packed ? NULL : allocator.allocate(allocator.user, written);
    if (!*bytes) {
        result = gti_out_of_memory(error);
    } else if (!png_image_write_to_memory(&image, *bytes, &written, 0, opaque ? packed : picture->rgba, 0, NULL)) {
        result = gti_fail(error, GT_ERROR_OUT_OF_MEMORY, "the picture could not be packed: %s", image.message);
    }
    *size = written;
    allocator.release(allocator.user, packed);
    return result;
}

GtResult gt_picture_write_png(const GtContext* context, const GtPicture* picture, const char* path, GtError* error)
{
    GtAllocator allocator = context->allocator;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtResult result = encode(allocator, picture, &bytes, &size, error);
    if (result == GT_OK) {
        result = gti_file_write(context, path, &(GtiSpan){ bytes, size }, 1, error);
    }
    allocator.release(allocator.user, bytes);
    return result;
}

GtResult gt_picture_encode_png(const GtContext* context, const GtPicture* picture, GtBlob** out, GtError* error)
{
    GtAllocator allocator = context->allocator;
    uint8_t* bytes = NULL;
    size_t size = 0;
    *out = NULL;
    GtResult result = encode(allocator, picture, &bytes, &size, error);
    if (result == GT_OK) {
        uint8_t* copy = NULL;
        *out = gt_blob_create(allocator, size, &copy);
        result = *out ? GT_OK : gti_out_of_memory(error);
        if (*out) {
            memcpy(copy, bytes, size);
        }
    }
    allocator.release(allocator.user, bytes);
    return result;
}

GtResult gt_picture_read(const GtContext* context, const char* path, GtPicture* out, GtError* error)
{
    *out = (GtPicture){ 0 };
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtResult result = gti_file_read(context, path, &bytes, &size, error);
    if (result != GT_OK) {
        return result;
    }
    GtiPixels pixels;
    result = gti_decode_image(context->allocator, bytes, size, &pixels, error);
    context->allocator.release(context->allocator.user, bytes);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        return result;
    }
    *out = (GtPicture){ pixels.width, pixels.height, pixels.rgba, context->allocator };
    return GT_OK;
}
