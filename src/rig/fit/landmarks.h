// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the solid of a figure shows by itself, whatever its proportions: where its legs part, where its head begins, how
// stout it is, and how far its arms reach.

#ifndef GERTIE_RIG_FIT_LANDMARKS_H
#define GERTIE_RIG_FIT_LANDMARKS_H

#include "geometry/solid.h"

// Lengths in heights of the body.
typedef struct GtiLandmarks {
    float crotch; // height, or 0 where no legs part
    float neck;   // height of the narrowest place between head and trunk, or 0 where there is none
    float girth;  // square root of the area of the trunk a third of the way from the crotch to the neck
    float reach;  // half the width of all that is above the crotch
} GtiLandmarks;

// @param solid  of the body's skin, upright and of height 1
// @return false when memory ran out
bool gti_landmarks_find(const GtiSolid* solid, GtArena* scratch, GtiLandmarks* out);

#endif
