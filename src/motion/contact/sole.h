// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a figure stands on: the vertices of its mesh that follow the feet.

#ifndef GERTIE_MOTION_CONTACT_SOLE_H
#define GERTIE_MOTION_CONTACT_SOLE_H

#include "motion/retarget/align.h"

// Look at the mesh around one foot.
// rest: of the nodes, in which the mesh is looked at. posture: the one that is brought into the T-pose.
// scratch: [nodes of the character]
void gti_sole_find(const GtScene* scene, const GtCharacter* character, const GtMat34* model_from_node_at_rest,
                   const GtiPosture* rest, const GtiPosture* posture, const int32_t* joints,
                   GtQuat canonical_from_model, int side, bool* scratch, GtiFigureSole* out);

#endif
