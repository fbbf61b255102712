// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of the kinds that 3D programs leave beside their files and that need no library: TGA and BMP in, PNG out.
// glTF knows neither TGA nor BMP, so such a texture is written as PNG.

#ifndef GERTIE_DATA_BITMAP_H
#define GERTIE_DATA_BITMAP_H

#include "gertie/context.h"

enum {
    GTI_BITMAP_MAX_SIDE = 16384
};

// Pixels as they were encoded (sRGB): rows from the top.
typedef struct GtiPixels {
    int32_t width, height;
    uint8_t* rgba; // [height * width * 4] from the allocator
} GtiPixels;

// Memory for pixels; GT_ERROR_LIMIT beyond GTI_BITMAP_MAX_SIDE a side.
GtResult gti_pixels_make(GtAllocator allocator, uint32_t width, uint32_t height, GtiPixels* out, GtError* error);

// "tga" or "bmp" where bytes begin as such files do, else NULL. TGA has no signature: its header is looked at as a
// whole.
const char* gti_bitmap_ending(const uint8_t* bytes, size_t size);

// Decode TGA (all six kinds, 8 to 32 bits) or BMP (8, 24 and 32 bits, not compressed). On failure nothing is left to
// release. A file cannot claim more pixels than its bytes can hold.
GtResult gti_bitmap_decode(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error);

// Encode as PNG, without alpha where every pixel is opaque.
// @return bytes from the allocator; NULL when memory ran out
uint8_t* gti_png_encode(GtAllocator allocator, const GtiPixels* pixels, size_t* size);

#endif
