// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/bitmap.h"

#include "base/fail.h"

#include <string.h>

enum {
    TGA_HEADER = 18,
    TGA_MOST_PIXELS = 128, // of one packet
    BMP_HEADER = 54
};

// Where pixels come from, one after the other.
typedef struct BitmapSource {
    const uint8_t* at;
    const uint8_t* end;
    const uint8_t* palette; // [palette_count * palette_bytes], of indexed pictures
    uint32_t palette_first, palette_count;
    uint32_t palette_bits;
    uint32_t bits; // of a pixel
    bool is_gray, is_indexed, is_packed, has_alpha;
} BitmapSource;

static uint32_t load16(const uint8_t* p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t load32(const uint8_t* p)
{
    return load16(p) | load16(p + 2) << 16;
}

GtResult gti_pixels_make(GtAllocator allocator, uint32_t width, uint32_t height, GtiPixels* out, GtError* error)
{
    if (width < 1 || height < 1 || width > GTI_BITMAP_MAX_SIDE || height > GTI_BITMAP_MAX_SIDE) {
        return gti_fail(error, GT_ERROR_LIMIT, "the picture is %u x %u pixels; the limit is %d a side", width, height,
                        (int)GTI_BITMAP_MAX_SIDE);
    }
    out->width = (int32_t)width;
    out->height = (int32_t)height;
    out->rgba = allocator.allocate(allocator.user, (size_t)width * height * 4);
    return out->rgba ? GT_OK : gti_out_of_memory(error);
}

static bool is_bmp(const uint8_t* bytes, size_t size)
{
    return size >= BMP_HEADER && bytes[0] == 'B' && bytes[1] == 'M' && load32(bytes + 14) >= 40;
}

static bool is_tga(const uint8_t* bytes, size_t size)
{
    if (size < TGA_HEADER) {
        return false;
    }
    uint32_t kind = bytes[2] & ~8U; // 8: packed
    uint32_t bits = bytes[16];
    uint32_t palette_bits = bytes[7];
    bool is_indexed = kind == 1;
    bool fits = kind == 2   ? bits == 15 || bits == 16 || bits == 24 || bits == 32
                : kind == 3 ? bits == 8
                            : bits == 8 || bits == 16;
    bool has_palette = palette_bits == 15 || palette_bits == 16 || palette_bits == 24 || palette_bits == 32;
    return bytes[2] <= 11 && kind >= 1 && kind <= 3 && fits && bytes[1] <= 1 && load16(bytes + 12) &&
           load16(bytes + 14) && (!is_indexed || (bytes[1] == 1 && has_palette));
}

const char* gti_bitmap_ending(const uint8_t* bytes, size_t size)
{
    return is_bmp(bytes, size) ? "bmp" : is_tga(bytes, size) ? "tga" : NULL;
}

// A colour of 15 to 32 bits, blue first, as RGBA.
static void read_color(const uint8_t* p, uint32_t bits, bool has_alpha, uint8_t out[4])
{
    if (bits <= 16) {
        uint32_t value = load16(p);
        for (int i = 0; i < 3; ++i) {
            uint32_t part = value >> (10 - 5 * i) & 31;
            out[i] = (uint8_t)(part << 3 | part >> 2);
        }
        out[3] = 255; // the last bit is rarely an alpha
        return;
    }
    out[0] = p[2];
    out[1] = p[1];
    out[2] = p[0];
    out[3] = bits == 32 && has_alpha ? p[3] : 255;
}

static bool read_pixel(BitmapSource* s, uint8_t out[4])
{
    uint32_t size = (s->bits + 7) / 8;
    if ((size_t)(s->end - s->at) < size) {
        return false;
    }
    const uint8_t* p = s->at;
    s->at += size;
    if (s->is_indexed) {
        uint32_t index = (size == 1 ? *p : load16(p)) - s->palette_first;
        if (index >= s->palette_count) {
            memcpy(out, "\0\0\0\xFF", 4);
        } else {
            read_color(s->palette + (size_t)index * ((s->palette_bits + 7) / 8), s->palette_bits, s->has_alpha, out);
        }
    } else if (s->is_gray) {
        out[0] = out[1] = out[2] = *p;
        out[3] = 255;
    } else {
        read_color(p, s->bits, s->has_alpha, out);
    }
    return true;
}

// Read packets of equal or different pixels, or plain pixels, in the file's order.
static bool read_pixels(BitmapSource* s, uint8_t* rgba, size_t count)
{
    size_t i = 0;
    while (i < count) {
        size_t run = 1;
        bool equal = false;
        if (s->is_packed) {
            if (s->at == s->end) {
                return false;
            }
            run = (size_t)(*s->at & 127) + 1;
            equal = *s->at++ >> 7;
        }
        for (size_t k = 0; k < run && i < count; ++k, ++i) {
            if (k > 0 && equal) {
                memcpy(rgba + 4 * i, rgba + 4 * (i - 1), 4);
            } else if (!read_pixel(s, rgba + 4 * i)) {
                return false;
            }
        }
    }
    return true;
}

static void flip_rows(GtiPixels* pixels)
{
    size_t row = (size_t)pixels->width * 4;
    for (int32_t y = 0; y < pixels->height / 2; ++y) {
        uint8_t* a = pixels->rgba + (size_t)y * row;
        uint8_t* b = pixels->rgba + (size_t)(pixels->height - 1 - y) * row;
        for (size_t i = 0; i < row; ++i) {
            uint8_t byte = a[i];
            a[i] = b[i];
            b[i] = byte;
        }
    }
}

static void mirror_rows(GtiPixels* pixels)
{
    for (int32_t y = 0; y < pixels->height; ++y) {
        uint8_t* row = pixels->rgba + (size_t)y * (size_t)pixels->width * 4;
        for (int32_t a = 0, b = pixels->width - 1; a < b; ++a, --b) {
            uint8_t pixel[4];
            memcpy(pixel, row + 4 * (size_t)a, 4);
            memcpy(row + 4 * (size_t)a, row + 4 * (size_t)b, 4);
            memcpy(row + 4 * (size_t)b, pixel, 4);
        }
    }
}

// A picture that is transparent everywhere has an alpha that was never meant.
static void drop_empty_alpha(GtiPixels* pixels)
{
    size_t count = (size_t)pixels->width * (size_t)pixels->height;
    for (size_t i = 0; i < count; ++i) {
        if (pixels->rgba[4 * i + 3]) {
            return;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        pixels->rgba[4 * i + 3] = 255;
    }
}

static GtResult decode_tga(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error)
{
    uint32_t width = load16(bytes + 12);
    uint32_t height = load16(bytes + 14);
    BitmapSource s = { .end = bytes + size,
                       .palette_first = load16(bytes + 3),
                       .palette_count = bytes[1] ? load16(bytes + 5) : 0,
                       .palette_bits = bytes[7],
                       .bits = bytes[16],
                       .is_gray = (bytes[2] & 3) == 3,
                       .is_indexed = (bytes[2] & 3) == 1,
                       .is_packed = bytes[2] & 8,
                       .has_alpha = bytes[17] & 15 };
    size_t start = TGA_HEADER + (size_t)bytes[0];
    size_t palette_size = (size_t)s.palette_count * ((s.palette_bits + 7) / 8);
    if (size < start || size - start < palette_size) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the TGA ends within its colour map");
    }
    s.palette = bytes + start;
    s.at = s.palette + palette_size;
    size_t count = (size_t)width * height;
    size_t left = (size_t)(s.end - s.at);
    if (count > (s.is_packed ? left * TGA_MOST_PIXELS : left)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the TGA is damaged: it has fewer pixels than it says");
    }
    GtResult result = gti_pixels_make(allocator, width, height, out, error);
    if (result != GT_OK) {
        return result;
    }
    if (!read_pixels(&s, out->rgba, count)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the TGA is damaged: it has fewer pixels than it says");
    }
    if (!(bytes[17] & 0x20)) { // the first row is the lowest
        flip_rows(out);
    }
    if (bytes[17] & 0x10) {
        mirror_rows(out);
    }
    drop_empty_alpha(out);
    return GT_OK;
}

static GtResult decode_bmp(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error)
{
    uint32_t first = load32(bytes + 10);
    uint32_t header = load32(bytes + 14);
    uint32_t width = load32(bytes + 18);
    uint32_t signed_height = load32(bytes + 22);
    bool from_top = signed_height >> 31;
    uint32_t height = from_top ? 0U - signed_height : signed_height;
    uint32_t bits = load16(bytes + 28);
    uint32_t packing = load32(bytes + 30); // 3 states the places of the colours, which are those of 0 as a rule
    if ((bits != 8 && bits != 24 && bits != 32) || (packing != 0 && packing != 3)) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED,
                        "the BMP is compressed or has %u bits a pixel; 8, 24 and 32 are read", bits);
    }
    BitmapSource s = { .bits = bits, .is_indexed = bits == 8, .palette_bits = 32, .has_alpha = bits == 32 };
    uint32_t stated = load32(bytes + 46);
    s.palette_count = bits > 8 ? 0 : stated && stated < 256 ? stated : 256;
    size_t row = ((size_t)width * bits / 8 + 3) & ~(size_t)3;
    if (header > size - 14 || (size_t)s.palette_count * 4 > size - 14 - header || first > size ||
        width > GTI_BITMAP_MAX_SIDE || height > (size - first) / (row ? row : 1)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the BMP is damaged: it has fewer pixels than it says");
    }
    s.palette = bytes + 14 + header;
    GtResult result = gti_pixels_make(allocator, width, height, out, error);
    for (uint32_t y = 0; y < height && result == GT_OK; ++y) {
        s.at = bytes + first + y * row;
        s.end = s.at + row;
        read_pixels(&s, out->rgba + (size_t)y * width * 4, width);
    }
    if (result == GT_OK) {
        if (!from_top) {
            flip_rows(out);
        }
        drop_empty_alpha(out);
    }
    return result;
}

GtResult gti_bitmap_decode(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error)
{
    *out = (GtiPixels){ 0 };
    GtResult result = is_bmp(bytes, size)   ? decode_bmp(allocator, bytes, size, out, error)
                      : is_tga(bytes, size) ? decode_tga(allocator, bytes, size, out, error)
                                            : gti_fail(error, GT_ERROR_UNSUPPORTED, "the picture is no TGA or BMP");
    if (result != GT_OK) {
        allocator.release(allocator.user, out->rgba);
        *out = (GtiPixels){ 0 };
    }
    return result;
}
