// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What every file format offers to the front (file.c).

#ifndef GERTIE_IO_FORMAT_H
#define GERTIE_IO_FORMAT_H

#include "data/byte_source.h"
#include "gertie/file.h"

// Bytes to be read.
typedef struct GtiInput {
    const uint8_t* bytes;
    size_t size;
    void* block; // allocation that starts at `bytes`, or NULL where the bytes are the caller's; a reader that keeps
                 // them takes the block over and leaves NULL here
    const char* path;            // for messages and for files that lie beside it, or NULL
    const GtiByteSource* source; // the whole, of which `bytes` are the start; NULL where they are the whole
} GtiInput;

// One format. Functions it cannot offer are NULL.
typedef struct GtiFormat {
    // Whether the bytes look like this format. With read_pieces(), they are the first of the file, zeros follow, and
    // there may be more.
    bool (*sniff)(const uint8_t* bytes, size_t size);
    // Parse; the front validates.
    GtResult (*read)(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);
    // Parse what is large by nature in pieces, instead of read().
    GtResult (*read_pieces)(const GtContext* context, const GtiByteSource* source, const char* path,
                            const GtLoadDef* def, GtScene** out, GtError* error);
    // Write a validated scene as one block of bytes.
    GtResult (*write)(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                      GtError* error);
    // Write a validated scene as files, where that needs less memory than write() or more than one file.
    GtResult (*save)(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                     GtError* error);
} GtiFormat;

#endif
