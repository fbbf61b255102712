// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where a value is in its document, found only when a message needs it: from the root down, at each level the one child
// whose run of values holds it.

#include "data/json.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_KEY = 48 // bytes shown of a key
};

typedef struct Path {
    char* out;
    size_t size;
    size_t used;
    bool full;
} Path;

// Add all of `bytes` or, when they do not fit, nothing any more.
static void add(Path* path, const char* bytes, size_t length)
{
    path->full |= length >= path->size - path->used;
    if (!path->full) {
        memcpy(path->out + path->used, bytes, length);
        path->used += length;
        path->out[path->used] = 0;
    }
}

static bool is_plain_name(const char* key, uint32_t length)
{
    for (uint32_t i = 0; i < length; ++i) {
        char c = key[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
            return false;
        }
    }
    return length > 0;
}

static void add_key(Path* path, const char* key, uint32_t length)
{
    uint32_t shown = length < MAX_KEY ? length : MAX_KEY;
    while (shown < length && shown > 0 && ((unsigned char)key[shown] & 0xC0) == 0x80) {
        --shown; // not inside a character
    }
    add(path, key, shown);
    add(path, "...", shown < length ? 3 : 0);
}

static void add_step(Path* path, const GtiJson* child, uint32_t index)
{
    char number[24];
    if (!child->key) {
        add(path, number, (size_t)snprintf(number, sizeof number, "[%u]", (unsigned)index));
    } else if (is_plain_name(child->key, child->key_length)) {
        add(path, ".", path->used ? 1 : 0);
        add_key(path, child->key, child->key_length);
    } else {
        add(path, "[\"", 2);
        add_key(path, child->key, child->key_length);
        add(path, "\"]", 2);
    }
}

void gti_json_path(const GtiJson* root, const GtiJson* value, char* out, size_t out_size)
{
    Path path = { out, out_size, 0, out_size == 0 };
    if (out_size > 0) {
        out[0] = 0;
    }
    while (root != value && root->count > 0 && value > root && value < gti_json_next(root)) {
        const GtiJson* child = root + 1;
        uint32_t index = 0;
        while (value >= gti_json_next(child)) {
            child = gti_json_next(child);
            ++index;
        }
        add_step(&path, child, index);
        root = child;
    }
}

GtResult gti_json_refuse(const GtiJson* root, const GtiJson* object, const char* key, const char* must, GtError* error)
{
    char place[128];
    const GtiJson* value = gti_json_find(object, key);
    gti_json_path(root, value ? value : object, place, sizeof place);
    size_t length = strlen(place);
    if (!value) {
        snprintf(place + length, sizeof place - length, "%s%s", length > 0 ? "." : "", key);
    }
    return gti_fail_at(error, GT_ERROR_BAD_VALUE, place, "must be %s", must);
}
