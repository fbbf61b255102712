// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// TGA and BMP files of every kind that is read, written here byte by byte, give their pixels back; damaged ones are
// refused. What is encoded as PNG comes back through libpng.

#include "data/bitmap.h"
#include "gertie/picture.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    WIDTH = 13,
    HEIGHT = 7,
    PIXELS = WIDTH * HEIGHT,
    MOST = 8192
};

// A file in memory.
typedef struct Bytes {
    uint8_t bytes[MOST];
    size_t size;
} Bytes;

static void put(Bytes* b, uint32_t value, int count)
{
    for (int i = 0; i < count; ++i) {
        b->bytes[b->size++] = (uint8_t)(i < 4 ? value >> (8 * i) : 0);
    }
}

// Five bits a channel, so that every depth holds them; runs of equal pixels, so that packets of both kinds are there.
static void make_pixels(uint32_t seed, bool gray, bool alpha, uint8_t out[PIXELS][4])
{
    TestRandom random = { seed };
    for (int i = 0; i < PIXELS; ++i) {
        if (i > 0 && test_random_bits(&random) >> 62) {
            memcpy(out[i], out[i - 1], 4);
            continue;
        }
        for (int c = 0; c < 3; ++c) {
            uint8_t five = test_random_bits(&random) >> 59;
            out[i][c] = gray && c > 0 ? out[i][0] : (uint8_t)(five << 3 | five >> 2);
        }
        out[i][3] = alpha ? (uint8_t)(test_random_bits(&random) >> 56 | 1) : 255;
    }
}

static void put_color(Bytes* b, const uint8_t rgba[4], int bits)
{
    if (bits <= 16) {
        put(b, (uint32_t)(rgba[0] >> 3 << 10 | rgba[1] >> 3 << 5 | rgba[2] >> 3), 2);
        return;
    }
    put(b, (uint32_t)rgba[2] | (uint32_t)rgba[1] << 8 | (uint32_t)rgba[0] << 16 | (uint32_t)rgba[3] << 24, bits / 8);
}

typedef struct TgaKind {
    int kind; // 1 indexed, 2 true colour, 3 gray
    int bits; // of a pixel
    int palette_bits;
    int palette_first;
    bool packed, from_top, from_right;
} TgaKind;

static void put_tga_pixel(Bytes* b, const TgaKind* k, const uint8_t rgba[4], int index)
{
    if (k->kind == 1) {
        put(b, (uint32_t)(index + k->palette_first), k->bits / 8);
    } else if (k->kind == 3) {
        put(b, rgba[0], 1);
    } else {
        put_color(b, rgba, k->bits);
    }
}

static void make_tga(const TgaKind* k, const uint8_t pixels[PIXELS][4], Bytes* b)
{
    *b = (Bytes){ 0 };
    put(b, 4, 1); // a comment
    put(b, k->kind == 1, 1);
    put(b, (uint32_t)(k->kind | (k->packed ? 8 : 0)), 1);
    put(b, (uint32_t)k->palette_first, 2);
    put(b, k->kind == 1 ? PIXELS : 0, 2);
    put(b, (uint32_t)k->palette_bits, 1);
    put(b, 0, 4);
    put(b, WIDTH, 2);
    put(b, HEIGHT, 2);
    put(b, (uint32_t)k->bits, 1);
    bool alpha = k->bits == 32 || k->palette_bits == 32;
    put(b, (uint32_t)((alpha ? 8 : 0) | (k->from_top ? 0x20 : 0) | (k->from_right ? 0x10 : 0)), 1);
    put(b, 0x21796548, 4);
    for (int i = 0; i < PIXELS && k->kind == 1; ++i) { // every pixel has a colour of its own
        put_color(b, pixels[i], k->palette_bits);
    }
    int order[PIXELS];
    for (int i = 0; i < PIXELS; ++i) {
        int y = i / WIDTH, x = i % WIDTH;
        order[i] = (k->from_top ? y : HEIGHT - 1 - y) * WIDTH + (k->from_right ? WIDTH - 1 - x : x);
    }
    for (int i = 0; i < PIXELS;) {
        int run = 1;
        while (k->packed && i + run < PIXELS && k->kind != 1 && !memcmp(pixels[order[i]], pixels[order[i + run]], 4)) {
            ++run;
        }
        if (k->packed && run > 1) {
            put(b, (uint32_t)(0x80 | (run - 1)), 1);
        } else if (k->packed) { // a packet of up to three pixels as they are
            run = i + 3 <= PIXELS ? 3 : PIXELS - i;
            put(b, (uint32_t)(run - 1), 1);
        }
        bool as_they_are = !k->packed || !(b->bytes[b->size - 1] & 0x80);
        for (int n = 0; n < (as_they_are ? run : 1); ++n) {
            put_tga_pixel(b, k, pixels[order[i + n]], order[i + n]);
        }
        i += run;
    }
}

static void expect_pixels(const Bytes* b, const uint8_t pixels[PIXELS][4])
{
    GtiPixels back;
    GtError error = { 0 };
    GT_EXPECT_OK(gti_bitmap_decode(gt_default_allocator(), b->bytes, b->size, &back, &error));
    assert_int_equal(back.width, WIDTH);
    assert_int_equal(back.height, HEIGHT);
    assert_memory_equal(back.rgba, pixels, PIXELS * 4);
    gt_default_allocator().release(NULL, back.rgba);
}

// Every shorter file is refused, and nothing is read behind its end.
static void expect_truncation(const Bytes* b)
{
    for (size_t size = 0; size < b->size; ++size) {
        uint8_t* cut = malloc(size ? size : 1); // no byte more than there are, for the sanitizer
        memcpy(cut, b->bytes, size);
        GtiPixels back;
        GtError error = { 0 };
        assert_int_not_equal(gti_bitmap_decode(gt_default_allocator(), cut, size, &back, &error), GT_OK);
        assert_null(back.rgba);
        free(cut);
    }
}

static void tga_of_all_kinds(void** state)
{
    (void)state;
    static const TgaKind kinds[] = {
        { 2, 15, 0, 0, false, false, false },  { 2, 16, 0, 0, true, true, false },
        { 2, 24, 0, 0, false, false, false },  { 2, 24, 0, 0, true, false, true },
        { 2, 32, 0, 0, false, true, true },    { 2, 32, 0, 0, true, false, false },
        { 3, 8, 0, 0, false, false, false },   { 3, 8, 0, 0, true, true, false },
        { 1, 8, 24, 0, false, false, false },  { 1, 8, 32, 5, true, true, false },
        { 1, 16, 16, 300, true, false, true }, { 1, 8, 15, 0, false, true, false },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        const TgaKind* k = &kinds[i];
        uint8_t pixels[PIXELS][4];
        make_pixels((uint32_t)i + 1, k->kind == 3, k->bits == 32 || k->palette_bits == 32, pixels);
        Bytes b;
        make_tga(k, pixels, &b);
        assert_string_equal(gti_bitmap_ending(b.bytes, b.size), "tga");
        expect_pixels(&b, pixels);
        expect_truncation(&b);
    }
}

static void bmp_of_all_kinds(void** state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        int bits = (const int[]){ 8, 24, 32 }[i % 3];
        bool from_top = i >= 3;
        uint8_t pixels[PIXELS][4];
        make_pixels((uint32_t)i + 50, false, bits == 32, pixels);
        Bytes b = { 0 };
        put(&b, 'B' | 'M' << 8, 2);
        put(&b, 0, 8);
        put(&b, 54 + (bits == 8 ? PIXELS * 4 : 0), 4);
        put(&b, 40, 4);
        put(&b, WIDTH, 4);
        put(&b, (uint32_t)(from_top ? -HEIGHT : HEIGHT), 4);
        put(&b, 1 | (uint32_t)bits << 16, 4);
        put(&b, 0, 16);
        put(&b, bits == 8 ? PIXELS : 0, 4);
        put(&b, 0, 4);
        for (int n = 0; n < PIXELS && bits == 8; ++n) {
            put_color(&b, pixels[n], 32);
        }
        for (int y = 0; y < HEIGHT; ++y) {
            size_t start = b.size;
            for (int x = 0; x < WIDTH; ++x) {
                int n = (from_top ? y : HEIGHT - 1 - y) * WIDTH + x;
                if (bits == 8) {
                    put(&b, (uint32_t)n, 1);
                } else {
                    put_color(&b, pixels[n], bits);
                }
            }
            put(&b, 0, (int)((4 - (b.size - start) % 4) % 4));
        }
        assert_string_equal(gti_bitmap_ending(b.bytes, b.size), "bmp");
        expect_pixels(&b, pixels);
        expect_truncation(&b);
    }
}

// An alpha of 0 everywhere was never meant; an index without a colour is black.
static void odd_pixels(void** state)
{
    (void)state;
    uint8_t pixels[PIXELS][4];
    make_pixels(3, false, false, pixels);
    for (int i = 0; i < PIXELS; ++i) {
        pixels[i][3] = 0;
    }
    Bytes b;
    make_tga(&(TgaKind){ 2, 32, 0, 0, false, true, false }, (const uint8_t(*)[4])pixels, &b);
    for (int i = 0; i < PIXELS; ++i) {
        pixels[i][3] = 255;
    }
    expect_pixels(&b, (const uint8_t(*)[4])pixels);
    make_tga(&(TgaKind){ 1, 8, 24, 0, false, true, false }, (const uint8_t(*)[4])pixels, &b);
    b.bytes[b.size - PIXELS] = 255; // of 91 colours
    memcpy(pixels[0], "\0\0\0\xFF", 4);
    expect_pixels(&b, (const uint8_t(*)[4])pixels);
}

static void what_is_no_bitmap(void** state)
{
    (void)state;
    static const uint8_t png[64] = "\x89PNG\r\n\x1A\n";
    static const uint8_t nothing[64] = { 0 };
    GtiPixels back;
    GtError error = { 0 };
    assert_null(gti_bitmap_ending(png, sizeof png));
    assert_null(gti_bitmap_ending(nothing, sizeof nothing));
    GT_EXPECT_ERROR(gti_bitmap_decode(gt_default_allocator(), png, sizeof png, &back, &error), GT_ERROR_UNSUPPORTED,
                    "no TGA or BMP");
    uint8_t bomb[64] = { 0, 0, 10, [12] = 0xFF, 0x3F, 0xFF, 0x3F, 32, 8, 0xFF }; // 16,383 a side in 46 bytes
    GT_EXPECT_ERROR(gti_bitmap_decode(gt_default_allocator(), bomb, sizeof bomb, &back, &error), GT_ERROR_BAD_FILE,
                    "fewer pixels");
}

static void png_comes_back(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    for (int alpha = 0; alpha < 2; ++alpha) {
        uint8_t pixels[PIXELS][4];
        make_pixels(9, false, alpha, pixels);
        size_t size = 0;
        uint8_t* png = gti_png_encode(context.allocator, &(GtiPixels){ WIDTH, HEIGHT, pixels[0] }, &size);
        assert_non_null(png);
        assert_int_equal(png[25], alpha ? 6 : 2); // with alpha only where it is needed
        test_folder_put(&folder, "a.png", png, size);
        context.allocator.release(context.allocator.user, png);
        GtPicture back;
        GT_EXPECT_OK(gt_picture_read(&context, test_folder_path(&folder, "a.png"), &back, &error));
        assert_int_equal(back.width, WIDTH);
        assert_memory_equal(back.rgba, pixels, PIXELS * 4);
        gt_picture_destroy(&back);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tga_of_all_kinds),  cmocka_unit_test(bmp_of_all_kinds), cmocka_unit_test(odd_pixels),
        cmocka_unit_test(what_is_no_bitmap), cmocka_unit_test(png_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
