// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Immutable bytes, counted by reference.

#include "gertie/scene.h"

#include "base/memory.h"
#include "scene/storage.h"

#include <stdatomic.h>

struct GtBlob {
    GtAllocator allocator;
    _Atomic int64_t references;
    size_t size;
    const uint8_t* bytes;
    void* block; // adopted, or NULL where the bytes follow this header
};

enum {
    BLOB_HEADER = (sizeof(GtBlob) + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT
};

static void blob_init(GtBlob* blob, GtAllocator allocator, const uint8_t* bytes, size_t size, void* block)
{
    blob->allocator = allocator;
    atomic_init(&blob->references, 1);
    blob->size = size;
    blob->bytes = bytes;
    blob->block = block;
}

GtBlob* gt_blob_create(GtAllocator allocator, size_t size, uint8_t** out_bytes)
{
    size_t whole = 0;
    if (!gti_size_add(size, BLOB_HEADER, &whole)) {
        return NULL;
    }
    GtBlob* blob = allocator.allocate(allocator.user, whole);
    if (blob) {
        *out_bytes = (uint8_t*)blob + BLOB_HEADER;
        blob_init(blob, allocator, *out_bytes, size, NULL);
    }
    return blob;
}

GtBlob* gti_blob_adopt(GtAllocator allocator, void* block, size_t offset, size_t size)
{
    GtBlob* blob = allocator.allocate(allocator.user, sizeof *blob);
    if (blob) {
        blob_init(blob, allocator, (const uint8_t*)block + offset, size, block);
    }
    return blob;
}

GtBlob* gt_blob_retain(GtBlob* blob)
{
    atomic_fetch_add_explicit(&blob->references, 1, memory_order_relaxed);
    return blob;
}

void gt_blob_release(GtBlob* blob)
{
    if (blob && atomic_fetch_sub_explicit(&blob->references, 1, memory_order_acq_rel) == 1) {
        GtAllocator allocator = blob->allocator;
        allocator.release(allocator.user, blob->block);
        allocator.release(allocator.user, blob);
    }
}

const uint8_t* gt_blob_bytes(const GtBlob* blob)
{
    return blob->bytes;
}

size_t gt_blob_size(const GtBlob* blob)
{
    return blob->size;
}
