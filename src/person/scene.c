// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The body as a scene: mesh, skin, skeleton and the nodes that show them.

#include "gertie/accessor.h"

#include "base/fail.h"
#include "person/person.h"

static GtResult add_mesh(GtScene* scene, const GtiPersonBody* body, GtError* error)
{
    const struct {
        const char* name;
        GtElementType element;
        GtComponentType component;
        const void* data;
    } data[] = {
        { "POSITION", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, body->positions }, // all that a bare mesh has
        { "NORMAL", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, body->normals },
        { "COLOR_0", GT_ELEMENT_VEC4, GT_COMPONENT_UINT8, body->colors },
        { "JOINTS_0", GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, body->joints },
        { "WEIGHTS_0", GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, body->weights },
    };
    enum {
        ATTRIBUTE_COUNT = sizeof data / sizeof data[0]
    };
    GtAttribute* attributes = gt_scene_push(scene, ATTRIBUTE_COUNT, sizeof *attributes);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    if (!attributes || !primitive) {
        return gti_out_of_memory(error);
    }
    int32_t attribute_count = body->weights ? ATTRIBUTE_COUNT : 1;
    GtResult result = GT_OK;
    for (int i = 0; i < attribute_count && result == GT_OK; ++i) {
        attributes[i].name = data[i].name;
        result = gt_scene_add_data(scene, GT_USE_VERTEX, data[i].element, data[i].component, data[i].data,
                                   (uint64_t)body->vertex_count, &attributes[i].accessor, error);
        if (result == GT_OK && data[i].component == GT_COMPONENT_UINT8) {
            scene->accessors[attributes[i].accessor].normalized = true;
        }
    }
    *primitive =
        (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .attributes = attributes, .attribute_count = attribute_count };
    if (result == GT_OK) {
        result = gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, body->indices,
                                   (uint64_t)body->index_count, &primitive->indices, error);
    }
    if (result == GT_OK) {
        GtMaterial material = gt_default_material();
        material.name = "Person";
        material.metallic = 0.0f;
        material.roughness = 0.7f;
        result = gt_scene_add_material(scene, &material, &primitive->material, error);
    }
    GtMesh mesh = { .name = "Person", .primitives = primitive, .primitive_count = 1 };
    return result == GT_OK ? gt_scene_add_mesh(scene, &mesh, NULL, error) : result;
}

static GtResult add_skin(GtScene* scene, const GtiSkeleton* skeleton, GtError* error)
{
    int32_t* joints = gt_scene_push(scene, GT_HUMANOID_JOINT_COUNT, sizeof *joints);
    if (!joints) {
        return gti_out_of_memory(error);
    }
    GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_model(skeleton, model_from_joint);
    float inverse_bind[GT_HUMANOID_JOINT_COUNT][16];
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool ok;
        GtMat34 joint_from_model = gt_mat34_inverse(&model_from_joint[j], &ok);
        gt_mat34_to_columns(&joint_from_model, inverse_bind[j]);
        joints[j] = j;
    }
    GtSkin skin = { .name = "Person", .joints = joints, .joint_count = GT_HUMANOID_JOINT_COUNT, .skeleton = 0 };
    GtResult result = gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, inverse_bind,
                                        GT_HUMANOID_JOINT_COUNT, &skin.inverse_bind, error);
    return result == GT_OK ? gt_scene_add_skin(scene, &skin, NULL, error) : result;
}

// The skinned mesh hangs at the stage's root, beside the hips, as glTF asks.
static GtResult add_mesh_node(GtScene* scene, GtError* error)
{
    GtNode node = gt_default_node();
    node.name = "Person";
    node.mesh = 0;
    node.skin = 0;
    int32_t* roots = gt_scene_push(scene, 2, sizeof *roots);
    if (!roots) {
        return gti_out_of_memory(error);
    }
    roots[0] = scene->stages[0].nodes[0];
    scene->stages[0].nodes = roots;
    scene->stages[0].node_count = 2;
    return gt_scene_add_node(scene, &node, &roots[1], error);
}

static GtResult add_bare_node(GtScene* scene, GtError* error)
{
    GtNode node = gt_default_node();
    node.name = "Scan";
    node.mesh = 0;
    int32_t* roots = gt_scene_push(scene, 1, sizeof *roots);
    GtResult result = roots ? gt_scene_add_node(scene, &node, roots, error) : gti_out_of_memory(error);
    GtStage stage = { .name = "Scene", .nodes = roots, .node_count = 1 };
    return result == GT_OK ? gt_scene_add_stage(scene, &stage, &scene->default_stage, error) : result;
}

GtResult gti_person_add(GtScene* scene, const GtiPersonBody* body, const GtiSkeleton* skeleton, GtError* error)
{
    GtResult result = body->weights ? gti_skeleton_add(scene, skeleton, error) : GT_OK;
    if (result == GT_OK) {
        result = add_mesh(scene, body, error);
    }
    if (result == GT_OK && !body->weights) {
        return add_bare_node(scene, error);
    }
    if (result == GT_OK) {
        result = add_skin(scene, skeleton, error);
    }
    return result == GT_OK ? add_mesh_node(scene, error) : result;
}
