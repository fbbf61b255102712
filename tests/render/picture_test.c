// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures without a renderer: blending against a reference in double precision, files against themselves, colours,
// legends and sheets by what can be seen on them.

#include "gertie/file.h"
#include "gertie/picture.h"

#include "support/folder.h"
#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

static const GtColor white = { 255, 255, 255, 255 };
static const GtColor black = { 0, 0, 0, 255 };

static GtPicture make(int32_t width, int32_t height, GtColor ground)
{
    GtError error = { 0 };
    GtPicture picture;
    GT_EXPECT_OK(gt_picture_create(gt_default_allocator(), width, height, &picture, &error));
    gt_picture_fill(&picture, (GtBox){ 0, 0, width, height }, ground);
    return picture;
}

static void drop(GtPicture* picture)
{
    gt_picture_destroy(picture);
    assert_null(picture->rgba);
}

static const uint8_t* at(const GtPicture* picture, int32_t x, int32_t y)
{
    return picture->rgba + 4 * (y * picture->width + x);
}

static bool is(const GtPicture* picture, int32_t x, int32_t y, GtColor color)
{
    const uint8_t* p = at(picture, x, y);
    return p[0] == color.r && p[1] == color.g && p[2] == color.b && p[3] == color.a;
}

static int count_color(const GtPicture* picture, GtColor color)
{
    int count = 0;
    for (int32_t y = 0; y < picture->height; ++y) {
        for (int32_t x = 0; x < picture->width; ++x) {
            count += is(picture, x, y, color);
        }
    }
    return count;
}

static void starts_transparent(void** state)
{
    (void)state;
    GtPicture picture = make(7, 5, (GtColor){ 9, 9, 9, 0 });
    assert_int_equal(count_color(&picture, (GtColor){ 0, 0, 0, 0 }), 35);
    drop(&picture);
}

static void refuses_sizes_out_of_range(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = { { 0, 5 },
                                        { 5, 0 },
                                        { -1, 5 },
                                        { GT_PICTURE_MAX_SIZE + 1, 1 },
                                        { INT32_MAX, 1 },
                                        { 1, INT32_MAX },
                                        { GT_PICTURE_MAX_SIZE, GT_PICTURE_MAX_SIZE } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        GtError error = { 0 };
        GtPicture picture;
        GT_EXPECT_ERROR(gt_picture_create(gt_default_allocator(), sizes[i][0], sizes[i][1], &picture, &error),
                        GT_ERROR_LIMIT, "out of range");
        assert_null(picture.rgba);
    }
}

// The formula of W3C's Compositing and Blending Level 1, section 5.1, in double precision.
static void blends_as_the_reference(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int i = 0; i < 20000; ++i) {
        uint8_t b[8];
        for (int k = 0; k < 8; ++k) {
            uint64_t bits = test_random_bits(&random);
            b[k] = bits % 5 == 0 ? 0 : bits % 5 == 1 ? 255 : (uint8_t)(bits >> 32);
        }
        uint8_t pixels[4] = { b[0], b[1], b[2], b[3] };
        GtPicture picture = { .width = 1, .height = 1, .rgba = pixels };
        gt_picture_fill(&picture, (GtBox){ 0, 0, 1, 1 }, (GtColor){ b[4], b[5], b[6], b[7] });
        double over = b[7] / 255.0;
        double below = b[3] / 255.0;
        double alpha = over + below * (1.0 - over);
        GT_EXPECT_NEAR(pixels[3], 255.0 * alpha, 0.51);
        for (int k = 0; k < 3 && alpha > 0.0; ++k) {
            double value = (over * b[4 + k] + below * (1.0 - over) * b[k]) / alpha;
            GT_EXPECT_NEAR(pixels[k], value, 0.51 + 0.5 / (255.0 * alpha)); // alpha below is rounded once
        }
    }
}

static void boxes_are_clipped(void** state)
{
    (void)state;
    static const struct {
        GtBox box;
        int inside; // pixels of a picture of 10 x 8
    } cases[] = {
        { { 2, 3, 4, 2 }, 8 },
        { { -3, -3, 5, 5 }, 4 },
        { { 8, 6, 100, 100 }, 4 },
        { { -50, 2, 100, 1 }, 10 },
        { { 0, 0, 0, 5 }, 0 },
        { { 3, 3, -2, 4 }, 0 },
        { { 10, 0, 5, 5 }, 0 },
        { { INT32_MAX - 2, 0, INT32_MAX, 5 }, 0 },
        { { INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX }, 0 },
        { { -5, -5, INT32_MAX, INT32_MAX }, 80 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtPicture picture = make(10, 8, white);
        gt_picture_fill(&picture, cases[i].box, black);
        assert_int_equal(count_color(&picture, black), cases[i].inside);
        drop(&picture);
    }
}

static void outline_is_an_edge(void** state)
{
    (void)state;
    GtPicture picture = make(20, 16, white);
    gt_picture_outline(&picture, (GtBox){ 3, 2, 10, 8 }, 2, (GtColor){ 0, 0, 0, 128 });
    int edge = 10 * 8 - 6 * 4;
    assert_int_equal(count_color(&picture, (GtColor){ 127, 127, 127, 255 }), edge); // no pixel twice
    assert_true(is(&picture, 5, 4, white) && is(&picture, 13, 5, white) && !is(&picture, 12, 5, white));
    drop(&picture);
    picture = make(20, 16, white);
    gt_picture_outline(&picture, (GtBox){ 3, 2, 10, 8 }, 100, black); // no thicker than the box
    assert_int_equal(count_color(&picture, black), 80);
    drop(&picture);
}

static void blit_clips_and_blends(void** state)
{
    (void)state;
    GtPicture ground = make(10, 10, white);
    GtPicture stamp = make(4, 4, black);
    gt_picture_blit(&ground, -2, -1, &stamp);
    gt_picture_blit(&ground, 9, 8, &stamp);
    gt_picture_blit(&ground, 50, 0, &stamp);
    assert_int_equal(count_color(&ground, black), 2 * 3 + 2);
    assert_true(is(&ground, 1, 2, black) && is(&ground, 2, 2, white) && is(&ground, 9, 9, black));
    drop(&stamp);
    stamp = make(1, 1, (GtColor){ 0, 0, 0, 51 });
    gt_picture_blit(&ground, 5, 5, &stamp);
    assert_true(is(&ground, 5, 5, (GtColor){ 204, 204, 204, 255 }));
    drop(&stamp);
    drop(&ground);
}

static void png_comes_back(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    TestRandom random = { 11 };
    for (int opaque = 0; opaque < 2; ++opaque) {
        GtPicture picture = make(37, 23, black);
        for (int i = 0; i < 37 * 23 * 4; ++i) {
            picture.rgba[i] = opaque && i % 4 == 3 ? 255 : (uint8_t)(test_random_bits(&random) >> 40);
        }
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtPicture back;
        GT_EXPECT_OK(gt_picture_write_png(&context, &picture, test_folder_path(&folder, "a.png"), &error));
        GtBlob* png = NULL; // b.png is the same bytes by way of memory
        GT_EXPECT_OK(gt_picture_encode_png(&context, &picture, &png, &error));
        GT_EXPECT_OK(
            gt_file_write(&context, test_folder_path(&folder, "b.png"), gt_blob_bytes(png), gt_blob_size(png), &error));
        gt_blob_release(png);
        GT_EXPECT_OK(gt_picture_read(&context, test_folder_path(&folder, "a.png"), &back, &error));
        assert_int_equal(back.width, 37);
        assert_int_equal(back.height, 23);
        assert_memory_equal(back.rgba, picture.rgba, 37 * 23 * 4);
        size_t size_a, size_b;
        uint8_t* a = test_folder_get(&folder, "a.png", &size_a);
        uint8_t* b = test_folder_get(&folder, "b.png", &size_b);
        assert_int_equal(size_a, size_b);
        assert_memory_equal(a, b, size_a);
        assert_int_equal(a[25], opaque ? 2 : 6); // colour type: without and with alpha
        free(a);
        free(b);
        drop(&back);
        drop(&picture);
    }
    test_folder_remove(&folder);
}

static void bad_files_are_refused(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtPicture picture = make(40, 40, (GtColor){ 200, 30, 60, 255 });
    GT_EXPECT_OK(gt_picture_write_png(&context, &picture, test_folder_path(&folder, "good.png"), &error));
    size_t size;
    uint8_t* bytes = test_folder_get(&folder, "good.png", &size);
    for (size_t cut = 0; cut + 12 < size; cut += 7) { // the last 12 bytes only say that it ends
        test_folder_put(&folder, "cut.png", bytes, cut);
        GtPicture out;
        assert_int_not_equal(gt_picture_read(&context, test_folder_path(&folder, "cut.png"), &out, &error), GT_OK);
        assert_null(out.rgba);
        assert_non_null(strstr(error.file, "cut.png"));
    }
    GtPicture out;
    GT_EXPECT_ERROR(gt_picture_read(&context, test_folder_path(&folder, "none.png"), &out, &error), GT_ERROR_IO,
                    "none.png");
    GT_EXPECT_ERROR(gt_picture_write_png(&context, &picture, "no/such/folder.png", &error), GT_ERROR_IO,
                    "its folder does not exist");
    free(bytes);
    drop(&picture);
    test_folder_remove(&folder);
}

static void survives_lack_of_memory(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    GtPicture picture = make(16, 16, white);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator allocator = { .remaining = allowed };
        GtContext context = gt_default_context();
        GtError error = { 0 };
        GtPicture back = { 0 };
        context.allocator = test_allocator(&allocator);
        result = gt_picture_write_png(&context, &picture, test_folder_path(&folder, "a.png"), &error);
        if (result == GT_OK) {
            result = gt_picture_read(&context, test_folder_path(&folder, "a.png"), &back, &error);
        }
        GtBlob* png = NULL;
        if (result == GT_OK) {
            result = gt_picture_encode_png(&context, &picture, &png, &error);
        }
        gt_blob_release(png);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_picture_destroy(&back);
        assert_int_equal(allocator.alive, 0);
        assert_true(allowed < 100);
    }
    drop(&picture);
    test_folder_remove(&folder);
}

static void reads_colours(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtColor color;
    } good[] = {
        { "white", { 255, 255, 255, 255 } }, { "Navy", { 0, 0, 128, 255 } },       { "#fff", { 255, 255, 255, 255 } },
        { "#1a2", { 17, 170, 34, 255 } },    { "#12abEF", { 18, 171, 239, 255 } }, { "#01020304", { 1, 2, 3, 4 } },
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        GtColor c = { 0 };
        assert_true(gt_color_parse(good[i].text, &c));
        assert_memory_equal(&c, &good[i].color, sizeof c);
    }
    static const char* const bad[] = { "",     "#",      "#12",    "#1234",    "#ggg",
                                       "whit", "whitee", "#12345", "#1234567", "#123456789" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        GtColor c = { 1, 2, 3, 4 };
        assert_false(gt_color_parse(bad[i], &c));
        assert_int_equal(c.g, 2);
    }
}

static double luminance(GtColor c)
{
    double v[3] = { c.r / 255.0, c.g / 255.0, c.b / 255.0 };
    for (int i = 0; i < 3; ++i) {
        v[i] = v[i] <= 0.04045 ? v[i] / 12.92 : pow((v[i] + 0.055) / 1.055, 2.4);
    }
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}

// Larger is lighter, in even steps of perceived lightness (CIE L*): readable in print and without seeing hues.
static void colour_map_rises_evenly(void** state)
{
    (void)state;
    double first = 116.0 * cbrt(luminance(gt_color_map(0.0f))) - 16.0;
    double last = 116.0 * cbrt(luminance(gt_color_map(1.0f))) - 16.0;
    double before = first - 1.0;
    assert_true(last - first > 70.0);
    for (int i = 0; i <= 100; ++i) {
        double lightness = 116.0 * cbrt(luminance(gt_color_map((float)i / 100.0f))) - 16.0;
        assert_true(lightness > before);
        GT_EXPECT_NEAR(lightness, first + (last - first) * i / 100.0, 3.5);
        before = lightness;
    }
    GtColor low = gt_color_map(-INFINITY);
    GtColor zero = gt_color_map(0.0f);
    assert_memory_equal(&low, &zero, sizeof low);
    GtColor nan = gt_color_map(NAN);
    assert_true(nan.r == nan.g && nan.g == nan.b);
}

static void legend_has_bar_and_ticks(void** state)
{
    (void)state;
    GtPicture picture = make(200, 300, white);
    GtLegendDef def = gt_default_legend_def();
    def.title = "error (mm)";
    def.high = 10.0;
    gt_picture_legend(&picture, (GtBox){ 10, 10, 180, 280 }, &def);
    // The bar's colours from the bottom to the top are those of the map.
    int32_t x = 10 + (int32_t)def.text_px / 2;
    GtColor lowest = gt_color_map(0.0f);
    GtColor highest = gt_color_map(1.0f);
    int32_t top = -1, bottom = -1;
    for (int32_t y = 0; y < 300; ++y) {
        const uint8_t* p = at(&picture, x, y);
        if (abs(p[0] - highest.r) + abs(p[1] - highest.g) + abs(p[2] - highest.b) < 8 && top < 0) {
            top = y;
        }
        if (abs(p[0] - lowest.r) + abs(p[1] - lowest.g) + abs(p[2] - lowest.b) < 8) {
            bottom = y;
        }
    }
    assert_true(top > 20 && top < 60 && bottom > 260 && bottom < 290);
    const uint8_t* middle = at(&picture, x, (top + bottom) / 2);
    GtColor half = gt_color_map(0.5f);
    assert_true(abs(middle[0] - half.r) < 5 && abs(middle[1] - half.g) < 5 && abs(middle[2] - half.b) < 5);
    // Ticks at 0, 2, 4, ... 10: six dark lines right of the bar.
    int ticks = 0;
    bool was_dark = false;
    for (int32_t y = top - 4; y < 300; ++y) {
        bool dark = at(&picture, 10 + (int32_t)def.text_px + 3, y)[0] < 100;
        ticks += dark && !was_dark;
        was_dark = dark;
    }
    assert_int_equal(ticks, 6);
    drop(&picture);
}

static void impossible_legends_draw_no_bar(void** state)
{
    (void)state;
    static const double ranges[][2] = {
        { 1.0, 1.0 }, { 2.0, 1.0 }, { 0.0, INFINITY }, { NAN, 1.0 }, { -1e308, 1e308 }
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        GtPicture picture = make(100, 100, white);
        GtLegendDef def = gt_default_legend_def();
        def.low = ranges[i][0];
        def.high = ranges[i][1];
        gt_picture_legend(&picture, (GtBox){ 0, 0, 100, 100 }, &def);
        assert_int_equal(count_color(&picture, white), 10000);
        drop(&picture);
    }
}

// Runs of columns (or rows) that are all background between cells.
static int count_gutters(const GtPicture* sheet, GtColor background, bool columns, int32_t from, int32_t to)
{
    int gutters = 0;
    bool was_empty = false;
    for (int32_t i = 0; i < (columns ? sheet->width : sheet->height); ++i) {
        bool empty = true;
        for (int32_t k = from; k < to; ++k) {
            empty = empty && (columns ? is(sheet, i, k, background) : is(sheet, k, i, background));
        }
        gutters += empty && !was_empty;
        was_empty = empty;
    }
    return gutters;
}

static void sheet_has_its_cells(void** state)
{
    (void)state;
    GtSheetDef def = gt_default_sheet_def();
    def.cell_count = 8;
    def.cell_width = 100;
    def.cell_height = 90;
    def.title = "walk.glb";
    GtError error = { 0 };
    GtPicture sheet;
    GtPicture cell = make(100, 90, (GtColor){ 10, 120, 200, 255 });
    GT_EXPECT_OK(gt_sheet_create(gt_default_allocator(), &def, &sheet, &error));
    for (int32_t i = 0; i < 8; ++i) {
        gt_sheet_put(&sheet, &def, i, &cell, "0.50 s");
    }
    assert_int_equal(count_color(&sheet, (GtColor){ 10, 120, 200, 255 }), 8 * 100 * 90);
    GtBox first = gt_sheet_cell(&def, 0);
    GtBox last = gt_sheet_cell(&def, 7);
    assert_int_equal(count_gutters(&sheet, def.background, true, first.y, first.y + 90), 5); // four in a row
    assert_int_equal(count_gutters(&sheet, def.background, false, first.x + 97, first.x + 100),
                     3); // two rows, beside title and labels
    // A label is ink under each cell and nothing else is there.
    for (int32_t i = 0; i < 8; ++i) {
        GtBox box = gt_sheet_cell(&def, i);
        int ink = 0;
        for (int32_t y = box.y + box.height; y < box.y + box.height + 18 && y < sheet.height; ++y) {
            for (int32_t x = box.x; x < box.x + box.width; ++x) {
                ink += at(&sheet, x, y)[0] < 128;
            }
        }
        assert_in_range(ink, 30, 400);
    }
    assert_true(last.x + last.width < sheet.width && last.y + last.height + 12 <= sheet.height);
    drop(&cell);
    drop(&sheet);
}

static void sheets_have_limits(void** state)
{
    (void)state;
    static const struct {
        int32_t cells, width, height;
    } cases[] = { { 0, 10, 10 },        { -5, 10, 10 },   { 8, 0, 10 },
                  { 1000, 8192, 8192 }, { 100000, 1, 1 }, { 2, INT32_MAX, 1 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtSheetDef def = gt_default_sheet_def();
        def.cell_count = cases[i].cells;
        def.cell_width = cases[i].width;
        def.cell_height = cases[i].height;
        GtError error = { 0 };
        GtPicture sheet;
        assert_int_not_equal(gt_sheet_create(gt_default_allocator(), &def, &sheet, &error), GT_OK);
        assert_null(sheet.rgba);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_transparent),
        cmocka_unit_test(refuses_sizes_out_of_range),
        cmocka_unit_test(blends_as_the_reference),
        cmocka_unit_test(boxes_are_clipped),
        cmocka_unit_test(outline_is_an_edge),
        cmocka_unit_test(blit_clips_and_blends),
        cmocka_unit_test(png_comes_back),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(reads_colours),
        cmocka_unit_test(colour_map_rises_evenly),
        cmocka_unit_test(legend_has_bar_and_ticks),
        cmocka_unit_test(impossible_legends_draw_no_bar),
        cmocka_unit_test(sheet_has_its_cells),
        cmocka_unit_test(sheets_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
