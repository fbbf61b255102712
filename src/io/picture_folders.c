// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A picture is looked for under its relative name, and then by its name alone, in any case, beside the file and in the
// folders where tools put textures. Absolute paths are never followed. Where a picture is of a kind that is not read,
// one with the same name that is serves instead.

#include "io/picture_folders.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "data/files.h"
#include "io/image.h"
#include "io/uri.h"

#include <dirent.h>
#include <string.h>

static bool is_utf8(const char* text)
{
    const char* end = text + strlen(text);
    for (size_t length; text < end; text += length) {
        length = gti_utf8_length(text, end);
        if (length == 0) {
            return false;
        }
    }
    return true;
}

static bool is_usable_name(const char* name)
{
    return gti_path_has_extension(name, "png") || gti_path_has_extension(name, "jpg") ||
           gti_path_has_extension(name, "jpeg") || gti_image_is_bitmap(name);
}

// A name in lower case with its ending replaced, or kept where `ending` is NULL; NULL when memory ran out.
static char* lower_name(GtArena* arena, GtiSlice name, const char* ending)
{
    if (ending) {
        GtiSlice stem = name;
        name = gti_slice_cut_last(&stem).length ? stem : name;
    }
    size_t added = ending ? strlen(ending) : 0;
    char* out = gt_arena_push_array(arena, name.length + added + 1, 1);
    for (size_t i = 0; out && i < name.length; ++i) {
        out[i] = gti_lower(name.text[i]);
    }
    if (out && added) {
        memcpy(out + name.length, ending, added);
    }
    return out;
}

// Remember a picture of a folder, unless one of that name is known; false when memory ran out.
static bool add_file(GtiPictureFolders* folders, const char* folder, const char* name)
{
    GtArena* arena = folders->arena;
    GtiIntern* files = &folders->files;
    const char* key = lower_name(arena, (GtiSlice){ name, strlen(name) }, NULL);
    int32_t known = files->count;
    int32_t number = key ? gti_intern(files, key, strlen(key)) : GT_NONE;
    if (number != known) {
        return number != GT_NONE;
    }
    if (number == folders->uri_capacity) {
        size_t capacity = number ? 2 * (size_t)number : 16;
        const char** uris = gt_arena_push_array(arena, capacity, sizeof *uris);
        if (!uris) {
            return false;
        }
        if (number) {
            memcpy(uris, folders->uris, (size_t)number * sizeof *uris);
        }
        folders->uris = uris;
        folders->uri_capacity = (int32_t)capacity;
    }
    const char* path = gti_path_join(arena, folder, name);
    folders->uris[number] = path ? gti_uri_encode(arena, path) : NULL;
    return folders->uris[number] != NULL;
}

// Whether a folder beside the file, or beside its folder, is one where tools put textures. The SDK unpacks embedded
// pictures into a folder with the ending fbm.
static bool is_texture_folder(const char* name, bool beside_file)
{
    static const char* const names[] = { "textures", "texture", "tex", "maps", "images", "materials" };
    char lower[16] = "";
    size_t length = strlen(name);
    for (size_t i = 0; i < length && length < sizeof lower; ++i) {
        lower[i] = gti_lower(name[i]);
    }
    for (size_t i = 0; i < (beside_file ? sizeof names / sizeof *names : 1); ++i) {
        if (strcmp(lower, names[i]) == 0) {
            return true;
        }
    }
    return beside_file && gti_path_has_extension(name, "fbm");
}

typedef struct PictureFolderNames {
    const char* names[16];
    int32_t count;
} PictureFolderNames;

// Add the pictures of a folder, a path from the file's own, and the texture folders in it; false when memory ran out.
static bool list_pictures(GtiPictureFolders* folders, const char* folder, PictureFolderNames* inner)
{
    GtArena* arena = folders->arena;
    const char* path = gti_path_join(arena, folders->directory, folder);
    bool beside_file = inner && folder[0] == 0;
    bool ok = path != NULL;
    DIR* list = ok ? opendir(path[0] ? path : ".") : NULL;
    for (struct dirent* entry; ok && list && (entry = readdir(list));) {
        const char* name = entry->d_name;
        if (!is_utf8(name)) {
            continue;
        }
        if (is_usable_name(name) && (!inner || beside_file)) {
            ok = add_file(folders, folder, name);
        } else if (inner && inner->count < 16 && is_texture_folder(name, beside_file)) {
            const char* path_of_inner = gti_path_join(arena, folder, name);
            inner->names[inner->count++] = path_of_inner;
            ok = path_of_inner != NULL;
        }
    }
    if (list) {
        closedir(list);
    }
    return ok;
}

static bool list_folders(GtiPictureFolders* folders)
{
    static const char* const starts[2] = { "", ".." };
    folders->listed = true;
    if (!folders->directory) {
        return true;
    }
    for (int s = 0; s < 2; ++s) {
        PictureFolderNames inner = { 0 };
        if (!list_pictures(folders, starts[s], &inner)) {
            return false;
        }
        for (int32_t i = 0; i < inner.count; ++i) {
            if (!list_pictures(folders, inner.names[i], NULL)) {
                return false;
            }
        }
    }
    return true;
}

// The URI of a picture that lies where its relative name says, NULL where none does; *failed when memory ran out.
static const char* find_relative(GtiPictureFolders* folders, GtiSlice relative, bool* failed)
{
    GtArena* arena = folders->arena;
    char* path = gt_arena_push_text(arena, relative.text, relative.length);
    for (char* c = path; c && *c; ++c) {
        *c = *c == '\\' ? '/' : *c;
    }
    if (path && (gti_uri_kind(path, strlen(path)) != GTI_URI_FILE || !is_utf8(path) || !is_usable_name(path))) {
        return NULL;
    }
    const char* uri = path ? gti_uri_encode(arena, path) : NULL;
    *failed = !uri;
    return uri && gti_image_file(arena, folders->directory, uri, failed) ? uri : NULL;
}

// The URI of a picture by its name alone, NULL where there is none; *failed when memory ran out.
static const char* find_by_name(GtiPictureFolders* folders, GtiSlice name, bool* failed)
{
    static const char* const endings[] = { NULL, ".png", ".jpg", ".jpeg", ".tga", ".bmp" };
    *failed = !folders->listed && !list_folders(folders);
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !*failed; ++i) {
        const char* key = lower_name(folders->arena, name, endings[i]);
        int32_t number = key ? gti_intern_find(&folders->files, key, strlen(key)) : GT_NONE;
        *failed = !key;
        if (number != GT_NONE) {
            return folders->uris[number];
        }
    }
    return NULL;
}

const char* gti_picture_find(GtiPictureFolders* folders, GtiSlice relative, GtiSlice name, bool* failed)
{
    GtArenaMark mark = gt_arena_mark(folders->arena);
    const char* uri = relative.length ? find_relative(folders, relative, failed) : NULL;
    if (!uri && !*failed) {
        gt_arena_reset(folders->arena, mark);
        uri = find_by_name(folders, name, failed);
    }
    return uri;
}
