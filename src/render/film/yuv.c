// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// BT.709: Y' = 0.2126 R + 0.7152 G + 0.0722 B, Cb = (B - Y') / 1.8556, Cr = (R - Y') / 1.5748; in fixed point, rounded
// to the nearest.

#include "render/film/yuv.h"

enum {
    BITS = 16,      // of fractions
    LUMA_R = 11966, // 2^16 * 219 / 255 of the factors above
    LUMA_G = 40254,
    LUMA_B = 4064,
    CB_R = -6596, // 2^16 * 224 / 255; each three sum to 0, so that greys have no colour
    CB_G = -22188,
    CB_B = 28784,
    CR_R = 28784,
    CR_G = -26145,
    CR_B = -2639,
    WEIGHTS = 3, // the six pixels that a chroma sample is the mean of weigh 2^3 together
};

size_t gti_yuv_size(int32_t width, int32_t height)
{
    size_t chroma = (size_t)(width / 2) * (size_t)(height / 2);
    return 6 * chroma;
}

static void convert_luma(const uint8_t* restrict rgba, int32_t count, uint8_t* restrict luma)
{
    const int32_t zero = (16 << BITS) + (1 << (BITS - 1));
    for (int32_t i = 0; i < count; ++i) {
        const uint8_t* p = rgba + 4 * (size_t)i;
        luma[i] = (uint8_t)((LUMA_R * p[0] + LUMA_G * p[1] + LUMA_B * p[2] + zero) >> BITS);
    }
}

// Two rows into one: a column with half of each of its neighbours; before the first there is itself.
static void convert_chroma(const uint8_t* restrict upper, const uint8_t* restrict lower, int32_t count,
                           uint8_t* restrict cb, uint8_t* restrict cr)
{
    const int32_t zero = (128 << (BITS + WEIGHTS)) + (1 << (BITS + WEIGHTS - 1));
    for (int32_t i = 0; i < count; ++i) {
        size_t at = 8 * (size_t)i;
        size_t left = i > 0 ? at - 4 : at;
        int32_t sum[3];
        for (size_t k = 0; k < 3; ++k) {
            sum[k] = upper[left + k] + 2 * upper[at + k] + upper[at + 4 + k] + lower[left + k] + 2 * lower[at + k] +
                     lower[at + 4 + k];
        }
        cb[i] = (uint8_t)((CB_R * sum[0] + CB_G * sum[1] + CB_B * sum[2] + zero) >> (BITS + WEIGHTS));
        cr[i] = (uint8_t)((CR_R * sum[0] + CR_G * sum[1] + CR_B * sum[2] + zero) >> (BITS + WEIGHTS));
    }
}

void gti_yuv_from_rgba(const uint8_t* rgba, int32_t width, int32_t height, uint8_t* yuv)
{
    int32_t half = width / 2;
    size_t row_size = 4 * (size_t)width;
    uint8_t* luma = yuv;
    uint8_t* cb = yuv + 4 * (size_t)half * (size_t)(height / 2);
    uint8_t* cr = cb + (size_t)half * (size_t)(height / 2);
    for (int32_t y = 0; y + 1 < height; y += 2, rgba += 2 * row_size) {
        convert_luma(rgba, 2 * half, luma);
        convert_luma(rgba + row_size, 2 * half, luma + 2 * (size_t)half);
        convert_chroma(rgba, rgba + row_size, half, cb, cr);
        luma += 4 * (size_t)half;
        cb += half;
        cr += half;
    }
}
