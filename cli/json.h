// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// JSON for reports, on top of a text that grows.

#ifndef GERTIE_CLI_JSON_H
#define GERTIE_CLI_JSON_H

#include "text.h"

#include "gertie/field.h"

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

// All fields of a report, each as a member; those of a group stand among the others. Measurements have the digits of a
// float, angles are in degrees.
void json_members(Json* json, const GtFieldTable* table, const void* report);

#endif
