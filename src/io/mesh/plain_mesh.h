// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One mesh without parts, as PLY, STL and OFF have it: vertices with attributes, and faces of any size.

#ifndef GERTIE_IO_MESH_PLAIN_MESH_H
#define GERTIE_IO_MESH_PLAIN_MESH_H

#include "gertie/file.h"

// Faces in the order of a file, or of a piece of it. The arrays come from the allocator.
typedef struct GtiFaces {
    uint32_t* corners; // of all faces, one after the other
    uint32_t* sizes;   // [face_count] corners of each, or NULL where all have three
    float* texcoords;  // [2 * corner_count] of corners, or NULL
    uint64_t corner_count, corner_capacity;
    uint64_t face_count, size_capacity;
    uint64_t texcoord_capacity; // in corners
    int64_t short_count;        // faces of fewer than three corners, left out
} GtiFaces;

// Add a face and return room for its corners, or NULL when memory ran out. `texcoords`, where it is not NULL, receives
// room for two numbers a corner; a mesh whose first face has none must have none at all.
uint32_t* gti_faces_add(GtAllocator allocator, GtiFaces* faces, uint32_t corner_count, float** texcoords);
void gti_faces_release(GtAllocator allocator, GtiFaces* faces);

// A mesh in the making. The arrays come from the allocator.
typedef struct GtiPlainMesh {
    const char* format; // name of a GtFormat
    uint32_t vertex_count;
    float* positions; // [3 * vertex_count], less the origin; may be NaN
    float* normals;   // [3 * vertex_count], or NULL
    float* texcoords; // [2 * vertex_count] with the origin above, or NULL
    uint16_t* colors; // [4 * vertex_count] linear, or NULL
    GtiFaces* faces;  // [face_list_count], one after the other
    int32_t face_list_count;
    const char* texture; // file of the base colour, where there are texture coordinates; NULL or "" for none
    double origin[3];
} GtiPlainMesh;

void gti_plain_mesh_release(GtAllocator allocator, GtiPlainMesh* mesh);

// Make a scene of it: faces become triangles; those that name what is not there, or what is not finite, are left out
// with a warning. The mesh's arrays are freed on the way.
GtResult gti_plain_mesh_finish(const GtContext* context, GtiPlainMesh* mesh, const char* path, const GtLoadDef* def,
                               GtScene** out, GtError* error);

// What is taken off coordinates far from 0; see docs/formats/obj.md.
void gti_choose_origin(const double first[3], double origin[3]);

// Say that it was taken off.
void gti_say_origin(const GtContext* context, const char* path, const double origin[3]);

#endif
