// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing a file at one stroke: into a new file beside the target, flushed to the disk, renamed over it. Symbolic links
// are followed first, so that a link stays one. What cannot be replaced (a pipe, a terminal, an open descriptor such as
// /dev/stdout) is written directly.

#include "data/files.h"

#include "base/fail.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_LINKS = 40, // as Linux
    MAX_ATTEMPTS = 100,
    MAX_STEM = 200 // of the temporary name; file systems allow 255 bytes
};

static const char draft_mark[] = ".unfinished-"; // between a file's name and the numbers of process and attempt

#define LARGEST_WRITE ((size_t)32 << 20) // between two looks at whether the caller wants to stop

static GtResult fail_write(GtError* error, int code)
{
    switch (code) {
    case ENOSPC:
        return gti_fail(error, GT_ERROR_IO, "the disk is full; make room or write elsewhere");
    case EDQUOT:
        return gti_fail(error, GT_ERROR_IO, "your disk quota is used up; make room or write elsewhere");
    case EFBIG:
        return gti_fail(error, GT_ERROR_IO, "the file is larger than the disk or the process limit allows");
    case EPIPE:
        return gti_fail(error, GT_ERROR_IO, "whoever reads this stopped reading");
    default:
        return gti_fail(error, GT_ERROR_IO, "writing failed: %s", strerror(code));
    }
}

static GtResult fail_create(GtError* error, int code)
{
    switch (code) {
    case ENOENT:
        return gti_fail(error, GT_ERROR_IO, "its folder does not exist; make it first");
    case ENOTDIR:
        return gti_fail(error, GT_ERROR_IO, "a part of this path is no folder; check the spelling");
    case EACCES:
    case EPERM:
        return gti_fail(error, GT_ERROR_IO, "its folder may not be written to; check permissions or write elsewhere");
    case EROFS:
        return gti_fail(error, GT_ERROR_IO, "its disk is read-only; write elsewhere");
    case ENAMETOOLONG:
        return gti_fail(error, GT_ERROR_IO, "this name is too long for the disk; choose a shorter one");
    case ELOOP:
        return gti_fail(error, GT_ERROR_IO, "its symbolic links lead in a circle");
    default:
        return fail_write(error, code);
    }
}

// A pipe without a reader is an error as others are: its signal would end the process, which is not ours to end.
static ssize_t write_without_signal(int file, const void* bytes, size_t size)
{
    sigset_t broken, pending, before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(file, bytes, size);
    int code = errno;
    sigpending(&pending);
    if (!was_pending && sigismember(&pending, SIGPIPE) == 1) { // sent even where a part was written
        int taken;
        sigwait(&broken, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return written;
}

static GtResult write_spans(const GtContext* context, int file, const GtiSpan* spans, int32_t span_count,
                            GtError* error)
{
    double total = 0.0;
    double done = 0.0;
    for (int32_t i = 0; i < span_count; ++i) {
        total += (double)spans[i].size;
    }
    for (int32_t i = 0; i < span_count; ++i) {
        const char* bytes = spans[i].bytes;
        size_t left = spans[i].size;
        while (left > 0) {
            ssize_t written = write_without_signal(file, bytes, left < LARGEST_WRITE ? left : LARGEST_WRITE);
            if (written < 0 && errno != EINTR) {
                return fail_write(error, errno);
            }
            bytes += written > 0 ? written : 0;
            left -= written > 0 ? (size_t)written : 0;
            done += written > 0 ? (double)written : 0.0;
            GtResult result = gti_progress(context, error, "writing", done / total);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    return GT_OK;
}

// Closing may be where a network disk says that it is full.
static GtResult close_written(int file, GtResult result, GtError* error)
{
    if (close(file) != 0 && errno != EINTR && result == GT_OK) {
        return fail_write(error, errno);
    }
    return result;
}

// The descriptor that `path` names, as /dev/stdout does, or -1.
static int named_descriptor(const char* path)
{
    static const char* const folders[] = { "/dev/fd/", "/proc/self/fd/" };
    if (strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (int i = 0; i < 2; ++i) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0) {
            char* end = NULL;
            long number = strtol(path + length, &end, 10);
            return end > path + length && *end == 0 && number >= 0 && number <= 1 << 20 ? (int)number : -1;
        }
    }
    return -1;
}

static GtResult write_directly(const GtContext* context, const char* path, int descriptor, const GtiSpan* spans,
                               int32_t span_count, GtError* error)
{
    int file = -1;
    for (;;) {
        file = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (file >= 0 || errno != EINTR) {
            break;
        }
        if (gti_progress(context, error, "writing", 0.0) != GT_OK) { // a pipe may wait for ever for a reader
            return GT_ERROR_CANCELLED;
        }
    }
    if (file < 0 && (errno == EACCES || errno == EPERM)) {
        return gti_fail(error, GT_ERROR_IO, "it may not be written; check its permissions");
    }
    if (file < 0) {
        return gti_fail(error, GT_ERROR_IO, "it could not be opened for writing: %s", strerror(errno));
    }
    return close_written(file, write_spans(context, file, spans, span_count, error), error);
}

// Follow `path` while it is a symbolic link, also one to a file that is yet to be made, but not through a descriptor.
static GtResult follow_links(GtArena* arena, const char** path, GtError* error)
{
    for (int i = 0; i < MAX_LINKS; ++i) {
        struct stat status;
        if (named_descriptor(*path) >= 0 || lstat(*path, &status) != 0 || !S_ISLNK(status.st_mode)) {
            return GT_OK;
        }
        char target[4096];
        ssize_t length = readlink(*path, target, sizeof target - 1);
        if (length < 0) {
            return fail_create(error, errno);
        }
        target[length] = 0;
        char* directory = gt_arena_push_text(arena, *path, gti_path_directory_length(*path));
        const char* joined = directory ? gti_path_join(arena, directory, target) : NULL;
        if (!joined) {
            return gti_out_of_memory(error);
        }
        *path = joined;
    }
    return fail_create(error, ELOOP);
}

// Whether a name is that of a draft: "walk.glb.unfinished-4711-0".
static bool is_draft(const char* name, const char* base)
{
    const char* mark = strstr(name, draft_mark);
    const char* numbers = mark ? mark + strlen(draft_mark) : "";
    bool is_of_base =
        mark && (!base || (strlen(base) == (size_t)(mark - name) && memcmp(name, base, strlen(base)) == 0));
    return is_of_base && numbers[0] && strspn(numbers, "0123456789-") == strlen(numbers);
}

int32_t gti_drafts_sweep(const char* folder, const char* base)
{
    int32_t count = 0;
    DIR* directory = opendir(folder[0] ? folder : ".");
    for (struct dirent* entry; directory && (entry = readdir(directory));) {
        if (!is_draft(entry->d_name, base)) {
            continue;
        }
        int file = openat(dirfd(directory), entry->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
        if (file >= 0) { // whoever writes it holds its lock
            count += flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(dirfd(directory), entry->d_name, 0) == 0;
            close(file);
        }
    }
    if (directory) {
        closedir(directory);
    }
    return count;
}

// Take the lock that says that a draft is being written. False where another process swept it away in that moment. File
// systems without locks are never swept.
static bool lock_draft(int file)
{
    struct stat status;
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return false;
    }
    return fstat(file, &status) != 0 || status.st_nlink > 0;
}

// A new file beside `target`, named after it and this process.
static GtResult create_beside(GtArena* arena, const char* target, mode_t mode, char** name, int* file, GtError* error)
{
    size_t directory = gti_path_directory_length(target);
    const char* base = strrchr(target, '/') ? strrchr(target, '/') + 1 : target;
    size_t size = strlen(target) + 64;
    *name = gt_arena_push(arena, size);
    if (!*name) {
        return gti_out_of_memory(error);
    }
    for (int attempt = 0; attempt < MAX_ATTEMPTS; ++attempt) {
        snprintf(*name, size, "%.*s%s%.*s%s%ld-%d", (int)directory, target, directory > 1 ? "/" : "", MAX_STEM, base,
                 draft_mark, (long)getpid(), attempt);
        *file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (*file >= 0 && lock_draft(*file)) {
            return GT_OK;
        }
        if (*file >= 0) {
            close(*file);
            continue;
        }
        if (errno != EEXIST && errno != EINTR) {
            return fail_create(error, errno);
        }
    }
    return gti_fail(error, GT_ERROR_IO, "too many unfinished files (%s) are beside it; remove them", *name);
}

// Owner and mode of what it replaces, and everything on the disk.
static GtResult seal(const GtiDraft* draft, GtError* error)
{
    if (draft->replaces) {
        // The owner only where we may, and before the mode, which chown clears.
        if (fchown(draft->file, draft->uid, draft->gid) != 0 && errno != EPERM && errno != EINVAL) {
            return fail_write(error, errno);
        }
        if (fchmod(draft->file, draft->mode & 0777) != 0) {
            return fail_write(error, errno);
        }
    }
    if (fsync(draft->file) != 0 && errno != EINVAL && errno != ENOTSUP) { // some file systems cannot
        return fail_write(error, errno);
    }
    return GT_OK;
}

// Make the new name last through a power cut. The file itself is safe by now, so failing here is no failure.
static void flush_folder(GtArena* arena, const char* target)
{
    size_t length = gti_path_directory_length(target);
    const char* folder = length ? gt_arena_push_text(arena, target, length) : ".";
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

// What was killed cannot tidy up; whoever writes the same file next does.
static void sweep_beside(const GtContext* context, GtiDraft* draft)
{
    const char* folder = gt_arena_push_text(&draft->arena, draft->target, gti_path_directory_length(draft->target));
    const char* base = strrchr(draft->target, '/') ? strrchr(draft->target, '/') + 1 : draft->target;
    char stem[MAX_STEM + 1];
    snprintf(stem, sizeof stem, "%s", base);
    int32_t count = folder ? gti_drafts_sweep(folder, stem) : 0;
    if (count > 0) {
        gti_note(context, draft->target, NULL, "%d unfinished cop%s of it that a stopped run left %s removed",
                 (int)count, count == 1 ? "y" : "ies", count == 1 ? "is" : "are");
    }
}

static GtResult open_beside(const GtContext* context, GtiDraft* draft, GtError* error)
{
    struct stat status;
    draft->replaces = stat(draft->target, &status) == 0;
    if (draft->replaces) {
        draft->uid = status.st_uid;
        draft->gid = status.st_gid;
        draft->mode = status.st_mode;
        if (faccessat(AT_FDCWD, draft->target, W_OK, AT_EACCESS) != 0) {
            if (errno == EROFS) {
                return fail_create(error, errno);
            }
            return gti_fail(error, GT_ERROR_IO, "it is write-protected; change its permissions or write elsewhere");
        }
    }
    char* name = NULL;
    sweep_beside(context, draft);
    GtResult result =
        create_beside(&draft->arena, draft->target, draft->replaces ? 0600 : 0666, &name, &draft->file, error);
    draft->path = name;
    return result;
}

static GtResult open_draft(const GtContext* context, GtiDraft* draft, const char* path, GtError* error)
{
    draft->target = gt_arena_push_text(&draft->arena, path, strlen(path));
    if (!draft->target) {
        return gti_out_of_memory(error);
    }
    GtResult result = follow_links(&draft->arena, &draft->target, error);
    if (result != GT_OK) {
        return result;
    }
    struct stat status;
    bool there = stat(draft->target, &status) == 0;
    if (named_descriptor(draft->target) >= 0 || (there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
        draft->path = draft->target;
        return GT_OK;
    }
    size_t length = strlen(draft->target);
    if (length == 0) {
        return gti_fail(error, GT_ERROR_IO, "no file is named to write to");
    }
    if (there ? S_ISDIR(status.st_mode) : draft->target[length - 1] == '/') {
        return gti_fail(error, GT_ERROR_IO, "it is a folder; name a file in it");
    }
    return open_beside(context, draft, error);
}

bool gti_same_folder(const char* a, const char* b)
{
    struct stat first;
    struct stat second;
    return stat(*a ? a : ".", &first) == 0 && stat(*b ? b : ".", &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

GtResult gti_draft_create(const GtContext* context, const char* path, GtiDraft* out, GtError* error)
{
    *out = (GtiDraft){ .arena = gt_arena_create(context->allocator), .file = -1 };
    GtResult result = open_draft(context, out, path, error);
    if (result != GT_OK) {
        gt_arena_destroy(&out->arena);
        gti_error_set_file(error, path);
    }
    return result;
}

GtResult gti_draft_finish(GtiDraft* draft, GtError* error)
{
    GtResult result = GT_OK;
    if (draft->file >= 0) {
        result = close_written(draft->file, seal(draft, error), error);
        draft->file = -1;
        if (result == GT_OK && rename(draft->path, draft->target) != 0) {
            result = fail_create(error, errno);
        }
        if (result == GT_OK) {
            flush_folder(&draft->arena, draft->target);
        } else {
            unlink(draft->path);
        }
    }
    gt_arena_destroy(&draft->arena);
    return result;
}

void gti_draft_discard(GtiDraft* draft)
{
    if (draft->file >= 0) {
        close(draft->file);
        draft->file = -1;
        unlink(draft->path);
    }
    gt_arena_destroy(&draft->arena);
}

GtResult gti_file_write(const GtContext* context, const char* path, const GtiSpan* spans, int32_t span_count,
                        GtError* error)
{
    GtiDraft draft;
    GtResult result = gti_draft_create(context, path, &draft, error);
    if (result != GT_OK) {
        return result;
    }
    if (draft.file < 0) {
        result = write_directly(context, draft.target, named_descriptor(draft.target), spans, span_count, error);
    } else {
        result = write_spans(context, draft.file, spans, span_count, error);
    }
    if (result == GT_OK) {
        result = gti_draft_finish(&draft, error);
    } else {
        gti_draft_discard(&draft);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, path);
    }
    return result;
}
