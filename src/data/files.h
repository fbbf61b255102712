// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Files in and out. Reading takes a file whole; writing is atomic: beside the target, flushed, then renamed over it, so
// that a failed or killed run never leaves a broken file.

#ifndef GERTIE_DATA_FILES_H
#define GERTIE_DATA_FILES_H

#include "gertie/context.h"

// Read a whole file. Directories, and files that shrink while they are read, are errors. Streams without a size (pipes)
// work. One 0 byte follows the contents, so that text can be scanned.
// `bytes` comes from the context's allocator; give it back with its release().
GtResult gti_file_read(const GtContext* context, const char* path, uint8_t** bytes, size_t* size, GtError* error);

// A run of bytes to be written.
typedef struct GtiSpan {
    const void* bytes;
    size_t size;
} GtiSpan;

// Write spans one after the other as `path`. On failure nothing at `path` has changed and nothing is left beside it.
// A target that is no regular file (/dev/stdout, a pipe) is written directly.
GtResult gti_file_write(const GtContext* context, const char* path, const GtiSpan* spans, int32_t span_count,
                        GtError* error);

// A file in the making, for those who write by its name, such as another program: it lies beside its target until it is
// put in its place.
typedef struct GtiDraft {
    const char* path; // where to write; the file is there already, empty
    GtArena arena;
    const char* target;
    int file;      // open on it, or -1 where the target is no regular file and is written directly
    bool replaces; // a file that was there, whose owner and mode it takes over
    uint32_t uid, gid, mode;
} GtiDraft;

// Remove drafts in a folder ("" for the present one) that no process is writing any more, because it was killed.
// @param base  the file name that they are drafts of, or NULL for any
// @return how many were removed
int32_t gti_drafts_sweep(const char* folder, const char* base);

// Start a draft of `path`, and remove drafts of it that killed processes left; free it with gti_draft_finish() or
// gti_draft_discard().
GtResult gti_draft_create(const GtContext* context, const char* path, GtiDraft* out, GtError* error);

// Put it in its place; on failure nothing there has changed and nothing is left beside it. The error names no file.
GtResult gti_draft_finish(GtiDraft* draft, GtError* error);

// Remove it.
void gti_draft_discard(GtiDraft* draft);

// `directory` + "/" + `name`, in `arena`; `name` alone when it is absolute or `directory` is NULL or empty.
const char* gti_path_join(GtArena* arena, const char* directory, const char* name);

// Whether two folders, "" for the present one, are there and are the same.
bool gti_same_folder(const char* a, const char* b);

// Length of the part of `path` before its last slash: 0 where there is none, 1 for "/x".
size_t gti_path_directory_length(const char* path);

// Whether `path` ends in ".extension", in any case.
bool gti_path_has_extension(const char* path, const char* extension);

#endif
