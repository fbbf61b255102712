// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where meshes are shown.

#include "base/fail.h"
#include "io/fbx/layer.h"

#include <math.h>

// How much a skin that blends by vertex is one of dual quaternions: the mean over all points, 0 to 1.
static double mean_blend(GtiFbxReader* reader, const GtiFbxGeometry* geometry, GtResult* result)
{
    const GtiFbxNode* skin = reader->graph.objects[geometry->skin].node;
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    uint32_t point_count = 0, count = 0;
    const int32_t* points = gti_fbx_read_integers(reader, skin, "Indexes", &point_count, result);
    const float* weights = gti_fbx_read_floats(reader, skin, "BlendWeights", &count, result);
    double sum = 0.0;
    for (uint32_t i = 0; i < count && i < point_count; ++i) {
        if (points[i] >= 0 && (uint32_t)points[i] < geometry->point_count && weights[i] > 0.0f) {
            sum += fmin((double)weights[i], 1.0);
        }
    }
    gt_arena_reset(&reader->arena, mark);
    return geometry->point_count > 0 ? sum / geometry->point_count : 0.0;
}

// The deformer stack of a skin that is not linear.
static GtResult choose_deformers(GtiFbxReader* reader, const GtiFbxGeometry* geometry, GtNode* node)
{
    const GtiFbxNode* skin = reader->graph.objects[geometry->skin].node;
    const GtiFbxNode* type = gti_fbx_find(skin, "SkinningType");
    GtResult result = GT_OK;
    GtiSlice word;
    if (!type || !gti_fbx_string(gti_fbx_value(&reader->tree, type, 0), &word)) {
        return GT_OK;
    }
    bool is_dual = gti_slice_is(word, "DualQuaternion");
    if (gti_slice_is(word, "Blend")) {
        double mean = mean_blend(reader, geometry, &result);
        is_dual = mean >= 0.5;
        if (result == GT_OK && mean > 0.0 && mean < 1.0) {
            gti_warn(reader->context, reader->path, NULL,
                     "a skin blends linear and dual-quaternion skinning by vertex, %.0f %% dual quaternions in the "
                     "mean; it is played by %s alone",
                     mean * 100.0, is_dual ? "dual quaternions" : "linear skinning");
        }
    }
    if (!is_dual || result != GT_OK) {
        return result;
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
