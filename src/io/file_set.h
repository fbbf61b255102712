// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Files that belong together: a file and the parts that it names, such as a .gltf and its .bin. What was there stays
// readable at every moment, also after a crash: parts never replace a file with other contents, they get new names, and
// the file that names them is renamed into its place last. Then parts that the replaced file named, and that no other
// file beside it names, are removed.

#ifndef GERTIE_IO_FILE_SET_H
#define GERTIE_IO_FILE_SET_H

#include "data/files.h"

typedef struct GtiFilePart {
    struct GtiFilePart* next;
    const char* name; // without its folder
    const char* path;
    bool is_new; // written now: removed again on failure
} GtiFilePart;

typedef struct GtiFileSet {
    const GtContext* context;
    GtArena arena;
    const char* path;   // of the file that names the others
    const char* folder; // of it, "" for the present one
    const char* stem;   // its name without folder and ending
    GtiFilePart* parts;
} GtiFileSet;

// Start a set; end it with gti_file_set_finish() or gti_file_set_discard().
GtResult gti_file_set_open(const GtContext* context, const char* path, GtiFileSet* out, GtError* error);

// Write a part.
// @param suffix  after the stem: ".bin", "_0.png"
// @param name    receives the name to refer to it by: the stem and the suffix, with a hash of the contents between them
//                where another file has that name; lives until the set ends
GtResult gti_file_set_add(GtiFileSet* set, const char* suffix, const GtiSpan* spans, int32_t span_count,
                          const char** name, GtError* error);

// Write the file that names the parts, and remove parts that nothing names any more. On failure the new parts are gone,
// and what was there is as it was. Either way the set ends.
GtResult gti_file_set_finish(GtiFileSet* set, const GtiSpan* spans, int32_t span_count, GtError* error);

// Remove the new parts; the set ends.
void gti_file_set_discard(GtiFileSet* set);

#endif
