// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/pair.h"

#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_SIZE = 96
};

// A name without namespace, prefix, case and separators.
typedef struct NameKey {
    char text[KEY_SIZE];
    int32_t node;
} NameKey;

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

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
            key[length++] = lower(*p);
        }
    }
    key[length] = 0;
    static const char mixamo[] = "mixamorig"; // some exporters write mixamorig_Hips or mixamorigHips
    if (strncmp(key, mixamo, sizeof mixamo - 1) == 0 && key[sizeof mixamo - 1]) {
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

// The humanoid joint a node of the motion is: by its map, else by a name out of the vocabulary.
static int32_t humanoid_joint_of(const GtScene* motion, int32_t node)
{
    for (int32_t j = 0; motion->humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (motion->humanoid->nodes[j] == node) {
            return j;
        }
    }
    const char* name = motion->nodes[node].name;
    return !motion->humanoid && name ? gt_humanoid_find(name) : GT_NONE;
}

static int32_t partner_by_name(const NameKey* keys, int32_t key_count, const GtScene* character, const char* name)
{
    char key[KEY_SIZE];
    make_key(name, key);
    const NameKey* found = key[0] ? find_key(keys, key_count, key) : NULL;
    int32_t first = found ? found->node : GT_NONE;
    for (; found && found < keys + key_count && strcmp(found->text, key) == 0; ++found) {
        if (strcmp(character->nodes[found->node].name, name) == 0) {
            return found->node; // the very same name wins over one that only looks alike
        }
    }
    return first;
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

GtResult gti_pair_joints(const GtContext* context, const GtScene* character, const GtScene* motion, int32_t* partner_of,
                         int32_t* pair_count, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    NameKey* keys = gt_arena_push_array(&scratch, (size_t)character->node_count, sizeof *keys);
    bool* taken = gt_arena_push_array(&scratch, (size_t)character->node_count, sizeof *taken);
    if (!keys || !taken) {
        gt_arena_destroy(&scratch);
        return gti_out_of_memory(error);
    }
    int32_t key_count = collect_keys(character, keys);
    *pair_count = 0;
    for (int32_t i = 0; i < motion->node_count; ++i) {
        int32_t partner = GT_NONE;
        int32_t joint = character->humanoid ? humanoid_joint_of(motion, i) : GT_NONE;
        if (joint != GT_NONE) {
            partner = character->humanoid->nodes[joint];
        }
        if (partner == GT_NONE && motion->nodes[i].name) {
            partner = partner_by_name(keys, key_count, character, motion->nodes[i].name);
        }
        if (partner != GT_NONE && taken[partner]) {
            partner = GT_NONE;
        }
        if (partner != GT_NONE) {
            taken[partner] = true;
            ++*pair_count;
        }
        partner_of[i] = partner;
    }
    gt_arena_destroy(&scratch);
    return GT_OK;
}

int32_t gti_find_hips(const GtScene* scene)
{
    if (scene->humanoid && scene->humanoid->nodes[GT_HUMANOID_HIPS] != GT_NONE) {
        return scene->humanoid->nodes[GT_HUMANOID_HIPS];
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        char key[KEY_SIZE];
        if (scene->nodes[i].name) {
            make_key(scene->nodes[i].name, key);
            if (strcmp(key, "hips") == 0) {
                return i;
            }
        }
    }
    return GT_NONE;
}
