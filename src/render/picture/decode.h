// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PNG, JPEG, TGA and BMP into pixels.

#ifndef GERTIE_RENDER_PICTURE_DECODE_H
#define GERTIE_RENDER_PICTURE_DECODE_H

#include "data/bitmap.h"

// Decode by content. GT_ERROR_UNSUPPORTED for other kinds (KTX2, WebP), GT_ERROR_BAD_FILE for damaged ones,
// GT_ERROR_LIMIT beyond GTI_BITMAP_MAX_SIDE.
GtResult gti_decode_image(GtAllocator allocator, const uint8_t* bytes, size_t size, GtiPixels* out, GtError* error);

#endif
