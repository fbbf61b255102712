// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: rigging.
///
/// Rigging: a bare mesh becomes a character. What is up and what is in front is found, a skeleton is put inside, and
/// every vertex is told which joints it follows.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_RIG_H
#define GERTIE_RIG_H

#include "gertie/field.h"
#include "gertie/retarget.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How vertices get their weights.
typedef enum GtRigWeights {
    GT_RIG_WEIGHTS_AUTO,  ///< heat where the surface allows it, voxels elsewhere
    GT_RIG_WEIGHTS_HEAT,  ///< warmth that spreads over the surface from the nearest bones in sight
    GT_RIG_WEIGHTS_VOXEL, ///< distance to the bones through the inside of the body; holes and loose pieces do not
                          ///< matter
    GT_RIG_WEIGHTS_RIGID, ///< each vertex follows one joint
} GtRigWeights;

/// Whether hands get fingers.
typedef enum GtRigFingers {
    GT_RIG_FINGERS_AUTO, ///< where they are separate surfaces and can be counted
    GT_RIG_FINGERS_NONE, ///< never: each hand moves as one smooth part
} GtRigFingers;

/// A direction of a scene's space.
typedef enum GtRigAxis {
    GT_RIG_AXIS_AUTO, ///< found
    GT_RIG_AXIS_X,
    GT_RIG_AXIS_Y,
    GT_RIG_AXIS_Z,
    GT_RIG_AXIS_MINUS_X,
    GT_RIG_AXIS_MINUS_Y,
    GT_RIG_AXIS_MINUS_Z,
} GtRigAxis;

/// Where a skeleton's joints come from.
typedef enum GtRigWay {
    GT_RIG_WAY_PERSON, ///< the built-in person, fitted to the mesh
    GT_RIG_WAY_MEDIAL, ///< the middle of the mesh's limbs, after Baran and Popovic 2007
} GtRigWay;

/// A joint that is known.
typedef struct GtRigJoint {
    const char* name; ///< VRM 1.0 name such as "leftLowerArm", or of a joint of the user's own skeleton
    GtVec3 position;  ///< in the rigged scene's space: upright, facing +Z, in metres
} GtRigJoint;

/// How a mesh is rigged. Start from gt_default_rig_def().
typedef struct GtRigDef {
    GtRigAxis up;    ///< of the figure
    GtRigAxis front; ///< that it faces
    GtRigWeights weights;
    GtRigFingers fingers;     ///< of the built-in skeleton; one's own has the joints that it has
    int32_t influences;       ///< joints that a vertex follows at most, 1 to 16
    const GtScene* skeleton;  ///< own joints to put inside, or NULL for VRM's
    const GtRigJoint* joints; ///< [joint_count] that stay where they are; the others are found around them
    int32_t joint_count;
    double
        min_confidence; ///< below it the mesh is refused rather than rigged wrongly, 0 to 1; not where joints are given
    double body_height_m; ///< the figure is scaled to this height, for scans of unknown units; 0 leaves it as it is
} GtRigDef;

GT_API GtRigDef gt_default_rig_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_rig_def_fields(void);

/// Longest sentence of a report, with its end.
#define GT_RIG_TEXT_SIZE 160

/// What was made, and how sure it is.
typedef struct GtRigReport {
    GtRigAxis up, front;           ///< as found or told
    float up_confidence;           ///< 0 to 1
    float front_confidence;        ///< likewise
    float symmetry;                ///< 0 to 1: how well the left of the mesh mirrors the right
    double height_m;               ///< from the soles to the top
    int64_t triangle_count;        ///< that were rigged
    int64_t helper_triangle_count; ///< that were left out, as helper geometry
    int32_t piece_count;           ///< of the surface, islands too
    int32_t island_count;          ///< loose pieces that ride along: eyes, buttons, glasses
    GtRigWay way;
    /// How likely all main joints are within 6 % of the height of where they should be, and within 3 % in the mean: 0
    /// to 1, as a share of bodies of all kinds that were measured (docs/methods/bodies.md). Of a skeleton of one's own
    /// that is no humanoid, a score: 1 where nothing speaks against it.
    float confidence;
    char why[GT_RIG_TEXT_SIZE]; ///< what speaks against it the most
    int32_t joint_count;
    int32_t finger_count;                   ///< that have joints, 0 to 10
    int32_t hand_fingers[2];                ///< of them, of the left and of the right hand
    char no_fingers[2][GT_RIG_TEXT_SIZE];   ///< why a hand has none, or ""; left and right
    GtVec3 joints[GT_HUMANOID_JOINT_COUNT]; ///< where they are, in the rigged scene's space; NaN where there is none
    GtRestAngles rest_angles;               ///< how it stands; all 0 where there is no humanoid
    GtRigWeights weights;                   ///< that most of the mesh has
    double pruned_weight;                   ///< the most that a vertex lost by the limit of influences, 0 to 1
    /// Most that a vertex moves by that, in any pose in which no joint bends by more than 40 degrees: against the
    /// weights that were found, of up to 8 joints, or as many as `influences` allows.
    double pruned_m;
} GtRigReport;

/// Rig the meshes of a scene. Materials, textures, colours, texture coordinates and morph targets are kept; vertices
/// stay where they are but for turning a figure upright that lies, or looks another way than +Z, and for the scale that
/// `body_height_m` asks for. Helper geometry is left out. The rigged scene has a humanoid map.
/// @param scene   validated, without skins
/// @param out     receives a new scene, or NULL on failure; free with gt_scene_destroy()
/// @param report  may be NULL; filled as far as the work went, also where the mesh is refused
/// @return GT_ERROR_UNSUPPORTED when the mesh is no figure that a skeleton fits into: the error says what speaks
///         against it
GT_API GtResult gt_rig(const GtContext* context, const GtScene* scene, const GtRigDef* def, GtScene** out,
                       GtRigReport* report, GtError* error);

/// Write where the joints of a rigged scene are, as JSON that a person can read, edit and give back.
GT_API GtResult gt_rig_joints_save(const GtContext* context, const GtScene* scene, const char* path, GtError* error);

/// Read joints for GtRigDef.
/// @param arena  holds what is read
GT_API GtResult gt_rig_joints_load(const GtContext* context, const char* path, GtArena* arena, GtRigJoint** out,
                                   int32_t* count, GtError* error);

GT_EXTERN_C_END

#endif
