// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The validation pass: nodes, skins, stages and the humanoid map here, data, meshes, animations and materials in files
// of their own. After it, no index, count or number of the scene can lead later work astray.

#include "scene/validate.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_place(GtiPlace place, char* out, size_t out_size)
{
    size_t length = 0;
    const int32_t indices[3] = { place.i, place.j, place.k };
    int next = 0;
    out[0] = 0;
    for (const char* p = place.format; *p && length + 1 < out_size; ++p) {
        if (*p == '#' || *p == '@') {
            char index[16];
            snprintf(index, sizeof index, "%d", *p == '#' ? (int)indices[next++] : 0);
            int added = snprintf(out + length, out_size - length, "%s", *p == '#' ? index : place.name);
            length = length + (size_t)added < out_size ? length + (size_t)added : out_size - 1;
        } else {
            out[length++] = *p;
            out[length] = 0;
        }
    }
}

GtResult gti_invalid(const GtiValidation* v, GtResult code, GtiPlace place, const char* format, ...)
{
    char where[160];
    write_place(place, where, sizeof where);
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(v->error, code, where, format, arguments);
    va_end(arguments);
    return code;
}

GtResult gti_repairable(const GtiValidation* v, GtiPlace place, const char* format, ...)
{
    char where[160];
    char message[512];
    write_place(place, where, sizeof where);
    va_list arguments;
    va_start(arguments, format);
    gti_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    return gti_repair(v->context, v->error, NULL, where, "%s", message);
}

GtResult gti_check_index(const GtiValidation* v, int32_t index, int32_t count, bool none_allowed, const char* what,
                         GtiPlace place)
{
    if (none_allowed ? index >= GT_NONE && index < count : index >= 0 && index < count) {
        return GT_OK;
    }
    return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "index %d is out of range; there are %d %s", (int)index,
                       (int)count, what);
}

static bool is_finite_transform(const GtTransform* t)
{
    const float values[10] = { t->translation.x, t->translation.y, t->translation.z, t->rotation.x, t->rotation.y,
                               t->rotation.z,    t->rotation.w,    t->scale.x,       t->scale.y,    t->scale.z };
    for (int i = 0; i < 10; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static GtResult check_node_data(const GtiValidation* v, int32_t i)
{
    const GtNode* node = &v->scene->nodes[i];
    if (!is_finite_transform(&node->local)) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("nodes[#]", i, 0, 0, NULL),
                           "'%s' has a transform that is not finite", node->name ? node->name : "");
    }
    float length = gt_quat_length(node->local.rotation);
    if (!(fabsf(length - 1.0f) <= 1e-2f)) {
        GtResult result = gti_repairable(v, gti_place("nodes[#].rotation", i, 0, 0, NULL),
                                         "has length %g; it is used as if its length were 1", (double)length);
        if (result != GT_OK) {
            return result;
        }
    }
    for (int32_t w = 0; w < node->weight_count; ++w) {
        if (!isfinite(node->weights[w])) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("nodes[#].weights[#]", i, w, 0, NULL), "is not finite");
        }
    }
    if (node->mesh != GT_NONE && node->weight_count &&
        node->weight_count != v->scene->meshes[node->mesh].target_count) {
        return gti_repairable(v, gti_place("nodes[#].weights", i, 0, 0, NULL),
                              "holds %d weights, but the mesh has %d morph targets; they are left out",
                              (int)node->weight_count, (int)v->scene->meshes[node->mesh].target_count);
    }
    return GT_OK;
}

static GtResult check_node(const GtiValidation* v, int32_t i)
{
    const GtScene* scene = v->scene;
    const GtNode* node = &scene->nodes[i];
    for (int32_t c = 0; c < node->child_count; ++c) {
        int32_t child = node->children[c];
        GtiPlace place = gti_place("nodes[#].children[#]", i, c, 0, NULL);
        GtResult result = gti_check_index(v, child, scene->node_count, false, "nodes", place);
        if (result != GT_OK) {
            return result;
        }
        if (scene->nodes[child].parent != i) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "node %d has another parent too", (int)child);
        }
    }
    GtResult result =
        gti_check_index(v, node->parent, scene->node_count, true, "nodes", gti_place("nodes[#]", i, 0, 0, NULL));
    if (result == GT_OK) {
        result = gti_check_index(v, node->mesh, scene->mesh_count, true, "meshes",
                                 gti_place("nodes[#].mesh", i, 0, 0, NULL));
    }
    if (result == GT_OK) {
        result =
            gti_check_index(v, node->skin, scene->skin_count, true, "skins", gti_place("nodes[#].skin", i, 0, 0, NULL));
    }
    if (result == GT_OK) {
        result = gti_check_index(v, node->camera, scene->camera_count, true, "cameras",
                                 gti_place("nodes[#].camera", i, 0, 0, NULL));
    }
    for (int32_t d = 0; result == GT_OK && d < node->deformer_count; ++d) {
        const GtDeformerData* deformer = &node->deformers[d];
        if ((unsigned)deformer->kind >= GT_DEFORMER_KIND_COUNT ||
            (unsigned)deformer->skin_method >= GT_SKIN_METHOD_COUNT) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("nodes[#]", i, 0, 0, NULL),
                               "deformer %d is of no known kind", (int)d);
        }
    }
    return result == GT_OK ? check_node_data(v, i) : result;
}

static GtResult validate_nodes(const GtiValidation* v)
{
    for (int32_t i = 0; i < v->scene->node_count; ++i) {
        GtResult result = check_node(v, i);
        if (result != GT_OK) {
            return result;
        }
    }
    // The children lists and the parents agree one by one; that there is no cycle only the whole can tell.
    GtAllocator allocator = v->context->allocator;
    int32_t count = v->scene->node_count;
    int32_t* order = allocator.allocate(allocator.user, (size_t)(count ? count : 1) * sizeof *order);
    if (!order) {
        return gti_out_of_memory(v->error);
    }
    GtResult result = gt_scene_parent_first(v->scene, order, v->error);
    allocator.release(allocator.user, order);
    return result;
}

static GtResult check_skin(const GtiValidation* v, int32_t i)
{
    const GtScene* scene = v->scene;
    const GtSkin* skin = &scene->skins[i];
    if (skin->joint_count < 1) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("skins[#].joints", i, 0, 0, NULL), "is empty");
    }
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        GtResult result = gti_check_index(v, skin->joints[j], scene->node_count, false, "nodes",
                                          gti_place("skins[#].joints[#]", i, j, 0, NULL));
        if (result != GT_OK) {
            return result;
        }
    }
    GtResult result = gti_check_index(v, skin->skeleton, scene->node_count, true, "nodes",
                                      gti_place("skins[#].skeleton", i, 0, 0, NULL));
    if (result != GT_OK || skin->inverse_bind == GT_NONE) {
        return result;
    }
    GtiPlace place = gti_place("skins[#].inverseBindMatrices", i, 0, 0, NULL);
    result = gti_check_accessor(v, skin->inverse_bind, 1u << GT_ELEMENT_MAT4, place);
    if (result != GT_OK) {
        return result;
    }
    if (scene->accessors[skin->inverse_bind].count < (uint64_t)skin->joint_count) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "holds %llu matrices for %d joints",
                           (unsigned long long)scene->accessors[skin->inverse_bind].count, (int)skin->joint_count);
    }
    return gti_check_finite(v, skin->inverse_bind, place);
}

static GtResult validate_skins(const GtiValidation* v)
{
    for (int32_t i = 0; i < v->scene->skin_count; ++i) {
        GtResult result = check_skin(v, i);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static GtResult validate_stages(const GtiValidation* v)
{
    const GtScene* scene = v->scene;
    for (int32_t i = 0; i < scene->stage_count; ++i) {
        for (int32_t n = 0; n < scene->stages[i].node_count; ++n) {
            int32_t node = scene->stages[i].nodes[n];
            GtiPlace place = gti_place("scenes[#].nodes[#]", i, n, 0, NULL);
            GtResult result = gti_check_index(v, node, scene->node_count, false, "nodes", place);
            if (result == GT_OK && scene->nodes[node].parent != GT_NONE) {
                result = gti_repairable(v, place, "node %d is no root; it is shown under its parent", (int)node);
            }
            if (result != GT_OK) {
                return result;
            }
        }
    }
    return gti_check_index(v, scene->default_stage, scene->stage_count, true, "scenes",
                           gti_place("scene", 0, 0, 0, NULL));
}

static GtResult validate_humanoid(const GtiValidation* v)
{
    const GtHumanoidMap* map = v->scene->humanoid;
    for (int i = 0; map && i < GT_HUMANOID_JOINT_COUNT; ++i) {
        GtResult result = gti_check_index(v, map->nodes[i], v->scene->node_count, true, "nodes",
                                          gti_place("humanoid.@", 0, 0, 0, gt_humanoid_name((GtHumanoidJoint)i)));
        if (result != GT_OK) {
            return result;
        }
    }
    const GtRetargetPose* pose = v->scene->retarget_pose;
    for (int i = 0; pose && i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (!(fabsf(gt_quat_length(pose->rotations[i]) - 1.0f) <= 1e-2f)) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE,
                               gti_place("retargetPose.@", 0, 0, 0, gt_humanoid_name((GtHumanoidJoint)i)),
                               "is no rotation: its length is not 1");
        }
    }
    return GT_OK;
}

GtResult gti_scene_validate(const GtContext* context, const GtScene* scene, bool* bad_weights, GtError* error)
{
    static GtResult (*const parts[])(const GtiValidation*) = {
        gti_validate_data,   gti_validate_materials,  validate_nodes,  validate_skins,
        gti_validate_meshes, gti_validate_animations, validate_stages, validate_humanoid,
    };
    enum {
        PART_COUNT = sizeof parts / sizeof parts[0]
    };
    GtAllocator allocator = context->allocator;
    size_t size = ((size_t)scene->accessor_count + 1) * sizeof(GtiChecked);
    GtiValidation v = { context, scene, error, allocator.allocate(allocator.user, size), bad_weights };
    if (!v.checked) {
        return gti_out_of_memory(error);
    }
    memset(v.checked, 0, size);
    GtResult result = GT_OK;
    for (int i = 0; i < PART_COUNT && result == GT_OK; ++i) {
        result = gti_progress(context, error, "checking", (double)i / PART_COUNT);
        if (result == GT_OK) {
            result = parts[i](&v);
        }
    }
    allocator.release(allocator.user, v.checked);
    return result;
}

GtResult gt_scene_validate(const GtContext* context, const GtScene* scene, GtError* error)
{
    return gti_scene_validate(context, scene, NULL, error);
}
