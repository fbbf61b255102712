// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Small scenes put together by hand. Each helper fails the test when a call of it fails.

#ifndef GERTIE_TESTS_BUILD_MAKE_SCENE_H
#define GERTIE_TESTS_BUILD_MAKE_SCENE_H

#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/build.h"

static inline int32_t make_data(GtScene* scene, GtAccessorUse use, GtElementType element, GtComponentType component,
                                const void* data, uint64_t count)
{
    GtError error;
    int32_t index = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_data(scene, use, element, component, data, count, &index, &error));
    return index;
}

static inline int32_t make_vec3(GtScene* scene, const float* data, uint64_t count)
{
    return make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, data, count);
}

static inline void* make_array(GtScene* scene, const void* data, size_t count, size_t size)
{
    void* copy = gt_scene_push(scene, count, size);
    assert_non_null(copy);
    if (count) {
        memcpy(copy, data, count * size);
    }
    return copy;
}

// A primitive whose attributes are copied into the scene.
static inline GtPrimitive make_primitive(GtScene* scene, GtPrimitiveMode mode, const GtAttribute* attributes,
                                         int32_t count)
{
    return (GtPrimitive){
        .mode = mode,
        .indices = GT_NONE,
        .material = GT_NONE,
        .attributes = make_array(scene, attributes, (size_t)count, sizeof *attributes),
        .attribute_count = count,
    };
}

static inline int32_t make_mesh(GtScene* scene, const GtPrimitive* primitives, int32_t count)
{
    GtError error;
    int32_t index = GT_NONE;
    GtMesh mesh = {
        .name = "mesh",
        .primitives = make_array(scene, primitives, (size_t)count, sizeof *primitives),
        .primitive_count = count,
    };
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &index, &error));
    return index;
}

// The parent may come later than the child: link_children() makes the lists when all nodes are there.
static inline int32_t make_node(GtScene* scene, const char* name, int32_t parent, GtVec3 translation)
{
    GtError error;
    int32_t index = GT_NONE;
    GtNode node = gt_default_node();
    node.name = name;
    node.local.translation = translation;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, &index, &error));
    scene->nodes[index].parent = parent;
    return index;
}

// A root that shows a mesh.
static inline int32_t make_mesh_node(GtScene* scene, int32_t mesh)
{
    int32_t node = make_node(scene, "shows a mesh", GT_NONE, gt_vec3(0, 0, 0));
    scene->nodes[node].mesh = mesh;
    return node;
}

// Children lists from the parents that the nodes name.
static inline void link_children(GtScene* scene)
{
    for (int32_t i = 0; i < scene->node_count; ++i) {
        scene->nodes[i].child_count = 0;
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].parent != GT_NONE) {
            ++scene->nodes[scene->nodes[i].parent].child_count;
        }
    }
    int32_t** slots = gt_scene_push(scene, (size_t)scene->node_count, sizeof *slots);
    for (int32_t i = 0; i < scene->node_count; ++i) {
        slots[i] = gt_scene_push(scene, (size_t)scene->nodes[i].child_count, sizeof **slots);
        scene->nodes[i].children = slots[i];
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].parent != GT_NONE) {
            *slots[scene->nodes[i].parent]++ = i;
        }
    }
}

static inline int32_t make_skin(GtScene* scene, const int32_t* joints, int32_t count, int32_t inverse_bind)
{
    GtError error;
    int32_t index = GT_NONE;
    GtSkin skin = {
        .joints = make_array(scene, joints, (size_t)count, sizeof *joints),
        .joint_count = count,
        .inverse_bind = inverse_bind,
        .skeleton = GT_NONE,
    };
    GT_EXPECT_OK(gt_scene_add_skin(scene, &skin, &index, &error));
    return index;
}

// A scene with nothing in it.
static inline GtScene* make_scene(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    return scene;
}

// Validate and build with the defaults.
static inline GtCharacter* build_character(const GtContext* context, const GtScene* scene, GtBuildReport* report)
{
    GtError error;
    GtCharacter* character = NULL;
    GtBuildDef def = gt_default_build_def();
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &character, report, &error));
    return character;
}

#endif
