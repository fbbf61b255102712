// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Fingers of a body that a person has been fitted to, where it has any: mittens, fists and shoes for hands have none.

#ifndef GERTIE_RIG_FIT_HAND_H
#define GERTIE_RIG_FIT_HAND_H

#include "rig/fit/fit.h"

enum {
    GTI_HAND_FINGERS = 5,
    GTI_HAND_JOINTS = 3, // of a finger
};

// Fingers in order of the vocabulary, the thumb first.
typedef struct GtiFittedHand {
    bool has[GTI_HAND_FINGERS];
    GtVec3 joints[GTI_HAND_FINGERS][GTI_HAND_JOINTS];
    GtVec3 tips[GTI_HAND_FINGERS];
    int32_t count;   // fingers beside the thumb, or 0
    const char* why; // there are none, or NULL
} GtiFittedHand;

// The hands, left first. false when memory ran out.
bool gti_person_hands(const GtiPersonFit* fit, const GtiRigBody* body, GtArena* scratch, GtiFittedHand hands[2]);

#endif
