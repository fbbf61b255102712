// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the files that read the body of a PLY share.

#ifndef GERTIE_IO_PLY_BODY_H
#define GERTIE_IO_PLY_BODY_H

#include "io/mesh/plain_mesh.h"
#include "io/ply/head.h"
#include "io/text/rows.h"

#include <stdatomic.h>

typedef struct GtiPlyReader {
    const GtContext* context;
    GtAllocator allocator;
    const GtiByteSource* source;
    const char* path;
    GtError* error;
    GtiPlyHead head;
    const GtiPlyElement* vertices; // or NULL
    GtiTextPieces texts;
    GtiRowMarks marks;
    int64_t starts[GTI_PLY_MOST_ELEMENTS + 1]; // rows of text before each element
    bool far;
    GtiPlainMesh mesh;
    atomic_bool out_of_memory;
} GtiPlyReader;

// A number of a binary file.
double gti_ply_load(const uint8_t* p, GtiPlyType type, bool swap);

// A number of a vertex goes where its role says.
void gti_ply_put(GtiPlainMesh* mesh, size_t row, const GtiPlyProperty* property, double value);

// Read all elements into the mesh, whose arrays are there.
GtResult gti_ply_read_binary(GtiPlyReader* reader);
GtResult gti_ply_read_text(GtiPlyReader* reader);

#endif
