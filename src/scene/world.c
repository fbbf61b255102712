// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A node that a file gives a matrix stands where the matrix says, shear and all.

#include "scene/world.h"

#include "base/fail.h"

GtResult gti_scene_worlds(const GtScene* scene, GtArena* arena, GtMat34** out, GtError* error)
{
    size_t count = (size_t)scene->node_count;
    int32_t* order = gt_arena_push_array(arena, count + 1, sizeof *order);
    GtMat34* worlds = gt_arena_push_array(arena, count + 1, sizeof *worlds);
    if (!order || !worlds) {
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_parent_first(scene, order, error);
    for (int32_t i = 0; i < scene->node_count && result == GT_OK; ++i) {
        const GtNode* node = &scene->nodes[order[i]];
        GtMat34 local = node->matrix ? gt_mat34_from_columns(node->matrix) : gt_mat34_from_transform(node->local);
        worlds[order[i]] = node->parent == GT_NONE ? local : gt_mat34_mul(worlds[node->parent], local);
    }
    *out = worlds;
    return result;
}
