// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: from a scene to what the runtime plays.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_BUILD_H
#define GERTIE_BUILD_H

#include "gertie/character.h"
#include "gertie/clip.h"
#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How a character is built. Start from gt_default_build_def().
typedef struct GtBuildDef {
    int32_t stage;          ///< only nodes under this stage, and what moves them; GT_NONE for all nodes of the scene
    int32_t max_influences; ///< 1 to GT_MAX_INFLUENCES; more are pruned, the rest renormalised, the error reported
    bool force_skin_method; ///< use `skin_method` instead of what the scene says
    GtSkinMethod skin_method;
    bool joints_only; ///< nodes without meshes and skins, for work on poses alone
} GtBuildDef;

GT_API GtBuildDef gt_default_build_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_build_def_fields(void);

/// What gt_character_build() did.
typedef struct GtBuildReport {
    int32_t pruned_vertices;       ///< vertices that lost influences
    float max_pruned_weight;       ///< the largest sum of weights a vertex lost
    int32_t renormalized_vertices; ///< vertices whose weights did not sum to 1 within 1e-3
    int32_t unweighted_vertices;   ///< vertices of a skin without any weight; they follow the skin's first joint
    int32_t skipped_primitives;    ///< points and lines, which have no surface
} GtBuildReport;

/// Compile a validated scene. Nodes become parent-first; every primitive with triangles becomes a mesh at every node
/// that shows it, with strips and fans unrolled; morph targets become sparse. Weights are normalised here, never in the
/// scene: joints that come twice are merged, the heaviest kept, sums made 1, and what that took is warned of and
/// reported (a strict context refuses sums that are not 1 and vertices without weight). Normals that a file leaves out
/// stay out, because glTF wants such surfaces flat: who draws takes them from the triangles.
///
/// Fails with GT_ERROR_LIMIT where arrays that overlap or are shared in the file would become more than 256 MB and 16
/// times its size.
/// @param report  may be NULL
/// @param out     receives the character, or NULL on failure; free with gt_character_destroy()
GT_API GtResult gt_character_build(const GtContext* context, const GtScene* scene, const GtBuildDef* def,
                                   GtCharacter** out, GtBuildReport* report, GtError* error);

/// Compile one animation of the scene that `character` was built from. Channels of nodes that the character does not
/// have, and of properties that it does not play, are left out.
/// @param out  receives the clip, or NULL on failure; free with gt_clip_destroy()
GT_API GtResult gt_clip_build(const GtContext* context, const GtScene* scene, int32_t animation,
                              const GtCharacter* character, GtClip** out, GtError* error);

GT_EXTERN_C_END

#endif
