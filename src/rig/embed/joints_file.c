// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints as files: {"joints": {"leftLowerArm": [0.48, 1.41, -0.02]}}, metres in the space of the rigged scene.

#include "gertie/rig.h"

#include "base/fail.h"
#include "data/files.h"
#include "data/json.h"
#include "scene/world.h"

#include <math.h>

static const char marker[] = "gertie_joints";

static void write_place(GtiJsonWriter* w, GtVec3 place)
{
    const float axes[3] = { place.x, place.y, place.z };
    gti_json_begin_array(w);
    for (int i = 0; i < 3; ++i) {
        gti_json_number(w, round(1e5 * (double)axes[i]) / 1e5 + 0.0); // which makes -0 a 0
    }
    gti_json_end_array(w);
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
    GtiJsonWriter w = gti_json_writer(&arena, 2);
    gti_json_begin_object(&w);
    gti_json_key(&w, marker);
    gti_json_integer(&w, 1);
    gti_json_key(&w, "joints");
    gti_json_begin_object(&w);
    for (int32_t j = 0; result == GT_OK && j < skin->joint_count; ++j) {
        const char* name = scene->nodes[skin->joints[j]].name;
        if (name && name[0]) {
            gti_json_key(&w, name);
            write_place(&w, gt_mat34_translation(&world_from_node[skin->joints[j]]));
        }
    }
    gti_json_end_object(&w);
    gti_json_end_object(&w);
    result = result == GT_OK ? gti_json_save(&w, context, path, error) : result;
    gt_arena_destroy(&arena);
    return result;
}

static bool read_place(const GtiJson* value, GtVec3* out)
{
    float axes[3];
    bool ok = value->type == GTI_JSON_ARRAY && value->count == 3;
    const GtiJson* number = ok ? gti_json_first(value) : NULL;
    for (int i = 0; ok && i < 3; ++i, number = gti_json_next(number)) {
        ok = gti_json_float(number, &axes[i]) && isfinite(axes[i]);
    }
    if (ok) {
        *out = gt_vec3(axes[0], axes[1], axes[2]);
    }
    return ok;
}

static GtResult read_joints(const GtiJson* root, GtArena* arena, GtRigJoint** out, int32_t* count, GtError* error)
{
    const GtiJson* joints = gti_json_find(root, "joints");
    if (!joints || joints->type != GTI_JSON_OBJECT) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a file of joints is {\"joints\": {\"leftLowerArm\": [x, y, z]}}, and this has no joints");
    }
    *out = gt_arena_push_array(arena, joints->count, sizeof **out);
    if (!*out && joints->count > 0) {
        return gti_out_of_memory(error);
    }
    const GtiJson* value = gti_json_first(joints);
    for (uint32_t i = 0; i < joints->count; ++i, value = gti_json_next(value)) {
        GtRigJoint* joint = &(*out)[i];
        joint->name = gt_arena_push_text(arena, value->key, value->key_length);
        if (!joint->name) {
            return gti_out_of_memory(error);
        }
        if (!read_place(value, &joint->position)) {
            char path[96];
            gti_json_path(root, value, path, sizeof path);
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, path, "a joint's place is three numbers of metres");
        }
    }
    *count = (int32_t)joints->count;
    return GT_OK;
}

GtResult gt_rig_joints_load(const GtContext* context, const char* path, GtArena* arena, GtRigJoint** out,
                            int32_t* count, GtError* error)
{
    *out = NULL;
    *count = 0;
    uint8_t* bytes = NULL;
    size_t size = 0;
    const GtiJson* root = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = gti_file_read(context, path, &bytes, &size, error);
    result = result == GT_OK ? gti_json_parse(&scratch, (const char*)bytes, size, &root, error) : result;
    result = result == GT_OK ? read_joints(root, arena, out, count, error) : result;
    if (result != GT_OK) {
        gti_error_set_file(error, path);
    }
    gt_arena_destroy(&scratch);
    context->allocator.release(context->allocator.user, bytes);
    return result;
}
