// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names out of files that promise no encoding.

#ifndef GERTIE_IO_NAME_H
#define GERTIE_IO_NAME_H

#include "gertie/scene.h"

// A name and a suffix as UTF-8 in the scene's memory: other bytes are taken as Latin-1, control characters become '_',
// and *repaired is set for both. NULL when memory ran out.
const char* gti_push_name(GtScene* scene, const char* name, size_t length, const char* suffix, bool* repaired);

// The name of a file without its folder and ending, or `fallback` where there is no path.
const char* gti_push_stem(GtScene* scene, const char* path, const char* fallback);

// Let the scene remember the folder of `path`, which may be NULL; false when memory ran out.
bool gti_push_directory(GtScene* scene, const char* path);

#endif
