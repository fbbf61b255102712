// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Objects by id, their connections sorted by both ends, and the hierarchy of models. Everything is found by hash tables
// and counting sorts, so that work is in proportion to the file; ids that are there twice, connections that repeat and
// models that are above themselves are repaired with a warning.

#include "io/fbx/graph.h"

#include "base/fail.h"
#include "base/hash.h"
#include "gertie/scene.h"

static uint32_t table_bits(size_t count)
{
    uint32_t bits = 1;
    while (((uint64_t)1 << bits) < 2 * (uint64_t)count + 2) {
        ++bits;
    }
    return bits;
}

static int32_t* find_id_slot(const GtiFbxGraph* graph, int64_t id)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << graph->id_bits) - 1);
    uint32_t slot = gti_hash_slot(gti_hash_mix(0, (uint64_t)id), graph->id_bits);
    while (graph->id_slots[slot] && graph->objects[graph->id_slots[slot] - 1].id != id) {
        slot = (slot + 1) & mask;
    }
    return &graph->id_slots[slot];
}

int32_t gti_fbx_object_of_id(const GtiFbxGraph* graph, int64_t id)
{
    return *find_id_slot(graph, id) - 1;
}

// "Name\0\1Class" in binary files, "Class::Name" in text.
static GtiSlice name_without_class(const GtiFbxTree* tree, GtiSlice whole)
{
    for (size_t i = 0; i + 1 < whole.length; ++i) {
        if (!tree->is_text && whole.text[i] == '\0' && whole.text[i + 1] == '\1') {
            return (GtiSlice){ whole.text, i };
        }
        if (tree->is_text && whole.text[i] == ':' && whole.text[i + 1] == ':') {
            return (GtiSlice){ whole.text + i + 2, whole.length - i - 2 };
        }
    }
    return whole;
}

// Which template a subtype takes, where a type has several kinds.
static const char* template_name(const GtiFbxObject* object)
{
    static const struct {
        const char *type, *subtype, *name;
    } rows[] = {
        { "NodeAttribute", "LimbNode", "FbxSkeleton" },
        { "NodeAttribute", "Limb", "FbxSkeleton" },
        { "NodeAttribute", "Root", "FbxSkeleton" },
        { "NodeAttribute", "Effector", "FbxSkeleton" },
        { "NodeAttribute", "Null", "FbxNull" },
        { "NodeAttribute", "Camera", "FbxCamera" },
        { "NodeAttribute", "Light", "FbxLight" },
        { "NodeAttribute", "LodGroup", "FbxLODGroup" },
        { "NodeAttribute", "Marker", "FbxMarker" },
        { "Geometry", "Mesh", "FbxMesh" },
        { "Geometry", "Shape", "FbxShape" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (gti_slice_is(object->type, rows[i].type) && gti_slice_is(object->subtype, rows[i].subtype)) {
            return rows[i].name;
        }
    }
    return NULL;
}

enum {
    MAX_TEMPLATES = 256 // in a file; the FBX SDK knows about fifty
};

// The templates of Definitions, found once.
typedef struct FbxTemplates {
    struct {
        GtiSlice type;
        GtiSlice name;
        int32_t properties; // node of its Properties70
    } items[MAX_TEMPLATES];
    int count;
} FbxTemplates;

static void add_templates(const GtiFbxTree* tree, const GtiFbxNode* definition, FbxTemplates* out)
{
    GtiSlice type = { 0 };
    if (!gti_fbx_is(definition, "ObjectType") || !gti_fbx_string(gti_fbx_value(tree, definition, 0), &type)) {
        return;
    }
    for (const GtiFbxNode* child = definition + 1; child < gti_fbx_next(definition) && out->count < MAX_TEMPLATES;
         child = gti_fbx_next(child)) {
        const GtiFbxNode* list = gti_fbx_is(child, "PropertyTemplate") ? gti_fbx_find(child, "Properties70") : NULL;
        GtiSlice name = { "", 0 };
        if (list) {
            gti_fbx_string(gti_fbx_value(tree, child, 0), &name);
            out->items[out->count].type = type;
            out->items[out->count].name = name;
            out->items[out->count++].properties = (int32_t)(list - tree->nodes);
        }
    }
}

static void find_templates(const GtiFbxTree* tree, FbxTemplates* out)
{
    const GtiFbxNode* all = gti_fbx_find(tree->nodes, "Definitions");
    out->count = 0;
    for (const GtiFbxNode* child = all ? all + 1 : NULL; child && child < gti_fbx_next(all);
         child = gti_fbx_next(child)) {
        add_templates(tree, child, out);
    }
}

// The Properties70 of the template that an object takes.
static int32_t default_properties(const FbxTemplates* templates, const GtiFbxObject* object)
{
    const char* wanted = template_name(object);
    for (int i = 0; i < templates->count; ++i) {
        GtiSlice type = templates->items[i].type;
        if (type.length == object->type.length && memcmp(type.text, object->type.text, type.length) == 0 &&
            (!wanted || gti_slice_is(templates->items[i].name, wanted))) {
            return templates->items[i].properties;
        }
    }
    return GT_NONE;
}

static GtiFbxObject read_object(const GtiFbxTree* tree, const GtiFbxNode* node, int64_t id)
{
    GtiFbxObject object = { .id = id,
                            .node = node,
                            .type = { node->name, node->name_length },
                            .name = { "", 0 },
                            .subtype = { "", 0 },
                            .defaults = GT_NONE,
                            .model_parent = GT_NONE };
    const GtiFbxNode* properties = gti_fbx_find(node, "Properties70");
    object.properties = properties ? (int32_t)(properties - tree->nodes) : GT_NONE;
    if (gti_fbx_string(gti_fbx_value(tree, node, 1), &object.name)) {
        object.name = name_without_class(tree, object.name);
    }
    gti_fbx_string(gti_fbx_value(tree, node, 2), &object.subtype);
    return object;
}

static int32_t count_children(const GtiFbxNode* node)
{
    int32_t count = 0;
    for (const GtiFbxNode* child = node ? node + 1 : NULL; child && child < gti_fbx_next(node);
         child = gti_fbx_next(child)) {
        ++count;
    }
    return count;
}

static GtResult read_objects(const GtContext* context, GtiFbxGraph* graph, const char* path, GtError* error)
{
    const GtiFbxTree* tree = graph->tree;
    const GtiFbxNode* all = gti_fbx_find(tree->nodes, "Objects");
    size_t most = (size_t)count_children(all) + 1;
    graph->id_bits = table_bits(most);
    graph->objects = gt_arena_push_array(&graph->arena, most, sizeof *graph->objects);
    graph->id_slots = gt_arena_push_array(&graph->arena, (size_t)1 << graph->id_bits, sizeof *graph->id_slots);
    if (!graph->objects || !graph->id_slots) {
        return gti_out_of_memory(error);
    }
    FbxTemplates templates;
    find_templates(tree, &templates);
    graph->objects[0] = (GtiFbxObject){ .type = { "", 0 },
                                        .name = { "", 0 },
                                        .subtype = { "", 0 },
                                        .properties = GT_NONE,
                                        .defaults = GT_NONE,
                                        .model_parent = GT_NONE };
    graph->object_count = 1;
    *find_id_slot(graph, 0) = 1;
    int32_t repeated = 0;
    for (const GtiFbxNode* node = all ? all + 1 : NULL; node && node < gti_fbx_next(all); node = gti_fbx_next(node)) {
        int64_t id = 0;
        if (!gti_fbx_integer(gti_fbx_value(tree, node, 0), &id)) {
            continue; // not an object
        }
        int32_t* slot = find_id_slot(graph, id);
        if (*slot) {
            ++repeated;
            continue;
        }
        GtiFbxObject* object = &graph->objects[graph->object_count];
        *object = read_object(tree, node, id);
        object->defaults = default_properties(&templates, object);
        *slot = ++graph->object_count;
    }
    return repeated ? gti_repair(context, error, path, "Objects", "%d objects have ids of others: they are left out",
                                 repeated)
                    : GT_OK;
}

static bool same_connection(const GtiFbxConnection* a, const GtiFbxConnection* b)
{
    return a->source == b->source && a->destination == b->destination && a->property.length == b->property.length &&
           memcmp(a->property.text, b->property.text, a->property.length) == 0;
}

// Read a connection; false where it is of a kind that objects do not need, or its ends are not there.
static bool read_connection(const GtiFbxGraph* graph, const GtiFbxNode* node, GtiFbxConnection* out)
{
    GtiSlice kind = { 0 };
    int64_t source = 0, destination = 0;
    *out = (GtiFbxConnection){ .property = { "", 0 } };
    if (!gti_fbx_is(node, "C") || !gti_fbx_string(gti_fbx_value(graph->tree, node, 0), &kind) ||
        !gti_fbx_integer(gti_fbx_value(graph->tree, node, 1), &source) ||
        !gti_fbx_integer(gti_fbx_value(graph->tree, node, 2), &destination)) {
        return false;
    }
    bool to_property = gti_slice_is(kind, "OP");
    if (!to_property && !gti_slice_is(kind, "OO")) {
        return false; // from properties: constraints
    }
    if (to_property) {
        gti_fbx_string(gti_fbx_value(graph->tree, node, 3), &out->property);
    }
    out->source = gti_fbx_object_of_id(graph, source);
    out->destination = gti_fbx_object_of_id(graph, destination);
    return out->source > 0 && out->destination >= 0;
}

// Read all connections in the file's order, each once.
static GtResult read_connections(GtiFbxGraph* graph, GtArena* scratch, GtiFbxConnection** out, GtError* error)
{
    const GtiFbxNode* all = gti_fbx_find(graph->tree->nodes, "Connections");
    size_t most = (size_t)count_children(all);
    uint32_t bits = table_bits(most);
    uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    GtiFbxConnection* connections = gt_arena_push_array(scratch, most, sizeof *connections);
    int32_t* slots = gt_arena_push_array(scratch, (size_t)1 << bits, sizeof *slots);
    if (!connections || !slots) {
        return gti_out_of_memory(error);
    }
    for (const GtiFbxNode* node = all ? all + 1 : NULL; node && node < gti_fbx_next(all); node = gti_fbx_next(node)) {
        GtiFbxConnection* next = &connections[graph->connection_count];
        if (!read_connection(graph, node, next)) {
            continue;
        }
        uint64_t hash = gti_hash(0, next->property.text, next->property.length);
        hash = gti_hash_mix(gti_hash_mix(hash, (uint64_t)next->source), (uint64_t)next->destination);
        uint32_t slot = gti_hash_slot(hash, bits);
        while (slots[slot] && !same_connection(&connections[slots[slot] - 1], next)) {
            slot = (slot + 1) & mask;
        }
        if (!slots[slot]) {
            slots[slot] = ++graph->connection_count;
        }
    }
    *out = connections;
    return GT_OK;
}

// Sort connections by destination, and their numbers by source, both keeping the file's order.
static GtResult sort_connections(GtiFbxGraph* graph, const GtiFbxConnection* unsorted, GtError* error)
{
    size_t count = (size_t)graph->connection_count;
    graph->connections = gt_arena_push_array(&graph->arena, count, sizeof *graph->connections);
    graph->by_source = gt_arena_push_array(&graph->arena, count, sizeof *graph->by_source);
    if (!graph->connections || !graph->by_source) {
        return gti_out_of_memory(error);
    }
    for (size_t i = 0; i < count; ++i) {
        ++graph->objects[unsorted[i].destination].child_count;
        ++graph->objects[unsorted[i].source].parent_count;
    }
    int32_t first_child = 0, first_parent = 0;
    for (int32_t i = 0; i < graph->object_count; ++i) {
        GtiFbxObject* object = &graph->objects[i];
        object->first_child = first_child;
        object->first_parent = first_parent;
        first_child += object->child_count;
        first_parent += object->parent_count;
        object->child_count = 0;
        object->parent_count = 0;
    }
    for (size_t i = 0; i < count; ++i) {
        GtiFbxObject* destination = &graph->objects[unsorted[i].destination];
        GtiFbxObject* source = &graph->objects[unsorted[i].source];
        int32_t sorted = destination->first_child + destination->child_count++;
        graph->connections[sorted] = unsorted[i];
        graph->by_source[source->first_parent + source->parent_count++] = sorted;
    }
    return GT_OK;
}

static bool is_model(const GtiFbxObject* object)
{
    return gti_slice_is(object->type, "Model");
}

// Give each model the first model that it is connected to, or the root.
static void find_parents(GtiFbxGraph* graph)
{
    for (int32_t i = 1; i < graph->object_count; ++i) {
        GtiFbxObject* object = &graph->objects[i];
        if (!is_model(object)) {
            continue;
        }
        object->model_parent = 0;
        for (int32_t k = 0; k < object->parent_count && object->model_parent == 0; ++k) {
            const GtiFbxConnection* connection = &graph->connections[graph->by_source[object->first_parent + k]];
            if (connection->property.length == 0 && is_model(&graph->objects[connection->destination])) {
                object->model_parent = connection->destination;
            }
        }
    }
}

// Hang models that are above themselves below the root. Each walk up ends at what an earlier one has seen.
static GtResult cut_circles(const GtContext* context, GtiFbxGraph* graph, const char* path, GtError* error)
{
    int32_t* walks = gt_arena_push_array(&graph->arena, (size_t)graph->object_count, sizeof *walks);
    if (!walks) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 1; i < graph->object_count; ++i) {
        int32_t last = i;
        for (int32_t at = i; at > 0 && !walks[at]; at = graph->objects[at].model_parent) {
            walks[at] = i;
            last = at;
        }
        GtiFbxObject* object = &graph->objects[last];
        if (object->model_parent > 0 && walks[last] == i && walks[object->model_parent] == i) {
            object->model_parent = 0;
            GtResult result = gti_repair(
                context, error, path, "Connections", "model '%.*s' is above itself: it is hung below the root",
                (int)(object->name.length < 100 ? object->name.length : 100), object->name.text);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    return GT_OK;
}

GtResult gti_fbx_graph_make(const GtContext* context, const GtiFbxTree* tree, const char* path, GtiFbxGraph* out,
                            GtError* error)
{
    *out = (GtiFbxGraph){ .arena = gt_arena_create(context->allocator), .tree = tree };
    GtArena scratch = gt_arena_create(context->allocator);
    GtiFbxConnection* unsorted = NULL;
    GtResult result = gti_fbx_index_properties(out, error);
    if (result == GT_OK) {
        result = gti_fbx_read_settings(context, out, path, error);
    }
    if (result == GT_OK) {
        result = read_objects(context, out, path, error);
    }
    if (result == GT_OK) {
        result = read_connections(out, &scratch, &unsorted, error);
    }
    if (result == GT_OK) {
        result = sort_connections(out, unsorted, error);
    }
    gt_arena_destroy(&scratch);
    if (result == GT_OK) {
        find_parents(out);
        result = cut_circles(context, out, path, error);
    }
    if (result != GT_OK) {
        gti_fbx_graph_release(out);
    }
    return result;
}

void gti_fbx_graph_release(GtiFbxGraph* graph)
{
    gt_arena_destroy(&graph->arena);
    *graph = (GtiFbxGraph){ .arena = graph->arena };
}
