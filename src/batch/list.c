// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The motions that paths name, and what their results are called. Folders are walked with a list of those still to see,
// not by recursion. Links to files are followed, links to folders are not, so that no walk goes in circles. Hidden
// files and folders are left alone.

#include "batch/files.h"

#include "base/fail.h"
#include "base/memory.h"
#include "data/files.h"
#include "gertie/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 64,
    MOST_KINDS = 32, // of files that are left out; the rest is counted together
    MOST_SHOWN = 6,
    ENDING_SIZE = 16
};

// Files of one ending that are no motions.
typedef struct LeftOver {
    char ending[ENDING_SIZE]; // ".fbx", in lower case, or "other"
    int32_t count;
} LeftOver;

// A folder that is still to be seen.
typedef struct Folder {
    struct Folder* next;
    const char* path;
} Folder;

typedef struct Walk {
    const GtContext* context;
    GtBatchList* list;
    struct stat left_out[2]; // [left_out_count] the character and where results go
    int left_out_count;
    Folder* pending;
    size_t name_at; // where in a path the part begins that names its result
    LeftOver left_over[MOST_KINDS];
    int32_t left_over_count;
    GtError* error;
} Walk;

static GtResult out_of_memory(GtError* error, const char* file)
{
    gti_out_of_memory(error);
    gti_error_set_file(error, file);
    return GT_ERROR_OUT_OF_MEMORY;
}

static bool is_same_file(const struct stat* a, const struct stat* b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_left_out(const Walk* w, const struct stat* status)
{
    for (int i = 0; i < w->left_out_count; ++i) {
        if (is_same_file(&w->left_out[i], status)) {
            return true;
        }
    }
    return false;
}

// By its ending; what is in it shows when it is read.
static bool may_be_motion(const char* name)
{
    const GtFormat* format = gt_format_of_path(name);
    return format && format->reads && format->holds & GT_HOLDS_MOTION;
}

// `status` is NULL for what is not there.
static GtResult add_job(Walk* w, const char* path, const struct stat* status)
{
    GtBatchList* list = w->list;
    if (list->count == list->capacity) {
        GtBatchJob* jobs = gti_arena_grow(&list->arena, list->jobs, &list->capacity, FIRST_CAPACITY, sizeof *jobs);
        if (!jobs) {
            return out_of_memory(w->error, path);
        }
        list->jobs = jobs;
    }
    const char* copy = gt_arena_push_text(&list->arena, path, strlen(path));
    if (!copy) {
        return out_of_memory(w->error, path);
    }
    GtBatchJob* job = &list->jobs[list->count++];
    *job = (GtBatchJob){ .path = copy, .name = copy + w->name_at, .is_file = status && S_ISREG(status->st_mode) };
    if (job->is_file) {
        job->size = (int64_t)status->st_size;
        job->modified_ns = gti_file_modified_ns(status);
    }
    return GT_OK;
}

static GtResult add_pending(Walk* w, const char* path)
{
    Folder* folder = gt_arena_push(&w->list->arena, sizeof *folder);
    const char* copy = gt_arena_push_text(&w->list->arena, path, strlen(path));
    if (!folder || !copy) {
        return out_of_memory(w->error, path);
    }
    *folder = (Folder){ w->pending, copy };
    w->pending = folder;
    return GT_OK;
}

static void count_left_over(Walk* w, const char* path)
{
    const char* base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char* dot = strrchr(base, '.');
    bool is_other = !dot || strlen(dot) >= ENDING_SIZE || w->left_over_count == MOST_KINDS - 1;
    char ending[ENDING_SIZE] = "other";
    for (size_t i = 0; !is_other && i <= strlen(dot); ++i) {
        ending[i] = (char)tolower((unsigned char)dot[i]);
    }
    int32_t at = 0;
    while (at < w->left_over_count && strcmp(w->left_over[at].ending, ending) != 0) {
        ++at;
    }
    if (at == w->left_over_count && at < MOST_KINDS) {
        memcpy(w->left_over[w->left_over_count++].ending, ending, sizeof ending);
    }
    w->left_over[at].count += at < MOST_KINDS;
}

static int compare_left_over(const void* left, const void* right)
{
    const LeftOver* a = left;
    const LeftOver* b = right;
    return a->count != b->count ? b->count - a->count : strcmp(a->ending, b->ending);
}

// "3 .fbx, 1 .txt and 2 other files"; how many there are.
static int32_t list_left_over(Walk* w, char* out, size_t size)
{
    int32_t total = 0;
    int32_t shown = w->left_over_count < MOST_SHOWN ? w->left_over_count : MOST_SHOWN;
    size_t used = 0;
    qsort(w->left_over, (size_t)w->left_over_count, sizeof *w->left_over, compare_left_over);
    out[0] = 0;
    for (int32_t i = 0; i < w->left_over_count; ++i) {
        total += w->left_over[i].count;
        if (i < shown && used < size) {
            used += (size_t)snprintf(out + used, size - used, "%s%d %s",
                                     i == 0           ? ""
                                     : i == shown - 1 ? " and "
                                                      : ", ",
                                     (int)w->left_over[i].count, w->left_over[i].ending);
        }
    }
    if (used < size) {
        snprintf(out + used, size - used, "%s", total == 1 ? " file" : " files");
    }
    return total;
}

// No file of a folder is left out in silence.
static GtResult tell_left_over(Walk* w, const char* top, bool has_motions)
{
    char kinds[160];
    char formats[64] = "";
    int32_t count = list_left_over(w, kinds, sizeof kinds);
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        size_t used = strlen(formats);
        if (format->reads && format->holds & GT_HOLDS_MOTION) {
            snprintf(formats + used, sizeof formats - used, "%s.%s", used ? ", " : "", format->name);
        }
    }
    if (has_motions && count > 0) {
        gti_warn(w->context, top, NULL, "%s %s skipped: motions are read from %s files", kinds,
                 count == 1 ? "is" : "are", formats);
    }
    if (has_motions) {
        return GT_OK;
    }
    gti_fail(w->error, GT_ERROR_NOT_FOUND, "the folder holds no motions, which are read from %s files%s%s", formats,
             count > 0 ? ", but " : "", count > 0 ? kinds : "");
    gti_error_set_file(w->error, top);
    return GT_ERROR_NOT_FOUND;
}

static GtResult see_entry(Walk* w, const char* path)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return GT_OK;
    }
    bool is_link = S_ISLNK(status.st_mode);
    if (S_ISDIR(status.st_mode)) {
        return is_left_out(w, &status) ? GT_OK : add_pending(w, path);
    }
    if ((is_link && stat(path, &status) != 0) || !S_ISREG(status.st_mode) || is_left_out(w, &status)) {
        return GT_OK;
    }
    if (may_be_motion(path)) {
        return add_job(w, path, &status);
    }
    count_left_over(w, path);
    return GT_OK;
}

// Take up the entries of one folder: motions into the list, folders onto those still to be seen.
static GtResult see_folder(Walk* w, const char* path)
{
    DIR* directory = opendir(path);
    if (!directory) {
        gti_fail(w->error, GT_ERROR_IO, "the folder cannot be read: %s", strerror(errno));
        gti_error_set_file(w->error, path);
        return GT_ERROR_IO;
    }
    GtResult result = GT_OK;
    GtText text = { 0 };
    for (struct dirent* entry; result == GT_OK && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.') {
            gt_text_destroy(&text);
            gt_text_addf(&text, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", entry->d_name);
            result = text.failed ? out_of_memory(w->error, path) : see_entry(w, text.bytes);
        }
    }
    gt_text_destroy(&text);
    closedir(directory);
    return result;
}

static int compare_paths(const void* left, const void* right)
{
    return strcmp(((const GtBatchJob*)left)->path, ((const GtBatchJob*)right)->path);
}

static GtResult add_folder(Walk* w, const char* top)
{
    GtBatchList* list = w->list;
    int32_t first = list->count;
    w->name_at = strlen(top) + (top[strlen(top) - 1] != '/');
    w->left_over_count = 0;
    memset(w->left_over, 0, sizeof w->left_over);
    GtResult result = see_folder(w, top);
    while (result == GT_OK && w->pending) {
        const char* path = w->pending->path;
        w->pending = w->pending->next;
        result = see_folder(w, path);
    }
    bool has_motions = list->count > first;
    if (has_motions) {
        qsort(&list->jobs[first], (size_t)(list->count - first), sizeof *list->jobs, compare_paths);
    }
    return result == GT_OK ? tell_left_over(w, top, has_motions) : result;
}

static GtResult add_path(Walk* w, const char* path)
{
    const char* slash = strrchr(path, '/');
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return add_folder(w, path);
    }
    w->name_at = slash ? (size_t)(slash + 1 - path) : 0;
    return add_job(w, path, exists ? &status : NULL);
}

static GtResult name_output(GtBatchList* list, GtBatchJob* job, const char* folder, GtError* error)
{
    if (!strcmp(job->path, "-")) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "standard input has no name to give to a file in %s; name a file for OUT", folder);
    }
    const char* base = strrchr(job->name, '/') ? strrchr(job->name, '/') + 1 : job->name;
    const char* dot = strrchr(base, '.');
    int length = (int)(dot && dot != base ? (size_t)(dot - job->name) : strlen(job->name));
    GtText path = { .arena = &list->arena };
    gt_text_addf(&path, "%s%s%.*s.glb", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", length, job->name);
    job->output = path.bytes;
    return path.failed ? out_of_memory(error, job->path) : GT_OK;
}

static int compare_outputs(const void* left, const void* right)
{
    const GtBatchJob* a = *(const GtBatchJob* const*)left;
    const GtBatchJob* b = *(const GtBatchJob* const*)right;
    int order = strcmp(a->output, b->output);
    return order ? order : (a > b) - (a < b);
}

static GtResult refuse_equal_outputs(const GtBatchJob** sorted, int32_t count, GtError* error)
{
    qsort(sorted, (size_t)count, sizeof *sorted, compare_outputs);
    for (int32_t i = 1; i < count; ++i) {
        const GtBatchJob* a = sorted[i - 1];
        const GtBatchJob* b = sorted[i];
        if (!strcmp(a->output, b->output)) {
            return !strcmp(a->path, b->path)
                       ? gti_fail(error, GT_ERROR_BAD_VALUE, "%s is named twice", a->path)
                       : gti_fail(error, GT_ERROR_BAD_VALUE,
                                  "%s and %s would both become %s; give the folder above them, which keeps the folders "
                                  "in it, or rename one",
                                  a->path, b->path, a->output);
        }
    }
    return GT_OK;
}

typedef struct FileIdentity {
    dev_t device;
    ino_t inode;
} FileIdentity;

static int compare_identities(const void* left, const void* right)
{
    const FileIdentity* a = left;
    const FileIdentity* b = right;
    return a->device != b->device ? (a->device > b->device) - (a->device < b->device)
                                  : (a->inode > b->inode) - (a->inode < b->inode);
}

// A result in the place of a motion, or of the character, would leave nothing to do it again from.
static GtResult refuse_lost_inputs(const GtBatchList* list, FileIdentity* inputs, const char* character, GtError* error)
{
    struct stat status;
    size_t count = 0;
    if (character && stat(character, &status) == 0) {
        inputs[count++] = (FileIdentity){ status.st_dev, status.st_ino };
    }
    for (int32_t i = 0; i < list->count; ++i) {
        if (list->jobs[i].is_file && stat(list->jobs[i].path, &status) == 0) {
            inputs[count++] = (FileIdentity){ status.st_dev, status.st_ino };
        }
    }
    qsort(inputs, count, sizeof *inputs, compare_identities);
    for (int32_t i = 0; i < list->count; ++i) {
        if (stat(list->jobs[i].output, &status) == 0 && bsearch(&(FileIdentity){ status.st_dev, status.st_ino }, inputs,
                                                                count, sizeof *inputs, compare_identities)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "%s would replace a file that it is made from; choose another folder",
                            list->jobs[i].output);
        }
    }
    return GT_OK;
}

static GtResult name_outputs(const GtContext* context, GtBatchList* list, const GtBatchListDef* def, GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < list->count && result == GT_OK; ++i) {
        result = name_output(list, &list->jobs[i], def->output, error);
    }
    GtArena scratch = gt_arena_create(context->allocator);
    const GtBatchJob** sorted = gt_arena_push_array(&scratch, (size_t)list->count, sizeof *sorted);
    FileIdentity* inputs = gt_arena_push_array(&scratch, (size_t)list->count + 1, sizeof *inputs);
    if (result == GT_OK && (!sorted || !inputs)) {
        result = out_of_memory(error, def->output);
    }
    for (int32_t i = 0; i < list->count && result == GT_OK; ++i) {
        sorted[i] = &list->jobs[i];
    }
    result = result == GT_OK ? refuse_equal_outputs(sorted, list->count, error) : result;
    result = result == GT_OK ? refuse_lost_inputs(list, inputs, def->character, error) : result;
    gt_arena_destroy(&scratch);
    return result;
}

GtBatchListDef gt_default_batch_list_def(void)
{
    return (GtBatchListDef){ 0 };
}

GtResult gt_batch_list_create(const GtContext* context, const GtBatchListDef* def, GtBatchList** out, GtError* error)
{
    const GtBatchListDef usual = gt_default_batch_list_def();
    def = def ? def : &usual;
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtBatchList* list = gt_arena_push_array(&arena, 1, sizeof *list);
    if (!list) {
        return gti_out_of_memory(error);
    }
    list->arena = arena;
    Walk walk = { .context = context, .list = list, .error = error };
    const char* left_out[] = { def->character, def->output };
    for (int i = 0; i < 2; ++i) {
        walk.left_out_count += left_out[i] && stat(left_out[i], &walk.left_out[walk.left_out_count]) == 0;
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < def->path_count && result == GT_OK; ++i) {
        result = add_path(&walk, def->paths[i]);
    }
    if (result == GT_OK && def->names_outputs) {
        result = name_outputs(context, list, def, error);
    }
    if (result == GT_OK) {
        *out = list;
    } else {
        gt_batch_list_destroy(list);
    }
    return result;
}

void gt_batch_list_destroy(GtBatchList* list)
{
    if (list) {
        gt_arena_destroy(&list->arena);
    }
}
