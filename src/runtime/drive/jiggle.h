// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Springs where whoever owns the character moves it about.

#ifndef GERTIE_RUNTIME_DRIVE_JIGGLE_H
#define GERTIE_RUNTIME_DRIVE_JIGGLE_H

#include "gertie/jiggle.h"

// gt_jiggle_step(), in a world: `world_from_space` is where the lattice's space is in it.
void gti_jiggle_step(const GtJiggleDef* def, const GtCharacter* character, const GtMat34* world_from_space,
                     double step_s, void* state, float* section_values);

#endif
