// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The last step of a fit, beyond what few numbers can say: each joint of a limb goes along with the skin around it.

#ifndef GERTIE_RIG_FIT_RING_H
#define GERTIE_RIG_FIT_RING_H

#include "rig/fit/fit.h"

// How far the skin around a joint of a limb should still move, across the limb, to lie on the body. All points of the
// model must be placed, as gti_person_fit_cover() leaves them. Zero for joints of the trunk, and where too little of
// the body is near.
GtVec3 gti_person_ring_shift(const GtiPersonFit* fit, GtHumanoidJoint joint);

#endif
