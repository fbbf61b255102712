// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene as a binary FBX file of version 7.4, in centimetres and Y up; docs/formats/fbx.md says what becomes of what.
// The parts of the writer share GtiFbxWriter: models are planned first, then every part appends its objects to one
// growing file, and connections are collected for its end.

#ifndef GERTIE_IO_FBX_WRITE_H
#define GERTIE_IO_FBX_WRITE_H

#include "base/quat_double.h"
#include "build/decode.h"
#include "gertie/file.h"
#include "io/fbx/write_node.h"

#define GTI_FBX_TICKS_PER_S 46186158000.0
#define GTI_FBX_CM_PER_M    100.0

GtResult gti_fbx_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);

// Kinds of objects, in the order in which Definitions lists them.
typedef enum GtiFbxKind {
    GTI_FBX_MODEL,
    GTI_FBX_NODE_ATTRIBUTE,
    GTI_FBX_GEOMETRY,
    GTI_FBX_MATERIAL,
    GTI_FBX_TEXTURE,
    GTI_FBX_VIDEO,
    GTI_FBX_DEFORMER,
    GTI_FBX_POSE,
    GTI_FBX_STACK,
    GTI_FBX_LAYER,
    GTI_FBX_CURVE_NODE,
    GTI_FBX_CURVE,
    GTI_FBX_KIND_COUNT
} GtiFbxKind;

// A transform as three rows of four, lengths in metres.
typedef struct GtiFbxMatrix {
    double m[3][4];
} GtiFbxMatrix;

// A Model to be written. The first ones are the nodes of the scene; then come those that FBX needs besides.
typedef struct GtiFbxOutModel {
    const char* name; // unique
    int32_t parent;   // model, or GT_NONE
    int32_t mesh;     // that it shows, or GT_NONE
    int32_t skin;     // or GT_NONE
    int32_t shown_by; // of a node with a mesh: the model that shows it, or GT_NONE
    int32_t node;     // whose mesh, weights and deformers it shows, or GT_NONE
    bool is_joint;
    bool is_left_out; // a node whose mesh is shown by another model, and which has no other use
    GtTransform local;
    GtiFbxMatrix world_from_model; // at rest
    int64_t first_channel;         // id of its first blend-shape channel; others follow it
} GtiFbxOutModel;

// "OO", or "OP" where there is a property.
typedef struct GtiFbxOutLink {
    int64_t source, destination;
    const char* property; // or NULL
} GtiFbxOutLink;

typedef struct GtiFbxWriter {
    const GtContext* context;
    const GtScene* scene;
    const GtSaveDef* def;
    GtError* error;
    GtArena arena;
    GtiDecoder decoder;
    GtiFbxOut out;
    GtiBytes links;                          // of GtiFbxOutLink
    int64_t next_id;                         // of objects that are no models
    int32_t kind_counts[GTI_FBX_KIND_COUNT]; // objects written so far
    size_t count_places[GTI_FBX_KIND_COUNT]; // bytes of their numbers in Definitions; 0 where it does not list them
    size_t total_place;                      // and of their sum
    GtiFbxOutModel* models;
    int32_t model_count;
    int32_t model_capacity;
    int64_t* materials;      // [material_count + 1] ids; the last is for primitives without a material, or 0
    const char** clip_names; // [animation_count]
    double frame_rate_hz;    // of the file
    double start_s, end_s;   // of all clips
} GtiFbxWriter;

// Plan the models: which nodes are joints, which meshes need a model of their own, and unique names.
GtResult gti_fbx_plan_models(GtiFbxWriter* writer);

// Parts of the file. They append to writer->out, which remembers where memory ran out.
void gti_fbx_write_head(GtiFbxWriter* writer);
void gti_fbx_write_definitions(GtiFbxWriter* writer);
void gti_fbx_write_models(GtiFbxWriter* writer);
GtResult gti_fbx_write_materials(GtiFbxWriter* writer);
GtResult gti_fbx_write_meshes(GtiFbxWriter* writer);
GtResult gti_fbx_write_clips(GtiFbxWriter* writer);

// The frame rate and the span of one clip; a rate of 0 where its keys lie on no even frames.
void gti_fbx_clip_times(GtiFbxWriter* writer, const GtAnimation* animation, double* rate_hz, double span_s[2]);

// A time in ticks; one that lies on a frame to within rounding is put there.
int64_t gti_fbx_ticks(double time_s, double rate_hz);

// Begin an object and count it; gti_fbx_end() ends it.
void gti_fbx_begin_object(GtiFbxWriter* writer, GtiFbxKind kind, int64_t id, const char* name, const char* subtype);
int64_t gti_fbx_new_id(GtiFbxWriter* writer);
void gti_fbx_link(GtiFbxWriter* writer, int64_t source, int64_t destination, const char* property);

static inline int64_t gti_fbx_model_id(int32_t model)
{
    return 100000 + (int64_t)model;
}

// Three joined names in the arena, without control characters; an empty name becomes `otherwise`. NULL when memory ran
// out.
char* gti_fbx_out_name(GtiFbxWriter* writer, const char* name, const char* suffix, const char* otherwise);

// Matrices. The inverse of a singular matrix is the identity, and false is returned.
GtiFbxMatrix gti_fbx_matrix_of(const GtTransform* transform);
GtiFbxMatrix gti_fbx_matrix_mul(const GtiFbxMatrix* a, const GtiFbxMatrix* b);
bool gti_fbx_matrix_inverse(const GtiFbxMatrix* a, GtiFbxMatrix* out);

// A node with a matrix of 16 doubles, as FBX has them: columns one after the other, in centimetres.
void gti_fbx_matrix_node(GtiFbxOut* out, const char* name, const GtiFbxMatrix* matrix);

// inverse_bind of a joint of a skin.
GtiFbxMatrix gti_fbx_inverse_bind(const GtScene* scene, const GtSkin* skin, int32_t joint);

// Euler angles in degrees, X first, of a unit quaternion: of all that give the same rotation, those nearest to `near`.
GtiVec gti_fbx_euler_near(GtiQuat q, GtiVec near);

#endif
