// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A primitive of a scene becomes a mesh of the runtime: surface, morphs and influences, a file each.

#ifndef GERTIE_BUILD_PRIMITIVE_H
#define GERTIE_BUILD_PRIMITIVE_H

#include "gertie/build.h"

#include "build/decode.h"

// Room for "meshes[0].primitives[1]".
enum {
    GTI_PLACE_SIZE = 64
};

// Whether a primitive has triangles and vertices to be drawn.
bool gti_has_surface(const GtPrimitive* primitive);

// Vertices and triangle corners. glTF asks for flat normals where a primitive has none: they are left absent, because
// flat normals are no function of vertices; who draws takes them from the triangles on screen.
GtResult gti_decode_surface(GtiDecoder* decoder, const GtPrimitive* primitive, const char* where, GtMeshDef* mesh);

// Displacements of every morph target, without those that are zero.
GtResult gti_decode_morphs(GtiDecoder* decoder, const GtMesh* source, const GtPrimitive* primitive, const char* where,
                           GtMeshDef* mesh);

// Joints and weights: sets put together, joints that come twice merged, the heaviest kept, sums made 1.
GtResult gti_decode_influences(GtiDecoder* decoder, const GtPrimitive* primitive, int32_t max_influences,
                               const char* where, GtMeshDef* mesh, GtBuildReport* report);

#endif
