// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The motions that a command line names. A folder stands for every motion in it and below it, in the order of their
// names. What results from each is named for it, and no two results have the same name.

#ifndef GERTIE_CLI_MOTIONS_H
#define GERTIE_CLI_MOTIONS_H

#include "session.h"

#include <sys/stat.h>

typedef struct Motion {
    const char* path;
    const char* name;   // the end of `path` that its result is named for: its base, or all that is below a given folder
    const char* output; // path of the result, or NULL before motions_name_outputs()
    bool is_file;       // a plain one that is there, of which what follows is known
    int64_t size;
    int64_t modified_ns;
    dev_t device;
    ino_t inode;
} Motion;

typedef struct MotionList {
    GtArena arena; // of the texts
    Motion* items; // [count]
    int count;
    int capacity;
} MotionList;

// List the motions of `arguments`. Of folders, `character` and the folder `output` (which need not be there) are left
// out. On false, too, motions_free() is due.
bool motions_find(Session* session, const char* const* arguments, int argument_count, const char* character,
                  const char* output, MotionList* out);
void motions_free(MotionList* list);

// Name a .glb in `folder` for each motion. Refuses two that would be one, and those that would replace what they are
// made from.
bool motions_name_outputs(Session* session, MotionList* list, const char* character, const char* folder);

// When a file was last written to.
int64_t file_modified_ns(const struct stat* status);

// Make the folder `path` and those above it, as far as they are not there; with `file`, the folder that it lies in.
// Returns false with errno set.
bool folder_make(const char* path, bool file);

#endif
