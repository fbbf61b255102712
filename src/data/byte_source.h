// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bytes that are read by place and in pieces, by several threads at a time: a file of any size, or memory. A file is
// read rather than mapped: one that is cut while it is mapped kills the process that looks at it, and a reader that
// keeps only pieces needs no more memory than a map does.

#ifndef GERTIE_DATA_BYTE_SOURCE_H
#define GERTIE_DATA_BYTE_SOURCE_H

#include "gertie/context.h"

typedef struct GtiByteSource {
    const uint8_t* bytes; // [size] of memory, or NULL for a file
    uint64_t size;        // of the file when it was opened: what is added later is not seen
    int file;             // or -1
} GtiByteSource;

// Bytes in memory; nothing to close.
GtiByteSource gti_byte_source_of_memory(const void* bytes, size_t size);

// Open a regular file; false for all else, such as a pipe or what is not there: gti_file_read() reads the one and says
// what is wrong with the other.
bool gti_byte_source_open(const char* path, GtiByteSource* out);
void gti_byte_source_close(GtiByteSource* source);

// Copy `size` bytes from `offset` on. How many there are: fewer at the end, or where the file has been cut since it was
// opened.
size_t gti_byte_source_read(const GtiByteSource* source, uint64_t offset, void* out, size_t size);

#endif
