// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Models and their attributes. Every node of the scene becomes a Model of the same index: LimbNode for joints and what
// hangs on them, Mesh, or Null. glTF ignores the transform of a node with a skinned mesh, FBX does not: the Model of
// such a mesh stands where the joints at rest would put it, so that bind pose and rest pose agree where they do in
// glTF; where that is not its node's place it becomes a Model of its own at the top.

#include "io/fbx/write.h"

#include "base/fail.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_mesh(const GtScene* scene, const GtNode* node)
{
    return node->mesh != GT_NONE && scene->meshes[node->mesh].primitive_count > 0;
}

// Joints are the joints of skins and of BVH files, what lies between them, and what hangs on them without a mesh; all
// nodes where the scene has no mesh.
static void mark_joints(GtiFbxWriter* writer, const int32_t* order)
{
    const GtScene* scene = writer->scene;
    GtiFbxOutModel* models = writer->models;
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        for (int32_t j = 0; j < scene->skins[s].joint_count; ++j) {
            models[scene->skins[s].joints[j]].is_joint = true;
        }
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        const GtNode* node = &scene->nodes[order[i]];
        bool hangs = node->parent != GT_NONE && models[node->parent].is_joint && node->mesh == GT_NONE;
        models[order[i]].is_joint |= scene->mesh_count == 0 || node->bvh || (hangs && node->camera == GT_NONE);
    }
}

static int32_t add_model(GtiFbxWriter* writer, const char* name, int32_t parent, GtTransform local)
{
    GT_ASSERT(writer->model_count < writer->model_capacity);
    GtiFbxOutModel* model = &writer->models[writer->model_count];
    *model = (GtiFbxOutModel){ .name = name,
                               .parent = parent,
                               .mesh = GT_NONE,
                               .skin = GT_NONE,
                               .shown_by = GT_NONE,
                               .node = GT_NONE,
                               .local = local };
    model->world_from_model = gti_fbx_matrix_of(&local);
    if (parent != GT_NONE) {
        model->world_from_model =
            gti_fbx_matrix_mul(&writer->models[parent].world_from_model, &model->world_from_model);
    }
    return writer->model_count++;
}

static bool are_near(const GtiFbxMatrix* a, const GtiFbxMatrix* b)
{
    double size = 0.0;
    double distance = 0.0;
    for (int i = 0; i < 12; ++i) {
        size = fmax(size, fabs(a->m[i / 4][i % 4]));
        distance = fmax(distance, fabs(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    }
    return distance <= 1e-5 * size;
}

// Where a skinned mesh stands at rest: by the joint of the skin that is nearest to the root.
static GtiFbxMatrix world_from_skinned(const GtiFbxWriter* writer, const GtSkin* skin, const int32_t* depths)
{
    int32_t best = 0;
    for (int32_t j = 1; j < skin->joint_count; ++j) {
        best = depths[skin->joints[j]] < depths[skin->joints[best]] ? j : best;
    }
    GtiFbxMatrix inverse_bind = gti_fbx_inverse_bind(writer->scene, skin, best);
    return gti_fbx_matrix_mul(&writer->models[skin->joints[best]].world_from_model, &inverse_bind);
}

static GtTransform decompose(const GtiFbxMatrix* matrix)
{
    GtMat34 m;
    float shear = 0.0f;
    for (int i = 0; i < 12; ++i) {
        m.m[i / 4][i % 4] = (float)matrix->m[i / 4][i % 4];
    }
    GtTransform t = gt_transform_from_mat34(&m, &shear);
    bool is_finite = isfinite(t.translation.x) && isfinite(t.translation.y) && isfinite(t.translation.z) &&
                     isfinite(t.scale.x) && isfinite(t.scale.y) && isfinite(t.scale.z);
    return is_finite ? t : gt_transform_identity();
}

// Let a model show the mesh of a node: its own, or one besides.
static GtResult place_mesh(GtiFbxWriter* writer, int32_t index, const bool* is_moved, const int32_t* depths)
{
    const GtNode* node = &writer->scene->nodes[index];
    int32_t shower = index;
    if (node->skin != GT_NONE) {
        GtiFbxMatrix world = world_from_skinned(writer, &writer->scene->skins[node->skin], depths);
        if (writer->models[index].is_joint || is_moved[index] ||
            !are_near(&world, &writer->models[index].world_from_model)) {
            const char* name = gti_fbx_out_name(writer, node->name, "", "mesh");
            shower = add_model(writer, name, GT_NONE, decompose(&world));
        }
    } else if (writer->models[index].is_joint) {
        const char* name = gti_fbx_out_name(writer, node->name, "_mesh", "joint");
        shower = add_model(writer, name, index, gt_transform_identity());
    }
    GtiFbxOutModel* model = &writer->models[shower];
    model->mesh = node->mesh;
    model->skin = node->skin;
    model->node = index;
    writer->models[index].shown_by = shower;
    writer->models[index].is_left_out =
        shower != index && node->skin != GT_NONE && node->child_count == 0 && !writer->models[index].is_joint;
    return model->name ? GT_OK : gti_out_of_memory(writer->error);
}

// A joint behind each one that has no joint behind it, half as far on as it is from its own parent.
static GtResult add_end_joints(GtiFbxWriter* writer)
{
    int32_t node_count = writer->scene->node_count;
    bool* has_joint = gt_arena_push_array(&writer->arena, (size_t)node_count, sizeof *has_joint);
    if (!has_joint) {
        return gti_out_of_memory(writer->error);
    }
    for (int32_t i = 0; i < node_count; ++i) {
        const GtiFbxOutModel* model = &writer->models[i];
        if (model->is_joint && model->parent != GT_NONE && model->parent < node_count) {
            has_joint[model->parent] = true;
        }
    }
    for (int32_t i = 0; i < node_count; ++i) {
        const GtiFbxOutModel* model = &writer->models[i];
        if (!model->is_joint || has_joint[i]) {
            continue;
        }
        GtiQuat rotation = gti_quat_unit(gti_quat_from(model->local.rotation));
        GtiVec offset = gti_quat_rotate(gti_quat_conjugate(rotation), gti_vec_from(model->local.translation));
        offset = gti_vec_length(offset) > 1e-6 ? gti_vec_scale(offset, 0.5) : gti_vec(0.0, 0.01, 0.0);
        GtTransform local = gt_transform_identity();
        local.translation = gti_vec_to_float(offset);
        const char* name = gti_fbx_out_name(writer, model->name, "_end", "joint");
        if (!name) {
            return gti_out_of_memory(writer->error);
        }
        writer->models[add_model(writer, name, i, local)].is_joint = true;
    }
    return GT_OK;
}

// Nodes at the top that are joints, or have some below them, hang on a joint "root" at the origin.
static GtResult add_root_joint(GtiFbxWriter* writer, const int32_t* order)
{
    int32_t count = writer->scene->node_count;
    bool* holds_joint = gt_arena_push_array(&writer->arena, (size_t)count, sizeof *holds_joint);
    if (!holds_joint) {
        return gti_out_of_memory(writer->error);
    }
    int32_t root = add_model(writer, "root", GT_NONE, gt_transform_identity());
    writer->models[root].is_joint = true;
    for (int32_t i = count - 1; i >= 0; --i) { // children before their parents
        GtiFbxOutModel* model = &writer->models[order[i]];
        holds_joint[order[i]] |= model->is_joint;
        if (holds_joint[order[i]] && model->parent == GT_NONE) {
            model->parent = root;
        } else if (holds_joint[order[i]]) {
            holds_joint[model->parent] = true;
        }
    }
    return GT_OK;
}

// Names stay what they are where they are the first of their kind, joints before others, because motions find joints by
// name; others get the number of their model.
static GtResult make_names_unique(GtiFbxWriter* writer)
{
    uint32_t bits = 4;
    while ((1u << bits) < 2u * (uint32_t)writer->model_count) {
        ++bits;
    }
    int32_t* slots = gt_arena_push_array(&writer->arena, (size_t)1 << bits, sizeof *slots);
    int32_t renamed = 0;
    if (!slots) {
        return gti_out_of_memory(writer->error);
    }
    for (int32_t turn = 0; turn < 2 * writer->model_count; ++turn) {
        int32_t i = turn % writer->model_count;
        GtiFbxOutModel* model = &writer->models[i];
        if (model->is_joint != (turn < writer->model_count)) {
            continue;
        }
        uint32_t mask = (1u << bits) - 1;
        uint32_t slot = gti_hash_slot(gti_hash(0, model->name, strlen(model->name)), bits);
        while (slots[slot] && !model->is_left_out) {
            if (strcmp(writer->models[slots[slot] - 1].name, model->name) != 0) {
                slot = (slot + 1) & mask;
                continue;
            }
            char suffix[16];
            snprintf(suffix, sizeof suffix, "_%d", (int)i);
            model->name = gti_fbx_out_name(writer, model->name, suffix, "node");
            if (!model->name) {
                return gti_out_of_memory(writer->error);
            }
            slot = gti_hash_slot(gti_hash(0, model->name, strlen(model->name)), bits);
            ++renamed;
        }
        if (!model->is_left_out) {
            slots[slot] = i + 1;
        }
    }
    if (renamed) {
        gti_warn(writer->context, NULL, NULL, "%d nodes had names that others have, too, and got a number",
                 (int)renamed);
    }
    return GT_OK;
}

// Copy the nodes, and find their depths and which of them or of their parents is animated.
static GtResult copy_nodes(GtiFbxWriter* writer, const int32_t* order, int32_t* depths, bool* is_moved)
{
    const GtScene* scene = writer->scene;
    int32_t sheared = 0;
    for (int32_t a = 0; a < scene->animation_count; ++a) {
        for (int32_t c = 0; c < scene->animations[a].channel_count; ++c) {
            const GtAnimationChannel* channel = &scene->animations[a].channels[c];
            if (channel->node != GT_NONE && channel->path <= GT_PATH_SCALE) {
                is_moved[channel->node] = true;
            }
        }
    }
    writer->model_count = scene->node_count;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        int32_t index = order[i];
        const GtNode* node = &scene->nodes[index];
        GtiFbxOutModel* model = &writer->models[index];
        char otherwise[32];
        snprintf(otherwise, sizeof otherwise, "node_%d", (int)index);
        *model = (GtiFbxOutModel){ .name = gti_fbx_out_name(writer, node->name, "", otherwise),
                                   .parent = node->parent,
                                   .mesh = GT_NONE,
                                   .skin = GT_NONE,
                                   .shown_by = GT_NONE,
                                   .node = GT_NONE,
                                   .local = node->local };
        if (!model->name) {
            return gti_out_of_memory(writer->error);
        }
        model->world_from_model = gti_fbx_matrix_of(&node->local);
        if (node->matrix) {
            GtiFbxMatrix given;
            for (int k = 0; k < 12; ++k) {
                given.m[k % 3][k / 3] = (double)node->matrix[4 * (k / 3) + k % 3];
            }
            sheared += !are_near(&given, &model->world_from_model);
        }
        if (node->parent != GT_NONE) {
            model->world_from_model =
                gti_fbx_matrix_mul(&writer->models[node->parent].world_from_model, &model->world_from_model);
            depths[index] = depths[node->parent] + 1;
            is_moved[index] |= is_moved[node->parent];
        }
    }
    return sheared ? gti_repair(writer->context, writer->error, NULL, NULL,
                                "the matrices of %d nodes shear, which FBX cannot hold: the shear is left out",
                                (int)sheared)
                   : GT_OK;
}

GtResult gti_fbx_plan_models(GtiFbxWriter* writer)
{
    const GtScene* scene = writer->scene;
    size_t count = (size_t)scene->node_count;
    int32_t* order = gt_arena_push_array(&writer->arena, count, sizeof *order);
    int32_t* depths = gt_arena_push_array(&writer->arena, count, sizeof *depths);
    bool* is_moved = gt_arena_push_array(&writer->arena, count, sizeof *is_moved);
    writer->models = gt_arena_push_array(&writer->arena, 3 * count + 1, sizeof *writer->models);
    writer->model_capacity = 3 * scene->node_count + 1;
    if (!order || !depths || !is_moved || !writer->models) {
        return gti_out_of_memory(writer->error);
    }
    if (scene->node_count > INT32_MAX / 4) {
        return gti_fail(writer->error, GT_ERROR_LIMIT, "%d nodes are too many", (int)scene->node_count);
    }
    GtResult result = gt_scene_parent_first(scene, order, writer->error);
    if (result == GT_OK) {
        result = copy_nodes(writer, order, depths, is_moved);
    }
    if (result != GT_OK) {
        return result;
    }
    mark_joints(writer, order);
    for (int32_t i = 0; i < scene->node_count && result == GT_OK; ++i) {
        if (has_mesh(scene, &scene->nodes[i])) {
            result = place_mesh(writer, i, is_moved, depths);
        }
    }
    if (result == GT_OK && writer->def->end_joints) {
        result = add_end_joints(writer);
    }
    if (result == GT_OK && writer->def->root_joint) {
        result = add_root_joint(writer, order);
    }
    return result == GT_OK ? make_names_unique(writer) : result;
}

static void write_attribute(GtiFbxWriter* writer, int32_t index)
{
    const GtiFbxOutModel* model = &writer->models[index];
    GtiFbxOut* out = &writer->out;
    int64_t id = gti_fbx_new_id(writer);
    gti_fbx_begin_object(writer, GTI_FBX_NODE_ATTRIBUTE, id, model->name, model->is_joint ? "LimbNode" : "Null");
    if (model->is_joint) {
        gti_fbx_begin(out, "Properties70");
        gti_fbx_double_property(out, "Size", 1.0);
        gti_fbx_end(out);
    }
    gti_fbx_text_node(out, "TypeFlags", model->is_joint ? "Skeleton" : "Null");
    gti_fbx_end(out);
    gti_fbx_link(writer, id, gti_fbx_model_id(index), NULL);
}

static void write_model(GtiFbxWriter* writer, int32_t index)
{
    static const double zero[3] = { 0.0, 0.0, 0.0 };
    const GtiFbxOutModel* model = &writer->models[index];
    GtiFbxOut* out = &writer->out;
    int64_t id = gti_fbx_model_id(index);
    GtiVec euler = gti_fbx_euler_near(gti_quat_unit(gti_quat_from(model->local.rotation)), gti_vec(0.0, 0.0, 0.0));
    double translation[3], rotation[3], scale[3];
    gti_vec_put(translation, gti_vec_from(model->local.translation), GTI_FBX_CM_PER_M);
    gti_vec_put(rotation, euler, 1.0);
    gti_vec_put(scale, gti_vec_from(model->local.scale), 1.0);
    gti_fbx_begin_object(writer, GTI_FBX_MODEL, id, model->name,
                         model->mesh != GT_NONE ? "Mesh"
                         : model->is_joint      ? "LimbNode"
                                                : "Null");
    gti_fbx_int_node(out, "Version", 232);
    gti_fbx_begin(out, "Properties70");
    gti_fbx_bool_property(out, "RotationActive", true);
    gti_fbx_enum_property(out, "InheritType", 1); // matrices multiply, as in glTF
    gti_fbx_vector_property(out, "ScalingMax", "Vector3D", zero);
    gti_fbx_int_property(out, "DefaultAttributeIndex", 0);
    gti_fbx_vector_property(out, "Lcl Translation", "Lcl Translation", translation);
    gti_fbx_vector_property(out, "Lcl Rotation", "Lcl Rotation", rotation);
    gti_fbx_vector_property(out, "Lcl Scaling", "Lcl Scaling", scale);
    gti_fbx_end(out);
    gti_fbx_begin(out, "Shading");
    gti_fbx_put_bool(out, true);
    gti_fbx_end(out);
    gti_fbx_text_node(out, "Culling", "CullingOff");
    gti_fbx_end(out);
    gti_fbx_link(writer, id, model->parent == GT_NONE ? 0 : gti_fbx_model_id(model->parent), NULL);
}

void gti_fbx_write_models(GtiFbxWriter* writer)
{
    for (int32_t i = 0; i < writer->model_count; ++i) {
        if (!writer->models[i].is_left_out) {
            write_model(writer, i);
            if (writer->models[i].mesh == GT_NONE) {
                write_attribute(writer, i);
            }
        }
    }
}
