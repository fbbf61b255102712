// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Scenes of boxes, each a piece of one mesh.

#ifndef GERTIE_TESTS_RIG_BOXES_H
#define GERTIE_TESTS_RIG_BOXES_H

#include "gertie/scene.h"

#include "support/test.h"

typedef struct Box {
    GtVec3 low, high;
} Box;

enum {
    BOX_MOST = 16
};

static inline GtScene* boxes_scene(const Box* boxes, int count)
{
    static const uint32_t faces[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtVec3 points[8 * BOX_MOST];
    uint32_t corners[36 * BOX_MOST];
    assert_true(count <= BOX_MOST);
    for (int b = 0; b < count; ++b) {
        for (int i = 0; i < 8; ++i) {
            points[8 * b + i] =
                gt_vec3(i & 1 ? boxes[b].high.x : boxes[b].low.x, i & 2 ? boxes[b].high.y : boxes[b].low.y,
                        i & 4 ? boxes[b].high.z : boxes[b].low.z);
        }
        for (int i = 0; i < 36; ++i) {
            corners[36 * b + i] = (uint32_t)(8 * b) + faces[i];
        }
    }
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GtAttribute* attribute = gt_scene_push(scene, 1, sizeof *attribute);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    attribute->name = "POSITION";
    *primitive =
        (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .material = GT_NONE, .attributes = attribute, .attribute_count = 1 };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, points,
                                   8 * (uint64_t)count, &attribute->accessor, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, corners,
                                   36 * (uint64_t)count, &primitive->indices, &error));
    GtMesh mesh = { .name = "boxes", .primitives = primitive, .primitive_count = 1 };
    GtNode node = gt_default_node();
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    return scene;
}

#endif
