// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// JSON, read and written. The reader parses a whole text into one flat array of values in document order, each of
// which knows its own bytes, so that what nobody understands can be kept to the letter. It is strict (RFC 8259, UTF-8
// checked, duplicate keys: the last one counts), limits depth, recurses nowhere and takes all memory from one arena.
// The writer streams with shortest round-trip numbers.

#ifndef GERTIE_DATA_JSON_H
#define GERTIE_DATA_JSON_H

#include "gertie/context.h"

typedef enum GtiJsonType {
    GTI_JSON_NULL,
    GTI_JSON_FALSE,
    GTI_JSON_TRUE,
    GTI_JSON_NUMBER,
    GTI_JSON_STRING,
    GTI_JSON_ARRAY,
    GTI_JSON_OBJECT,
} GtiJsonType;

enum {
    GTI_JSON_MAX_DEPTH = 128
};

// A value of a parsed document. Children of an array or object start at value + 1; gti_json_next() steps over a value
// with all that is in it.
typedef struct GtiJson {
    GtiJsonType type;
    uint32_t count;      // children of an array or object
    uint32_t size;       // values in this subtree, this one included
    uint32_t key_length; // of an object's member
    const char* key;     // unescaped and terminated, or NULL where this is no member
    const char* text;    // the value's own bytes in the source: `"a\n"`, `{...}`, `-1e3`; not terminated
    size_t text_length;
    const char* string;   // of a string: unescaped and terminated; may hold \0 only where escaped as \u0000
    size_t string_length; // of that
} GtiJson;

// Parse [text, text + length), which must outlive the result.
// An error says where: "line 3, column 14".
GtResult gti_json_parse(GtArena* arena, const char* text, size_t length, const GtiJson** root, GtError* error);

// First child of an array or object, or NULL when it is empty or neither. Step on with gti_json_next(); count them.
static inline const GtiJson* gti_json_first(const GtiJson* value)
{
    return value && value->count ? value + 1 : NULL;
}

static inline const GtiJson* gti_json_next(const GtiJson* value)
{
    return value + value->size;
}

// Member of an object, or NULL when there is none, or `value` is NULL or no object.
const GtiJson* gti_json_find(const GtiJson* value, const char* key);

// Numbers; false when the value is NULL, not a number, or does not fit (an integer may be written 3.0 or 3e0).
bool gti_json_double(const GtiJson* value, double* out);
bool gti_json_float(const GtiJson* value, float* out);
bool gti_json_int64(const GtiJson* value, int64_t* out);

// Text that grows; NULL-safe after memory ran out: every call is then a no-op, and gti_text_finish() says so.
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

// A JSON text in the making. Commas, quotes, escapes and (with `indent` > 0) line breaks are its business.
typedef struct GtiJsonWriter {
    GtiText text;
    int32_t indent; // spaces a level; 0 writes one line
    int32_t depth;
    bool first; // nothing written yet in the innermost array or object
    bool after_key;
} GtiJsonWriter;

GtiJsonWriter gti_json_writer(GtArena* arena, int32_t indent);
void gti_json_begin_object(GtiJsonWriter* writer);
void gti_json_end_object(GtiJsonWriter* writer);
void gti_json_begin_array(GtiJsonWriter* writer);
void gti_json_end_array(GtiJsonWriter* writer);
void gti_json_key(GtiJsonWriter* writer, const char* key);
// Values. Bytes that are no UTF-8 become U+FFFD; NaN and infinities become null.
void gti_json_string(GtiJsonWriter* writer, const char* value);
void gti_json_number(GtiJsonWriter* writer, double value);
void gti_json_number_float(GtiJsonWriter* writer, float value);
void gti_json_integer(GtiJsonWriter* writer, int64_t value);
void gti_json_bool(GtiJsonWriter* writer, bool value);
void gti_json_null(GtiJsonWriter* writer);
// A value, or members `"a":1,"b":2` of the open object, that are JSON already.
void gti_json_raw(GtiJsonWriter* writer, const char* json);
void gti_json_raw_members(GtiJsonWriter* writer, const char* members);

#endif
