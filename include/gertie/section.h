// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: sections: lattices that joints carry.
///
/// Sections: a lattice that a joint carries, and a number b that says how much of it is felt, both to be keyframed.
/// With b = 0 a limb is skinned as ever, with b = 1 its lattice alone has it, in between it is a blend of both:
///   p' = (1 - sum_k B_k) SKIN(p) + sum_k B_k FFD_k(p),  B_k = b_k m_k(p)
/// where FFD_k(p) = model_from_node * lattice_k(node_from_mesh * p), p is the vertex as modelled with its morphs, and
/// masks m_k, given for each vertex, fade a section out where it ends. With its lattice at rest a section moves
/// rigidly with its joint, so a limb is in the right place whatever b is. Normals and tangents follow the derivative of
/// all this, with that of B_k.
///
/// A free-standing section has no joint: it stays where it is in model space and deforms what passes through it.
///
/// What a frame sets are a character's section values: for each section in order b, then a weight for each of its
/// poses, then x, y, z for each of its control points. Control points are at
///   rest + sum_pose weight * offsets of the pose + own offset.
/// They are channels of tracks too (gertie/track.h): `section:NAME.b`, `lattice:NAME.POSE`,
/// `lattice:NAME.point[i,j,k].x`.
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

#ifndef GERTIE_SECTION_H
#define GERTIE_SECTION_H

#include "gertie/lattice.h"

GT_EXTERN_C_BEGIN

/// Most control points that all sections of a character have together.
#define GT_SECTION_MAX_POINTS (1 << 18)

/// A shape of a lattice, such as a flexed muscle.
typedef struct GtLatticePose {
    const char* name;      ///< or NULL
    const GtVec3* offsets; ///< [gt_lattice_point_count()] of control points from rest, in the lattice's space
} GtLatticePose;

/// A lattice and the joint that carries it. Start from gt_default_section_def().
typedef struct GtSectionDef {
    const char* name; ///< or NULL
    int32_t node;     ///< the lattice's space is this node's; GT_NONE: it stands free, in model space
    float rest_blend; ///< b at rest, 0 to 1
    float border;     ///< of a free-standing section: share of the box, 0 to 0.5, over which it fades at its sides
    int32_t pose_count;
    const GtLatticePose* poses; ///< [pose_count]
    GtLatticeDef lattice;       ///< see gt_lattice_check()
} GtSectionDef;

/// At no node, b = 1, a border of a quarter, gt_default_lattice_def(), no poses.
GT_API GtSectionDef gt_default_section_def(void);

/// How a mesh hangs on a section. Start from gt_default_section_bind_def().
typedef struct GtSectionBindDef {
    int32_t section; ///< one with a node; those of a mesh increase
    int32_t entry_count;
    const uint32_t* vertices;     ///< [entry_count] increasing
    const float* masks;           ///< [entry_count] m_k, 0 to 1; all of a vertex sum to at most 1
    const GtVec3* mask_gradients; ///< [entry_count] of m_k, in the mesh's rest space; NULL for 0
} GtSectionBindDef;

/// Of section 0; no entries yet.
GT_API GtSectionBindDef gt_default_section_bind_def(void);

struct GtCharacter;

/// How many section values a character has.
GT_API int32_t gt_section_value_count(const struct GtCharacter* character);

/// Where the values of a section begin: b; its poses' weights come next, then its points' offsets.
GT_API int32_t gt_section_first_value(const struct GtCharacter* character, int32_t section);

/// First section of that name, or GT_NONE.
GT_API int32_t gt_section_find(const struct GtCharacter* character, const char* name);

/// Values at rest: rest_blend, 0, 0.
/// @param values  [gt_section_value_count()]
GT_API void gt_section_reset(const struct GtCharacter* character, float* values);

/// Where the control points of a section are, in the lattice's space.
/// @param values      [gt_section_value_count()] of the character
/// @param out_points  [gt_lattice_point_count()] of the section's lattice
GT_API void gt_section_points(const struct GtCharacter* character, int32_t section, const float* values,
                              GtVec3* out_points);

GT_EXTERN_C_END

#endif
