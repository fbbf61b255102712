// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// glTF 2.0, section 3.7.3.2: the joints of a skin have a common root. Other formats let them stand in trees of their
// own; such trees get one node above them, which moves nothing.

#include "base/fail.h"
#include "base/union_find.h"
#include "io/gltf/writer.h"

#include <string.h>

typedef struct CommonRoots {
    GtScene* scene;
    int32_t* trees;  // [node_count] sets of nodes that hang together
    int32_t* groups; // [node_count] sets of trees that share a skin
    int32_t* above;  // [node_count] of a group, by its number: the node above its trees, or GT_NONE
    int32_t* placed; // [node_count of the scene] the last stage that has an added node, or GT_NONE
} CommonRoots;

static void find_groups(CommonRoots* r)
{
    const GtScene* scene = r->scene;
    gti_sets_start(r->trees, scene->node_count);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (scene->nodes[n].parent != GT_NONE) {
            gti_sets_join(r->trees, n, scene->nodes[n].parent);
        }
    }
    memcpy(r->groups, r->trees, (size_t)scene->node_count * sizeof *r->groups);
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        const GtSkin* skin = &scene->skins[s];
        for (int32_t j = 1; j < skin->joint_count; ++j) {
            gti_sets_join(r->groups, skin->joints[0], skin->joints[j]);
        }
    }
}

// Hang the trees of groups on the nodes that were added above them.
static GtResult hang_trees(CommonRoots* r, int32_t node_count, GtError* error)
{
    GtNode* nodes = r->scene->nodes;
    int32_t count = 0;
    for (int32_t n = 0; n < node_count; ++n) {
        int32_t above = nodes[n].parent == GT_NONE ? r->above[gti_sets_root(r->groups, n)] : GT_NONE;
        if (above != GT_NONE) {
            nodes[above].child_count += 1;
            ++count;
        }
    }
    int32_t* children = gt_scene_push(r->scene, (size_t)count, sizeof *children);
    if (!children) {
        return gti_out_of_memory(error);
    }
    int32_t first = 0;
    for (int32_t above = node_count; above < r->scene->node_count; ++above) {
        nodes[above].children = children + first;
        first += nodes[above].child_count;
        nodes[above].child_count = 0;
    }
    for (int32_t n = 0; n < node_count; ++n) {
        int32_t above = nodes[n].parent == GT_NONE ? r->above[gti_sets_root(r->groups, n)] : GT_NONE;
        if (above != GT_NONE) {
            children[nodes[above].children - children + nodes[above].child_count++] = n;
            nodes[n].parent = above;
        }
    }
    return GT_OK;
}

// A node above every group of more than one tree; *count receives how many there are.
static GtResult add_nodes(CommonRoots* r, int32_t node_count, int32_t* count, GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t n = 0; n < node_count && result == GT_OK; ++n) {
        int32_t group = gti_sets_root(r->groups, n);
        bool is_another_tree = gti_sets_root(r->trees, n) == n && group != n;
        if (is_another_tree && r->above[group] == GT_NONE) {
            GtNode node = gt_default_node();
            node.name = "common_root";
            result = gt_scene_add_node(r->scene, &node, &r->above[group], error);
            ++*count;
        }
    }
    return result == GT_OK && *count > 0 ? hang_trees(r, node_count, error) : result;
}

// A stage with the added nodes in place of what hangs on them now.
static GtResult update_stage(CommonRoots* r, int32_t index, GtError* error)
{
    GtStage* stage = &r->scene->stages[index];
    int32_t* nodes = gt_scene_push(r->scene, (size_t)stage->node_count, sizeof *nodes);
    int32_t count = 0;
    if (!nodes && stage->node_count) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < stage->node_count; ++i) {
        int32_t node = stage->nodes[i];
        int32_t above = r->scene->nodes[node].parent;
        if (above == GT_NONE) {
            nodes[count++] = node;
        } else if (r->placed[above] != index) {
            r->placed[above] = index;
            nodes[count++] = above;
        }
    }
    stage->nodes = nodes;
    stage->node_count = count;
    return GT_OK;
}

GtResult gti_gltf_add_common_roots(GtiGltfWriter* writer)
{
    GtScene* scene = writer->scene;
    size_t node_count = (size_t)scene->node_count;
    CommonRoots r = { .scene = scene };
    r.trees = gt_arena_push_array(writer->scratch, node_count, sizeof *r.trees);
    r.groups = gt_arena_push_array(writer->scratch, node_count, sizeof *r.groups);
    r.above = gt_arena_push_array(writer->scratch, node_count, sizeof *r.above);
    if (!r.trees || !r.groups || !r.above) {
        return gti_out_of_memory(writer->error);
    }
    memset(r.above, 0xFF, node_count * sizeof *r.above); // GT_NONE
    find_groups(&r);
    int32_t added = 0;
    GtResult result = add_nodes(&r, (int32_t)node_count, &added, writer->error);
    if (result == GT_OK && added > 0) {
        r.placed = gt_arena_push_array(writer->scratch, (size_t)scene->node_count, sizeof *r.placed);
        result = r.placed ? GT_OK : gti_out_of_memory(writer->error);
    }
    for (int32_t i = 0; i < scene->node_count && r.placed; ++i) {
        r.placed[i] = GT_NONE;
    }
    for (int32_t s = 0; s < scene->stage_count && r.placed && result == GT_OK; ++s) {
        result = update_stage(&r, s, writer->error);
    }
    if (result == GT_OK && added > 0) {
        gti_note(writer->context, scene->source.file, NULL,
                 "joints of one skin stand in trees of their own, which glTF does not allow: a node 'common_root' is "
                 "put above them");
    }
    return result;
}
