// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Reading an object by its schema: every member goes into its field; "extras", "extensions" and members that the
// schema does not know are kept as text. Nesting follows the schemas, never the file, so its depth is bounded.

#include "io/gltf/reader.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_TOLD = 100 // repairs
};

static GtResult fail_v(GtiGltfReader* reader, const GtiJson* json, GtResult code, const char* format, va_list arguments)
    GT_PRINTF(4, 0);

static GtResult fail_v(GtiGltfReader* reader, const GtiJson* json, GtResult code, const char* format, va_list arguments)
{
    char where[sizeof reader->error->where];
    gti_json_path(reader->root, json, where, sizeof where);
    return gti_fail_v(reader->error, code, where, format, arguments);
}

GtResult gti_gltf_fail(GtiGltfReader* reader, const GtiJson* json, GtResult code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_v(reader, json, code, format, arguments);
    va_end(arguments);
    return code;
}

GtResult gti_gltf_repair(GtiGltfReader* reader, const GtiJson* json, const char* format, ...)
{
    if (reader->repair_count++ >= MAX_TOLD) {
        return GT_OK;
    }
    GtError said = { 0 };
    char where[sizeof said.where];
    gti_json_path(reader->root, json, where, sizeof where);
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(&said, GT_OK, where, format, arguments);
    va_end(arguments);
    return gti_repair(reader->context, reader->error, reader->input->path, where, "%s", said.message);
}

void gti_gltf_sum_up_repairs(const GtiGltfReader* reader)
{
    if (reader->repair_count > MAX_TOLD) {
        gti_warn(reader->context, reader->input->path, NULL, "%d more such things were repaired",
                 (int)(reader->repair_count - MAX_TOLD));
    }
}

const char* gti_gltf_type_name(const GtiJson* json)
{
    static const char* const names[] = {
        [GTI_JSON_NULL] = "null",        [GTI_JSON_FALSE] = "false",     [GTI_JSON_TRUE] = "true",
        [GTI_JSON_NUMBER] = "a number",  [GTI_JSON_STRING] = "a string", [GTI_JSON_ARRAY] = "an array",
        [GTI_JSON_OBJECT] = "an object",
    };
    return names[json->type];
}

static GtResult expected(GtiGltfReader* reader, const GtiJson* json, const char* what)
{
    if (json->type == GTI_JSON_NUMBER) {
        int length = json->text_length < 40 ? (int)json->text_length : 40;
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must be %s, not %.*s", what, length, json->text);
    }
    return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must be %s, not %s", what, gti_gltf_type_name(json));
}

GtResult gti_gltf_read_text(GtiGltfReader* reader, const GtiJson* json, const char** out)
{
    if (json->type != GTI_JSON_STRING) {
        return expected(reader, json, "a string");
    }
    GtArenaMark mark = gt_arena_mark(reader->scratch);
    size_t length = 0;
    const char* text = gti_json_view(reader->scratch, json, &length);
    *out = text ? gt_scene_push_text(reader->scene, text, length) : NULL;
    gt_arena_reset(reader->scratch, mark);
    return *out ? GT_OK : gti_out_of_memory(reader->error);
}

static GtResult read_integer(GtiGltfReader* reader, const GtiJson* json, int64_t min, int64_t max, const char* what,
                             int64_t* out)
{
    if (!gti_json_int64(json, out) || *out < min || *out > max) {
        return expected(reader, json, what);
    }
    return GT_OK;
}

GtResult gti_gltf_read_index(GtiGltfReader* reader, const GtiJson* json, int32_t* out)
{
    int64_t value = 0;
    GtResult result = read_integer(reader, json, 0, INT32_MAX - 1, "an index (0, 1, 2...)", &value);
    *out = (int32_t)value;
    return result;
}

GtResult gti_gltf_read_floats(GtiGltfReader* reader, const GtiJson* json, size_t count, float* out)
{
    if (json->type != GTI_JSON_ARRAY) {
        return expected(reader, json, "an array of numbers");
    }
    if (json->count != count) {
        return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must have %zu numbers, not %u", count,
                             (unsigned)json->count);
    }
    const GtiJson* item = gti_json_first(json);
    for (size_t i = 0; i < count; ++i, item = gti_json_next(item)) {
        if (!gti_json_float(item, &out[i])) {
            return expected(reader, item, "a number that fits a 32-bit float");
        }
    }
    return GT_OK;
}

static GtResult read_word(GtiGltfReader* reader, const GtiJson* json, const GtiGltfWord* words, int32_t* out)
{
    for (const GtiGltfWord* word = words; word->word; ++word) {
        if (gti_json_equals(json, word->word)) {
            *out = word->value;
            return GT_OK;
        }
    }
    char choices[256] = "";
    for (const GtiGltfWord* word = words; word->word; ++word) {
        size_t used = strlen(choices);
        snprintf(choices + used, sizeof choices - used, "%s%s", used ? ", " : "", word->word);
    }
    return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "must be one of %s", choices);
}

static void set_pointer(void* object, size_t at, const void* pointer)
{
    memcpy((char*)object + at, &pointer, sizeof pointer);
}

static size_t list_item_size(const GtiGltfField* field)
{
    switch (field->kind) {
    case GTI_GLTF_OBJECTS:
        return field->schema->size;
    case GTI_GLTF_TEXTS:
        return sizeof(char*);
    case GTI_GLTF_INDICES:
        return sizeof(int32_t);
    default:
        return sizeof(float);
    }
}

static GtResult read_list_item(GtiGltfReader* reader, const GtiGltfField* field, const GtiJson* json, void* out)
{
    switch (field->kind) {
    case GTI_GLTF_OBJECTS:
        return gti_gltf_read_object(reader, field->schema, json, out);
    case GTI_GLTF_TEXTS:
        return gti_gltf_read_text(reader, json, out);
    case GTI_GLTF_INDICES:
        return gti_gltf_read_index(reader, json, out);
    default:
        return gti_json_float(json, out) ? GT_OK : expected(reader, json, "a number that fits a 32-bit float");
    }
}

static GtResult read_list(GtiGltfReader* reader, const GtiGltfField* field, const GtiJson* json, void* object)
{
    if (json->type != GTI_JSON_ARRAY) {
        return expected(reader, json, "an array");
    }
    size_t size = list_item_size(field);
    char* items = gt_scene_push(reader->scene, json->count, size);
    if (!items) {
        return gti_out_of_memory(reader->error);
    }
    set_pointer(object, field->at, items);
    int32_t* count = (int32_t*)((char*)object + field->count_at);
    const GtiJson* item = gti_json_first(json);
    GtResult result = GT_OK;
    for (*count = 0; *count < (int32_t)json->count && result == GT_OK; item = gti_json_next(item)) {
        result = read_list_item(reader, field, item, items + (size_t)(*count)++ * size);
    }
    return result;
}

static GtResult read_allocated(GtiGltfReader* reader, const GtiGltfField* field, const GtiJson* json, void* object)
{
    bool matrix = field->kind == GTI_GLTF_MATRIX;
    void* target = matrix ? gt_scene_push(reader->scene, field->length, sizeof(float))
                          : gt_scene_push(reader->scene, 1, field->schema->size);
    if (!target) {
        return gti_out_of_memory(reader->error);
    }
    set_pointer(object, field->at, target);
    return matrix ? gti_gltf_read_floats(reader, json, field->length, target)
                  : gti_gltf_read_object(reader, field->schema, json, target);
}

static GtResult read_members(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* json, void* object);

static GtResult read_field(GtiGltfReader* reader, const GtiGltfField* field, const GtiJson* json, void* object)
{
    void* at = (char*)object + field->at;
    int64_t integer = 0;
    GtResult result = GT_OK;
    switch (field->kind) {
    case GTI_GLTF_TEXT:
        return gti_gltf_read_text(reader, json, at);
    case GTI_GLTF_WORD:
        return read_word(reader, json, field->words, at);
    case GTI_GLTF_BOOL:
        if (json->type != GTI_JSON_FALSE && json->type != GTI_JSON_TRUE) {
            return expected(reader, json, "true or false");
        }
        *(bool*)at = json->type == GTI_JSON_TRUE;
        return GT_OK;
    case GTI_GLTF_INT:
        result = read_integer(reader, json, INT32_MIN, INT32_MAX, "an integer", &integer);
        *(int32_t*)at = (int32_t)integer;
        return result;
    case GTI_GLTF_UINT:
        result = read_integer(reader, json, 0, UINT32_MAX, "an integer of 0 or more", &integer);
        *(uint32_t*)at = (uint32_t)integer;
        return result;
    case GTI_GLTF_SIZE:
        result = read_integer(reader, json, 0, INT64_MAX, "an integer of 0 or more", &integer);
        *(uint64_t*)at = (uint64_t)integer;
        return result;
    case GTI_GLTF_INDEX:
        return gti_gltf_read_index(reader, json, at);
    case GTI_GLTF_FLOAT:
        return gti_json_float(json, at) ? GT_OK : expected(reader, json, "a number that fits a 32-bit float");
    case GTI_GLTF_VECTOR:
        return gti_gltf_read_floats(reader, json, field->length, at);
    case GTI_GLTF_TEXTS:
    case GTI_GLTF_INDICES:
    case GTI_GLTF_FLOATS:
    case GTI_GLTF_OBJECTS:
        return read_list(reader, field, json, object);
    case GTI_GLTF_MATRIX:
    case GTI_GLTF_POINTER:
        return read_allocated(reader, field, json, object);
    case GTI_GLTF_OBJECT:
        return gti_gltf_read_object(reader, field->schema, json, at);
    case GTI_GLTF_GROUP:
        if (field->flags & (GTI_GLTF_SETS_FLAG | GTI_GLTF_CLEARS_FLAG)) {
            *((char*)object + field->flag_at) = (field->flags & GTI_GLTF_SETS_FLAG) != 0;
        }
        return read_members(reader, field->schema, json, object);
    case GTI_GLTF_HOOK:
        return GT_OK;
    }
    return GT_OK;
}

static const GtiGltfField* find_field(const GtiGltfSchema* schema, const GtiJson* member)
{
    char first = member->key_length ? member->key[0] : 0; // most keys differ here, which saves the call
    for (int32_t i = 0; i < schema->field_count; ++i) {
        if (schema->fields[i].key[0] == first && gti_json_key_is(member, schema->fields[i].key)) {
            return &schema->fields[i];
        }
    }
    return NULL;
}

// Whether a member can be kept as text under its key: a NUL in it would end it early, and make it another one.
static bool has_plain_key(const GtiJson* member)
{
    return member->key_length == 0 || !memchr(member->key, 0, member->key_length);
}

static bool named_in(const GtiJson* member, const char* const* names)
{
    for (; names && *names; ++names) {
        if (gti_json_key_is(member, *names)) {
            return true;
        }
    }
    return false;
}

static void add_member(GtArena* scratch, GtJsonWriter* writer, const GtiJson* member)
{
    const char* key = gt_arena_push_text(scratch, member->key, member->key_length);
    const char* value = gt_arena_push_text(scratch, member->text, member->text_length);
    if (key && value) {
        gt_json_key(writer, key);
        gt_json_raw(writer, value);
    } else {
        writer->text.failed = true;
    }
}

static GtResult finish_members(GtiGltfReader* reader, GtJsonWriter* writer, int32_t count, bool braces,
                               const char** out)
{
    gt_json_end_object(writer);
    const char* text = gt_text_finish(&writer->text);
    if (!text) {
        return gti_out_of_memory(reader->error);
    }
    size_t length = strlen(text);
    *out = NULL;
    if (count) {
        *out = braces ? gt_scene_push_text(reader->scene, text, length)
                      : gt_scene_push_text(reader->scene, text + 1, length - 2);
        return *out ? GT_OK : gti_out_of_memory(reader->error);
    }
    return GT_OK;
}

// Keep the members that neither a field of the schema has, which may be NULL, nor `skip` names.
static GtResult keep_members(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* json,
                             const char* const* skip, bool braces, const char** out)
{
    GtArenaMark mark = gt_arena_mark(reader->scratch);
    GtJsonWriter writer = gt_json_create(reader->scratch, 0);
    gt_json_begin_object(&writer);
    int32_t kept = 0;
    const GtiJson* member = gti_json_first(json);
    for (uint32_t i = 0; i < json->count; ++i, member = gti_json_next(member)) {
        if (has_plain_key(member) && !named_in(member, skip) && !(schema && find_field(schema, member))) {
            add_member(reader->scratch, &writer, member);
            ++kept;
        }
    }
    GtResult result = finish_members(reader, &writer, kept, braces, out);
    gt_arena_reset(reader->scratch, mark);
    return result;
}

GtResult gti_gltf_keep_members(GtiGltfReader* reader, const GtiJson* json, const char* const* skip, bool braces,
                               const char** out)
{
    return keep_members(reader, NULL, json, skip, braces, out);
}

static GtResult keep_extra(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* member, GtExtra* extra)
{
    if (gti_json_key_is(member, "extras")) {
        extra->extras = gt_scene_push_text(reader->scene, member->text, member->text_length);
        return extra->extras ? GT_OK : gti_out_of_memory(reader->error);
    }
    if (member->type != GTI_JSON_OBJECT) {
        return expected(reader, member, "an object");
    }
    return gti_gltf_keep_members(reader, member, schema->extensions, true, &extra->extensions);
}

static GtResult check_required(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* json, uint32_t seen)
{
    for (int32_t i = 0; i < schema->field_count; ++i) {
        if ((schema->fields[i].flags & GTI_GLTF_REQUIRED) && !(seen >> i & 1)) {
            return gti_gltf_fail(reader, json, GT_ERROR_BAD_VALUE, "\"%s\" is missing", schema->fields[i].key);
        }
    }
    return GT_OK;
}

static GtResult read_members(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* json, void* object)
{
    if (json->type != GTI_JSON_OBJECT) {
        return expected(reader, json, "an object");
    }
    GtExtra* extra = (GtExtra*)((char*)object + schema->extra_at);
    uint32_t seen = 0;
    bool unknown = false;
    const GtiJson* member = gti_json_first(json);
    for (uint32_t i = 0; i < json->count; ++i, member = gti_json_next(member)) {
        const GtiGltfField* field = find_field(schema, member);
        GtResult result = GT_OK;
        if (field) {
            uint32_t bit = 1u << (field - schema->fields);
            result = seen & bit ? gti_gltf_fail(reader, member, GT_ERROR_BAD_VALUE, "is given twice")
                                : read_field(reader, field, member, object);
            seen |= bit;
        } else if (gti_json_key_is(member, "extras") || gti_json_key_is(member, "extensions")) {
            result = keep_extra(reader, schema, member, extra);
        } else {
            unknown = true;
        }
        if (result != GT_OK) {
            return result;
        }
    }
    GtResult result = check_required(reader, schema, json, seen);
    if (result == GT_OK && unknown) {
        static const char* const others[] = { "extras", "extensions", NULL };
        result = keep_members(reader, schema, json, others, false, &extra->unknown);
    }
    return result != GT_OK || !schema->read ? result : schema->read(reader, json, object);
}

GtResult gti_gltf_read_object(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* json, void* object)
{
    gti_gltf_init(schema, object);
    return read_members(reader, schema, json, object);
}
