// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Text that grows by doubling. What comes from files is cleaned here before a terminal sees it.

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_COLUMNS = 79
};

void text_free(Text* text)
{
    GtAllocator allocator = gt_default_allocator();
    allocator.release(allocator.user, text->bytes);
    *text = (Text){ 0 };
}

static bool reserve(Text* text, size_t more)
{
    if (text->failed) {
        return false;
    }
    if (more < text->capacity - text->size) {
        return true;
    }
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity - text->size <= more && capacity <= SIZE_MAX / 2) {
        capacity *= 2;
    }
    GtAllocator allocator = gt_default_allocator();
    char* bytes = capacity - text->size > more ? allocator.allocate(allocator.user, capacity) : NULL;
    if (!bytes) {
        text->failed = true;
        return false;
    }
    if (text->size) {
        memcpy(bytes, text->bytes, text->size);
    }
    allocator.release(allocator.user, text->bytes);
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void text_add(Text* text, const char* bytes, size_t size)
{
    if (reserve(text, size)) {
        memcpy(text->bytes + text->size, bytes, size);
        text->size += size;
        text->bytes[text->size] = 0;
    }
}

void text_adds(Text* text, const char* terminated)
{
    text_add(text, terminated, strlen(terminated));
}

void text_addf(Text* text, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size >= 0 && reserve(text, (size_t)size)) {
        va_start(arguments, format);
        vsnprintf(text->bytes + text->size, (size_t)size + 1, format, arguments);
        va_end(arguments);
        text->size += (size_t)size;
    }
}

const char* plural(int32_t count)
{
    return count == 1 ? "" : "s";
}

int utf8_length(const char* at)
{
    const unsigned char* s = (const unsigned char*)at;
    if (s[0] < 0x80) {
        return 1;
    }
    int length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    uint32_t code = s[0] & (0x7Fu >> length);
    if (s[0] < 0xC2 || s[0] > 0xF4) {
        return 0;
    }
    for (int i = 1; i < length; ++i) {
        if ((s[i] & 0xC0) != 0x80) { // also the terminator
            return 0;
        }
        code = code << 6 | (s[i] & 0x3Fu);
    }
    static const uint32_t first[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < first[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

void text_add_printable(Text* text, const char* untrusted)
{
    for (const char* at = untrusted; *at;) {
        unsigned char c = (unsigned char)at[0];
        int length = utf8_length(at);
        bool control = c < 0x20 || c == 0x7F || (c == 0xC2 && (unsigned char)at[1] < 0xA0);
        if (!length || control) {
            text_adds(text, "?");
        } else {
            text_add(text, at, (size_t)length);
        }
        at += length ? length : 1;
    }
}

void text_add_spaces(Text* text, int count)
{
    if (count > 0) {
        text_addf(text, "%*s", count, "");
    }
}

void text_add_wrapped(Text* text, const char* prose, int column, int indent)
{
    bool line_is_empty = true;
    while (*prose) {
        size_t gap = strspn(prose, " ");
        if (prose[gap] == '\n') {
            text_adds(text, "\n");
            prose += gap + 1;
            line_is_empty = true;
            if (*prose && *prose != '\n') {
                text_add_spaces(text, indent);
            }
            column = indent;
            continue;
        }
        size_t length = strcspn(prose + gap, " \n");
        if (!line_is_empty && column + 1 + (int)length > LINE_COLUMNS) {
            text_adds(text, "\n");
            text_add_spaces(text, indent);
            column = indent;
            line_is_empty = true;
        }
        if (!line_is_empty) {
            text_adds(text, " ");
            ++column;
        }
        text_add(text, prose + gap, length);
        column += (int)length;
        line_is_empty = false;
        prose += gap + length;
    }
}

int text_columns(const char* utf8)
{
    int columns = 0;
    for (; *utf8; ++utf8) {
        columns += ((unsigned char)*utf8 & 0xC0) != 0x80;
    }
    return columns;
}
