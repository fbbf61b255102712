// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scene's surfaces look like, for a packed character.

#ifndef GERTIE_CLI_LOOKS_H
#define GERTIE_CLI_LOOKS_H

#include "session.h"

#include "gertie/pack_write.h"

typedef struct Looks {
    GtPackMaterial* materials; // [material_count] of the scene
    GtPackImage* images;       // [image_count] likewise
    GtBlob** blobs;            // [image_count] what the images' bytes are in, or NULL
    int32_t material_count;
    int32_t image_count;
} Looks;

// Take materials and pictures from a scene, which must outlive them. Pictures that cannot be read are warned of and
// left empty. False, and said, when memory ran out. Release with looks_release(), also then.
bool looks_read(Session* session, const GtScene* scene, const char* file, Looks* out);
void looks_release(Looks* looks);

#endif
