// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints as files: {"joints_m": {"leftLowerArm": [0.48, 1.41, -0.02]}}, in the space of the rigged scene, as
// docs/schemas/joints.schema.json has it.

#include "gertie/rig.h"

#include "base/fail.h"
#include "data/schema.h"
#include "scene/world.h"

#include <math.h>

static const char marker[] = "gertie_joints";

static void write_place(GtJsonWriter* w, GtVec3 place)
{
    const float axes[3] = { place.x, place.y, place.z };
    gt_json_begin_array(w);
    for (int i = 0; i < 3; ++i) {
        gt_json_number(w, round(1e5 * (double)axes[i]) / 1e5 + 0.0); // which makes -0 a 0
    }
    gt_json_end_array(w);
}

GtResult gt_rig_joints_save(const GtContext* context, const GtScene* scene, const char* path, GtError* error)
{
    if (scene->skin_count == 0) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "the scene has no skin, so no joints");
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtMat34* world_from_node = NULL;
    GtResult result = gti_scene_worlds(scene, &arena, &world_from_node, error);
    const GtSkin* skin = &scene->skins[scene->skin_count - 1];
    GtJsonWriter w = gt_json_create(&arena, 2);
    gt_json_begin_object(&w);
    gt_json_member_integer(&w, marker, 1);
    gt_json_member_object(&w, "joints_m");
    for (int32_t j = 0; result == GT_OK && j < skin->joint_count; ++j) {
        const char* name = scene->nodes[skin->joints[j]].name;
        if (name && name[0]) {
            gt_json_key(&w, name);
            write_place(&w, gt_mat34_translation(&world_from_node[skin->joints[j]]));
        }
    }
    gt_json_end_object(&w);
    gt_json_end_object(&w);
    result = result == GT_OK ? gti_json_save(&w, context, path, error) : result;
    gt_arena_destroy(&arena);
    return result;
}

GtResult gt_rig_joints_load(const GtContext* context, const char* path, GtArena* arena, GtRigJoint** out,
                            int32_t* count, GtError* error)
{
    *out = NULL;
    *count = 0;
    const GtiJson* root = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = gti_schema_load(context, &scratch, "joints", path, &root, error);
    const GtiJson* joints = result == GT_OK ? gti_json_find(root, "joints_m") : NULL;
    const GtiJson* value = gti_json_first(joints);
    *out = joints ? gt_arena_push_array(arena, joints->count, sizeof **out) : NULL;
    for (uint32_t i = 0; *out && i < joints->count && result == GT_OK; ++i, value = gti_json_next(value)) {
        (*out)[i].name = gt_arena_push_text(arena, value->key, value->key_length);
        gti_json_floats(value, 3, &(*out)[i].position.x);
        result = (*out)[i].name ? GT_OK : gti_out_of_memory(error);
    }
    if (result == GT_OK && !*out) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        *count = (int32_t)joints->count;
    } else {
        gti_error_set_file(error, path);
    }
    gt_arena_destroy(&scratch);
    return result;
}
