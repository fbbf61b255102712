// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Widths are those of common sans-serif fonts in a few classes: enough to place names side by side. Text comes from
// files and command lines, so bytes that are no UTF-8 count, too.

#include "render/plot/label.h"

#include "base/utf8.h"

#include <string.h>

static const char ellipsis[] = "\xE2\x80\xA6";

// Bytes of the character at `at`; 1 for a byte that is none.
static size_t step(const char* at, const char* end)
{
    size_t length = gti_utf8_length(at, end);
    return length ? length : 1;
}

// Width of a character in ems: Helvetica's in classes, and some more, since DejaVu is wider.
static double character_width(const char* at, size_t length)
{
    if (length > 2) {
        return 1.05; // may be an ideograph
    }
    if (length == 2) {
        return 0.7;
    }
    if (strchr("ijl.,:;'|!", *at)) {
        return 0.32;
    }
    if (strchr("ftrI()[]-/ ", *at)) {
        return 0.38;
    }
    if (strchr("mwMW@%", *at)) {
        return 0.95;
    }
    return *at >= 'A' && *at <= 'Z' ? 0.74 : 0.62;
}

double gti_label_width(const char* text, double font_size)
{
    const char* end = text + strlen(text);
    double ems = 0.0;
    for (const char* at = text; at < end; at += step(at, end)) {
        ems += character_width(at, step(at, end));
    }
    return ems * font_size;
}

// The last character that starts before `end`.
static const char* step_back(const char* text, const char* end)
{
    const char* at = end - 1;
    while (at > text && end - at < 4 && ((unsigned char)*at & 0xC0) == 0x80) {
        --at;
    }
    return at + step(at, end) == end ? at : end - 1;
}

const char* gti_label_fit(GtArena* arena, const char* text, double font_size, double width)
{
    if (gti_label_width(text, font_size) <= width) {
        return text;
    }
    const char* end = text + strlen(text);
    const char* head = text; // end of what is kept in front
    const char* tail = end;  // start of what is kept behind
    double left = width / font_size - character_width(ellipsis, sizeof ellipsis - 1);
    for (bool in_front = true; head < tail; in_front = !in_front) {
        const char* at = in_front ? head : step_back(head, tail);
        size_t length = step(at, end);
        left -= character_width(at, length);
        if (left < 0.0) {
            break;
        }
        if (in_front) {
            head += length;
        } else {
            tail = at;
        }
    }
    size_t head_size = (size_t)(head - text);
    size_t tail_size = (size_t)(end - tail);
    char* fitted = gt_arena_push(arena, head_size + sizeof ellipsis + tail_size);
    if (fitted) {
        memcpy(fitted, text, head_size);
        memcpy(fitted + head_size, ellipsis, sizeof ellipsis - 1);
        memcpy(fitted + head_size + sizeof ellipsis - 1, tail, tail_size + 1);
    }
    return fitted;
}
