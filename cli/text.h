// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Text that grows, and JSON on top of it. After memory ran out every call does nothing, and `failed` says so.

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

// Bytes of the UTF-8 character at `at`, or 0 where there is none; 1 at the terminator.
int utf8_length(const char* at);

// Number of code points, which is near enough to the columns a terminal gives them.
int text_columns(const char* utf8);

// A JSON text in the making, two spaces a level. Commas, quotes and escapes are its business.
typedef struct Json {
    Text text;
    int depth;
    int row_depth; // depth of the container that is written on one line, or 0
    bool next_is_row;
    bool needs_comma;
    bool after_key;
} Json;

void json_free(Json* json);
void json_next_is_row(Json* json); // the array or object that begins next goes on one line, with all that is in it
void json_begin_object(Json* json);
void json_end_object(Json* json);
void json_begin_array(Json* json);
void json_end_array(Json* json);
void json_key(Json* json, const char* key);
void json_string(Json* json, const char* value); // broken UTF-8 becomes U+FFFD; NULL becomes null
void json_number(Json* json, double value);      // NaN and infinities become null
void json_float(Json* json, float value);
void json_integer(Json* json, int64_t value);
void json_bool(Json* json, bool value);
void json_null(Json* json);
void json_raw(Json* json, const Text* value); // a whole value that is JSON already

// Members in one line each.
void json_member_string(Json* json, const char* key, const char* value);
void json_member_number(Json* json, const char* key, double value);
void json_member_float(Json* json, const char* key, float value);
void json_member_integer(Json* json, const char* key, int64_t value);
void json_member_bool(Json* json, const char* key, bool value);

#endif
