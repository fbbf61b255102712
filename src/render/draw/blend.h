// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One pixel laid over another, both with straight alpha, in sRGB as browsers do it.

#ifndef GERTIE_RENDER_DRAW_BLEND_H
#define GERTIE_RENDER_DRAW_BLEND_H

#include "gertie/picture.h"

// `alpha` is 0 to 255 * 255, so that a colour's own alpha times a coverage keeps its precision.
static inline void gti_blend(uint8_t* pixel, const uint8_t* rgb, uint32_t alpha)
{
    const uint32_t whole = 255 * 255;
    if (alpha == 0) {
        return;
    }
    uint32_t below = (pixel[3] * (whole - alpha) + 127) / 255; // what still shows of the old pixel
    uint32_t sum = alpha + below;
    for (int i = 0; i < 3; ++i) {
        pixel[i] = (uint8_t)(((uint64_t)rgb[i] * alpha + (uint64_t)pixel[i] * below + sum / 2) / sum);
    }
    pixel[3] = (uint8_t)((sum + 127) / 255);
}

// A pixel of the picture, which must be inside.
static inline uint8_t* gti_pixel(const GtPicture* picture, int32_t x, int32_t y)
{
    return picture->rgba + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

#endif
