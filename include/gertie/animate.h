// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: the main job. A body takes a motion: it is rigged if it is bare, its joints are found, the motion is
/// retargeted, feet are planted, and the surface follows by its skin, by harmonic fields or by another mesh.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_ANIMATE_H
#define GERTIE_ANIMATE_H

#include "gertie/field.h"
#include "gertie/mesh_template.h"
#include "gertie/retarget.h"
#include "gertie/rig.h"

GT_EXTERN_C_BEGIN

/// How the surface of a body follows a motion.
typedef enum GtAnimateMethod {
    GT_ANIMATE_SKIN,     ///< by the weights of its skin
    GT_ANIMATE_HARMONIC, ///< by harmonic fields from markers that follow the joints, without weights
    GT_ANIMATE_AUTO,     ///< chosen from the body; the report says what was chosen, and why
    GT_ANIMATE_TEMPLATE, ///< as the motion's animated mesh moves, without any joints
} GtAnimateMethod;

/// How a body takes a motion. Start from gt_default_animate_def().
typedef struct GtAnimateDef {
    int32_t animation;                  ///< clip of the motion
    GtRetargetDef retarget;             ///< how the clip is carried over
    const GtHumanoidMap* character_map; ///< known joints of the body, or NULL; the others are found
    const GtHumanoidMap* motion_map;    ///< known joints of the motion, or NULL; the others are found
    bool keep_animations;               ///< keep the clips that the body has already
    GtAnimateMethod method;             ///< GT_ANIMATE_AUTO by default
    bool joints_only;                   ///< the result will be written as joints alone, as BVH is: AUTO takes the skin
    GtRigDef rig;                       ///< how a bare body is rigged
    const GtRigReport* rigged_by; ///< how the body was rigged before, or NULL; AUTO then chooses as for a bare body

    /// @name Harmonic fields
    /// Files are read and written against the body as it is rigged.
    /// @{
    GtMarkersDef markers;       ///< where markers are placed; `known` is for those that the caller has
    const char* markers_path;   ///< markers to begin with, as gt_markers_save() writes them; or NULL
    const char* save_markers;   ///< where to write the markers (for TEMPLATE, the pairs) that were used; or NULL
    GtHarmonicClipDef harmonic; ///< how the surface is posed
    GtHarmonicBakeDef bake;     ///< how the result is put into the scene
    const char* pairs_path;     ///< pairs of triangles of the motion's mesh and the body's, for TEMPLATE; or NULL
    /// @}

    const char* keys_path; ///< rotations keyed by hand, as gt_hand_keys_load() reads them; or NULL
    const GtScene* second; ///< motion whose first clip is blended in where the keys say so; or NULL
} GtAnimateDef;

GT_API GtAnimateDef gt_default_animate_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_animate_def_fields(void);

/// Longest sentence of a report, with its end.
#define GT_ANIMATE_TEXT_SIZE 160

/// What gt_animate() did.
typedef struct GtAnimateReport {
    bool was_bare; ///< the body was rigged
    GtRigReport rig;
    GtAnimateMethod method; ///< that was used: not AUTO
    char
        why[GT_ANIMATE_TEXT_SIZE]; ///< why AUTO chose it: "the body came without weights"; empty where it was asked for
    GtRetargetReport retarget;     ///< all zeros for TEMPLATE
    int32_t face_signal_count;     ///< expressions and named morph weights that the motion moves
    int32_t face_carried_count;    ///< of those, what the body's face has something for
    GtMarkersReport markers;       ///< for HARMONIC
    GtHarmonicClipReport harmonic; ///< for HARMONIC
    char residual_joint[64];       ///< joint of the marker that the surface follows least, or ""
    GtMeshTemplateReport template_report; ///< for TEMPLATE
    double rate_hz;                       ///< of the frames, for HARMONIC and TEMPLATE
    GtHarmonicBakeReport bake;            ///< where frames were baked
} GtAnimateReport;

/// Whether a scene has meshes and neither a skin, clips nor a humanoid skeleton: gt_animate() rigs it.
GT_API bool gt_scene_is_bare(const GtContext* context, const GtScene* scene);

/// Let a body take a motion.
/// @param body    validated; a rigged character or a bare mesh
/// @param motion  validated; with the clip
/// @param def     NULL for the defaults
/// @param out     receives a copy of the body, rigged if it was bare, whose last clip is the motion; NULL on failure;
///                free with gt_scene_destroy()
/// @param report  may be NULL
/// @return GT_ERROR_NOT_FOUND when the motion has no such clip; GT_ERROR_UNSUPPORTED when a bare body cannot be rigged;
///         what gt_retarget_create(), gt_harmonic_clip_create() and the readers of the files return
GT_API GtResult gt_animate(const GtContext* context, const GtScene* body, const GtScene* motion,
                           const GtAnimateDef* def, GtScene** out, GtAnimateReport* report, GtError* error);

/// gt_animate() without baking, for files that hold frames: harmonic deformation stays exact.
/// @param clip  receives the frames of a body that follows by harmonic fields or by a template, to be played on `out`
///              with gt_harmonic_player_create(); NULL for a body that follows by its skin; free with
///              gt_harmonic_clip_destroy()
GT_API GtResult gt_animate_frames(const GtContext* context, const GtScene* body, const GtScene* motion,
                                  const GtAnimateDef* def, GtScene** out, GtHarmonicClip** clip,
                                  GtAnimateReport* report, GtError* error);

GT_EXTERN_C_END

#endif
