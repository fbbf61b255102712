// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: an animated mesh as the template for another.
///
/// An animated mesh as the template for another one: a horse drives a horse. No skeleton is needed on either side;
/// pairs of triangles say what is where, and harmonic deformation (gertie/harmonic_clip.h) does the rest.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_MESH_TEMPLATE_H
#define GERTIE_MESH_TEMPLATE_H

#include "gertie/field.h"
#include "gertie/harmonic_clip.h"

GT_EXTERN_C_BEGIN

/// A triangle of the template and the one of the target that turns as it does.
typedef struct GtMarkerPair {
    int32_t from;   ///< triangle of the template: of all its meshes, one primitive after the other
    int32_t to;     ///< likewise of the target
    float radius_m; ///< what lies within it, along the target's surface, turns alike; below 0, what suits the mesh
} GtMarkerPair;

/// Free with gt_marker_pairs_destroy().
typedef struct GtMarkerPairs {
    GtMarkerPair* pairs; ///< [count]
    int32_t count;
    GtArena arena; ///< private
} GtMarkerPairs;

/// Free pairs; `pairs` may be NULL.
GT_API void gt_marker_pairs_destroy(GtMarkerPairs* pairs);

/// Read pairs: {"gertie_pairs": 1, "pairs": [{"template_triangle": [0, 0, 17], "target_triangle": [0, 0, 3411]}]},
/// with mesh, primitive and triangle; or "template_point_m" and "target_point_m" with x, y and z, for the triangle
/// whose middle is nearest.
/// @return GT_ERROR_BAD_VALUE for what is wrong in the file, by its JSON path
GT_API GtResult gt_marker_pairs_load(const GtContext* context, GtFigure* from, GtFigure* to, const char* path,
                                     GtMarkerPairs** out, GtError* error);
GT_API GtResult gt_marker_pairs_save(const GtContext* context, GtFigure* from, GtFigure* to, const GtMarkerPairs* pairs,
                                     const char* path, GtError* error);

/// How a template is used. Start from gt_default_mesh_template_def().
typedef struct GtMeshTemplateDef {
    double rate_hz;             ///< of the frames; 0 for the clip's own, up to 30
    const GtMarkerPairs* known; ///< or NULL where template and target have the same triangles
    /// Pairs are completed to this many: places of the target far from all others, and what the pairs around them say
    /// is there on the template. 0 to take the known ones alone.
    int32_t marker_count;
    const char* name; ///< of the new clip, or NULL for the template's
} GtMeshTemplateDef;

GT_API GtMeshTemplateDef gt_default_mesh_template_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_mesh_template_def_fields(void);

/// What gt_mesh_template_clip() did.
typedef struct GtMeshTemplateReport {
    GtHarmonicReport surface;
    int32_t known_count;
    int32_t marker_count;
    int32_t frame_count;
    double scale;       ///< of the target's size to the template's
    double misfit;      ///< root mean square of distances of known pairs when template and target lie over each other,
                        ///< as a part of the target's size
    double worst;       ///< the largest
    int32_t worst_pair; ///< of which pair, counted from 0, or GT_NONE
} GtMeshTemplateReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_mesh_template_report_fields(void);

/// Carry a clip of an animated mesh over to another mesh. Template and target are laid over each other by their pairs:
/// turned, scaled and shifted. Then every pair's triangle of the target turns as the template's does from its rest
/// pose, and the target as a whole moves as the template's surface does, by its scale.
/// @param from    playing a clip that moves its meshes, by morphs, joints or nodes
/// @param to      with meshes. Its clips are left out
/// @param scene   receives a copy of the scene of `to` with a new clip that has no keys yet; free with
/// gt_scene_destroy()
/// @param out     receives the clip, for gt_harmonic_clip_bake() on that scene; free with gt_harmonic_clip_destroy()
/// @param pairs   receives the pairs that were used; may be NULL; free with gt_marker_pairs_destroy()
/// @return GT_ERROR_NOT_FOUND where the template plays no clip; GT_ERROR_BAD_VALUE where there are no pairs and the
///         meshes are not alike, or pairs name triangles that are not there
GT_API GtResult gt_mesh_template_clip(const GtContext* context, GtFigure* from, GtFigure* to,
                                      const GtMeshTemplateDef* def, GtScene** scene, GtHarmonicClip** out,
                                      GtMarkerPairs** pairs, GtMeshTemplateReport* report, GtError* error);

GT_EXTERN_C_END

#endif
