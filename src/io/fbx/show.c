// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where meshes are shown.

#include "base/fail.h"
#include "io/fbx/reader.h"

// The deformer stack of a skin that is not linear.
static GtResult choose_deformers(GtiFbxReader* reader, const GtiFbxGeometry* geometry, GtNode* node)
{
    const GtiFbxNode* skin = reader->graph.objects[geometry->skin].node;
    const GtiFbxNode* type = gti_fbx_find(skin, "SkinningType");
    GtiSlice word;
    if (!type || !gti_fbx_string(gti_fbx_value(&reader->tree, type, 0), &word)) {
        return GT_OK;
    }
    bool blends = gti_slice_is(word, "Blend");
    if (!blends && !gti_slice_is(word, "DualQuaternion")) {
        return GT_OK;
    }
    if (blends) {
        gti_warn(reader->context, reader->path, NULL,
                 "a skin blends linear and dual-quaternion skinning by vertex; it is played by dual quaternions alone");
    }
    GtDeformerData* stack = gt_scene_push(reader->scene, 2, sizeof *stack);
    if (!stack) {
        return gti_out_of_memory(reader->error);
    }
    stack[0] = (GtDeformerData){ .kind = GT_DEFORMER_MORPH };
    stack[1] = (GtDeformerData){ .kind = GT_DEFORMER_SKIN, .skin_method = GT_SKIN_DUAL_QUATERNION };
    node->deformers = stack;
    node->deformer_count = 2;
    return GT_OK;
}

static GtResult show_skinned(GtiFbxReader* reader, GtiFbxModel* model, int32_t mesh)
{
    int32_t skin = GT_NONE;
    GtResult result = gti_fbx_add_skin(reader, model, &skin);
    if (result == GT_OK && model->mesh_node == GT_NONE) {
        GtNode node = gt_default_node();
        node.name = gti_fbx_push_name(reader, model->object, "_mesh");
        result = node.name ? gt_scene_add_node(reader->scene, &node, &model->mesh_node, reader->error)
                           : gti_out_of_memory(reader->error);
    }
    if (result != GT_OK) {
        return result;
    }
    GtNode* node = &reader->scene->nodes[model->mesh_node];
    node->mesh = mesh;
    node->skin = skin;
    return choose_deformers(reader, &reader->geometries[model->geometry], node);
}

GtResult gti_fbx_show_mesh(GtiFbxReader* reader, GtiFbxModel* model, int32_t mesh)
{
    if (reader->geometries[model->geometry].skin != GT_NONE) {
        return show_skinned(reader, model, mesh);
    }
    GtiFbxTransform geometric;
    GtResult result = GT_OK;
    model->mesh_node = model->scaled_node;
    if (gti_fbx_geometric(reader, model->object, &geometric)) {
        GtNode node = gt_default_node();
        node.name = gti_fbx_push_name(reader, model->object, "_geometry");
        node.parent = model->scaled_node;
        node.local.translation = gti_vec_to_float(geometric.translation);
        node.local.rotation = gti_quat_to_float(geometric.rotation);
        node.local.scale = gti_vec_to_float(geometric.scale);
        result = node.name ? gt_scene_add_node(reader->scene, &node, &model->mesh_node, reader->error)
                           : gti_out_of_memory(reader->error);
    }
    if (result == GT_OK) {
        reader->scene->nodes[model->mesh_node].mesh = mesh;
    }
    return result;
}
