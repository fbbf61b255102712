// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices and triangles of one material as accessors of a scene.

#ifndef GERTIE_IO_FBX_VERTEX_H
#define GERTIE_IO_FBX_VERTEX_H

#include "io/fbx/layer.h"

typedef struct GtiFbxPrimitiveData {
    const GtiFbxGeometry* geometry;
    GtiFbxPolygons* polygons;
    const GtiFbxVertices* vertices;
    const GtiFbxCorner* corners; // [vertices->count] the corner that each vertex was made of
    const uint32_t* triangles;   // [3 * triangle_count]
    uint32_t triangle_count;
    bool is_last; // of its mesh: layers are released as soon as they are in the primitive
} GtiFbxPrimitiveData;

// Fill the attributes and indices of a primitive.
GtResult gti_fbx_add_vertices(GtiFbxReader* reader, const GtiFbxPrimitiveData* data, GtPrimitive* primitive);

#endif
