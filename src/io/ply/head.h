// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the head of a PLY announces: elements, their properties, and how they are written.

#ifndef GERTIE_IO_PLY_HEAD_H
#define GERTIE_IO_PLY_HEAD_H

#include "data/byte_source.h"

typedef enum GtiPlyType {
    GTI_PLY_INT8,
    GTI_PLY_UINT8,
    GTI_PLY_INT16,
    GTI_PLY_UINT16,
    GTI_PLY_INT32,
    GTI_PLY_UINT32,
    GTI_PLY_FLOAT,
    GTI_PLY_DOUBLE,
    GTI_PLY_NO_TYPE
} GtiPlyType;

// What a property means to us.
typedef enum GtiPlyRole {
    GTI_PLY_X,
    GTI_PLY_Y,
    GTI_PLY_Z,
    GTI_PLY_NX,
    GTI_PLY_NY,
    GTI_PLY_NZ,
    GTI_PLY_RED,
    GTI_PLY_GREEN,
    GTI_PLY_BLUE,
    GTI_PLY_ALPHA,
    GTI_PLY_U,
    GTI_PLY_V,
    GTI_PLY_CORNERS,          // a list of vertices
    GTI_PLY_CORNER_TEXCOORDS, // a list of u, v of each corner
    GTI_PLY_NO_ROLE
} GtiPlyRole;

typedef struct GtiPlyProperty {
    GtiPlyRole role;
    GtiPlyType type;
    GtiPlyType count_type; // of a list, else GTI_PLY_NO_TYPE
    uint32_t offset;       // in a row without lists
} GtiPlyProperty;

typedef enum GtiPlyKind {
    GTI_PLY_VERTICES,
    GTI_PLY_FACES,
    GTI_PLY_OTHER
} GtiPlyKind;

enum {
    GTI_PLY_MOST_ELEMENTS = 32,
    GTI_PLY_MOST_PROPERTIES = 512
};

typedef struct GtiPlyElement {
    GtiPlyKind kind;
    bool strips; // lists are strips of triangles, -1 between them
    int64_t count;
    GtiPlyProperty* properties; // in GtiPlyHead.properties
    int32_t property_count;
    uint32_t row_size; // bytes of a binary row, or 0 where it has lists
} GtiPlyElement;

typedef enum GtiPlyEncoding {
    GTI_PLY_ASCII,
    GTI_PLY_LITTLE,
    GTI_PLY_BIG
} GtiPlyEncoding;

typedef struct GtiPlyHead {
    GtiPlyEncoding encoding;
    GtiPlyElement elements[GTI_PLY_MOST_ELEMENTS];
    int32_t element_count;
    GtiPlyProperty properties[GTI_PLY_MOST_PROPERTIES];
    int32_t property_count;
    uint64_t size;     // bytes of the head
    int64_t lines;     // in it
    char texture[256]; // of "comment TextureFile", or ""
} GtiPlyHead;

// Bytes of a number.
uint32_t gti_ply_type_size(GtiPlyType type);

// Whether a property of this role is in an element.
bool gti_ply_has(const GtiPlyElement* element, GtiPlyRole role);

GtResult gti_ply_read_head(const GtContext* context, const GtiByteSource* source, GtiPlyHead* out, GtError* error);

#endif
