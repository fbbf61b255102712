// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The pictures of an FBX file: embedded in its Video objects, or files that it names, often by the path that they had
// on the artist's machine. Each picture becomes one image of the scene, however often it is used.

#ifndef GERTIE_IO_FBX_PICTURE_H
#define GERTIE_IO_FBX_PICTURE_H

#include "io/fbx/reader.h"
#include "io/intern.h"
#include "io/picture_folders.h"

// Pictures that cannot be used are told of all together.
typedef struct GtiFbxPictureFlaw {
    int32_t count;
    const char* first; // name
} GtiFbxPictureFlaw;

typedef struct GtiFbxPictures {
    GtiFbxReader* reader;
    GtiIntern names;   // as the file spells them
    int32_t* images;   // [names.count] of the scene, GT_NONE where it cannot be used, or GTI_FBX_PICTURE_UNSEEN
    int32_t* contents; // [names.count] Video that has the bytes, or GT_NONE
    GtiPictureFolders folders;
    GtiIntern found;       // URIs of the scene's images
    int32_t* found_images; // [found.count]
    GtiFbxPictureFlaw missing;
    GtiFbxPictureFlaw foreign; // embedded, of a kind that is not read
    GtiFbxPictureFlaw damaged;
} GtiFbxPictures;

enum {
    GTI_FBX_PICTURE_UNSEEN = -2
};

// Find the embedded pictures. All memory is the reader's.
GtResult gti_fbx_pictures_start(GtiFbxReader* reader, GtiFbxPictures* pictures);

// The image of a Texture, which is added to the scene where it is new; GT_NONE where it has none that can be used.
GtResult gti_fbx_picture(GtiFbxPictures* pictures, int32_t texture, int32_t* out);

// Tell of pictures that could not be used.
GtResult gti_fbx_pictures_finish(const GtiFbxPictures* pictures);

#endif
