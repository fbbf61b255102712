// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

GtiByteSource gti_byte_source_of_memory(const void* bytes, size_t size)
{
    return (GtiByteSource){ .bytes = bytes, .size = size, .file = -1 };
}

bool gti_byte_source_open(const char* path, GtiByteSource* out)
{
    *out = (GtiByteSource){ .file = -1 };
    struct stat status;
    int file = -1;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false; // opening a pipe would wait for who fills it
    }
    do {
        file = open(path, O_RDONLY | O_CLOEXEC);
    } while (file < 0 && errno == EINTR);
    if (file < 0) {
        return false;
    }
    bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    if (!regular || lseek(file, 0, SEEK_CUR) < 0) {
        close(file);
        return false;
    }
    out->file = file;
    out->size = (uint64_t)status.st_size;
    return true;
}

void gti_byte_source_close(GtiByteSource* source)
{
    if (source->file >= 0) {
        close(source->file);
    }
    source->file = -1;
}

size_t gti_byte_source_read(const GtiByteSource* source, uint64_t offset, void* out, size_t size)
{
    if (offset >= source->size) {
        return 0;
    }
    size = size < source->size - offset ? size : (size_t)(source->size - offset);
    if (source->file < 0) {
        memcpy(out, source->bytes + offset, size);
        return size;
    }
    size_t got = 0;
    while (got < size) {
        ssize_t more = pread(source->file, (uint8_t*)out + got, size - got, (off_t)(offset + got));
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= 0) {
            break;
        }
        got += (size_t)more;
    }
    return got;
}
