// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// FBX: whatever parses must be a well-formed tree, its arrays must decode or be refused, and its graph must have ends
// that are there and models without circles.

#include "io/fbx/graph.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "fbx_fuzz: line %d: %s does not hold\n", __LINE__, #condition);                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Children fill their parent's subtree, and values lie in the order of nodes.
static void check_tree(const GtiFbxTree* tree)
{
    CHECK(tree->nodes[0].size == tree->node_count);
    for (int32_t i = 0; i < tree->node_count; ++i) {
        const GtiFbxNode* node = &tree->nodes[i];
        const GtiFbxNode* child = node + 1;
        CHECK(node->size >= 1 && node->size <= tree->node_count - i);
        CHECK(node->first_value + node->value_count <= tree->value_count);
        while (child < gti_fbx_next(node)) {
            child = gti_fbx_next(child);
        }
        CHECK(child == gti_fbx_next(node));
    }
}

static void decode_arrays(const GtiFbxTree* tree)
{
    uint64_t left = 64 << 20; // what is enough to find faults in one input
    for (int32_t i = 0; i < tree->node_count; ++i) {
        uint32_t count = gti_fbx_array_count(tree, &tree->nodes[i]);
        if (count > left / 8) {
            continue;
        }
        left -= 8 * (uint64_t)count;
        for (const char* type = "ilfd"; *type; ++type) {
            size_t size = (*type == 'i' || *type == 'f' ? 4 : 8) * (size_t)count;
            void* out = malloc(size + !size); // exact, so that the address sanitizer sees one element too many
            GtError error = { 0 };
            CHECK(out);
            GtResult result = gti_fbx_decode(tree, &tree->nodes[i], *type, out, &error);
            CHECK(result == GT_OK || error.message[0]);
            free(out);
        }
    }
}

static void check_graph(const GtiFbxGraph* graph)
{
    int32_t child_count = 0;
    int32_t parent_count = 0;
    for (int32_t i = 0; i < graph->object_count; ++i) {
        const GtiFbxObject* object = &graph->objects[i];
        int32_t steps = 0;
        double vector[3];
        CHECK(gti_fbx_object_of_id(graph, object->id) == i);
        CHECK(object->first_child == child_count && object->first_parent == parent_count);
        for (int32_t k = 0; k < object->child_count; ++k) {
            CHECK(graph->connections[child_count + k].destination == i);
        }
        for (int32_t k = 0; k < object->parent_count; ++k) {
            CHECK(graph->connections[graph->by_source[parent_count + k]].source == i);
        }
        child_count += object->child_count;
        parent_count += object->parent_count;
        for (int32_t at = i; at > 0 && steps < 1000; at = graph->objects[at].model_parent) {
            CHECK(++steps <= graph->object_count);
        }
        (void)gti_fbx_property_vector(graph, i, "Lcl Translation", vector);
        (void)gti_fbx_property_integer(graph, i, "RotationOrder", 0);
    }
    CHECK(child_count == graph->connection_count && parent_count == graph->connection_count);
    CHECK(graph->settings.unit_cm > 0.0 && graph->settings.frame_rate_hz > 0.0);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiFbxTree tree;
    if (gti_fbx_parse(&context, data, size, &tree, &error) != GT_OK) {
        CHECK(error.message[0] && !tree.nodes);
        return 0;
    }
    check_tree(&tree);
    decode_arrays(&tree);
    GtiFbxGraph graph;
    CHECK(gti_fbx_graph_make(&context, &tree, NULL, &graph, &error) == GT_OK);
    check_graph(&graph);
    gti_fbx_graph_release(&graph);
    gti_fbx_tree_release(&tree);
    return 0;
}
