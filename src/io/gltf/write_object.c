// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing an object by its schema: fields that differ from their defaults bit by bit (so that -0 stays -0), what the
// schema's hooks add, then what was kept as text.

#include "io/gltf/writer.h"

#include "base/fail.h"

#include <string.h>

enum {
    LARGEST_STRUCT = 2048
};

static const void* get_pointer(const void* object, size_t at)
{
    const void* pointer = NULL;
    memcpy(&pointer, (const char*)object + at, sizeof pointer);
    return pointer;
}

static void write_list(GtiGltfWriter* writer, const GtiGltfField* field, const void* object, int32_t count)
{
    const char* items = get_pointer(object, field->at);
    gt_json_begin_array(&writer->json);
    for (int32_t i = 0; i < count; ++i) {
        switch (field->kind) {
        case GTI_GLTF_TEXTS:
            gt_json_string(&writer->json, ((const char* const*)(const void*)items)[i]);
            break;
        case GTI_GLTF_INDICES:
            gt_json_integer(&writer->json, ((const int32_t*)(const void*)items)[i]);
            break;
        case GTI_GLTF_FLOATS:
            gt_json_float(&writer->json, ((const float*)(const void*)items)[i]);
            break;
        default:
            gti_gltf_write_object(writer, field->schema, items + (size_t)i * field->schema->size);
            break;
        }
    }
    gt_json_end_array(&writer->json);
}

static const char* find_word(const GtiGltfWord* words, int32_t value)
{
    while (words->word && words->value != value) {
        ++words;
    }
    return words->word;
}

static size_t scalar_size(GtiGltfKind kind)
{
    return kind == GTI_GLTF_BOOL ? sizeof(bool) : kind == GTI_GLTF_SIZE ? sizeof(uint64_t) : sizeof(int32_t);
}

// Whether the field has something to say.
static bool is_present(const GtiGltfField* field, const void* object, const void* defaults)
{
    const char* at = (const char*)object + field->at;
    if (field->kind == GTI_GLTF_HOOK || field->flags & GTI_GLTF_HOOK_WRITES) {
        return false;
    }
    if (field->flags & GTI_GLTF_REQUIRED) {
        return true;
    }
    switch (field->kind) {
    case GTI_GLTF_TEXT:
    case GTI_GLTF_MATRIX:
    case GTI_GLTF_POINTER:
        return get_pointer(object, field->at) != NULL;
    case GTI_GLTF_TEXTS:
    case GTI_GLTF_INDICES:
    case GTI_GLTF_FLOATS:
    case GTI_GLTF_OBJECTS:
        return *(const int32_t*)(const void*)((const char*)object + field->count_at) > 0;
    case GTI_GLTF_OBJECT:
        return !(field->flags & GTI_GLTF_NEEDS_INDEX) || *(const int32_t*)(const void*)at != GT_NONE;
    case GTI_GLTF_GROUP:
        return *((const bool*)object + field->flag_at) == ((field->flags & GTI_GLTF_SETS_FLAG) != 0);
    case GTI_GLTF_INDEX:
        return *(const int32_t*)(const void*)at != GT_NONE;
    case GTI_GLTF_VECTOR:
        return memcmp(at, (const char*)defaults + field->at, field->length * sizeof(float)) != 0;
    default:
        return memcmp(at, (const char*)defaults + field->at, scalar_size(field->kind)) != 0;
    }
}

static void write_members(GtiGltfWriter* writer, const GtiGltfSchema* schema, const void* object, const void* defaults);

static void write_field(GtiGltfWriter* writer, const GtiGltfField* field, const void* object, const void* defaults)
{
    GtJsonWriter* json = &writer->json;
    const void* at = (const char*)object + field->at;
    gt_json_key(json, field->key);
    switch (field->kind) {
    case GTI_GLTF_TEXT:
        gt_json_string(json, get_pointer(object, field->at));
        break;
    case GTI_GLTF_WORD:
        gt_json_string(json, find_word(field->words, *(const int32_t*)at));
        break;
    case GTI_GLTF_BOOL:
        gt_json_bool(json, *(const bool*)at);
        break;
    case GTI_GLTF_INT:
    case GTI_GLTF_INDEX:
        gt_json_integer(json, *(const int32_t*)at);
        break;
    case GTI_GLTF_UINT:
        gt_json_integer(json, *(const uint32_t*)at);
        break;
    case GTI_GLTF_SIZE:
        gt_json_integer(json, (int64_t) * (const uint64_t*)at);
        break;
    case GTI_GLTF_FLOAT:
        gt_json_float(json, *(const float*)at);
        break;
    case GTI_GLTF_VECTOR:
        gti_json_float_list(json, at, field->length);
        break;
    case GTI_GLTF_MATRIX:
        gti_json_float_list(json, get_pointer(object, field->at), field->length);
        break;
    case GTI_GLTF_TEXTS:
    case GTI_GLTF_INDICES:
    case GTI_GLTF_FLOATS:
    case GTI_GLTF_OBJECTS:
        write_list(writer, field, object, *(const int32_t*)(const void*)((const char*)object + field->count_at));
        break;
    case GTI_GLTF_OBJECT:
        gti_gltf_write_object(writer, field->schema, at);
        break;
    case GTI_GLTF_POINTER:
        gti_gltf_write_object(writer, field->schema, get_pointer(object, field->at));
        break;
    case GTI_GLTF_GROUP:
        gt_json_begin_object(json);
        write_members(writer, field->schema, object, defaults);
        gt_json_end_object(json);
        break;
    case GTI_GLTF_HOOK:
        break;
    }
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// What is between the braces of a text `{"key":value}`.
static void write_kept_members(GtiGltfWriter* writer, const char* text)
{
    const char* start = text + 1;
    const char* end = strrchr(text, '}');
    while (end && start < end && is_space(*start)) {
        ++start;
    }
    while (end && start < end && is_space(end[-1])) {
        --end;
    }
    if (!end || start == end) {
        return;
    }
    const char* members = gt_arena_push_text(writer->scratch, start, (size_t)(end - start));
    if (members) {
        gt_json_raw_members(&writer->json, members);
    } else {
        writer->json.text.failed = true;
    }
}

static void write_kept(GtiGltfWriter* writer, const char* key, const char* text, const void* object,
                       bool (*has)(const GtiGltfWriter*, const void*), void (*write)(GtiGltfWriter*, const void*))
{
    bool more = has && has(writer, object);
    if (!text && !more) {
        return;
    }
    gt_json_key(&writer->json, key);
    if (!more) {
        gt_json_raw(&writer->json, text);
        return;
    }
    gt_json_begin_object(&writer->json);
    if (text && text[0] == '{') {
        write_kept_members(writer, text);
    } else if (text) {
        gti_warn(writer->context, NULL, NULL, "\"%s\" is not an object and is replaced by what Gertie writes there",
                 key);
    }
    write(writer, object);
    gt_json_end_object(&writer->json);
}

static void write_members(GtiGltfWriter* writer, const GtiGltfSchema* schema, const void* object, const void* defaults)
{
    const GtExtra* extra = (const GtExtra*)(const void*)((const char*)object + schema->extra_at);
    for (int32_t i = 0; i < schema->field_count; ++i) {
        if (is_present(&schema->fields[i], object, defaults)) {
            write_field(writer, &schema->fields[i], object, defaults);
        }
    }
    if (schema->write) {
        schema->write(writer, object);
    }
    if (extra->unknown) {
        gt_json_raw_members(&writer->json, extra->unknown);
    }
    write_kept(writer, "extensions", extra->extensions, object, schema->has_extensions, schema->write_extensions);
    write_kept(writer, "extras", extra->extras, object, schema->has_extras, schema->write_extras);
}

void gti_gltf_write_object(GtiGltfWriter* writer, const GtiGltfSchema* schema, const void* object)
{
    _Alignas(16) char defaults[LARGEST_STRUCT];
    GT_ASSERT(schema->size <= sizeof defaults);
    memset(defaults, 0, schema->size);
    gti_gltf_init(schema, defaults);
    gt_json_begin_object(&writer->json);
    write_members(writer, schema, object, defaults);
    gt_json_end_object(&writer->json);
}
