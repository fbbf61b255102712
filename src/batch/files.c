// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/files.h"

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool gti_folder_make(const char* path, bool file)
{
    GtText text = { 0 };
    gt_text_adds(&text, path);
    if (text.failed) {
        errno = ENOMEM;
        return false;
    }
    bool ok = true;
    for (char* at = text.bytes + 1; ok && at <= text.bytes + text.size; ++at) {
        bool is_end = *at == 0;
        if ((*at == '/' || (is_end && !file)) && at[-1] != '/') {
            *at = 0;
            ok = mkdir(text.bytes, 0777) == 0 || errno == EEXIST || errno == EISDIR;
            if (!ok && (errno == EACCES || errno == EROFS)) { // above what there is, that may well be
                struct stat status;
                int code = errno;
                ok = stat(text.bytes, &status) == 0 && S_ISDIR(status.st_mode);
                errno = code;
            }
            *at = is_end ? 0 : '/';
        }
    }
    int code = errno;
    gt_text_destroy(&text);
    errno = code;
    return ok;
}

uint64_t gt_hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    return gti_hash(hash, bytes, size);
}

uint64_t gt_hash_file(uint64_t hash, const char* path)
{
    char piece[1 << 12];
    FILE* file = fopen(path, "rb");
    for (size_t got = 1; file && got > 0;) {
        got = fread(piece, 1, sizeof piece, file);
        hash = gti_hash(hash, piece, got);
    }
    if (file) {
        fclose(file);
    }
    return hash;
}
