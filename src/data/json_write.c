// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The JSON writer. With an indent, members and nested arrays or objects start lines of their own; numbers and other
// scalars of an array share one, so that a matrix stays a line. Same calls, same bytes.

#include "data/json.h"

#include "base/fail.h"
#include "base/utf8.h"
#include "data/files.h"
#include "gertie/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

GtiJsonWriter gti_json_writer(GtArena* arena, int32_t indent)
{
    return (GtiJsonWriter){ .text = gti_text_create(arena), .indent = indent, .first = true };
}

static void break_line(GtiJsonWriter* writer)
{
    static const char spaces[] = "                                ";
    if (writer->indent <= 0) {
        return;
    }
    gti_text_add(&writer->text, "\n", 1);
    for (int32_t left = writer->indent * writer->depth; left > 0;) {
        int32_t some = left < (int32_t)sizeof spaces - 1 ? left : (int32_t)sizeof spaces - 1;
        gti_text_add(&writer->text, spaces, (size_t)some);
        left -= some;
    }
}

// What goes before a value: nothing after its key, else comma and line break as the place asks.
static void before_value(GtiJsonWriter* writer, bool container)
{
    if (!writer->after_key) {
        if (!writer->first) {
            gti_text_add(&writer->text, ",", 1);
        }
        if (writer->depth > 0 && (container || writer->after_container)) {
            break_line(writer);
        } else if (!writer->first && writer->indent > 0) {
            gti_text_add(&writer->text, " ", 1);
        }
    }
    writer->first = container;
    writer->after_key = false;
    writer->after_container = false;
}

static void begin(GtiJsonWriter* writer, const char* bracket)
{
    before_value(writer, true);
    gti_text_add(&writer->text, bracket, 1);
    ++writer->depth;
}

static void end(GtiJsonWriter* writer, const char* bracket, bool own_line)
{
    GT_ASSERT(writer->depth > 0 && !writer->after_key);
    --writer->depth;
    if (!writer->first && own_line) {
        break_line(writer);
    }
    gti_text_add(&writer->text, bracket, 1);
    writer->first = false;
    writer->after_container = true;
}

void gti_json_begin_object(GtiJsonWriter* writer)
{
    begin(writer, "{");
}

void gti_json_end_object(GtiJsonWriter* writer)
{
    end(writer, "}", true);
}

void gti_json_begin_array(GtiJsonWriter* writer)
{
    begin(writer, "[");
}

void gti_json_end_array(GtiJsonWriter* writer)
{
    end(writer, "]", writer->after_container);
}

static void add_escape(GtiText* text, unsigned char c)
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
    gti_text_adds(text, escape);
}

static void add_quoted(GtiText* text, const char* value)
{
    const char* stop = value + strlen(value);
    const char* plain = value; // start of what can be copied as it is
    gti_text_add(text, "\"", 1);
    for (const char* p = value; p < stop;) {
        size_t length = gti_utf8_length(p, stop);
        unsigned char c = (unsigned char)*p;
        bool escape = c < 0x20 || c == '"' || c == '\\';
        if (length > 0 && !escape) {
            p += length;
            continue;
        }
        gti_text_add(text, plain, (size_t)(p - plain));
        if (escape) {
            add_escape(text, c);
        } else {
            gti_text_adds(text, "\xEF\xBF\xBD");
        }
        plain = ++p;
    }
    gti_text_add(text, plain, (size_t)(stop - plain));
    gti_text_add(text, "\"", 1);
}

void gti_json_key(GtiJsonWriter* writer, const char* key)
{
    GT_ASSERT(writer->depth > 0 && !writer->after_key);
    if (!writer->first) {
        gti_text_add(&writer->text, ",", 1);
    }
    break_line(writer);
    add_quoted(&writer->text, key);
    gti_text_adds(&writer->text, writer->indent > 0 ? ": " : ":");
    writer->after_key = true;
}

void gti_json_string(GtiJsonWriter* writer, const char* value)
{
    before_value(writer, false);
    add_quoted(&writer->text, value);
}

void gti_json_float_list(GtiJsonWriter* writer, const float* values, size_t count)
{
    gti_json_begin_array(writer);
    for (size_t i = 0; i < count; ++i) {
        gti_json_number_float(writer, values[i]);
    }
    gti_json_end_array(writer);
}

void gti_json_int_list(GtiJsonWriter* writer, const int32_t* values, size_t count)
{
    gti_json_begin_array(writer);
    for (size_t i = 0; i < count; ++i) {
        gti_json_integer(writer, values[i]);
    }
    gti_json_end_array(writer);
}

void gti_json_raw(GtiJsonWriter* writer, const char* json)
{
    before_value(writer, false);
    gti_text_adds(&writer->text, json);
}

void gti_json_number(GtiJsonWriter* writer, double value)
{
    char number[GT_NUMBER_SIZE] = "null";
    if (isfinite(value)) {
        gt_print_double(value, number);
    }
    gti_json_raw(writer, number);
}

void gti_json_number_float(GtiJsonWriter* writer, float value)
{
    char number[GT_NUMBER_SIZE] = "null";
    if (isfinite(value)) {
        gt_print_float(value, number);
    }
    gti_json_raw(writer, number);
}

void gti_json_integer(GtiJsonWriter* writer, int64_t value)
{
    char number[GT_NUMBER_SIZE];
    snprintf(number, sizeof number, "%" PRId64, value);
    gti_json_raw(writer, number);
}

void gti_json_bool(GtiJsonWriter* writer, bool value)
{
    gti_json_raw(writer, value ? "true" : "false");
}

void gti_json_null(GtiJsonWriter* writer)
{
    gti_json_raw(writer, "null");
}

void gti_json_raw_members(GtiJsonWriter* writer, const char* members)
{
    GT_ASSERT(writer->depth > 0 && !writer->after_key);
    if (!members[0]) {
        return;
    }
    if (!writer->first) {
        gti_text_add(&writer->text, ",", 1);
    }
    break_line(writer);
    gti_text_adds(&writer->text, members);
    writer->first = false;
}

GtResult gti_json_save(GtiJsonWriter* writer, const GtContext* context, const char* path, GtError* error)
{
    const char* text = gti_text_finish(&writer->text);
    if (!text) {
        return gti_out_of_memory(error);
    }
    const GtiSpan spans[2] = { { text, strlen(text) }, { "\n", 1 } };
    return gti_file_write(context, path, spans, 2, error);
}
