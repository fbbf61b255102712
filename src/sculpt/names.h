// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names in channels and formulas of a file, which say "leftLowerArm" on any humanoid, as the runtime knows them: by the
// nodes of the character at hand.

#ifndef GERTIE_SCULPT_NAMES_H
#define GERTIE_SCULPT_NAMES_H

#include "gertie/character.h"
#include "gertie/humanoid.h"

#include "base/fail.h"

typedef struct GtiNames {
    const GtCharacter* character;
    const GtHumanoidMap* map; // to nodes of the scene
    GtArena* arena;           // takes texts
} GtiNames;

// A channel by the character's own names. Fails with GT_ERROR_BAD_VALUE where the node of a joint has no name of its
// own.
GtResult gti_names_channel(const GtiNames* names, const char* channel, const char** out, GtError* error);

// A formula likewise; `NAME.angle_deg` becomes `NAME.angle` in degrees. What is no formula is left to whoever compiles
// it.
GtResult gti_names_formula(const GtiNames* names, const char* formula, const char** out, GtError* error);

#endif
