// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The node forest: finding nodes and putting parents before children, without recursion, however deep it is.

#include "gertie/scene.h"

#include "base/fail.h"

#include <string.h>

int32_t gt_scene_find_node(const GtScene* scene, const char* name)
{
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].name && strcmp(scene->nodes[i].name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

// Depth first from each root in index order. The order array doubles as the stack: what is placed fills it from the
// front, what waits from the back; they cannot meet while every node has one parent.
GtResult gt_scene_parent_first(const GtScene* scene, int32_t* order, GtError* error)
{
    int32_t placed = 0;
    int32_t top = scene->node_count;
    for (int32_t root = 0; root < scene->node_count; ++root) {
        if (scene->nodes[root].parent != GT_NONE) {
            continue;
        }
        if (placed == top) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "nodes[%d] is a root, but another node has it as a child",
                            (int)root);
        }
        order[--top] = root;
        while (top < scene->node_count) {
            int32_t i = order[top++];
            order[placed++] = i;
            const GtNode* node = &scene->nodes[i];
            if (node->child_count > top - placed) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "nodes[%d] has a child that another node has too", (int)i);
            }
            for (int32_t c = node->child_count - 1; c >= 0; --c) {
                order[--top] = node->children[c];
            }
        }
    }
    if (placed < scene->node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "nodes form a cycle: %d of %d hang from no root",
                        (int)(scene->node_count - placed), (int)scene->node_count);
    }
    return GT_OK;
}
