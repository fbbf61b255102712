// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// VRM animations (.vrma): a GLB of the humanoid joints alone with the extension VRMC_vrm_animation 1.0. The file rests
// in the T-pose, in metres, facing +Z, and every joint has the rotation of the model there: the specification allows
// any rotation at rest, and readers that ignore that are right too. Expressions and the gaze of a motion that was read
// from such a file are written back.

#include "io/gltf/vrma.h"

#include "base/fail.h"
#include "data/json.h"
#include "gertie/json_write.h"
#include "io/gltf/gltf.h"

#include <stdio.h>
#include <string.h>

static const char extension_name[] = "VRMC_vrm_animation";

static GtResult require_joints(const GtiVrma* v)
{
    char list[256] = "";
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (gt_humanoid_required((GtHumanoidJoint)j) &&
            (!v->scene->humanoid || v->scene->humanoid->nodes[j] == GT_NONE)) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", gt_humanoid_name((GtHumanoidJoint)j));
        }
    }
    if (!v->scene->humanoid) {
        return gti_fail(v->error, GT_ERROR_UNSUPPORTED,
                        "a .vrma needs to know which joints are the hips, the head...; 'gertie map' finds them");
    }
    return *list
               ? gti_fail(v->error, GT_ERROR_UNSUPPORTED, "a .vrma needs joints that the humanoid map lacks: %s", list)
               : GT_OK;
}

// The T-pose of all nodes, under v->base.
static void pose_nodes(GtiVrma* v, const int32_t* order, const int32_t* joint_of_node)
{
    const GtScene* scene = v->scene;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        int32_t n = order[i];
        int32_t parent = scene->nodes[n].parent;
        GtTransform local = scene->nodes[n].local;
        if (scene->retarget_pose && joint_of_node[n] != GT_NONE) {
            local.rotation = gt_quat_mul(scene->retarget_pose->rotations[joint_of_node[n]], local.rotation);
        }
        GtMat34 above = parent == GT_NONE ? gt_mat34_from_transform(v->base) : v->model_from_node[parent];
        GtQuat turned = parent == GT_NONE ? v->base.rotation : v->rotations[parent];
        v->model_from_node[n] = gt_mat34_mul(above, gt_mat34_from_transform(local));
        v->rotations[n] = gt_quat_normalize(gt_quat_mul(turned, local.rotation));
    }
}

static GtResult find_parents(GtiVrma* v)
{
    const int32_t* nodes = v->scene->humanoid->nodes;
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        while (parent != GT_NONE && nodes[parent] == GT_NONE) {
            parent = gt_humanoid_parent((GtHumanoidJoint)parent);
        }
        v->parents[j] = parent;
        int32_t above = nodes[j];
        while (above != GT_NONE && parent != GT_NONE && above != nodes[parent]) {
            above = v->scene->nodes[above].parent;
        }
        if (nodes[j] != GT_NONE && parent != GT_NONE && (above == GT_NONE || nodes[j] == nodes[parent])) {
            return gti_fail(v->error, GT_ERROR_UNSUPPORTED, "a .vrma needs the joint %s to be below the joint %s",
                            gt_humanoid_name((GtHumanoidJoint)j), gt_humanoid_name((GtHumanoidJoint)parent));
        }
    }
    return GT_OK;
}

// Pose the scene. A VRM 0 faces -Z, which shows in the places of its legs: it is turned round.
static GtResult pose_scene(GtiVrma* v)
{
    const GtScene* scene = v->scene;
    size_t count = (size_t)scene->node_count;
    v->model_from_node = gt_arena_push_array(v->scratch, count, sizeof *v->model_from_node);
    v->rotations = gt_arena_push_array(v->scratch, count, sizeof *v->rotations);
    int32_t* order = gt_arena_push_array(v->scratch, count, sizeof *order);
    int32_t* joint_of_node = gt_arena_push_array(v->scratch, count, sizeof *joint_of_node);
    if (!v->model_from_node || !v->rotations || !order || !joint_of_node) {
        return gti_out_of_memory(v->error);
    }
    for (size_t i = 0; i < count; ++i) {
        joint_of_node[i] = GT_NONE;
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (scene->humanoid->nodes[j] != GT_NONE) {
            joint_of_node[scene->humanoid->nodes[j]] = j;
        }
    }
    GtResult result = gt_scene_parent_first(scene, order, v->error);
    if (result == GT_OK) {
        v->base = gt_transform_identity();
        pose_nodes(v, order, joint_of_node);
        const int32_t* nodes = scene->humanoid->nodes;
        GtVec3 left = gt_mat34_translation(&v->model_from_node[nodes[GT_HUMANOID_LEFT_UPPER_LEG]]);
        GtVec3 right = gt_mat34_translation(&v->model_from_node[nodes[GT_HUMANOID_RIGHT_UPPER_LEG]]);
        if (left.x < right.x) {
            v->base.rotation = gt_quat(0.0f, 1.0f, 0.0f, 0.0f);
            pose_nodes(v, order, joint_of_node);
        }
        result = find_parents(v);
    }
    return result;
}

GtResult gti_vrma_add_joints(GtiVrma* vrma)
{
    GtResult result = require_joints(vrma);
    if (result == GT_OK) {
        result = pose_scene(vrma);
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT && result == GT_OK; ++j) {
        int32_t source = vrma->scene->humanoid->nodes[j];
        vrma->nodes[j] = GT_NONE;
        if (source == GT_NONE) {
            continue;
        }
        int32_t parent = vrma->parents[j];
        GtNode node = gt_default_node();
        node.name = gt_humanoid_name((GtHumanoidJoint)j);
        node.local.translation = gt_mat34_translation(&vrma->model_from_node[source]);
        if (parent != GT_NONE) {
            int32_t above = vrma->scene->humanoid->nodes[parent];
            node.parent = vrma->nodes[parent];
            node.local.translation =
                gt_vec3_sub(node.local.translation, gt_mat34_translation(&vrma->model_from_node[above]));
        }
        result = gt_scene_add_node(vrma->out, &node, &vrma->nodes[j], vrma->error);
    }
    return result;
}

// What the extension of the scene names besides the humanoid: expressions and the gaze.
typedef struct VrmaExtra {
    GtiVrma* vrma;
    GtJsonWriter json;
    int32_t (*pairs)[2]; // [count] node of the scene, node of the motion
    int32_t count;
} VrmaExtra;

static GtResult add_extra(VrmaExtra* e, const char* name, const GtiJson* holder)
{
    GtiVrma* v = e->vrma;
    int64_t index = GT_NONE;
    if (!gti_json_int64(gti_json_find(holder, "node"), &index) || index < 0 || index >= v->scene->node_count) {
        return GT_OK;
    }
    GtNode node = gt_default_node();
    node.name = gt_scene_push_text(v->out, name, strlen(name));
    node.local.translation = v->scene->nodes[index].local.translation;
    node.local.rotation = v->scene->nodes[index].local.rotation;
    e->pairs[e->count][0] = (int32_t)index;
    GtResult result =
        node.name ? gt_scene_add_node(v->out, &node, &e->pairs[e->count][1], v->error) : gti_out_of_memory(v->error);
    if (result == GT_OK) {
        gt_json_key(&e->json, name);
        gt_json_begin_object(&e->json);
        gt_json_member_integer(&e->json, "node", e->pairs[e->count++][1]);
        float offset[3];
        if (gti_json_floats(gti_json_find(holder, "offsetFromHeadBone"), 3, offset)) {
            gt_json_member_array(&e->json, "offsetFromHeadBone");
            for (int k = 0; k < 3; ++k) {
                gt_json_float(&e->json, offset[k]);
            }
            gt_json_end_array(&e->json);
        }
        gt_json_end_object(&e->json);
    }
    return result;
}

static GtResult add_extras(VrmaExtra* e, const GtiJson* extension)
{
    static const char* const kinds[] = { "preset", "custom" };
    GtiVrma* v = e->vrma;
    const GtiJson* expressions = gti_json_find(extension, "expressions");
    const GtiJson* gaze = gti_json_find(extension, "lookAt");
    size_t count = 1;
    for (int k = 0; k < 2; ++k) {
        const GtiJson* list = gti_json_find(expressions, kinds[k]);
        count += list ? list->count : 0;
    }
    e->pairs = gt_arena_push_array(v->scratch, count, sizeof *e->pairs);
    GtResult result = e->pairs ? GT_OK : gti_out_of_memory(v->error);
    if (expressions) {
        gt_json_member_object(&e->json, "expressions");
    }
    for (int k = 0; k < 2 && result == GT_OK; ++k) {
        const GtiJson* list = gti_json_find(expressions, kinds[k]);
        if (!list || list->type != GTI_JSON_OBJECT || !list->count) {
            continue;
        }
        gt_json_member_object(&e->json, kinds[k]);
        const GtiJson* one = gti_json_first(list);
        for (uint32_t i = 0; i < list->count && result == GT_OK; ++i, one = gti_json_next(one)) {
            const char* name = gt_scene_push_text(v->out, one->key, one->key_length);
            result = name ? add_extra(e, name, one) : gti_out_of_memory(v->error);
        }
        gt_json_end_object(&e->json);
    }
    if (expressions) {
        gt_json_end_object(&e->json);
    }
    return result == GT_OK && gaze ? add_extra(e, "lookAt", gaze) : result;
}

static GtResult write_extension(VrmaExtra* e)
{
    GtiVrma* v = e->vrma;
    const char* own = v->scene->extra.extensions;
    const GtiJson* root = NULL;
    GtResult result = own ? gti_json_parse(v->scratch, own, strlen(own), &root, v->error) : GT_OK;
    GtHumanoidMap* map = gt_scene_push(v->out, 1, sizeof *map);
    if (result != GT_OK || !map) {
        return result != GT_OK ? result : gti_out_of_memory(v->error);
    }
    e->json = gt_json_create(v->scratch, 0);
    gt_json_begin_object(&e->json);
    gt_json_member_object(&e->json, extension_name);
    gt_json_member_string(&e->json, "specVersion", "1.0");
    gt_json_member_object(&e->json, "humanoid");
    gt_json_member_object(&e->json, "humanBones");
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        map->nodes[j] = v->nodes[j];
        if (v->nodes[j] != GT_NONE) {
            gt_json_member_object(&e->json, gt_humanoid_name((GtHumanoidJoint)j));
            gt_json_member_integer(&e->json, "node", v->nodes[j]);
            gt_json_end_object(&e->json);
        }
    }
    gt_json_end_object(&e->json);
    gt_json_end_object(&e->json);
    result = add_extras(e, gti_json_find(root, extension_name));
    gt_json_end_object(&e->json);
    gt_json_end_object(&e->json);
    const char* text = gt_text_finish(&e->json.text);
    v->out->humanoid = map;
    v->out->extra.extensions = text ? gt_scene_push_text(v->out, text, strlen(text)) : NULL;
    if (result == GT_OK && !v->out->extra.extensions) {
        result = gti_out_of_memory(v->error);
    }
    return result == GT_OK ? gt_scene_add_extension(v->out, extension_name, false, v->error) : result;
}

static GtResult add_stage(GtiVrma* v)
{
    int32_t* roots = gt_scene_push(v->out, (size_t)v->out->node_count, sizeof *roots);
    GtStage stage = { .nodes = roots };
    if (!roots) {
        return gti_out_of_memory(v->error);
    }
    for (int32_t n = 0; n < v->out->node_count; ++n) {
        if (v->out->nodes[n].parent == GT_NONE) {
            roots[stage.node_count++] = n;
        }
    }
    return gt_scene_add_stage(v->out, &stage, &v->out->default_stage, v->error);
}

// The motion as a scene of its own. Every clip is written, or the one that `def` names.
static GtResult make_motion(GtiVrma* v, const GtSaveDef* def)
{
    VrmaExtra extra = { .vrma = v };
    if (def->animation < GT_NONE || def->animation >= v->scene->animation_count) {
        return gti_fail(v->error, GT_ERROR_NOT_FOUND, "there is no clip %d; the scene has %d", def->animation,
                        v->scene->animation_count);
    }
    GtResult result = gt_scene_create(v->context, &v->out, v->error);
    if (result == GT_OK) {
        result = gti_vrma_add_joints(v);
    }
    if (result == GT_OK) {
        result = write_extension(&extra);
    }
    if (result == GT_OK) {
        result = add_stage(v);
    }
    for (int32_t a = 0; a < v->scene->animation_count && result == GT_OK; ++a) {
        if (def->animation == GT_NONE || def->animation == a) {
            GtArenaMark mark = gt_arena_mark(v->scratch);
            result = gti_vrma_add_clip(v, &v->scene->animations[a], extra.pairs, extra.count);
            gt_arena_reset(v->scratch, mark);
        }
    }
    return result;
}

// Huge numbers, once they are turned and scaled, may leave the range of floats.
static GtResult check_motion(const GtiVrma* v)
{
    GtContext quiet = *v->context;
    GtError why = { 0 };
    quiet.diagnose = NULL;
    quiet.strict = false;
    GtResult result = gt_scene_validate(&quiet, v->out, &why);
    if (result == GT_OK) {
        return GT_OK;
    }
    if (result != GT_ERROR_BAD_VALUE) { // such as memory that ran out
        return gti_fail(v->error, result, "%s", why.message);
    }
    return gti_fail(v->error, GT_ERROR_BAD_VALUE,
                    "the motion has numbers that are too large for a VRM animation: %s %s", why.where, why.message);
}

// Write to `path`, or into `blob` where that is NULL.
static GtResult write_motion(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                             GtBlob** blob, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiVrma vrma = { .context = context, .scene = scene, .error = error, .scratch = &scratch };
    GtResult result = make_motion(&vrma, def);
    if (result == GT_OK) {
        result = check_motion(&vrma);
    }
    if (result == GT_OK) {
        result = path ? gti_glb_save(context, vrma.out, path, def, error)
                      : gti_glb_write(context, vrma.out, def, blob, error);
    }
    gt_scene_destroy(vrma.out);
    gt_arena_destroy(&scratch);
    return result;
}

GtResult gti_vrma_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                        GtError* error)
{
    return write_motion(context, scene, NULL, def, out, error);
}

GtResult gti_vrma_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                       GtError* error)
{
    return write_motion(context, scene, path, def, NULL, error);
}
