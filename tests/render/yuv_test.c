// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures for encoders against the formulas of BT.709 in double precision.

#include "render/film/yuv.h"
#include "support/random.h"
#include "support/test.h"

#include <math.h>

enum {
    WIDTH = 31, // odd: the last column and row are left out
    HEIGHT = 17,
    EVEN_WIDTH = WIDTH - 1,
    EVEN_HEIGHT = HEIGHT - 1,
    LUMA_SIZE = EVEN_WIDTH * EVEN_HEIGHT
};

typedef struct Yuv {
    double y, cb, cr;
} Yuv;

static Yuv convert(const double rgb[3])
{
    double luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    return (Yuv){ 16.0 + 219.0 * luma / 255.0, 128.0 + 224.0 * (rgb[2] - luma) / 1.8556 / 255.0,
                  128.0 + 224.0 * (rgb[0] - luma) / 1.5748 / 255.0 };
}

static const uint8_t* pixel(const uint8_t* rgba, int x, int y)
{
    return rgba + 4 * (y * WIDTH + (x < 0 ? 0 : x));
}

static void each_sample_is_the_nearest(void** state)
{
    (void)state;
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    static uint8_t yuv[6 * (WIDTH / 2) * (HEIGHT / 2) + 1];
    TestRandom random = { 5 };
    for (size_t i = 0; i < sizeof rgba; ++i) {
        rgba[i] = (uint8_t)(test_random_bits(&random) >> 56);
    }
    assert_int_equal(gti_yuv_size(WIDTH, HEIGHT), sizeof yuv - 1);
    memset(yuv, 0xCD, sizeof yuv);
    gti_yuv_from_rgba(rgba, WIDTH, HEIGHT, yuv);
    assert_int_equal(yuv[sizeof yuv - 1], 0xCD);
    for (int y = 0; y < EVEN_HEIGHT; ++y) {
        for (int x = 0; x < EVEN_WIDTH; ++x) {
            const uint8_t* p = pixel(rgba, x, y);
            const double rgb[3] = { p[0], p[1], p[2] };
            GT_EXPECT_NEAR(yuv[y * EVEN_WIDTH + x], convert(rgb).y, 0.51);
        }
    }
    for (int y = 0; y < EVEN_HEIGHT / 2; ++y) {
        for (int x = 0; x < EVEN_WIDTH / 2; ++x) {
            double rgb[3] = { 0 };
            for (int k = 0; k < 3; ++k) {
                for (int row = 2 * y; row < 2 * y + 2; ++row) {
                    rgb[k] += (pixel(rgba, 2 * x - 1, row)[k] + 2.0 * pixel(rgba, 2 * x, row)[k] +
                               pixel(rgba, 2 * x + 1, row)[k]) /
                              8.0;
                }
            }
            int at = LUMA_SIZE + y * (EVEN_WIDTH / 2) + x;
            GT_EXPECT_NEAR(yuv[at], convert(rgb).cb, 0.51);
            GT_EXPECT_NEAR(yuv[at + LUMA_SIZE / 4], convert(rgb).cr, 0.51);
        }
    }
}

static void known_colours(void** state)
{
    (void)state;
    static const struct {
        uint8_t rgb[3];
        uint8_t yuv[3];
    } cases[] = {
        { { 0, 0, 0 }, { 16, 128, 128 } },        { { 255, 255, 255 }, { 235, 128, 128 } },
        { { 127, 127, 127 }, { 125, 128, 128 } }, { { 255, 0, 0 }, { 63, 102, 240 } },
        { { 0, 255, 0 }, { 173, 42, 26 } },       { { 0, 0, 255 }, { 32, 240, 118 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint8_t rgba[16];
        uint8_t yuv[6];
        for (int k = 0; k < 4; ++k) {
            memcpy(rgba + 4 * k, cases[i].rgb, 3);
        }
        gti_yuv_from_rgba(rgba, 2, 2, yuv);
        for (int k = 0; k < 4; ++k) {
            assert_int_equal(yuv[k], cases[i].yuv[0]);
        }
        assert_int_equal(yuv[4], cases[i].yuv[1]);
        assert_int_equal(yuv[5], cases[i].yuv[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_sample_is_the_nearest), cmocka_unit_test(known_colours) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
