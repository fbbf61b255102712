// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Text that grows. After memory ran out every call does nothing, and `failed` says so.

#ifndef GERTIE_CLI_TEXT_H
#define GERTIE_CLI_TEXT_H

#include "gertie/memory.h"

typedef struct Text {
    char* bytes; // terminated, or NULL while nothing was added
    size_t size;
    size_t capacity;
    bool failed;
} Text;

void text_free(Text* text);
void text_add(Text* text, const char* bytes, size_t size);
void text_adds(Text* text, const char* terminated);
void text_addf(Text* text, const char* format, ...) GT_PRINTF(2, 3);

// Add what a file or a user wrote: control characters, which could drive a terminal, and broken UTF-8 become '?'.
void text_add_printable(Text* text, const char* untrusted);

// Add `count` spaces; nothing when it is 0 or less.
void text_add_spaces(Text* text, int count);

// Add words from `prose`, wrapped at 79 columns with `indent` spaces before each line but the first, on which the
// cursor stands at `column`. A newline in the prose is kept. No newline follows the last word.
void text_add_wrapped(Text* text, const char* prose, int column, int indent);

// What follows a noun of which there are so many.
const char* plural(int32_t count);

// Bytes of the UTF-8 character at `at`, or 0 where there is none; 1 at the terminator.
int utf8_length(const char* at);

// Number of code points, which is near enough to the columns a terminal gives them.
int text_columns(const char* utf8);

#endif
