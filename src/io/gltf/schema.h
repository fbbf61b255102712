// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// glTF as tables: for every kind of object, which JSON member is which field of which struct. The reader and the
// writer both walk these tables, so what is read is what is written. What a table cannot say is done by a hook.

#ifndef GERTIE_IO_GLTF_SCHEMA_H
#define GERTIE_IO_GLTF_SCHEMA_H

#include "data/json.h"
#include "io/gltf/gltf.h"

typedef struct GtiGltfReader GtiGltfReader;
typedef struct GtiGltfWriter GtiGltfWriter;
typedef struct GtiGltfSchema GtiGltfSchema;

// How a member is stored in its field.
typedef enum GtiGltfKind {
    GTI_GLTF_TEXT,    // const char*
    GTI_GLTF_TEXTS,   // const char**, with a count
    GTI_GLTF_WORD,    // int32_t or enum, by a list of words
    GTI_GLTF_BOOL,    // bool
    GTI_GLTF_INT,     // int32_t or enum
    GTI_GLTF_UINT,    // uint32_t
    GTI_GLTF_SIZE,    // uint64_t
    GTI_GLTF_INDEX,   // int32_t, not negative; GT_NONE where absent
    GTI_GLTF_INDICES, // const int32_t*, with a count
    GTI_GLTF_FLOAT,   // float
    GTI_GLTF_VECTOR,  // float[length], in place
    GTI_GLTF_MATRIX,  // const float*, to `length` floats; NULL where absent
    GTI_GLTF_FLOATS,  // const float*, with a count
    GTI_GLTF_OBJECT,  // a struct in place
    GTI_GLTF_POINTER, // const struct*; NULL where absent
    GTI_GLTF_OBJECTS, // struct*, with a count
    GTI_GLTF_GROUP,   // an object whose members are fields of the outer struct
    GTI_GLTF_HOOK,    // the schema's hooks read and write it
} GtiGltfKind;

typedef struct GtiGltfWord {
    const char* word; // NULL ends a list
    int32_t value;
} GtiGltfWord;

enum {
    GTI_GLTF_REQUIRED = 1,     // must be there
    GTI_GLTF_HOOK_WRITES = 2,  // read by the table, written by the schema's hook
    GTI_GLTF_SETS_FLAG = 4,    // of a group: the bool at `flag_at` says that it is there
    GTI_GLTF_CLEARS_FLAG = 8,  // of a group: likewise, when false
    GTI_GLTF_NEEDS_INDEX = 16, // of an object: written only when the index at its start is not GT_NONE
};

typedef struct GtiGltfField {
    const char* key;
    GtiGltfKind kind;
    uint32_t flags;
    size_t at; // of the field in its struct
    union {
        size_t count_at; // of the int32_t that counts a list
        size_t flag_at;  // of the bool of a group
        size_t length;   // floats
    };
    union {
        const GtiGltfSchema* schema; // of objects and groups
        const GtiGltfWord* words;
    };
} GtiGltfField;

struct GtiGltfSchema {
    const GtiGltfField* fields;
    int32_t field_count;
    size_t size;                   // of the struct
    size_t extra_at;               // of its GtExtra
    const char* const* extensions; // those that hooks read into fields, ended by NULL; or NULL
    void (*init)(void* object);    // defaults, where they are not zeros and GT_NONE
    // After all fields: what is left to read.
    GtResult (*read)(GtiGltfReader* reader, const GtiJson* json, void* object);
    // After all fields: further members.
    void (*write)(GtiGltfWriter* writer, const void* object);
    // Whether there are members to be put into "extensions" or "extras" beside those kept as text, and putting them.
    bool (*has_extensions)(const GtiGltfWriter* writer, const void* object);
    void (*write_extensions)(GtiGltfWriter* writer, const void* object);
    bool (*has_extras)(const GtiGltfWriter* writer, const void* object);
    void (*write_extras)(GtiGltfWriter* writer, const void* object);
};

// A whole file, read into and written from a GtScene.
extern const GtiGltfSchema gti_gltf_root_schema;
// Parts whose owner's hook writes them.
extern const GtiGltfSchema gti_gltf_primitive_schema;
extern const GtiGltfSchema gti_gltf_buffer_schema;

// Defaults of an object; `object` has schema->size bytes.
void gti_gltf_init(const GtiGltfSchema* schema, void* object);

#endif
