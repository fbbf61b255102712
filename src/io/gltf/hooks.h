// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the tables cannot say, by kind of object; gltf_schema.h says when a hook is called.

#ifndef GERTIE_IO_GLTF_HOOKS_H
#define GERTIE_IO_GLTF_HOOKS_H

#include "io/gltf/schema.h"

// gltf_read.c, gltf_write.c: the whole file.
GtResult gti_gltf_root_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_root_write(GtiGltfWriter* writer, const void* object);
void gti_gltf_asset_write(GtiGltfWriter* writer, const void* object);
void gti_gltf_buffer_write(GtiGltfWriter* writer, const void* object);

// gltf_buffer.c, gltf_image.c: bytes and where they come from.
GtResult gti_gltf_buffer_read(GtiGltfReader* reader, const GtiJson* json, void* object);
GtResult gti_gltf_image_read(GtiGltfReader* reader, const GtiJson* json, void* object);

// gltf_meshopt.c: compressed buffer views.
extern const char* const gti_meshopt_extensions[];
bool gti_meshopt_is_fallback(const GtiJson* buffer);
GtResult gti_meshopt_root_read(GtiGltfReader* reader);

// draco_mesh.c: compressed primitives.
GtResult gti_draco_root_read(GtiGltfReader* reader);

// gltf_accessor.c: bounds.
GtResult gti_gltf_accessor_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_accessor_write(GtiGltfWriter* writer, const void* object);

// gltf_mesh.c: attributes, morph targets and their names.
GtResult gti_gltf_primitive_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_primitive_write(GtiGltfWriter* writer, const void* object);
GtResult gti_gltf_mesh_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_mesh_write(GtiGltfWriter* writer, const void* object);
bool gti_gltf_mesh_has_extras(const GtiGltfWriter* writer, const void* object);
void gti_gltf_mesh_write_extras(GtiGltfWriter* writer, const void* object);

// gltf_hooks.c: matrices of nodes; types of cameras; paths of animation channels.
GtResult gti_gltf_node_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_node_write(GtiGltfWriter* writer, const void* object);
GtResult gti_gltf_camera_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_camera_write(GtiGltfWriter* writer, const void* object);
GtResult gti_gltf_target_read(GtiGltfReader* reader, const GtiJson* json, void* object);
void gti_gltf_target_write(GtiGltfWriter* writer, const void* object);

// gltf_gertie.c: the extensions GERTIE_*, by the object that holds them.
extern const char* const gti_gertie_node_extensions[];
extern const char* const gti_gertie_animation_extensions[];
extern const char* const gti_gertie_root_extensions[];
GtResult gti_gertie_node_read(GtiGltfReader* reader, const GtiJson* json, void* object);
GtResult gti_gertie_animation_read(GtiGltfReader* reader, const GtiJson* json, void* object);
GtResult gti_gertie_root_read(GtiGltfReader* reader, const GtiJson* json, void* object);
bool gti_gertie_node_has(const GtiGltfWriter* writer, const void* object);
void gti_gertie_node_write(GtiGltfWriter* writer, const void* object);
bool gti_gertie_animation_has(const GtiGltfWriter* writer, const void* object);
void gti_gertie_animation_write(GtiGltfWriter* writer, const void* object);
bool gti_gertie_root_has(const GtiGltfWriter* writer, const void* object);
void gti_gertie_root_write(GtiGltfWriter* writer, const void* object);

#endif
