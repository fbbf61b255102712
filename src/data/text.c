// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Text that grows by doubling, in place where the arena can.

#include "data/text.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 256
};

GtText gt_text_in(char* buffer, size_t size)
{
    buffer[0] = 0;
    return (GtText){ .bytes = buffer, .capacity = size, .is_fixed = true };
}

void gt_text_destroy(GtText* text)
{
    if (!text) {
        return;
    }
    GtAllocator allocator = gt_default_allocator();
    if (!text->arena && !text->is_fixed) {
        allocator.release(allocator.user, text->bytes);
    }
    *text = (GtText){ .arena = text->arena };
}

// Make the buffer hold `more` bytes after the text, and a terminator.
static bool reserve(GtText* text, size_t more)
{
    size_t needed = 0;
    if (text->failed || !gti_size_add(text->size, more, &needed) || !gti_size_add(needed, 1, &needed)) {
        text->failed = true;
        return false;
    }
    if (needed <= text->capacity) {
        return true;
    }
    if (text->is_fixed) {
        text->failed = true;
        return false;
    }
    size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
    while (capacity < needed) {
        capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
    }
    size_t used = text->bytes ? text->size + 1 : 0;
    char* bytes = text->arena ? gti_arena_resize(text->arena, text->bytes, text->capacity, capacity)
                              : gti_reallocate(gt_default_allocator(), text->bytes, used, capacity);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void gt_text_add(GtText* text, const char* bytes, size_t size)
{
    if (reserve(text, size)) {
        if (size) {
            memcpy(text->bytes + text->size, bytes, size);
        }
        text->size += size;
        text->bytes[text->size] = 0;
    }
}

void gt_text_adds(GtText* text, const char* terminated)
{
    gt_text_add(text, terminated, strlen(terminated));
}

void gt_text_addf(GtText* text, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = gti_format_v(NULL, 0, format, arguments);
    va_end(arguments);
    if (size >= 0 && reserve(text, (size_t)size)) {
        va_start(arguments, format);
        gti_format_v(text->bytes + text->size, (size_t)size + 1, format, arguments);
        va_end(arguments);
        text->size += (size_t)size;
    }
}

// Bytes to step over at `at`: those of the character there, or one that belongs to none.
static size_t step_length(const char* at, const char* end)
{
    size_t length = gti_utf8_length(at, end);
    return length ? length : 1;
}

void gt_text_add_printable(GtText* text, const char* untrusted)
{
    const char* end = untrusted + strlen(untrusted);
    for (const char* at = untrusted; at < end; at += step_length(at, end)) {
        size_t shown = gti_utf8_shown_length(at, end);
        gt_text_add(text, shown ? at : "?", shown ? shown : 1);
    }
}

char* gt_text_finish(GtText* text)
{
    gt_text_add(text, "", 0);
    return text->failed ? NULL : text->bytes;
}

void gti_text_add_markup(GtText* text, const char* untrusted)
{
    const char* end = untrusted + strlen(untrusted);
    for (const char* at = untrusted; at < end; at += step_length(at, end)) {
        size_t shown = gti_utf8_shown_length(at, end);
        bool is_noncharacter = shown == 3 && memcmp(at, "\xEF\xBF", 2) == 0 && (unsigned char)at[2] >= 0xBE;
        if (shown == 0 || is_noncharacter) {
            gt_text_adds(text, "\xEF\xBF\xBD");
        } else if (*at == '&') {
            gt_text_adds(text, "&amp;");
        } else if (*at == '<') {
            gt_text_adds(text, "&lt;");
        } else if (*at == '>') {
            gt_text_adds(text, "&gt;");
        } else if (*at == '"') {
            gt_text_adds(text, "&quot;");
        } else {
            gt_text_add(text, at, shown);
        }
    }
}
