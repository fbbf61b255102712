// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The pictures that lie beside a file, for formats that name them by the path that they had on the artist's machine.

#ifndef GERTIE_IO_PICTURE_FOLDERS_H
#define GERTIE_IO_PICTURE_FOLDERS_H

#include "base/slice.h"
#include "io/intern.h"

// Start with the arena, which holds everything, the directory, and `files` in the same arena.
typedef struct GtiPictureFolders {
    GtArena* arena;
    const char* directory; // of the file; NULL where it comes from memory
    bool listed;           // the folders have been looked through
    GtiIntern files;       // names of pictures that lie there, in lower case
    const char** uris;     // [files.count]
    int32_t uri_capacity;
} GtiPictureFolders;

// The URI of a PNG, JPEG, TGA or BMP that lies under a path from the directory, else of one with that name and any of
// these endings; NULL where there is none.
// @param relative  may be empty
// @param failed    is set when memory ran out
const char* gti_picture_find(GtiPictureFolders* folders, GtiSlice relative, GtiSlice name, bool* failed);

#endif
