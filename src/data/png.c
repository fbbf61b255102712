// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PNG of 8 bits a channel. Each row is filtered by the difference from the pixel to its left, which suits textures and
// needs one pass.

#include "data/bitmap.h"
#include "data/deflate.h"

#include <string.h>

enum {
    CHUNK_FRAME = 12, // length, type and checksum
    HEADER_SIZE = 8 + CHUNK_FRAME + 13,
    FILTER_SUB = 1
};

// CRC-32 of ISO 3309, four bits at a time.
static uint32_t crc32_of(const uint8_t* bytes, size_t size)
{
    static const uint32_t table[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                        0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; ++i) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static uint8_t* put32(uint8_t* out, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
    return out + 4;
}

// A chunk whose data are in place behind the eight bytes of its head.
static uint8_t* end_chunk(uint8_t* chunk, const char* type, size_t size)
{
    put32(chunk, (uint32_t)size);
    memcpy(chunk + 4, type, 4);
    return put32(chunk + 8 + size, crc32_of(chunk + 4, size + 4));
}

static bool is_opaque(const GtiPixels* pixels)
{
    size_t count = (size_t)pixels->width * (size_t)pixels->height;
    for (size_t i = 0; i < count; ++i) {
        if (pixels->rgba[4 * i + 3] != 255) {
            return false;
        }
    }
    return true;
}

static void filter_rows(const GtiPixels* pixels, size_t channels, uint8_t* out)
{
    const uint8_t* from = pixels->rgba;
    for (int32_t y = 0; y < pixels->height; ++y) {
        uint8_t left[4] = { 0 };
        *out++ = FILTER_SUB;
        for (int32_t x = 0; x < pixels->width; ++x, from += 4) {
            for (size_t c = 0; c < channels; ++c) {
                *out++ = (uint8_t)(from[c] - left[c]);
                left[c] = from[c];
            }
        }
    }
}

// The chunks around a compressed stream, which lies where it belongs.
static size_t frame(uint8_t* out, const GtiPixels* pixels, size_t channels, size_t stream_size)
{
    memcpy(out, "\x89PNG\r\n\x1A\n", 8);
    uint8_t* header = put32(put32(out + 16, (uint32_t)pixels->width), (uint32_t)pixels->height);
    header[0] = 8;                         // bits
    header[1] = channels == 4 ? 6 : 2;     // RGBA, RGB
    header[2] = header[3] = header[4] = 0; // deflate, filters, not interlaced
    uint8_t* at = end_chunk(out + 8, "IHDR", 13);
    at = end_chunk(at, "IDAT", stream_size);
    at = end_chunk(at, "IEND", 0);
    return (size_t)(at - out);
}

uint8_t* gti_png_encode(GtAllocator allocator, const GtiPixels* pixels, size_t* size)
{
    size_t channels = is_opaque(pixels) ? 3 : 4;
    size_t raw_size = ((size_t)pixels->width * channels + 1) * (size_t)pixels->height;
    size_t most = raw_size + raw_size / 32 + 1024; // noise grows a little
    GtiDeflater* deflater = gti_deflater_create(allocator);
    uint8_t* raw = allocator.allocate(allocator.user, raw_size);
    uint8_t* out = allocator.allocate(allocator.user, HEADER_SIZE + most + 2 * CHUNK_FRAME);
    size_t stream_size = 0;
    if (deflater && raw && out) {
        filter_rows(pixels, channels, raw);
        stream_size = gti_deflate_zlib(deflater, raw, raw_size, out + HEADER_SIZE + 8, most);
    }
    gti_deflater_destroy(allocator, deflater);
    allocator.release(allocator.user, raw);
    if (!stream_size) {
        allocator.release(allocator.user, out);
        return NULL;
    }
    *size = frame(out, pixels, channels, stream_size);
    return out;
}
