// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Maps as files: {"joints": {"hips": {"joint": "mixamorig:Hips", ...}, "spine": "mixamorig:Spine"}}. A joint is named
// by the name of its node; where that is not the only one of its name, or has none, its number is there, too. The
// retarget pose is in "rotation_deg", a rotation vector: axis times angle, which a person can read and write where
// joints rotate about one axis, and which has no order to get wrong. docs/schemas/map.schema.json says what may be in
// a file; what is left to check here are names and numbers of nodes.

#include "gertie/map.h"

#include "base/fail.h"
#include "base/near.h"
#include "data/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char marker[] = "gertie_map";
static const double DEGREES = 57.29577951308232;
static const double LEAST_ROTATION_DEG = 0.005; // less is not worth a line

static int32_t count_named(const GtScene* scene, const char* name)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        count += scene->nodes[i].name && !strcmp(scene->nodes[i].name, name);
    }
    return count;
}

static void write_rotation(GtJsonWriter* w, GtQuat q)
{
    double sine = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z);
    double angle = 2.0 * DEGREES * atan2(sine, fabs((double)q.w));
    double scale = q.w < 0.0f ? -angle / sine : angle / sine;
    if (!(angle >= LEAST_ROTATION_DEG)) {
        return;
    }
    const double axes[3] = { scale * (double)q.x, scale * (double)q.y, scale * (double)q.z };
    gt_json_member_array(w, "rotation_deg");
    for (int i = 0; i < 3; ++i) {
        gt_json_number(w, round(1e4 * axes[i]) / 1e4 + 0.0); // which makes -0 a 0
    }
    gt_json_end_array(w);
}

static void write_joint(GtJsonWriter* w, const GtScene* scene, int32_t joint, int32_t node, const GtRetargetPose* pose,
                        const GtMapReport* report)
{
    const char* name = scene->nodes[node].name;
    gt_json_key(w, gt_humanoid_name((GtHumanoidJoint)joint));
    gt_json_begin_object(w);
    if (name && name[0]) {
        gt_json_member_string(w, "joint", name);
    }
    if (!name || !name[0] || count_named(scene, name) > 1) {
        gt_json_member_integer(w, "node", node);
    }
    if (pose) {
        write_rotation(w, pose->rotations[joint]);
    }
    if (report) {
        gt_json_member_number(w, "confidence", (double)(int)(100.0f * report->joints[joint].confidence + 0.5f) / 100.0);
        gt_json_member_string(w, "why", report->joints[joint].why);
    }
    gt_json_end_object(w);
}

GtResult gt_map_save(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                     const GtRetargetPose* pose, const GtMapReport* report, const char* path, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtJsonWriter w = gt_json_create(&arena, 2);
    gt_json_begin_object(&w);
    gt_json_member_integer(&w, marker, 1);
    gt_json_member_object(&w, "joints");
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (map->nodes[j] != GT_NONE) {
            write_joint(&w, scene, j, map->nodes[j], pose, report);
        }
    }
    gt_json_end_object(&w);
    gt_json_end_object(&w);
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

// The node that a joint is, by its number or its name; GT_NONE for null.
static GtResult read_node(GtArena* arena, const GtScene* scene, const GtiJson* joint, int32_t* out, GtError* error)
{
    int64_t node = GT_NONE;
    const GtiJson* name = joint->type == GTI_JSON_OBJECT ? gti_json_find(joint, "joint") : joint;
    *out = GT_NONE;
    if (gti_json_int64(gti_json_find(joint, "node"), &node)) {
        *out = node < scene->node_count ? (int32_t)node : GT_NONE;
        return *out != GT_NONE ? GT_OK
                               : gti_fail(error, GT_ERROR_NOT_FOUND, "\"node\" is no node of the scene, which has %d",
                                          (int)scene->node_count);
    }
    if (joint->type == GTI_JSON_NULL) {
        return GT_OK;
    }
    char* text = gti_json_copy(arena, name, NULL);
    return text ? find_named(scene, text, out, error) : gti_out_of_memory(error);
}

static void read_rotation(const GtiJson* joint, GtQuat* out)
{
    const GtiJson* number = gti_json_first(gti_json_find(joint, "rotation_deg"));
    double axes[3];
    if (!number) {
        return;
    }
    for (int i = 0; i < 3; ++i, number = gti_json_next(number)) {
        gti_json_double(number, &axes[i]);
    }
    double angle = sqrt(axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]);
    double scale = angle > 0.0 ? sin(0.5 * angle / DEGREES) / angle : 0.0;
    *out = gt_quat((float)(scale * axes[0]), (float)(scale * axes[1]), (float)(scale * axes[2]),
                   (float)cos(0.5 * angle / DEGREES));
}

static GtResult read_joint(GtArena* arena, const GtScene* scene, const GtiJson* value, GtHumanoidMap* out,
                           GtRetargetPose* pose, GtError* error)
{
    int32_t joint = 0;
    while (!gti_json_key_is(value, gt_humanoid_name((GtHumanoidJoint)joint))) {
        ++joint;
    }
    GtResult result = read_node(arena, scene, value, &out->nodes[joint], error);
    for (int32_t k = 0; result == GT_OK && out->nodes[joint] != GT_NONE && k < GT_HUMANOID_JOINT_COUNT; ++k) {
        if (k != joint && out->nodes[k] == out->nodes[joint]) {
            result = gti_fail(error, GT_ERROR_BAD_VALUE, "%s is the same joint already",
                              gt_humanoid_name((GtHumanoidJoint)k));
        }
    }
    if (pose) {
        read_rotation(value, &pose->rotations[joint]);
    }
    return result;
}

GtResult gt_map_load(const GtContext* context, const GtScene* scene, const char* path, GtHumanoidMap* out,
                     GtRetargetPose* pose, GtError* error)
{
    *out = gt_humanoid_map_empty();
    if (pose) {
        *pose = (GtRetargetPose){ 0 };
    }
    GtArena arena = gt_arena_create(context->allocator);
    const GtiJson* root = NULL;
    GtResult result = gti_schema_load(context, &arena, "map", path, &root, error);
    const GtiJson* joints = gti_json_find(root, "joints");
    const GtiJson* value = gti_json_first(joints);
    for (uint32_t i = 0; value && i < joints->count && result == GT_OK; ++i, value = gti_json_next(value)) {
        result = read_joint(&arena, scene, value, out, pose, error);
        if (result != GT_OK && error) {
            gti_json_path(root, value, error->where, sizeof error->where);
        }
    }
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        *out = gt_humanoid_map_empty();
    }
    gt_arena_destroy(&arena);
    return result;
}
