// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How the head of a resting figure is held, by the mesh around it: a scan may look aside, and its skeleton does not
// show it.

#ifndef GERTIE_MOTION_RETARGET_HEAD_H
#define GERTIE_MOTION_RETARGET_HEAD_H

#include "motion/retarget/posture.h"

#include "gertie/scene.h"

typedef struct GtiHeadHold {
    float turn_rad; // to its left, in canonical axes; 0 where it looks ahead, or nothing shows how it is held
    float tilt_rad; // to its left shoulder
    GtQuat upright; // rotation in canonical axes that takes turn and tilt away
} GtiHeadHold;

// Find the plane that mirrors the vertices of the head. Only one that does so clearly better than the body's own middle
// counts. How far the head looks up or down no mirror shows.
// The arguments are those of gti_sole_find().
void gti_head_find(const GtScene* scene, const GtCharacter* character, const GtMat34* model_from_node_at_rest,
                   const GtiPosture* rest, const GtiPosture* posture, const int32_t* joints,
                   GtQuat canonical_from_model, bool* marks, GtiHeadHold* out);

#endif
