// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of plain formats on their way into a scene: parts (glTF's primitives) laid out in one blob, which the reader
// fills, and one node a mesh that carries units and up axis.

#ifndef GERTIE_IO_MESH_PART_H
#define GERTIE_IO_MESH_PART_H

#include "gertie/file.h"

// What a part has besides positions.
enum {
    GTI_PART_NORMALS = 1,
    GTI_PART_TEXCOORDS = 2,
    GTI_PART_COLORS = 4
};

// Vertices and triangles of one material. The arrays lie in the blob of gti_lay_out_parts().
typedef struct GtiMeshPart {
    unsigned has;
    uint32_t vertex_count;
    uint64_t index_count; // 0: points
    int32_t mesh;         // parts of one mesh follow each other
    int32_t material;     // or GT_NONE
    float* positions;     // [3 * vertex_count]
    float* normals;       // [3 * vertex_count]
    float* texcoords;     // [2 * vertex_count]
    uint16_t* colors;     // [4 * vertex_count], linear, of 65535
    uint32_t* indices;    // [index_count]
} GtiMeshPart;

// Parts and their meshes.
typedef struct GtiMeshParts {
    GtiMeshPart* parts;
    int32_t part_count;
    const char** names; // [mesh_count]
    int32_t mesh_count;
    double origin[3]; // taken off all positions, in the file's units and axes
    GtBlob* blob;
} GtiMeshParts;

// Make the blob for all parts, whose counts are set, and point them into it. The memory is not cleared.
GtResult gti_lay_out_parts(const GtContext* context, GtiMeshParts* parts, GtError* error);

// Put filled parts into an empty scene, which takes over the blob: buffer, views, accessors with bounds, meshes, a node
// each, a stage. Units and up axis are those of `def`, or guessed and said; the scene's source remembers them.
GtResult gti_add_parts(const GtContext* context, GtScene* scene, GtiMeshParts* parts, const GtLoadDef* def,
                       const char* path, GtError* error);

#endif
