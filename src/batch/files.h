// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Files and folders of a batch.

#ifndef GERTIE_BATCH_FILES_H
#define GERTIE_BATCH_FILES_H

#include "gertie/batch.h"

#include <sys/stat.h>

// When a file was last written to.
static inline int64_t gti_file_modified_ns(const struct stat* status)
{
#if defined(__APPLE__)
    const struct timespec* time = &status->st_mtimespec;
#else
    const struct timespec* time = &status->st_mtim;
#endif
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

// Make the folder `path` and those above it, as far as they are not there; with `file`, the folder that it lies in.
// Returns false with errno set.
bool gti_folder_make(const char* path, bool file);

#endif
