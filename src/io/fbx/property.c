// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Properties70: one hash table over all properties of a file, with the list and the name as key, so that an object with
// a million properties, or a million objects with one template, cost no more than their size. Also the settings of the
// whole file, which are properties of GlobalSettings.

#include "base/fail.h"
#include "base/hash.h"
#include "gertie/scene.h"
#include "io/fbx/graph.h"

enum {
    FIRST_VALUE = 4 // after name, type, label and flags
};

static uint64_t hash_property(int32_t list, GtiSlice name)
{
    return gti_hash_mix(gti_hash(0, name.text, name.length), (uint64_t)(uint32_t)list);
}

static bool name_of_property(const GtiFbxTree* tree, const GtiFbxNode* node, GtiSlice* out)
{
    return gti_fbx_is(node, "P") && gti_fbx_string(gti_fbx_value(tree, node, 0), out);
}

// The slot of a property: its node, or 0 where there is none. The list that it is in holds its place in the tree.
static int32_t* find_slot(const GtiFbxGraph* graph, int32_t list, GtiSlice name)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << graph->property_bits) - 1);
    uint32_t slot = gti_hash_slot(hash_property(list, name), graph->property_bits);
    for (;; slot = (slot + 1) & mask) {
        int32_t* entry = &graph->property_slots[slot];
        GtiSlice other = { 0 };
        if (!*entry) {
            return entry;
        }
        name_of_property(graph->tree, &graph->tree->nodes[*entry], &other);
        bool is_in_list = *entry > list && *entry - list < graph->tree->nodes[list].size;
        if (is_in_list && other.length == name.length && memcmp(other.text, name.text, name.length) == 0) {
            return entry;
        }
    }
}

GtResult gti_fbx_index_properties(GtiFbxGraph* graph, GtError* error)
{
    const GtiFbxTree* tree = graph->tree;
    size_t count = 0;
    for (int32_t i = 0; i < tree->node_count; ++i) {
        count += gti_fbx_is(&tree->nodes[i], "P");
    }
    graph->property_bits = 1;
    while (((uint64_t)1 << graph->property_bits) < 2 * count + 2) {
        ++graph->property_bits;
    }
    graph->property_slots =
        gt_arena_push_array(&graph->arena, (size_t)1 << graph->property_bits, sizeof *graph->property_slots);
    if (!graph->property_slots) {
        return gti_out_of_memory(error);
    }
    for (int32_t list = 0; list < tree->node_count; ++list) {
        const GtiFbxNode* node = &tree->nodes[list];
        GtiSlice name = { 0 };
        if (!gti_fbx_is(node, "Properties70")) {
            continue;
        }
        for (const GtiFbxNode* p = node + 1; p < gti_fbx_next(node); p = gti_fbx_next(p)) {
            if (name_of_property(tree, p, &name)) {
                *find_slot(graph, list, name) = (int32_t)(p - tree->nodes);
            }
        }
    }
    return GT_OK;
}

static const GtiFbxNode* find_property(const GtiFbxGraph* graph, int32_t list, GtiSlice name)
{
    if (list == GT_NONE) {
        return NULL;
    }
    int32_t node = *find_slot(graph, list, name);
    return node ? &graph->tree->nodes[node] : NULL;
}

static const GtiFbxNode* property_of(const GtiFbxGraph* graph, int32_t object, GtiSlice name)
{
    const GtiFbxNode* own = find_property(graph, graph->objects[object].properties, name);
    return own ? own : find_property(graph, graph->objects[object].defaults, name);
}

const GtiFbxNode* gti_fbx_property(const GtiFbxGraph* graph, int32_t object, const char* name)
{
    return property_of(graph, object, gti_slice(name));
}

double gti_fbx_property_number(const GtiFbxGraph* graph, int32_t object, const char* name, double otherwise)
{
    return gti_fbx_property_number_of(graph, object, gti_slice(name), otherwise);
}

double gti_fbx_property_number_of(const GtiFbxGraph* graph, int32_t object, GtiSlice name, double otherwise)
{
    const GtiFbxNode* property = property_of(graph, object, name);
    if (property) {
        gti_fbx_number(gti_fbx_value(graph->tree, property, FIRST_VALUE), &otherwise);
    }
    return otherwise;
}

int64_t gti_fbx_property_integer(const GtiFbxGraph* graph, int32_t object, const char* name, int64_t otherwise)
{
    const GtiFbxNode* property = gti_fbx_property(graph, object, name);
    if (property) {
        gti_fbx_integer(gti_fbx_value(graph->tree, property, FIRST_VALUE), &otherwise);
    }
    return otherwise;
}

bool gti_fbx_property_vector(const GtiFbxGraph* graph, int32_t object, const char* name, double out[3])
{
    const GtiFbxNode* property = gti_fbx_property(graph, object, name);
    double read[3];
    for (int i = 0; i < 3; ++i) {
        if (!property || !gti_fbx_number(gti_fbx_value(graph->tree, property, FIRST_VALUE + i), &read[i])) {
            return false;
        }
    }
    memcpy(out, read, sizeof read);
    return true;
}

bool gti_fbx_property_string(const GtiFbxGraph* graph, int32_t object, const char* name, GtiSlice* out)
{
    const GtiFbxNode* property = gti_fbx_property(graph, object, name);
    return property && gti_fbx_string(gti_fbx_value(graph->tree, property, FIRST_VALUE), out);
}

bool gti_fbx_is_user_property(const GtiFbxTree* tree, const GtiFbxNode* property)
{
    GtiSlice flags = { 0 };
    return gti_fbx_is(property, "P") && gti_fbx_string(gti_fbx_value(tree, property, 3), &flags) && flags.length &&
           memchr(flags.text, 'U', flags.length);
}

// A setting, whether GlobalSettings is there or not.
static double setting(const GtiFbxGraph* graph, int32_t list, const char* name, double otherwise)
{
    const GtiFbxNode* property = find_property(graph, list, gti_slice(name));
    if (property) {
        gti_fbx_number(gti_fbx_value(graph->tree, property, FIRST_VALUE), &otherwise);
    }
    return otherwise;
}

static double frame_rate_of_mode(double mode, double custom_hz)
{
    static const double rates_hz[19] = { 30.0,
                                         120.0,
                                         100.0,
                                         60.0,
                                         50.0,
                                         48.0,
                                         30.0,
                                         30.0, // drop-frame counting
                                         30000.0 / 1001.0,
                                         30000.0 / 1001.0,
                                         25.0,
                                         24.0,
                                         1000.0,
                                         24000.0 / 1001.0,
                                         0.0, // custom
                                         96.0,
                                         72.0,
                                         60000.0 / 1001.0,
                                         120000.0 / 1001.0 };
    double rate_hz = mode >= 0.0 && mode < 19.0 ? rates_hz[(int)mode] : 30.0;
    rate_hz = rate_hz > 0.0 ? rate_hz : custom_hz;
    return rate_hz > 0.0 && rate_hz <= 1e6 ? rate_hz : 30.0;
}

// Whether the axes are X, Y and Z in some order, along or against them.
static bool are_axes(const double axes[3], const double signs[3])
{
    unsigned seen = 0;
    for (int i = 0; i < 3; ++i) {
        if (!(axes[i] == 0.0 || axes[i] == 1.0 || axes[i] == 2.0) || !(signs[i] == 1.0 || signs[i] == -1.0)) {
            return false;
        }
        seen |= 1u << (int)axes[i];
    }
    return seen == 7;
}

GtResult gti_fbx_read_settings(const GtContext* context, GtiFbxGraph* graph, const char* path, GtError* error)
{
    const GtiFbxTree* tree = graph->tree;
    const GtiFbxNode* node = gti_fbx_find(gti_fbx_find(tree->nodes, "GlobalSettings"), "Properties70");
    int32_t list = node ? (int32_t)(node - tree->nodes) : GT_NONE;
    double axes[3] = { setting(graph, list, "UpAxis", 1.0), setting(graph, list, "FrontAxis", 2.0),
                       setting(graph, list, "CoordAxis", 0.0) };
    double signs[3] = { setting(graph, list, "UpAxisSign", 1.0), setting(graph, list, "FrontAxisSign", 1.0),
                        setting(graph, list, "CoordAxisSign", 1.0) };
    double unit_cm = setting(graph, list, "UnitScaleFactor", 1.0);
    GtResult result = GT_OK;
    graph->settings = (GtiFbxSettings){ 1, 1, 2, 1, 0, 1, 1.0, 30.0 };
    GtiFbxSettings* settings = &graph->settings;
    if (are_axes(axes, signs)) {
        *settings = (GtiFbxSettings){ .up_axis = (int32_t)axes[0],
                                      .up_sign = (int32_t)signs[0],
                                      .front_axis = (int32_t)axes[1],
                                      .front_sign = (int32_t)signs[1],
                                      .coord_axis = (int32_t)axes[2],
                                      .coord_sign = (int32_t)signs[2],
                                      .unit_cm = 1.0 };
    } else {
        result = gti_repair(context, error, path, "GlobalSettings",
                            "the axes (up %g, front %g, right %g) are not X, Y and Z; Y up is assumed", axes[0],
                            axes[1], axes[2]);
    }
    if (result == GT_OK && !(unit_cm >= 1e-9 && unit_cm <= 1e9)) {
        result = gti_repair(context, error, path, "GlobalSettings",
                            "the unit is %g centimetres long; 1 centimetre is assumed", unit_cm);
        unit_cm = 1.0;
    }
    settings->unit_cm = unit_cm;
    settings->frame_rate_hz =
        frame_rate_of_mode(setting(graph, list, "TimeMode", 0.0), setting(graph, list, "CustomFrameRate", 0.0));
    return result;
}
