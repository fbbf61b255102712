// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// JSON: whatever parses must be a well-formed tree over its own source, and must come back the same after it was
// written, value by value and raw.

#include "data/json.h"

#include "gertie/context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "json_fuzz: line %d: %s does not hold\n", __LINE__, #condition);                           \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static GtiJsonType type_of_first_byte(char c)
{
    switch (c) {
    case 'n':
        return GTI_JSON_NULL;
    case 'f':
        return GTI_JSON_FALSE;
    case 't':
        return GTI_JSON_TRUE;
    case '"':
        return GTI_JSON_STRING;
    case '[':
        return GTI_JSON_ARRAY;
    case '{':
        return GTI_JSON_OBJECT;
    default:
        return GTI_JSON_NUMBER;
    }
}

// The value's children fill its subtree, and its text lies inside its parent's.
static void check_shape(const GtiJson* value)
{
    CHECK(value->text_length > 0 && value->size >= 1);
    CHECK(value->type == type_of_first_byte(value->text[0]));
    const GtiJson* child = value + 1;
    for (uint32_t i = 0; i < value->count; ++i) {
        CHECK((child->key != NULL) == (value->type == GTI_JSON_OBJECT));
        CHECK(child->text > value->text);
        CHECK(child->text + child->text_length < value->text + value->text_length);
        child = gti_json_next(child);
    }
    CHECK(child == gti_json_next(value));
}

static void check_string(GtArena* arena, const GtiJson* value)
{
    size_t length = 0;
    size_t view_length = 0;
    char* copy = gti_json_copy(arena, value, &length);
    const char* view = gti_json_view(arena, value, &view_length);
    CHECK(copy && view && length == view_length && memcmp(copy, view, length) == 0 && copy[length] == 0);
    CHECK(gti_json_equals(value, copy) == (strlen(copy) == length));
    CHECK(!gti_json_equals(value, "\xFF"));
}

static void check_number(const GtiJson* value)
{
    double number = 0.0;
    float single = 0.0f;
    int64_t integer = 0;
    bool fits = gti_json_double(value, &number);
    bool fits_float = gti_json_float(value, &single);
    bool fits_integer = gti_json_int64(value, &integer);
    CHECK(!fits || isfinite(number));
    CHECK(!fits_float || (isfinite(single) && fits));
    CHECK(!fits_integer || (fits && (double)integer == number));
}

static void write_scalar(GtJsonWriter* writer, GtArena* arena, const GtiJson* value)
{
    double number = 0.0;
    if (value->type == GTI_JSON_STRING) {
        gt_json_string(writer, gti_json_copy(arena, value, NULL));
    } else if (value->type == GTI_JSON_NUMBER) {
        gt_json_number(writer, gti_json_double(value, &number) ? number : 0.0);
    } else if (value->type == GTI_JSON_NULL) {
        gt_json_null(writer);
    } else {
        gt_json_bool(writer, value->type == GTI_JSON_TRUE);
    }
}

// Write the whole document, without recursion: `ends` holds where each open array or object is over.
static const char* write_all(GtArena* text_arena, GtArena* arena, const GtiJson* root, int32_t indent)
{
    const GtiJson* open[GTI_JSON_MAX_DEPTH];
    int depth = 0;
    GtJsonWriter writer = gt_json_create(text_arena, indent);
    for (const GtiJson* value = root; value < gti_json_next(root); ++value) {
        if (value->key) {
            gt_json_key(&writer, gt_arena_push_text(arena, value->key, value->key_length));
        }
        if (value->type == GTI_JSON_OBJECT || value->type == GTI_JSON_ARRAY) {
            value->type == GTI_JSON_OBJECT ? gt_json_begin_object(&writer) : gt_json_begin_array(&writer);
            open[depth++] = value;
        } else {
            write_scalar(&writer, arena, value);
        }
        while (depth > 0 && value + 1 == gti_json_next(open[depth - 1])) {
            --depth;
            open[depth]->type == GTI_JSON_OBJECT ? gt_json_end_object(&writer) : gt_json_end_array(&writer);
        }
    }
    return gt_text_finish(&writer.text);
}

static void check_same(GtArena* arena, const GtiJson* a, const GtiJson* b)
{
    CHECK(a->size == b->size);
    for (uint32_t i = 0; i < a->size; ++i) {
        const GtiJson* x = a + i;
        const GtiJson* y = b + i;
        CHECK(x->type == y->type && x->count == y->count && x->size == y->size);
        double number = 0.0;
        double again = 0.0;
        if (gti_json_double(x, &number)) {
            CHECK(gti_json_double(y, &again) && memcmp(&number, &again, sizeof number) == 0);
        }
        size_t length = 0;
        const char* string = x->type == GTI_JSON_STRING ? gti_json_copy(arena, x, &length) : "";
        if (strlen(string) == length && x->type == GTI_JSON_STRING) { // the writer ends a string at \0
            CHECK(gti_json_equals(y, string));
        }
        if (x->key && !memchr(x->key, 0, x->key_length)) {
            CHECK(x->key_length == y->key_length && memcmp(x->key, y->key, x->key_length) == 0);
        }
    }
}

static void check_document(GtArena* arena, const GtiJson* root)
{
    char path[96];
    for (const GtiJson* value = root; value < gti_json_next(root); ++value) {
        check_shape(value);
        if (value->type == GTI_JSON_STRING) {
            check_string(arena, value);
        } else if (value->type == GTI_JSON_NUMBER) {
            check_number(value);
        }
        if (value - root < 64) {
            gti_json_path(root, value, path, sizeof path);
            CHECK(strlen(path) < sizeof path && (value == root) == (path[0] == 0));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtError error = { 0 };
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    GtResult result = gti_json_parse(&arena, (const char*)data, size, &root, &error);
    if (result != GT_OK) {
        CHECK(!root && error.message[0] && strncmp(error.where, "line ", 5) == 0);
        CHECK(arena.used == 0);
        return 0;
    }
    check_document(&arena, root);
    GtArena text_arena = gt_arena_create(gt_default_allocator());
    for (int32_t indent = 0; indent <= 3; indent += 3) {
        const GtiJson* again = NULL;
        const char* text = write_all(&text_arena, &arena, root, indent);
        CHECK(gti_json_parse(&arena, text, strlen(text), &again, &error) == GT_OK);
        check_same(&arena, root, again);
    }
    GtJsonWriter raw = gt_json_create(&text_arena, 0);
    gt_json_begin_array(&raw);
    gt_json_raw(&raw, gt_arena_push_text(&arena, root->text, root->text_length));
    gt_json_end_array(&raw);
    const char* text = gt_text_finish(&raw.text);
    const GtiJson* again = NULL;
    // One level more may be one too many.
    if (gti_json_parse(&arena, text, strlen(text), &again, &error) == GT_OK) {
        check_same(&arena, root, again + 1);
    } else {
        CHECK(error.code == GT_ERROR_LIMIT);
    }
    gt_arena_destroy(&text_arena);
    gt_arena_destroy(&arena);
    return 0;
}
