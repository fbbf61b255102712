// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which side of an upright body is its front.

#ifndef GERTIE_RIG_ORIENT_FRONT_H
#define GERTIE_RIG_ORIENT_FRONT_H

#include "geometry/solid.h"
#include "rig/body/body.h"

// What speaks for +Z being the front: each is 0 where nothing does, and negative where it speaks for -Z.
typedef struct GtiFrontSigns {
    float leg;  // length of the legs, in those of an adult
    float toes; // how far the feet reach out beyond the shanks, in lengths of an adult's legs times `leg`
    float face; // how far the triangles of the head, which are smaller in the face, lie before its area, in its depths
    float eyes; // -1 to 1: where pairs of small pieces lie between the back and the front of the head
} GtiFrontSigns;

// Whatever the frame, whose directions are of the body's space.
// @param solid            of the skin, in the space of the body's points
// @param solid_from_body  the body's space to be, as told in rig/body/body.h, but for the origin along Z
// @return false when memory ran out
bool gti_front_find_signs(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                          const GtMat34* solid_from_body, GtiFrontSigns* out);

// Logarithm of the odds that +Z is the front.
float gti_front_log_odds(const GtiFrontSigns* signs);

#endif
