// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_CLI_JSON_H
#define GERTIE_CLI_JSON_H

#include "text.h"

#include "gertie/json_write.h"

typedef GtJsonWriter Json;
#define json_next_is_row    gt_json_next_is_row
#define json_begin_object   gt_json_begin_object
#define json_end_object     gt_json_end_object
#define json_begin_array    gt_json_begin_array
#define json_end_array      gt_json_end_array
#define json_key            gt_json_key
#define json_string         gt_json_string
#define json_number         gt_json_number
#define json_float          gt_json_float
#define json_integer        gt_json_integer
#define json_bool           gt_json_bool
#define json_null           gt_json_null
#define json_raw            gt_json_raw
#define json_member_string  gt_json_member_string
#define json_member_number  gt_json_member_number
#define json_member_float   gt_json_member_float
#define json_member_integer gt_json_member_integer
#define json_member_bool    gt_json_member_bool
#define json_free           gt_json_destroy
#define json_members        gt_json_members

#endif
