// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/json_write.h"

#include "base/fail.h"
#include "base/utf8.h"
#include "data/files.h"
#include "data/json.h"
#include "gertie/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

GtJsonWriter gt_json_create(GtArena* arena, int32_t indent)
{
    return (GtJsonWriter){ .text.arena = arena, .indent = indent, .first = true };
}

void gt_json_destroy(GtJsonWriter* writer)
{
    gt_text_destroy(writer ? &writer->text : NULL);
}

static void break_line(GtJsonWriter* writer)
{
    static const char spaces[] = "                                ";
    if (writer->indent <= 0) {
        return;
    }
    gt_text_add(&writer->text, "\n", 1);
    for (int32_t left = writer->indent * writer->depth; left > 0;) {
        int32_t some = left < (int32_t)sizeof spaces - 1 ? left : (int32_t)sizeof spaces - 1;
        gt_text_add(&writer->text, spaces, (size_t)some);
        left -= some;
    }
}

// What goes between a value or member and the one before it.
static void separate(GtJsonWriter* writer, bool own_line)
{
    if (!writer->first) {
        gt_text_add(&writer->text, ",", 1);
    }
    if (own_line && !writer->row_depth) {
        break_line(writer);
    } else if (!writer->first && writer->indent > 0) {
        gt_text_add(&writer->text, " ", 1);
    }
}

static void before_value(GtJsonWriter* writer, bool is_container)
{
    if (!writer->after_key) {
        separate(writer, writer->depth > 0 && (is_container || writer->after_container));
    }
    writer->first = false;
    writer->after_key = false;
    writer->after_container = is_container;
}

static void begin(GtJsonWriter* writer, const char* bracket)
{
    before_value(writer, true);
    gt_text_add(&writer->text, bracket, 1);
    ++writer->depth;
    if (writer->next_is_row && !writer->row_depth) {
        writer->row_depth = writer->depth;
    }
    writer->next_is_row = false;
    writer->first = true;
    writer->after_container = false;
}

static void end(GtJsonWriter* writer, const char* bracket, bool own_line)
{
    GT_ASSERT(writer->depth > 0 && !writer->after_key);
    bool is_row = writer->row_depth != 0;
    if (writer->row_depth == writer->depth) {
        writer->row_depth = 0;
    }
    --writer->depth;
    if (!writer->first && own_line && !is_row) {
        break_line(writer);
    }
    gt_text_add(&writer->text, bracket, 1);
    writer->first = false;
    writer->after_container = true;
}

void gt_json_next_is_row(GtJsonWriter* writer)
{
    writer->next_is_row = true;
}

void gt_json_begin_object(GtJsonWriter* writer)
{
    begin(writer, "{");
}

void gt_json_end_object(GtJsonWriter* writer)
{
    end(writer, "}", true);
}

void gt_json_begin_array(GtJsonWriter* writer)
{
    begin(writer, "[");
}

void gt_json_end_array(GtJsonWriter* writer)
{
    end(writer, "]", writer->after_container);
}

static void add_escape(GtText* text, unsigned char c)
{
    static const char letters[] = "btn?fr"; // from \b, 0x08, on; 0x0B has none
    char escape[8];
    if (c == '"' || c == '\\') {
        snprintf(escape, sizeof escape, "\\%c", c);
    } else if (c >= 0x08 && c <= 0x0D && c != 0x0B) {
        snprintf(escape, sizeof escape, "\\%c", letters[c - 0x08]);
    } else {
        snprintf(escape, sizeof escape, "\\u%04x", c);
    }
    gt_text_adds(text, escape);
}

static void add_quoted(GtText* text, const char* value)
{
    const char* stop = value + strlen(value);
    const char* plain = value; // start of what can be copied as it is
    gt_text_add(text, "\"", 1);
    for (const char* p = value; p < stop;) {
        size_t length = gti_utf8_length(p, stop);
        unsigned char c = (unsigned char)*p;
        bool escape = c < 0x20 || c == '"' || c == '\\';
        if (length > 0 && !escape) {
            p += length;
            continue;
        }
        gt_text_add(text, plain, (size_t)(p - plain));
        if (escape) {
            add_escape(text, c);
        } else {
            gt_text_adds(text, "\xEF\xBF\xBD");
        }
        plain = ++p;
    }
    gt_text_add(text, plain, (size_t)(stop - plain));
    gt_text_add(text, "\"", 1);
}

void gt_json_key(GtJsonWriter* writer, const char* key)
{
    GT_ASSERT(writer->depth > 0 && !writer->after_key);
    separate(writer, true);
    add_quoted(&writer->text, key);
    gt_text_adds(&writer->text, writer->indent > 0 ? ": " : ":");
    writer->after_key = true;
}

void gt_json_raw(GtJsonWriter* writer, const char* json)
{
    before_value(writer, json[0] == '{' || json[0] == '[');
    gt_text_adds(&writer->text, json);
}

void gt_json_string(GtJsonWriter* writer, const char* value)
{
    if (value) {
        before_value(writer, false);
        add_quoted(&writer->text, value);
    } else {
        gt_json_null(writer);
    }
}

void gt_json_number(GtJsonWriter* writer, double value)
{
    char number[GT_NUMBER_SIZE] = "null";
    if (isfinite(value)) {
        gt_print_double(value, number);
    }
    gt_json_raw(writer, number);
}

void gt_json_float(GtJsonWriter* writer, float value)
{
    char number[GT_NUMBER_SIZE] = "null";
    if (isfinite(value)) {
        gt_print_float(value, number);
    }
    gt_json_raw(writer, number);
}

void gt_json_integer(GtJsonWriter* writer, int64_t value)
{
    char number[GT_NUMBER_SIZE];
    snprintf(number, sizeof number, "%" PRId64, value);
    gt_json_raw(writer, number);
}

void gt_json_bool(GtJsonWriter* writer, bool value)
{
    gt_json_raw(writer, value ? "true" : "false");
}

void gt_json_null(GtJsonWriter* writer)
{
    gt_json_raw(writer, "null");
}

void gt_json_raw_members(GtJsonWriter* writer, const char* members)
{
    GT_ASSERT(writer->depth > 0 && !writer->after_key);
    if (members[0]) {
        separate(writer, true);
        gt_text_adds(&writer->text, members);
        writer->first = false;
    }
}

void gt_json_member_string(GtJsonWriter* writer, const char* key, const char* value)
{
    gt_json_key(writer, key);
    gt_json_string(writer, value);
}

void gt_json_member_number(GtJsonWriter* writer, const char* key, double value)
{
    gt_json_key(writer, key);
    gt_json_number(writer, value);
}

void gt_json_member_float(GtJsonWriter* writer, const char* key, float value)
{
    gt_json_key(writer, key);
    gt_json_float(writer, value);
}

void gt_json_member_integer(GtJsonWriter* writer, const char* key, int64_t value)
{
    gt_json_key(writer, key);
    gt_json_integer(writer, value);
}

void gt_json_member_bool(GtJsonWriter* writer, const char* key, bool value)
{
    gt_json_key(writer, key);
    gt_json_bool(writer, value);
}

void gt_json_member_object(GtJsonWriter* writer, const char* key)
{
    gt_json_key(writer, key);
    gt_json_begin_object(writer);
}

void gt_json_member_array(GtJsonWriter* writer, const char* key)
{
    gt_json_key(writer, key);
    gt_json_begin_array(writer);
}

void gt_json_members(GtJsonWriter* json, const GtFieldTable* table, const void* report)
{
    for (int32_t i = 0; i < table->field_count; ++i) {
        const GtField* field = &table->fields[i];
        const unsigned char* value = (const unsigned char*)report + field->offset;
        bool is_text = field->choices || field->type == GT_FIELD_TEXT || field->type == GT_FIELD_CHARS;
        char name[GT_FIELD_NAME_SIZE];
        char text[256];
        if (field->type == GT_FIELD_GROUP) {
            gt_json_members(json, field->group(), value); // as deep as structs are nested
            continue;
        }
        gt_json_key(json, gt_field_shown_name(field, name));
        if (is_text) {
            gt_field_print(field, value, text, sizeof text);
            gt_json_string(json, text);
        } else if (field->type == GT_FIELD_BOOL) {
            gt_json_bool(json, *(const bool*)value);
        } else if (field->type == GT_FIELD_FLOAT || field->type == GT_FIELD_DOUBLE) {
            gt_json_float(json, (float)gt_field_number(field, value));
        } else {
            gt_json_integer(json, (int64_t)gt_field_number(field, value));
        }
    }
}

void gti_json_float_list(GtJsonWriter* writer, const float* values, size_t count)
{
    gt_json_begin_array(writer);
    for (size_t i = 0; i < count; ++i) {
        gt_json_float(writer, values[i]);
    }
    gt_json_end_array(writer);
}

void gti_json_int_list(GtJsonWriter* writer, const int32_t* values, size_t count)
{
    gt_json_begin_array(writer);
    for (size_t i = 0; i < count; ++i) {
        gt_json_integer(writer, values[i]);
    }
    gt_json_end_array(writer);
}

void gt_json_error(GtJsonWriter* writer, const GtError* error, const char* code)
{
    gt_json_begin_object(writer);
    gt_json_member_string(writer, "code", code ? code : gt_result_code(error->code));
    gt_json_member_string(writer, "file", error->file);
    gt_json_member_string(writer, "where", error->where);
    gt_json_member_string(writer, "message", error->message);
    gt_json_end_object(writer);
}

GtResult gti_json_save(GtJsonWriter* writer, const GtContext* context, const char* path, GtError* error)
{
    const char* text = gt_text_finish(&writer->text);
    if (!text) {
        return gti_out_of_memory(error);
    }
    const GtiSpan spans[2] = { { text, strlen(text) }, { "\n", 1 } };
    return gti_file_write(context, path, spans, 2, error);
}
