// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_DATA_TEXT_H
#define GERTIE_DATA_TEXT_H

#include "gertie/memory.h"

// Text that grows in an arena. When memory runs out every further call is a no-op, and gti_text_finish() says so. While
// it grows, the arena must not go back to a mark taken since it was created.
typedef struct GtiText {
    GtArena* arena;
    char* bytes;
    size_t size;
    size_t capacity;
    bool failed;
} GtiText;

GtiText gti_text_create(GtArena* arena);
void gti_text_add(GtiText* text, const char* bytes, size_t length);
void gti_text_adds(GtiText* text, const char* terminated);
// The terminated text, or NULL when memory ran out.
char* gti_text_finish(GtiText* text);

#endif
