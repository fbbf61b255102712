// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices in the scene: a geometry with its skin and morphs as primitives without materials, which instances add.

#ifndef GERTIE_IMPORT_COLLADA_MESH_H
#define GERTIE_IMPORT_COLLADA_MESH_H

#include "import/collada/controller.h"

// Primitives in the scene's memory, and what instances need to know of them.
typedef struct GtiDaeMesh {
    GtPrimitive* primitives;
    const char** symbols; // [primitive_count] of materials, or NULL
    const GtiDaePart* parts;
    int32_t primitive_count;
    GtiDaeMorph morph; // its target_count is 0 where there is none
} GtiDaeMesh;

// @param skin   or NULL
// @param remap  [skin->joint_count] from joints of the file to those of the scene's skin
GtResult gti_dae_add_primitives(GtiDae* d, const GtiDaeGeometry* geometry, const GtiDaeSkin* skin, const int32_t* remap,
                                const GtiDaeMorph* morph, GtiDaeMesh* out);

#endif
