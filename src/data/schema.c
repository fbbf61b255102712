// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/schema.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_BYTES = 256 << 20 // of a file
};

// A file that says that it is of another kind is told so, not that its members are unknown.
static GtResult check_kind(const char* name, const GtiJson* root, GtError* error)
{
    for (const GtiSchemaText* other = gti_schemas; other->name; ++other) {
        char key[32];
        snprintf(key, sizeof key, "gertie_%s", other->name);
        if (strcmp(other->name, name) != 0 && gti_json_find(root, key)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "this is a file of kind \"%s\"; one of kind \"%s\" is expected",
                            other->name, name);
        }
    }
    return GT_OK;
}

static GtResult parse(GtArena* arena, const char* name, GtiSpan text, const GtiJson** root, GtiFormerNames* former,
                      GtError* error)
{
    const GtiJson* schema = NULL;
    const GtiSchemaText* own = gti_schemas;
    while (strcmp(own->name, name) != 0) {
        ++own;
    }
    if (text.size > MAX_BYTES) {
        return gti_fail(error, GT_ERROR_LIMIT, "is of %zu bytes, and %d are the most", text.size, MAX_BYTES);
    }
    GtResult result = gti_json_parse(arena, text.bytes, text.size, root, error);
    if (result == GT_OK) {
        result = gti_json_parse(arena, own->json.bytes, own->json.size, &schema, error);
    }
    if (result == GT_OK) {
        result = check_kind(name, *root, error);
    }
    return result == GT_OK ? gti_json_schema_check(schema, (GtiJson*)*root, former, error) : result;
}

GtResult gti_schema_parse(GtArena* arena, const char* name, GtiSpan text, const GtiJson** root, GtError* error)
{
    return parse(arena, name, text, root, NULL, error);
}

static void note_former_names(const GtContext* context, const char* path, const GtiFormerNames* former)
{
    if (former->count > 0) {
        gti_note(context, path, NULL, "\"%s\" is called \"%.*s\" now; former names are still read", former->name,
                 (int)former->first->key_length, former->first->key);
    }
}

GtResult gti_schema_load(const GtContext* context, GtArena* arena, const char* name, const char* path,
                         const GtiJson** root, GtError* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtiFormerNames former = { 0 };
    GtResult result = gti_file_read(context, path, &bytes, &size, error);
    if (result == GT_OK) {
        GtiSpan text = { gt_arena_push_text(arena, (const char*)bytes, size), size };
        result = text.bytes ? parse(arena, name, text, root, &former, error) : gti_out_of_memory(error);
    }
    context->allocator.release(context->allocator.user, bytes);
    if (result == GT_OK) {
        note_former_names(context, path, &former);
    } else {
        gti_error_set_file(error, path);
    }
    return result;
}
