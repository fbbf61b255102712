// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Our own JSON files. The schema of each kind is docs/schemas/NAME.schema.json, which the build puts into the library,
// so that files are checked by what people and editors read. A file may begin with "gertie_NAME": 1, its kind and
// version.

#ifndef GERTIE_DATA_SCHEMA_H
#define GERTIE_DATA_SCHEMA_H

#include "data/files.h"
#include "data/json_schema.h"

typedef struct GtiSchemaText {
    const char* name; // of the kind of file: "map"
    GtiSpan json;
} GtiSchemaText;

// All schemas, up to one without a name. The build writes them.
extern const GtiSchemaText gti_schemas[];

// Parse a text, which must outlive the result, and check it by the schema of that name. Members under former names get
// their present ones.
GtResult gti_schema_parse(GtArena* arena, const char* name, GtiSpan text, const GtiJson** root, GtError* error);

// The same for a file, which is kept in the arena. A note tells of former names; an error names the file.
GtResult gti_schema_load(const GtContext* context, GtArena* arena, const char* name, const char* path,
                         const GtiJson** root, GtError* error);

#endif
