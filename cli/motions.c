// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders are walked with a list of those still to see, not by recursion. Links to files are followed, links to folders
// are not, so that no walk goes in circles. Hidden files and folders are left alone.

#include "motions.h"

#include "fail.h"
#include "scenes.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What a walk leaves out.
typedef struct Skip {
    bool has[2]; // the character, the folder of results
    struct stat status[2];
} Skip;

static bool out_of_memory(Session* session, const char* file)
{
    GtError error;
    fail(&error, GT_ERROR_OUT_OF_MEMORY, file, "out of memory");
    return session_fail(session, &error);
}

static bool cannot_read(Session* session, const char* folder, int code)
{
    GtError error;
    fail(&error, GT_ERROR_IO, folder, "the folder cannot be read: %s", strerror(code));
    return session_fail(session, &error);
}

static bool is_same_file(const struct stat* a, const struct stat* b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_skipped(const Skip* skip, const struct stat* status)
{
    return (skip->has[0] && is_same_file(&skip->status[0], status)) ||
           (skip->has[1] && is_same_file(&skip->status[1], status));
}

// By its ending; what is in it shows when it is read.
static bool may_be_motion(const char* name)
{
    const GtFormat* format = gt_format_of_path(name);
    return format && format->reads && format->holds & GT_HOLDS_MOTION;
}

// Add a motion. `name_at` is where in its path the part begins that names its result.
static bool add(Session* session, MotionList* list, const char* path, size_t name_at, const struct stat* status)
{
    if (list->count == list->capacity) {
        GtAllocator allocator = gt_default_allocator();
        int capacity = list->capacity ? 2 * list->capacity : 64;
        Motion* items = allocator.allocate(allocator.user, (size_t)capacity * sizeof *items);
        if (!items) {
            return out_of_memory(session, path);
        }
        if (list->count) {
            memcpy(items, list->items, (size_t)list->count * sizeof *items);
        }
        allocator.release(allocator.user, list->items);
        list->items = items;
        list->capacity = capacity;
    }
    const char* copy = gt_arena_push_text(&list->arena, path, strlen(path));
    if (!copy) {
        return out_of_memory(session, path);
    }
    Motion* motion = &list->items[list->count++];
    *motion = (Motion){ .path = copy, .name = copy + name_at, .is_file = status && S_ISREG(status->st_mode) };
    if (motion->is_file) {
        motion->size = (int64_t)status->st_size;
        motion->modified_ns = file_modified_ns(status);
        motion->device = status->st_dev;
        motion->inode = status->st_ino;
    }
    return true;
}

// A folder that is still to be seen.
typedef struct Folder {
    struct Folder* next;
    const char* path;
} Folder;

// Take up the entries of one folder: motions into the list, folders onto `pending`.
static bool see_folder(Session* session, MotionList* list, DIR* directory, const char* path, size_t name_at,
                       const Skip* skip, Folder** pending)
{
    for (struct dirent* entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        struct stat status;
        Text text = { 0 };
        text_addf(&text, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", entry->d_name);
        bool ok = !text.failed || out_of_memory(session, path);
        if (ok && lstat(text.bytes, &status) == 0) {
            bool is_link = S_ISLNK(status.st_mode);
            if (S_ISDIR(status.st_mode) && !is_skipped(skip, &status)) {
                Folder* folder = gt_arena_push(&list->arena, sizeof *folder);
                const char* copy = gt_arena_push_text(&list->arena, text.bytes, text.size);
                ok = (folder && copy) || out_of_memory(session, path);
                if (ok) {
                    *folder = (Folder){ *pending, copy };
                    *pending = folder;
                }
            } else if ((!is_link || stat(text.bytes, &status) == 0) && S_ISREG(status.st_mode) &&
                       may_be_motion(entry->d_name) && !is_skipped(skip, &status)) {
                ok = add(session, list, text.bytes, name_at, &status);
            }
        }
        text_free(&text);
        if (!ok) {
            return false;
        }
    }
    return true;
}

static int compare_paths(const void* left, const void* right)
{
    return strcmp(((const Motion*)left)->path, ((const Motion*)right)->path);
}

static bool add_folder(Session* session, MotionList* list, const char* top, const Skip* skip)
{
    int first = list->count;
    size_t name_at = strlen(top) + (top[strlen(top) - 1] != '/');
    Folder start = { NULL, top };
    Folder* pending = &start;
    while (pending) {
        const char* path = pending->path;
        pending = pending->next;
        DIR* directory = opendir(path);
        if (!directory) {
            return cannot_read(session, path, errno);
        }
        bool ok = see_folder(session, list, directory, path, name_at, skip, &pending);
        closedir(directory);
        if (!ok) {
            return false;
        }
    }
    if (list->count == first) {
        GtError error;
        fail(&error, GT_ERROR_NOT_FOUND, top, "the folder holds no motions, such as .bvh or .glb files");
        return session_fail(session, &error);
    }
    qsort(&list->items[first], (size_t)(list->count - first), sizeof *list->items, compare_paths);
    return true;
}

bool motions_find(Session* session, const char* const* arguments, int argument_count, const char* character,
                  const char* output, MotionList* out)
{
    *out = (MotionList){ .arena = gt_arena_create(gt_default_allocator()) };
    Skip skip = { 0 };
    skip.has[0] = stat(character, &skip.status[0]) == 0;
    skip.has[1] = stat(output, &skip.status[1]) == 0;
    for (int i = 0; i < argument_count; ++i) {
        const char* path = arguments[i];
        const char* slash = strrchr(path, '/');
        struct stat status;
        bool exists = stat(path, &status) == 0;
        bool ok = exists && S_ISDIR(status.st_mode)
                      ? add_folder(session, out, path, &skip)
                      : add(session, out, path, slash ? (size_t)(slash + 1 - path) : 0, exists ? &status : NULL);
        if (!ok) {
            return false;
        }
    }
    return true;
}

void motions_free(MotionList* list)
{
    GtAllocator allocator = gt_default_allocator();
    allocator.release(allocator.user, list->items);
    gt_arena_destroy(&list->arena);
    *list = (MotionList){ 0 };
}

static bool name_output(Session* session, MotionList* list, Motion* motion, const char* folder)
{
    const char* base = strrchr(motion->name, '/') ? strrchr(motion->name, '/') + 1 : motion->name;
    const char* dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - motion->name) : strlen(motion->name);
    Text path = { 0 };
    text_addf(&path, "%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/");
    text_add(&path, motion->name, length);
    text_adds(&path, ".glb");
    motion->output = path.failed ? NULL : gt_arena_push_text(&list->arena, path.bytes, path.size);
    text_free(&path);
    return motion->output || out_of_memory(session, motion->path);
}

static int compare_outputs(const void* left, const void* right)
{
    const Motion* a = *(const Motion* const*)left;
    const Motion* b = *(const Motion* const*)right;
    int order = strcmp(a->output, b->output);
    return order ? order : (a > b) - (a < b);
}

static int compare_inodes(const void* left, const void* right)
{
    const Motion* a = *(const Motion* const*)left;
    const Motion* b = *(const Motion* const*)right;
    return a->device != b->device ? (a->device > b->device) - (a->device < b->device)
                                  : (a->inode > b->inode) - (a->inode < b->inode);
}

static bool refuse_twins(Session* session, const Motion** sorted, int count)
{
    qsort(sorted, (size_t)count, sizeof *sorted, compare_outputs);
    for (int i = 1; i < count; ++i) {
        const Motion* a = sorted[i - 1];
        const Motion* b = sorted[i];
        if (!strcmp(a->output, b->output)) {
            return !strcmp(a->path, b->path)
                       ? session_misuse(session, "%s is named twice", a->path)
                       : session_misuse(session,
                                        "%s and %s would both become %s; give the folder above them, which keeps "
                                        "the folders in it, or rename one",
                                        a->path, b->path, a->output);
        }
    }
    return true;
}

// A result in the place of a motion, or of the character, would leave nothing to do it again from.
static bool refuse_own_goals(Session* session, const MotionList* list, const Motion** sorted, const char* character)
{
    struct stat person;
    bool has_person = stat(character, &person) == 0;
    int count = 0;
    for (int i = 0; i < list->count; ++i) {
        if (list->items[i].is_file) {
            sorted[count++] = &list->items[i];
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_inodes);
    for (int i = 0; i < list->count; ++i) {
        const Motion* motion = &list->items[i];
        struct stat status;
        if (stat(motion->output, &status) != 0) {
            continue;
        }
        const Motion wanted = { .device = status.st_dev, .inode = status.st_ino };
        const Motion* key = &wanted;
        if ((has_person && is_same_file(&person, &status)) ||
            bsearch(&key, sorted, (size_t)count, sizeof *sorted, compare_inodes)) {
            return session_misuse(session, "%s would replace a file that it is made from; choose another folder",
                                  motion->output);
        }
    }
    return true;
}

bool motions_name_outputs(Session* session, MotionList* list, const char* character, const char* folder)
{
    for (int i = 0; i < list->count; ++i) {
        if (!strcmp(list->items[i].path, "-")) {
            return session_misuse(session, "standard input has no name to give to a file in %s; name a file for OUT",
                                  folder);
        }
        if (!name_output(session, list, &list->items[i], folder)) {
            return false;
        }
    }
    const Motion** sorted = gt_arena_push_array(&list->arena, (size_t)list->count, sizeof *sorted);
    if (!sorted) {
        return out_of_memory(session, folder);
    }
    for (int i = 0; i < list->count; ++i) {
        sorted[i] = &list->items[i];
    }
    return refuse_twins(session, sorted, list->count) && refuse_own_goals(session, list, sorted, character);
}

int64_t file_modified_ns(const struct stat* status)
{
#if defined(__APPLE__)
    const struct timespec* time = &status->st_mtimespec;
#else
    const struct timespec* time = &status->st_mtim;
#endif
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

bool folder_make(const char* path, bool file)
{
    Text text = { 0 };
    text_adds(&text, path);
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
    text_free(&text);
    errno = code;
    return ok;
}
