// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: characters.
///
/// A character ready to play: node forest, skins, meshes and their deformer stacks. Immutable, one block of memory.
/// Make one from a scene with gt_character_build() (gertie/build.h), or from plain arrays with gt_character_create().
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_CHARACTER_H
#define GERTIE_CHARACTER_H

#include "gertie/deformer.h"
#include "gertie/error.h"
#include "gertie/harmonic_skin.h"
#include "gertie/humanoid.h"
#include "gertie/memory.h"
#include "gertie/section.h"
#include "gertie/transform.h"

GT_EXTERN_C_BEGIN

/// Most influences a vertex can have.
#define GT_MAX_INFLUENCES 16

/// Nodes, skins and meshes. Immutable after creation, so any thread may read it.
typedef struct GtCharacter GtCharacter;

/// Displacements of one morph target; entries not listed do not change. Those of an attribute that the mesh has not are
/// not looked at. Start from gt_default_morph_def().
typedef struct GtMorphDef {
    const char* name; ///< or NULL
    int32_t entry_count;
    const uint32_t* vertices; ///< [entry_count] increasing
    const GtVec3* positions;  ///< [entry_count], or NULL where no vertex moves
    const GtVec3* normals;    ///< [entry_count], or NULL
    const GtVec3* tangents;   ///< [entry_count], or NULL
    const float* texcoords;   ///< [entry_count * 2], or NULL
    const float* texcoords1;  ///< [entry_count * 2] of the second set, or NULL
    const float* colors;      ///< [entry_count * 4], or NULL
} GtMorphDef;

/// No entries yet.
GT_API GtMorphDef gt_default_morph_def(void);

/// Joints that move a mesh. Start from gt_default_skin_def().
typedef struct GtSkinDef {
    const int32_t* joints;          ///< [joint_count] nodes
    int32_t joint_count;            ///< 1 to 65536
    const GtMat34* joint_from_mesh; ///< [joint_count] inverse bind matrices
} GtSkinDef;

/// No joints yet.
GT_API GtSkinDef gt_default_skin_def(void);

/// One mesh at one node: triangles with one material. Start from gt_default_mesh_def().
typedef struct GtMeshDef {
    const char* name; ///< or NULL
    int32_t node;
    int32_t source_mesh; ///< mesh and primitive in the scene, for callers to find their way back; or GT_NONE
    int32_t source_primitive;
    int32_t material; ///< of the scene, or GT_NONE
    int32_t vertex_count;
    const GtVec3* positions; ///< [vertex_count]
    const GtVec3* normals;   ///< [vertex_count], or NULL: the surface is flat-shaded, as glTF asks
    const float* tangents;   ///< [vertex_count * 4], or NULL; w is the handedness
    const float* texcoords;  ///< [vertex_count * 2], or NULL; for whoever draws: morphs alone change these three
    const float* texcoords1; ///< [vertex_count * 2] a second set, or NULL
    const float* colors;     ///< [vertex_count * 4] linear RGBA that material colours are multiplied with, or NULL
    int32_t index_count;     ///< a multiple of 3
    const uint32_t* indices; ///< [index_count] triangle corners
    int32_t first_weight;    ///< of its morphs, in the character's weights
    int32_t morph_count;
    const GtMorphDef* morphs;        ///< [morph_count]
    int32_t skin;                    ///< or GT_NONE: the mesh moves rigidly with its node
    int32_t influence_count;         ///< a vertex, 1 to GT_MAX_INFLUENCES; 0 without a skin
    const uint16_t* joints;          ///< [vertex_count * influence_count] indices into the skin's joints
    const float* weights;            ///< [vertex_count * influence_count]; each vertex sums to 1
    const GtDeformerData* deformers; ///< [deformer_count] in order, or NULL for morph, linear skin; see gt_deform()
    int32_t deformer_count;
    int32_t section_bind_count;
    const GtSectionBindDef* section_binds; ///< [section_bind_count] what hangs on sections
} GtMeshDef;

/// At node 0, from no scene, without vertices, material, morphs, skin and sections.
GT_API GtMeshDef gt_default_mesh_def(void);

/// Everything a character is made of. Start from gt_default_character_def().
typedef struct GtCharacterDef {
    int32_t node_count;
    const int32_t* parents;        ///< [node_count]; parents[i] < i, or GT_NONE
    const GtTransform* rest;       ///< [node_count] parent_from_node
    const char* const* names;      ///< [node_count] each may be NULL, or NULL
    const int32_t* source_nodes;   ///< [node_count] nodes of the scene or GT_NONE, or NULL when they are the same
    const GtHumanoidMap* humanoid; ///< which nodes the joints of a humanoid are, or NULL where that is not known
    int32_t weight_count;
    const float* rest_weights; ///< [weight_count] morph weights at rest
    int32_t skin_count;
    const GtSkinDef* skins;
    int32_t mesh_count;
    const GtMeshDef* meshes;
    int32_t section_count;
    const GtSectionDef* sections;      ///< [section_count] lattices at joints; see gertie/section.h
    const GtHarmonicSkinDef* harmonic; ///< what meshes with GT_DEFORMER_HARMONIC follow, or NULL
} GtCharacterDef;

/// No nodes, skins, meshes and sections yet.
GT_API GtCharacterDef gt_default_character_def(void);

/// Create a character. Everything in `def` is checked and copied: indices, order, finite numbers, unit rotations,
/// weights that sum to 1 within 1e-3, deformers that can follow each other, masks of sections that sum to at most 1
/// within 1e-3, factors of a harmonic skin that fit together. Arrays that are the same pointer and size, such as those
/// of one mesh at many nodes, are checked and kept once.
/// @param out    receives the character, or NULL on failure; free with gt_character_destroy()
/// @param error  may be NULL; names the node, skin, section or mesh at fault
GT_API GtResult gt_character_create(GtAllocator allocator, const GtCharacterDef* def, GtCharacter** out,
                                    GtError* error);

/// Free a character; `character` may be NULL.
GT_API void gt_character_destroy(GtCharacter* character);

/// What the character is made of, in the character's own memory; nothing in it is NULL that has a count above 0,
/// except names, normals, tangents, texture coordinates and colours that were not given. The GtHarmonic of a harmonic
/// skin is for single frames: it has no holders, and gt_harmonic_bake() must not be called with it.
GT_API const GtCharacterDef* gt_character_def(const GtCharacter* character);

/// First node of that name, or GT_NONE.
GT_API int32_t gt_character_find_node(const GtCharacter* character, const char* name);

/// The runtime node made from a node of the scene, or GT_NONE.
GT_API int32_t gt_character_node_from_source(const GtCharacter* character, int32_t source_node);

/// Local transforms to model space: one pass, parents first.
/// @param pose             [node_count] parent_from_node, unit rotations
/// @param model_from_node  [node_count] receives matrices
GT_API void gt_character_to_model(const GtCharacter* character, const GtTransform* pose, GtMat34* model_from_node);

GT_EXTERN_C_END

#endif
