// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing: ink is where letters are and nowhere else, letters differ, and hostile text does no harm.

#include "gertie/picture.h"

#include "render/picture/font.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    WIDTH = 400,
    HEIGHT = 100
};

static GtPicture make(uint8_t grey)
{
    GtError error = { 0 };
    GtPicture picture;
    GT_EXPECT_OK(gt_picture_create(gt_default_allocator(), WIDTH, HEIGHT, &picture, &error));
    gt_picture_fill(&picture, (GtBox){ 0, 0, WIDTH, HEIGHT }, (GtColor){ grey, grey, grey, 255 });
    return picture;
}

// The box of pixels that differ from the ground, and how many there are.
static int find_ink(const GtPicture* picture, uint8_t ground, GtBox* box)
{
    int32_t left = WIDTH, right = -1, top = HEIGHT, bottom = -1;
    int count = 0;
    for (int32_t y = 0; y < HEIGHT; ++y) {
        for (int32_t x = 0; x < WIDTH; ++x) {
            if (picture->rgba[4 * (y * WIDTH + x)] != ground) {
                ++count;
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
        }
    }
    *box = (GtBox){ left, top, right - left + 1, bottom - top + 1 };
    return count;
}

static GtTextStyle bare(float size_px)
{
    return (GtTextStyle){ .size_px = size_px, .color = { 0, 0, 0, 255 } };
}

static int ink_of(const char* text, float x, float y, const GtTextStyle* style, GtBox* box)
{
    GtPicture picture = make(255);
    gt_picture_text(&picture, x, y, text, style);
    int count = find_ink(&picture, 255, box);
    gt_picture_destroy(&picture);
    return count;
}

// A capital stands on its baseline and is 0.7 em high, plus the pen's half width above and below.
static void letters_stand_on_the_line(void** state)
{
    (void)state;
    for (int size = 12; size <= 80; size += 17) {
        GtTextStyle style = bare((float)size);
        GtBox box;
        assert_true(ink_of("H", 50.0f, 80.0f, &style, &box) > 0);
        float half_pen = 0.045f * (float)size;
        GT_EXPECT_NEAR(box.y, 80.0f - 0.7f * (float)size - half_pen, 1.6);
        GT_EXPECT_NEAR(box.y + box.height, 80.0f + half_pen, 1.6);
        GT_EXPECT_NEAR(box.x, 50.0f + 0.12f * (float)size - half_pen, 1.6);
        assert_true(ink_of("p", 50.0f, 70.0f, &style, &box) > 0);
        assert_true((float)(box.y + box.height) > 70.0f + 0.18f * (float)size); // its tail goes below
    }
}

static void alignment_moves_the_line(void** state)
{
    (void)state;
    GtTextStyle style = bare(30.0f);
    float width = gt_text_width("Walking", 30.0f);
    GtBox left, center, right;
    ink_of("Walking", 200.0f, 60.0f, &style, &left);
    style.align = GT_TEXT_CENTER;
    ink_of("Walking", 200.0f, 60.0f, &style, &center);
    style.align = GT_TEXT_RIGHT;
    ink_of("Walking", 200.0f, 60.0f, &style, &right);
    GT_EXPECT_NEAR(left.x - center.x, 0.5f * width, 1.5);
    GT_EXPECT_NEAR(left.x - right.x, width, 1.5);
    assert_true(left.width > 0.85f * width && (float)left.width < width);
}

static void widths_add_up(void** state)
{
    (void)state;
    float sum = gt_text_width("glTF ", 20.0f) + gt_text_width("2.0", 20.0f);
    GT_EXPECT_NEAR(gt_text_width("glTF 2.0", 20.0f), sum, 1e-4);
    GT_EXPECT_NEAR(gt_text_width("glTF", 40.0f), 2.0f * gt_text_width("glTF", 20.0f), 1e-4);
    GT_EXPECT_NEAR(gt_text_width("", 20.0f), 0.0, 0.0);
    GT_EXPECT_NEAR(gt_text_width("0", 20.0f), gt_text_width("8", 20.0f), 0.0); // digits line up
}

// Letters that cannot be told apart would make two names one.
static void letters_differ(void** state)
{
    (void)state;
    enum {
        COUNT = 95
    };
    static uint8_t shapes[COUNT][60 * 60];
    GtTextStyle style = bare(40.0f);
    for (int c = 0; c < COUNT; ++c) {
        GtPicture picture = make(255);
        const char text[2] = { (char)(32 + c), 0 };
        gt_picture_text(&picture, 10.0f, 45.0f, text, &style);
        for (int y = 0; y < 60; ++y) {
            for (int x = 0; x < 60; ++x) {
                shapes[c][60 * y + x] = picture.rgba[4 * (y * WIDTH + x)];
            }
        }
        gt_picture_destroy(&picture);
        for (int other = 0; other < c; ++other) {
            int difference = 0;
            for (int i = 0; i < 60 * 60; ++i) {
                difference += abs(shapes[c][i] - shapes[other][i]) > 128;
            }
            if (difference < 12) {
                fail_msg("'%c' and '%c' differ in %d pixels", 32 + c, 32 + other, difference);
            }
        }
    }
}

// Every letter has a form that the writer can hold: at most 160 straight pieces of 8 a curve and 32 an ellipse.
static void table_is_well_formed(void** state)
{
    (void)state;
    static const uint32_t others[] = { 0xB0, 0xB1, 0xB5, 0xB7, 0xD7, 0x2013, 0x2026, 0x2212, 0xFFFD };
    for (uint32_t i = 0; i < 95 + sizeof others / sizeof others[0]; ++i) {
        uint32_t code = i < 95 ? 32 + i : others[i - 95];
        bool raised;
        const GtiGlyph* glyph = gti_font_find(code, &raised);
        int pieces = 0;
        assert_int_equal(glyph->code, code);
        assert_false(raised);
        for (const char* s = glyph->strokes; *s;) {
            char command = *s++;
            int numbers = command == 'C' ? 6 : command == 'O' ? 4 : 2;
            assert_non_null(strchr("MLCOD", command));
            pieces += command == 'C' ? 8 : command == 'O' ? 32 : 1;
            for (int k = 0; k < numbers; ++k) {
                char* end = NULL;
                long value = strtol(s, &end, 10);
                assert_true(end > s && value >= -25 && value <= 90);
                s = end;
            }
        }
        assert_true(pieces <= 160);
        assert_true(glyph->advance > 10 && (pieces > 0 || code == 32));
    }
}

static void unknown_characters_are_boxes(void** state)
{
    (void)state;
    GtTextStyle style = bare(30.0f);
    GtBox box;
    float one = gt_text_width("\xEF\xBF\xBD", 30.0f);
    GT_EXPECT_NEAR(gt_text_width("\xE5\xAD\x97", 30.0f), one, 0.0);     // a letter it lacks
    GT_EXPECT_NEAR(gt_text_width("\xF0\x9F\x98\x80", 30.0f), one, 0.0); // beyond 16 bits
    GT_EXPECT_NEAR(gt_text_width("\xFF\xC3", 30.0f), 2.0f * one, 1e-4); // no UTF-8: a box a byte
    GT_EXPECT_NEAR(gt_text_width("\xE5\xAD", 30.0f), 2.0f * one, 1e-4); // cut off
    GT_EXPECT_NEAR(gt_text_width("\t\x01", 30.0f), 2.0f * one, 1e-4);   // control characters
    assert_true(ink_of("\xE5\xAD\x97", 50.0f, 60.0f, &style, &box) > 0);
    GT_EXPECT_NEAR(box.height, 0.7f * 30.0f + 3.0f, 2.0);
    assert_true(gt_text_width("\xC2\xB0", 30.0f) < one); // the sign for degrees is there
    GtBox low;
    assert_true(ink_of("2", 50.0f, 60.0f, &style, &low) > 0);
    assert_true(ink_of("\xC2\xB2", 50.0f, 60.0f, &style, &box) > 0); // a square is a small 2, higher up
    assert_true(box.height < 0.75f * (float)low.height && box.y + box.height < low.y + low.height - 5);
}

// Dark letters on a dark ground: the halo's light must touch every letter.
static void halo_makes_it_readable(void** state)
{
    (void)state;
    GtTextStyle style = gt_default_text_style();
    style.size_px = 24.0f;
    GtPicture picture = make(20);
    gt_picture_text(&picture, 20.0f, 60.0f, "HHHHHHHH", &style);
    float letter = gt_text_width("H", 24.0f);
    for (int i = 0; i < 8; ++i) {
        int light = 0, dark = 0;
        for (int32_t x = (int32_t)(20.0f + letter * (float)i); x < (int32_t)(20.0f + letter * (float)(i + 1)); ++x) {
            uint8_t value = picture.rgba[4 * (52 * WIDTH + x)];
            light += value > 150;
            dark += value < 60;
        }
        assert_true(light >= 4 && dark >= 2);
    }
    gt_picture_destroy(&picture);
}

// Where halos of neighbours meet no pixel is laid over twice: a half clear halo stays one tone.
static void halos_do_not_add_up(void** state)
{
    (void)state;
    GtPicture picture = make(0);
    GtTextStyle style = { .size_px = 40.0f, .color = { 0, 0, 0, 0 }, .halo = { 255, 255, 255, 100 } };
    gt_picture_text(&picture, 20.0f, 70.0f, "WAVY mimi", &style);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        assert_true(picture.rgba[4 * i] <= 100);
    }
    gt_picture_destroy(&picture);
}

static void stays_inside_the_picture(void** state)
{
    (void)state;
    static const float places[][2] = { { -50.0f, 50.0f },   { 390.0f, 50.0f },  { 100.0f, -5.0f }, { 100.0f, 110.0f },
                                       { -1e9f, 50.0f },    { 1e30f, 50.0f },   { 50.0f, 1e30f },  { NAN, 50.0f },
                                       { 50.0f, INFINITY }, { -1e30f, -1e30f }, { 2e9f, 2e9f } };
    static const float sizes[] = { 20.0f, 0.0f, -5.0f, NAN, 3000.0f, 1e9f, 0.001f };
    GtPicture picture = make(255);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
            GtTextStyle style = gt_default_text_style();
            style.size_px = sizes[k];
            gt_picture_text(&picture, places[i][0], places[i][1], "far away", &style); // the sanitizer watches
        }
    }
    gt_picture_destroy(&picture);
    GtBox box;
    GtTextStyle style = bare(30.0f);
    assert_int_equal(ink_of("gone", 500.0f, 50.0f, &style, &box), 0);
    assert_int_equal(ink_of("", 50.0f, 50.0f, &style, &box), 0);
    assert_int_equal(ink_of("   ", 50.0f, 50.0f, &style, &box), 0);
}

static void fits_by_cutting_the_middle(void** state)
{
    (void)state;
    char out[64];
    gt_text_fit("walk.glb", 20.0f, 500.0f, out, sizeof out);
    assert_string_equal(out, "walk.glb");
    for (float width = 400.0f; width > 30.0f; width -= 7.0f) {
        const char* name = "a_very_long_name_of_a_motion_capture_file.bvh";
        gt_text_fit(name, 20.0f, width, out, sizeof out);
        const char* dots = strstr(out, "\xE2\x80\xA6");
        assert_non_null(dots);
        size_t tail = strlen(out) - (size_t)(dots - out) - 3;
        assert_true(gt_text_width(out, 20.0f) <= width);
        assert_true(gt_text_width(out, 20.0f) > width - 40.0f); // no letter less than needed, nearly
        assert_memory_equal(out, name, (size_t)(dots - out));
        assert_memory_equal(out + strlen(out) - tail, name + strlen(name) - tail, tail);
    }
    gt_text_fit("name", 20.0f, 5.0f, out, sizeof out);
    assert_string_equal(out, "");
    // Characters stay whole, whatever the room in bytes.
    for (size_t room = 1; room < 24; ++room) {
        memset(out, 'x', sizeof out);
        gt_text_fit("\xC3\xA4\xC3\xB6\xC3\xBC\xE5\xAD\x97\xC3\xA4\xC3\xB6\xC3\xBC", 10.0f, 1000.0f, out, room);
        assert_true(strlen(out) < room);
        assert_int_equal(out[room], 'x');
        float boxes = gt_text_width(out, 10.0f) / gt_text_width("\xEF\xBF\xBD", 10.0f);
        assert_true(boxes < 7.5f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_stand_on_the_line),
        cmocka_unit_test(alignment_moves_the_line),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(letters_differ),
        cmocka_unit_test(table_is_well_formed),
        cmocka_unit_test(unknown_characters_are_boxes),
        cmocka_unit_test(halo_makes_it_readable),
        cmocka_unit_test(halos_do_not_add_up),
        cmocka_unit_test(stays_inside_the_picture),
        cmocka_unit_test(fits_by_cutting_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
