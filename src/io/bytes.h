// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A file in the making: bytes that grow and become a blob without a copy. When memory runs out every further call is a
// no-op, and the end says so.

#ifndef GERTIE_IO_BYTES_H
#define GERTIE_IO_BYTES_H

#include "gertie/scene.h"

// A number of four bytes, the lowest first, wherever it lies.
static inline uint32_t gti_load_u32(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Bytes that grow. Start from `{ .allocator = allocator }`.
typedef struct GtiBytes {
    GtAllocator allocator;
    uint8_t* data;
    size_t size;
    size_t capacity;
    bool failed;
} GtiBytes;

// Room for `size` more bytes at the end, which count as written; NULL when memory ran out.
void* gti_bytes_push(GtiBytes* bytes, size_t size);

void gti_bytes_add(GtiBytes* bytes, const void* data, size_t size);
void gti_bytes_adds(GtiBytes* bytes, const char* terminated);
void gti_bytes_addf(GtiBytes* bytes, const char* format, ...) GT_PRINTF(2, 3);

// `count` numbers, each after a blank, with the fewest digits that read back the same.
void gti_bytes_add_floats(GtiBytes* bytes, const float* values, int count);

// A whole number after `before`, which is 0 for nothing.
void gti_bytes_add_integer(GtiBytes* bytes, char before, uint64_t value);

void gti_bytes_release(GtiBytes* bytes);

// The blob of all bytes, which are its own from now on; the bytes are released where memory ran out.
GtResult gti_bytes_finish(GtiBytes* bytes, GtBlob** out, GtError* error);

#endif
