// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/picture.h"

#include "base/fail.h"
#include "render/draw/blend.h"

#include <string.h>

#define MOST_BYTES ((int64_t)1 << 30)

GtResult gt_picture_create(GtAllocator allocator, int32_t width, int32_t height, GtPicture* out, GtError* error)
{
    *out = (GtPicture){ 0 };
    int64_t bytes = (int64_t)width * height * 4;
    if (width < 1 || height < 1 || width > GT_PICTURE_MAX_SIZE || height > GT_PICTURE_MAX_SIZE || bytes > MOST_BYTES) {
        return gti_fail(error, GT_ERROR_LIMIT,
                        "a picture of %d x %d pixels is out of range: %d at most either way, and 1 GiB in all",
                        (int)width, (int)height, GT_PICTURE_MAX_SIZE);
    }
    uint8_t* rgba = allocator.allocate(allocator.user, (size_t)bytes);
    if (!rgba) {
        return gti_out_of_memory(error);
    }
    memset(rgba, 0, (size_t)bytes);
    *out = (GtPicture){ width, height, rgba, allocator };
    return GT_OK;
}

void gt_picture_destroy(GtPicture* picture)
{
    if (!picture) {
        return;
    }
    if (picture->allocator.release) {
        picture->allocator.release(picture->allocator.user, picture->rgba);
    }
    *picture = (GtPicture){ 0 };
}

// What of [*start, *start + *length) is inside [0, limit); its end may be far beyond 32 bits.
static void clip(int32_t limit, int32_t* start, int32_t* length)
{
    int64_t end = (int64_t)*start + *length;
    *start = *start < 0 ? 0 : *start;
    end = end > limit ? limit : end;
    *length = end > *start ? (int32_t)(end - *start) : 0;
}

void gt_picture_blit(GtPicture* picture, int32_t x, int32_t y, const GtPicture* source)
{
    GtBox box = { x, y, source->width, source->height };
    clip(picture->width, &box.x, &box.width);
    clip(picture->height, &box.y, &box.height);
    for (int32_t row = 0; row < box.height; ++row) {
        for (int32_t column = 0; column < box.width; ++column) {
            const uint8_t* from = gti_pixel(source, box.x - x + column, box.y - y + row);
            uint8_t* to = gti_pixel(picture, box.x + column, box.y + row);
            if (from[3] == 255) {
                memcpy(to, from, 4);
            } else {
                gti_blend(to, from, from[3] * 255u);
            }
        }
    }
}

void gt_picture_fill(GtPicture* picture, GtBox box, GtColor color)
{
    const uint8_t rgb[3] = { color.r, color.g, color.b };
    clip(picture->width, &box.x, &box.width);
    clip(picture->height, &box.y, &box.height);
    for (int32_t row = 0; row < box.height; ++row) {
        for (int32_t column = 0; column < box.width; ++column) {
            gti_blend(gti_pixel(picture, box.x + column, box.y + row), rgb, color.a * 255u);
        }
    }
}

void gt_picture_outline(GtPicture* picture, GtBox box, int32_t thickness, GtColor color)
{
    int32_t most = (box.width < box.height ? box.width : box.height) / 2;
    int32_t t = thickness < most ? thickness : most;
    if (t <= 0) {
        return;
    }
    gt_picture_fill(picture, (GtBox){ box.x, box.y, box.width, t }, color);
    gt_picture_fill(picture, (GtBox){ box.x, box.y + box.height - t, box.width, t }, color);
    gt_picture_fill(picture, (GtBox){ box.x, box.y + t, t, box.height - 2 * t }, color);
    gt_picture_fill(picture, (GtBox){ box.x + box.width - t, box.y + t, t, box.height - 2 * t }, color);
}
