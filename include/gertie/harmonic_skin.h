// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: harmonic skins of characters.
///
/// A harmonic skin follows the joints of a character by harmonic deformation (gertie/harmonic_frame.h) instead of
/// weights. Any pose will do: a clip, a blend, inverse kinematics. Each marker of the surface rotates as the joint that
/// it follows has rotated since the bind pose, and handles (feet, hands, chest, head) are held where the weights of the
/// skin would take them. A frame depends on its pose alone.
///
/// gt_harmonic_character() (gertie/harmonic_character.h) gives a character such a skin, and packs hold it. Then
/// gt_instance_deform() (gertie/instance.h) plays it on every mesh that has GT_DEFORMER_HARMONIC in its stack.
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

#ifndef GERTIE_HARMONIC_SKIN_H
#define GERTIE_HARMONIC_SKIN_H

#include "gertie/harmonic_frame.h"
#include "gertie/mat34.h"

GT_EXTERN_C_BEGIN

typedef struct GtCharacter GtCharacter;

/// A joint that markers follow, and the line that its limb lies about. All is as in the bind pose, in model space.
typedef struct GtHarmonicBone {
    int32_t node;   ///< of the character
    int32_t parent; ///< bone before it in the array, or GT_NONE
    int32_t next;   ///< bone whose twist markers of this one may share, or GT_NONE
    int32_t twists; ///< 1 where the bone's rotation about its line relative to its parent spreads as an angle; else 0
    GtVec3 axis;    ///< unit, along the line
    float carry;    ///< 0 to 1: share of the parent's angle that goes on through this bone
} GtHarmonicBone;

/// How a marker follows a joint.
typedef struct GtHarmonicFollower {
    int32_t bone;
    int32_t node;      ///< joint whose rotation it takes: that of the bone, or a helper joint on it
    float angle_share; ///< 0 to 1: share of the bone's angle that is an angle at the marker; the rest is a rotation
    float twist;       ///< -1 to 1, as in GtMarker (gertie/markers.h)
} GtHarmonicFollower;

/// What one joint adds to the place where a handle is held: model_from_node times a point, times a weight. Of the
/// linear skin, whose matrices are linear in the joints, a few such points say where the mean of any vertices is.
typedef struct GtHarmonicGrip {
    int32_t handle; ///< of the GtHarmonic
    int32_t node;
    GtVec3 point; ///< in the node's space, times the weight
    float weight; ///< those of a handle sum to 1
} GtHarmonicGrip;

/// A harmonic skin. It covers all meshes of a character; those that have GT_DEFORMER_HARMONIC follow it.
typedef struct GtHarmonicSkinDef {
    const GtHarmonic* harmonic;   ///< the surface of all meshes in the bind pose, seams welded, signs not aligned
    const GtQuat* node_from_bind; ///< [node_count of the character] from the model's axes to each node's, when bound
    const GtHarmonicBone* bones;  ///< [bone_count]
    int32_t bone_count;           ///< 1 or more
    const GtHarmonicFollower* followers; ///< [marker count of `harmonic`]
    const GtHarmonicGrip* grips;         ///< [grip_count]
    int32_t grip_count;
    const float* strengths; ///< [handle count of `harmonic`] as GtHarmonicHold has them; may be NULL where that is 0
    int32_t anchor_node;    ///< joint that the anchor of `harmonic` moves with
    GtVec3 anchor_point;    ///< where it is, in the joint's space
    float anchor_give;      ///< as in GtHarmonicFrame
    const GtMat34* bind_from_mesh; ///< [mesh_count of the character] from each mesh to the bind pose
    const int32_t* points; ///< [vertices of all meshes, one mesh after the other] vertex of `harmonic` that each is at
} GtHarmonicSkinDef;

GT_API GtHarmonicSkinDef gt_default_harmonic_skin_def(void); ///< no surface yet

/// Vertices of the surface under all meshes; 0 of a character without a harmonic skin.
GT_API int32_t gt_harmonic_skin_point_count(const GtCharacter* character);

/// Bytes of scratch that gt_harmonic_skin_pose() needs; 0 of a character without a harmonic skin.
GT_API size_t gt_harmonic_skin_scratch_size(const GtCharacter* character);

/// Pose the surface for GtDeformJob.model_from_point. An instance does this by itself. Never allocates.
/// @param model_from_node   [node_count] matrices of the pose
/// @param executor          may be NULL for the calling thread; the result does not depend on the number of threads
/// @param model_from_point  [gt_harmonic_skin_point_count()] receives where each point is, and in the linear part how
///                          the surface around it has been rotated and stretched since the bind pose
/// @param scratch           aligned to 16; undefined before and after
GT_API void gt_harmonic_skin_pose(const GtCharacter* character, const GtMat34* model_from_node,
                                  const GtExecutor* executor, GtMat34* model_from_point, void* scratch);

GT_EXTERN_C_END

#endif
