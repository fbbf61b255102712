// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Faces of OBJ become triangles between vertices as glTF has them, one for each combination of position, texture
// coordinate and normal.

#ifndef GERTIE_IO_OBJ_JOIN_H
#define GERTIE_IO_OBJ_JOIN_H

#include "io/obj/text.h"

// Elements of all pieces, one after the other.
typedef struct GtiObjElements {
    const float* positions;
    const float* texcoords;
    const float* normals;
    uint32_t position_count, texcoord_count, normal_count;
    bool has_holes; // some positions are NaN
} GtiObjElements;

// GTI_OBJ_TEXCOORD and GTI_OBJ_NORMAL, where there are any.
static inline unsigned gti_obj_present(const GtiObjElements* elements)
{
    return (elements->texcoord_count ? GTI_OBJ_TEXCOORD : 0u) | (elements->normal_count ? GTI_OBJ_NORMAL : 0u);
}

// A vertex: which elements it is made of.
typedef struct GtiObjVertex {
    int32_t position, texcoord, normal; // GT_NONE for none
    int32_t next;                       // with the same position, or GT_NONE; later its place among the part's
} GtiObjVertex;

// Faces that were not used, with the first of them.
typedef struct GtiObjBadFaces {
    int64_t count;
    int32_t piece; // of the first
    int64_t face;  // in that piece
    int64_t index; // that it names, from 1 on
    const char* kind;
    uint32_t limit;
} GtiObjBadFaces;

// Vertices and triangles in the making.
typedef struct GtiObjJoin {
    GtAllocator allocator;
    GtiObjElements elements;
    int32_t* heads;    // [position_count] the newest vertex of a position in this part, or GT_NONE
    uint8_t* used;     // [position_count] in any part
    uint32_t* indices; // of all parts: vertices counted from the part's first
    uint64_t index_count;
    GtiObjVertex* vertices; // of all parts
    uint64_t vertex_count;
    uint64_t vertex_capacity;
    uint64_t part_first; // vertex
    void* polygon;       // scratch for faces of more than four corners
    size_t polygon_size;
    int64_t hole_face_count;
    GtiObjBadFaces bad;
} GtiObjJoin;

// Make room for `triangle_count` triangles of all parts.
bool gti_obj_join_create(GtAllocator allocator, const GtiObjElements* elements, uint64_t triangle_count,
                         GtiObjJoin* out);
void gti_obj_join_destroy(GtiObjJoin* join);

// Start the next part.
void gti_obj_join_begin(GtiObjJoin* join);

// Elements that come before a piece.
typedef struct GtiObjBase {
    int64_t position, texcoord, normal;
} GtiObjBase;

// Faces of one run.
typedef struct GtiObjFaces {
    const GtiObjRun* run;
    const int32_t* corners;
    GtiObjBase base;
    int32_t piece;
    int64_t first_face; // in the piece
} GtiObjFaces;

// Add the faces of a run; false when memory ran out.
bool gti_obj_join_run(GtiObjJoin* join, const GtiObjFaces* faces);

// Put the vertices [first, first + count) of a part into the order of their positions in the file: `next` of each
// becomes its place, and the part's corners follow. false when memory ran out.
bool gti_obj_join_order(GtiObjJoin* join, uint64_t first, uint32_t count, uint32_t* indices, uint64_t index_count);

#endif
