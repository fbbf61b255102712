// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the files that read glTF share. Errors name their place as a JSON path.

#ifndef GERTIE_IO_GLTF_READER_H
#define GERTIE_IO_GLTF_READER_H

#include "io/gltf/schema.h"

// A file that a buffer has named.
typedef struct GtiGltfFile GtiGltfFile;

struct GtiGltfReader {
    const GtContext* context;
    GtiInput* input;
    GtScene* scene;
    const GtiJson* root;
    GtArena* scratch;
    GtError* error;
    const uint8_t* binary; // the GLB's BIN chunk, within the input, or NULL
    size_t binary_size;
    const GtiJson* first_buffer; // which a BIN chunk belongs to, or NULL
    GtiGltfFile* files;          // read so far
    int32_t repair_count;        // repairs so far
};

// The chunks of a GLB.
typedef struct GtiGlb {
    const char* json;
    size_t json_size;
    const uint8_t* binary; // or NULL
    size_t binary_size;
} GtiGlb;

// Find the chunks of a GLB, whose lengths are not to be trusted.
GtResult gti_glb_parse(const GtContext* context, const GtiInput* input, GtiGlb* out, GtError* error);

// The value at `json` is wrong: fail, or repair (a warning, unless the context is strict). Of many repairs only the
// first are told one by one: finding a place takes as long as the way to it.
GtResult gti_gltf_fail(GtiGltfReader* reader, const GtiJson* json, GtResult code, const char* format, ...)
    GT_PRINTF(4, 5);
GtResult gti_gltf_repair(GtiGltfReader* reader, const GtiJson* json, const char* format, ...) GT_PRINTF(3, 4);

// Tell how many repairs were not told one by one.
void gti_gltf_sum_up_repairs(const GtiGltfReader* reader);

// "a string", "an object": for messages.
const char* gti_gltf_type_name(const GtiJson* json);

// Read an object by its schema. What the schema does not know is kept in the object's GtExtra.
GtResult gti_gltf_read_object(GtiGltfReader* reader, const GtiGltfSchema* schema, const GtiJson* json, void* object);

// Single values; each fails with what is expected.
GtResult gti_gltf_read_text(GtiGltfReader* reader, const GtiJson* json, const char** out);
GtResult gti_gltf_read_index(GtiGltfReader* reader, const GtiJson* json, int32_t* out);
GtResult gti_gltf_read_floats(GtiGltfReader* reader, const GtiJson* json, size_t count, float* out);

// Members of an object as text `"key":value,"key":value`, without those that `skip` (ended by NULL) names, in the
// scene; NULL where none are left. With `braces`, the object that holds them.
GtResult gti_gltf_keep_members(GtiGltfReader* reader, const GtiJson* json, const char* const* skip, bool braces,
                               const char** out);

// Refuse what cannot be read right: versions other than 2, required extensions that change the geometry.
GtResult gti_gltf_check_asset(GtiGltfReader* reader);
GtResult gti_gltf_check_extensions(GtiGltfReader* reader);

// Fill scene->humanoid from the extension of VRM 1, its motions or VRM 0, where there is one.
GtResult gti_vrm_read_humanoid(GtiGltfReader* reader);

// The map in such an extension among `extensions`, an object; false where there is none. Joints that are unknown or
// name a node that does not exist are left out; `bad`, which may be NULL, receives the first of them.
bool gti_vrm_find_map(const GtiJson* extensions, int32_t node_count, GtHumanoidMap* out, const GtiJson** bad);

#endif
