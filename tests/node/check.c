// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// check SCHEMA DOCUMENTS: for each line of DOCUMENTS, a JSON document, prints "ok", "former" where it has members under
// former names, or what Gertie's validator finds wrong.

#include "data/files.h"
#include "data/json_schema.h"

#include <stdio.h>
#include <string.h>

static int check(const GtContext* context, GtArena* arena, char** paths)
{
    GtError error;
    const GtiJson* schema = NULL;
    uint8_t* bytes[2] = { NULL, NULL };
    size_t sizes[2] = { 0, 0 };
    for (int i = 0; i < 2; ++i) {
        if (gti_file_read(context, paths[i], &bytes[i], &sizes[i], &error) != GT_OK) {
            fprintf(stderr, "%s: %s\n", paths[i], error.message);
            return 1;
        }
    }
    if (gti_json_parse(arena, (const char*)bytes[0], sizes[0], &schema, &error) != GT_OK) {
        fprintf(stderr, "%s: %s\n", paths[0], error.message);
        return 1;
    }
    char* save = NULL;
    for (char* line = strtok_r((char*)bytes[1], "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const GtiJson* document = NULL;
        GtiFormerNames former = { 0 };
        GtResult result = gti_json_parse(arena, line, strlen(line), &document, &error);
        if (result == GT_OK) {
            result = gti_json_schema_check(schema, (GtiJson*)document, &former, &error);
        }
        printf("%s\n", result != GT_OK ? error.message : former.count > 0 ? "former" : "ok");
    }
    context->allocator.release(context->allocator.user, bytes[0]);
    context->allocator.release(context->allocator.user, bytes[1]);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: check SCHEMA DOCUMENTS\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtArena arena = gt_arena_create(context.allocator);
    int status = check(&context, &arena, argv + 1);
    gt_arena_destroy(&arena);
    return status;
}
