// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// MTL, the materials of OBJ.

#ifndef GERTIE_IO_OBJ_MTL_H
#define GERTIE_IO_OBJ_MTL_H

#include "gertie/scene.h"
#include "io/file_set.h"
#include "io/intern.h"

// Materials that a file's faces name.
typedef struct GtiMtl {
    const GtContext* context;
    const char* path; // of the OBJ, or NULL
    GtScene* scene;
    GtArena* arena;
    const GtiIntern* names; // of materials, among others
    int32_t* materials;     // [names->count] receives scene materials; GT_NONE where a name has none yet
    GtError* error;
} GtiMtl;

// Read the libraries of a mtllib line: one file whose name may hold blanks, or several. What is not there is a warning.
// Only materials that are in `names` are taken, and of two with one name the first.
GtResult gti_mtl_read(GtiMtl* mtl, const char* libraries, size_t length);

// Let `ref` be a texture from a file, which is added to the scene where it is new.
GtResult gti_add_texture(GtScene* scene, GtArena* scratch, const char* file, size_t length, GtTextureRef* ref,
                         GtError* error);

// White, rough, and no metal.
GtMaterial gti_plain_material(const char* name);

// The roughness whose highlight is as wide as that of a Blinn-Phong exponent >= 0.
float gti_roughness_of_shine(float exponent);

// Give a plain material to a name that no library had.
GtResult gti_mtl_add_plain(GtiMtl* mtl, int32_t name);

// Write the materials of a scene, and pictures where they do not lie there yet, as parts of an OBJ. `library` receives
// the file's name.
GtResult gti_mtl_save(GtiFileSet* files, const GtScene* scene, const char** library, GtError* error);

#endif
