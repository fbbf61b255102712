// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A part is ours to remove when it has a name that only a part of this file would have, the replaced file named it, and
// no other file beside it does. To find that out, files that can name parts are searched for the name as plain text:
// one mention too many keeps a part, which is harmless. A file too large to be searched keeps all of them.

#include "io/file_set.h"

#include "base/fail.h"
#include "base/hash.h"
#include "io/uri.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HASH_DIGITS = 16,
    MOST_NAMERS = 4096 // files beside this one that are searched for names of parts; with more, parts are kept
};

#define LARGEST_SEARCHED ((int64_t)64 << 20)

// Text of a file, for a search.
typedef struct Searched {
    uint8_t* bytes;
    size_t size;
} Searched;

GtResult gti_file_set_open(const GtContext* context, const char* path, GtiFileSet* out, GtError* error)
{
    *out = (GtiFileSet){ .context = context, .arena = gt_arena_create(context->allocator) };
    size_t directory = gti_path_directory_length(path);
    const char* base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char* dot = strrchr(base, '.');
    out->path = gt_arena_push_text(&out->arena, path, strlen(path));
    out->folder = gt_arena_push_text(&out->arena, path, directory);
    out->stem = gt_arena_push_text(&out->arena, base, dot ? (size_t)(dot - base) : strlen(base));
    if (!out->path || !out->folder || !out->stem) {
        gt_arena_destroy(&out->arena);
        return gti_out_of_memory(error);
    }
    return GT_OK;
}

// Whether there is a file at `path` with these contents.
static bool holds_spans(const char* path, const GtiSpan* spans, int32_t span_count)
{
    FILE* file = fopen(path, "rb");
    bool same = file != NULL;
    uint8_t bytes[1 << 14];
    for (int32_t i = 0; i < span_count && same; ++i) {
        const uint8_t* wanted = spans[i].bytes;
        for (size_t done = 0; done < spans[i].size && same;) {
            size_t step = spans[i].size - done < sizeof bytes ? spans[i].size - done : sizeof bytes;
            same = fread(bytes, 1, step, file) == step && memcmp(bytes, wanted + done, step) == 0;
            done += step;
        }
    }
    same = same && fgetc(file) == EOF && !ferror(file);
    if (file) {
        fclose(file);
    }
    return same;
}

static uint64_t hash_spans(const GtiSpan* spans, int32_t span_count)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < span_count; ++i) {
        hash = gti_hash(hash, spans[i].bytes, spans[i].size);
    }
    return hash;
}

// "walk.bin" first, then "walk-0123456789abcdef.bin"; a further number where even that is taken.
static const char* name_part(GtiFileSet* set, const char* suffix, uint64_t hash, int attempt)
{
    size_t size = strlen(set->stem) + strlen(suffix) + HASH_DIGITS + 16;
    char* name = gt_arena_push(&set->arena, size);
    if (name && attempt == 0) {
        snprintf(name, size, "%s%s", set->stem, suffix);
    } else if (name && attempt == 1) {
        snprintf(name, size, "%s-%016llx%s", set->stem, (unsigned long long)hash, suffix);
    } else if (name) {
        snprintf(name, size, "%s-%016llx-%d%s", set->stem, (unsigned long long)hash, attempt, suffix);
    }
    return name;
}

GtResult gti_file_set_add(GtiFileSet* set, const char* suffix, const GtiSpan* spans, int32_t span_count,
                          const char** name, GtError* error)
{
    uint64_t hash = hash_spans(spans, span_count);
    for (int attempt = 0;; ++attempt) {
        GtiFilePart* part = gt_arena_push_array(&set->arena, 1, sizeof *part);
        const char* chosen = name_part(set, suffix, hash, attempt);
        const char* path = chosen ? gti_path_join(&set->arena, set->folder, chosen) : NULL;
        if (!part || !path) {
            return gti_out_of_memory(error);
        }
        struct stat status;
        bool there = lstat(path, &status) == 0;
        if (there && !(S_ISREG(status.st_mode) && holds_spans(path, spans, span_count))) {
            continue;
        }
        *part = (GtiFilePart){ set->parts, chosen, path, !there };
        *name = chosen;
        GtResult result = there ? GT_OK : gti_file_write(set->context, path, spans, span_count, error);
        if (result == GT_OK) {
            set->parts = part;
        }
        return result;
    }
}

static bool is_searched(const char* name)
{
    return gti_path_has_extension(name, "gltf") || gti_path_has_extension(name, "obj") ||
           gti_path_has_extension(name, "mtl");
}

// Whether `rest` of a name is a suffix that parts have: ".bin", ".mtl", "_0.png".
static bool is_part_suffix(const char* rest)
{
    if (*rest == '_') {
        size_t digits = strspn(rest + 1, "0123456789");
        rest += digits ? 1 + digits : 0;
        return strcmp(rest, ".png") == 0 || strcmp(rest, ".jpg") == 0 || strcmp(rest, ".webp") == 0 ||
               strcmp(rest, ".ktx2") == 0;
    }
    return strcmp(rest, ".bin") == 0 || strcmp(rest, ".mtl") == 0;
}

// Whether a part of this file can have the name: "walk.bin", "walk-0123456789abcdef.bin".
static bool is_part_name(const GtiFileSet* set, const char* name)
{
    size_t stem = strlen(set->stem);
    if (strncmp(name, set->stem, stem) != 0) {
        return false;
    }
    const char* rest = name + stem;
    if (*rest == '-' && strspn(rest + 1, "0123456789abcdef") == HASH_DIGITS) {
        rest += 1 + HASH_DIGITS;
        rest += *rest == '-' ? 1 + strspn(rest + 1, "0123456789") : 0;
    }
    return is_part_suffix(rest);
}

// A file's text; false where it cannot be had, so that nothing is known of what it names.
static bool read_text(const GtiFileSet* set, const char* path, Searched* out)
{
    struct stat status;
    GtError ignored;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST_SEARCHED &&
           gti_file_read(set->context, path, &out->bytes, &out->size, &ignored) == GT_OK;
}

static void free_text(const GtiFileSet* set, Searched* text)
{
    set->context->allocator.release(set->context->allocator.user, text->bytes);
    *text = (Searched){ 0 };
}

// Whether a text has the name, as it is or as a URI.
static bool mentions(GtiFileSet* set, const Searched* text, const char* name)
{
    const char* uri = gti_uri_encode(&set->arena, name);
    return !uri || (text->bytes && (memmem(text->bytes, text->size, name, strlen(name)) ||
                                    memmem(text->bytes, text->size, uri, strlen(uri))));
}

// Whether any file beside this one, or this one itself as it is now, names a part; also where that cannot be known.
static bool is_named(GtiFileSet* set, const char* name)
{
    DIR* folder = opendir(set->folder[0] ? set->folder : ".");
    bool named = !folder;
    int count = 0;
    for (struct dirent* entry; !named && (entry = readdir(folder));) {
        if (!is_searched(entry->d_name) || strcmp(entry->d_name, name) == 0) {
            continue;
        }
        Searched text = { 0 };
        const char* path = gti_path_join(&set->arena, set->folder, entry->d_name);
        named = ++count > MOST_NAMERS || !path || !read_text(set, path, &text) || mentions(set, &text, name);
        free_text(set, &text);
    }
    if (folder) {
        closedir(folder);
    }
    return named;
}

static bool is_in_set(const GtiFileSet* set, const char* name)
{
    for (const GtiFilePart* part = set->parts; part; part = part->next) {
        if (strcmp(part->name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Files beside this one that a text names and that parts of this file are named like, in front of `before`.
static GtiFilePart* find_named_parts(GtiFileSet* set, const Searched* text, GtiFilePart* before)
{
    DIR* folder = opendir(set->folder[0] ? set->folder : ".");
    for (struct dirent* entry; folder && (entry = readdir(folder));) {
        if (!is_part_name(set, entry->d_name) || is_in_set(set, entry->d_name) || !mentions(set, text, entry->d_name)) {
            continue;
        }
        GtiFilePart* part = gt_arena_push_array(&set->arena, 1, sizeof *part);
        const char* name = gt_arena_push_text(&set->arena, entry->d_name, strlen(entry->d_name));
        const char* path = name ? gti_path_join(&set->arena, set->folder, name) : NULL;
        if (part && path) {
            *part = (GtiFilePart){ .next = before, .name = name, .path = path };
            before = part;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return before;
}

// Parts of the file that is about to be replaced. Pictures that an .mtl names may be anyone's, unless we wrote it.
static GtiFilePart* find_old_parts(GtiFileSet* set)
{
    static const char ours[] = "# written by Gertie";
    Searched text = { 0 };
    GtiFilePart* old = read_text(set, set->path, &text) ? find_named_parts(set, &text, NULL) : NULL;
    free_text(set, &text);
    for (GtiFilePart* part = old; part; part = part->next) {
        if (gti_path_has_extension(part->path, "mtl") && read_text(set, part->path, &text) &&
            text.size >= strlen(ours) && memcmp(text.bytes, ours, strlen(ours)) == 0) {
            old = find_named_parts(set, &text, old);
        }
        free_text(set, &text);
    }
    return old;
}

static void remove_new_parts(const GtiFileSet* set)
{
    for (const GtiFilePart* part = set->parts; part; part = part->next) {
        if (part->is_new) {
            unlink(part->path);
        }
    }
}

void gti_file_set_discard(GtiFileSet* set)
{
    remove_new_parts(set);
    gt_arena_destroy(&set->arena);
}

GtResult gti_file_set_finish(GtiFileSet* set, const GtiSpan* spans, int32_t span_count, GtError* error)
{
    GtiFilePart* old = find_old_parts(set);
    GtResult result = gti_file_write(set->context, set->path, spans, span_count, error);
    if (result != GT_OK) {
        remove_new_parts(set);
        old = NULL;
    }
    for (int pass = 0; pass < 2; ++pass) { // a library before the pictures that it names
        for (const GtiFilePart* part = old; part; part = part->next) {
            if (gti_path_has_extension(part->path, "mtl") == (pass == 0) && !is_named(set, part->name)) {
                unlink(part->path);
            }
        }
    }
    gt_arena_destroy(&set->arena);
    return result;
}
