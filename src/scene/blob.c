// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Immutable bytes, counted by reference.

#include "gertie/scene.h"

#include "base/memory.h"

#include <stdatomic.h>

struct GtBlob {
    GtAllocator allocator;
    _Atomic int64_t references;
    size_t size;
};

enum {
    BLOB_HEADER = (sizeof(GtBlob) + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT
};

GtBlob* gt_blob_create(GtAllocator allocator, size_t size, uint8_t** out_bytes)
{
    size_t whole = 0;
    if (!gti_size_add(size, BLOB_HEADER, &whole)) {
        return NULL;
    }
    GtBlob* blob = allocator.allocate(allocator.user, whole);
    if (blob) {
        blob->allocator = allocator;
        atomic_init(&blob->references, 1);
        blob->size = size;
        *out_bytes = (uint8_t*)blob + BLOB_HEADER;
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
        blob->allocator.release(blob->allocator.user, blob);
    }
}

const uint8_t* gt_blob_bytes(const GtBlob* blob)
{
    return (const uint8_t*)blob + BLOB_HEADER;
}

size_t gt_blob_size(const GtBlob* blob)
{
    return blob->size;
}
