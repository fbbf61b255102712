// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How a resting figure differs from one that stands straight.

#ifndef GERTIE_MOTION_RETARGET_REST_ANGLES_H
#define GERTIE_MOTION_RETARGET_REST_ANGLES_H

#include "motion/retarget/head.h"

#include "gertie/retarget.h"

// Measure a posture. joints: runtime nodes of the humanoid's joints; angles of those that are missing are 0.
void gti_rest_angles_find(const GtiPosture* posture, const int32_t* joints, GtQuat canonical_from_model,
                          const GtiHeadHold* head, GtRestAngles* out);

#endif
