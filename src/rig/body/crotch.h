// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where the legs of an upright body part. Proportions of figures differ most here: the crotch of an adult is at 0.47 of
// the height, that of a toy with a large head at 0.15.

#ifndef GERTIE_RIG_BODY_CROTCH_H
#define GERTIE_RIG_BODY_CROTCH_H

#include "gertie/mat34.h"

#include "geometry/solid.h"

typedef struct GtiCrotch {
    float height; // above the ground, in heights of the body; 0 where no legs part, as under a robe
    float ankle;  // lowest height from which on the legs are apart, in heights of the body
    float share;  // 0 to 1: of the heights between these, at which the legs are apart
} GtiCrotch;

// Look from the ground up for two columns with a gap, or at least a much thinner place, between them. Heights at which
// the legs touch, at knees or thighs, are passed over where they part again above.
// @param solid_from_body  a similarity from body space, see rig/body/body.h; NULL where the solid is in body space
// @return whether there are legs that part
bool gti_body_find_crotch(const GtiSolid* solid, const GtMat34* solid_from_body, GtiCrotch* out);

#endif
