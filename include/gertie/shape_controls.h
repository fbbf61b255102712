// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: controls of blend shapes.
///
/// What drives blend shapes: controls that mean something ("smile", "blink"), each of which moves several shapes by
/// curves; shapes that stand between others; shapes that correct combinations of others. All of it becomes tracks
/// (gertie/track.h) on the weights of morph targets, which cost what they say and no more.
///
/// Each shape has a *value*: the sum of what its controls give by their curves. From the values come the weights:
///
/// - A shape alone has its value as its weight.
/// - Shapes between (`of`, `at`): as the value of the main shape goes from 0 to 1, the face goes from rest to the first
///   of them, from that to the next, and at 1 is the main shape. Each of them is a whole shape, not a correction; what
///   is at 0.25 and at 0.6 is reached just there. Beyond the ends it goes on straight.
/// - A corrective shape (`when`): its weight is the product of the values of others, those below 0 taken as 0; so it is
///   all there where all of them are 1, and not at all where one is absent.
/// - Absolute shapes with controls share a weight of 1: where their values sum to more, each is divided by the sum, so
///   that the face stays among the shapes, as gt_shapes_blend() does it.
///
/// Controls are values named `control:NAME`, which keys and programs drive; a shape without a control of its own that
/// has others between has one of its own name. Controls may be on or off, and hold others back, as expressions of VRM
/// do: what is felt of such a control is then the value `felt:NAME`, which shapes follow.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_SHAPE_CONTROLS_H
#define GERTIE_SHAPE_CONTROLS_H

#include "gertie/context.h"
#include "gertie/scene.h"
#include "gertie/shape_blend.h"
#include "gertie/track.h"

GT_EXTERN_C_BEGIN

/// Most shapes that a corrective one combines.
#define GT_SHAPE_MAX_WHEN 8

/// A value that means something, which tracks read and may drive.
typedef struct GtShapeControl {
    const char* name; ///< the value is `control:NAME`
    float rest;
    float min, max;            ///< it is kept between
    const char* const* blocks; ///< [block_count] controls of which nothing is felt while this one is above 0
    const char* const* fades;  ///< [fade_count] controls that lose as much as this one is at
    int32_t block_count, fade_count;
    bool is_binary; ///< on, 1, above a half, else off; and off when another one holds it back at all
} GtShapeControl;

/// What a control does to a shape.
typedef struct GtShapeDrive {
    const char* control;     ///< its name
    const GtCurveDef* curve; ///< of one number, over the control's value instead of the time; NULL for the value
                             ///< of the control itself
} GtShapeDrive;

/// A shape and what drives it. All texts are names without quotes ('). Where two meshes have a shape of one name, `of`
/// and `when` mean that of the rule's own mesh, or say which: "MESH/NAME".
typedef struct GtShapeRule {
    const char* name;           ///< of a morph target; or "#3", by its number in the mesh
    const char* mesh;           ///< that has it: the name of a node that shows it, or of the mesh; or "#12", a node by
                                ///< its number; NULL for all
    const char* of;             ///< between: the main shape, which is a rule, too; else NULL
    const char* const* when;    ///< [when_count] corrective: rules, or else controls, or else morph targets
    const GtShapeDrive* drives; ///< [drive_count] none for shapes between and correctives
    GtShapeKind kind;           ///< absolute shapes with controls are combined convexly
    float at;                   ///< where between: not 0, which is rest, nor 1, which is the main shape
    int32_t when_count;         ///< 2 to GT_SHAPE_MAX_WHEN, or 0
    int32_t drive_count;
} GtShapeRule;

/// What a material looks like while it plays.
typedef struct GtMaterialLook {
    float color[4];     ///< base colour, linear
    float offset[2];    ///< of its textures, as KHR_texture_transform has it: scaled, turned, then moved
    float scale[2];     ///< of their coordinates
    float rotation_rad; ///< likewise
} GtMaterialLook;

/// A material of a scene as its file has it. An extension that cannot be read counts as none.
GT_API GtMaterialLook gt_material_look(const GtContext* context, const GtScene* scene, int32_t material);

/// What a control does to a material: where the control is at 1, the material is as this says. Several controls add up,
/// each by its difference from what the scene has.
typedef struct GtMaterialRule {
    const char* material; ///< its name, or "#3", by its number
    const char* control;
    float color[4];
    float offset[2];
    float scale[2];
    bool has_color, has_offset, has_scale; ///< which of them it changes
} GtMaterialRule;

/// Controls and shapes. Start from gt_default_shape_controls_def().
typedef struct GtShapeControlsDef {
    const GtShapeControl* controls; ///< [control_count]
    int32_t control_count;
    const GtShapeRule* rules; ///< [rule_count] each mesh and name once
    int32_t rule_count;
    const GtMaterialRule* materials; ///< [material_count] of the scene
    int32_t material_count;
    const GtScene* scene; ///< whose meshes must have the shapes; NULL to check nothing, where there are no materials
    bool skip_missing;    ///< leave out shapes that no mesh has, and those that need them, instead of failing
    bool on_clip;         ///< what the weights are when tracks run, as a clip has left them, is a part of each shape's
                          ///< value; they must then be set anew before each run. The sum of both is kept from 0 to 1,
                          ///< or as far as one of them goes itself. Else tracks alone make the weights
} GtShapeControlsDef;

GT_API GtShapeControlsDef gt_default_shape_controls_def(void);

/// Controls compiled: give `tracks` and `value_names` to gt_track_set_create(), beside any of your own, after those
/// that drive controls. Free with gt_shape_controls_destroy(), after the set. Any thread may read it.
typedef struct GtShapeControls {
    const GtTrackBinding* tracks; ///< [track_count] in an order that must stay
    int32_t track_count;
    const char* const* value_names; ///< [value_count] `control:NAME` of the def in order, then what tracks need; what
                                    ///< materials come to is `material:NAME.color.r`, `.g`, `.b`, `.a`,
                                    ///< `material:NAME.offset.x`, `.y` and `material:NAME.scale.x`, `.y`
    const float* value_rests;       ///< [value_count]
    int32_t value_count;
    GtArena arena;       ///< private
    GtCurve** curves;    ///< private
    int32_t curve_count; ///< private
} GtShapeControls;

/// Compile controls. GT_ERROR_NOT_FOUND for a shape or control that is not there, GT_ERROR_BAD_VALUE for a rule that
/// says what cannot be.
/// @param out    receives them, or NULL on failure
/// @param error  names the rule at fault: "shape 'smile'"
GT_API GtResult gt_shape_controls_create(const GtContext* context, const GtShapeControlsDef* def, GtShapeControls** out,
                                         GtError* error);

/// Free; `controls` may be NULL.
GT_API void gt_shape_controls_destroy(GtShapeControls* controls);

/// @name Faces
/// @{

/// How a face says what its expressions are.
typedef enum GtFaceKind {
    GT_FACE_NONE,  ///< it has none that are known
    GT_FACE_VRM,   ///< expressions of a VRM file (1.0 or 0): presets under their VRM 1.0 names, and its own
    GT_FACE_ARKIT, ///< shapes of ARKit, by whose shares VRM's expressions are made (gertie/expression.h)
    GT_FACE_NAMES, ///< shapes that are themselves expressions, such as A, I, U, E, O or VRoid's
} GtFaceKind;

/// Controls of a face, 0 to 1 each. `def` can be compiled as it is, or added to. Free with gt_face_destroy().
typedef struct GtFace {
    GtFaceKind kind;
    GtShapeControlsDef def;
    int32_t arkit_count;   ///< different shapes of ARKit that the meshes have
    int32_t skipped_count; ///< binds of a VRM file that no shape or material is for
    GtArena arena;         ///< private
} GtFace;

/// Find the controls of a face: what a VRM file says, else by the names of its morph targets. Of a VRM file's
/// materials, base colours and places of textures are taken; what Gertie does not draw (emission, shade, rim, outline)
/// is not.
/// @param scene  must outlive the face
/// @param out    receives the face, or NULL on failure
GT_API GtResult gt_face_create(const GtContext* context, const GtScene* scene, GtFace** out, GtError* error);

/// Free; `face` may be NULL.
GT_API void gt_face_destroy(GtFace* face);
/// @}

GT_EXTERN_C_END

#endif
