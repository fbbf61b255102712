// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// <material> and <effect> as metal and roughness.

#ifndef GERTIE_IMPORT_COLLADA_MATERIAL_H
#define GERTIE_IMPORT_COLLADA_MATERIAL_H

#include "import/collada/geometry.h"
#include "io/picture_folders.h"

typedef struct GtiDaeMaterials {
    GtiDae* d;
    GtiIntern keys; // material element and texture coordinate sets
    int32_t* indices;
    int32_t capacity;
    GtiPictureFolders folders;
    int32_t missing_count; // textures without a picture
    const char* first_missing;
} GtiDaeMaterials;

// The scene's material for a symbol of a mesh part in an instance; GT_NONE where it has none.
// @param instance  <instance_geometry> or <instance_controller>
GtResult gti_dae_bind_material(GtiDaeMaterials* materials, int32_t instance, const char* symbol,
                               const GtiDaeFaces* faces, int32_t* out);

// Tell of pictures that were not found.
void gti_dae_materials_finish(const GtiDaeMaterials* materials);

#endif
