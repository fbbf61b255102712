// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What rooms above may know of a scene's inside.

#ifndef GERTIE_SCENE_STORAGE_H
#define GERTIE_SCENE_STORAGE_H

#include "gertie/accessor.h"

// The allocator a scene was made with.
GtAllocator gti_scene_allocator(const GtScene* scene);

// A blob of `size` bytes at `offset` of a block that `allocator` gave, without copying; the blob frees the block.
// NULL when memory ran out, and the block is still the caller's.
GtBlob* gti_blob_adopt(GtAllocator allocator, void* block, size_t offset, size_t size);

// How many bytes of arrays and pictures the meshes, skins, animations and images of a scene use; an accessor counts
// once.
GtResult gti_scene_used_bytes(const GtScene* scene, GtAllocator allocator, uint64_t* out, GtError* error);

// An array that fills a blob, packed.
typedef struct GtiBlobData {
    GtAccessorUse use;
    GtElementType element;
    GtComponentType component;
    uint64_t count;
    GtBlob* blob;
} GtiBlobData;

// gt_scene_add_data() without a copy. The scene takes over the blob, on failure too.
GtResult gti_scene_add_blob(GtScene* scene, const GtiBlobData* data, int32_t* index, GtError* error);

// An accessor of displacements, as small as it can be stored.
// values: [count * component_count]; component_count: 1 to 4
GtResult gti_scene_add_sparse(const GtContext* context, GtScene* scene, const float* values, int32_t count,
                              int32_t component_count, int32_t* index, GtError* error);

#endif
