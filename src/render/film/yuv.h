// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pictures as encoders take them, so that they need neither convert nor receive four bytes a pixel.

#ifndef GERTIE_RENDER_FILM_YUV_H
#define GERTIE_RENDER_FILM_YUV_H

#include "gertie/api.h"

// Bytes of a picture; an odd last row or column is left out.
size_t gti_yuv_size(int32_t width, int32_t height);

// Convert sRGB to Y'CbCr of BT.709 in the range of television (16 to 235, 16 to 240), as three planes: luma, then Cb
// and Cr at half the width and height, each in line with the left one of two columns and between two rows, as H.264 and
// VP9 have it by default. rgba: [height * width * 4] rows from the top
void gti_yuv_from_rgba(const uint8_t* rgba, int32_t width, int32_t height, uint8_t* yuv);

#endif
