// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The humanoid map of VRM files. VRM 1.0 has "VRMC_vrm".humanoid.humanBones, an object from joint to { node }, and so
// has "VRMC_vrm_animation" in motions (.vrma); VRM 0 has "VRM".humanoid.humanBones, an array of { bone, node } whose
// thumb names are shifted by one. The extensions themselves stay in the scene as text.

#include "base/fail.h"
#include "io/gltf/reader.h"

#include <string.h>

enum {
    JOINT_NAME_SIZE = 64 // all names of both vocabularies are shorter
};

// The joint named by text that is not terminated, or GT_NONE.
static int32_t find_joint(const char* text, size_t length, int32_t (*find)(const char* name))
{
    char name[JOINT_NAME_SIZE];
    if (length >= sizeof name) {
        return GT_NONE;
    }
    memcpy(name, text, length);
    name[length] = 0;
    return strlen(name) == length ? find(name) : GT_NONE;
}

static bool map_joint(GtHumanoidMap* map, int32_t joint, const GtiJson* node, int32_t node_count)
{
    int64_t index = 0;
    if (joint == GT_NONE || !gti_json_int64(node, &index) || index < 0 || index >= node_count) {
        return false;
    }
    map->nodes[joint] = (int32_t)index;
    return true;
}

static const GtiJson* find_bones(const GtiJson* extensions, const char* name, GtiJsonType type)
{
    const GtiJson* humanoid = gti_json_find(gti_json_find(extensions, name), "humanoid");
    const GtiJson* bones = gti_json_find(humanoid, "humanBones");
    return bones && bones->type == type ? bones : NULL;
}

bool gti_vrm_find_map(const GtiJson* extensions, int32_t node_count, GtHumanoidMap* out, const GtiJson** bad)
{
    const GtiJson* bones = find_bones(extensions, "VRMC_vrm", GTI_JSON_OBJECT);
    if (!bones) {
        bones = find_bones(extensions, "VRMC_vrm_animation", GTI_JSON_OBJECT);
    }
    bool vrm1 = bones != NULL;
    if (!bones) {
        bones = find_bones(extensions, "VRM", GTI_JSON_ARRAY);
    }
    if (!bones) {
        return false;
    }
    *out = gt_humanoid_map_empty();
    const GtiJson* first_bad = NULL;
    const GtiJson* bone = gti_json_first(bones);
    for (uint32_t i = 0; i < bones->count; ++i, bone = gti_json_next(bone)) {
        int32_t joint = GT_NONE;
        if (vrm1) {
            joint = find_joint(bone->key, bone->key_length, gt_humanoid_find);
        } else {
            const GtiJson* name = gti_json_find(bone, "bone");
            if (name && name->type == GTI_JSON_STRING && !name->escaped) {
                joint = find_joint(name->text + 1, name->text_length - 2, gt_humanoid_find_vrm0);
            }
        }
        if (!map_joint(out, joint, gti_json_find(bone, "node"), node_count) && !first_bad) {
            first_bad = bone;
        }
    }
    if (bad) {
        *bad = first_bad;
    }
    return true;
}

GtResult gti_vrm_read_humanoid(GtiGltfReader* reader)
{
    GtScene* scene = reader->scene;
    GtHumanoidMap map;
    const GtiJson* bad = NULL;
    if (!gti_vrm_find_map(gti_json_find(reader->root, "extensions"), scene->node_count, &map, &bad)) {
        return GT_OK;
    }
    if (bad) {
        GtResult result = gti_gltf_repair(reader, bad, "is no humanoid joint with a node of this file; left out");
        if (result != GT_OK) {
            return result;
        }
    }
    GtHumanoidMap* kept = gt_scene_push(scene, 1, sizeof *kept);
    if (!kept) {
        return gti_out_of_memory(reader->error);
    }
    *kept = map;
    scene->humanoid = kept;
    return GT_OK;
}
