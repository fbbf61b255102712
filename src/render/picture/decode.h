// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PNG and JPEG into pixels.

#ifndef GERTIE_RENDER_PICTURE_DECODE_H
#define GERTIE_RENDER_PICTURE_DECODE_H

#include "gertie/context.h"

// Pixels as they were encoded (sRGB): rows from the top.
typedef struct GtiPixels {
    int32_t width, height;
    uint8_t* rgba; // [height * width * 4] from the allocator
} GtiPixels;

// Decode by content. GT_ERROR_UNSUPPORTED for other kinds (KTX2, WebP), GT_ERROR_BAD_FILE for damaged ones,
// GT_ERROR_LIMIT beyond 16,384 pixels a side.
GtResult gti_decode_image(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error);

#endif
