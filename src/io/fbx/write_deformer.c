// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blend shapes, skins and the bind pose. A cluster holds two matrices: TransformLink, where the joint was when it was
// bound, and Transform, which takes the mesh into the joint's space and is glTF's inverse bind matrix. Readers pose
// with the second, or with the first and the place of the mesh: both give the same, because TransformLink is made of
// them.

#include "io/fbx/write_mesh.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double weight_of(const GtMesh* mesh, const GtNode* node, int32_t target)
{
    const float* weights = node->weight_count > target ? node->weights : mesh->weights;
    int32_t count = node->weight_count > target ? node->weight_count : mesh->weight_count;
    return weights && target < count ? (double)weights[target] : 0.0;
}

static size_t count_entries(const GtiFbxOutGeometry* geometry, int32_t target)
{
    size_t count = 0;
    for (int32_t p = 0; p < geometry->part_count; ++p) {
        const GtMeshDef* part = &geometry->parts[p];
        count += target < part->morph_count && !geometry->is_twin[p] ? (size_t)part->morphs[target].entry_count : 0;
    }
    return count;
}

// A target that moves nothing is written as one vertex that stays: Blender refuses shapes without vertices.
static void write_shape(GtiFbxWriter* writer, const GtiFbxOutGeometry* geometry, int32_t target, const char* name,
                        int64_t id)
{
    GtiFbxOut* out = &writer->out;
    size_t entry_count = count_entries(geometry, target);
    size_t count = entry_count ? entry_count : 1;
    gti_fbx_begin_object(writer, GTI_FBX_GEOMETRY, id, name, "Shape");
    gti_fbx_begin(out, "Properties70");
    gti_fbx_end(out);
    gti_fbx_int_node(out, "Version", 100);
    for (int array = 0; array < 3; ++array) {
        static const char* const names[] = { "Indexes", "Vertices", "Normals" };
        gti_fbx_begin(out, names[array]);
        uint8_t* to = gti_fbx_begin_array(out, array == 0 ? 'i' : 'd', (array == 0 ? 1 : 3) * count);
        for (int32_t p = 0; p < geometry->part_count && to; ++p) {
            const GtMeshDef* part = &geometry->parts[p];
            const GtMorphDef* morph = target < part->morph_count ? &part->morphs[target] : NULL;
            for (int32_t i = 0; morph && i < morph->entry_count && !geometry->is_twin[p]; ++i) {
                const GtVec3* vectors = array == 1 ? morph->positions : morph->normals;
                int32_t vertex = geometry->first[p] + (int32_t)morph->vertices[i];
                double value[3] = { 0.0, 0.0, 0.0 };
                if (array > 0 && vectors) {
                    gti_vec_put(value, gti_vec_from(vectors[i]), array == 1 ? GTI_FBX_CM_PER_M : 1.0);
                }
                size_t size = array == 0 ? sizeof vertex : sizeof value;
                memcpy(to, array == 0 ? (const void*)&vertex : (const void*)value, size);
                to += size;
            }
        }
        if (entry_count == 0 && to) {
            memset(to, 0, array == 0 ? sizeof(int32_t) : 3 * sizeof(double));
        }
        gti_fbx_end_array(out);
        gti_fbx_end(out);
    }
    gti_fbx_end(out);
}

static void write_channel(GtiFbxWriter* writer, int64_t id, const char* name, double percent)
{
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin_object(writer, GTI_FBX_DEFORMER, id, name, "BlendShapeChannel");
    gti_fbx_int_node(out, "Version", 100);
    gti_fbx_begin(out, "Properties70");
    gti_fbx_number_property(out, "DeformPercent", percent);
    gti_fbx_end(out);
    gti_fbx_double_node(out, "DeformPercent", percent);
    gti_fbx_array_node(out, "FullWeights", 'd', (const double[]){ 100.0 }, 1);
    gti_fbx_end(out);
}

GtResult gti_fbx_write_shapes(GtiFbxWriter* writer, GtiFbxOutModel* model, const GtiFbxOutGeometry* geometry)
{
    const GtMesh* mesh = &writer->scene->meshes[model->mesh];
    const GtNode* node = &writer->scene->nodes[model->node];
    GtiFbxOut* out = &writer->out;
    int64_t blend = gti_fbx_new_id(writer);
    gti_fbx_begin_object(writer, GTI_FBX_DEFORMER, blend, model->name, "BlendShape");
    gti_fbx_int_node(out, "Version", 100);
    gti_fbx_end(out);
    gti_fbx_link(writer, blend, geometry->id, NULL);
    model->first_channel = writer->next_id;
    writer->next_id += mesh->target_count;
    for (int32_t i = 0; i < mesh->target_count && !out->bytes.failed; ++i) {
        GtArenaMark mark = gt_arena_mark(&writer->arena);
        char otherwise[32];
        snprintf(otherwise, sizeof otherwise, "shape_%d", (int)i);
        const char* name = gti_fbx_out_name(writer, mesh->target_names ? mesh->target_names[i] : NULL, "", otherwise);
        if (!name) {
            return gti_out_of_memory(writer->error);
        }
        int64_t shape = gti_fbx_new_id(writer);
        write_channel(writer, model->first_channel + i, name, 100.0 * weight_of(mesh, node, i));
        write_shape(writer, geometry, i, name, shape);
        gti_fbx_link(writer, model->first_channel + i, blend, NULL);
        gti_fbx_link(writer, shape, model->first_channel + i, NULL);
        gt_arena_reset(&writer->arena, mark);
    }
    return GT_OK;
}

// The weights of a skin, joint by joint.
typedef struct GtiFbxInfluences {
    size_t* starts; // [joint_count + 1]
    int32_t* vertices;
    double* weights;
} GtiFbxInfluences;

static GtResult sort_influences(GtiFbxWriter* writer, const GtiFbxOutGeometry* geometry, int32_t joint_count,
                                GtiFbxInfluences* out)
{
    size_t total = 0;
    out->starts = gt_arena_push_array(&writer->arena, (size_t)joint_count + 2, sizeof *out->starts);
    for (int pass = 0; pass < 2; ++pass) {
        if (pass == 1) {
            for (int32_t j = 0; out->starts && j < joint_count; ++j) {
                out->starts[j + 2] += out->starts[j + 1];
            }
            out->vertices = gt_arena_push_array(&writer->arena, total, sizeof *out->vertices);
            out->weights = gt_arena_push_array(&writer->arena, total, sizeof *out->weights);
        }
        if (!out->starts || (pass == 1 && (!out->vertices || !out->weights))) {
            return gti_out_of_memory(writer->error);
        }
        for (int32_t p = 0; p < geometry->part_count; ++p) {
            const GtMeshDef* part = &geometry->parts[p];
            size_t count = geometry->is_twin[p] ? 0 : (size_t)part->vertex_count * (size_t)part->influence_count;
            for (size_t i = 0; i < count; ++i) {
                if (!(part->weights[i] > 0.0f) || part->joints[i] >= joint_count) {
                    continue;
                }
                if (pass == 0) {
                    ++out->starts[part->joints[i] + 2];
                    ++total;
                } else {
                    size_t place = out->starts[part->joints[i] + 1]++;
                    out->vertices[place] = geometry->first[p] + (int32_t)(i / (size_t)part->influence_count);
                    out->weights[place] = (double)part->weights[i];
                }
            }
        }
    }
    return GT_OK;
}

// TransformLink of a joint: where it was bound, with the mesh where its model is at rest.
static GtiFbxMatrix world_from_bound(const GtiFbxWriter* writer, const GtiFbxOutModel* model, int32_t joint)
{
    const GtSkin* skin = &writer->scene->skins[model->skin];
    GtiFbxMatrix inverse_bind = gti_fbx_inverse_bind(writer->scene, skin, joint);
    GtiFbxMatrix bind;
    if (!gti_fbx_matrix_inverse(&inverse_bind, &bind)) {
        return writer->models[skin->joints[joint]].world_from_model;
    }
    return gti_fbx_matrix_mul(&model->world_from_model, &bind);
}

static const char* skinning_type(const GtNode* node)
{
    for (int32_t i = 0; i < node->deformer_count; ++i) {
        if (node->deformers[i].kind == GT_DEFORMER_SKIN && node->deformers[i].skin_method != GT_SKIN_LINEAR) {
            return "DualQuaternion";
        }
    }
    return "Linear";
}

// Where the node stands that a skeleton hangs on, which Blender takes for the armature.
static GtiFbxMatrix world_from_armature(const GtiFbxWriter* writer, const GtSkin* skin)
{
    int32_t at = skin->joints[0];
    while (at != GT_NONE && writer->models[at].is_joint) {
        at = writer->models[at].parent;
    }
    const GtTransform identity = gt_transform_identity();
    return at == GT_NONE ? gti_fbx_matrix_of(&identity) : writer->models[at].world_from_model;
}

static void write_cluster(GtiFbxWriter* writer, const GtiFbxOutModel* model, const GtiFbxInfluences* influences,
                          const GtiFbxMatrix* armature, int32_t joint, int64_t skin_id)
{
    const GtSkin* skin = &writer->scene->skins[model->skin];
    GtiFbxOut* out = &writer->out;
    int64_t id = gti_fbx_new_id(writer);
    size_t first = influences->starts[joint];
    size_t count = influences->starts[joint + 1] - first;
    GtiFbxMatrix inverse_bind = gti_fbx_inverse_bind(writer->scene, skin, joint);
    GtiFbxMatrix link = world_from_bound(writer, model, joint);
    gti_fbx_begin_object(writer, GTI_FBX_DEFORMER, id, writer->models[skin->joints[joint]].name, "Cluster");
    gti_fbx_int_node(out, "Version", 100);
    gti_fbx_begin(out, "UserData");
    gti_fbx_put_text(out, "");
    gti_fbx_put_text(out, "");
    gti_fbx_end(out);
    if (count) {
        gti_fbx_array_node(out, "Indexes", 'i', influences->vertices + first, count);
        gti_fbx_array_node(out, "Weights", 'd', influences->weights + first, count);
    }
    gti_fbx_matrix_node(out, "Transform", &inverse_bind);
    gti_fbx_matrix_node(out, "TransformLink", &link);
    gti_fbx_matrix_node(out, "TransformAssociateModel", armature);
    gti_fbx_end(out);
    gti_fbx_link(writer, id, skin_id, NULL);
    gti_fbx_link(writer, gti_fbx_model_id(skin->joints[joint]), id, NULL);
}

GtResult gti_fbx_write_skin(GtiFbxWriter* writer, const GtiFbxOutModel* model, const GtiFbxOutGeometry* geometry)
{
    const GtSkin* skin = &writer->scene->skins[model->skin];
    GtiFbxOut* out = &writer->out;
    GtiFbxInfluences influences = { 0 };
    GtResult result = sort_influences(writer, geometry, skin->joint_count, &influences);
    if (result != GT_OK) {
        return result;
    }
    int64_t id = gti_fbx_new_id(writer);
    gti_fbx_begin_object(writer, GTI_FBX_DEFORMER, id, model->name, "Skin");
    gti_fbx_int_node(out, "Version", 101);
    gti_fbx_double_node(out, "Link_DeformAcuracy", 50.0);
    gti_fbx_text_node(out, "SkinningType", skinning_type(&writer->scene->nodes[model->node]));
    gti_fbx_end(out);
    gti_fbx_link(writer, id, geometry->id, NULL);
    GtiFbxMatrix armature = world_from_armature(writer, skin);
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        write_cluster(writer, model, &influences, &armature, j, id);
    }
    return GT_OK;
}

// What the pose holds of each model.
typedef struct GtiFbxPosed {
    GtiFbxMatrix world;
    bool is_there;
} GtiFbxPosed;

GtResult gti_fbx_write_pose(GtiFbxWriter* writer)
{
    GtiFbxPosed* posed = gt_arena_push_array(&writer->arena, (size_t)writer->model_count, sizeof *posed);
    int32_t count = 0;
    if (!posed) {
        return gti_out_of_memory(writer->error);
    }
    for (int32_t i = 0; i < writer->model_count; ++i) {
        const GtiFbxOutModel* model = &writer->models[i];
        if (model->skin == GT_NONE || model->mesh == GT_NONE) {
            continue;
        }
        const GtSkin* skin = &writer->scene->skins[model->skin];
        for (int32_t j = -1; j < skin->joint_count; ++j) {
            int32_t at = j < 0 ? i : skin->joints[j];
            if (!posed[at].is_there) { // else an earlier skin has said it
                posed[at].world = j < 0 ? model->world_from_model : world_from_bound(writer, model, j);
                posed[at].is_there = true;
            }
        }
    }
    for (int32_t i = 0; i < writer->model_count; ++i) { // a bind pose is valid only with all that is above its nodes
        int32_t at = posed[i].is_there ? writer->models[i].parent : GT_NONE;
        for (; at != GT_NONE && !posed[at].is_there; at = writer->models[at].parent) {
            posed[at].world = writer->models[at].world_from_model;
            posed[at].is_there = true;
        }
    }
    for (int32_t i = 0; i < writer->model_count; ++i) {
        count += posed[i].is_there;
    }
    if (count == 0) {
        return GT_OK;
    }
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin_object(writer, GTI_FBX_POSE, gti_fbx_new_id(writer), "BindPose", "BindPose");
    gti_fbx_text_node(out, "Type", "BindPose");
    gti_fbx_int_node(out, "Version", 100);
    gti_fbx_int_node(out, "NbPoseNodes", count);
    for (int32_t i = 0; i < writer->model_count; ++i) {
        if (posed[i].is_there) {
            gti_fbx_begin(out, "PoseNode");
            gti_fbx_begin(out, "Node");
            gti_fbx_put_long(out, gti_fbx_model_id(i));
            gti_fbx_end(out);
            gti_fbx_matrix_node(out, "Matrix", &posed[i].world);
            gti_fbx_end(out);
        }
    }
    gti_fbx_end(out);
    return GT_OK;
}
