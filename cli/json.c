// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON (RFC 8259) for reports: every number is the shortest that reads back the same, every text is valid UTF-8.

#include "json.h"

#include "gertie/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void json_free(Json* json)
{
    text_free(&json->text);
    *json = (Json){ 0 };
}

static void start_value(Json* json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->needs_comma) {
        text_adds(&json->text, json->row_depth ? ", " : ",");
    }
    if (json->depth && !json->row_depth) {
        text_adds(&json->text, "\n");
        text_add_spaces(&json->text, 2 * json->depth);
    }
}

static void begin(Json* json, const char* bracket)
{
    start_value(json);
    text_adds(&json->text, bracket);
    ++json->depth;
    json->needs_comma = false;
    if (json->next_is_row && !json->row_depth) {
        json->row_depth = json->depth;
    }
    json->next_is_row = false;
}

static void end(Json* json, const char* bracket)
{
    bool is_row = json->row_depth != 0;
    if (json->depth == json->row_depth) {
        json->row_depth = 0;
    }
    --json->depth;
    if (json->needs_comma && !is_row) { // without a value before it, it is empty
        text_adds(&json->text, "\n");
        text_add_spaces(&json->text, 2 * json->depth);
    }
    text_adds(&json->text, bracket);
    json->needs_comma = true;
}

static void literal(Json* json, const char* value)
{
    start_value(json);
    text_adds(&json->text, value);
    json->needs_comma = true;
}

static void quoted(Text* text, const char* value)
{
    text_adds(text, "\"");
    for (const char* at = value; *at;) {
        unsigned char c = (unsigned char)*at;
        int length = utf8_length(at);
        if (!length) {
            text_adds(text, "\xEF\xBF\xBD");
        } else if (c == '"' || c == '\\') {
            text_addf(text, "\\%c", c);
        } else if (c < 0x20 || c == 0x7F) {
            text_addf(text, "\\u%04x", c);
        } else {
            text_add(text, at, (size_t)length);
        }
        at += length ? length : 1;
    }
    text_adds(text, "\"");
}

void json_next_is_row(Json* json)
{
    json->next_is_row = true;
}

void json_begin_object(Json* json)
{
    begin(json, "{");
}

void json_end_object(Json* json)
{
    end(json, "}");
}

void json_begin_array(Json* json)
{
    begin(json, "[");
}

void json_end_array(Json* json)
{
    end(json, "]");
}

void json_key(Json* json, const char* key)
{
    start_value(json);
    quoted(&json->text, key);
    text_adds(&json->text, ": ");
    json->after_key = true;
}

void json_string(Json* json, const char* value)
{
    if (!value) {
        json_null(json);
        return;
    }
    start_value(json);
    quoted(&json->text, value);
    json->needs_comma = true;
}

void json_number(Json* json, double value)
{
    char text[GT_NUMBER_SIZE];
    gt_print_double(value, text);
    literal(json, isfinite(value) ? text : "null");
}

void json_float(Json* json, float value)
{
    char text[GT_NUMBER_SIZE];
    gt_print_float(value, text);
    literal(json, isfinite(value) ? text : "null");
}

void json_integer(Json* json, int64_t value)
{
    char text[GT_NUMBER_SIZE];
    snprintf(text, sizeof text, "%lld", (long long)value);
    literal(json, text);
}

void json_bool(Json* json, bool value)
{
    literal(json, value ? "true" : "false");
}

void json_null(Json* json)
{
    literal(json, "null");
}

void json_raw(Json* json, const Text* value)
{
    start_value(json);
    text_add(&json->text, value->bytes, value->size);
    json->text.failed |= value->failed;
    json->needs_comma = true;
}

void json_member_string(Json* json, const char* key, const char* value)
{
    json_key(json, key);
    json_string(json, value);
}

void json_member_number(Json* json, const char* key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

void json_member_float(Json* json, const char* key, float value)
{
    json_key(json, key);
    json_float(json, value);
}

void json_member_integer(Json* json, const char* key, int64_t value)
{
    json_key(json, key);
    json_integer(json, value);
}

void json_member_bool(Json* json, const char* key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}

void json_members(Json* json, const GtFieldTable* table, const void* report)
{
    for (int32_t i = 0; i < table->field_count; ++i) {
        const GtField* field = &table->fields[i];
        const unsigned char* value = (const unsigned char*)report + field->offset;
        bool is_text = field->choices || field->type == GT_FIELD_TEXT || field->type == GT_FIELD_CHARS;
        char name[GT_FIELD_NAME_SIZE];
        char text[256];
        if (field->type == GT_FIELD_GROUP) {
            json_members(json, field->group(), value); // as deep as structs are nested
            continue;
        }
        json_key(json, gt_field_shown_name(field, name));
        if (is_text) {
            gt_field_print(field, value, text, sizeof text);
            json_string(json, text);
        } else if (field->type == GT_FIELD_BOOL) {
            json_bool(json, *(const bool*)value);
        } else if (field->type == GT_FIELD_FLOAT || field->type == GT_FIELD_DOUBLE) {
            json_float(json, (float)gt_field_number(field, value));
        } else {
            json_integer(json, (int64_t)gt_field_number(field, value));
        }
    }
}
