// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// JSON, read; gertie/json_write.h writes it. The reader parses a whole text into one flat array of values in document
// order, each of which knows its own bytes, so that what nobody understands can be kept to the letter. It is strict
// (RFC 8259, UTF-8 checked, duplicate keys: the last one counts), limits depth, recurses nowhere and takes all memory
// from one arena: 32 bytes a value. Strings stay in the text they were read from until somebody asks for them, so a
// data URI of half a gigabyte costs nothing.

#ifndef GERTIE_DATA_JSON_H
#define GERTIE_DATA_JSON_H

#include "data/text.h"
#include "gertie/context.h"
#include "gertie/json_write.h"

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
// with all that is in it. Neither `text` nor `key` is terminated.
typedef struct GtiJson {
    const char* text; // the value's own bytes in the source: `"a\n"`, `{...}`, `-1e3`
    const char* key;  // unescaped, or NULL where this is no member of an object
    uint32_t text_length;
    uint32_t key_length;
    uint32_t size;        // values in this subtree, this one included
    uint32_t type : 3;    // GtiJsonType
    uint32_t escaped : 1; // a string with a backslash in it
    uint32_t count : 28;  // children of an array or object
} GtiJson;

// Parse [text, text + length), which must outlive the result.
// An error says where: "line 3, column 14"; columns count characters.
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

// The same by [key, key + length).
const GtiJson* gti_json_member(const GtiJson* value, const char* key, size_t length);

// Whether `value` is a member called `key`.
bool gti_json_key_is(const GtiJson* value, const char* key);

// Numbers; false when the value is NULL, not a number, or does not fit (an integer may be written 3.0 or 3e0).
bool gti_json_double(const GtiJson* value, double* out);
bool gti_json_float(const GtiJson* value, float* out);
bool gti_json_int64(const GtiJson* value, int64_t* out);

// A number among the members of an object; `otherwise` where it has none of that name.
float gti_json_get_float(const GtiJson* object, const char* key, float otherwise);

// A list of exactly `count` numbers; false where it is none, or NULL.
bool gti_json_floats(const GtiJson* list, int count, float* out);
bool gti_json_ints(const GtiJson* list, int count, int32_t* out);

// Whether `value` is a string that reads `text`; false when it is NULL.
bool gti_json_equals(const GtiJson* value, const char* text);

// A string, unescaped and terminated, in `arena`; NULL when memory ran out. It may hold \0, where the file has \u0000:
// `length`, which may be NULL, receives the whole. `value` must be a string.
char* gti_json_copy(GtArena* arena, const GtiJson* value, size_t* length);

// A string, unescaped, not terminated: in the source itself where it has no escapes, else in `arena`; NULL when memory
// ran out. For strings too long to copy. `value` must be a string.
const char* gti_json_view(GtArena* arena, const GtiJson* value, size_t* length);

// Where `value` is below `root`, for messages: "meshes[0].primitives[1].indices"; "" for the root itself. Keys that are
// no plain names are quoted: `extras["my key"]`; of very long ones the start is shown.
// @param out  [out_size], terminated; what does not fit is left out at the end
void gti_json_path(const GtiJson* root, const GtiJson* value, char* out, size_t out_size);

// Refuse the member `key` of an object below `root`, which may be missing: "meshes[0].name: must be a text".
GtResult gti_json_refuse(const GtiJson* root, const GtiJson* object, const char* key, const char* must, GtError* error);

// Lists of numbers.
void gti_json_float_list(GtJsonWriter* writer, const float* values, size_t count);
void gti_json_int_list(GtJsonWriter* writer, const int32_t* values, size_t count);

// Finish the text and write it to a file, with a line break at its end.
GtResult gti_json_save(GtJsonWriter* writer, const GtContext* context, const char* path, GtError* error);

#endif
