// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a deformer is: one struct of facts and one function. A method is one file that defines such a struct, and one
// line in the table of deform.c; the facts decide where in a stack it may stand and what the mesh must have for it.

#ifndef GERTIE_RUNTIME_DEFORMER_H
#define GERTIE_RUNTIME_DEFORMER_H

#include "gertie/character.h"
#include "gertie/error.h"

// Space that vertices are in between two deformers.
typedef enum GtiSpace {
    GTI_SPACE_REST,  // as the mesh was modelled
    GTI_SPACE_MODEL, // where the character's roots are
} GtiSpace;

// Channels a deformer reads, as bits; a mesh that has none of them goes without the deformer.
typedef enum GtiReads {
    GTI_READS_WEIGHTS = 1,  // morph weights of the mesh
    GTI_READS_JOINTS = 2,   // joints of the mesh's skin
    GTI_READS_NODE = 4,     // the node that the mesh hangs at
    GTI_READS_SECTIONS = 8, // sections that the mesh hangs on, or that stand free
    GTI_READS_POINTS = 16,  // points of the harmonic skin
} GtiReads;

// Vertex arrays. Normals and tangents are NULL where the mesh has none or the caller wants none.
typedef struct GtiVertexSource {
    const GtVec3* positions;
    const GtVec3* normals;
    const float* tangents; // x, y, z, w
} GtiVertexSource;

typedef struct GtiVertexTarget {
    GtVec3* positions;
    GtVec3* normals;
    float* tangents;
} GtiVertexTarget;

// What a limb around a joint is about, as the mesh was modelled: a segment from the joint to the mean of those that
// hang at it. Where none does, it goes on as it came from the joint above; where there is none above either, it is a
// point.
typedef struct GtiSkinBone {
    GtVec3 origin;
    GtVec3 axis;
    int32_t child_count; // joints that hang at its joint
} GtiSkinBone;

// Where texture coordinates and colours go; each may be NULL.
typedef struct GtiLooksTarget {
    float* texcoords;
    float* texcoords1;
    float* colors;
} GtiLooksTarget;

// Which of them the morphs of a mesh change: GtLooks.
unsigned gti_morph_looks_of(const GtMeshDef* mesh);

// Make them. `looks` are those that morphs change; `weights` [morph_count], or NULL where there are none.
void gti_morph_looks_apply(const GtMeshDef* mesh, unsigned looks, const float* weights, const GtiLooksTarget* target);

struct GtiMeshSections;
struct GtiDeformer;

// One deformer's work on one mesh.
typedef struct GtiDeformStep {
    const GtCharacterDef* character;
    const GtMeshDef* mesh;
    const GtMat34* model_from_node;         // [node_count]
    const float* weights;                   // [morph_count of the mesh]
    const float* section_values;            // of the character, or NULL for those at rest
    const int32_t* first_values;            // [section_count] of each in section_values
    const struct GtiMeshSections* sections; // of the mesh, or NULL where it hangs on none
    const GtiSkinBone* bones;               // [joint_count of the mesh's skin], or NULL where it has none
    const GtMat34* model_from_point;        // of gt_harmonic_skin_pose(), or NULL where the character has none
    const int32_t* points;                  // [vertex_count] of the mesh: which of these each vertex is at, or NULL too
    const struct GtiDeformer* mover;        // the one that took the mesh to model space, for those after it,
    const void* mover_scratch;              // its scratch as it left it,
    GtiVertexSource rest;                   // and what went into it;
    bool mover_waits;                       // it has only begun, and the one after it is to run it
    GtiVertexSource in;                     // the same arrays as `out`, except in the first step
    GtiVertexTarget out;                    // has normals exactly when `in` has; likewise tangents
    void* scratch;                          // [scratch_size()] aligned to 16, undefined
} GtiDeformStep;

typedef struct GtiDeformer {
    const char* name;
    GtDeformerKind kind;      // and
    GtSkinMethod skin_method; // by which deformer data ask for it; see gti_rigid
    GtiSpace input;
    GtiSpace output;
    unsigned reads;    // GtiReads
    bool unit_normals; // normals and tangents come out with unit length, as they must at the end of a stack
    size_t (*scratch_size)(const GtCharacterDef* character, const GtMeshDef* mesh); // or NULL for none
    // Vertex i is read before it is written and nothing else depends on it, so that `in` and `out` may be the same.
    // Where they differ, `apply` copies what it does not change.
    void (*apply)(const GtiDeformStep* step);
    // Whether `apply` would change anything in this frame, or NULL for always. It is asked in rest space only, because
    // sections are faster on a mesh that is as it was modelled.
    bool (*changes)(const GtiDeformStep* step);
    // For those that go to model space: derivatives of `apply` at some vertices, with weights held, once it has run;
    // column 3 is undefined, but for those that have `begin`: it is where they take 0. `step` is that of a deformer
    // after it.
    void (*slopes)(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out);
    // Likewise, for those that move each vertex by a matrix and whose work can be left to sections: `begin`, then `run`
    // on all vertices, is `apply`. `run` goes from `rest` to `out` with the scratch of the mover.
    void (*begin)(const GtiDeformStep* step);
    void (*run)(const GtiDeformStep* step, int32_t first, int32_t end);
} GtiDeformer;

extern const GtiDeformer gti_morph;
extern const GtiDeformer gti_skin_linear;
extern const GtiDeformer gti_skin_dual_quat;
extern const GtiDeformer gti_skin_bulge_free;
extern const GtiDeformer gti_skin_harmonic;
extern const GtiDeformer gti_sections;
extern const GtiDeformer gti_rigid; // what moves a mesh that has no skin; never asked for by data

enum {
    GTI_MAX_STACK = 8
};

// The deformers of one mesh, in order.
typedef struct GtiStack {
    const GtiDeformer* steps[GTI_MAX_STACK];
    int32_t count;
    unsigned looks;       // GtLooks that morphs change
    int32_t first_vertex; // of the mesh, among those of all meshes
    size_t scratch_size;
    // Sections work on what the skin left: their scratch begins after it. Then come the vertices in rest space, where
    // deformers before the skin change them.
    size_t section_scratch;
    size_t rest_scratch;
} GtiStack;

// Find the deformers of a mesh whose arrays have been checked, and check their order.
// `where` names the mesh in errors.
GtResult gti_stack_create(const GtCharacterDef* character, const GtMeshDef* mesh, const char* where, GtiStack* out,
                          GtError* error);

// Find the scratch sizes of a stack from its steps.
void gti_stack_find_scratch(const GtCharacterDef* character, const GtMeshDef* mesh, GtiStack* stack);

// Whether a mesh needs the points of the harmonic skin.
bool gti_follows_points(const GtiStack* stack);

#endif
