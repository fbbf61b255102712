// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Text that grows by doubling, in place where the arena can.

#include "data/text.h"

#include "base/memory.h"

#include <string.h>

enum {
    FIRST_CAPACITY = 256
};

GtiText gti_text_create(GtArena* arena)
{
    return (GtiText){ .arena = arena };
}

// Make room for `length` more bytes and a terminator.
static bool reserve(GtiText* text, size_t length)
{
    size_t needed = 0;
    if (text->failed || !gti_size_add(text->size, length, &needed) || !gti_size_add(needed, 1, &needed)) {
        text->failed = true;
        return false;
    }
    if (needed <= text->capacity) {
        return true;
    }
    size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
    while (capacity < needed) {
        capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
    }
    char* bytes = gti_arena_resize(text->arena, text->bytes, text->capacity, capacity);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void gti_text_add(GtiText* text, const char* bytes, size_t length)
{
    if (length && reserve(text, length)) {
        memcpy(text->bytes + text->size, bytes, length);
        text->size += length;
    }
}

void gti_text_adds(GtiText* text, const char* terminated)
{
    gti_text_add(text, terminated, strlen(terminated));
}

char* gti_text_finish(GtiText* text)
{
    if (!reserve(text, 0)) {
        return NULL;
    }
    text->bytes[text->size] = 0;
    return text->bytes;
}
