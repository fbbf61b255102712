// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: characters with a harmonic skin.
///
/// Here a character gets a harmonic skin (gertie/harmonic_skin.h) from a figure and markers, once. Then the runtime
/// deforms it in any pose, and gt_pack_write() (gertie/pack_write.h) packs it.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_HARMONIC_CHARACTER_H
#define GERTIE_HARMONIC_CHARACTER_H

#include "gertie/figure.h"
#include "gertie/harmonic.h"
#include "gertie/markers.h"

GT_EXTERN_C_BEGIN

/// How a character gets a harmonic skin. Start from gt_default_harmonic_character_def().
typedef struct GtHarmonicCharacterDef {
    const GtCharacter* character; ///< of the figure's scene, such as one with sections; NULL for the figure's own
    bool hold_feet;               ///< hold feet where the weights of the skin have them
    bool hold_hands;              ///< the same for hands, and gently for chest and head
    float squeeze;                ///< as in GtHarmonicDef: how far bends keep their volume
} GtHarmonicCharacterDef;

/// The figure's own character; feet and hands held, a squeeze of 0.5.
GT_API GtHarmonicCharacterDef gt_default_harmonic_character_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_harmonic_character_def_fields(void);

/// Make a copy of a character whose meshes follow markers instead of their weights. Shapes, sections and everything
/// else stay, except the shapes that gt_harmonic_clip_bake() added to the scene: they do nothing now, as the harmonic
/// skin makes by itself what they imitate.
/// @param figure  of a scene with skins
/// @param def     may be NULL for the default
/// @param out     receives the character, or NULL on failure; free with gt_character_destroy()
/// @param report  may be NULL
/// @return GT_ERROR_BAD_VALUE where the markers are of another mesh, or the character is of another scene; what
///         gt_harmonic_create() returns
GT_API GtResult gt_harmonic_character(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                                      const GtHarmonicCharacterDef* def, GtCharacter** out, GtHarmonicReport* report,
                                      GtError* error);

/// The markers that a scene keeps: of its first clip that GtHarmonicBakeDef.keep (gertie/harmonic_clip.h) kept some of.
/// What is damaged or of another mesh is warned of and left out, or refused where the context is strict.
/// @param out  receives the markers; NULL, with GT_OK, where none are kept. Free with gt_markers_destroy()
GT_API GtResult gt_scene_markers(const GtContext* context, const GtScene* scene, GtMarkers** out, GtError* error);

GT_EXTERN_C_END

#endif
