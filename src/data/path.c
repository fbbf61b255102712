// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names of files as text; nothing here asks the system.

#include "data/files.h"

#include "base/memory.h"

#include <string.h>
#include <strings.h>

const char* gti_path_join(GtArena* arena, const char* directory, const char* name)
{
    size_t directory_length = directory && name[0] != '/' ? strlen(directory) : 0;
    if (directory_length == 0) {
        return gt_arena_push_text(arena, name, strlen(name));
    }
    size_t name_length = strlen(name);
    size_t size = 0;
    if (!gti_size_add(directory_length, name_length, &size) || !gti_size_add(size, 2, &size)) {
        return NULL;
    }
    char* path = gt_arena_push(arena, size);
    if (path) {
        memcpy(path, directory, directory_length);
        if (path[directory_length - 1] != '/') {
            path[directory_length++] = '/';
        }
        memcpy(path + directory_length, name, name_length + 1);
    }
    return path;
}

size_t gti_path_directory_length(const char* path)
{
    const char* slash = strrchr(path, '/');
    return !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
}

bool gti_path_has_extension(const char* path, const char* extension)
{
    size_t length = strlen(path);
    size_t extension_length = strlen(extension);
    return length > extension_length && path[length - extension_length - 1] == '.' &&
           strcasecmp(path + length - extension_length, extension) == 0;
}
