// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where the joints of a figure are and how they are turned, in model space: as its nodes rest, in a pose, or as its
// skin is bound.

#ifndef GERTIE_MOTION_RETARGET_POSTURE_H
#define GERTIE_MOTION_RETARGET_POSTURE_H

#include "gertie/character.h"
#include "gertie/map.h"

typedef struct GtiPosture {
    int32_t node_count;
    GtVec3* places;    // [node_count]
    GtQuat* rotations; // [node_count] without scale
} GtiPosture;

// Room for a posture; false when memory ran out.
bool gti_posture_push(GtArena* arena, int32_t node_count, GtiPosture* out);

// Whether a node is `above` or hangs from it.
bool gti_hangs_from(const GtCharacterDef* def, int32_t node, int32_t above);

// A negative scale mirrors everything below it. What is mirrored has the rotation of its negative, as gt_mat34_polar()
// has it: a mirror is half a turn about its axis, and then an inversion that changes no rotation.

// The rotation of the axes that the children of a node live in, given its own rotation and scale.
GtQuat gti_children_rotation(GtQuat rotation, GtVec3 scale);

// The rotation of the axes that a node itself lives in; the identity where it has no parent.
GtQuat gti_parent_rotation(const GtCharacterDef* def, const GtQuat* rotations, int32_t node);

// Rotation in model space of one node in a pose.
GtQuat gti_model_rotation(const GtCharacterDef* def, const GtTransform* pose, int32_t node);

// Likewise, given its matrix.
GtQuat gti_rotation_of_matrix(const GtCharacterDef* def, int32_t node, const GtMat34* model_from_node);

// Rotations in model space of all nodes in a pose.
void gti_model_rotations(const GtCharacterDef* def, const GtTransform* pose, GtQuat* rotations);

void gti_posture_of_pose(const GtCharacter* character, const GtTransform* pose, GtMat34* scratch, GtiPosture* out);

// The pose a scene's skins are bound in. `joints` are runtime nodes of the humanoid's joints.
// *found is false when one of them is neither bound nor hangs from one that is; the posture is undefined then. A matrix
// that has no inverse counts as missing.
GtResult gti_posture_of_bind(GtArena* scratch, const GtScene* scene, const GtCharacter* character,
                             const int32_t* joints, GtiPosture* out, bool* found, GtError* error);

// The axes of a body in some posture: unit, at right angles, left x up = forward.
typedef struct GtiBodyAxes {
    GtVec3 left, up, forward;
} GtiBodyAxes;

// Axes by hips, legs and arms. Up is the model's axis where the body leans less than 35 degrees away from it.
// Returns false when the joints it needs are missing or in one place.
bool gti_body_axes(const GtiPosture* posture, const int32_t* joints, GtiBodyAxes* out);

// The rotation that takes X, Y, Z to these axes.
GtQuat gti_quat_from_axes(GtVec3 x, GtVec3 y, GtVec3 z);

// Which pose it is, and how far from any pose that figures are modelled in: 0 for T, A or arms hanging.
GtRestPose gti_posture_name(const GtiPosture* posture, const int32_t* joints, const GtiBodyAxes* axes, float* oddness);

#endif
