// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How a material of an FBX file uses a picture: which UV set, repeated or clamped, moved and scaled.

#ifndef GERTIE_IO_FBX_TEXTURE_H
#define GERTIE_IO_FBX_TEXTURE_H

#include "io/fbx/picture.h"

typedef struct GtiFbxTextures {
    GtiFbxPictures pictures;
    int32_t* textures;     // [object_count] of each Texture in the scene; GTI_FBX_PICTURE_UNSEEN, or GT_NONE for none
    int32_t samplers[4];   // by whether U (1) and V (2) are clamped; GT_NONE where there is none yet
    bool from_blender;     // which writes the inverse of other programs' scale and rotation
    bool from_blender_2_7; // or older, whose materials are not physical
} GtiFbxTextures;

GtResult gti_fbx_textures_start(GtiFbxReader* reader, GtiFbxTextures* textures);

// Let `ref` be the texture that a Texture or LayeredTexture stands for: of several layers the first that can be used.
// It is left as it is where there is none.
// @param geometry  object whose UV sets the texture names, or GT_NONE
GtResult gti_fbx_use_texture(GtiFbxTextures* textures, int32_t object, int32_t geometry, GtTextureRef* ref);

// The number of a UV set among those of a Geometry in the file's order; 0 where it has none of that name.
int32_t gti_fbx_uv_set(const GtiFbxReader* reader, int32_t geometry, GtiSlice name);

#endif
