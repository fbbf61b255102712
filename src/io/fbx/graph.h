// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The objects of an FBX file, how they are connected, and their properties with the defaults of their templates. It
// refers to the tree, which must live as long. Connections to objects that are not there and repeated ones are left
// out; whoever follows connections must still expect circles, except by GtiFbxObject.model_parent.

#ifndef GERTIE_IO_FBX_GRAPH_H
#define GERTIE_IO_FBX_GRAPH_H

#include "io/fbx/tree.h"

// A child of Objects, such as a Model or a Geometry.
typedef struct GtiFbxObject {
    int64_t id;
    const GtiFbxNode* node; // NULL for the root
    GtiSlice type;          // "Model", "Geometry", "Deformer", ...
    GtiSlice name;          // without its class
    GtiSlice subtype;       // "Mesh", "LimbNode", "Skin", ...
    int32_t properties;     // node of its Properties70, or GT_NONE
    int32_t defaults;       // node of its template's Properties70, or GT_NONE
    int32_t model_parent;   // of a Model: the object above it, 0 where there is none; never a circle. Else GT_NONE
    int32_t first_child;    // GtiFbxGraph.connections[] to this object from what belongs to it, in the file's order
    int32_t child_count;
    int32_t first_parent; // GtiFbxGraph.by_source[]: the connections from this object, in the file's order
    int32_t parent_count;
} GtiFbxObject;

// "OO" and "OP": the source belongs to the destination, or drives a property of it.
typedef struct GtiFbxConnection {
    int32_t source;
    int32_t destination;
    GtiSlice property; // of the destination; empty for whole objects
} GtiFbxConnection;

// What GlobalSettings says of the whole file, with the FBX SDK's defaults for what is missing. Axes are 0 to 2 for X to
// Z, all different; signs are 1 and -1.
typedef struct GtiFbxSettings {
    int32_t up_axis, up_sign;
    int32_t front_axis, front_sign; // towards the viewer
    int32_t coord_axis, coord_sign; // to the right
    double unit_cm;                 // length of one unit
    double frame_rate_hz;
} GtiFbxSettings;

typedef struct GtiFbxGraph {
    GtArena arena;
    const GtiFbxTree* tree;
    GtiFbxSettings settings;
    GtiFbxObject* objects; // objects[0] is the scene's root, with id 0
    int32_t object_count;
    GtiFbxConnection* connections; // by destination
    int32_t* by_source;            // [connection_count] numbers of connections
    int32_t connection_count;
    int32_t* id_slots; // [1 << id_bits] object + 1, or 0
    uint32_t id_bits;
    int32_t* property_slots; // [1 << property_bits] node of a P, or 0
    uint32_t property_bits;
} GtiFbxGraph;

// Find the objects, connections and settings of a tree. On failure nothing is left to release.
// @param path  for messages, or NULL
// @param out   free with gti_fbx_graph_release()
GtResult gti_fbx_graph_make(const GtContext* context, const GtiFbxTree* tree, const char* path, GtiFbxGraph* out,
                            GtError* error);
void gti_fbx_graph_release(GtiFbxGraph* graph);

// The object with an id, or GT_NONE.
int32_t gti_fbx_object_of_id(const GtiFbxGraph* graph, int64_t id);

// A property of an object, else of its template, as its node P: name, type, label, flags, values; NULL where both lack
// it. Of a property that is there twice the last counts.
const GtiFbxNode* gti_fbx_property(const GtiFbxGraph* graph, int32_t object, const char* name);

// The values of a property; `otherwise` or false, with `out` untouched, where there is none of this kind.
double gti_fbx_property_number(const GtiFbxGraph* graph, int32_t object, const char* name, double otherwise);
double gti_fbx_property_number_of(const GtiFbxGraph* graph, int32_t object, GtiSlice name, double otherwise);
int64_t gti_fbx_property_integer(const GtiFbxGraph* graph, int32_t object, const char* name, int64_t otherwise);
bool gti_fbx_property_vector(const GtiFbxGraph* graph, int32_t object, const char* name, double out[3]);
bool gti_fbx_property_string(const GtiFbxGraph* graph, int32_t object, const char* name, GtiSlice* out);

// Whether a P is one that a user added: U among its flags.
bool gti_fbx_is_user_property(const GtiFbxTree* tree, const GtiFbxNode* property);

// For gti_fbx_graph_make(): fill property_slots, then the settings.
GtResult gti_fbx_index_properties(GtiFbxGraph* graph, GtError* error);
GtResult gti_fbx_read_settings(const GtContext* context, GtiFbxGraph* graph, const char* path, GtError* error);

#endif
