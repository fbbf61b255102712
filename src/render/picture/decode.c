// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/picture/decode.h"

#include "base/fail.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

static GtResult decode_png(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes, size)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the PNG is damaged: %s", image.message);
    }
    image.format = PNG_FORMAT_RGBA;
    GtResult result = gti_pixels_make(allocator, image.width, image.height, out, error);
    if (result == GT_OK && !png_image_finish_read(&image, NULL, out->rgba, 0, NULL)) {
        result = gti_fail(error, GT_ERROR_BAD_FILE, "the PNG is damaged: %s", image.message);
    }
    png_image_free(&image);
    return result;
}

// libjpeg reports errors by a call that must not return.
typedef struct JpegError {
    struct jpeg_error_mgr manager;
    jmp_buf back;
    char message[JMSG_LENGTH_MAX];
} JpegError;

static void leave_jpeg(j_common_ptr jpeg)
{
    JpegError* e = (JpegError*)jpeg->err;
    jpeg->err->format_message(jpeg, e->message);
    longjmp(e->back, 1);
}

static void keep_quiet(j_common_ptr jpeg)
{
    (void)jpeg;
}

static GtResult decode_jpeg(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error)
{
    struct jpeg_decompress_struct jpeg;
    JpegError problem;
    jpeg.err = jpeg_std_error(&problem.manager);
    problem.manager.error_exit = leave_jpeg;
    problem.manager.output_message = keep_quiet;
    if (setjmp(problem.back)) {
        jpeg_destroy_decompress(&jpeg);
        return gti_fail(error, GT_ERROR_BAD_FILE, "the JPEG is damaged: %s", problem.message);
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, size);
    jpeg_read_header(&jpeg, TRUE);
    GtResult result = gti_pixels_make(allocator, jpeg.image_width, jpeg.image_height, out, error);
    if (result != GT_OK) {
        jpeg_destroy_decompress(&jpeg);
        return result;
    }
    jpeg.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = out->rgba + (size_t)jpeg.output_scanline * (size_t)out->width * 4;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return GT_OK;
}

GtResult gti_decode_image(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error)
{
    *out = (GtiPixels){ 0 };
    GtResult result;
    if (size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0) {
        result = decode_png(allocator, bytes, size, out, error);
    } else if (size >= 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0) {
        result = decode_jpeg(allocator, bytes, size, out, error);
    } else if (gti_bitmap_ending(bytes, size)) {
        return gti_bitmap_decode(allocator, bytes, size, out, error);
    } else {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the picture is no PNG, JPEG, TGA or BMP");
    }
    if (result != GT_OK) {
        allocator.release(allocator.user, out->rgba);
        *out = (GtiPixels){ 0 };
    }
    return result;
}
