// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A folder is listed once, and the best match is kept; of equals the first by name, whatever the order of the list.

#include "io/beside.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "data/files.h"

#include <dirent.h>
#include <string.h>

enum {
    SCORE_ONLY = 0,
    SCORE_PREFIX = 1, // and the length of it
    SCORE_STEM = 1 << 20,
    SCORE_NAMED = 1 << 21
};

static bool same_start(const char* a, const char* b, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if (gti_lower(a[i]) != gti_lower(b[i]) || !a[i]) {
            return false;
        }
    }
    return true;
}

static size_t stem_length(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

// How well a file fits a motion with the name `base`.
static int score(const char* file, const char* base, const char* named)
{
    size_t length = stem_length(file);
    size_t base_length = stem_length(base);
    if (named && strlen(named) == strlen(file) && same_start(file, named, strlen(file))) {
        return SCORE_NAMED;
    }
    if (length > base_length || !same_start(file, base, length)) {
        return SCORE_ONLY;
    }
    if (length == base_length) {
        return SCORE_STEM;
    }
    bool cut = base[length] == '_' || base[length] == '-' || base[length] == '@';
    return cut ? SCORE_PREFIX + (length < SCORE_STEM / 2 ? (int)length : SCORE_STEM / 2) : SCORE_ONLY;
}

typedef struct BesideBest {
    const char* name; // in the arena, or NULL
    int score;
    int file_count;
} BesideBest;

// False when memory ran out.
static bool list_folder(GtArena* arena, const char* folder, const char* base, const char* named, const char* extension,
                        BesideBest* best)
{
    bool ok = true;
    DIR* list = opendir(folder[0] ? folder : ".");
    for (struct dirent* entry; list && ok && (entry = readdir(list));) {
        if (!gti_path_has_extension(entry->d_name, extension)) {
            continue;
        }
        ++best->file_count;
        int fit = score(entry->d_name, base, named);
        if (!best->name || fit > best->score || (fit == best->score && strcmp(entry->d_name, best->name) < 0)) {
            best->name = gt_arena_push_text(arena, entry->d_name, strlen(entry->d_name));
            best->score = fit;
            ok = best->name != NULL;
        }
    }
    if (list) {
        closedir(list);
    }
    return ok;
}

GtResult gti_find_beside(GtArena* arena, const char* path, const char* named, const char* extension, const char** out,
                         GtError* error)
{
    *out = NULL;
    if (!path) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED,
                        "a motion of this format needs its skeleton, a .%s file; from memory there is none", extension);
    }
    static const char* const places[] = { "", "../skeletons", ".." };
    size_t folder_length = gti_path_directory_length(path);
    const char* slash = strrchr(path, '/');
    const char* base = slash ? slash + 1 : path;
    const char* own_folder = gt_arena_push_text(arena, path, folder_length);
    const char* folder = own_folder;
    BesideBest best = { 0 };
    for (size_t i = 0; own_folder && i < sizeof places / sizeof *places && best.file_count == 0; ++i) {
        folder = i ? gti_path_join(arena, own_folder, places[i]) : own_folder;
        if (!folder || !list_folder(arena, folder, base, named, extension, &best)) {
            return gti_out_of_memory(error);
        }
    }
    if (!own_folder) {
        return gti_out_of_memory(error);
    }
    if (best.file_count == 0) {
        return gti_fail(error, GT_ERROR_BAD_FILE,
                        "the skeleton of this motion was not found: put its .%s file into the same folder", extension);
    }
    if (best.score == SCORE_ONLY && best.file_count > 1) {
        return gti_fail(error, GT_ERROR_BAD_FILE,
                        "which of %d .%s files is the skeleton of this motion? Name it %.*s.%s, or leave one alone in "
                        "the folder",
                        best.file_count, extension, (int)(stem_length(base) < 64 ? stem_length(base) : 64), base,
                        extension);
    }
    *out = gti_path_join(arena, folder, best.name);
    return *out ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_read_on_beside(const GtContext* context, const GtiInput* motion, const char* named, const char* extension,
                            GtiReadOn* read_on, const GtLoadDef* def, GtScene** out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    const char* path = NULL;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtResult result = gti_find_beside(&arena, motion->path, named, extension, &path, error);
    if (result == GT_OK) {
        result = gti_file_read(context, path, &bytes, &size, error);
    }
    if (result == GT_OK) {
        GtiInput skeleton = { .bytes = bytes, .size = size, .path = path };
        result = read_on(context, &skeleton, motion, def, out, error);
        context->allocator.release(context->allocator.user, bytes);
    }
    gt_arena_destroy(&arena);
    return result;
}
