// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Reading a file whole. A file with a size is read into one block of that size; what has none (pipes, devices, /proc)
// grows by doubling up to a limit, because a device may never end.

#include "data/files.h"

#include "base/fail.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_STREAM_BLOCK ((size_t)64 << 10)
#define LARGEST_STREAM     ((size_t)1 << 30)
#define LARGEST_READ       ((size_t)32 << 20) // between two looks at whether the caller wants to stop

static GtResult fail_open(GtError* error, int code)
{
    switch (code) {
    case ENOENT:
        return gti_fail(error, GT_ERROR_IO, "there is no such file; check the spelling and the folder");
    case ENOTDIR:
        return gti_fail(error, GT_ERROR_IO, "a part of this path is no folder; check the spelling");
    case EACCES:
    case EPERM:
        return gti_fail(error, GT_ERROR_IO, "it may not be read; check its permissions and those of its folder");
    case EMFILE:
    case ENFILE:
        return gti_fail(error, GT_ERROR_IO, "too many files are open; close some or raise the limit");
    default:
        return gti_fail(error, GT_ERROR_IO, "it could not be opened: %s", strerror(code));
    }
}

// Read until `capacity` bytes are there or the file ends. `expected` is how many there will be, or 0 where nobody
// knows. A signal, too, is a time to ask whether to go on: a pipe may have nothing to say for ever.
static GtResult read_some(const GtContext* context, int file, uint8_t* bytes, size_t capacity, size_t expected,
                          size_t* size, GtError* error)
{
    while (*size < capacity) {
        size_t wanted = capacity - *size < LARGEST_READ ? capacity - *size : LARGEST_READ;
        ssize_t got = read(file, bytes + *size, wanted);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return gti_fail(error, GT_ERROR_IO, "reading stopped at byte %zu: %s", *size, strerror(errno));
        }
        *size += got > 0 ? (size_t)got : 0;
        double fraction = expected ? (double)*size / (double)expected : 0.0;
        GtResult result = gti_progress(context, error, "reading", fraction);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static GtResult read_sized(const GtContext* context, int file, size_t expected, uint8_t** bytes, size_t* size,
                           GtError* error)
{
    *bytes = context->allocator.allocate(context->allocator.user, expected + 1);
    if (!*bytes) {
        return gti_fail(error, GT_ERROR_OUT_OF_MEMORY, "there is no memory for its %zu bytes", expected);
    }
    GtResult result = read_some(context, file, *bytes, expected, expected, size, error);
    if (result == GT_OK && *size < expected) {
        result = gti_fail(error, GT_ERROR_IO, "it shrank from %zu to %zu bytes while it was read; try again", expected,
                          *size);
    }
    return result;
}

static GtResult read_stream(const GtContext* context, int file, uint8_t** bytes, size_t* size, GtError* error)
{
    size_t capacity = 0;
    for (;;) {
        size_t larger = capacity ? capacity * 2 : FIRST_STREAM_BLOCK;
        uint8_t* block = gti_reallocate(context->allocator, *bytes, *size, larger + 1);
        if (!block) {
            return gti_fail(error, GT_ERROR_OUT_OF_MEMORY, "there is no memory for more than %zu bytes", capacity);
        }
        *bytes = block;
        capacity = larger;
        GtResult result = read_some(context, file, *bytes, capacity, 0, size, error);
        if (result != GT_OK || *size < capacity) {
            return result;
        }
        if (capacity >= LARGEST_STREAM) {
            return gti_fail(error, GT_ERROR_LIMIT, "it sends more than %zu bytes; save them to a file and read that",
                            LARGEST_STREAM);
        }
    }
}

static GtResult read_open_file(const GtContext* context, int file, uint8_t** bytes, size_t* size, GtError* error)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return gti_fail(error, GT_ERROR_IO, "its size is unknown: %s", strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return gti_fail(error, GT_ERROR_IO, "it is a folder; name a file in it");
    }
    if (!S_ISREG(status.st_mode) || status.st_size <= 0) {
        return read_stream(context, file, bytes, size, error);
    }
    if ((uintmax_t)status.st_size >= PTRDIFF_MAX) {
        return gti_fail(error, GT_ERROR_LIMIT, "its %jd bytes do not fit in memory", (intmax_t)status.st_size);
    }
    return read_sized(context, file, (size_t)status.st_size, bytes, size, error);
}

GtResult gti_file_read(const GtContext* context, const char* path, uint8_t** bytes, size_t* size, GtError* error)
{
    *bytes = NULL;
    *size = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    while (file < 0 && errno == EINTR) { // a pipe may wait for ever for someone to fill it
        if (gti_progress(context, error, "reading", 0.0) != GT_OK) {
            gti_error_set_file(error, path);
            return GT_ERROR_CANCELLED;
        }
        file = open(path, O_RDONLY | O_CLOEXEC);
    }
    GtResult result = file < 0 ? fail_open(error, errno) : read_open_file(context, file, bytes, size, error);
    if (file >= 0) {
        close(file);
    }
    if (result != GT_OK) {
        context->allocator.release(context->allocator.user, *bytes);
        *bytes = NULL;
        *size = 0;
        gti_error_set_file(error, path);
        return result;
    }
    (*bytes)[*size] = 0;
    return GT_OK;
}
