// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing on pictures. A pixel's ink is how much of it the pen covers, told by its distance to the nearest stroke; the
// halo is the same with a wider pen. Each letter owns the columns up to the next letter's origin and looks at its
// neighbours' strokes too, so that no pixel is inked twice where halos meet.

#include "gertie/picture.h"

#include "base/utf8.h"
#include "render/draw/blend.h"
#include "render/picture/font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECES = 8,         // straight pieces a curve
    MAX_SEGMENTS = 160, // a letter; test_fits_all_letters counts
    MAX_SIZE = 4096,
};

typedef struct Segment {
    float x, y;    // start
    float dx, dy;  // to its end
    float inverse; // of the length squared, or 0 for a dot
    float extra;   // radius beyond the pen's
} Segment;

// A letter in pixels.
typedef struct Letter {
    float left, right; // columns it owns
    int count;
    Segment segments[MAX_SEGMENTS];
} Letter;

static void add_segment(Letter* letter, float x0, float y0, float x1, float y1, float extra)
{
    if (letter->count == MAX_SEGMENTS) {
        return;
    }
    float dx = x1 - x0;
    float dy = y1 - y0;
    float square = dx * dx + dy * dy;
    letter->segments[letter->count++] = (Segment){ x0, y0, dx, dy, square > 0.0f ? 1.0f / square : 0.0f, extra };
}

typedef struct Pen {
    Letter* letter;
    float origin_x, origin_y; // of the letter, in pixels
    float scale;              // pixels a unit
    float x, y;               // where it stands, in pixels
} Pen;

static void line_to(Pen* pen, float x, float y)
{
    add_segment(pen->letter, pen->x, pen->y, x, y, 0.0f);
    pen->x = x;
    pen->y = y;
}

static void curve_to(Pen* pen, const float p[6])
{
    float x0 = pen->x;
    float y0 = pen->y;
    for (int i = 1; i <= PIECES; ++i) {
        float t = (float)i / PIECES;
        float s = 1.0f - t;
        float a = s * s * s;
        float b = 3.0f * s * s * t;
        float c = 3.0f * s * t * t;
        float d = t * t * t;
        line_to(pen, a * x0 + b * p[0] + c * p[2] + d * p[4], a * y0 + b * p[1] + c * p[3] + d * p[5]);
    }
}

static void draw_ellipse(Pen* pen, float x, float y, float rx, float ry)
{
    enum {
        CORNERS = 4 * PIECES
    };
    pen->x = x + rx;
    pen->y = y;
    for (int i = 1; i <= CORNERS; ++i) {
        float angle = 6.28318531f * (float)i / CORNERS;
        line_to(pen, x + rx * cosf(angle), y + ry * sinf(angle));
    }
}

// Follow a letter's strokes; the table is ours, so it is well formed.
static void draw_strokes(Pen* pen, const char* strokes)
{
    const float s = pen->scale;
    while (*strokes) {
        char command = *strokes++;
        int count = command == 'C' ? 6 : command == 'O' ? 4 : 2;
        float p[6];
        for (int i = 0; i < count; ++i) {
            char* end = NULL;
            float value = (float)strtol(strokes, &end, 10);
            strokes = end;
            p[i] = command == 'O' && i >= 2 ? value * s : i % 2 ? pen->origin_y - value * s : pen->origin_x + value * s;
        }
        switch (command) {
        case 'M':
            pen->x = p[0];
            pen->y = p[1];
            break;
        case 'L':
            line_to(pen, p[0], p[1]);
            break;
        case 'C':
            curve_to(pen, p);
            break;
        case 'O':
            draw_ellipse(pen, p[0], p[1], p[2], p[3]);
            break;
        default:
            add_segment(pen->letter, p[0], p[1], p[0], p[1], 1.5f * s);
            break;
        }
    }
}

// Distance from a point to the letter's strokes, less what dots are thicker; at least as far as `best`.
static float letter_distance(const Letter* letter, float x, float y, float best)
{
    for (int i = 0; i < letter->count; ++i) {
        const Segment* s = &letter->segments[i];
        float px = x - s->x;
        float py = y - s->y;
        float along = (px * s->dx + py * s->dy) * s->inverse;
        along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
        float ex = px - along * s->dx;
        float ey = py - along * s->dy;
        float reach = best + s->extra;
        float square = ex * ex + ey * ey;
        if (square < reach * reach) {
            best = sqrtf(square) - s->extra;
        }
    }
    return best;
}

typedef struct Ink {
    GtColor color;
    float radius; // of the pen, in pixels
} Ink;

static int32_t to_pixel(float value, int32_t limit)
{
    return value <= 0.0f ? 0 : value >= (float)limit ? limit : (int32_t)value;
}

// Ink the columns that `letters[1]` owns.
static void ink_letter(GtPicture* picture, const Letter letters[3], float top, float bottom, const Ink* ink)
{
    const uint8_t rgb[3] = { ink->color.r, ink->color.g, ink->color.b };
    int32_t left = to_pixel(roundf(letters[1].left), picture->width);
    int32_t right = to_pixel(roundf(letters[1].right), picture->width);
    int32_t first = to_pixel(floorf(top), picture->height);
    int32_t last = to_pixel(ceilf(bottom), picture->height);
    for (int32_t y = first; y < last; ++y) {
        for (int32_t x = left; x < right; ++x) {
            float distance = ink->radius + 0.5f;
            for (int i = 0; i < 3; ++i) {
                distance = letter_distance(&letters[i], (float)x + 0.5f, (float)y + 0.5f, distance);
            }
            float cover = ink->radius + 0.5f - distance;
            if (cover > 0.0f) {
                uint32_t alpha = (uint32_t)((cover < 1.0f ? cover : 1.0f) * 255.0f + 0.5f);
                gti_blend(gti_pixel(picture, x, y), rgb, alpha * ink->color.a);
            }
        }
    }
}

// The code point at `text`, which is not at its end, and how many bytes it takes; a broken byte stands for itself.
static uint32_t next_code(const char* text, size_t* size)
{
    const unsigned char* p = (const unsigned char*)text;
    *size = gti_utf8_length(text, text + strnlen(text, 4));
    switch (*size) {
    case 1:
        return p[0];
    case 2:
        return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    case 3:
        return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    case 4:
        return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
    default:
        *size = 1;
        return 0xFFFD;
    }
}

float gt_text_width(const char* text, float size_px)
{
    float units = 0.0f;
    for (size_t size = 0; *text; text += size) {
        bool raised;
        const GtiGlyph* glyph = gti_font_find(next_code(text, &size), &raised);
        units += raised ? glyph->advance * GTI_FONT_SMALL : glyph->advance;
    }
    return units * size_px * 0.01f;
}

// Set the next letter of `text` at `*x`; an empty one, as wide as the pen's reach, at the text's end.
static void set_letter(const char** text, float* x, float y, float scale, float reach, Letter* letter)
{
    letter->count = 0;
    letter->left = *x;
    if (**text) {
        size_t size = 0;
        bool raised;
        const GtiGlyph* glyph = gti_font_find(next_code(*text, &size), &raised);
        Pen pen = { .letter = letter, .origin_x = *x, .origin_y = y, .scale = scale };
        if (raised) {
            pen.origin_y -= GTI_FONT_RAISE * scale;
            pen.scale *= GTI_FONT_SMALL;
        }
        *text += size;
        draw_strokes(&pen, glyph->strokes);
        *x += glyph->advance * pen.scale;
    } else {
        *x += reach;
    }
    letter->right = *x;
}

static void write_line(GtPicture* picture, float x, float y, const char* text, float scale, const Ink* ink)
{
    float reach = ink->radius + 1.0f;
    Letter letters[3];
    letters[0].count = 0;
    letters[1] = (Letter){ .left = x - reach, .right = x }; // room for what reaches out to the left
    bool more = true;
    while (more) {
        more = *text != 0;
        set_letter(&text, &x, y, scale, reach, &letters[2]);
        ink_letter(picture, letters, y - 85.0f * scale - reach, y + 25.0f * scale + reach, ink);
        letters[0] = letters[1];
        letters[1] = letters[2];
    }
    letters[2].count = 0;
    ink_letter(picture, letters, y - 85.0f * scale - reach, y + 25.0f * scale + reach, ink);
}

GtTextStyle gt_default_text_style(void)
{
    return (GtTextStyle){
        .size_px = 20.0f,
        .color = { 30, 34, 40, 255 },
        .halo = { 255, 255, 255, 215 },
    };
}

void gt_picture_text(GtPicture* picture, float x, float y, const char* text, const GtTextStyle* style)
{
    if (!(style->size_px > 0.0f && style->size_px <= MAX_SIZE) || !isfinite(x) || !isfinite(y)) {
        return;
    }
    float width = gt_text_width(text, style->size_px);
    float start = style->align == GT_TEXT_CENTER ? x - 0.5f * width : style->align == GT_TEXT_RIGHT ? x - width : x;
    float scale = style->size_px * 0.01f;
    float radius = fmaxf(0.5f * GTI_FONT_PEN * scale, 0.55f); // never thinner than a pixel
    if (style->halo.a > 0) {
        write_line(picture, start, y, text, scale, &(Ink){ style->halo, radius + fmaxf(1.6f, 9.0f * scale) });
    }
    write_line(picture, start, y, text, scale, &(Ink){ style->color, radius });
}

// Bytes of the first `count` characters.
static size_t head_size(const char* text, int count)
{
    size_t total = 0;
    for (size_t size = 0; count > 0 && text[total]; --count, total += size) {
        next_code(text + total, &size);
    }
    return total;
}

static int count_characters(const char* text)
{
    int count = 0;
    for (size_t size = 0; *text; text += size) {
        next_code(text, &size);
        ++count;
    }
    return count;
}

// Keep `keep` characters of `text` around dots, more at the end, where names differ; false when it does not fit.
static bool shorten(const char* text, int count, int keep, float size_px, float width_px, char* out, size_t out_size)
{
    static const char dots[] = "\xE2\x80\xA6";
    size_t length = strlen(text);
    size_t head = head_size(text, keep / 2);
    size_t tail = head_size(text, count - (keep - keep / 2));
    size_t middle = keep < count ? sizeof dots - 1 : 0;
    if (head + middle + (length - tail) >= out_size) {
        return false;
    }
    memcpy(out, text, head);
    memcpy(out + head, dots, middle);
    memcpy(out + head + middle, text + tail, length - tail + 1);
    return gt_text_width(out, size_px) <= width_px;
}

void gt_text_fit(const char* text, float size_px, float width_px, char* out, size_t out_size)
{
    if (out_size == 0) {
        return;
    }
    int count = count_characters(text);
    if (shorten(text, count, count, size_px, width_px, out, out_size)) {
        return;
    }
    int fits = 0;
    for (int too_many = count; too_many - fits > 1;) {
        int keep = fits + (too_many - fits) / 2;
        if (shorten(text, count, keep, size_px, width_px, out, out_size)) {
            fits = keep;
        } else {
            too_many = keep;
        }
    }
    if (fits == 0 || !shorten(text, count, fits, size_px, width_px, out, out_size)) {
        out[0] = 0;
    }
}
