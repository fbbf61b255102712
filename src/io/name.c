// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "io/name.h"

#include "base/utf8.h"
#include "data/files.h"

#include <string.h>

const char* gti_push_name(GtScene* scene, const char* name, size_t length, const char* suffix, bool* repaired)
{
    size_t suffix_length = strlen(suffix);
    char* out = gt_scene_push(scene, length * 2 + suffix_length + 1, 1);
    if (!out) {
        return NULL;
    }
    char* q = out;
    for (size_t i = 0; i < length;) {
        const char* p = name + i;
        unsigned char first = (unsigned char)*p;
        size_t size = gti_utf8_length(p, name + length);
        if (size == 0) {
            q += gti_utf8_encode(first, q);
            *repaired = true;
            ++i;
            continue;
        }
        bool control = first < 0x20 || first == 0x7F;
        *repaired |= control;
        if (control) {
            *q++ = '_';
        } else {
            memcpy(q, p, size);
            q += size;
        }
        i += size;
    }
    memcpy(q, suffix, suffix_length);
    return out;
}

const char* gti_push_stem(GtScene* scene, const char* path, const char* fallback)
{
    if (!path) {
        return gt_scene_push_text(scene, fallback, strlen(fallback));
    }
    const char* slash = strrchr(path, '/');
    const char* stem = slash ? slash + 1 : path;
    const char* dot = strrchr(stem, '.');
    size_t length = dot && dot > stem ? (size_t)(dot - stem) : strlen(stem);
    bool repaired = false;
    return gti_push_name(scene, stem, length, "", &repaired);
}

bool gti_push_directory(GtScene* scene, const char* path)
{
    if (path) { // without a slash it is "", the working directory; only a scene from memory has none
        scene->source.directory = gt_scene_push_text(scene, path, gti_path_directory_length(path));
    }
    return !path || scene->source.directory;
}
