// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the files that write glTF share. Writing goes in three steps: a copy of the scene is made ready (images taken
// in, missing bounds found, buffers laid one behind the other), its JSON is written by the schema, and JSON and buffers
// are put into their container.

#ifndef GERTIE_IO_GLTF_WRITER_H
#define GERTIE_IO_GLTF_WRITER_H

#include "data/files.h"
#include "io/gltf/schema.h"

struct GtiGltfWriter {
    const GtContext* context;
    GtError* error;
    GtArena* scratch;
    GtScene* scene;         // a copy of the caller's, being made ready: then every view is in one buffer
    GtJsonWriter json;      //
    GtBuffer buffer;        // that one buffer: its name and what was kept of it
    const char* buffer_uri; // of a .gltf; NULL in a GLB
    uint64_t buffer_size;   // bytes of the spans
    GtiSpan* spans;         // [span_count] what the buffer holds: the scene's buffers and padding between them
    int32_t span_count;     //
    int32_t target_count;   // morph targets of the mesh being written
    bool own_humanoid;      // the humanoid map is not what a VRM extension says already
};

// Make a copy of `scene` ready in writer->scene, which the caller destroys, also on failure. Images that lie in files
// of their own are taken in, except those in `directory`, where a .gltf is written; NULL for none.
GtResult gti_gltf_prepare(GtiGltfWriter* writer, const GtScene* scene, const char* directory);

// The JSON of the scene that is ready, in the scratch arena: one line for a GLB, indented where there is a buffer_uri.
GtResult gti_gltf_write_json(GtiGltfWriter* writer, char** out, size_t* size);

// Write an object by its schema.
void gti_gltf_write_object(GtiGltfWriter* writer, const GtiGltfSchema* schema, const void* object);

// Take images that lie in files of their own into the scene as buffer views, except those in `directory`.
GtResult gti_gltf_embed_images(GtiGltfWriter* writer, const char* directory);

// Put a node above trees that the joints of one skin stand in.
GtResult gti_gltf_add_common_roots(GtiGltfWriter* writer);

// Give accessors the bounds that glTF asks for, where they have none.
GtResult gti_gltf_complete_bounds(GtScene* scene, GtError* error);

// Name in the scene's list of used extensions those GERTIE_* that will be written.
GtResult gti_gertie_list(const GtiGltfWriter* writer, GtScene* scene, GtError* error);

#endif
