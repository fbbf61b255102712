// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/retarget/pair.h"

#include "base/ascii.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_SIZE = 96,
    NAME_SIZE = 256
};

static const char* const sides[][2] = {
    { "left", "right" }, { "Left", "Right" }, { "LEFT", "RIGHT" }, { "l", "r" },
    { "L", "R" },        { "Lf", "Rt" },      { "lf", "rt" },      { "\xE5\xB7\xA6", "\xE5\x8F\xB3" },
};

// A name without namespace, prefix, case and separators.
typedef struct NameKey {
    char text[KEY_SIZE];
    int32_t node;
} NameKey;

static bool is_separator(char c)
{
    return c == ' ' || c == '_' || c == '-' || c == '.' || c == ':' || c == '|' || c == '/';
}

static void make_key(const char* name, char key[KEY_SIZE])
{
    const char* colon = strrchr(name, ':');
    const char* p = colon && colon[1] ? colon + 1 : name;
    size_t length = 0;
    for (; *p && length + 1 < KEY_SIZE; ++p) {
        if (!is_separator(*p)) {
            key[length++] = gti_lower(*p);
        }
    }
    key[length] = 0;
    static const char mixamo[] = "mixamorig"; // some exporters write mixamorig_Hips or mixamorigHips
    if (length > sizeof mixamo - 1 && strncmp(key, mixamo, sizeof mixamo - 1) == 0) {
        memmove(key, key + sizeof mixamo - 1, length - (sizeof mixamo - 1) + 1);
    }
}

static int compare_keys(const void* a, const void* b)
{
    const NameKey* left = a;
    const NameKey* right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->node > right->node) - (left->node < right->node);
}

// First of the entries whose text is `key`, or NULL.
static const NameKey* find_key(const NameKey* keys, int32_t count, const char* key)
{
    int32_t low = 0;
    for (int32_t high = count; low < high;) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(keys[middle].text, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(keys[low].text, key) == 0 ? &keys[low] : NULL;
}

// The very same name wins over one that only looks alike.
static int32_t partner_by_name(const NameKey* keys, int32_t key_count, const GtScene* character, const bool* taken,
                               const char* name)
{
    char key[KEY_SIZE];
    make_key(name, key);
    int32_t alike = GT_NONE;
    const NameKey* found = key[0] ? find_key(keys, key_count, key) : NULL;
    for (; found && found < keys + key_count && strcmp(found->text, key) == 0; ++found) {
        if (taken[found->node]) {
            continue;
        }
        if (strcmp(character->nodes[found->node].name, name) == 0) {
            return found->node;
        }
        alike = alike == GT_NONE ? found->node : alike;
    }
    return alike;
}

static int32_t collect_keys(const GtScene* scene, NameKey* keys)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].name && scene->nodes[i].name[0] && scene->nodes[i].mesh == GT_NONE) {
            make_key(scene->nodes[i].name, keys[count].text);
            keys[count++].node = i;
        }
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    return count;
}

// Length of the word that begins here: letters up to where the case rises, or to a last capital that begins the next;
// what is no letter is a word of its own, but bytes of one sign stay together.
static size_t word_length(const char* p)
{
    size_t n = 1;
    if (!gti_is_letter(*p)) {
        for (; ((unsigned char)p[n] & 0xC0u) == 0x80u; ++n) {
        }
        return n;
    }
    for (; gti_is_letter(p[n]); ++n) {
        bool rises = gti_is_upper(p[n]) && !gti_is_upper(p[n - 1]);
        bool begins = gti_is_upper(p[n]) && gti_is_letter(p[n + 1]) && !gti_is_upper(p[n + 1]);
        if (rises || begins) {
            break;
        }
    }
    return n;
}

static const char* other_side(const char* word, size_t length)
{
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (strlen(sides[i][k]) == length && strncmp(sides[i][k], word, length) == 0) {
                return sides[i][1 - k];
            }
        }
    }
    return NULL;
}

void gti_mirror_name(const char* name, char* out, size_t size)
{
    size_t used = 0;
    while (*name) {
        size_t length = word_length(name);
        const char* other = other_side(name, length);
        size_t added = other ? strlen(other) : length;
        if (used + added >= size) {
            used = 0;
            break;
        }
        memcpy(out + used, other ? other : name, added);
        used += added;
        name += length;
    }
    out[used] = 0;
}

// Whether two files hold the same nodes, named or not.
static bool same_nodes(const GtScene* a, const GtScene* b)
{
    bool same = a->node_count == b->node_count;
    for (int32_t i = 0; same && i < a->node_count; ++i) {
        const char* left = a->nodes[i].name ? a->nodes[i].name : "";
        const char* right = b->nodes[i].name ? b->nodes[i].name : "";
        same = a->nodes[i].parent == b->nodes[i].parent && strcmp(left, right) == 0;
    }
    return same;
}

static void pair_by_name(const GtScene* character, const GtScene* motion, const NameKey* keys, int32_t key_count,
                         bool* taken, const bool* leave_out, bool mirror, int32_t* partner_of)
{
    for (int32_t i = 0; i < motion->node_count; ++i) {
        partner_of[i] = GT_NONE;
        if (!leave_out[i] && motion->nodes[i].name) {
            char mirrored[NAME_SIZE];
            const char* name = motion->nodes[i].name;
            if (mirror) {
                gti_mirror_name(name, mirrored, sizeof mirrored);
                name = mirrored;
            }
            int32_t partner = partner_by_name(keys, key_count, character, taken, name);
            partner_of[i] = partner;
            if (partner != GT_NONE) {
                taken[partner] = true;
            }
        }
    }
}

GtResult gti_pair_names(const GtContext* context, const GtScene* character, bool* taken, const GtScene* motion,
                        const bool* leave_out, bool mirror, int32_t* partner_of, GtError* error)
{
    if (!mirror && same_nodes(character, motion)) {
        for (int32_t i = 0; i < motion->node_count; ++i) {
            partner_of[i] = taken[i] || leave_out[i] ? GT_NONE : i;
        }
        return GT_OK;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    NameKey* keys = gt_arena_push_array(&scratch, (size_t)character->node_count, sizeof *keys);
    if (keys) {
        int32_t key_count = collect_keys(character, keys);
        pair_by_name(character, motion, keys, key_count, taken, leave_out, mirror, partner_of);
    }
    gt_arena_destroy(&scratch);
    return keys ? GT_OK : gti_out_of_memory(error);
}
