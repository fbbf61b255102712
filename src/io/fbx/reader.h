// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An FBX file on its way to a scene. The parts run in this order: models become nodes, materials and geometries become
// meshes, skins are bound, stacks become clips. Lengths are multiplied by the file's unit wherever they are read, so
// that joints and vertices are in metres; the rotation to Y up goes into the roots alone.

#ifndef GERTIE_IO_FBX_READER_H
#define GERTIE_IO_FBX_READER_H

#include "gertie/file.h"
#include "io/fbx/graph.h"
#include "io/fbx/transform.h"

// A Model.
typedef struct GtiFbxModel {
    int32_t object;
    int32_t parent; // model, or GT_NONE
    GtiFbxPivots pivots;
    int32_t node;         // has the model's translation and rotation
    int32_t scaled_node;  // has its scale too: `node`, or a child of it where some children do not take the scale over
    int32_t mesh_node;    // shows its mesh, or GT_NONE
    int32_t geometry;     // of GtiFbxReader.geometries, or GT_NONE
    bool is_bare_skin;    // shows a skinned mesh and is nothing else: no joint, and no parent of one
    bool scale_moves;     // is animated
    bool is_beside_scale; // hangs below its parent's `node` though that has a scaled_node of its own
} GtiFbxModel;

// A shape: points and their displacements.
typedef struct GtiFbxShape {
    const GtiFbxNode* node; // of a Geometry object; before version 7200 of a Shape inside of the mesh's own
    GtiSlice name;
    double full_percent; // where it has its full effect
} GtiFbxShape;

// A channel of blend shapes: one target, or more where it has shapes in between.
typedef struct GtiFbxShapeChannel {
    int32_t object;       // that has the property
    GtiSlice property;    // what says how much of the shapes there is, in percent
    GtiSlice name;        // or empty
    int32_t first_target; // in the mesh
    int32_t target_count;
    GtiFbxShape* shapes;         // [target_count] with growing full_percent
    const float* point_percents; // [point_percent_count] how much of the only shape each of its points gets, or NULL:
                                 // Blender writes vertex groups where others write full weights
    uint32_t point_percent_count;
} GtiFbxShapeChannel;

// A Geometry with all that its vertices need. Those of other kinds than polygon meshes are not listed.
typedef struct GtiFbxGeometry {
    int32_t object;
    uint32_t point_count; // control points
    GtiFbxShapeChannel* channels;
    int32_t channel_count;
    int32_t target_count;
    bool shapes_have_normals;  // any of them
    int32_t skin;              // Deformer object, or GT_NONE
    int32_t* clusters;         // [cluster_count] Deformer objects; influences name them by number
    int32_t* cluster_models;   // [cluster_count] the joint of each
    int32_t cluster_count;     // with a joint, each joint once
    uint32_t* first_influence; // [point_count + 1] into influences
    uint16_t* influence_joints;
    float* influence_weights; // of a point: largest first, sum 1
    bool is_bound;            // every cluster says where the mesh was when it was bound
    bool has_loose_points;    // that no cluster holds: they follow number cluster_count, the mesh's own node
} GtiFbxGeometry;

typedef struct GtiFbxReader {
    const GtContext* context;
    const char* path; // or NULL
    GtError* error;
    GtArena arena;
    GtiFbxTree tree;
    GtiFbxGraph graph;
    GtScene* scene;
    uint64_t decoded; // bytes of arrays that were decoded, again and again where several objects share them
    double metres_per_unit;
    GtiQuat y_from_file; // turns the roots
    int32_t mirror_node; // above all roots of a left-handed file, or GT_NONE
    GtiFbxModel* models; // [model_count] parents first
    int32_t model_count;
    int32_t* model_of_object; // [object_count] or GT_NONE
    GtiFbxGeometry* geometries;
    int32_t geometry_count;
    int32_t* material_of_object; // [object_count] scene material, or GT_NONE
} GtiFbxReader;

// The rest or animated values of a model's properties.
typedef struct GtiFbxPose {
    GtiVec translation;
    GtiVec rotation_deg;
    GtiVec scale;
    GtiVec inherited_scale; // of parents that it hangs beside, which multiplies the scale
    GtiVec parent_scale;    // by which the translation is multiplied
} GtiFbxPose;

// Fill what a pose takes over from parents, whose scales are `scales` [model_count], at rest or at a time. For models
// that are not beside a scale both are 1, and no scale is looked at.
void gti_fbx_inherit(const GtiFbxReader* reader, const GtiFbxModel* model, const GtiVec* scales, GtiFbxPose* pose);

// The local transform of a model: `node` gets translation and rotation, `scaled_node`, often the same, the scale.
GtTransform gti_fbx_place(const GtiFbxReader* reader, const GtiFbxModel* model, const GtiFbxPose* pose);

// Which object is connected to a property of another, of a type; GT_NONE where none is. The first counts.
int32_t gti_fbx_child(const GtiFbxGraph* graph, int32_t object, const char* type, const char* property);

// A name in the scene's memory; NULL when memory ran out.
const char* gti_fbx_push_name(GtiFbxReader* reader, int32_t object, const char* suffix);

// The matrix [12] by rows of a node such as Transform, its translation in metres; false where it is not there or not
// finite. `node` may be NULL.
bool gti_fbx_read_matrix(const GtiFbxReader* reader, const GtiFbxNode* node, double out[12]);

// What a model's geometry is moved by before the model's own transform, in metres; false where it is the identity.
bool gti_fbx_geometric(const GtiFbxReader* reader, int32_t object, GtiFbxTransform* out);

// The same by rows.
void gti_fbx_geometric_matrix(const GtiFbxReader* reader, int32_t object, double out[12]);

// a b, of matrices by rows.
void gti_fbx_multiply(const double a[12], const double b[12], double out[12]);

// The parts, in order. Each fills its fields of the reader.
GtResult gti_fbx_list_models(GtiFbxReader* reader);
GtResult gti_fbx_find_geometries(GtiFbxReader* reader);
GtResult gti_fbx_add_nodes(GtiFbxReader* reader);
GtResult gti_fbx_add_materials(GtiFbxReader* reader);
GtResult gti_fbx_add_meshes(GtiFbxReader* reader);
GtResult gti_fbx_add_clips(GtiFbxReader* reader);

// For gti_fbx_find_geometries(): influences and blend-shape channels of one geometry.
GtResult gti_fbx_read_skin(GtiFbxReader* reader, GtiFbxGeometry* geometry);
GtResult gti_fbx_read_channels(GtiFbxReader* reader, GtiFbxGeometry* geometry);

// Show a mesh at a model's node, or, with a skin, at a root of its own.
GtResult gti_fbx_show_mesh(GtiFbxReader* reader, GtiFbxModel* model, int32_t mesh);

// The scene's skin of a model's mesh.
GtResult gti_fbx_add_skin(GtiFbxReader* reader, const GtiFbxModel* model, int32_t* out);

// The value of a channel's property at rest.
double gti_fbx_channel_percent(const GtiFbxReader* reader, const GtiFbxShapeChannel* channel);

// Weights of a geometry's targets at percents of its channels: piecewise linear through the shapes in between.
void gti_fbx_channel_weights(const GtiFbxShapeChannel* channel, double percent, float* weights);

// Vertices of one primitive and the control points that they come from: chains of vertices by points.
typedef struct GtiFbxVertices {
    uint32_t* points; // [count] control point of each
    uint32_t count;
    uint32_t* last;   // [point_count] the last vertex of a control point, or UINT32_MAX
    uint32_t* before; // [count] the one before it of the same control point, or UINT32_MAX
    bool has_normals;
} GtiFbxVertices;

// Names and weights at rest of a mesh's targets.
GtResult gti_fbx_name_targets(GtiFbxReader* reader, const GtiFbxGeometry* geometry, GtMesh* mesh);

// The displacements of a shape.
typedef struct GtiFbxShapeData GtiFbxShapeData;

// Decode the shapes of a geometry, for a mesh of several primitives.
// @param out  [target_count] in the reader's arena
GtResult gti_fbx_decode_shapes(GtiFbxReader* reader, const GtiFbxGeometry* geometry, const GtiFbxShapeData** out);

// Morph targets of a primitive.
// @param shapes  of gti_fbx_decode_shapes(), or NULL
GtResult gti_fbx_add_targets(GtiFbxReader* reader, const GtiFbxGeometry* geometry, const GtiFbxShapeData* shapes,
                             const GtiFbxVertices* vertices, GtPrimitive* primitive);

#endif
