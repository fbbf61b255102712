// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "scene/world.h"

#include "support/test.h"

static void nodes_stand_on_their_parents(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    assert_int_equal(gt_scene_create(&context, &scene, NULL), GT_OK);
    const float halved[16] = { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 3, 1 };
    GtNode root = gt_default_node();
    root.local.translation = gt_vec3(1.0f, 2.0f, 0.0f);
    GtNode child = gt_default_node();
    child.parent = 0;
    child.matrix = halved;
    GtNode grandchild = gt_default_node();
    grandchild.parent = 1;
    grandchild.local.translation = gt_vec3(0.0f, 4.0f, 0.0f);
    gt_scene_add_node(scene, &root, NULL, NULL);
    gt_scene_add_node(scene, &child, NULL, NULL);
    gt_scene_add_node(scene, &grandchild, NULL, NULL);
    GtArena arena = gt_arena_create(context.allocator);
    GtMat34* worlds = NULL;
    assert_int_equal(gti_scene_worlds(scene, &arena, &worlds, NULL), GT_OK);
    GtVec3 at = gt_mat34_translation(&worlds[2]);
    assert_true(at.x == 1.0f && at.y == 4.0f && at.z == 3.0f);
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nodes_stand_on_their_parents) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
