// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Maps as files: {"joints": {"hips": {"joint": "mixamorig:Hips", ...}, "spine": "mixamorig:Spine"}}. A joint is named
// by the name of its node; where that is not the only one of its name, or has none, its number is there, too. The
// retarget pose is in "turn_deg", a rotation vector: axis times angle, which a person can read and write where joints
// turn about one axis, and which has no order to get wrong.

#include "gertie/map.h"

#include "base/fail.h"
#include "base/near.h"
#include "data/files.h"
#include "data/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char marker[] = "gertie_map";
static const double DEGREES = 57.29577951308232;
static const double LEAST_TURN_DEG = 0.005; // less is not worth a line

static int32_t count_named(const GtScene* scene, const char* name)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        count += scene->nodes[i].name && !strcmp(scene->nodes[i].name, name);
    }
    return count;
}

static void write_turn(GtiJsonWriter* w, GtQuat q)
{
    double sine = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z);
    double angle = 2.0 * DEGREES * atan2(sine, fabs((double)q.w));
    double scale = q.w < 0.0f ? -angle / sine : angle / sine;
    if (!(angle >= LEAST_TURN_DEG)) {
        return;
    }
    const double axes[3] = { scale * (double)q.x, scale * (double)q.y, scale * (double)q.z };
    gti_json_key(w, "turn_deg");
    gti_json_begin_array(w);
    for (int i = 0; i < 3; ++i) {
        gti_json_number(w, round(1e4 * axes[i]) / 1e4 + 0.0); // which makes -0 a 0
    }
    gti_json_end_array(w);
}

static void write_joint(GtiJsonWriter* w, const GtScene* scene, int32_t joint, int32_t node, const GtRetargetPose* pose,
                        const GtMapReport* report)
{
    const char* name = scene->nodes[node].name;
    gti_json_key(w, gt_humanoid_name((GtHumanoidJoint)joint));
    gti_json_begin_object(w);
    if (name && name[0]) {
        gti_json_key(w, "joint");
        gti_json_string(w, name);
    }
    if (!name || !name[0] || count_named(scene, name) > 1) {
        gti_json_key(w, "node");
        gti_json_integer(w, node);
    }
    if (pose) {
        write_turn(w, pose->rotations[joint]);
    }
    if (report) {
        gti_json_key(w, "confidence");
        gti_json_number(w, (double)(int)(100.0f * report->joints[joint].confidence + 0.5f) / 100.0);
        gti_json_key(w, "why");
        gti_json_string(w, report->joints[joint].why);
    }
    gti_json_end_object(w);
}

GtResult gt_map_save(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                     const GtRetargetPose* pose, const GtMapReport* report, const char* path, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiJsonWriter w = gti_json_writer(&arena, 2);
    gti_json_begin_object(&w);
    gti_json_key(&w, marker);
    gti_json_integer(&w, 1);
    gti_json_key(&w, "joints");
    gti_json_begin_object(&w);
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (map->nodes[j] != GT_NONE) {
            write_joint(&w, scene, j, map->nodes[j], pose, report);
        }
    }
    gti_json_end_object(&w);
    gti_json_end_object(&w);
    GtResult result = gti_json_save(&w, context, path, error);
    gt_arena_destroy(&arena);
    return result;
}

static GtResult find_named(const GtScene* scene, const char* name, int32_t* out, GtError* error)
{
    *out = gt_scene_find_node(scene, name);
    if (*out != GT_NONE) {
        return GT_OK;
    }
    char text[256];
    GtiNear near = gti_near(name);
    for (int32_t i = 0; i < scene->node_count; ++i) {
        gti_near_offer(&near, scene->nodes[i].name);
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no joint '%.80s'%s", name,
                    gti_near_print(&near, text, sizeof text));
}

// A name, an object with a name, a number, or both, or null for a joint that is not there.
static GtResult read_joint(GtArena* arena, const GtScene* scene, const GtiJson* value, int32_t* out, GtError* error)
{
    *out = GT_NONE;
    if (value->type == GTI_JSON_NULL) {
        return GT_OK;
    }
    const GtiJson* number = gti_json_find(value, "node");
    const GtiJson* name = value->type == GTI_JSON_OBJECT ? gti_json_find(value, "joint") : value;
    int64_t node = 0;
    if (number) {
        if (!gti_json_int64(number, &node) || node < 0 || node >= scene->node_count) {
            return gti_fail(error, GT_ERROR_NOT_FOUND, "\"node\" is no node of the scene, which has %d",
                            (int)scene->node_count);
        }
        *out = (int32_t)node;
        return GT_OK;
    }
    if (!name || name->type != GTI_JSON_STRING) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a joint is a name, or an object with a \"joint\" or \"node\"");
    }
    char* text = gti_json_copy(arena, name, NULL);
    return text ? find_named(scene, text, out, error) : gti_out_of_memory(error);
}

// Three numbers, or nothing for a turn that is to be found.
static GtResult read_turn(const GtiJson* joint, GtQuat* out, GtError* error)
{
    const GtiJson* turn = gti_json_find(joint, "turn_deg");
    double axes[3];
    if (!turn) {
        return GT_OK;
    }
    bool ok = turn->type == GTI_JSON_ARRAY && turn->count == 3;
    const GtiJson* number = ok ? gti_json_first(turn) : NULL;
    for (int i = 0; ok && i < 3; ++i, number = gti_json_next(number)) {
        ok = gti_json_double(number, &axes[i]) && fabs(axes[i]) <= 360.0;
    }
    if (!ok) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "\"turn_deg\" is three numbers of degrees, from -360 to 360");
    }
    double angle = sqrt(axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]);
    double scale = angle > 0.0 ? sin(0.5 * angle / DEGREES) / angle : 0.0;
    *out = gt_quat((float)(scale * axes[0]), (float)(scale * axes[1]), (float)(scale * axes[2]),
                   (float)cos(0.5 * angle / DEGREES));
    return GT_OK;
}

static GtResult read_map(GtArena* arena, const GtScene* scene, const GtiJson* root, GtHumanoidMap* out,
                         GtRetargetPose* pose, GtError* error)
{
    const GtiJson* joints = gti_json_find(root, "joints");
    if (!joints || joints->type != GTI_JSON_OBJECT) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "a map is {\"joints\": {\"hips\": \"...\"}}, and this has no joints");
    }
    const GtiJson* value = gti_json_first(joints);
    for (uint32_t i = 0; i < joints->count; ++i, value = gti_json_next(value)) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)value->key_length, value->key);
        int32_t joint = gt_humanoid_find(name);
        GtError what = { 0 };
        GtResult result = GT_OK;
        if (joint == GT_NONE) {
            char text[128];
            GtiNear near = gti_near(name);
            for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
                gti_near_offer(&near, gt_humanoid_name((GtHumanoidJoint)j));
            }
            result = gti_fail(&what, GT_ERROR_NOT_FOUND, "'%s' is no joint of the VRM 1.0 humanoid%s", name,
                              gti_near_print(&near, text, sizeof text));
        } else {
            result = read_joint(arena, scene, value, &out->nodes[joint], &what);
        }
        if (result == GT_OK) {
            GtQuat turn = gt_quat(0.0f, 0.0f, 0.0f, 0.0f);
            result = read_turn(value, pose ? &pose->rotations[joint] : &turn, &what);
        }
        for (int32_t k = 0; result == GT_OK && out->nodes[joint] != GT_NONE && k < GT_HUMANOID_JOINT_COUNT; ++k) {
            if (k != joint && out->nodes[k] == out->nodes[joint]) {
                result = gti_fail(&what, GT_ERROR_BAD_VALUE, "%s is the same joint already",
                                  gt_humanoid_name((GtHumanoidJoint)k));
            }
        }
        if (result != GT_OK) {
            char path[96];
            gti_json_path(root, value, path, sizeof path);
            return gti_fail_at(error, result, path, "%s", what.message);
        }
    }
    return GT_OK;
}

GtResult gt_map_load(const GtContext* context, const GtScene* scene, const char* path, GtHumanoidMap* out,
                     GtRetargetPose* pose, GtError* error)
{
    *out = gt_humanoid_map_empty();
    if (pose) {
        *pose = (GtRetargetPose){ 0 };
    }
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtArena arena = gt_arena_create(context->allocator);
    const GtiJson* root = NULL;
    GtResult result = gti_file_read(context, path, &bytes, &size, error);
    if (result == GT_OK) {
        result = gti_json_parse(&arena, (const char*)bytes, size, &root, error);
    }
    if (result == GT_OK) {
        result = read_map(&arena, scene, root, out, pose, error);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        *out = gt_humanoid_map_empty();
    }
    gt_arena_destroy(&arena);
    context->allocator.release(context->allocator.user, bytes);
    return result;
}
