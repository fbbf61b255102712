// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a TGA or BMP. What is decoded depends on the bytes alone, is as large as was allocated and no more than
// the bytes can hold; encoded as PNG it is decoded to the same pixels.

#include "person.h"
#include "render/picture/decode.h"

#include <string.h>

// An allocator that fills what it gives with a byte, so that pixels that nobody set are seen.
static void* allocate(void* user, size_t size)
{
    GtAllocator plain = gt_default_allocator();
    void* block = plain.allocate(plain.user, size);
    CHECK(block);
    return memset(block, *(const int*)user, size);
}

static void release(void* user, void* block)
{
    (void)user;
    GtAllocator plain = gt_default_allocator();
    plain.release(plain.user, block);
}

static void check_png(GtAllocator allocator, const GtiPixels* pixels)
{
    GtError error = { 0 };
    GtiPixels again = { 0 };
    size_t size = 0;
    uint8_t* png = gti_png_encode(allocator, pixels, &size);
    CHECK(png);
    CHECK(gti_decode_image(allocator, png, size, &again, &error) == GT_OK);
    CHECK(again.width == pixels->width && again.height == pixels->height);
    CHECK(memcmp(again.rgba, pixels->rgba, (size_t)pixels->width * (size_t)pixels->height * 4) == 0);
    release(NULL, again.rgba);
    release(NULL, png);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    int poison[2] = { 0x00, 0xA5 };
    GtiPixels made[2] = { { 0 } };
    GtResult results[2];
    for (int i = 0; i < 2; ++i) {
        GtAllocator allocator = { .user = &poison[i], .allocate = allocate, .release = release };
        GtError error = { 0 };
        results[i] = gti_bitmap_decode(allocator, data, size, &made[i], &error);
        CHECK(results[i] == GT_OK || (error.message[0] && error.code == results[i]));
    }
    CHECK(results[0] == results[1]);
    if (results[0] == GT_OK) {
        GtAllocator allocator = { .user = &poison[1], .allocate = allocate, .release = release };
        uint64_t count = (uint64_t)made[0].width * (uint64_t)made[0].height;
        CHECK(gti_bitmap_ending(data, size));
        CHECK(made[0].width == made[1].width && made[0].height == made[1].height && count > 0);
        CHECK(count <= 128 * (uint64_t)size); // a packet of two bytes and more is up to 128 pixels
        CHECK(memcmp(made[0].rgba, made[1].rgba, (size_t)count * 4) == 0);
        check_png(allocator, &made[0]);
        release(NULL, made[0].rgba);
        release(NULL, made[1].rgba);
    }
    return 0;
}
