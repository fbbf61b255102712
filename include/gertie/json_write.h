// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: JSON (RFC 8259), written as a stream.
///
/// Numbers are the shortest that read back the same, text is valid UTF-8, and the same calls give the same bytes.
///
/// With an indent, members, and arrays and objects inside arrays, start lines of their own; numbers and other plain
/// values of an array share a line, so that a matrix stays a line.
///
/// **Threads.** A writer is one thread's at a time.

#ifndef GERTIE_JSON_WRITE_H
#define GERTIE_JSON_WRITE_H

#include "gertie/error.h"
#include "gertie/field.h"
#include "gertie/text.h"

GT_EXTERN_C_BEGIN

/// A JSON text in the making. Commas, quotes, escapes and line breaks are its business; the calls must nest.
typedef struct GtJsonWriter {
    GtText text;       ///< what is written so far; take it with gt_text_finish()
    int32_t indent;    ///< private, as all that follows
    int32_t depth;     // of the innermost array or object
    int32_t row_depth; // of the array or object that goes on one line, or 0
    bool next_is_row;
    bool first; // nothing written yet in the innermost array or object
    bool after_key;
    bool after_container; // the value before was an array or object
} GtJsonWriter;

/// Start a JSON text.
/// @param arena   where the text grows, as in GtText; NULL for memory that gt_json_destroy() gives back
/// @param indent  spaces a level; 0 writes everything on one line
GT_API GtJsonWriter gt_json_create(GtArena* arena, int32_t indent);

/// Free the memory of a writer that has its own; `writer` may be NULL.
GT_API void gt_json_destroy(GtJsonWriter* writer);

GT_API void gt_json_begin_object(GtJsonWriter* writer);
GT_API void gt_json_end_object(GtJsonWriter* writer);
GT_API void gt_json_begin_array(GtJsonWriter* writer);
GT_API void gt_json_end_array(GtJsonWriter* writer);

/// Write the array or object that begins next on one line, with all that is in it.
GT_API void gt_json_next_is_row(GtJsonWriter* writer);

/// @name Values
/// Bytes that are no UTF-8 become U+FFFD; NaN, infinities and NULL become null.
/// @{
GT_API void gt_json_key(GtJsonWriter* writer, const char* key); ///< its value must follow
GT_API void gt_json_string(GtJsonWriter* writer, const char* value);
GT_API void gt_json_number(GtJsonWriter* writer, double value);
GT_API void gt_json_float(GtJsonWriter* writer, float value);
GT_API void gt_json_integer(GtJsonWriter* writer, int64_t value);
GT_API void gt_json_bool(GtJsonWriter* writer, bool value);
GT_API void gt_json_null(GtJsonWriter* writer);
GT_API void gt_json_raw(GtJsonWriter* writer, const char* json); ///< a value that is JSON already

/// An error as an object: code, file, where, message.
/// @param code  NULL for gt_result_code() of the error
GT_API void gt_json_error(GtJsonWriter* writer, const GtError* error, const char* code);
/// @}

/// @name Members of the open object
/// @{
GT_API void gt_json_member_string(GtJsonWriter* writer, const char* key, const char* value);
GT_API void gt_json_member_number(GtJsonWriter* writer, const char* key, double value);
GT_API void gt_json_member_float(GtJsonWriter* writer, const char* key, float value);
GT_API void gt_json_member_integer(GtJsonWriter* writer, const char* key, int64_t value);
GT_API void gt_json_member_bool(GtJsonWriter* writer, const char* key, bool value);
GT_API void gt_json_member_object(GtJsonWriter* writer, const char* key);   ///< begins; gt_json_end_object() ends it
GT_API void gt_json_member_array(GtJsonWriter* writer, const char* key);    ///< begins; gt_json_end_array() ends it
GT_API void gt_json_raw_members(GtJsonWriter* writer, const char* members); ///< `"a":1,"b":2`, JSON already

/// All fields of a struct, each as a member; those of a group stand among the others. Measurements have the digits of a
/// float, angles are in degrees.
GT_API void gt_json_members(GtJsonWriter* writer, const GtFieldTable* table, const void* values);
/// @}

GT_EXTERN_C_END

#endif
