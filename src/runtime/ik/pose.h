// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Poses as inverse kinematics sees them: turns in model space, and matrices of what lies below a turned node.

#ifndef GERTIE_RUNTIME_IK_POSE_H
#define GERTIE_RUNTIME_IK_POSE_H

#include "gertie/ik.h"

// Apply a turn in model space to the rotation of a node. `model_from_parent` is not read for a root.
void gti_ik_turn(const GtCharacter* character, int32_t node, GtQuat turn, GtTransform* pose,
                 const GtMat34* model_from_parent);

// The matrix of `node` (or the identity for GT_NONE) from the pose, down from the last node before `top` on the way to
// it, whose matrix is taken as it is.
GtMat34 gti_ik_model_from(const GtCharacter* character, const GtTransform* pose, const GtMat34* model_from_node,
                          int32_t top, int32_t node);

// Matrices of `top` and all below it, from the pose.
void gti_ik_update_below(const GtCharacter* character, int32_t top, const GtTransform* pose, GtMat34* model_from_node);

// Whether `node` is `below` or above it.
bool gti_ik_is_above(const GtCharacter* character, int32_t node, int32_t below);

#endif
